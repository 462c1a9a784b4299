// s2v_index with filters: conditions on columns of the table mean what they mean there, before rows
// are ranked.
#include "core/random.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

constexpr const char* kColumnsOfAnyType[] = {"i", "r", "t", "n", "b", "x"};

std::string RandomValue(Random* random) {
  static const char* const kFilterValues[] = {"NULL",   "1",
                                              "2",      "2.5",
                                              "-1e300", "9223372036854775807",
                                              "'1'",    "'a'",
                                              "'A'",    "'a '",
                                              "''",     "x'c328'",
                                              "x''",    "9e999",
                                              "'2.0'",  "'é'",
                                              "'a?\"'", "1e18",
                                              "0",      "CAST(x'ff41' AS TEXT)"};
  return kFilterValues[random->Next() % std::size(kFilterValues)];
}

std::string RandomCondition(Random* random) {
  static const char* const kCompared[] = {" = ",  " IS ", " < ",      " <= ",   " > ",
                                          " >= ", " <> ", " IS NOT ", " LIKE ", " GLOB "};
  const std::string column = kColumnsOfAnyType[random->Next() % std::size(kColumnsOfAnyType)];
  const std::string collate = random->Next() % 5 == 0 ? " COLLATE NOCASE" : "";
  switch (random->Next() % 5) {
    case 0:
      return column + collate + " IN (" + RandomValue(random) + ", " + RandomValue(random) + ", " +
             RandomValue(random) + ")";
    case 1:
      return column + collate + " BETWEEN " + RandomValue(random) + " AND " + RandomValue(random);
    default:
      return column + collate + kCompared[random->Next() % std::size(kCompared)] +
             RandomValue(random);
  }
}

TEST_CASE("what is not equal is so by the collation of the column, or of the condition") {
  Database db;
  TrainTexts(&db, 12);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN t TEXT COLLATE NOCASE; ALTER TABLE docs ADD COLUMN u TEXT;"
      "UPDATE docs SET t = substr('aAb', id % 3 + 1, 1), u = t;"
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 't, u')");
  for (const char* condition : {"t <> 'A'", "t IS NOT 'A'", "t COLLATE BINARY <> 'A'", "u <> 'A'",
                                "u COLLATE NOCASE <> 'A'"}) {
    CAPTURE(condition);
    CHECK(
        db.Text(
            "SELECT group_concat(id) FROM (SELECT rowid AS id FROM s('old sea', 12, 'meaning') WHERE " +
            std::string(condition) + " ORDER BY id)") ==
        db.Text("SELECT group_concat(id) FROM docs WHERE " + std::string(condition)));
  }
}

TEST_CASE(
    "of a condition that may mean one thing or another the best rows are those of all meanings by one scale") {
  Database db;
  db.Exec(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, body, zip TEXT); CREATE VIRTUAL TABLE s USING s2v_index(t, body, filter = 'zip', tokenize = 's2v english');"
      "INSERT INTO t VALUES(1, 'red fox', '007'), (2, 'red fox here', '007'), (3, 'red fox in here', '007'), (4, 'a red thing and many other words that say nothing of it at all', '7'), (5, 'blue', '8');"
      "CREATE TABLE n(num INTEGER); INSERT INTO n VALUES(7); CREATE TABLE w(zip TEXT); INSERT INTO w VALUES('7')");
  const std::string best = "SELECT group_concat(row) FROM (SELECT s.rowid AS row FROM ";
  CHECK(
      db.Text(
          best +
          "n CROSS JOIN s WHERE s MATCH 'red fox' AND s.zip = n.num ORDER BY score DESC LIMIT 3)") ==
      "1,2,3");
  CHECK(
      db.Text(
          best +
          "n CROSS JOIN s WHERE s MATCH 'red fox' AND k = 1 AND s.zip = n.num ORDER BY score DESC LIMIT 1)") ==
      "1");
  CHECK(db.Text(best + "w CROSS JOIN s WHERE s MATCH 'red fox' AND k = 1 AND s.zip = w.zip)") ==
        "4");
  // Of two such conditions each may mean either.
  db.Exec(
      "CREATE TABLE u(id INTEGER PRIMARY KEY, body, zip TEXT, tenant TEXT); CREATE VIRTUAL TABLE us USING s2v_index(u, body, filter = 'zip, tenant', tokenize = 's2v english');"
      "INSERT INTO u SELECT value, 'red fox', value % 10, '0' || value % 8 FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]')");
  for (const char* from : {"u", "us('red fox', 99) AS u"}) {
    Statement count(db.get(),
                    "SELECT count(*) FROM n CROSS JOIN " + std::string(from) +
                        " WHERE u.zip > ?1 AND u.tenant = n.num",
                    4);
    REQUIRE(count.Step());
    CHECK(count.Int(0) == 2);
  }
}

