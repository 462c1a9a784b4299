#include "ext/cli/database.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>

#include "ext/cli/command.h"
#include "ext/cli/text.h"
#include "ext/s2v.h"
#include "sql/index_memory.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

// SQLite's busy timeout of about 10 s, except that Ctrl-C ends it.
int WaitForLock(void*, int attempt) {
  constexpr int kPause = 5, kLongest = 10000;  // milliseconds
  const int next = std::min(kPause, std::min(kLongest, LongestWait()) - kPause * attempt);
  if (StopRequested() || next <= 0) return 0;
  sqlite3_sleep(next);
  return 1;
}

// Errors that SQLite would only call "unable to open database file", or report after an hour of
// training.
void CheckFile(const std::string& path, Database::Access access) {
  const auto fail = [](const std::string& message) {
    throw std::runtime_error(message + ": " + std::strerror(errno));
  };
  std::error_code error;
  const auto type = std::filesystem::status(PathOf(path), error).type();
  if (error && error != std::errc::no_such_file_or_directory) {
    throw std::runtime_error("cannot open '" + path + "': " + error.message());
  }
  if (type == std::filesystem::file_type::not_found) {
    throw std::runtime_error("no file '" + path + "': a database is never created, check the path");
  }
  if (type == std::filesystem::file_type::directory) {
    throw std::runtime_error("'" + path + "' is a folder; name a database file in it");
  }
  if (type != std::filesystem::file_type::regular) {
    throw std::runtime_error("'" + path + "' is not a regular file");
  }
  if (!MayRead(path)) fail("cannot read '" + path + "'");
  if (access == Database::kRead) return;
  if (!MayWrite(path)) fail("cannot write '" + path + "'");
  const std::string parent = TextOf(PathOf(path).parent_path());
  const std::string folder = parent.empty() ? "." : parent;
  const bool has_log = MayWrite(path + "-wal");
  if (!has_log && !MayWrite(folder)) {
    fail("cannot write folder '" + folder + "', where SQLite keeps the journal while it writes '" +
         path + "'");
  }
}

// path as a URI. immutable: SQLite needs no lock and no file beside the database.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    uri += c == '%' || c == '?' || c == '#' ? Format("%%%02llx", static_cast<long long>(c))
                                            : std::string(1, c);
  }
  return uri + "?immutable=1";
}

// Or not there.
bool IsEmpty(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(PathOf(path), none);
  return none || size == 0;
}

constexpr int kInterruptedExit = 130;  // what shells give for an end by SIGINT
// Steps of SQLite's virtual machine between two looks at the flag: some microseconds.
constexpr int kStepsPerLook = 1000;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void OnSignal(int signal) {
  if (stop_requested.exchange(true)) _exit(kInterruptedExit);
  std::signal(signal, OnSignal);  // where a signal takes its handler away
}

// Returns the former handler.
auto Handle(int signal) {
  const auto former = std::signal(signal, OnSignal);
  if (former == SIG_IGN) std::signal(signal, SIG_IGN);
  return former;
}

}  // namespace

Database::Database(const std::string& path, Access access) {
  CheckFile(path, access);
  // A path that cannot be taken for ":memory:" or a URI.
  const std::string name = PathOf(path).has_root_path() ? path : "./" + path;
  const int flags = access == kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  int code = Open(name, flags);
  // Somebody was killed while he wrote: who may write rolls it back.
  if (code == SQLITE_READONLY_ROLLBACK && Open(name, SQLITE_OPEN_READWRITE) == SQLITE_OK)
    code = Open(name, flags);
  const int primary = code & 0xff;
  if (access == kRead && (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY)) {
    // In WAL mode even readers write beside the database. Where they may not, and no writer has
    // left anything there either, the file alone is the database.
    if (IsEmpty(name + "-wal") && IsEmpty(name + "-journal"))
      code = Open(ImmutableUri(name), flags | SQLITE_OPEN_URI);
  }
  if (code == SQLITE_OK) {
    char* message = nullptr;
    code = sqlite3_s2v_init(db_, &message, nullptr);
    sqlite3_free(message);
  }
  if (code == SQLITE_OK) return;
  const std::string error = "'" + path + "': " + (db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(code));
  sqlite3_close_v2(db_);
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  throw SqlError(code, error);
}

