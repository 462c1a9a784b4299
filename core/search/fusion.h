// Words and meaning in one score.
//
//   const Fusion fusion{.weight = DefaultWeight(words_of_the_question), .most_words = 8.2};
//   fusion.Score(/*similarity=*/0.71, fusion.Words(/*words=*/8.2, /*opening=*/0.4));
//
//   score = (words / largest words of all)^3 + kOpening * opening + weight * similarity
//           + what a title that was asked for gains
//
// words: bm25, but how much the length of rows counts follows the question (LengthShare). A few
// words ask what rows say of something, and a longer row may say more of it. A question as long as
// the rows is itself such a row, a bug report or a patient's question: what is like it is about as
// long.
//
// Bursts: where the model was trained on these rows, and so knows how often a word is met in them,
// the word counts in `words` times the square root of its WordBurst (core/model/feature.h).
//
// Scores are put together, not ranks: how much better the first row is than the second is what
// tells whether to believe it. The power keeps the words' first rows apart, and leaves the order of
// the many rows that share a frequent word or two to meaning. What a row lacks counts nothing. A
// question of few words names what it looks for, and its vector is of few words; so meaning counts
// more the longer the question is.
//
// Openings: what a text is about it mostly says at once. Of the kOpeningRows best rows by words,
// and those that have as much as the last of them, those gain that have the most words of the
// question, rare ones above all, and have them early:
//
//   opening = sum of value(w) * e^(-words before w's first place / kOpeningWords) / sum of value(w)
//             + kAllWords * (share of the question's words that the row has)^kAllWordsPower
//   value(w) = log((rows + 1) / (rows with w + 1/2))^1.5, 0 where no row has w
//
// Of more rows, those with one rare word would push others out of the first hundred; but all rows
// with all of the question's words have one. A question of one word has no second part.
//
// Feedback (Rocchio 1971): what the best rows of a first round have in common says more of what is
// looked for than the question alone. In a second round similarities are those to
//
//   q' = q + kFeedback * (mean of the first kFeedbackRows rows, of length 1)
//
// Chosen on nine judged collections: docs/tried.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "core/model/feature.h"

namespace s2v::search {

inline constexpr size_t kFeedbackRows = 5;
inline constexpr float kFeedback = 0.5f;
inline constexpr size_t kOpeningRows = 40;
inline constexpr double kOpening = 2, kOpeningWords = 40;
inline constexpr double kAllWords = 0.2, kAllWordsPower = 3;
// Parts of words (core/text/word_parts.h) count as words do, times kPartWeight. Chosen on
// six collections in six languages: docs/languages.md.
inline constexpr double kPartWeight = 0.5;
// Where nothing else tells forms of a word, since the tokenizer leaves words as they are.
inline constexpr double kPartWeightWithoutStems = 1;
// What ends an English word says less (core/text/english_tokenizer.cc).
inline constexpr double kEnglishEndWeight = 0.25;

// words: different ones of the question.
inline double DefaultWeight(size_t words) {
  return 0.15 * static_cast<double>(std::min<size_t>(words, 10));
}

inline double WordValue(double rows, double rows_with_it) {
  if (rows_with_it == 0) return 0;
  return std::pow(std::max(0.0, std::log((rows + 1) / (rows_with_it + 0.5))), 1.5);
}

// bm25 as FTS5 computes it, all columns alike, is the sum of InverseRows * TimesInRow of each word
// with kFts5LengthShare, which is BM25's constant b; `words` has LengthShare in its place.
inline constexpr double kFts5LengthShare = 0.75;
// words: different ones of the question. mean_size: words of a row.
inline double LengthShare(size_t words, double mean_size) {
  return 0.4 + 0.5 * std::min(1.0, static_cast<double>(words) / mean_size);
}
// A word's inverse document frequency.
inline double InverseRows(double rows, double rows_with_it) {
  const double idf = std::log((rows - rows_with_it + 0.5) / (rows_with_it + 0.5));
  return idf > 0 ? idf : 1e-6;
}
// What a word counts in `words` because rows repeat it. times: of the word in all rows.
inline double Burst(double times, double rows, double rows_with_it) {
  return std::sqrt(WordBurst(times, rows, rows_with_it));
}
// What a row has of a word. size: words of the row.
inline double TimesInRow(double times, double size, double mean_size, double length_share) {
  constexpr double k1 = 1.2;
  return times * (k1 + 1) / (times + k1 * (1 - length_share + length_share * size / mean_size));
}
// The share of a word's value that counts where as many terms precede its first place.
inline double OpeningShare(double terms_before) {
  return std::exp(-terms_before / kOpeningWords);
}

struct Fusion {
  double weight = 0;
  double most_words = 0;  // 0: no word matches

  double Words(double words, double opening) const {
    const double share = most_words > 0 ? words / most_words : 0;
    return share * share * share + kOpening * opening;
  }
  // Added where a row's title is the question: more than all that another row may have.
  double Title() const { return 1 + kOpening * (1 + kAllWords) + 2 * weight; }
  // A larger similarity, or more by words, never has a smaller score: whoever looks for the best
  // rows may stop where no row that is left can reach them.
  double Score(std::optional<double> similarity, double words) const {
    return words + weight * similarity.value_or(0);
  }
};

}  // namespace s2v::search