TEST_CASE(
    "LIMIT finds as many rows where SQLite itself leaves some out that the index was not told of") {
  Database db;
  db.Exec(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, body, a INT, b INT, c TEXT);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999) INSERT INTO t SELECT i + 1, 'rain w' || (i * 7 % 50) || ' w' || (i * 11 % 50) || ' snow w' || (i * 13 % 50), i / 300, i % 10, iif(i % 2, '7', '007') FROM n;"
      "INSERT INTO t(c) VALUES('70')");
  Train(&db, "t");
  db.Exec(
      "CREATE VIRTUAL TABLE s USING\n  \t   s2v_index(t, body, filter = 'a, b, c'); SELECT s2v_sync('s')");
  for (const char* condition : {"a = b", "similarity > by_bm25", "b IS a", "(a, rowid) < (1, 330)",
                                "(b, rowid) > (8, 0)"}) {
    CAPTURE(condition);
    for (const char* order : {"", " ORDER BY score DESC"}) {
      const std::string rest = std::string(condition) + order;
      CHECK(db.Count("(SELECT rowid FROM s('w3 snow') WHERE " + rest + " LIMIT 5)") == 5);
      CHECK(db.Count("(SELECT rowid FROM s('w3 snow') WHERE " + rest + " LIMIT 3 OFFSET 3)") == 3);
    }
  }
  CHECK(db.Int("SELECT count(*) >= 1000 FROM s('w3 snow') WHERE c = 7") == 1);
  // A row without words and vector is no answer, however many are looked for: the others are of the
  // other meaning.
  CHECK(db.Count("(SELECT 70 AS y) AS q CROSS JOIN s('rain snow', 5) AS s WHERE s.c = q.y") == 0);
  db.Exec("UPDATE t SET c = '070' WHERE id < 2000");
  CHECK(db.Count("(SELECT 70 AS y) AS q CROSS JOIN s('rain snow', 5) AS s WHERE s.c = q.y") < 20);
  for (int i = 0; i < 20; i++) {
    const std::string question =
        "'w" + std::to_string(i) + " w" + std::to_string(2 * i + 9) + " rain', NULL, 'meaning'";
    CHECK(
        db.Count(
            "(SELECT score - lag(score) OVER (ORDER BY n) AS more FROM (SELECT score, row_number() OVER () AS n FROM s(" +
            question + "))) WHERE more > 0") == 0);
  }
}

TEST_CASE(
    "rows that are not equal by the column's collation are looked for before rows are ranked") {
  Database db;
  db.Exec(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT, c TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM);"
      "INSERT INTO t(body, c, r) VALUES('bone', 'DE', 'a '), ('bone', 'DE', 'a'), ('bone marrow of many', 'fr', 'b')");
  Train(&db, "t");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(t, body, filter = 'c, r')");
  for (const char* condition :
       {"c <> 'de'", "c IS NOT 'de'", "r <> 'a  '", "c <> 'De' AND r <> 'a '"}) {
    CAPTURE(condition);
    CHECK(db.Text("SELECT group_concat(rowid) FROM s('bone', 2) WHERE " + std::string(condition)) ==
          "3");
    CHECK(db.Text("SELECT group_concat(rowid) FROM (SELECT rowid FROM s('bone') WHERE " +
                  std::string(condition) + " LIMIT 1)") == "3");
  }
  CHECK(db.Count("s('bone', 3) WHERE c COLLATE BINARY <> 'de'") == 3);
}

