#include "sql/sentence_table.h"

#include "core/error.h"
#include "sql/innocuous.h"
#include "tests/support/database.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using namespace testing;
using test::ErrorOf;

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

TEST_CASE(
    "texts come by their rowids, whatever indexes there are and what the connection prefers") {
  Database db;
  db.Exec(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, b, c, d, e); INSERT INTO t(b, c) VALUES('z', 1), ('b', 2), ('y', 1), ('a', 2)");
  CHECK(All(&db, "t", "b") == "[z][b][y][a] 0");
  db.Exec("CREATE INDEX i ON t(b); CREATE INDEX j ON t(c, b)");
  CHECK(All(&db, "t", "b") == "[z][b][y][a] 0");
  CHECK(All(&db, "t", "b", "c IN (2, 1)") == "[z][b][y][a] 0");
  db.Exec("PRAGMA reverse_unordered_selects = 1");
  CHECK(All(&db, "t", "b") == "[z][b][y][a] 0");
  CHECK(All(&db, "t", "b", "c = 1") == "[z][y] 0");
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
  CHECK(SentenceTable(db.get(), "tt", "a", "").schema() == "temp");
  db.Exec("CREATE TEMP TABLE m(a)");
  CHECK(SentenceTable(db.get(), "m", "a", "").schema() == "temp");
}

TEST_CASE("what is not there is named, with what there is") {
  Database db;
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "u", "a", ""),
                       "no table or view 'u' in this database; there are none", InvalidArgument);
  db.Exec("CREATE TABLE t(a, b); CREATE VIEW v AS SELECT 1; CREATE TEMP TABLE w(a)");
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "u", "a", ""),
                       "no table or view 'u' in this database; there are t, v, temp.w",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "nope.t", "a", ""),
                       "no table or view 'nope.t' in this database; there are t, v, temp.w",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "c", ""),
                       "table 't' has no column 'c'; it has a, b", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a, c", ""),
                       "table 't' has no column 'c'; it has a, b", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a,,b", ""),
                       "table 't' has no column ''; it has a, b", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a,", ""),
                       "table 't' has no column ''; it has a, b", InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a, A", ""), "column 'a' is given twice",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a", "b >"),
                       "where: one whole expression is expected, as lang = 'de', in: b >",
                       InvalidArgument);
  CHECK_THROWS_WITH_AS(SentenceTable(db.get(), "t", "a", "c = 1"),
                       "where: no such column: c in: c = 1", InvalidArgument);
}

TEST_CASE("of several columns the texts of a row are one, a line each") {
  Database db;
  db.Exec(
      "CREATE TABLE t(a COLLATE NOCASE, b, \"a,b\", \"c d\"); INSERT INTO t VALUES('A', 'B', 'C', 'D'), (NULL, 'B', 'C', NULL), "
      "('A', x'42', NULL, ''), (NULL, x'00', 'C', ''), (1, 2.5, NULL, CAST(x'620063' AS TEXT))");
  const auto texts = [&](const std::string& column) {
    std::vector<std::string> read;
    SentenceTable table(db.get(), "t", column, "");
    while (table.Next()) read.emplace_back(table.text());
    return read;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts("a, B") == Texts{"A\nB", "B", "A", "1\n2.5"});
  CHECK(texts("b,c d") == Texts{"B\nD", "B", std::string("2.5\nb\0c", 7)});
  CHECK(texts("a,b") == Texts{"C", "C", "C"});  // a column of this name
  SentenceTable rows(db.get(), "t", "a , c d", "b = 'B'");
  CHECK(rows.Next());
  CHECK(rows.text() == "A\nD");
  CHECK_FALSE(rows.Next());
  CHECK(rows.skipped() == 1);
}

TEST_CASE(
    "the language is guessed from rows all over the table, with where too, and from all columns") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT, ok INT);"
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 2500) INSERT INTO docs SELECT i, i, "
      "'which of them was there with this and that, but not from their own ' || i, 1 FROM n;"
      "INSERT INTO docs SELECT id + 2500, id, '<p>der Hund und die Katze sind nicht mit dem von einer <b>' || id || '</b></p>', 1 FROM docs");
  const std::vector<std::string> body = {"body"}, both = {"title", "body"};
  for (const char* where : {"", "ok = 1", "id > 0 OR ok"}) {
    CAPTURE(where);
    CHECK(GuessTexts(db.get(), "docs", body, where).tokenizer == "html:english+german");
  }
  CHECK(GuessTexts(db.get(), "docs", body, "id > 2500").tokenizer == "html:german");
  CHECK(GuessTexts(db.get(), "docs", both, "id > 2500").tokenizer == "html:german");
  CHECK(GuessTexts(db.get(), "docs", both, "id <= 2500", "markdown").tokenizer ==
        "markdown:english");
  // One long text is enough, if its first 4,000 bytes are.
  db.Exec("CREATE TABLE one AS SELECT group_concat(body, ' ') AS body FROM docs WHERE id < 500");
  CHECK(GuessTexts(db.get(), "one", body, "").tokenizer == "english");
}

