// `s2v report` as its users meet it: one page, complete, escaped, with nothing from a network.
#include <doctest/doctest.h>

#include "tests/support/command.h"
#include "tests/support/database.h"

using namespace s2v::testing;

namespace {

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

// "" where every tag is closed in its turn, or the first that is not.
std::string Unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const size_t end = page.find('>', at);
    if (end == std::string::npos) return "no end of a tag";
    const std::string tag = page.substr(at + 1, end - at - 1);
    if (tag.starts_with("!") || tag.ends_with("/")) continue;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name[0] != '/') {
      open.push_back(name);
      continue;
    }
    if (open.empty() || open.back() != name.substr(1)) return name;
    open.pop_back();
  }
  return open.empty() ? "" : open.back();
}

class Fixture {
 public:
  Fixture() {
    Database db(path());
    FillTexts(&db, "docs", 120);
    db.Exec("UPDATE docs SET body = body || ' <script>alert(1)</script> & ' || body");
    db.Exec("SELECT s2v_train('docs', 'body', '" + TinyOptions("\"model\":\"a<script>\"") + "')");
  }
  std::string path() const { return folder_.File("a.db"); }
  std::string File(const std::string& name) const { return folder_.File(name); }
  Outcome Report(Arguments more = {}) const {
    more.insert(more.begin(), {"report", path()});
    return Run(more).Done();
  }
  void Exec(const std::string& sql) const { Database(path()).Exec(sql); }
  int64_t Int(const std::string& sql) const { return Database(path()).Int(sql); }

 private:
  const Folder folder_;
};

}  // namespace

TEST_CASE("a report has a point for each word and epoch, words on the map, bars of each encoder") {
  const Fixture fixture;
  const Outcome outcome = fixture.Report();
  INFO((outcome.error));
  REQUIRE(outcome.code == 0);
  CHECK(outcome.error.empty());
  const std::string& page = outcome.out;
  const auto words = static_cast<size_t>(fixture.Int("SELECT words FROM s2v_models"));
  CHECK(Count(page, "<circle class=\"cloud\"") == words);
  CHECK(Count(page, "<circle class=\"epoch\"") == 2);
  const size_t map = page.find("<g class=\"map\">");
  REQUIRE(map != std::string::npos);
  const std::string map_text = page.substr(map, page.find("</g>", map) - map);
  CHECK(Count(map_text, "<text") + Count(map_text, "<circle class=\"dot\"") ==
        static_cast<size_t>(fixture.Int("SELECT count(*) FROM s2v_word WHERE word NOT GLOB "
                                        "'*[^a-z]*' AND length(word) >= 4")));
  CHECK(Contains(map_text, ">barks</text>"));
  CHECK(Count(page, "<rect class=\"bar") == 4 * 3);
  for (const char* encoder : {">model<", ">model-raw<", ">tfidf<", ">bm25<"}) {
    CHECK(Contains(page, encoder));
  }
  CHECK(Contains(page, "trained on: "));
  CHECK(Count(page, "<small>rowid ") == 5 + 5 * 4);  // each of five rows and its neighbours
  CHECK((Contains(page, "The model finds more than BM25") ||
         Contains(page, "finds more than the model here")));
  CHECK(Contains(page, "<p>Only "));  // the fixture's table is small
  CHECK(Contains(page, "docs.body"));
  CHECK(Contains(page, "learning_rate"));
  CHECK(Count(page, "<table class=\"neighbours\">") == 2);
}

TEST_CASE("a report is escaped, balanced, and refers to nothing outside") {
  const Fixture fixture;
  const Outcome outcome = fixture.Report({"--model", "a<script>"});
  REQUIRE(outcome.code == 0);
  CHECK(Unbalanced(outcome.out) == "");
  CHECK(Count(outcome.out, "<script") == 0);
  CHECK(Contains(outcome.out, "<title>Model a&lt;script&gt;</title>"));
  CHECK(Contains(outcome.out, "&lt;script&gt;alert(1)"));
  for (const char* part : {"http://", "https://", "src=", "href=", "url(", "@import"}) {
    CHECK(Count(outcome.out, part) == 0);
  }
}

TEST_CASE("a word that is markup is escaped wherever it stands") {
  const Fixture fixture;
  fixture.Exec(
      "SELECT s2v_train('docs', 'body', '"
      "{\"model\":\"tags\",\"tokenizer\":\"whitespace\",\"dimension\":4,\"epochs\":1,"
      "\"min_count\":1,\"min_target_count\":1,\"workers\":1}')");
  const Outcome outcome = fixture.Report({"--model", "tags"});
  REQUIRE(outcome.code == 0);
  CHECK(Contains(outcome.out, "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
  CHECK(Count(outcome.out, "<script") == 0);
  CHECK(Unbalanced(outcome.out) == "");
}

TEST_CASE("a report without the training table says so and is whole otherwise") {
  const Fixture fixture;
  fixture.Exec("DROP TABLE docs");
  const Outcome outcome = fixture.Report({"-o", fixture.File("report.html")});
  INFO((outcome.error));
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.empty());
  const std::string page = ReadFile(fixture.File("report.html"));
  CHECK(Unbalanced(page) == "");
  CHECK(Contains(page, "Nothing about its rows: "));
  CHECK(Count(page, "<rect") == 0);
  CHECK(Count(page, "<svg") == 3);
}

TEST_CASE("report refuses what cannot be") {
  const Fixture fixture;
  CHECK(fixture.Report({"--model", "none"}).code == 1);
  CHECK(fixture.Report({"--model", "a.b.c"}).code == 2);
  CHECK(fixture.Report({"-o", fixture.path()}).code == 2);
  CHECK(fixture.Report({"-o", fixture.File("no/such")}).code == 1);
  CHECK(fixture.Report({"--help"}).code == 0);
}

TEST_CASE("report refuses damaged and missing words") {
  const Fixture fixture;
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
