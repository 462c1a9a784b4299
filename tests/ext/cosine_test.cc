// s2v_cosine and s2v_distance against the formula in double.
#include <cmath>
#include <limits>

#include "core/random.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

std::vector<float> RandomVector(Random* random, size_t n, float scale) {
  std::vector<float> v(n);
  for (float& x : v) x = (2 * random->Uniform() - 1) * scale;
  return v;
}

Blob BlobOf(const std::vector<float>& v) {
  return {{reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)}};
}

// NaN for NULL.
class Asker {
 public:
  explicit Asker(Database* db)
      : ask_(db->get(), "SELECT s2v_cosine(?1, ?2), s2v_distance(?1, ?2)") {}
  void Ask(const std::vector<float>& a, const std::vector<float>& b, double* cosine,
           double* distance) {
    REQUIRE(ask_.Find(BlobOf(a), BlobOf(b)));
    const bool null = ask_.Type(0) == SQLITE_NULL;
    *cosine = null ? std::nan("") : ask_.Double(0);
    *distance = null ? std::nan("") : ask_.Double(1);
    ask_.Reset();
  }

 private:
  Statement ask_;
};

double Reference(const std::vector<float>& a, const std::vector<float>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); i++) {
    ab += double{a[i]} * double{b[i]};
    aa += double{a[i]} * double{a[i]};
    bb += double{b[i]} * double{b[i]};
  }
  return ab / (std::sqrt(aa) * std::sqrt(bb));
}

TEST_CASE("cosines are those of the formula to 1e-6, at any length and scale") {
  Database db;
  Asker asker(&db);
  Random random(1);
  for (const float scale : {1.0f, 1e-18f, 1e18f, 3e38f, 1e-37f}) {
    for (const size_t n :
         {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 200, 700, 4096, 100003}) {
      const std::vector<float> a = RandomVector(&random, n, scale),
                               b = RandomVector(&random, n, scale);
      double cosine = 0, distance = 0;
      asker.Ask(a, b, &cosine, &distance);
      CHECK(std::fabs(cosine - Reference(a, b)) < 1e-6);
      CHECK(std::fabs(distance - (1 - cosine)) < 1e-15);
      asker.Ask(a, a, &cosine, &distance);
      CHECK(cosine > 1 - 1e-6);
      CHECK(cosine <= 1);
    }
  }
}

TEST_CASE("a distance is never below 0, a cosine never beyond 1") {
  Database db;
  Asker asker(&db);
  Random random(2);
  for (int i = 0; i < 5000; i++) {
    const std::vector<float> a = RandomVector(&random, 1 + random.Below(40), 1);
    std::vector<float> b = a;
    const float factor = random.Uniform() * 8 - 4;
    for (float& x : b) x *= factor;
    double cosine = 0, distance = 0;
    asker.Ask(a, b, &cosine, &distance);
    if (std::isnan(cosine)) continue;
    CHECK(distance >= 0);
    CHECK(distance <= 2);
    CHECK(std::fabs(cosine) <= 1);
  }
}

TEST_CASE("zero vectors have no direction, the smallest and largest floats have one") {
  Database db;
  Asker asker(&db);
  double cosine = 0, distance = 0;
  asker.Ask({0, 0}, {1, 2}, &cosine, &distance);
  CHECK(std::isnan(cosine));
  asker.Ask({}, {}, &cosine, &distance);
  CHECK(std::isnan(cosine));
  const float tiny = std::numeric_limits<float>::denorm_min(),
              huge = std::numeric_limits<float>::max();
  asker.Ask({tiny, 0}, {huge, huge}, &cosine, &distance);
  CHECK(std::fabs(cosine - std::sqrt(0.5)) < 1e-6);
}

TEST_CASE("a constant side gives what a changing one gives") {
  Database db;
  TrainTexts(&db, 100);
  db.Exec(
      "CREATE TABLE v AS SELECT id, body, s2v_embed(body) AS e FROM docs; CREATE TABLE one AS "
      "SELECT 'red fox' "
      "AS q, s2v_embed('red fox') AS qe");
  const char* all_the_same[] = {
      "SELECT s2v_cosine(e, 'red fox') FROM v ORDER BY id",
      "SELECT s2v_cosine('red fox', e) FROM v ORDER BY id",
      "SELECT s2v_cosine(e, s2v_embed('red fox')) FROM v ORDER BY id",
      "SELECT s2v_cosine(e, (SELECT qe FROM one)) FROM v ORDER BY id",
      "SELECT s2v_cosine(e, qe) FROM v, one ORDER BY id",
      "SELECT s2v_cosine(body, q) FROM v, one ORDER BY id",
      "SELECT s2v_cosine(q, body) FROM one, v ORDER BY id",
      "SELECT s2v_cosine(body, 'red fox') FROM v ORDER BY id",
      "SELECT 1 - s2v_distance(body, 'red fox') FROM v ORDER BY id",
      "SELECT (SELECT s2v_cosine(v.e, one.q) FROM one) FROM v ORDER BY id",
  };
  std::vector<double> wanted;
  for (const char* sql : all_the_same) {
    CAPTURE(sql);
    db.Exec(sql);
    REQUIRE(db.rows().size() == 100);
    for (size_t i = 0; i < 100; i++) {
      const double value = std::stod(db.rows()[i]);
      if (wanted.size() < 100) wanted.push_back(value);
      CHECK(std::fabs(value - wanted[i]) < 1e-6);
    }
  }
}