TEST_CASE("where is one expression and nothing more") {
  Database db;
  db.Exec("CREATE TABLE t(a); CREATE TABLE s(b); INSERT INTO s VALUES('secret')");
  for (const char* where : {"1) UNION SELECT b FROM s WHERE (1",
                            "1) UNION SELECT b FROM s -- ",
                            "1; SELECT 2",
                            "1) ORDER BY (a",
                            ")",
                            "(",
                            "1) LIMIT (1",
                            "'",
                            "/*",
                            "1) GROUP BY (a",
                            "1) UNION ALL SELECT b FROM s /*",
                            "a) OR (a",
                            "1); DROP TABLE t",
                            "1); DROP TABLE t /*",
                            "1 THEN 1 END /*",
                            "1 THEN 1 END OR CASE WHEN 1",
                            "SELECT 1",
                            "1, 1",
                            "1;",
                            " "}) {
    CAPTURE(where);
    CHECK_THROWS_AS(SentenceTable(db.get(), "t", "a", where), InvalidArgument);
  }
  for (const char* where : {"CASE WHEN 1 THEN 1 END", "a IN (SELECT b FROM s) /* all */", "(1)--",
                            "a <> ') OR (' AND \"a\" <> '/*;'"}) {
    CAPTURE(where);
    SentenceTable(db.get(), "t", "a", where);
  }
}

// Counts its calls.
void CountCall(sqlite3_context* context, int, sqlite3_value**) {
  ++*static_cast<int*>(sqlite3_user_data(context));
  sqlite3_result_int(context, 1);
}

TEST_CASE("where calls innocuous functions only: it may come with a file") {
  Database db;
  db.Exec("CREATE TABLE t(a); INSERT INTO t VALUES('x')");
  int calls = 0;
  const auto define = [&](const char* name, int flags) {
    sqlite3_create_function_v2(db.get(), name, 1, SQLITE_UTF8 | flags, &calls, CountCall, nullptr,
                               nullptr, nullptr);
    sqlite3_create_window_function(
        db.get(), (std::string(name) + "_sum").c_str(), 1, SQLITE_UTF8 | flags, &calls, CountCall,
        [](sqlite3_context*) {}, [](sqlite3_context*) {}, CountCall, nullptr);
  };
  define("edit", SQLITE_DIRECTONLY);
  define("plain", 0);
  define("harmless", SQLITE_INNOCUOUS);
  // A table of the file's own that has the name of SQLite's list is not asked.
  db.Exec(
      "CREATE TABLE pragma_function_list(name, narg, flags); CREATE TABLE pragma_table_list(schema, name, type, wr)");
  for (const std::string name : {"edit", "plain"}) {
    for (const std::string& where :
         {name + "(a)", "EXISTS (SELECT 1 WHERE " + name + "('x'))",
          "CASE 1 WHEN " + name + "(1) THEN 1 END", "(SELECT " + name + "_sum(a) FROM t)",
          "(SELECT " + name + "_sum(a) OVER () FROM t)"}) {
      CAPTURE(where);
      const std::string message = ErrorOf([&] { All(&db, "t", "a", where); });
      CHECK(Contains(message, "where: " + name));
      CHECK(Contains(message, "() is not marked as innocuous"));
    }
  }
  CHECK(calls == 0);
  CHECK(All(&db, "t", "a", "harmless(a) AND length(a) > 0 AND (SELECT count(*) FROM t) > 0") ==
        "[x] 0");
  CHECK(calls == 1);
  CHECK_THROWS_AS(All(&db, "t", "a", "load_extension('x')"), InvalidArgument);
  // SQLite's own functions of JSON are not marked.
  CHECK(All(&db, "t", "a", "json_array(a) ->> 0 = 'x'") == "[x] 0");
  // What a view calls is not the condition's, unless it calls it as well.
  db.Exec("CREATE VIEW v AS SELECT a || plain(a) AS a, rowid AS id FROM t");
  CHECK(All(&db, "v", "a", "id > 0") == "[x1] 0");
  for (const char* where : {"plain(id)", "\"PLAIN\"('x')", "edit(id)", "plain_sum(id)"})
    CHECK_THROWS_AS(All(&db, "v", "a", where), InvalidArgument);
}

