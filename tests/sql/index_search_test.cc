// What SearchIndex puts together: words, openings, meaning, feedback; and how many rows it looks at
// for it.
#include "sql/index_search.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "core/search/fusion.h"
#include "sql/index_common_words.h"
#include "sql/index_pending.h"
#include "tests/support/database.h"

namespace s2v {
namespace {

using namespace testing;

// A model whose words have the vectors that are written here, so that nearness is not left to
// training.
void ImportWords(Database* db, const std::string& lines) {
  const TempFile file;
  std::ofstream(file.path()) << lines;
  db->Exec("SELECT s2v_import('" + file.path() +
           "', 'made', '{\"format\": \"vec\", \"tokenizer\": \"whitespace\"}')");
}

struct Asked {
  IndexMemory memory;
  IndexDefinition index;
  explicit Asked(Database* db) : index(OpenIndex(db->get(), "main", "s", &memory)), db_(db) {
    db->Count("s('x', 1)");  // FTS5 knows our function then
  }
  std::vector<IndexAnswer> operator()(const std::string& text, uint64_t k) {
    IndexQuestion question;
    question.text = text;
    question.k = k;
    return SearchIndex(db_->get(), index, &memory, question).answers;
  }

 private:
  Database* db_;
};

TEST_CASE(
    "pending are the rows that the log names since the last one that was taken in, and no other") {
  Database db = TextIndex(100);
  const auto pending = [&] {
    IndexMemory memory;
    const IndexDefinition index = OpenIndex(db.get(), "main", "s", &memory);
    IndexSource source(db.get(), index);
    const PendingRows rows(db.get(), index, &memory, &source);
    CHECK(rows.has_all());
    return rows.rows().Rowids();
  };
  CHECK(pending().empty());
  db.Exec("UPDATE docs SET body = 'red whale' WHERE id IN (7, 30); DELETE FROM docs WHERE id = 50");
  CHECK(pending() == std::vector<int64_t>{7, 30, 50});
  db.Exec("SELECT s2v_sync('s')");
  CHECK(pending().empty());
  db.Exec("UPDATE docs SET body = 'blue whale' WHERE id = 9");
  CHECK(pending() == std::vector<int64_t>{9});
}

TEST_CASE("a score is the sum of its parts, and every one of them counts somewhere") {
  Database db = TextIndex(400);
  Asked ask(&db);
  double bm25 = 0, opening = 0, meaning = 0, feedback = 0;
  for (const IndexAnswer& answer : ask("red fox in the rain", 400)) {
    REQUIRE(answer.parts);
    const search::ScoreParts& parts = *answer.parts;
    CHECK(parts.bm25 + parts.opening + parts.meaning + parts.feedback ==
          doctest::Approx(answer.score));
    CHECK(parts.bm25 >= 0);
    CHECK(parts.opening >= 0);
    bm25 = std::max(bm25, parts.bm25);
    opening = std::max(opening, parts.opening);
    meaning = std::max(meaning, parts.meaning);
    feedback = std::max(feedback, std::abs(parts.feedback));
  }
  CHECK(bm25 == doctest::Approx(1));
  CHECK(opening > 0.01);
  CHECK(meaning > 0.01);
  CHECK(feedback > 0.01);
}

TEST_CASE("feedback: of rows as near to the question those gain that are like the best ones") {
  Database db;
  // The best rows say "whale north"; east and south are as far from whale as north is.
  ImportWords(
      &db,
      "whale 1 0 0 0\nnorth 0.6 0.8 0 0\neast 0.6 0 0.8 0\nsouth 0.6 0 0 0.8\nother 0 0 0.6 0.8\n");
  db.Exec("CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT)");
  db.Exec(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 8) INSERT INTO docs(body) SELECT 'whale north' FROM n");
  db.Exec("INSERT INTO docs VALUES(101, 'east'), (102, 'north'), (103, 'south'), (104, 'other')");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  Asked ask(&db);
  std::map<int64_t, IndexAnswer> rows;
  for (const IndexAnswer& answer : ask("whale", 100)) rows[answer.rowid] = answer;
  REQUIRE(rows.size() == 12);
  CHECK(*rows[102].similarity == doctest::Approx(*rows[101].similarity).epsilon(0.01));
  CHECK(rows[102].score > rows[101].score + 0.01);
  CHECK(rows[102].score > rows[103].score + 0.01);
  CHECK(rows[101].score == doctest::Approx(rows[103].score).epsilon(0.01));
  CHECK(rows[102].parts->feedback > 0);
  CHECK(rows[101].parts->feedback < rows[102].parts->feedback);
}

TEST_CASE(
    "openings: the earlier a word stands the more it counts, in the best rows by words alone") {
  Database db;
  ImportWords(&db, "whale 1 0\nsea 0 1\n");
  // Fifty of one length, so that bm25 is the same, and longer ones; in every third row the word
  // comes later. Those that have as much as the fortieth have one, and who has both words.
  db.Exec("CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT)");
  db.Exec(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 90) INSERT INTO docs SELECT i, "
      "CASE i % 3 WHEN 0 THEN 'whale sea sea sea sea' WHEN 1 THEN 'sea sea whale sea sea' ELSE 'sea sea sea sea whale' END || iif(i > 50, ' sea', '') FROM n");
  db.Exec("INSERT INTO docs SELECT i + 90, 'crab sea sea sea sea' FROM (SELECT id AS i FROM docs)");
  db.Exec(
      "INSERT INTO docs SELECT 200 + key, replace(hex(zeroblob(100)), '00', 'sea ') || value FROM json_each('[\"crab\", \"whale crab\"]')");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body)");
  Asked ask(&db);
  std::map<int64_t, double> openings;
  for (const IndexAnswer& answer : ask("whale crab", 190)) {
    if (answer.bm25) openings[answer.rowid] = answer.parts->opening;
  }
  REQUIRE(openings.size() == 182);
  CHECK(openings[200] == 0);
  CHECK(openings[201] > 0.2);
  for (int64_t id = 1; id <= 90; id++) {
    CAPTURE(id);
    const bool is_best = id <= 50;
    CHECK((openings[id] > 1e-9) == is_best);
    if (is_best && id > 3) CHECK(openings[id] == doctest::Approx(openings[id - 3]));
  }
  CHECK(openings[3] > openings[1] * 1.01);
  CHECK(openings[1] > openings[2] * 1.01);
}