TEST_CASE("both sides constant, both changing, and two calls with constants of their own") {
  Database db;
  TrainTexts(&db, 60);
  db.Exec("CREATE TABLE v AS SELECT id, body, s2v_embed(body) AS e FROM docs");
  CHECK(db.Int("SELECT count(DISTINCT s2v_cosine('red fox', 'blue sea')) FROM docs") == 1);
  const std::string fox = db.Text("SELECT s2v_cosine('red fox', 'old man')");
  const std::string sea = db.Text("SELECT s2v_cosine('blue sea', 'old man')");
  CHECK(fox != sea);
  db.Exec("SELECT s2v_cosine('red fox', 'old man'), s2v_cosine('blue sea', 'old man') FROM docs");
  for (size_t i = 0; i < db.rows().size(); i += 2) {
    CHECK(db.rows()[i] == fox);
    CHECK(db.rows()[i + 1] == sea);
  }
  // A pair of rows has the cosine of its own two texts, whichever loop is the outer one.
  CHECK(db.Count("v a, v b WHERE abs(s2v_cosine(a.e, b.e) - s2v_cosine(b.body, "
                 "a.body)) > "
                 "1e-6") == 0);
  CHECK(db.Count("v a CROSS JOIN v b WHERE a.id = b.id AND "
                 "abs(s2v_cosine(a.body, b.e) - 1) > 1e-6") == 0);
  // NULL and vectors without a direction in between disturb nothing.
  db.Exec(
      "CREATE TABLE m(x); INSERT INTO m VALUES(NULL), ('red'), (zeroblob(32)), ('unknownword'), "
      "('red'), (NULL), ('red')");
  CHECK(db.Text("SELECT group_concat(ifnull(round(s2v_cosine(x, 'red'), 5), '-'), ' ') FROM m") ==
        "- 1.0 - - 1.0 - 1.0");
}

// The cosines that a search for `constant` gives the rows: the path of one constant side.
std::vector<double> SearchFor(Database* db, const std::vector<float>& constant,
                              const std::vector<std::vector<float>>& rows, const char* sql) {
  db->Exec("DROP TABLE IF EXISTS r; CREATE TABLE r(id INTEGER PRIMARY KEY, e BLOB)");
  Statement insert(db->get(), "INSERT INTO r(e) VALUES(?1)");
  for (const std::vector<float>& row : rows) insert.Run(BlobOf(row));
  std::vector<double> cosines;
  for (Statement select(db->get(), sql, BlobOf(constant)); select.Step();) {
    cosines.push_back(select.Type(0) == SQLITE_NULL ? std::nan("") : select.Double(0));
  }
  REQUIRE(cosines.size() == rows.size());
  return cosines;
}

