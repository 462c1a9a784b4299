#include "core/search/word_scores.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "core/search/fusion.h"

namespace s2v::search {
namespace {

// 1000 rows of 10 words each, of which 8 have `rate` and 100 have `cut`.
constexpr double kRows = 1000, kWords = 10000, kRate = 8, kCut = 100;

WordScores ScoresOf(const std::vector<Phrase>& phrases, const std::vector<double>& rows,
                    std::optional<size_t> title_terms = std::nullopt) {
  WordScores scores(phrases, phrases.size(), title_terms);
  for (size_t i = 0; i < rows.size(); i++) scores.AddRows(i, rows[i]);
  scores.SetTotals(kRows, kWords);
  return scores;
}

Occurrence Times(double times, double before = 0, bool in_title = false) {
  return {times, before, times > 0, in_title};
}

// BM25 as its authors have it, k1 = 1.2, of one word.
double Bm25(double rows_with_it, double times, double size, double b) {
  const double idf = std::log((kRows - rows_with_it + 0.5) / (rows_with_it + 0.5));
  return idf * times * 2.2 / (times + 1.2 * (1 - b + b * size / (kWords / kRows)));
}
double Value(double rows_with_it) {
  return std::pow(std::log((kRows + 1) / (rows_with_it + 0.5)), 1.5);
}

}  // namespace

TEST_CASE("how many of the question's words a row has") {
  // the, rate, cut, rate once more, a part of it, rate cut as one
  const std::vector<Phrase> phrases = {{.term = 1, .is_common = true},
                                       {.term = 2},
                                       {.term = 3},
                                       {.term = 2, .is_repeated = true},
                                       {.weight = 0.5, .is_of_titles = false},
                                       {.joins = {2, 3}, .is_of_titles = false}};
  const WordScores scores = ScoresOf(phrases, std::vector<double>(6, kRate));
  const auto matched = [&](const std::vector<size_t>& has) {
    std::vector<Occurrence> found(6);
    for (const size_t phrase : has) found[phrase] = Times(1);
    return scores.Score(1, found, {.words = 10}).matched;
  };
  CHECK(matched({0}) == 0);
  CHECK(matched({0, 1, 3}) == 0.5);
  CHECK(matched({4}) == 0);
  CHECK(matched({1, 2}) == 1);
  CHECK(matched({5}) == 1);
  // Common words count where there are no others.
  const std::vector<Phrase> common = {{.is_common = true}, {.is_common = true}};
  const std::array one = {Times(0), Times(1)};
  CHECK(ScoresOf(common, {kRate, kCut}).Score(1, one, {.words = 10}).matched == 0.5);
}

TEST_CASE("a row scores the sum of its words by BM25, and its opening") {
  const WordScores scores = ScoresOf({{}, {}}, {kRate, kCut});
  // Two words, rows of ten: b = 0.4 + 0.5 * 2 / 10.
  const double b = 0.5, share = Value(kRate) / (Value(kRate) + Value(kCut));
  CHECK(scores.Share(0) == doctest::Approx(share));
  CHECK(scores.Share(0) + scores.Share(1) == doctest::Approx(1));

  const std::array both = {Times(1, 3), Times(2, 20)};
  const Match match = scores.Score(7, both, {.words = 25});
  CHECK(match.rowid == 7);
  CHECK(match.bm25 == doctest::Approx(Bm25(kRate, 1, 25, 0.75) + Bm25(kCut, 2, 25, 0.75)));
  CHECK(match.words == doctest::Approx(Bm25(kRate, 1, 25, b) + Bm25(kCut, 2, 25, b)));
  CHECK(match.opening ==
        doctest::Approx(share * std::exp(-3 / 40.0) + (1 - share) * std::exp(-20 / 40.0) + 0.2));
  CHECK(match.has_all_words);
  CHECK_FALSE(match.is_title);

  const std::array one = {Times(0), Times(1, 5)};
  const Match other = scores.Score(8, one, {.words = 10});
  CHECK(other.bm25 == doctest::Approx(Bm25(kCut, 1, 10, 0.75)));
  CHECK(other.opening == doctest::Approx((1 - share) * std::exp(-5 / 40.0) + 0.2 / 8));
  CHECK_FALSE(other.has_all_words);
}

TEST_CASE(
    "a word that is repeated where it is met counts more, where the texts that were counted are the rows") {
  const auto scores_of = [](double times, double counted_texts) {
    WordScores scores(std::vector<Phrase>{{.frequency = times / kWords}}, 1, std::nullopt);
    scores.AddRows(0, kRate);
    scores.SetTotals(kRows, kWords, {}, counted_texts);
    return scores.Score(7, std::array{Times(1)}, {.words = 10});
  };
  const Match plain = ScoresOf({{}}, {kRate}).Score(7, std::array{Times(1)}, {.words = 10});
  // 20 times in 8 rows; by chance 19.8 rows would have it.
  const double burst = std::sqrt((kRows * (1 - std::exp(-0.02)) + 1) / (kRate + 1));
  CHECK(burst > 1.5);
  CHECK(scores_of(20, kRows).words == doctest::Approx(burst * plain.words));
  CHECK(scores_of(20, kRows).bm25 == plain.bm25);
  CHECK(scores_of(20, kRows).opening == plain.opening);
  CHECK(scores_of(8, kRows).words == doctest::Approx(plain.words));
  CHECK(scores_of(2, kRows).words == plain.words);
  CHECK(scores_of(5000, kRows).words == doctest::Approx(2 * plain.words));
  CHECK(scores_of(20, kRows / 2).words > 1.5 * plain.words);
  CHECK(scores_of(20, kRows / 2 - 1).words == plain.words);
  CHECK(scores_of(20, 2 * kRows + 1).words == plain.words);
  CHECK(scores_of(0, kRows).words == plain.words);
}

TEST_CASE("the question's length says how much the length of a row counts") {
  for (const size_t words : {size_t{1}, size_t{5}, size_t{10}, size_t{100}}) {
    WordScores scores(std::vector<Phrase>(1), words, std::nullopt);
    scores.AddRows(0, kRate);
    scores.SetTotals(kRows, kWords);
    const double b = 0.4 + 0.5 * std::min(1.0, static_cast<double>(words) / 10);
    const Match match = scores.Score(1, std::array{Times(1)}, {.words = 40});
    CHECK(match.words == doctest::Approx(Bm25(kRate, 1, 40, b)));
    CHECK(match.bm25 == doctest::Approx(Bm25(kRate, 1, 40, 0.75)));
  }
}

TEST_CASE("of several languages rows count among those in the question's own, but for bm25") {
  WordScores scores(std::vector<Phrase>(2), 2, std::nullopt),
      alone(std::vector<Phrase>(2), 2, std::nullopt);
  for (WordScores* of : {&scores, &alone}) {
    of->AddRows(0, kRate);
    of->AddRows(1, kCut);
  }
  scores.SetTotals(kRows, kWords, {.share = 0.25, .size = 0.5});
  alone.SetTotals(kRows / 4, kWords / 8);  // a table of these rows
  const std::array both = {Times(1, 3), Times(2, 20)};
  const Match match = scores.Score(1, both, {.words = 25}),
              own = alone.Score(1, both, {.words = 25});
  CHECK(match.words == doctest::Approx(own.words));
  CHECK(match.opening == doctest::Approx(own.opening));
  CHECK(match.bm25 == doctest::Approx(Bm25(kRate, 1, 25, 0.75) + Bm25(kCut, 2, 25, 0.75)));
}

TEST_CASE("a word that comes again counts twice in BM25, once in the opening") {
  const WordScores once = ScoresOf({{}, {}}, {kRate, kCut});
  const WordScores twice = ScoresOf({{}, {}, {.is_repeated = true}}, {kRate, kCut, kRate});
  CHECK(twice.Share(0) == once.Share(0));
  CHECK(twice.Share(2) == 0);
  const std::array found = {Times(1, 4), Times(0), Times(1, 4)};
  const Match a = once.Score(1, std::span(found).first(2), {.words = 10});
  const Match b = twice.Score(1, found, {.words = 10});
  CHECK(b.bm25 == doctest::Approx(2 * a.bm25));
  CHECK(b.opening == doctest::Approx(a.opening));
}

TEST_CASE("a part of a word counts what it weighs") {
  const WordScores scores = ScoresOf({{}, {.weight = 0.5}}, {kRate, kRate});
  CHECK(scores.Share(0) == doctest::Approx(2 * scores.Share(1)));
  const Match word = scores.Score(1, std::array{Times(1), Times(0)}, {.words = 10});
  const Match part = scores.Score(1, std::array{Times(0), Times(1)}, {.words = 10});
  CHECK(part.bm25 == doctest::Approx(word.bm25 / 2));
}

TEST_CASE("all words of a question side by side are one more word, but for bm25") {
  const WordScores scores = ScoresOf(
      {{}, {}, {.weight = 0.5, .is_question = true, .is_of_titles = false}}, {kRate, kRate, kCut});
  const Match apart = scores.Score(1, std::array{Times(1), Times(1), Times(0)}, {.words = 10});
  const Match together = scores.Score(2, std::array{Times(1), Times(1), Times(1)}, {.words = 10});
  CHECK(together.bm25 == apart.bm25);
  CHECK(together.words > apart.words);
  CHECK(together.opening > apart.opening);
  CHECK(apart.matched == 1);
  CHECK(together.matched == 1);
}

TEST_CASE("a name and its pieces are worth one word in the opening, where rows have the name") {
  const std::vector<Phrase> phrases = {
      {.term = 1}, {.term = 2}, {.term = 3, .name = 1}, {.weight = 0.5, .name = 1}};
  const WordScores known = ScoresOf(phrases, {kRate, kRate, kCut, kRate});
  CHECK(known.Share(1) == doctest::Approx(0.5));
  CHECK(known.Share(0) + known.Share(2) + known.Share(3) == doctest::Approx(0.5));
  CHECK(known.Share(3) == doctest::Approx(known.Share(0) / 2));
  const WordScores unknown = ScoresOf(phrases, {0, kRate, kRate, kRate});
  CHECK(unknown.Share(2) == doctest::Approx(unknown.Share(1)));
}

TEST_CASE("the choices for one word count as one word, which all of their rows have") {
  const std::vector<Phrase> phrases = {{}, {.choice = 1}, {.choice = 1}, {.choice = 2}};
  const WordScores scores = ScoresOf(phrases, {kRate, 30, 50, 40});
  CHECK(scores.Share(1) == scores.Share(2));
  CHECK(scores.Share(1) == doctest::Approx(Value(80) / (Value(kRate) + Value(80) + Value(40))));

  const std::array found = {Times(0), Times(1, 9), Times(2, 5), Times(0)};
  const Match match = scores.Score(1, found, {.words = 10});
  CHECK(match.bm25 == doctest::Approx(Bm25(80, 3, 10, 0.75)));
  CHECK(match.opening == doctest::Approx(scores.Share(1) * std::exp(-5 / 40.0) + 0.2 / 27));

  SUBCASE("no more rows than there are") {
    const WordScores all = ScoresOf({{.choice = 1}, {.choice = 1}}, {700, 600});
    const Match row = all.Score(1, std::array{Times(1), Times(0)}, {.words = 10});
    CHECK(row.bm25 > 0);
    CHECK(row.bm25 < 1e-5);  // all rows have it
  }
}

TEST_CASE(
    "how rare a doubtful choice is counts in rows that have no other, how rare the others are in theirs") {
  // ins*: of 1,000 rows 3 have insurance, 900 its stem, in; 100 have the other word.
  const std::array phrases = {Phrase{.choice = 1}, Phrase{.choice = 1, .is_doubtful = true},
                              Phrase{}};
  WordScores scores(phrases, 2, std::nullopt);
  scores.AddRows(0, 3);
  scores.AddRows(1, 900);
  scores.AddRows(2, 100);
  scores.SetTotals(1000, 600000);
  const std::array sure = {Times(1), Times(15), Times(0)},
                   doubtful = {Times(0), Times(15), Times(0)},
                   other = {Times(0), Times(0), Times(1)};
  const auto score = [&](const auto& found) { return scores.Score(1, found, {.words = 600}); };
  CHECK(score(doubtful).words < score(other).words / 4);
  CHECK(score(doubtful).bm25 < score(other).bm25 / 4);
  CHECK(score(sure).words > score(other).words);
  CHECK(scores.MostBm25(doubtful) >= score(doubtful).bm25);
}

TEST_CASE("a choice that is doubtful counts less, and later, than any other, and makes no title") {
  const WordScores scores =
      ScoresOf({{.choice = 1}, {.choice = 1, .is_doubtful = true}}, {kCut, kRate}, 1);
  const std::array doubtful = {Times(0), Times(3, 0, true)}, sure = {Times(1, 60), Times(0)};
  const Match less = scores.Score(1, doubtful, {.words = 10, .title_terms = 1}),
              more = scores.Score(2, sure, {.words = 10});
  CHECK(less.words > 0);
  CHECK(less.words < more.words);
  CHECK(less.opening < more.opening);
  CHECK_FALSE(less.is_title);
  const std::array both = {Times(1, 60), Times(3, 0)};
  CHECK(scores.Score(3, both, {.words = 10}).opening == more.opening);
}

TEST_CASE(
    "no row of any size has more bm25 than is said of its words, and one without words has that") {
  const WordScores scores = ScoresOf({{}, {.weight = 0.5}, {}}, {kRate, kCut, 700});
  for (const double times : {1.0, 2.0, 50.0}) {
    const std::array found = {Times(times), Times(1), Times(3 * times)};
    const double most = scores.MostBm25(found);
    for (const double size : {1.0, 10.0, 1e6}) CHECK(scores.Score(1, found, {size}).bm25 < most);
    CHECK(scores.Score(1, found, {0}).bm25 == doctest::Approx(most));
  }
  CHECK(scores.MostBm25(std::array{Times(0), Times(0), Times(0)}) == 0);
  CHECK(scores.ShareOfRows(2) == doctest::Approx(0.7));
}

TEST_CASE("a title is the question when it has all words and no other") {
  const WordScores scores = ScoresOf({{}, {}}, {kRate, kCut}, 2);
  const std::array both = {Times(1, 0, true), Times(1, 1, true)};
  const std::array elsewhere = {Times(1, 0, true), Times(1, 30, false)};
  CHECK(scores.Score(1, both, {10, 2}).is_title);
  CHECK_FALSE(scores.Score(1, both, {10, 3}).is_title);
  CHECK_FALSE(scores.Score(1, elsewhere, {10, 2}).is_title);
  CHECK_FALSE(ScoresOf({{}, {}}, {kRate, kCut}).Score(1, both, {10, 2}).is_title);

  SUBCASE("of the choices for a word the written one, where there is such a word") {
    // `car` and what begins so: `cars`, `carpet`.
    const std::vector<Phrase> car = {{.choice = 1, .is_whole = true}, {.choice = 1}};
    const std::array written = {Times(1, 0, true), Times(0)};
    const std::array longer = {Times(0), Times(1, 0, true)};
    const WordScores with_whole = ScoresOf(car, {kRate, kCut}, 1);
    CHECK(with_whole.Score(1, written, {10, 1}).is_title);
    CHECK_FALSE(with_whole.Score(1, longer, {10, 1}).is_title);
    const WordScores without = ScoresOf({{.choice = 1}, {.choice = 1}}, {kRate, kCut}, 1);
    CHECK(without.Score(1, longer, {10, 1}).is_title);
  }
}

TEST_CASE("a title begins as a question whose last word is not written to its end") {
  const std::vector<Phrase> phrases(2);
  WordScores scores(phrases, 2, /*title_terms=*/2, /*more_terms=*/3);
  scores.SetTotals(10, 100);
  const std::array first = {Times(1, 0, true), Times(1, 1, true)};
  const std::array within = {Times(1, 1, true), Times(1, 2, true)};
  CHECK(scores.Score(1, first, {10, 2}).is_title);
  CHECK_FALSE(scores.Score(1, first, {10, 2}).begins_title);
  for (const size_t terms : {3, 5}) {
    CHECK(scores.Score(1, first, {10, terms}).begins_title);
    CHECK_FALSE(scores.Score(1, first, {10, terms}).is_title);
    CHECK_FALSE(scores.Score(1, within, {10, terms}).begins_title);
  }
  CHECK_FALSE(scores.Score(1, first, {10, 6}).begins_title);
}

TEST_CASE("empty tables, unknown words and wrong totals give finite scores") {
  for (const double rows : {-3.0, 0.0, 1.0}) {
    for (const double with_it : {0.0, 1.0, 5.0}) {
      CAPTURE(rows);
      CAPTURE(with_it);
      WordScores scores(std::vector<Phrase>{{.frequency = 0.5}}, 1, std::nullopt);
      CHECK_FALSE(scores.is_ready());
      scores.AddRows(0, with_it);
      scores.SetTotals(rows, -5, {}, /*counted_texts=*/1);
      CHECK(scores.is_ready());
      const Match match = scores.Score(1, std::array{Times(1)}, {.words = 0});
      for (const double number : {match.bm25, match.words, match.opening, scores.Share(0)}) {
        CHECK(std::isfinite(number));
        CHECK(number >= 0);
      }
    }
  }
  const WordScores none = ScoresOf({}, {});
  CHECK(none.Score(1, {}, {}).words == 0);
}

}  // namespace s2v::search
