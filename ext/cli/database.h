// A database file, opened with errors that say what to do.
//
//   Database db(path, Database::kRead);      // throws SqlError or std::runtime_error
//   ListModels(db.get());
//
// The file must exist; none is ever created. All s2v functions are registered on the connection.
// Waits up to 10 s for another connection's lock, or until Ctrl-C.
//
// Ctrl-C (SIGINT) and SIGTERM while a model is trained: the work is given up cleanly.
//
//   const StopOnSignal stop(db.get());
//   stop.Run([&] {
//     return TrainTable(db, request, [](const TrainProgress&) { return !StopRequested(); });
//   });  // throws Interrupted
//
// The handler sets one flag and nothing else. It is seen by the observer of the training, by
// SQLite's progress handler while rows are read and stored, and by the wait for locks. Once the
// commit of the model has begun nothing is interrupted any more, so Interrupted always means that
// no model has changed. The storing of a checkpoint is not interrupted either: it is what a stop
// asks for. A second signal ends the process at once; SQLite's journal undoes what is half written.
#pragma once

#include <string>

#include "core/error.h"
#include "sql/model_store.h"
#include "sql/statement.h"

namespace s2v {

class Database {
 public:
  enum Access { kRead, kWrite };
  // kRead works on a file and in a folder that cannot be written.
  Database(const std::string& path, Access access);
  ~Database() { sqlite3_close_v2(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  sqlite3* get() const { return db_; }

 private:
  // Opens and reads the first page. Returns a result code.
  int Open(const std::string& name, int flags);

  sqlite3* db_ = nullptr;
};

// Whether to write there would write over the database or a file beside it with rows that were
// committed. Links are followed.
bool IsOfDatabase(const std::string& file, const std::string& database);

// An index of main by its name as it was made. Throws InvalidArgument where there is none, naming
// those that there are.
std::string FindIndex(sqlite3* db, const std::string& name);
// The value of --model; "": the default model. Throw UsageError, the second one where the model is
// not of the database that the program opens.
ModelName ModelOption(const std::string& model);
ModelName MainModelOption(const std::string& model);
// "model 'news', the default"
std::string ModelText(const ModelInfo& model);

// A line for each index whose model is gone, as after another training: what makes it anew.
std::string IndexesOutOfUse(sqlite3* db, const std::string& path);

// The error's message and what to do about it.
std::string Explain(const SqlError& error);

// The user has asked to stop.
bool StopRequested();

// Handles the signals while it lives, except those that the parent process has set to be ignored
// (nohup). There may be one at a time.
class StopOnSignal {
 public:
  explicit StopOnSignal(sqlite3* db);
  ~StopOnSignal();
  // Does work; where Ctrl-C has ended its wait for a lock, Interrupted is thrown for SQLITE_BUSY.
  template <typename Work>
  auto Run(const Work& work) const {
    try {
      return work();
    } catch (const SqlError& error) {
      if (StopRequested() && error.primary_code() == SQLITE_BUSY) throw Interrupted();
      throw;
    }
  }
  // While it is set, signals interrupt no statement, and a commit is not that of the model: a
  // checkpoint is being stored.
  void set_storing_checkpoint(bool storing) { storing_checkpoint_ = storing; }
  // From here to the end of this object SQLite waits for no lock: storing does so itself, with a
  // report between two attempts.
  void LeaveWaitingToStoring() { sqlite3_busy_handler(db_, nullptr, nullptr); }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  static int OnProgress(void* self);
  static int OnCommit(void* self);

  sqlite3* db_;
  bool committing_ = false, storing_checkpoint_ = false;
  void (*const former_interrupt_)(int);
  void (*const former_terminate_)(int);
};

}  // namespace s2v