int Database::Open(const std::string& name, int flags) {
  sqlite3_close_v2(db_);
  db_ = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &db_, flags, nullptr);
  if (code != SQLITE_OK) return code;
  sqlite3_extended_result_codes(db_, 1);
  sqlite3_busy_handler(db_, WaitForLock, nullptr);
  return sqlite3_exec(db_, "PRAGMA schema_version", nullptr, nullptr, nullptr);
}

bool IsOfDatabase(const std::string& file, const std::string& database) {
  std::error_code none;  // of files that do not exist
  // Of a name alone that does not exist it would make no whole path.
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(PathOf(path), none), none);
  };
  const std::filesystem::path target = whole(file);
  const std::string base = TextOf(whole(database));
  for (const char* part : {"", "-wal", "-journal", "-shm"}) {
    const std::filesystem::path one = PathOf(base + part);
    if (target == one || std::filesystem::equivalent(target, one, none)) return true;
  }
  return false;
}

std::string FindIndex(sqlite3* db, const std::string& name) {
  const std::vector<std::string> names = ListIndexes(db, "main");
  for (const std::string& known : names) {
    if (sqlite3_stricmp(known.c_str(), name.c_str()) == 0) return known;
  }
  if (names.empty())
    throw InvalidArgument("no index '" + name + "'; make one with s2v index create");
  CheckKnown("index", name, names);
  return name;
}

ModelName ModelOption(const std::string& model) {
  return model.empty() ? ModelName() : CheckUsage([&] { return ParseModelName(model); });
}

ModelName MainModelOption(const std::string& model) {
  const ModelName name = CheckUsage([&] { return ParseModelName(model); });
  if (name.schema.empty() || sqlite3_stricmp(name.schema.c_str(), "main") == 0) return name;
  throw UsageError("model '" + model + "': this program opens one database, whose schema is main");
}

std::string ModelText(const ModelInfo& model) {
  return "model '" + model.name + "'" + (model.is_default ? ", the default" : "");
}

std::string IndexesOutOfUse(sqlite3* db, const std::string& path) {
  const std::vector<ModelInfo> models = ListModels(db);
  std::string lines;
  for (const std::string& name : ListIndexes(db, "main")) {
    try {
      IndexMemory memory;
      const std::string hash = OpenIndex(db, "main", name, &memory).model_hash;
      const auto is_its = [&](const ModelInfo& model) { return model.hash == hash; };
      if (hash.empty() || std::any_of(models.begin(), models.end(), is_its)) continue;
      lines += "index '" + name + "' is out of use: s2v index rebuild " + ShellText(path) + " " +
               ShellText(name) + "\n";
    } catch (const InvalidArgument&) {  // it has more to say, once it is asked
    } catch (const FormatError&) {
    }
  }
  return lines;
}

std::string Explain(const SqlError& error) {
  const std::string message = error.what();
  switch (error.primary_code()) {
    case SQLITE_BUSY:
      if (!message.ends_with("is locked")) return message;
      return message + ": another connection is using it; try again when that has ended";
    case SQLITE_NOTADB:
      return message + " of SQLite, or it is encrypted";
    case SQLITE_IOERR:
      return message +
             (error.code() == SQLITE_IOERR_WRITE
                  ? ": a file cannot grow; is there room, and may it be as large (ulimit -f)?"
                  : "");
    case SQLITE_FULL:
      return message + ": make room and try again; nothing has changed";
    case SQLITE_CORRUPT:
      // What is of ours says its table, and what to do, which SQLite cannot tell.
      if (message.find("malformed") == message.npos || message.find("malformed: ") != message.npos)
        return message;
      return message + ": the file is damaged; PRAGMA integrity_check tells more";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return message +
             ": files beside it (-journal, -wal) need recovery or write permission; open it once "
             "as a user who may write to its folder";
    default:
      return message;
  }
}

bool StopRequested() {
  return stop_requested.load(std::memory_order_relaxed);
}

StopOnSignal::StopOnSignal(sqlite3* db)
    : db_(db), former_interrupt_(Handle(SIGINT)), former_terminate_(Handle(SIGTERM)) {
  sqlite3_progress_handler(db_, kStepsPerLook, OnProgress, this);
  sqlite3_commit_hook(db_, OnCommit, this);
}

StopOnSignal::~StopOnSignal() {
  sqlite3_commit_hook(db_, nullptr, nullptr);
  sqlite3_progress_handler(db_, 0, nullptr, nullptr);
  sqlite3_busy_handler(db_, WaitForLock, nullptr);
  std::signal(SIGINT, former_interrupt_);
  std::signal(SIGTERM, former_terminate_);
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
