// s2v_index with filters: conditions on columns of the table mean what they mean there, before rows are ranked.
#include "core/random.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

constexpr const char* kColumnsOfAnyType[] = {"i", "r", "t", "n", "b", "x"};

std::string RandomValue(Random* random) {
  static const char* const kFilterValues[] = {"NULL",  "1",    "2",     "2.5",  "-1e300",  "9223372036854775807", "'1'",
                                        "'a'",   "'A'",  "'a '",  "''",   "x'c328'", "x''",                 "9e999",
                                        "'2.0'", "'é'", "'a?\"'", "1e18", "0",       "CAST(x'ff41' AS TEXT)"};
  return kFilterValues[random->Next() % std::size(kFilterValues)];
}

std::string RandomCondition(Random* random) {
  static const char* const kCompared[] = {" = ", " IS ", " < ", " <= ", " > ", " >= ", " <> ", " IS NOT ", " LIKE ", " GLOB "};
  const std::string column = kColumnsOfAnyType[random->Next() % std::size(kColumnsOfAnyType)];
  const std::string collate = random->Next() % 5 == 0 ? " COLLATE NOCASE" : "";
  switch (random->Next() % 5) {
    case 0:
      return column + collate + " IN (" + RandomValue(random) + ", " + RandomValue(random) + ", " + RandomValue(random) + ")";
    case 1:
      return column + collate + " BETWEEN " + RandomValue(random) + " AND " + RandomValue(random);
    default:
      return column + collate + kCompared[random->Next() % std::size(kCompared)] + RandomValue(random);
  }
}

TEST_CASE("what is not equal is so by the collation of the column, or of the condition") {
  Database db;
  FillTexts(&db, "docs", 12);
  Train(&db, "docs");
  db.Exec("ALTER TABLE docs ADD COLUMN t TEXT COLLATE NOCASE; ALTER TABLE docs ADD COLUMN u TEXT;"
          "UPDATE docs SET t = substr('aAb', id % 3 + 1, 1), u = t;"
          "CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 't, u')");
  for (const char* condition : {"t <> 'A'", "t IS NOT 'A'", "t COLLATE BINARY <> 'A'", "u <> 'A'", "u COLLATE NOCASE <> 'A'"}) {
    CAPTURE(condition);
    CHECK(db.Text("SELECT group_concat(id) FROM (SELECT rowid AS id FROM s('old sea', 12, 'meaning') WHERE " + std::string(condition) + " ORDER BY id)") ==
          db.Text("SELECT group_concat(id) FROM docs WHERE " + std::string(condition)));
  }
}

TEST_CASE("random conditions are met by the rows by which the table meets them, waiting rows too") {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Random random(seed);
    Database db;
    FillTexts(&db, "docs", 60);
    Train(&db, "docs");
    for (const char* column : {"i INTEGER", "r REAL", "t TEXT COLLATE NOCASE", "n NUMERIC", "b BLOB", "x"}) {
      db.Exec("ALTER TABLE docs ADD COLUMN " + std::string(column));
    }
    if (seed % 2 == 0) db.Exec("CREATE INDEX by_t ON docs(t, i); CREATE INDEX by_i ON docs(i)");
    const auto fill = [&](int from, int to) {
      for (int id = from; id <= to; id++) {
        std::string values;
        for (const char* column : kColumnsOfAnyType) {
          values += (values.empty() ? "" : ", ") + std::string(column) + " = " + RandomValue(&random);
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
      while (random.Next() % 3 == 0) conditions += (random.Next() % 4 == 0 ? " OR " : " AND ") + RandomCondition(&random);
      CAPTURE(conditions);
      const auto rows = [&](const std::string& from) {
        return db.Text("SELECT ifnull(group_concat(id), '') FROM (" + from + " (" + conditions + ") ORDER BY id)");
      };
      const std::string expected = rows("SELECT id FROM docs WHERE");
      CHECK(rows("SELECT rowid AS id FROM s('old sea', 1000, 'meaning') WHERE") == expected);
      CHECK(rows("SELECT rowid AS id FROM s WHERE s MATCH 'old sea' AND rank_by = 'meaning' AND") == expected);
    }
    for (const char* column : kColumnsOfAnyType) {
      CHECK(db.Int("SELECT count(*) FROM s('old sea', 1000, 'meaning') AS s JOIN docs AS d ON d.id = s.rowid WHERE s." +
                   std::string(column) + " IS d." + column + " AND typeof(s." + column + ") = typeof(d." + column + ")") == 60);
    }
  }
}

TEST_CASE("as many rows as are asked for are found whatever share of the table meets the condition") {
  Database db;
  FillTexts(&db, "docs", 5000);
  Train(&db, "docs");
  db.Exec("ALTER TABLE docs ADD COLUMN part INTEGER; UPDATE docs SET part = id % 500");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = part)");
  for (const char* rank_by : {"both", "meaning", "words"}) {
    for (const int share : {1, 10, 100, 499}) {
      const std::string asked = "s('red fox in the rain', 7, '" + std::string(rank_by) + "') WHERE part < " + std::to_string(share);
      const std::string by_rowid = "s('red fox in the rain', 7, '" + std::string(rank_by) +
                                   "') WHERE rowid IN (SELECT id FROM docs WHERE part < " + std::to_string(share) + ")";
      CHECK(db.Text("SELECT count(*) || ' ' || max(part < " + std::to_string(share) + ") FROM " + asked) ==
            db.Text("SELECT count(*) || ' 1' FROM " + by_rowid));
      CHECK(db.Text("SELECT json_group_array(rowid || ' ' || score) FROM " + asked) ==
            db.Text("SELECT json_group_array(rowid || ' ' || score) FROM " + by_rowid));
    }
  }
}

