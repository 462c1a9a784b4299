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

// NaN for NULL.
class Asker {
 public:
  explicit Asker(Database* db) {
    REQUIRE(sqlite3_prepare_v2(db->get(), "SELECT s2v_cosine(?1, ?2), s2v_distance(?1, ?2)", -1,
                               &statement_, nullptr) == SQLITE_OK);
  }
  ~Asker() { sqlite3_finalize(statement_); }
  void Ask(const std::vector<float>& a, const std::vector<float>& b, double* cosine,
           double* distance) {
    sqlite3_bind_blob64(statement_, 1, a.data(), a.size() * 4, SQLITE_STATIC);
    sqlite3_bind_blob64(statement_, 2, b.data(), b.size() * 4, SQLITE_STATIC);
    REQUIRE(sqlite3_step(statement_) == SQLITE_ROW);
    const bool null = sqlite3_column_type(statement_, 0) == SQLITE_NULL;
    *cosine = null ? std::nan("") : sqlite3_column_double(statement_, 0);
    *distance = null ? std::nan("") : sqlite3_column_double(statement_, 1);
    sqlite3_reset(statement_);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
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
  FillTexts(&db, "docs", 100);
  Train(&db, "docs");
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
  FillTexts(&db, "docs", 60);
  Train(&db, "docs");
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
  CHECK(db.Int("SELECT count(*) FROM v a, v b WHERE abs(s2v_cosine(a.e, b.e) - s2v_cosine(b.body, "
               "a.body)) > "
               "1e-6") == 0);
  CHECK(db.Int("SELECT count(*) FROM v a CROSS JOIN v b WHERE a.id = b.id AND "
               "abs(s2v_cosine(a.body, b.e) - 1) > 1e-6") == 0);
  // NULL and vectors without a direction in between disturb nothing.
  db.Exec(
      "CREATE TABLE m(x); INSERT INTO m VALUES(NULL), ('red'), (zeroblob(32)), ('unknownword'), "
      "('red'), (NULL), ('red')");
  CHECK(db.Text("SELECT group_concat(ifnull(round(s2v_cosine(x, 'red'), 5), '-'), ' ') FROM m") ==
        "- 1.0 - - 1.0 - 1.0");
}

TEST_CASE("a long constant text is embedded once, not for every row") {
  Database db;
  FillTexts(&db, "docs", 50);
  Train(&db, "docs");
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