// A module of tables with one column and no rows, of which nothing says what it reads.
sqlite3_module EmptyModule() {
  sqlite3_module module{};
  module.xCreate = module.xConnect = [](sqlite3* db, void*, int, const char* const*,
                                        sqlite3_vtab** table, char**) {
    *table = new sqlite3_vtab{};
    return sqlite3_declare_vtab(db, "CREATE TABLE x(name)");
  };
  module.xDestroy = module.xDisconnect = [](sqlite3_vtab* table) {
    delete table;
    return SQLITE_OK;
  };
  module.xBestIndex = [](sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; };
  module.xOpen = [](sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    *cursor = new sqlite3_vtab_cursor{};
    return SQLITE_OK;
  };
  module.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete cursor;
    return SQLITE_OK;
  };
  module.xFilter = [](sqlite3_vtab_cursor*, int, const char*, int, sqlite3_value**) {
    return SQLITE_OK;
  };
  module.xNext = [](sqlite3_vtab_cursor*) { return SQLITE_OK; };
  module.xEof = [](sqlite3_vtab_cursor*) { return 1; };
  module.xColumn = [](sqlite3_vtab_cursor*, sqlite3_context*, int) { return SQLITE_OK; };
  module.xRowid = [](sqlite3_vtab_cursor*, sqlite3_int64*) { return SQLITE_OK; };
  return module;
}

TEST_CASE(
    "where opens no virtual table that may read more than the database, however it is named") {
  const sqlite3_module module = EmptyModule();
  Database db;
  REQUIRE(sqlite3_create_module(db.get(), "reader", &module, nullptr) == SQLITE_OK);
  db.Exec(
      "CREATE TABLE t(a); INSERT INTO t VALUES('x'); CREATE VIRTUAL TABLE v USING reader; "
      "CREATE VIRTUAL TABLE \"a \"\"b\" USING reader; CREATE VIRTUAL TABLE temp.tv USING reader; "
      "CREATE VIRTUAL TABLE \"w USING fts5(\" USING reader; CREATE VIRTUAL TABLE \"\"\"\" USING /* fts5 */ reader; "
      "CREATE VIRTUAL TABLE f USING fts5(b); CREATE VIRTUAL TABLE g USING fts5(name, content = 'V'); CREATE VIRTUAL TABLE h USING fts5(name, content = g)");
  const char* selects[] = {"SELECT 1 FROM v",       "SELECT 1 FROM V",
                           "SELECT 1 FROM\"v\"",    "SELECT 1 FROM[v]",
                           "SELECT 1 FROM main.v",  "SELECT 1 FROM \"a \"\"b\"",
                           "SELECT 1 FROM [a \"b]", "SELECT 1 FROM tv",
                           "SELECT 1 FROM/**/v",    "SELECT 1 FROM `w USING fts5(`",
                           "SELECT 1 FROM\"\"\"\"", "SELECT 1 FROM reader",
                           "SELECT 1 FROM g",       "SELECT 1 FROM h -- '\n"};
  const auto check_refused = [&] {
    for (const std::string select : selects) {
      CAPTURE(select);
      CHECK(Contains(ErrorOf([&] { All(&db, "t", "a", "NOT EXISTS (" + select + ")"); }),
                     "is a virtual table that may read more than the database"));
    }
    CHECK(Contains(ErrorOf([&] { All(&db, "t", "a", "a NOT IN\"v\""); }), "where: v is"));
  };
  check_refused();
  CHECK(All(&db, "t", "a",
            "NOT EXISTS (SELECT 1 FROM f) AND a IN (SELECT value FROM json_each('[\"x\"]'))") ==
        "[x] 0");

  CheckStoredTable(db.get(), "t");
  CheckStoredTable(db.get(), "main.f");
  for (const char* table : {"v", "main.V", "tv", "a \"b", "h"}) {
    CHECK(Contains(ErrorOf([&] { CheckStoredTable(db.get(), table); }), "train from it anew"));
  }
  // What else the schema says of it is not believed.
  db.Exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2, name = 'x', type = 'view' WHERE name = 'v'");
  check_refused();
  db.Exec(
      "UPDATE sqlite_schema SET rootpage = 0, name = 'v', type = 'table' WHERE name = 'x'; PRAGMA writable_schema = OFF");
  db.Exec(
      "DROP TABLE h; DROP TABLE g; DROP TABLE v; DROP TABLE \"a \"\"b\"; DROP TABLE tv; DROP TABLE \"w USING fts5(\"; DROP TABLE \"\"\"\"");
}

}  // namespace
}  // namespace s2v
