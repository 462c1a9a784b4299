#include "ext/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ext/cli/text.h"

namespace s2v {
namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds(100);

// Wider lines would break and could not be rewritten.
size_t TerminalWidth() {
  struct winsize size {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 79;
  return size.ws_col - 1;
}

std::string SpeedText(double tokens_per_second) {
  if (tokens_per_second >= 1e6) return Format("%.1f M tokens/s", tokens_per_second / 1e6);
  if (tokens_per_second >= 1e3) return Format("%.0f k tokens/s", tokens_per_second / 1e3);
  return Format("%.0f tokens/s", tokens_per_second);
}

std::string DurationText(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole >= 3600) return Format("%lld h %02lld min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return Format("%lld min %02lld s", whole / 60, whole % 60);
  return Format("%lld s", whole);
}

}  // namespace

TerminalLine::TerminalLine(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) == 1) {}

void TerminalLine::Write(const std::string& line) {
  if (!shown_) return;
  std::string text = line.substr(0, TerminalWidth());
  const size_t size = text.size();
  if (size < width_) text.append(width_ - size, ' ');
  width_ = size;
  std::fprintf(stderr, "\r%s", text.c_str());
  std::fflush(stderr);
}

void TerminalLine::Clear() {
  if (width_ == 0) return;
  std::fprintf(stderr, "\r%s\r", std::string(width_, ' ').c_str());
  std::fflush(stderr);
  width_ = 0;
}

void StatusLine::Show(const std::string& text) {
  constexpr auto kPatience = std::chrono::seconds(2);
  const auto now = Clock::now();
  if (!line_.shown() || now - began_ < kPatience || now - last_ < kBetweenLines) return;
  last_ = now;
  line_.Write(text);
}

void StatusLine::Begin(const std::string& text) {
  if (line_.shown()) return Show(text);
  if (wanted_) std::fprintf(stderr, "s2v: %s\n", text.c_str());
}

void ProgressLine::Show(const TrainProgress& progress) {
  if (!line_.shown()) return;
  const auto now = Clock::now();
  const bool new_phase = !begun_ || progress.phase != phase_;
  if (!new_phase && now - last_ < kBetweenLines) return;
  begun_ = true;
  phase_ = progress.phase;
  last_ = now;
  switch (progress.phase) {
    case TrainProgress::kReading:
      line_.Write("reading: " + std::to_string(progress.texts) + " texts");
      break;
    case TrainProgress::kTraining:
      if (new_phase && first_.needed_bytes == 0) {
        first_ = progress;
        first_time_ = now;
        line_.Clear();
        std::fprintf(stderr, "needs about %s of memory%s\n",
                     BytesText(progress.needed_bytes).c_str(),
                     progress.available_bytes == 0
                         ? ""
                         : (", " + BytesText(progress.available_bytes) + " are available").c_str());
      }
      line_.Write(Training(progress, now));
      break;
    case TrainProgress::kCheckpoint:
      line_.Write("storing a checkpoint of " + BytesText(progress.matrix_bytes));
      break;
    case TrainProgress::kStoring:
      // A second report of this phase comes only from the wait for a lock.
      line_.Write(new_phase ? "storing the model"
                            : "waiting for another connection to let go of the database");
      break;
  }
}

std::string ProgressLine::Training(const TrainProgress& progress, Clock::time_point now) const {
  std::string line = Format("training %5.1f %%", 100 * progress.fraction);
  const double seconds = std::chrono::duration<double>(now - first_time_).count();
  if (seconds > 0 && progress.tokens > first_.tokens) {
    line += "  " + SpeedText(static_cast<double>(progress.tokens - first_.tokens) / seconds);
  }
  line += Format("  rate %.3g", progress.learning_rate);
  if (progress.loss > 0) line += Format("  loss %.3f", progress.loss);
  if (seconds > 0 && progress.fraction > first_.fraction) {
    line +=
        "  " +
        DurationText((1 - progress.fraction) * seconds / (progress.fraction - first_.fraction)) +
        " left";
  }
  return line;
}

}  // namespace s2v
