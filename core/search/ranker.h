// The best rows by words and meaning, scored as core/search/fusion.h says.
//
//   Ranker ranker(DefaultWeight(words_of_the_question));
//   for (const Match& match : rows_that_have_words) ranker.Add(match, most);
//   ranker.Order(10);
//   MoveTowards(ranker.Best(kFeedbackRows, &meaning), vector_of, &query);
//   for (const ScoredRow& row : ranker.Best(10, &meaning)) ...
//
// The caller has the rows: WordScores makes a Match of what FTS5 tells of a row, Meaning answers
// from the vectors.
//
// Thread rule: belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/search/fusion.h"
#include "core/search/search.h"
#include "core/search/word_scores.h"

namespace s2v::search {

struct ScoredRow {
  int64_t rowid = 0;
  double score = 0;
};

// What a score is the sum of. feedback: what the best rows moved of the similarity.
struct ScoreParts {
  double bm25 = 0, opening = 0, meaning = 0, feedback = 0;
};

// The vectors' side of a question.
class Meaning {
 public:
  virtual ~Meaning() = default;
  // To the question as it stands; nothing where the row has no vector.
  virtual std::optional<double> Similarity(int64_t rowid) = 0;
  // Of all rows that may be an answer, or of some of them, the best first; fewer than k: there are
  // no others. among: nullptr: all.
  virtual std::vector<Hit> Nearest(uint64_t k, const RowSet* among) = 0;
};

class Ranker {
 public:
  explicit Ranker(double weight) : fusion_{.weight = weight} {}
  // When there are `most` matches, keeps the half that is best by words; the other rows count as if
  // they had no word. They lose little: the cube of a share that is small if so many rows are
  // better.
  void Add(const Match& match, size_t most);
  // When all are added. k: how many rows will be asked for.
  void Order(uint64_t k);
  // nullptr where no word matches. REQUIRES: Order.
  const Match* Find(int64_t rowid) const;
  // The k best rows. meaning: nullptr where the question has none. REQUIRES: Order.
  std::vector<ScoredRow> Best(uint64_t k, Meaning* meaning);
  // similarity: to the question alone.
  ScoreParts Parts(const ScoredRow& row, std::optional<double> similarity) const;

 private:
  void OrderBest(size_t count);

  Fusion fusion_;
  std::vector<Match> matches_;  // by rowid, from Order on
  std::vector<uint32_t> best_;  // places in matches_: those that count most, the best first
};

// The question's vector towards what the best rows have in common. vector_of: [dimension of the
// query], good until it is called again; nullptr where the row has none.
void MoveTowards(std::span<const ScoredRow> best,
                 const std::function<const float*(int64_t rowid)>& vector_of,
                 std::vector<float>* query);

}  // namespace s2v::search