TEST_CASE("random conditions are met by the rows by which the table meets them, waiting rows too") {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Random random(seed);
    Database db;
    TrainTexts(&db, 60);
    for (const char* column :
         {"i INTEGER", "r REAL", "t TEXT COLLATE NOCASE", "n NUMERIC", "b BLOB", "x"}) {
      db.Exec("ALTER TABLE docs ADD COLUMN " + std::string(column));
    }
    if (seed % 2 == 0) db.Exec("CREATE INDEX by_t ON docs(t, i); CREATE INDEX by_i ON docs(i)");
    const auto fill = [&](int from, int to) {
      for (int id = from; id <= to; id++) {
        std::string values;
        for (const char* column : kColumnsOfAnyType) {
          values +=
              (values.empty() ? "" : ", ") + std::string(column) + " = " + RandomValue(&random);
        }
        db.Exec("UPDATE docs SET " + values + " WHERE id = " + std::to_string(id));
      }
    };
    fill(1, 40);
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'i, r, t, n, b, x')");
    fill(30, 60);
    db.Exec("UPDATE docs SET body = 'old man and the sea' WHERE id > 50");
    for (int n = 0; n < 150; n++) {
      std::string conditions = RandomCondition(&random);
      while (random.Next() % 3 == 0)
        conditions += (random.Next() % 4 == 0 ? " OR " : " AND ") + RandomCondition(&random);
      CAPTURE(conditions);
      const auto rows = [&](const std::string& from) {
        return db.Text("SELECT ifnull(group_concat(id), '') FROM (" + from + " (" + conditions +
                       ") ORDER BY id)");
      };
      const std::string expected = rows("SELECT id FROM docs WHERE");
      CHECK(rows("SELECT rowid AS id FROM s('old sea', 1000, 'meaning') WHERE") == expected);
      CHECK(rows("SELECT rowid AS id FROM s WHERE s MATCH 'old sea' AND rank_by = 'meaning' AND") ==
            expected);
    }
    for (const char* column : kColumnsOfAnyType) {
      CHECK(
          db.Count("s('old sea', 1000, 'meaning') AS s JOIN docs AS d ON d.id = s.rowid WHERE s." +
                   std::string(column) + " IS d." + column + " AND typeof(s." + column +
                   ") = typeof(d." + column + ")") == 60);
    }
  }
}

TEST_CASE(
    "as many rows as are asked for are found whatever share of the table meets the condition") {
  Database db;
  TrainTexts(&db, 5000);
  db.Exec("ALTER TABLE docs ADD COLUMN part INTEGER; UPDATE docs SET part = id % 500");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = part)");
  for (const char* rank_by : {"both", "meaning", "words"}) {
    for (const int share : {1, 10, 100, 499}) {
      const std::string asked = "s('red fox in the rain', 7, '" + std::string(rank_by) +
                                "') WHERE part < " + std::to_string(share);
      const std::string by_rowid = "s('red fox in the rain', 7, '" + std::string(rank_by) +
                                   "') WHERE rowid IN (SELECT id FROM docs WHERE part < " +
                                   std::to_string(share) + ")";
      CHECK(db.Text("SELECT count(*) || ' ' || max(part < " + std::to_string(share) + ") FROM " +
                    asked) == db.Text("SELECT count(*) || ' 1' FROM " + by_rowid));
      CHECK(db.Text("SELECT json_group_array(rowid || ' ' || score) FROM " + asked) ==
            db.Text("SELECT json_group_array(rowid || ' ' || score) FROM " + by_rowid));
    }
  }
}

