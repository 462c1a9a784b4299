#include "ext/cli/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/text/letters.h"
#include "ext/cli/text.h"
#include "sql/system/clock.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

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

StatusLine::StatusLine(bool wanted, double patience)
    : wanted_(wanted),
      shown_(wanted && TerminalWidth() > 0),
      patient_until_(Seconds() + patience) {}

void StatusLine::Show(const std::string& text, bool at_once) {
  constexpr double kBetweenLines = 0.1;
  const double now = Seconds();
  if (!shown_ || now < patient_until_ || (!at_once && now - last_ < kBetweenLines)) return;
  last_ = now;
  visible_ = true;
  // Wider lines would break and could not be rewritten.
  const size_t width = std::max<size_t>(TerminalWidth(), 2) - 1;
  const std::string line(FirstLetters(Printable(text, /*is_one_line=*/true), width));
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
}

void StatusLine::Begin(const std::string& text) {
  if (shown_) return Show(text);
  if (wanted_) WriteMessage("s2v: " + text + "\n");
}

void StatusLine::Clear() {
  if (visible_) std::fprintf(stderr, "\033[2K\r");
  visible_ = false;
}

void ProgressLine::Show(const TrainProgress& progress) {
  if (!shown_) return;
  const bool new_phase = phase_ != progress.phase;
  phase_ = progress.phase;
  const auto show = [&](const std::string& text) { StatusLine::Show(text, new_phase); };
  switch (progress.phase) {
    case TrainProgress::kReading:
      return show("reading: " + std::to_string(progress.texts) + " texts");
    case TrainProgress::kTraining:
      if (new_phase && first_.needed_bytes == 0) {
        first_ = progress;
        first_time_ = Seconds();
        Clear();
        std::string text = "needs about " + BytesText(progress.needed_bytes) + " of memory";
        if (progress.available_bytes > 0)
          text += ", " + BytesText(progress.available_bytes) + " are available";
        std::fprintf(stderr, "%s\n", text.c_str());
      }
      return show(Training(progress));
    case TrainProgress::kCheckpoint:
      return show("storing a checkpoint of " + BytesText(progress.matrix_bytes));
    case TrainProgress::kStoring:
      // A second report of this phase comes only from the wait for a lock.
      return show(new_phase ? "storing the model"
                            : "waiting for another connection to let go of the database");
  }
}

std::string ProgressLine::Training(const TrainProgress& progress) const {
  std::string line = Format("training %5.1f %%", 100 * progress.fraction);
  const double seconds = Seconds() - first_time_;
  if (seconds > 0 && progress.tokens > first_.tokens) {
    line += "  " + SpeedText(static_cast<double>(progress.tokens - first_.tokens) / seconds);
  }
  line += Format("  rate %.3g", progress.learning_rate);
  if (progress.loss > 0) line += Format("  loss %.3f", progress.loss);
  const double done = progress.fraction - first_.fraction;
  if (seconds > 0 && done > 0) {
    line += "  " + DurationText((1 - progress.fraction) * seconds / done) + " left";
  }
  return line;
}

}  // namespace s2v
