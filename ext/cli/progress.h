// What a command is doing: a line of standard error, rewritten in place, at most ten times a
// second; and that of `s2v train`:
//
//   reading: 120832 texts
//   needs about 60.3 MB of memory, 7.9 GB are available               (stays)
//   training  42.3 %  1.3 M tokens/s  rate 0.288  loss 2.314  1 min 05 s left
//   storing a checkpoint of 48.2 MB                                   (now and then)
//   storing the model
#pragma once

#include <string>

#include "sql/train_progress.h"

namespace s2v {

class StatusLine {
 public:
  // wanted: shown where standard error is a terminal, once the work has taken patience seconds;
  // otherwise never.
  explicit StatusLine(bool wanted, double patience = 2);
  ~StatusLine() { Clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  // at_once: even if the line was written just now.
  void Show(const std::string& text, bool at_once = false);
  // A part of the work begins: without a terminal this is a line of standard error.
  void Begin(const std::string& text);
  // Takes the line away.
  void Clear();

 protected:
  const bool wanted_, shown_;

 private:
  const double patient_until_;
  double last_ = 0;
  bool visible_ = false;
};

class ProgressLine : public StatusLine {
 public:
  explicit ProgressLine(bool wanted) : StatusLine(wanted, 0) {}
  void Show(const TrainProgress& progress);

 private:
  std::string Training(const TrainProgress& progress) const;

  std::optional<TrainProgress::Phase> phase_;
  // The first report of the training: speed and time left are measured from it.
  TrainProgress first_;
  double first_time_ = 0;
};

}  // namespace s2v