TEST_CASE(
    "conditions on filters: too many values, an interrupt, a collation that is not there, a trigger that is gone") {
  TempFile file;
  const auto collate = [](Database* db) {
    sqlite3_create_collation(db->get(), "backwards", SQLITE_UTF8, nullptr,
                             [](void*, int n, const void* a, int m, const void* b) {
                               return std::string_view(static_cast<const char*>(b),
                                                       static_cast<size_t>(m))
                                   .compare({static_cast<const char*>(a), static_cast<size_t>(n)});
                             });
  };
  {
    Database db(file.path());
    collate(&db);
    TrainTexts(&db, 100);
    db.Exec(
        "ALTER TABLE docs ADD COLUMN part TEXT COLLATE backwards; UPDATE docs SET part = char(65 + id % 26)");
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part')");
    CHECK(db.Text("SELECT min(part) || max(part) FROM s('red fox', 100) WHERE part < 'C'") == "ZD");
    sqlite3_limit(db.get(), SQLITE_LIMIT_VARIABLE_NUMBER, 100);
    const std::string list =
        "part IN (SELECT value FROM json_each('[' || substr(replace(hex(zeroblob(101)), '00', ',1'), 2) || ',2]'))";
    // two values, 101 times one of them
    CHECK(db.Count("s('red', 5) WHERE " + list) == 0);
    CHECK(Contains(
        db.Error(
            "SELECT count(*) FROM s('red', 5) WHERE part IN (SELECT id FROM docs UNION SELECT 'A')"),
        "101 values, and SQLite takes 100; rowid IN (SELECT ...) takes any number"));
    sqlite3_progress_handler(
        db.get(), 20, [](void*) { return 1; }, nullptr);
    CHECK(db.Run("SELECT count(*) FROM s('red', 5) WHERE part = 'A'") == SQLITE_INTERRUPT);
    sqlite3_progress_handler(db.get(), 0, nullptr, nullptr);
    CHECK(db.Count("s('red', 2) WHERE part = 'A'") == 2);
  }
  {
    Database db(file.path());  // without the collation
    for (const char* use :
         {"SELECT part FROM s('red', 2)", "SELECT rowid FROM s('red', 2) WHERE part = 'A'",
          "SELECT count(*) FROM s('red', 2) GROUP BY part"}) {
      CHECK(Contains(
          db.Error(use),
          "s: no such collation sequence: backwards, which the filter 'part' has; register it"));
    }
    CHECK(db.Count("s('red', 2)") == 2);
    CHECK(Contains(db.Error("CREATE VIRTUAL TABLE more USING s2v_index(docs, body, filter = part)"),
                   "no such collation sequence: backwards, which"));
    collate(&db);
    db.Exec("BEGIN; DROP TABLE s; ROLLBACK");
    CHECK(db.Count("s('red', 2) WHERE part = 'A'") == 2);
  }
  Database db(file.path());
  collate(&db);
  db.Exec("DROP TRIGGER s_update");
  CHECK(Contains(db.Error("SELECT * FROM s('red', 2)"), "s_update"));
  db.Exec("DROP TABLE s");
}

TEST_CASE(
    "a filter is compared with numbers, texts and columns of any type as the table's column is") {
  Database db;
  TrainTexts(&db, 40);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN t TEXT; ALTER TABLE docs ADD COLUMN x; ALTER TABLE docs ADD COLUMN n INTEGER;"
      "UPDATE docs SET n = id % 4, t = CASE id % 4 WHEN 0 THEN '7' WHEN 1 THEN '007' WHEN 2 THEN '10' ELSE 'a' END,"
      "x = CASE id % 4 WHEN 0 THEN 7 WHEN 1 THEN '7' WHEN 2 THEN 7.0 ELSE '9' END;"
      "CREATE TABLE u(number INTEGER, n INT, x, t TEXT); INSERT INTO u VALUES(1, 9, 9, '9'), (2, 7, 7, '7'), (3, 10, '10', '010');"
      "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 't, x, n')");
  const auto are_equal = [&](const std::string& from_index, const std::string& from_table,
                             const std::string& condition) {
    CAPTURE(condition);
    const auto rows = [&](const std::string& from) {
      return db.Text(
          "SELECT ifnull(group_concat(number || ' ' || id), '') FROM (SELECT number, f.rowid AS id FROM " +
          from + " AS f WHERE " + condition + " ORDER BY 1, 2)");
    };
    CHECK(rows(from_index) == rows(from_table));
  };
  for (const char* column : {"f.t", "f.x", "f.n"}) {
    for (const std::string other : {"u.n", "u.x", "u.t", "+u.n", "CAST(u.n AS TEXT)",
                                    "CAST(u.t AS NUMERIC)", "7", "9.0", "'9'", "'007'"}) {
      for (const char* compared : {" = ", " < ", " >= ", " <> ", " IS ", " IS NOT "}) {
        are_equal("u CROSS JOIN s('old sea', 40)", "u CROSS JOIN docs",
                  column + std::string(compared) + other);
      }
    }
    for (const char* list : {"SELECT n FROM u", "SELECT x FROM u", "SELECT t FROM u", "7, 9",
                             "'7', '9'", "CAST('7' AS INTEGER)", "9, 'a', 7, '10', x'37', NULL"}) {
      are_equal("(SELECT 1 AS number) JOIN s('old sea', 40)", "(SELECT 1 AS number) JOIN docs",
                column + std::string(" IN (") + list + ")");
    }
  }
  are_equal("(SELECT 1 AS number) JOIN s('old sea', 40)", "(SELECT 1 AS number) JOIN docs",
            "f.t = CAST('7' AS INTEGER)");
  // As many as are asked for, with each meaning.
  CHECK(db.Count("s('old sea', 3) WHERE t = 7") == 3);
  CHECK(
      db.Text(
          "SELECT (count(*) >= 3) || max(t NOT IN ('7', '007')) FROM s('old sea', 3) WHERE t = CAST('7' AS INTEGER)") ==
      "10");
  CHECK(
      db.Count(
          "(SELECT 1 FROM u CROSS JOIN s('old sea') AS f WHERE number = 2 AND f.t = u.n LIMIT 15)") ==
      15);
  CHECK(db.Count("u CROSS JOIN s('old sea') AS f WHERE number = 2 AND f.t = u.n") == 20);
}

