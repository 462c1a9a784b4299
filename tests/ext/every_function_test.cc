// What holds of every function and table-valued function, whatever it is for: the names, numbers of
// arguments and flags are asked of SQLite, so that a new one needs no line here.
#include <sqlite3.h>

#include <string>
#include <vector>

#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

// NULL, numbers, texts and BLOBs that somebody's row may hold. 'docs' is a model, a table and an
// index's source.
const char* const kValues[] = {
    "NULL",
    "0",
    "-1",
    "9223372036854775807",
    "1.5",
    "9e999",
    "''",
    "'docs'",
    "'red fox'",
    "'{}'",
    "'[1,2]'",
    "CAST(x'ff80c0' AS TEXT)",
    "CAST(x'646f6373007a' AS TEXT)",
    "replace(hex(zeroblob(50000)), '00', 'red fox ')",
    "x''",
    "x'00'",
    "x'0000c07f0000807f'",
    "zeroblob(16384)",
};

struct Called {
  std::string name;
  int arguments;
  int64_t flags;
};

std::vector<Called> Select(Database* db, const std::string& sql) {
  db->Exec(sql);
  std::vector<Called> all;
  for (size_t i = 0; i < db->rows().size(); i += 3) {
    all.push_back({db->rows()[i], std::stoi(db->rows()[i + 1]), std::stoll(db->rows()[i + 2])});
  }
  return all;
}

std::vector<Called> Functions(Database* db) {
  return Select(
      db,
      "SELECT DISTINCT name, narg, flags FROM pragma_function_list WHERE name LIKE 's2v\\_%' ESCAPE '\\'");
}

// With as many arguments as each takes at most; those of an eponymous table are its hidden columns.
std::vector<Called> TableFunctions(Database* db) {
  return Select(
      db,
      "SELECT m.name, sum(c.hidden = 1), 0 FROM pragma_module_list AS m JOIN pragma_table_xinfo(m.name) AS c "
      "WHERE m.name LIKE 's2v\\_%' ESCAPE '\\' AND m.name <> 's2v_index' GROUP BY 1");
}

// Every pair of values for one or two arguments; of more, every value in each place beside plain
// ones.
std::vector<std::string> ArgumentLists(int count) {
  std::vector<std::string> lists;
  if (count == 0) return {""};
  for (const char* value : kValues) {
    if (count == 1) lists.push_back(value);
    for (const char* other : kValues) {
      if (count == 2) lists.push_back(std::string(value) + ", " + other);
    }
    for (int place = 0; count > 2 && place < count; place++) {
      std::string list;
      for (int i = 0; i < count; i++) {
        list += (i == 0 ? "" : ", ") + std::string(i == place ? value : "'docs'");
      }
      lists.push_back(list);
    }
  }
  return lists;
}

std::string TrainedBytes() {
  Database db;
  TrainTexts(&db, 60);
  return db.Bytes();
}

// An answer, or an error that says something; never one of a function that has gone wrong itself.
void CheckAnswer(Database* db, const std::string& sql) {
  CAPTURE(sql);
  const int code = db->Run(sql) & 0xff;
  CAPTURE(db->message());
  if (code == SQLITE_OK) return;
  const bool is_refusal = code == SQLITE_ERROR || code == SQLITE_TOOBIG || code == SQLITE_CANTOPEN;
  CHECK(is_refusal);
  CHECK(db->message().size() > 10);
}

TEST_CASE("every function answers or refuses whatever it is given") {
  const std::string bytes = TrainedBytes();
  Database names;
  const std::vector<Called> functions = Functions(&names);
  REQUIRE(functions.size() > 20);
  for (const Called& function : functions) {
    Database db = Database::FromBytes(bytes);
    for (const std::string& list : ArgumentLists(function.arguments)) {
      CheckAnswer(&db, "SELECT " + function.name + "(" + list + ") FROM docs WHERE id <= 2");
    }
    CAPTURE(function.name);
    CHECK(db.Text("PRAGMA integrity_check") == "ok");
  }
  names.Exec("SELECT s2v_config('cache_mb', 256)");  // which is the process's
}

TEST_CASE("every table-valued function answers or refuses whatever it is given") {
  Database db = Database::FromBytes(TrainedBytes());
  const std::vector<Called> tables = TableFunctions(&db);
  REQUIRE(tables.size() > 4);
  for (const Called& table : tables) {
    for (int count = 0; count <= table.arguments; count++) {
      for (const std::string& list : ArgumentLists(count)) {
        CheckAnswer(&db, "SELECT * FROM " + table.name + "(" + list + ") LIMIT 20");
      }
    }
  }
}

TEST_CASE("innocuous functions may be called by a schema that is not trusted, the others may not") {
  Database db = Database::FromBytes(TrainedBytes());
  db.Exec("PRAGMA trusted_schema = 0");
  for (const Called& function : Functions(&db)) {
    CAPTURE(function.name);
    std::string nulls;
    for (int i = 0; i < function.arguments; i++) nulls += i == 0 ? "NULL" : ", NULL";
    db.Exec("CREATE VIEW calls AS SELECT " + function.name + "(" + nulls + ") AS result");
    db.Run("SELECT result FROM calls");
    const bool is_refused = Contains(db.message(), "unsafe use of");
    CHECK(is_refused == ((function.flags & SQLITE_INNOCUOUS) == 0));
    db.Exec("DROP VIEW calls");
  }
}

}  // namespace
}  // namespace s2v
