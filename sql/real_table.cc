#include "sql/real_table.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/text/utf8.h"
#include "sql/row_cache.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

// Set while this thread reads: SQLite calls back only on the thread that reads.
thread_local sqlite3* read_now = nullptr;

constexpr int kHiddenColumn = 6;  // of PRAGMA table_xinfo

[[noreturn]] void ThrowUnreal(std::string_view table) {
  ThrowMalformed(std::string(table) + " is not an ordinary table");
}

// Whether the text of a CREATE TABLE has the word AS, without which no column is generated.
bool HasAs(std::string_view sql) {
  for (size_t i = 1; i + 2 < sql.size(); i++) {
    const bool is_as = (sql[i] | 0x20) == 'a' && (sql[i + 1] | 0x20) == 's';
    if (is_as && !IsAsciiWord(sql[i - 1]) && !IsAsciiWord(sql[i + 2])) return true;
  }
  return false;
}

}  // namespace

bool HasColumn(sqlite3* db, const std::string& schema, const char* table, const char* column) {
  const int code = sqlite3_table_column_metadata(db, schema.c_str(), table, column, nullptr,
                                                 nullptr, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK && code != SQLITE_ERROR) ThrowSqlError(db, code);
  return code == SQLITE_OK;
}

void CheckRealTables(sqlite3* db, const std::string& schema,
                     std::span<const std::string_view> tables, const SchemaRows* rows) {
  // By the parsed text: a virtual table is of type 'table' too. SQLite itself writes the first
  // words so, and opens no file whose types and texts disagree. But of two rows with a name one may
  // say IF NOT EXISTS, which makes nothing. Names are compared here, since SQLite makes a table in
  // memory of the list of an IN, which takes long. A table is asked for its columns, which takes
  // longer than all the rest, where its text tells that one may be generated.
  std::vector<std::string_view> asked;
  const std::vector<std::string> names(tables.begin(), tables.end());
  std::vector<bool> is_found(names.size());
  Statement select(db, std::string("SELECT ") + kPlainColumns + ", sql FROM " +
                           SchemaTable(schema, rows, names) + kByRowid);
  int64_t last = INT64_MIN;
  while (select.Step()) {
    CheckPlainRow(select, schema, &last);
    if (select.Text(1) == "trigger") continue;
    const auto name = std::find_if(names.begin(), names.end(), [&](const std::string& one) {
      return IsSameName(one, select.Text(2));
    });
    if (name == names.end()) continue;
    const auto at = static_cast<size_t>(name - names.begin());
    const bool is_real = select.Text(1) == "table" && select.Text(6).starts_with("CREATE TABLE ");
    if (is_found[at] || !is_real || select.Text(2) != *name) ThrowUnreal(*name);
    is_found[at] = true;
    if (HasAs(select.Text(6))) asked.push_back(tables[at]);
  }
  const auto missing = std::find(is_found.begin(), is_found.end(), false);
  if (missing != is_found.end()) {
    const std::string& name = names[static_cast<size_t>(missing - is_found.begin())];
    ThrowMalformed(name + " is missing" +
                   (name.starts_with("s2v_") ? "; train the model again"
                                             : "; DROP TABLE and create the index again"));
  }
  for (const std::string_view table : asked) {
    Statement columns(db, "PRAGMA " + QuoteName(schema) + ".table_xinfo(" + QuoteName(table) + ")");
    while (columns.Step()) {
      if (columns.Int(kHiddenColumn) != 0) ThrowUnreal(table);  // a generated column
    }
  }
}