TEST_CASE("a search gives the formula's cosines to 1e-6, whatever the rows are") {
  Database db;
  Random random(3);
  constexpr float kHuge = std::numeric_limits<float>::max();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  for (const size_t n : {1, 5, 16, 63, 100, 300, 383, 384, 385, 700, 1024, 4096}) {
    for (const float scale : {1.0f, 1e-9f, 1e9f, 1e-22f, 3e19f, 1e-38f, 3e38f}) {
      const std::vector<float> constant = RandomVector(&random, n, scale);
      std::vector<std::vector<float>> rows;
      // First the ones that decide how the rest is computed: SQLite shows which side is constant
      // at the third row.
      for (const float size : {1.0f, 1.0f, 1.0f, 1e-20f, 1e15f, 1e-38f, 3e38f}) {
        rows.push_back(RandomVector(&random, n, size));
      }
      rows.push_back(constant);
      for (const float part : {1e-3f, 1e-5f, 1e-7f}) {  // almost parallel, almost opposite
        std::vector<float> near = constant, far = constant;
        for (size_t i = 0; i < n; i++) {
          near[i] += near[i] * part * (random.Uniform() - 0.5f);
          far[i] = -near[i];
        }
        rows.push_back(near);
        rows.push_back(far);
      }
      rows.emplace_back(n, kTiny);
      rows.emplace_back(n, kHuge);
      std::vector<float> mixed(n, kTiny);
      mixed[n / 2] = kHuge;
      rows.push_back(mixed);
      for (size_t i = 0; i < n; i++) mixed[i] = i % 2 == 0 ? 1.0f : 1e-25f;
      rows.push_back(mixed);
      for (const char* sql : {"SELECT s2v_cosine(e, ?1) FROM r ORDER BY id",
                              "SELECT s2v_cosine(?1, e) FROM r ORDER BY id",
                              "SELECT 1 - s2v_distance(e, ?1) FROM r ORDER BY id"}) {
        const std::vector<double> cosines = SearchFor(&db, constant, rows, sql);
        for (size_t i = 0; i < rows.size(); i++) {
          CAPTURE(n);
          CAPTURE(scale);
          CAPTURE(i);
          CHECK(std::fabs(cosines[i] - Reference(constant, rows[i])) < 1e-6);
          CHECK(std::fabs(cosines[i]) <= 1);
        }
      }
    }
  }
}

