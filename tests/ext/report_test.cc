// `s2v report` as its users meet it: one page, complete, escaped, with nothing from a network.
#include <doctest/doctest.h>

#include "tests/support/process.h"

using namespace s2v::testing;

namespace {

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

// The object that the page is made of.
std::string Data(const std::string& page) {
  const std::string begin = "id=\"report\">";
  const size_t at = page.find(begin) + begin.size();
  return page.substr(at, page.find("</script>", at) - at);
}

class ReportFixture {
 public:
  ReportFixture() {
    Database db(path());
    FillTexts(&db, "docs", 120);
    db.Exec("UPDATE docs SET body = body || ' <script>alert(1)</script> & ' || body");
    db.Exec("SELECT s2v_train('docs', 'body', '" + TinyOptions("\"model\":\"a<script>\"") + "')");
  }
  std::string path() const { return folder_.File("a.db"); }
  std::string File(const std::string& name) const { return folder_.File(name); }
  Outcome Report(const Arguments& more = {}) const {
    return Run(Arguments{"report", path()} + more).Done();
  }
  void Exec(const std::string& sql) const { Database(path()).Exec(sql); }

 private:
  const Folder folder_;
};

}  // namespace

TEST_CASE(
    "a report has a point for each word and epoch, words on the map, scores of each encoder") {
  const ReportFixture fixture;
  const Outcome outcome = fixture.Report();
  INFO((outcome.error));
  REQUIRE(outcome.code == 0);
  CHECK(outcome.error.empty());
  Database db(fixture.path());
  const std::string data = Data(outcome.out);
  const auto of = [&](const std::string& expression) { return FromSql(db, expression, data); };
  const auto size = [&](const std::string& path) {
    return std::stoll(of("json_array_length(?1, '$." + path + "')"));
  };
  CHECK(size("points") == db.Int("SELECT words FROM s2v_models"));
  CHECK(of("?1 ->> '$.words'") == db.Text("SELECT words FROM s2v_models"));
  CHECK(size("losses") == 2);
  CHECK(size("map") == db.Count("s2v_word WHERE word NOT GLOB '*[^a-z]*' AND "
                                "length(word) >= 4"));
  CHECK(of("count(*) FROM json_each(?1, '$.map') WHERE value ->> 0 = 'barks'") == "1");
  CHECK(of("group_concat(value ->> 'encoder') FROM json_each(?1, '$.outcomes') "
           "WHERE json_array_length(value, '$.scores') = 3") == "model,model-raw,tfidf,bm25");
  CHECK(of("?1 ->> '$.facts.\"trained on\"'") == "docs.body");
  CHECK(Contains(of("?1 ->> '$.overlap'"), "trained on: "));
  CHECK(
      of("count(*) FROM json_each(?1, '$.row_neighbours') AS r, json_each(r.value, '$.near') AS n "
         "WHERE r.value ->> 'label' GLOB 'rowid [0-9]*' AND n.value ->> 'label' GLOB 'rowid "
         "[0-9]*'") == "20");
  CHECK(Contains(of("?1 ->> '$.warning'"), "only "));  // the fixture's table is small
  CHECK(of("?1 ->> '$.parameters.learning_rate'") == "0.2");
  CHECK(size("word_neighbours") > 3);
  CHECK(of("?1 ->> '$.table_problem'") == "");
}

TEST_CASE("a text that is markup ends no script, and the page refers to nothing outside") {
  const ReportFixture fixture;
  fixture.Exec(
      "SELECT s2v_train('docs', 'body', '"
      "{\"model\":\"a<script>\",\"tokenizer\":\"whitespace\",\"dimension\":4,\"epochs\":1,"
      "\"min_count\":1,\"min_target_count\":1,\"workers\":1}')");
  const Outcome outcome = fixture.Report({"--model", "a<script>"});
  REQUIRE(outcome.code == 0);
  const std::string data = Data(outcome.out);
  CHECK(Count(data, "<") == 0);
  CHECK(FromSql(Database(fixture.path()), "?1 ->> '$.model'", data) == "a<script>");
  CHECK(Contains(data, "\\u003cscript>alert(1)\\u003c/script>"));
  CHECK(Count(outcome.out, "<script") == 2);
  CHECK(Count(outcome.out, "https://") + Count(outcome.out, "href=") + Count(outcome.out, "src=") ==
        0);
  CHECK(Contains(outcome.out, "content=\"default-src 'none'; "));
}

TEST_CASE("a report without the training table says so and is whole otherwise") {
  const ReportFixture fixture;
  fixture.Exec("DROP TABLE docs");
  const Outcome outcome = fixture.Report({"-o", fixture.File("report.html")});
  INFO((outcome.error));
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.empty());
  const std::string data = Data(ReadFile(fixture.File("report.html")));
  const Database db(fixture.path());
  CHECK(FromSql(db, "?1 ->> '$.table_problem'", data) != "");
  CHECK(FromSql(db, "?1 -> '$.outcomes' IS NULL", data) == "1");
  CHECK(FromSql(db, "json_array_length(?1, '$.points') > 5", data) == "1");
}

TEST_CASE("report refuses what cannot be") {
  const ReportFixture fixture;
  CHECK(fixture.Report({"--model", "none"}).code == 1);
  CHECK(fixture.Report({"--model", "a.b.c"}).code == 2);
  CHECK(fixture.Report({"-o", fixture.path()}).code == 2);
  CHECK(fixture.Report({"-o", fixture.File("no/such")}).code == 1);
  CHECK(fixture.Report({"--help"}).code == 0);
}

TEST_CASE("report refuses damaged and missing words") {
  const ReportFixture fixture;
  SUBCASE("a changed count") {
    fixture.Exec("UPDATE s2v_word SET count = count + 1 WHERE word = 'fox'");
  }
  SUBCASE("a missing word") {
    fixture.Exec("DELETE FROM s2v_word WHERE word = 'fox'");
  }
  SUBCASE("the last word missing") {
    fixture.Exec("DELETE FROM s2v_word WHERE key = (SELECT max(key) FROM s2v_word)");
  }
  const Outcome outcome = fixture.Report();
  CHECK(outcome.code == 1);
  CHECK(Contains(outcome.error, "malformed: table s2v_word"));
}