// A number that the process gives to a file once, as long as a connection that asked has it open;
// its cached rows go with it.
class OpenFiles::Identity {
 public:
  // The one with this key, or a new one; "": a new one.
  static std::shared_ptr<Identity> Of(const std::string& key) {
    static std::mutex mutex;
    static auto* known = new std::map<std::string, std::weak_ptr<Identity>>;  // for threads at exit
    static uint64_t last = 0;
    const std::lock_guard<std::mutex> lock(mutex);
    std::erase_if(*known, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<Identity> identity = key.empty() ? nullptr : (*known)[key].lock();
    if (identity == nullptr) {
      identity = std::make_shared<Identity>(++last);
      if (!key.empty()) (*known)[key] = identity;
    }
    return identity;
  }

  explicit Identity(uint64_t given) : number(given) {}
  ~Identity() { RowCache::Forget(number); }
  Identity(const Identity&) = delete;
  const uint64_t number;
};

// The main file stays the same one until the connection closes, whoever writes to it, but for
// sqlite3_deserialize, which gives it a name that is no file's. An attached one may be detached,
// written anew and attached again at any time, so its key has its time of change.
void OpenFiles::Identify(sqlite3* db, const std::string& schema, File* file) {
  const bool main = schema == "main";
  const auto control = [&](int operation, void* answer) {
    return sqlite3_file_control(db, schema.c_str(), operation, answer) == SQLITE_OK;
  };
  if (file->name.empty()) {
    sqlite3_file* open = nullptr;
    if (!main || !control(SQLITE_FCNTL_FILE_POINTER, &open) || open->pMethods != nullptr) {
      file->identity = nullptr;
    } else if (file->identity == nullptr) {
      file->identity = Identity::Of("");  // in memory: this connection's alone
    }
    return;
  }
  if (main && file->identity != nullptr) return;
  std::string key;
  int moved = kOpenFilesStay ? 0 : 1;
  control(SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) {
    key = FileIdentity(file->name);
    if (!main && !key.empty()) key += "/" + FileVersion(file->name);
  }
  if (key.empty()) {
    file->identity = nullptr;
  } else if (file->identity == nullptr || key != file->key) {
    file->identity = Identity::Of(key);
  }
  file->key = std::move(key);
}

OpenFiles::Reading OpenFiles::Begin(sqlite3* db, const std::string& schema,
                                    std::span<const std::string_view> tables) {
  Reading reading{Statement(statements, db, "PRAGMA " + QuoteName(schema) + ".schema_version"), 0,
                  0, false};
  reading.held.Step();
  reading.schema_version = reading.held.Int(0);
  File& file = files_[schema + '\0' + std::string(tables.front())];
  const char* const filename = sqlite3_db_filename(db, schema.c_str());
  const char* const name = filename == nullptr ? "" : filename;
  if (file.name != name) file = {name, INT64_MIN, {}, nullptr};
  const std::shared_ptr<Identity> before = file.identity;
  Identify(db, schema, &file);
  // A file written anew and attached again may have the version of the former one.
  const bool may_be_another = file.identity != before || file.identity == nullptr;
  if (may_be_another) file.checked_version = INT64_MIN;
  if (file.identity != nullptr) reading.file = file.identity->number;
  reading.is_committed = sqlite3_txn_state(db, schema.c_str()) != SQLITE_TXN_WRITE;
  if (file.checked_version != reading.schema_version) {
    CheckRealTables(db, schema, tables, HasRows(reading) ? &*schema_->rows : nullptr);
    if (reading.is_committed) file.checked_version = reading.schema_version;
  }
  return reading;
}

bool OpenFiles::HasRows(const Reading& reading) const {
  return reading.file != 0 && schema_->file == reading.file &&
         schema_->version == reading.schema_version;
}

const SchemaRows& OpenFiles::Rows(sqlite3* db, const std::string& schema, const Reading& reading) {
  if (!HasRows(reading)) {
    schema_->file = 0;
    schema_->rows.emplace(db, schema);
    schema_->file = reading.is_committed ? reading.file : 0;
    schema_->version = reading.schema_version;
  }
  return *schema_->rows;
}

ReadingGuard::ReadingGuard(sqlite3* db) : outer_(read_now) {
  if (outer_ == db) ThrowMalformed("reading a model runs SQL that reads it");
  read_now = db;
}

ReadingGuard::~ReadingGuard() {
  read_now = outer_;
}

}  // namespace s2v
