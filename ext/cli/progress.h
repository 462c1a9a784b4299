// The progress line of `s2v train`: on standard error, rewritten in place, at most ten times a
// second.
//
//   reading: 120832 texts
//   needs about 60.3 MB of memory, 7.9 GB are available               (stays)
//   training  42.3 %  1.3 M tokens/s  rate 0.288  loss 2.314  1 min 05 s left
//   storing a checkpoint of 48.2 MB                                   (now and then)
//   storing the model
#ifndef S2V_EXT_CLI_PROGRESS_H_
#define S2V_EXT_CLI_PROGRESS_H_

#include <chrono>
#include <string>

#include "sql/train_table.h"

namespace s2v {

// A line of standard error that is rewritten in place, where that is a terminal; otherwise nothing.
class TerminalLine {
 public:
  explicit TerminalLine(bool wanted);
  ~TerminalLine() { Clear(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  bool shown() const { return shown_; }
  void Write(const std::string& text);
  // Takes the line away.
  void Clear();

 private:
  const bool shown_;
  size_t width_ = 0;  // of what stands on the line
};

// What a command is doing: on a terminal, once it has been at work for two seconds.
class StatusLine {
 public:
  explicit StatusLine(bool wanted) : wanted_(wanted), line_(wanted) {}
  void Show(const std::string& text);
  // A part of the work begins: without a terminal this is a line of standard error.
  void Begin(const std::string& text);
  void Clear() { line_.Clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  const bool wanted_;
  TerminalLine line_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point last_;
};

class ProgressLine {
 public:
  // wanted: shown where standard error is a terminal; otherwise never.
  explicit ProgressLine(bool wanted) : line_(wanted) {}
  void Show(const TrainProgress& progress);
  // Takes it away, for a line that stays.
  void Clear() { line_.Clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::string Training(const TrainProgress& progress, Clock::time_point now) const;

  TerminalLine line_;
  bool begun_ = false;
  TrainProgress::Phase phase_ = TrainProgress::kReading;
  Clock::time_point last_;
  // The first report of the training: speed and time left are measured from it.
  TrainProgress first_;
  Clock::time_point first_time_;
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_PROGRESS_H_
