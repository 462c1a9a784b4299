#include "sql/index_search.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/search/fusion.h"
#include "sql/index_source.h"
#include "sql/index_words.h"
#include "sql/index_writer.h"

namespace s2v {
namespace {

using search::Hit;

// So many rows in the log are compared one by one at each question rather than written.
constexpr size_t kFewPending = 64;
// Embeddings of the log's rows that are kept.
constexpr size_t kMostKept = 100000;
// As many rows, at least, are looked at by meaning and by words each before both are put together.
constexpr uint64_t kLeastCandidates = 200;
// A filter of so few rows is scored row by row.
constexpr size_t kFewAllowed = 4096;

std::vector<int64_t> LoggedRows(sqlite3* db, const IndexDefinition& index) {
  std::vector<int64_t> rows;
  Statement select(db, "SELECT row FROM " + index.Part("log"));
  while (select.Step()) rows.push_back(select.Int(0));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// Takes the log into the index, where that can be done at once. A failure leaves all as it was.
bool TrySync(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  if (sqlite3_db_readonly(db, index.schema.c_str()) != 0) return false;
  if (sqlite3_get_autocommit(db) == 0 &&
      sqlite3_txn_state(db, index.schema.c_str()) != SQLITE_TXN_WRITE) {
    return false;  // the transaction of somebody who only reads
  }
  // SQLite asks nobody to wait where a statement that reads begins to write; but at the end of a
  // transaction without WAL it waits for readers, as long as the connection's time-out says.
  int64_t timeout = 0;
  {
    Statement select(db, "PRAGMA busy_timeout");
    if (select.Step()) timeout = select.Int(0);
  }
  bool done = false;
  try {
    Savepoint savepoint(db);
    SyncIndex(db, index, memory);
    if (timeout > 0) sqlite3_busy_timeout(db, 0);
    done = savepoint.TryRelease();
  } catch (const SqlError& error) {
    const int code = error.primary_code();
    const bool is_passing = code == SQLITE_BUSY || code == SQLITE_LOCKED ||
                            code == SQLITE_READONLY || code == SQLITE_FULL || code == SQLITE_AUTH ||
                            code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_PERM;
    if (timeout > 0) sqlite3_busy_timeout(db, static_cast<int>(timeout));
    if (!is_passing) throw;
    return false;
  } catch (const InvalidArgument&) {
    return false;  // inside a statement that writes; or the question itself will say it
  }
  if (timeout > 0) sqlite3_busy_timeout(db, static_cast<int>(timeout));
  return done;
}

// The question's vectors, the log's, and what has been found.
class Answering {
 public:
  Answering(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
            const IndexQuestion& question)
      : db_(db),
        index_(index),
        memory_(memory),
        question_(question),
        source_(db, index, &memory->kept, &memory->files) {
    if (memory->kept.size() > kMostKept || memory->kept_model != index.model_hash)
      memory->kept.clear();
    memory->kept_model = index.model_hash;
  }

  std::vector<IndexAnswer> Run(Ranking ranking) {
    const bool by_words = ranking != Ranking::kMeaning && question_.text.has_value();
    if (by_words) words_ = MakeWordsQuery(index_, *question_.text);
    const bool has_vector = FindQuery(ranking);
    std::vector<Hit> near;
    if (has_vector && ranking != Ranking::kWords) {
      near = Nearest(ranking == Ranking::kBoth ? Candidates() : question_.k);
    }
    std::vector<IndexAnswer> answers;
    if (by_words) FindWords(near, &answers);
    AddMeaning(near, has_vector, &answers);
    if (ranking == Ranking::kBoth) {
      ScoreByBoth(has_vector, &answers);
    } else {
      for (IndexAnswer& answer : answers) {
        answer.score = (ranking == Ranking::kMeaning ? answer.similarity : answer.bm25).value_or(0);
      }
    }
    Sort(&answers);
    if (answers.size() > question_.k) answers.resize(question_.k);
    return answers;
  }

 private:
  uint64_t Candidates() const {
    return std::max(kLeastCandidates, question_.k < UINT64_MAX / 2 ? 2 * question_.k : question_.k);
  }

  // Sets query_, opens the store and reads the log. False where the question has no direction, or there is no vector.
  bool FindQuery(Ranking ranking) {
    if (index_.dimension == 0) return false;
    if (question_.text) {
      // By words alone, the similarity is a courtesy.
      if (ranking == Ranking::kWords && !index_.of_vectors &&
          source_.Model().info().hash != index_.model_hash) {
        return false;
      }
      CheckModel(index_, &source_);
      if (source_.Model().info().shape.dimension != index_.dimension) {
        throw InvalidArgument("model '" + source_.Model().info().name + "' has dimension " +
                              std::to_string(source_.Model().info().shape.dimension) +
                              ", the index " + std::to_string(index_.dimension) +
                              "; give a vector, or make the index with model = "
                              "name");
      }
      const float* vector = source_.Embed(*question_.text);
      if (vector == nullptr) return false;
      query_.assign(vector, vector + index_.dimension);
    } else {
      CheckModel(index_, &source_);
      if (question_.vector.size() != index_.dimension) {
        throw InvalidArgument("the vector has " + std::to_string(question_.vector.size()) +
                              " dimensions, the index " + std::to_string(index_.dimension));
      }
      query_ = question_.vector;
      if (!Normalize(query_.data(), index_.dimension, simd::BestKernels())) return false;
    }
    store_.emplace(db_, index_, memory_);
    ReadPending();
    return true;
  }

  void ReadPending() {
    const std::vector<int64_t> rows = LoggedRows(db_, index_);
    if (rows.empty()) memory_->kept.clear();
    pending_.insert(rows.begin(), rows.end());
  }

  class NotPending : public search::RowFilter {
   public:
    explicit NotPending(const Answering& answering) : answering_(answering) {}
    bool Allows(int64_t rowid) const override {
      return !answering_.pending_.contains(rowid) && (answering_.question_.allowed == nullptr ||
                                                      answering_.question_.allowed->Allows(rowid));
    }

   private:
    const Answering& answering_;
  };

  bool IsAllowed(int64_t rowid) const {
    return question_.allowed == nullptr || question_.allowed->Allows(rowid);
  }

  // To query_; nothing where the row has no vector.
  std::optional<double> Similarity(int64_t rowid) {
    if (!pending_.contains(rowid)) return store_->Similarity(query_.data(), rowid);
    const float* vector = source_.Vector(rowid);
    if (vector == nullptr) return std::nullopt;
    return simd::BestKernels().dot(query_.data(), vector, index_.dimension);
  }
  // False where the row has none.
  bool Vector(int64_t rowid, float* vector) {
    if (!pending_.contains(rowid)) return store_->ReadVector(rowid, vector);
    const float* found = source_.Vector(rowid);
    if (found != nullptr) std::copy_n(found, index_.dimension, vector);
    return found != nullptr;
  }

  std::vector<Hit> Nearest(uint64_t k) {
    const search::RowSet* allowed = question_.allowed;
    k = std::min(k, store_->lists().TotalRows() + pending_.size());
    if (allowed != nullptr && allowed->size() <= kFewAllowed) {
      search::TopHits hits(k);
      for (const int64_t rowid : allowed->Rowids()) {
        if (const auto similarity = Similarity(rowid)) hits.Add({rowid, *similarity});
      }
      return hits.Take();
    }
    const NotPending filter(*this);
    search::SearchOptions options;
    if (allowed != nullptr || !pending_.empty()) options.filter = &filter;
    for (;; options.effort *= 8) {
      search::Search search(store_->space(), store_->lists(), query_.data(), k, options);
      for (const int64_t rowid : pending_) {
        if (!IsAllowed(rowid)) continue;
        if (const auto similarity = Similarity(rowid)) search.Score(rowid, *similarity);
      }
      while (const auto at = search.NextList()) {
        for (const search::Block& block : store_->Blocks(store_->lists().id(*at)))
          search.Scan(block);
      }
      while (const auto rowid = search.NextCandidate()) {
        if (const auto similarity = store_->Similarity(query_.data(), *rowid)) {
          search.Score(*rowid, *similarity);
        } else if (!index_.of_vectors) {
          ThrowDamaged(index_, "row", *rowid);  // it has a code
        }
      }
      if (!search.IsDoubtful()) return search.Hits();
    }
  }

  // The best by words, and those of `near` that match.
  void FindWords(const std::vector<Hit>& near, std::vector<IndexAnswer>* answers) {
    if (words_.expression.empty()) return;
    std::unordered_map<int64_t, double> near_bm25;
    for (const Hit& hit : near) near_bm25[hit.rowid] = -1;
    search::TopHits best(Candidates());
    ForEachMatch(db_, index_, words_.expression, [&](int64_t rowid, double bm25) {
      if (!IsAllowed(rowid)) return;
      best.Add({rowid, bm25});
      const auto at = near_bm25.find(rowid);
      if (at != near_bm25.end()) at->second = bm25;
    });
    for (const Hit& hit : best.Take()) {
      answers->push_back({.rowid = hit.rowid, .similarity = {}, .bm25 = hit.similarity});
      near_bm25.erase(hit.rowid);
    }
    for (const auto& [rowid, bm25] : near_bm25) {
      if (bm25 >= 0) answers->push_back({.rowid = rowid, .similarity = {}, .bm25 = bm25});
    }
  }

  void AddMeaning(const std::vector<Hit>& near, bool has_vector,
                  std::vector<IndexAnswer>* answers) {
    std::unordered_map<int64_t, double> left;
    for (const Hit& hit : near) left[hit.rowid] = hit.similarity;
    for (IndexAnswer& answer : *answers) {
      const auto at = left.find(answer.rowid);
      if (at != left.end()) {
        answer.similarity = at->second;
        left.erase(at);
      } else if (has_vector) {
        answer.similarity = Similarity(answer.rowid);
      }
    }
    for (const auto& [rowid, similarity] : left) {
      answers->push_back({.rowid = rowid, .similarity = similarity, .bm25 = {}});
    }
  }

  static void Sort(std::vector<IndexAnswer>* answers) {
    std::sort(answers->begin(), answers->end(), [](const IndexAnswer& a, const IndexAnswer& b) {
      return a.score != b.score ? a.score > b.score : a.rowid < b.rowid;
    });
  }

  // similarities: [answers]
  void Fuse(const std::vector<std::optional<double>>& similarities,
            std::vector<IndexAnswer>* answers) const {
    std::vector<search::Evidence> evidence;
    for (size_t i = 0; i < answers->size(); i++)
      evidence.push_back({similarities[i], (*answers)[i].bm25});
    const std::vector<double> scores =
        search::FusedScores(evidence, index_.weight.value_or(search::DefaultWeight(words_.words)));
    for (size_t i = 0; i < scores.size(); i++) (*answers)[i].score = scores[i];
  }

  // In two rounds, as core/search/fusion.h says.
  void ScoreByBoth(bool has_vector, std::vector<IndexAnswer>* answers) {
    std::vector<std::optional<double>> similarities;
    for (const IndexAnswer& answer : *answers) similarities.push_back(answer.similarity);
    Fuse(similarities, answers);
    if (!has_vector) return;
    Sort(answers);
    std::vector<float> mean(index_.dimension), vector(index_.dimension);
    for (size_t i = 0; i < std::min(answers->size(), search::kFeedbackRows); i++) {
      if (!Vector((*answers)[i].rowid, vector.data())) continue;
      simd::BestKernels().axpy(mean.data(), 1, vector.data(), mean.size());
    }
    if (!Normalize(mean.data(), index_.dimension, simd::BestKernels())) return;
    simd::BestKernels().axpy(query_.data(), search::kFeedback, mean.data(), mean.size());
    if (!Normalize(query_.data(), index_.dimension, simd::BestKernels())) return;
    similarities.clear();
    for (const IndexAnswer& answer : *answers) {
      similarities.push_back(answer.similarity ? Similarity(answer.rowid) : std::nullopt);
    }
    Fuse(similarities, answers);
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  const IndexQuestion& question_;
  IndexSource source_;
  std::optional<IndexStore> store_;
  std::vector<float> query_;
  std::unordered_set<int64_t> pending_;  // rows in the log
  WordsQuery words_;
};

}  // namespace

std::vector<IndexAnswer> SearchIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                                     const IndexQuestion& question) {
  Ranking ranking =
      question.ranking.value_or(given.words && question.text ? Ranking::kBoth : Ranking::kMeaning);
  if (ranking != Ranking::kMeaning && !given.words) {
    throw InvalidArgument("'" + given.name +
                          "' has no words (words = off); it can be asked by meaning");
  }
  if (ranking == Ranking::kWords && !question.text) {
    throw InvalidArgument("a vector has no words; ask by meaning, or give a text");
  }
  if (ranking == Ranking::kBoth && !question.text) ranking = Ranking::kMeaning;
  if (question.k == 0) return {};
  if (LoggedRows(db, given).size() > kFewPending && TrySync(db, given, memory)) {
    const IndexDefinition index = ReadIndexDefinition(db, given.schema, given.name);
    return Answering(db, index, memory, question).Run(ranking);
  }
  return Answering(db, given, memory, question).Run(ranking);
}

}  // namespace s2v
