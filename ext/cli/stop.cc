#include "ext/cli/stop.h"

#include <unistd.h>

#include <atomic>

namespace s2v {
namespace {

constexpr int kInterruptedExit = 130;  // what shells give for an end by SIGINT
// Steps of SQLite's virtual machine between two looks at the flag: some microseconds.
constexpr int kStepsPerLook = 1000;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void OnSignal(int) {
  if (stop_requested.exchange(true)) _exit(kInterruptedExit);
}

void Handle(int signal, struct sigaction* former) {
  sigaction(signal, nullptr, former);
  if (former->sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

bool StopRequested() {
  return stop_requested.load(std::memory_order_relaxed);
}

StopOnSignal::StopOnSignal(sqlite3* db) : db_(db) {
  Handle(SIGINT, &former_interrupt_);
  Handle(SIGTERM, &former_terminate_);
  sqlite3_progress_handler(db_, kStepsPerLook, OnProgress, this);
  sqlite3_commit_hook(db_, OnCommit, this);
}

StopOnSignal::~StopOnSignal() {
  sqlite3_commit_hook(db_, nullptr, nullptr);
  sqlite3_progress_handler(db_, 0, nullptr, nullptr);
  sigaction(SIGINT, &former_interrupt_, nullptr);
  sigaction(SIGTERM, &former_terminate_, nullptr);
}

int StopOnSignal::OnProgress(void* self) {
  const auto* stop = static_cast<StopOnSignal*>(self);
  return StopRequested() && !stop->committing_ && !stop->storing_checkpoint_;
}

int StopOnSignal::OnCommit(void* self) {
  auto* stop = static_cast<StopOnSignal*>(self);
  if (!stop->storing_checkpoint_) stop->committing_ = true;
  return 0;
}

}  // namespace s2v
