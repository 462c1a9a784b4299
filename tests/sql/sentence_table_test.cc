#include "sql/sentence_table.h"

#include "core/error.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

std::string All(Database* db, const std::string& table, const std::string& column,
                const std::string& where = "") {
  SentenceTable sentences(db->get(), table, column, where);
  std::string all;
  while (sentences.Next()) all += "[" + std::string(sentences.text()) + "]";
  return all + " " + std::to_string(sentences.skipped());
}

TEST_CASE("texts and numbers are read, NULLs and BLOBs passed over and counted") {
  Database db;
  db.Exec("CREATE TABLE t(b); INSERT INTO t VALUES('a b'), (NULL), (x'41'), (12), (1.5), ('')");
  CHECK(All(&db, "t", "b") == "[a b][12][1.5][] 2");
  CHECK(All(&db, "T", "B") == "[a b][12][1.5][] 2");
  CHECK(All(&db, "t", "b", "b = 'a b'") == "[a b] 0");
  CHECK(All(&db, "t", "b", "b > 1 -- a comment") == "[a b][12][1.5][] 1");
}

TEST_CASE("names of any kind are found") {
  Database db;
  db.Exec(
      "CREATE TABLE \"we\"\"ird. t\"(\"c o\"\"l\"); INSERT INTO \"we\"\"ird. t\" VALUES('x');"
      "CREATE TABLE \"main.t\"(a); INSERT INTO \"main.t\" VALUES('whole');"
      "CREATE TABLE t(a); INSERT INTO t VALUES('split');"
      "CREATE VIEW v AS SELECT a || '!' AS a FROM t; CREATE VIRTUAL TABLE f USING fts5(body);"
      "INSERT INTO f VALUES('full text'); CREATE TABLE w(k TEXT PRIMARY KEY, b) WITHOUT ROWID;"
      "INSERT INTO w VALUES('k', 'without'); CREATE TEMP TABLE tt(a); INSERT INTO tt "
      "VALUES('temp');"
      "CREATE TABLE g(a, b AS (a || '2') STORED); INSERT INTO g VALUES('gen')");
  CHECK(All(&db, "we\"ird. t", "c o\"l") == "[x] 0");
  CHECK(All(&db, "main.we\"ird. t", "c o\"l") == "[x] 0");
  CHECK(All(&db, "main.t", "a") == "[whole] 0");  // a table of the whole name comes first
  CHECK(All(&db, "main.main.t", "a") == "[whole] 0");
  CHECK(All(&db, "v", "a") == "[split!] 0");
  CHECK(All(&db, "f", "body") == "[full text] 0");
  CHECK(All(&db, "w", "b") == "[without] 0");
  CHECK(All(&db, "temp.tt", "a") == "[temp] 0");
  CHECK(All(&db, "g", "b") == "[gen2] 0");
}

TEST_CASE("a table named alone that is in an attached database has that database's schema") {
  Database db;
  db.Exec(
      "ATTACH ':memory:' AS aux1; CREATE TABLE aux1.t(a); CREATE TABLE m(a); CREATE TEMP TABLE "
      "tt(a)");
  CHECK(SentenceTable(db.get(), "t", "a", "").schema() == "aux1");
  CHECK(SentenceTable(db.get(), "t", "a", "").name() == "t");
  CHECK(SentenceTable(db.get(), "aux1.t", "a", "").schema() == "aux1");
  CHECK(SentenceTable(db.get(), "aux1.t", "a", "").name() == "t");
  CHECK(SentenceTable(db.get(), "m", "a", "").schema().empty());
  CHECK(SentenceTable(db.get(), "tt", "a", "").schema().empty());
}

TEST_CASE("what is not there is named, with what there is") {
  Database db;
  db.Exec("CREATE TABLE t(a, b)");
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "u", "a", ""),
                       "no table or view 'u' in this database", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "nope.t", "a", ""),
                       "no table or view 'nope.t' in this database", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "c", ""),
                       "table 't' has no column 'c'; it has a, b", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a", "c = 1"),
                       "where: no such column: c in: c = 1", InvalidArgument);
}

TEST_CASE("where is one expression and nothing more") {
  Database db;
  db.Exec("CREATE TABLE t(a); CREATE TABLE s(b); INSERT INTO s VALUES('secret')");
  for (const char* where :
       {"1) UNION SELECT b FROM s WHERE (1", "1) UNION SELECT b FROM s -- ", "1; SELECT 2",
        "1) ORDER BY (a", ")", "(", "1) LIMIT (1", "'", "/*", "1) GROUP BY (a"}) {
    CAPTURE(where);
    CHECK_THROWS_AS(SentenceTable(db.get(), "t", "a", where), InvalidArgument);
  }
}

}  // namespace
}  // namespace s2v