TEST_CASE(
    "a row behind the first thousand by words, and not among the nearest, is found where both together are best") {
  Database db;
  ImportWords(
      &db,
      "whale 1 0 0 0 0\nocean 0.97 0.243 0 0 0\nfox 0 0 1 0 0\ncar 0 0 0 1 0\nsky 0 0 0 0 1\n");
  db.Exec("CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT)");
  // Short rows with the word, which is most of what they have by words; nearer rows without it.
  db.Exec(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 1500) INSERT INTO docs SELECT i, "
      "'whale ' || CASE i % 2 WHEN 0 THEN 'fox car' ELSE 'car sky' END FROM n");
  db.Exec(
      "WITH RECURSIVE n(i) AS (VALUES(2001) UNION ALL SELECT i + 1 FROM n LIMIT 20) INSERT INTO docs SELECT i, 'ocean' FROM n");
  // longer, so behind all of them by words
  db.Exec("INSERT INTO docs VALUES(3000, 'whale ocean ocean ocean fox')");
  db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, weight = 10)");
  CHECK(db.Int("SELECT rowid FROM s('whale', 1501, 'words') LIMIT 1 OFFSET 1500") == 3000);
  CHECK(db.Int("SELECT rowid FROM s('whale', 1, 'meaning')") != 3000);
  Asked ask(&db);
  const std::vector<IndexAnswer> one = ask("whale", 1), all = ask("whale", 5000);
  REQUIRE(all.size() == 1521);
  CHECK(all[0].rowid == 3000);
  REQUIRE(one.size() == 1);
  CHECK(one[0].rowid == 3000);
  CHECK(one[0].score == doctest::Approx(all[0].score));
}