TEST_CASE(
    "a column of type ANY is compared as a value of any type in a STRICT table, and as a number elsewhere") {
  for (const char* strict : {"STRICT", ""}) {
    Database db;
    FillTexts(&db, "texts", 40);
    db.Exec("CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT, code ANY) " +
            std::string(strict));
    db.Exec(
        "INSERT INTO docs SELECT id, body, CASE id % 4 WHEN 0 THEN '007' WHEN 1 THEN '7' WHEN 2 THEN 7 ELSE 'abc' END FROM texts");
    Train(&db, "docs");
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = code)");
    for (const char* condition : {"code = '007'", "code = '7'", "code = 7",
                                  "code IN ('007', 'abc')", "code < 'a'", "code IN (7, '007')"}) {
      CAPTURE(condition);
      const auto rows = [&](const std::string& from) {
        return db.Text("SELECT group_concat(id) FROM (SELECT f.rowid AS id FROM " + from +
                       " AS f WHERE " + condition + " ORDER BY id)");
      };
      CHECK(rows("s('old sea', 40, 'meaning')") == rows("docs"));
    }
  }
}

TEST_CASE("the values of a list have no numbers, with which SQLite would take quadratic time") {
  Database db;
  TrainTexts(&db, 40);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN x; UPDATE docs SET x = id; CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = x)");
  std::string asked;
  const auto keep = [](unsigned, void* to, void*, void* sql) {
    if (std::string_view(static_cast<const char*>(sql)).find("\"x\" IN (") !=
        std::string_view::npos) {
      *static_cast<std::string*>(to) += static_cast<const char*>(sql);
    }
    return 0;
  };
  sqlite3_trace_v2(db.get(), SQLITE_TRACE_STMT, keep, &asked);
  CHECK(db.Count("s('old sea', 9) WHERE x IN (3, 4, '5')") == 2);
  sqlite3_trace_v2(db.get(), 0, nullptr, nullptr);
  CHECK(Contains(asked, "IN (?,?,?)"));
}

TEST_CASE("two lists of rows leave those that are in both, before rows are ranked") {
  Database db = TextIndex(300);
  const std::string asked =
      "SELECT count(*) || ' ' || min(rowid % 30) || ' ' || min(rowid) FROM (SELECT rowid FROM s('red fox') WHERE ";
  const std::string lists =
      "rowid IN (SELECT id FROM docs WHERE id > 100) AND rowid IN (SELECT id FROM docs WHERE id % 10 = 0) ";
  CHECK(db.Text(asked + lists +
                "AND rowid IN (SELECT id FROM docs WHERE id % 3 = 0) ORDER BY score DESC LIMIT 7)")
            .starts_with("7 0 "));
  CHECK(db.Count("s('red fox', 5) WHERE " + lists) == 5);
  CHECK(db.Count("s('red fox', 50) WHERE " + lists) == 20);
}

TEST_CASE("a type that is quoted is a type, whatever stands in it") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN part \"INTEGER, more TEXT\"; ALTER TABLE docs ADD COLUMN half [VARCHAR(9) \"a]; "
      "UPDATE docs SET part = id % 5, half = id % 2");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part, half')");
  // its affinity is INTEGER's
  CHECK(db.Count("s('red fox', 100, 'meaning') WHERE part = '3'") == 20);
  CHECK(db.Count("s('red fox', 100, 'meaning') WHERE half = 1 AND part < 2") == 20);
  CHECK(Contains(db.Error("SELECT more FROM s('red fox', 3)"), "no such column"));
  // Options in capitals are options, also for a connection that meets the index.
  TempFile file;
  {
    Database made(file.path());
    IndexTexts(&made, 100, ", FILTER = id, Words = off");
    CHECK(Contains(
        made.Error("CREATE VIRTUAL TABLE t USING s2v_index(docs, body, Weight = 1, WEIGHT = 2)"),
        "option 'weight' is given twice"));
  }
  Database met(file.path());
  CHECK(met.Count("s('red fox', 100) WHERE id < 8") == 7);
}

