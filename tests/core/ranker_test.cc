#include "core/search/ranker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace s2v::search {
namespace {

// Similarities of rows that are held in memory; counts what is asked.
class MadeMeaning : public Meaning {
 public:
  std::map<int64_t, double> rows;
  int similarities = 0, searches = 0;

  std::optional<double> Similarity(int64_t rowid) override {
    similarities++;
    const auto at = rows.find(rowid);
    return at == rows.end() ? std::nullopt : std::optional(at->second);
  }
  std::vector<Hit> Nearest(uint64_t k, const RowSet* among) override {
    searches++;
    TopHits best(k);
    for (const auto& [rowid, similarity] : rows) {
      if (among == nullptr || among->Contains(rowid)) best.Add({rowid, similarity});
    }
    return best.Take();
  }
};

// By the formulas of fusion.h alone, each row looked at.
std::vector<ScoredRow> Expected(std::vector<Match> matches, const MadeMeaning* meaning,
                                double weight, size_t k) {
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return a.words > b.words || (a.words == b.words && a.rowid < b.rowid);
  });
  const double least =
      matches.empty() ? 0 : matches[std::min<size_t>(matches.size(), 40) - 1].words;
  std::map<int64_t, double> scores;
  for (const Match& match : matches) {
    scores[match.rowid] = std::pow(match.words / matches[0].words, 3) +
                          (match.words >= least || match.has_all_words ? 2 * match.opening : 0) +
                          (match.is_title ? 3.4 + 2 * weight : 0);
  }
  if (meaning != nullptr) {
    for (const auto& [rowid, similarity] : meaning->rows) scores[rowid] += weight * similarity;
  }
  Top<ScoredRow, &ScoredRow::score> best(k);
  for (const auto& [rowid, score] : scores) best.Add({rowid, score});
  return best.Take();
}

struct Made {
  std::vector<Match> matches;
  MadeMeaning meaning;
};
Made MakeRows(uint32_t seed, int matches, int vectors) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Made made;
  for (int i = 0; i < matches; i++) {
    const auto rowid = static_cast<int64_t>(i) * 3 - 50;
    const double words = std::ceil(20 * unit(random)) / 2;  // many are alike
    made.matches.push_back({rowid, 10 - words, words, unit(random) * (i % 7 == 0)});
  }
  for (int i = 0; i < vectors; i++) {
    made.meaning.rows[static_cast<int64_t>(i) * 2 - 80] = 2 * unit(random) - 1;
  }
  if (matches > 60) made.matches[60].is_title = true;
  for (Match& match : made.matches) match.has_all_words = match.rowid % 11 == 0;
  return made;
}

}  // namespace

