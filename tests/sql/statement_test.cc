#include "sql/statement.h"

#include "core/error.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

TEST_CASE("a statement binds, steps, reads and closes itself") {
  Database db;
  Statement select(db.get(), "SELECT ?1, ?2, ?3, ?4, ?5", int64_t{1} << 62, 0.5,
                   std::string("a\0b", 3), Blob{}, nullptr);
  REQUIRE(select.Step());
  CHECK(select.Int(0) == (int64_t{1} << 62));
  CHECK(select.Double(1) == 0.5);
  CHECK(select.Text(2) == std::string_view("a\0b", 3));
  CHECK(select.Type(3) == SQLITE_BLOB);
  CHECK(select.Blob(3).empty());
  CHECK(select.Type(4) == SQLITE_NULL);
  CHECK(select.Text(4).empty());
  CHECK(!select.Step());
  Statement moved(std::move(select));
  moved.Reset();
  moved.Bind(3, std::string_view());
  CHECK(moved.Step());
  CHECK(moved.Type(2) == SQLITE_TEXT);
  Statement none;
  CHECK(!none);
  none = std::move(moved);
  CHECK(static_cast<bool>(none));
}

TEST_CASE("a statement of a cache is prepared once, and forgets what was bound") {
  Database db;
  const auto prepared = [&] {
    int count = 0;
    for (sqlite3_stmt* s = nullptr; (s = sqlite3_next_stmt(db.get(), s)) != nullptr;) count++;
    return count;
  };
  {
    StatementCache cache;
    const std::string sql = "SELECT ?1 UNION ALL SELECT 2";
    for (const bool is_bound : {true, false}) {
      Statement select(&cache, db.get(), sql);
      if (is_bound) select.Bind(1, 7);
      CHECK(select.Step());  // and is not stepped to its end
      CHECK(select.Int(0) == (is_bound ? 7 : 0));
      CHECK(prepared() == 1);
    }
    Statement first(&cache, db.get(), sql), second(&cache, db.get(), sql);
    CHECK(prepared() == 2);
  }
  CHECK(prepared() == 0);
}

TEST_CASE("values are bound in their order, each time anew") {
  Database db;
  Execute(db.get(), "CREATE TABLE t(a, b)");
  Statement insert(db.get(), "INSERT INTO t VALUES(?1, ?2)");
  for (uint32_t i = 0; i < 3; i++) insert.Run(i, "row " + std::to_string(i));
  Execute(db.get(), "UPDATE t SET b = ?2 WHERE a = ?1", 2, std::optional<double>());
  Statement select(db.get(), "SELECT b FROM t WHERE a = ?1");
  CHECK(select.Find(1));
  CHECK(select.Text(0) == "row 1");
  CHECK(select.Find(0));
  CHECK(select.Text(0) == "row 0");
  CHECK(!select.Find(7));
  CHECK(SelectInt(db.get(), "SELECT count(*) FROM t WHERE b IS NULL OR a = ?1", true) == 2);
  CHECK(SelectInt(db.get(), "SELECT 1 FROM t WHERE a = 7") == 0);
  CHECK(SelectText(db.get(), "SELECT b FROM t WHERE a = ?1", 0) == "row 0");
  CHECK(SelectText(db.get(), "SELECT b FROM t WHERE a = 2").empty());
}

TEST_CASE("errors are thrown with SQLite's code and words") {
  Database db;
  CHECK_THROWS_WITH_AS(Statement(db.get(), "SELECT x"), "no such column: x", SqlError);
  db.Exec("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES(1)");
  Statement insert(db.get(), "INSERT INTO t VALUES(1)");
  try {
    insert.Run();
    FAIL("accepted");
  } catch (const SqlError& error) {
    CHECK(error.primary_code() == SQLITE_CONSTRAINT);
    CHECK(error.code() == SQLITE_CONSTRAINT_UNIQUE);
  }
  CHECK_THROWS_AS(insert.Bind(2, int64_t{1}), SqlError);
}

TEST_CASE("a savepoint undoes what was written, unless it is released") {
  Database db;
  db.Exec("CREATE TABLE t(x)");
  {
    Savepoint savepoint(db.get());
    Execute(db.get(), "INSERT INTO t VALUES(1)");
  }
  CHECK(sqlite3_get_autocommit(db.get()) != 0);
  CHECK(db.Count("t") == 0);
  {
    Savepoint savepoint(db.get());
    Execute(db.get(), "INSERT INTO t VALUES(1)");
    savepoint.Release();
  }
  CHECK(sqlite3_get_autocommit(db.get()) != 0);
  CHECK(db.Count("t") == 1);
}

TEST_CASE("a savepoint inside a transaction leaves the transaction open") {
  Database db;
  db.Exec(
      "CREATE TABLE t(x); BEGIN; INSERT INTO t VALUES(1); SAVEPOINT s2v; INSERT INTO t VALUES(2)");
  {
    Savepoint outer(db.get());
    Execute(db.get(), "INSERT INTO t VALUES(3)");
    {
      Savepoint inner(db.get());
      Execute(db.get(), "INSERT INTO t VALUES(4)");
      inner.Release();
    }
    Savepoint undone(db.get());
    Execute(db.get(), "DELETE FROM t");
  }
  CHECK(sqlite3_get_autocommit(db.get()) == 0);
  CHECK(db.Count("t") == 2);
  db.Exec("ROLLBACK TO s2v; COMMIT");  // the user's own savepoint of the same name
  CHECK(db.Count("t") == 1);
}

TEST_CASE("a savepoint is undone on a connection that is interrupted") {
  for (const bool in_transaction : {false, true}) {
    Database db;
    db.Exec("CREATE TABLE t(x); INSERT INTO t VALUES(1), (2)");
    if (in_transaction) db.Exec("BEGIN");
    Statement running(db.get(), "SELECT x FROM t");
    running.Step();
    {
      Savepoint savepoint(db.get());
      Execute(db.get(), "INSERT INTO t VALUES(3)");
      sqlite3_interrupt(db.get());
      CHECK_THROWS_AS(savepoint.Release(), Interrupted);
    }
    CHECK(sqlite3_get_autocommit(db.get()) != 0);  // as after any write that SQLite interrupts
    running.Reset();
    CHECK(db.Count("t") == 2);
  }
}

TEST_CASE("a savepoint outlives a rollback of SQLite's own") {
  Database db;
  db.Exec("CREATE TABLE t(x)");
  {
    Savepoint savepoint(db.get());
    Execute(db.get(), "INSERT INTO t VALUES(3)");
    Execute(db.get(), "ROLLBACK");
  }
  CHECK(db.Count("t") == 0);
}

TEST_CASE("names are quoted") {
  CHECK(QuoteName("a") == "\"a\"");
  CHECK(QuoteName("a\"b") == "\"a\"\"b\"");
  CHECK(QuoteName("") == "\"\"");
}

}  // namespace
}  // namespace s2v