TEST_CASE("another connection renames the table and a filter between two questions") {
  TempFile file;
  Database db(file.path()), other(file.path());
  TrainTexts(&db, 100);
  db.Exec("ALTER TABLE docs ADD COLUMN part INTEGER; UPDATE docs SET part = id % 5");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part')");
  CHECK(db.Int("SELECT sum(part) FROM s('red', 2) WHERE part = 3") == 6);
  other.Exec(
      "ALTER TABLE docs RENAME TO papers; ALTER TABLE papers RENAME COLUMN part TO \"the \"\"?\"\" part\"");
  CHECK(
      db.Int(
          "SELECT sum(\"the \"\"?\"\" part\") FROM s('red', 2) WHERE \"the \"\"?\"\" part\" IN (3, 3)") ==
      6);
  other.Exec("INSERT INTO s(s) VALUES('rebuild'); INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(db.Count("s('red', 2) WHERE \"the \"\"?\"\" part\" = 3") == 2);
}

TEST_CASE(
    "a filter that has come to be called as a column of the index is an error, no other condition") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "ALTER TABLE docs ADD COLUMN part INTEGER; UPDATE docs SET part = id % 5; CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part')");
  std::string former = "part";
  for (const std::string name : {"score", "k", "Rank", "pending", "rowid", "_rowid_", "oid"}) {
    CAPTURE(name);
    db.Exec("ALTER TABLE docs RENAME COLUMN " + former + " TO " + name);
    former = name;
    if (name.find("id") != name.npos) db.Exec("INSERT INTO s(s) VALUES('rebuild')");
    CHECK(Contains(
        db.Error("SELECT rowid FROM s('red', 5) WHERE " + name + " = 4"),
        "give that column of the table another name (INSERT INTO \"s\"(\"s\") VALUES('rebuild')"));
  }
  db.Exec("ALTER TABLE docs RENAME COLUMN oid TO part; INSERT INTO s(s) VALUES('rebuild')");
  CHECK(db.Int("SELECT sum(part) FROM s('red', 2) WHERE part = 3") == 6);
}

TEST_CASE("row values keep each filter's own collation") {
  Database db;
  db.Exec(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, body, tenant INT, kind TEXT COLLATE NOCASE); CREATE VIRTUAL TABLE s USING s2v_index(p, body, filter = 'tenant, kind');"
      "INSERT INTO p VALUES(1, 'red wine', 1, 'dvd'), (2, 'red wine', 1, 'DVD'), (3, 'red wine', 2, 'DVD'); CREATE TABLE w AS SELECT 1 AS tenant, 'dvd' AS kind");
  for (const char* condition :
       {"(tenant, kind) IN (SELECT tenant, kind FROM w)", "(tenant, kind) IN (VALUES(1, 'dvd'))",
        "(tenant, kind) = (1, 'dvd')", "kind IN ('dvd', 'x')", "kind COLLATE BINARY = 'dvd'",
        "kind COLLATE BINARY IN (SELECT kind FROM w)"}) {
    CAPTURE(condition);
    CHECK(
        db.Text("SELECT group_concat(rowid) FROM (SELECT rowid FROM s('wine', 9, 'words') WHERE " +
                std::string(condition) + " ORDER BY 1)") ==
        db.Text("SELECT group_concat(id) FROM p WHERE " + std::string(condition)));
  }
  // As many as there are, though better rows are left out.
  db.Exec(
      "INSERT INTO p SELECT NULL, 'wine', 1, 'DVD' FROM json_each('[1,2,3,4,5,6,7,8,9]'); INSERT INTO p SELECT NULL, 'wine in a longer row', 1, 'dvd' FROM json_each('[1,2,3,4,5]')");
  CHECK(db.Count("s('wine', 5, 'words') WHERE kind COLLATE BINARY = 'dvd'") >= 5);
  CHECK(db.Count("s('wine', 5, 'words') WHERE kind COLLATE BINARY IN ('dvd', 'x')") >= 5);
  CHECK(Contains(db.Error("CREATE VIRTUAL TABLE \"rowid\" USING s2v_index(p, body)"),
                 "give the index another one"));
}

}  // namespace
}  // namespace s2v
