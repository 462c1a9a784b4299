#include "sql/checkpointer.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "sql/clock.h"

namespace s2v {
namespace {

// Workers come to the end of a chunk of sentences within milliseconds; this is for texts of a
// thousand words and a busy machine.
constexpr std::chrono::milliseconds kPausePatience(3000);
constexpr double kLeastWriteRatio = 10;  // seconds of training for each of writing
// After a checkpoint that was just stored there is nothing to keep.
constexpr double kFresh = 1;

}  // namespace

Checkpointer::Checkpointer(sqlite3* db, std::optional<double> every, double begun, Checkpoint head,
                           Hooks hooks)
    : db_(db),
      every_(every),
      begun_(begun),
      begun_at_(Seconds()),
      head_(std::move(head)),
      hooks_(std::move(hooks)),
      writer_(db, head_.schema),
      next_at_(begun_at_ + every.value_or(kCheckpointSeconds)) {
  if (begun > 0) stored_ = begun;
}

bool Checkpointer::Wanted(double fraction, double now) const {
  if (every_) return *every_ > 0;
  const double elapsed = now - begun_at_;
  if (elapsed < kCheckpointSeconds || fraction <= begun_) return false;
  return elapsed * (1 - begun_) / (fraction - begun_) > kLongTrainingSeconds;
}

void Checkpointer::StoreIfDue(Trainer* trainer, double fraction) {
  const double now = Seconds();
  if (now < next_at_ || !Wanted(fraction, now)) return;
  Store(trainer);
  const double interval = every_.value_or(kCheckpointSeconds), written = Seconds();
  next_at_ = written + std::max(interval, kLeastWriteRatio * (written - now));
}

std::optional<double> Checkpointer::StoreLast(Trainer* trainer, double fraction) {
  const double now = Seconds();
  if (Wanted(fraction, now) && now - stored_at_ > kFresh) Store(trainer);
  return stored_;
}

bool Checkpointer::Store(Trainer* trainer) {
  std::string reason;
  hooks_.before();
  try {
    if (!Write(trainer)) reason = "the workers have not come to rest";
  } catch (const SqlError& error) {
    reason = error.primary_code() == SQLITE_BUSY ? "the database is in use" : error.what();
  } catch (...) {
    trainer->GoOn();
    writer_.GiveUp();
    throw;
  }
  trainer->GoOn();
  if (reason.empty()) {
    // Outside the pause, since freeing pages of a large checkpoint takes a while.
    DeleteUnownedRows(db_, head_.schema);
  } else {
    writer_.GiveUp();
    hooks_.warn("no checkpoint stored: " + reason);
  }
  hooks_.after();
  return reason.empty();
}

bool Checkpointer::Write(Trainer* trainer) {
  writer_.Begin(head_);
  if (!trainer->Pause(kPausePatience)) return false;
  writer_.Write(trainer->state());
  stored_ = static_cast<double>(trainer->state().position) / static_cast<double>(head_.sentences);
  stored_at_ = Seconds();
  return true;
}

}  // namespace s2v
