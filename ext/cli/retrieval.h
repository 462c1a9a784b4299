// The retrieval check on a sample of a table (core/eval/ranking.h), for `s2v eval self` and `s2v
// report`.
//
//   EvalFile sample;
//   SplitTable(db, origin, seed, 2000, [&](std::string_view text) { tfidf.AddText(text); },
//              &status, &sample);
//   HalfRetrieval halves(tokenizer, sample.sentences, &status);
//   halves.Measure(&tfidf);
//   Print(halves.outcomes());
//
// BM25 of SQLite's own full-text search, the rival that every user of SQLite has already: FTS5 with
// tokenize='porter unicode61' in a temporary table, of which a connection has one.
//
//   FullText full_text(db);                               // REQUIRES: FullText::Available(db)
//   for (const std::string& text : texts) full_text.Add(text);
//   Scores scores;
//   full_text.Search("rate cuts hit lenders", &scores);   // any of the words
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "core/eval/ranking.h"
#include "ext/cli/eval.h"
#include "ext/cli/progress.h"
#include "sql/corpus_origin.h"
#include "sql/statement.h"

namespace s2v {

class FullText {
 public:
  static bool Available(sqlite3* db);
  explicit FullText(sqlite3* db);
  void Add(std::string_view text);
  // bm25 with its sign turned, so that larger is better; 0 where no word matches. Returns how many
  // different words were asked for.
  size_t Search(std::string_view query, Scores* scores);

 private:
  Statement insert_, select_;
  int64_t texts_ = 0;
};

// Draws at most wanted rows, and at most a tenth of the table, into *sample; visit gets the texts
// of the others, in the table's order. Reads the table twice, so inside a transaction. Returns the
// number of texts; throws InvalidArgument where there are too few.
uint64_t SplitTable(sqlite3* db, const CorpusOrigin& origin, uint64_t seed, uint64_t wanted,
                    const std::function<void(std::string_view)>& visit, StatusLine* status,
                    EvalFile* sample);

struct RetrievalOutcome {
  std::string encoder;
  std::optional<RetrievalScore> score;  // nothing where it could not be measured
};

class HalfRetrieval {
 public:
  // tokenizer and status must outlive it.
  HalfRetrieval(const Tokenizer& tokenizer, std::span<const std::string> texts, StatusLine* status);

  // Each appends its outcomes.
  void Measure(SentenceEncoder* encoder);
  // model and model-raw.
  void MeasureModel(const EmbeddingShape& shape, FeatureSource* source);
  // bm25, which cannot be measured without FTS5.
  void MeasureFullText(sqlite3* db);

  // Texts that are long enough to be cut.
  size_t queries() const { return firsts_.size(); }
  // Whether there are enough of them to measure anything.
  bool enough() const { return queries() >= 2; }
  const std::vector<RetrievalOutcome>& outcomes() const { return outcomes_; }

 private:
  StatusLine* status_;
  std::vector<std::string> firsts_, seconds_;  // [queries]
  std::vector<RetrievalOutcome> outcomes_;
};

}  // namespace s2v