TEST_CASE("two vectors have one cosine, to the last bit, however they are asked for") {
  Database db;
  Random random(5);
  db.Exec("CREATE TABLE pair(i INTEGER PRIMARY KEY, a BLOB, b BLOB)");
  Statement insert(db.get(), "INSERT INTO pair(a, b) VALUES(?1, ?2)");
  for (int i = 0; i < 200; i++) {
    // Some of a size for the quick sums, some not, some with one of each.
    const float scale_a = i % 3 == 0 ? 1e-20f : 1, scale_b = i % 5 == 0 ? 1e25f : 1;
    const std::vector<float> a = RandomVector(&random, 300, scale_a),
                             b = RandomVector(&random, 300, scale_b);
    insert.Run(BlobOf(a), BlobOf(b));
  }
  db.Exec("CREATE TABLE alone(i, c)");
  for (int i = 1; i <= 200; i++) {
    const std::string is_i = " WHERE i = " + std::to_string(i);
    db.Exec("INSERT INTO alone SELECT i, s2v_cosine(a, b) FROM pair" + is_i);
    // The same pair in the first and in later rows of a search, on either side.
    for (const char* call :
         {"s2v_cosine(r.a, (SELECT b FROM pair", "s2v_cosine(r.b, (SELECT a FROM pair"}) {
      CHECK(db.Count("pair r, alone JOIN (SELECT 1 UNION ALL SELECT 2 UNION ALL "
                     "SELECT 3 UNION ALL SELECT 4) WHERE r.i = alone.i AND " +
                     std::string(call) + is_i + ")) = c AND r.i = " + std::to_string(i)) == 4);
    }
  }
  CHECK(db.Count("pair JOIN alone USING (i) WHERE s2v_cosine(a, b) = c AND "
                 "s2v_cosine(b, a) = c") == 200);
  // So an index on a search is in order however its rows came.
  db.Exec(
      "CREATE TABLE t(i INTEGER PRIMARY KEY, a BLOB); CREATE INDEX near ON t(s2v_cosine(a, "
      "CAST(replace(hex(zeroblob(300)), '00', 'ab1?') AS BLOB)))");
  for (int i = 1; i <= 200; i++) {
    db.Exec("INSERT INTO t SELECT i, a FROM pair WHERE i = " + std::to_string(i));
  }
  CHECK(db.Text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("a vector has the distance 0 from itself in a search too") {
  Database db;
  Random random(4);
  for (size_t n = 1; n < 500; n += 7) {
    const std::vector<float> v = RandomVector(&random, n, 1);
    const auto cosines = SearchFor(&db, v, {v, v, v, v}, "SELECT s2v_distance(e, ?1) FROM r");
    for (const double distance : cosines) CHECK(distance == 0);
  }
}

TEST_CASE("rows that are no ordinary vectors do not pass a search unseen") {
  Database db;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  db.Exec(
      "CREATE TABLE r(id INTEGER PRIMARY KEY, e); CREATE TABLE one AS SELECT "
      "s2v_from_json('[1,2,3]') AS v; INSERT INTO r(e) SELECT v FROM one, (SELECT 1 UNION ALL "
      "SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)");
  const auto search = [&](const std::string& bad) {
    return db.Error("UPDATE r SET e = " + bad +
                    " WHERE id = 4; SELECT s2v_cosine(e, (SELECT v FROM one)) FROM r");
  };
  // Any bits of the payload: quiet, signalling and negative NaN, infinities.
  for (const char* bits : {"0000c07f", "0100807f", "ffffffff", "0000807f", "000080ff"}) {
    CHECK(Contains(search("x'0000803f0000803f" + std::string(bits) + "'"), "not finite"));
  }
  CHECK(Contains(search("x'0000803f'"), "has 1 dimensions, the second 3"));
  CHECK(Contains(search("x'0000803f0000803f0000803f00'"), "13 bytes"));
  CHECK(Contains(search("zeroblob(100000001)"), "100000001 bytes"));
  CHECK(Contains(search("zeroblob(100000000)"), "has 25000000 dimensions"));
  CHECK(Contains(search("1"), "an integer"));
  CHECK(Contains(search("1.5"), "a real number"));
  CHECK(Contains(search("'a text'"), "no default model"));
  for (const char* nothing : {"NULL", "x''", "zeroblob(12)"}) {
    db.Exec("UPDATE r SET e = " + std::string(nothing) + " WHERE id = 4");
    CHECK(db.Text("SELECT group_concat(ifnull(s2v_cosine(e, (SELECT v FROM one)), '-'), ' ') "
                  "FROM r") == "1.0 1.0 1.0 -");
  }
  // The constant side is looked at as closely.
  db.Exec("UPDATE r SET e = (SELECT v FROM one)");
  for (const std::vector<float>& v :
       {std::vector<float>{1, kInfinity, 2}, std::vector<float>{1, std::nanf(""), 2}}) {
    Statement select(db.get(), "SELECT s2v_cosine(e, ?1) FROM r", BlobOf(v));
    CHECK_THROWS_AS(select.Step(), SqlError);
    CHECK(Contains(sqlite3_errmsg(db.get()), "the second argument has a value that is not finite"));
  }
}

TEST_CASE("a search takes back no value of the row before") {
  Database db;
  // Ordinary rows, rows for the sums in double, rows without a direction, in every order.
  db.Exec(
      "CREATE TABLE kinds(k INTEGER PRIMARY KEY, e); INSERT INTO kinds(e) VALUES"
      "(s2v_from_json('[1,0]')), (s2v_from_json('[0,1e30]')), (s2v_from_json('[-1e-30,0]')), "
      "(NULL), (zeroblob(8)), (s2v_from_json('[3,4]')); CREATE TABLE one AS SELECT "
      "s2v_from_json('[1,0]') AS v; CREATE TABLE r AS SELECT a.k AS a, b.k AS b, c.k AS c FROM "
      "kinds a, kinds b, kinds c");
  CHECK(
      db.Count("r JOIN kinds ON k IN (a, b, c) WHERE "
               "round(s2v_cosine(e, (SELECT v FROM one)), 6) IS NOT CASE k WHEN 1 THEN 1.0 WHEN 2 "
               "THEN 0.0 WHEN 3 THEN -1.0 WHEN 6 THEN 0.6 END") == 0);
}

TEST_CASE("a subtype and a type of column change nothing") {
  Database db;
  TrainTexts(&db, 40);
  // json() gives its text a subtype; a JSON array is a text like any other here.
  CHECK(db.Int("SELECT s2v_cosine(json('\"red fox\"'), '\"red fox\"') > 0.999999") == 1);
  db.Exec(
      "CREATE TABLE v(b BLOB, n NUMERIC, t TEXT, x); INSERT INTO v SELECT e, e, e, e FROM (SELECT "
      "s2v_embed(body) AS e FROM docs)");
  CHECK(db.Count("v WHERE s2v_cosine(b, n) = 1 AND s2v_cosine(t, x) = 1") == 40);
  CHECK(Contains(db.Error("SELECT s2v_cosine(b, 12) FROM v"), "an integer"));
  CHECK(Contains(db.Error("SELECT s2v_cosine(-0.5, b) FROM v"), "a real number"));
}

TEST_CASE("a long constant text is embedded once, not for every row") {
  Database db;
  TrainTexts(&db, 50);
  db.Exec(
      "CREATE TABLE v AS SELECT s2v_embed(body) AS e FROM docs; CREATE TABLE many AS SELECT e FROM "
      "v, docs");
  const std::string text = "replace(hex(zeroblob(500000)), '00', 'red fox ')";
  // 2,500 rows by 4 MB: minutes if it were embedded for each.
  CHECK(db.Int("SELECT count(s2v_cosine(e, " + text + ")) FROM many") == 2500);
  CHECK(db.Int("SELECT count(s2v_cosine(" + text + ", e)) FROM many") == 2500);
}

}  // namespace
}  // namespace s2v