TEST_CASE("conditions on filters: too many values, an interrupt, a collation that is not there, a trigger that is gone") {
  TempFile file;
  const auto collate = [](Database* db) {
    sqlite3_create_collation(db->get(), "backwards", SQLITE_UTF8, nullptr, [](void*, int n, const void* a, int m, const void* b) {
      return std::string_view(static_cast<const char*>(b), static_cast<size_t>(m)).compare({static_cast<const char*>(a), static_cast<size_t>(n)});
    });
  };
  {
    Database db(file.path());
    collate(&db);
    FillTexts(&db, "docs", 100);
    Train(&db, "docs");
    db.Exec("ALTER TABLE docs ADD COLUMN part TEXT COLLATE backwards; UPDATE docs SET part = char(65 + id % 26)");
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part')");
    CHECK(db.Text("SELECT min(part) || max(part) FROM s('red fox', 100) WHERE part < 'C'") == "ZD");
    sqlite3_limit(db.get(), SQLITE_LIMIT_VARIABLE_NUMBER, 100);
    const std::string list = "part IN (SELECT value FROM json_each('[' || substr(replace(hex(zeroblob(101)), '00', ',1'), 2) || ',2]'))";
    CHECK(db.Int("SELECT count(*) FROM s('red', 5) WHERE " + list) == 0);  // two values, 101 times one of them
    CHECK(Contains(db.Error("SELECT count(*) FROM s('red', 5) WHERE part IN (SELECT id FROM docs UNION SELECT 'A')"),
                   "101 values, and SQLite takes 100; rowid IN (SELECT ...) takes any number"));
    sqlite3_progress_handler(db.get(), 20, [](void*) { return 1; }, nullptr);
    CHECK(db.Run("SELECT count(*) FROM s('red', 5) WHERE part = 'A'") == SQLITE_INTERRUPT);
    sqlite3_progress_handler(db.get(), 0, nullptr, nullptr);
    CHECK(db.Int("SELECT count(*) FROM s('red', 2) WHERE part = 'A'") == 2);
  }
  {
    Database db(file.path());  // without the collation there are no filters
    CHECK(Contains(db.Error("SELECT part FROM s('red', 2)"), "no such column: part"));
    CHECK(db.Int("SELECT count(*) FROM s('red', 2)") == 2);
    collate(&db);
    db.Exec("BEGIN; DROP TABLE s; ROLLBACK");
    CHECK(db.Int("SELECT count(*) FROM s('red', 2) WHERE part = 'A'") == 2);
  }
  Database db(file.path());
  collate(&db);
  db.Exec("DROP TRIGGER s_update");
  CHECK(Contains(db.Error("SELECT * FROM s('red', 2)"), "s_update"));
  db.Exec("DROP TABLE s");
}

TEST_CASE("a type that is quoted is a type, whatever stands in it") {
  Database db;
  FillTexts(&db, "docs", 100);
  Train(&db, "docs");
  db.Exec("ALTER TABLE docs ADD COLUMN part \"INTEGER, more TEXT\"; ALTER TABLE docs ADD COLUMN half [VARCHAR(9) \"a]; "
          "UPDATE docs SET part = id % 5, half = id % 2");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part, half')");
  CHECK(db.Int("SELECT count(*) FROM s('red fox', 100, 'meaning') WHERE part = '3'") == 20);  // its affinity is INTEGER's
  CHECK(db.Int("SELECT count(*) FROM s('red fox', 100, 'meaning') WHERE half = 1 AND part < 2") == 20);
  CHECK(Contains(db.Error("SELECT more FROM s('red fox', 3)"), "no such column"));
}

TEST_CASE("another connection renames the table and a filter between two questions") {
  TempFile file;
  Database db(file.path()), other(file.path());
  FillTexts(&db, "docs", 100);
  Train(&db, "docs");
  db.Exec("ALTER TABLE docs ADD COLUMN part INTEGER; UPDATE docs SET part = id % 5");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, filter = 'part')");
  CHECK(db.Int("SELECT sum(part) FROM s('red', 2) WHERE part = 3") == 6);
  other.Exec("ALTER TABLE docs RENAME TO papers; ALTER TABLE papers RENAME COLUMN part TO \"the \"\"?\"\" part\"");
  CHECK(db.Int("SELECT sum(\"the \"\"?\"\" part\") FROM s('red', 2) WHERE \"the \"\"?\"\" part\" IN (3, 3)") == 6);
  other.Exec("INSERT INTO s(s) VALUES('rebuild'); INSERT INTO s(s) VALUES('integrity-check')");
  CHECK(db.Int("SELECT count(*) FROM s('red', 2) WHERE \"the \"\"?\"\" part\" = 3") == 2);
}

}  // namespace
}  // namespace s2v