TEST_CASE("the best rows are those that looking at each row finds") {
  for (uint32_t seed = 1; seed <= 6; seed++) {
    for (const int count : {0, 1, 30, 400, 3000}) {
      for (const size_t k : {1, 5, 100, 600}) {
        for (const double weight : {0.05, 0.15, 1.5, 4.0}) {
          CAPTURE(seed);
          CAPTURE(count);
          CAPTURE(k);
          CAPTURE(weight);
          Made made = MakeRows(seed, count, seed % 2 == 0 ? 2000 : 300);
          Ranker ranker(weight);
          for (const Match& match : made.matches) ranker.Add(match, 1000000);
          ranker.Order(k);
          for (MadeMeaning* meaning : {&made.meaning, static_cast<MadeMeaning*>(nullptr)}) {
            const std::vector<ScoredRow> found = ranker.Best(k, meaning);
            const std::vector<ScoredRow> expected = Expected(made.matches, meaning, weight, k);
            REQUIRE(found.size() == expected.size());
            for (size_t i = 0; i < found.size(); i++) {
              REQUIRE(found[i].rowid == expected[i].rowid);
              REQUIRE(found[i].score == doctest::Approx(expected[i].score));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("rows that cannot be among the best are not looked at") {
  Made made = MakeRows(1, 3000, 300);
  for (Match& match : made.matches) {
    match.words = match.rowid == 100 ? 100 : 1;
    match.opening = 0;
    match.is_title = false;
  }
  Ranker ranker(0.1);
  for (const Match& match : made.matches) ranker.Add(match, 1000000);
  ranker.Order(1);
  CHECK(ranker.Best(1, &made.meaning)[0].rowid == 100);
  CHECK(made.meaning.searches == 0);
  CHECK(made.meaning.similarities < 400);
}

TEST_CASE("of many rows that are alike by words, those nearest by meaning are looked at") {
  Made made = MakeRows(1, 3000, 0);
  std::mt19937 random(1);
  for (Match& match : made.matches) {
    match.words = match.rowid % 2 == 0 ? 9 : 5;
    match.opening = 0;
    match.is_title = false;
    made.meaning.rows[match.rowid] = static_cast<double>(random() % 500) / 1000;  // many tie
  }
  for (int64_t rowid = 10000; rowid < 10100; rowid++) made.meaning.rows[rowid] = 0.9;
  Ranker ranker(0.6);
  for (const Match& match : made.matches) ranker.Add(match, 1000000);
  ranker.Order(20);
  const std::vector<ScoredRow> found = ranker.Best(20, &made.meaning);
  const std::vector<ScoredRow> expected = Expected(made.matches, &made.meaning, 0.6, 20);
  for (size_t i = 0; i < expected.size(); i++) CHECK(found[i].rowid == expected[i].rowid);
  CHECK(made.meaning.searches == 2);
  CHECK(made.meaning.similarities < 200);
}

TEST_CASE("a title that goes on counts where no title is the question as it stands") {
  for (const bool has_title : {false, true}) {
    Ranker ranker(0);
    ranker.Add({.rowid = 1, .words = 9}, 100);
    ranker.Add({.rowid = 2, .words = 1, .begins_title = true}, 100);
    ranker.Add({.rowid = 3, .words = 2, .is_title = has_title}, 100);
    ranker.Order(3);
    const std::vector<ScoredRow> best = ranker.Best(3, nullptr);
    CHECK(best[0].rowid == (has_title ? 3 : 2));
    CHECK(best[1].rowid == 1);
  }
}

TEST_CASE("of too many matches the best half by words is kept") {
  Ranker ranker(0);
  for (int i = 0; i < 1000; i++) ranker.Add({.rowid = i, .words = 1.0 + i % 500}, 600);
  ranker.Order(2);
  CHECK(ranker.Best(2, nullptr)[0].rowid == 499);
  CHECK(ranker.Best(2, nullptr)[1].rowid == 999);
  CHECK(ranker.Find(0) == nullptr);
  CHECK(ranker.Find(499) != nullptr);
}

TEST_CASE("a score is the sum of its parts") {
  Made made = MakeRows(2, 400, 300);
  Ranker ranker(0.6);
  for (const Match& match : made.matches) ranker.Add(match, 1000000);
  ranker.Order(20);
  for (const ScoredRow& row : ranker.Best(20, &made.meaning)) {
    const ScoreParts parts = ranker.Parts(row, 0.25);
    CHECK(parts.meaning == doctest::Approx(0.15));
    CHECK(parts.bm25 + parts.opening + parts.meaning + parts.feedback ==
          doctest::Approx(row.score));
    if (ranker.Find(row.rowid) == nullptr) CHECK(parts.bm25 + parts.opening == 0);
  }
}

TEST_CASE("the question moves half as far as it is long towards the mean of the best rows") {
  const std::vector<float> rows[] = {{0, 1, 0, 0}, {0, 1, 0, 0}};
  const auto vector_of = [&](int64_t rowid) { return rowid < 2 ? rows[rowid].data() : nullptr; };
  std::vector<float> query = {1, 0, 0, 0};
  MoveTowards(std::vector<ScoredRow>{{0, 3}, {5, 2}, {1, 1}}, vector_of, &query);
  CHECK(query[0] == doctest::Approx(1 / std::sqrt(1.25)));
  CHECK(query[1] == doctest::Approx(0.5 / std::sqrt(1.25)));
  const std::vector<float> before = query;
  MoveTowards(std::vector<ScoredRow>{{5, 2}}, vector_of, &query);
  CHECK(query == before);
}

}  // namespace s2v::search