TEST_CASE(
    "ranks behind 40 and behind the thousandth match are those of whoever asks for all rows") {
  Database db;
  FillTexts(&db, "docs", 2600);
  db.Exec(
      "UPDATE docs SET body = body || ' ' || substr('whale sea whale fox', 1, 5 + id % 15) WHERE id % 7 <> 0");
  Train(&db, "docs");
  for (const char* weight : {"0.05", "1", "20"}) {
    db.Exec("CREATE VIRTUAL TABLE s USING s2v_index(docs, body, weight = " + std::string(weight) +
            ")");
    Asked ask(&db);
    for (const char* question : {"whale", "whale red fox", "old man whale by the sea"}) {
      const std::vector<IndexAnswer> all = ask(question, 5000);
      REQUIRE(all.size() >= 2200);
      CHECK(std::is_sorted(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.score > b.score; }));
      for (const size_t k : {41, 600, 1001, 2100}) {
        const std::vector<IndexAnswer> some = ask(question, k);
        CAPTURE(std::string(question) + " " + weight + " " + std::to_string(k));
        REQUIRE(some.size() == k);
        // The nearest are found by estimates, so a text may be missing, with all rows that have it
        // (their scores are the same), and the rows behind these are then further ahead.
        std::map<int64_t, double> found;
        for (const IndexAnswer& answer : some) found[answer.rowid] = answer.score;
        std::set<double> missing;
        for (size_t i = 0; i < k; i++) {
          const auto row = found.find(all[i].rowid);
          if (row == found.end()) {
            // Of two rows with the same score either may be the last one.
            if (all[i].score > some.back().score + 1e-6) missing.insert(all[i].score);
          } else {
            CHECK(row->second == doctest::Approx(all[i].score).epsilon(1e-6));
          }
        }
        CHECK(missing.size() <= 1 + k / 100);
      }
    }
    db.Exec("DROP TABLE s");
  }
}

TEST_CASE(
    "a filter and what is waiting hold for both rounds, and NULL, empty and unknown questions have no answers") {
  Database db = TextIndex(300);
  Asked ask(&db);
  const search::RowSet allowed({3, 4, 5, 299});
  IndexQuestion question;
  question.text = "red fox";
  question.k = 100;
  question.allowed = &allowed;
  for (const bool waiting : {false, true}) {
    if (waiting) db.Exec("BEGIN; UPDATE docs SET body = 'red fox' WHERE id IN (4, 6)");
    const auto answers = SearchIndex(db.get(), ask.index, &ask.memory, question).answers;
    CHECK(answers.size() == 4);
    for (const IndexAnswer& answer : answers) CHECK(allowed.Contains(answer.rowid));
    if (waiting) CHECK(answers[0].rowid == 4);
  }
  db.Exec("ROLLBACK");
  CHECK(ask("", 10).empty());
  CHECK(ask("qwertz", 10).empty());
  CHECK(ask("red fox", 0).empty());
}

TEST_CASE("of a long question the commonest words are looked for beside the others") {
  // Ten words, in 50 to 500 of 10,000 rows; and what is no word that counts.
  const auto make = [](size_t words) {
    std::vector<WordsPhrase> phrases(words);
    for (size_t i = 0; i < words; i++) {
      phrases[i].fts = "x";
      phrases[i].frequency = static_cast<double>(i + 1) * 50 / 100000;
    }
    return phrases;
  };
  const auto marked = [](std::vector<WordsPhrase> phrases, double enough) {
    MarkCommonest(10000, 100000, enough, &phrases);
    std::string all;
    for (const WordsPhrase& phrase : phrases) all += phrase.is_frequent ? '1' : '0';
    return all;
  };
  CHECK(marked(make(10), 3000) == "0000000000");  // together they are in 2,750
  CHECK(marked(make(10), 2750) == "0000000000");
  CHECK(marked(make(10), 2749) == "0000000001");
  CHECK(marked(make(10), 1800) == "0000000011");
  // However few would do: of 37.6 that ten words are worth three are 9.2.
  CHECK(marked(make(10), 0) == "0000000111");
  CHECK(marked(make(2), 0) == "00");
  std::vector<WordsPhrase> phrases = make(10);
  phrases[9].is_frequent = true;  // is looked for so anyway
  CHECK(marked(phrases, 2250) == "0000000001");
  CHECK(marked(phrases, 2249) == "0000000011");
  phrases = make(10);
  phrases[9].is_part = true;
  phrases[8].choice = 1;
  phrases[7].fts.clear();
  CHECK(marked(phrases, 1050) == "0000001000");
  phrases = make(10);
  phrases[9].frequency = 0;  // the model does not know it
  CHECK(marked(phrases, 2000) == "0000000010");
}

}  // namespace
}  // namespace s2v
