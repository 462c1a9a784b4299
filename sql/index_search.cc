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

// Up to this number of rows in the log are compared one by one at each question rather than written.
constexpr size_t kFewPending = 64;
// Embeddings of the log's rows that are kept.
constexpr size_t kMostKept = 100000;
// By words and meaning: of the rows that words find the best kMostByWords are kept, at least twice as many as are
// asked for. The nearest by meaning are searched if the match kFewByWords behind the k-th could still win.
constexpr uint64_t kMostByWords = 1000, kFewByWords = 300;
// Vectors that are kept for the other rounds.
constexpr size_t kMostVectors = 10000;
// A filter is scored row by row if it has at most kFewAllowed rows and one for kRowsForOneAllowed of the index.
constexpr size_t kFewAllowed = 500, kRowsForOneAllowed = 250;

std::vector<int64_t> LoggedRows(sqlite3* db, const IndexDefinition& index) {
  std::vector<int64_t> rows;
  Statement select(db, "SELECT DISTINCT row FROM " + index.Part("log"));
  while (select.Step()) rows.push_back(select.Int(0));
  return rows;
}

// VACUUM gives the rows of a table without INTEGER PRIMARY KEY other rowids, and runs no trigger. The last row that is
// indexed is then no longer there.
void CheckRowids(sqlite3* db, const IndexDefinition& index, const std::vector<int64_t>& logged) {
  const std::string last =
      index.words ? "SELECT rowid AS id FROM " + index.Part("words") + " ORDER BY 1 DESC LIMIT 1"
                  : "SELECT max(id) AS id FROM " + index.Part("row");
  Statement gone(db, "SELECT id FROM (" + last + ") WHERE id NOT IN (SELECT " +
                         QuoteName(index.rowid) + " FROM " + index.Source() + ")");
  if (!gone.Step()) return;
  if (!index.words && std::find(logged.begin(), logged.end(), gone.Int(0)) != logged.end()) return;
  throw InvalidArgument(
      "'" + index.name + "' knows rows of '" + index.table +
      "' by other rowids: VACUUM changes those of a table without INTEGER PRIMARY KEY. Make the index anew: "
      "INSERT INTO " + QuoteName(index.name) + "(" + QuoteName(index.name) + ") VALUES('rebuild')");
}

// Takes the log into the index, where that can be done at once. A failure leaves all as it was.
bool TrySync(sqlite3* db, const IndexDefinition& index, IndexMemory* memory) {
  if (sqlite3_db_readonly(db, index.schema.c_str()) != 0) return false;
  if (sqlite3_get_autocommit(db) == 0 &&
      sqlite3_txn_state(db, index.schema.c_str()) != SQLITE_TXN_WRITE) {
    return false;  // the transaction of somebody who only reads
  }
  try {
    Savepoint savepoint(db);
    SyncIndex(db, index, memory);
    // SQLite asks nobody to wait where a statement that reads begins to write; but at the end of a
    // transaction without WAL it waits for readers, as long as the connection's time-out says.
    const auto wait = ShortenWait(db, 0);
    return savepoint.TryRelease();
  } catch (const SqlError& error) {
    constexpr int kPassing[] = {SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_FULL,
                                SQLITE_AUTH, SQLITE_IOERR,  SQLITE_CANTOPEN, SQLITE_PERM};
    if (std::ranges::count(kPassing, error.primary_code()) == 0) throw;
  } catch (const InvalidArgument&) {
    // Inside a statement that writes; or the question itself will say it.
  }
  return false;
}

// The question's vector, the rows in the log, the matches of its words, and what has been read of rows.
class Answering {
 public:
  // logged: as LoggedRows.
  Answering(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
            const IndexQuestion& question, std::vector<int64_t> logged)
      : db_(db),
        index_(index),
        memory_(memory),
        question_(question),
        source_(db, index, &memory->kept, &memory->files),
        pending_(std::move(logged)) {
    if (memory->kept.size() > kMostKept || memory->kept_model != index.model_hash ||
        pending_.size() == 0) {
      memory->kept.clear();
    }
    memory->kept_model = index.model_hash;
  }

  std::vector<IndexAnswer> Run(Ranking ranking) {
    has_vector_ = FindQuery(ranking);
    if (ranking != Ranking::kMeaning) FindMatches(ranking);
    if (ranking == Ranking::kBoth) return ByBoth();
    std::vector<IndexAnswer> answers;
    if (ranking == Ranking::kWords) {
      for (const Hit& match : best_matches_) {
        if (answers.size() == question_.k) break;
        const auto similarity = has_vector_ ? Similarity(match.rowid) : std::nullopt;
        answers.push_back({match.rowid, match.similarity, similarity, match.similarity});
      }
    } else if (has_vector_) {
      for (const Hit& hit : Nearest(question_.k)) {
        answers.push_back({hit.rowid, hit.similarity, hit.similarity, {}});
      }
    }
    return answers;
  }

 private:
  // Sets query_ and opens the store. False where the question has no direction, or there is no vector.
  bool FindQuery(Ranking ranking) {
    if (index_.dimension == 0) return false;
    if (question_.text) {
      const ModelInfo& info = source_.Model().info();
      // By words alone, the similarity is a courtesy.
      if (ranking == Ranking::kWords && !index_.of_vectors && info.hash != index_.model_hash) {
        return false;
      }
      CheckModel(index_, &source_);
      if (info.shape.dimension != index_.dimension) {
        throw InvalidArgument("model '" + info.name + "' has dimension " +
                              std::to_string(info.shape.dimension) + ", the index " +
                              std::to_string(index_.dimension) +
                              "; give a vector, or make the index with model = name");
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
    return true;
  }

  bool IsAllowed(int64_t rowid) const {
    return question_.allowed == nullptr || question_.allowed->Contains(rowid);
  }

  // To query_; nothing where the row has no vector.
  std::optional<double> Similarity(int64_t rowid) {
    if (!pending_.Contains(rowid)) return store_->Similarity(query_.data(), rowid);
    const float* vector = source_.Vector(rowid);
    if (vector == nullptr) return std::nullopt;
    return simd::BestKernels().dot(query_.data(), vector, index_.dimension);
  }
  // A row's vector, of length 1, kept for the other rounds; nullptr where it has none.
  const float* Vector(int64_t rowid) {
    if (vectors_.size() >= kMostVectors) vectors_.clear();
    const auto [at, is_new] = vectors_.try_emplace(rowid);
    std::vector<float>& vector = at->second;
    if (!is_new) return vector.empty() ? nullptr : vector.data();
    vector.resize(index_.dimension);
    if (pending_.Contains(rowid)) {
      const float* found = source_.Vector(rowid);
      vector.assign(found, found == nullptr ? found : found + index_.dimension);
    } else if (!store_->ReadVector(rowid, vector.data())) {
      vector.clear();
    }
    return vector.empty() ? nullptr : vector.data();
  }

  std::vector<Hit> Nearest(uint64_t k) {
    const search::RowSet* allowed = question_.allowed;
    const uint64_t rows = store_->lists().TotalRows();
    k = std::min(k, rows + pending_.size());
    if (allowed != nullptr && allowed->size() <= kFewAllowed + rows / kRowsForOneAllowed) {
      search::TopHits hits(k);
      for (const int64_t rowid : allowed->Rowids()) {
        if (const auto similarity = Similarity(rowid)) hits.Add({rowid, *similarity});
      }
      return hits.Take();
    }
    search::SearchOptions options{.allowed = allowed};
    if (pending_.size() > 0) options.left_out = &pending_;
    for (;; options.effort *= 8) {
      search::Search search(store_->space(), store_->lists(), query_.data(), k, options);
      for (const int64_t rowid : pending_.Rowids()) {
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

  void FindMatches(Ranking ranking) {
    WordsQuery words = MakeWordsQuery(index_, *question_.text);
    fusion_.weight = index_.weight.value_or(search::DefaultWeight(words.words));
    if (ranking == Ranking::kBoth) LeaveOutCommonWords(db_, index_, &words);
    search::TopHits best(std::max(kMostByWords, std::min(question_.k, UINT64_MAX / 2) * 2));
    ForEachMatch(db_, index_, words, [&](const WordsMatch& match) {
      if (!IsAllowed(match.rowid)) return;
      matches_.push_back(match);
      best.Add({match.rowid, match.bm25});
    });
    best_matches_ = best.Take();
    if (!best_matches_.empty()) fusion_.most_bm25 = best_matches_[0].similarity;
  }

  // nullptr where no word matches.
  const WordsMatch* Match(int64_t rowid) const {
    const auto at = std::ranges::lower_bound(matches_, rowid, {}, &WordsMatch::rowid);
    return at == matches_.end() || at->rowid != rowid ? nullptr : &*at;
  }
  double WordsScore(int64_t rowid) const {
    const WordsMatch* match = Match(rowid);
    return match == nullptr ? 0 : fusion_.Words(match->bm25, match->opening);
  }
  // Turns best_matches_ from bm25 to what words count beside meaning.
  void ScoreMatches() {
    if (best_matches_.size() > search::kOpeningRows) {
      const Hit last = best_matches_[search::kOpeningRows - 1];
      for (WordsMatch& match : matches_) {
        if (search::IsBetter(last, {match.rowid, match.bm25})) match.opening = 0;
      }
    }
    for (Hit& match : best_matches_) match.similarity = WordsScore(match.rowid);
    std::sort(best_matches_.begin(), best_matches_.end(), search::IsBetter);
  }

  // In two rounds, as core/search/fusion.h says.
  std::vector<IndexAnswer> ByBoth() {
    ScoreMatches();
    const std::vector<float> asked = query_;
    if (has_vector_) AddFeedback(BestByBoth(search::kFeedbackRows));
    std::vector<IndexAnswer> answers;
    for (const Hit& hit : BestByBoth(question_.k)) {
      const WordsMatch* match = Match(hit.rowid);
      answers.push_back({hit.rowid, hit.similarity, VectorSimilarity(asked, hit.rowid),
                         match == nullptr ? std::nullopt : std::optional(match->bm25)});
    }
    return answers;
  }

  // The k best rows by score (threshold algorithm: Fagin, Lotem and Naor 2001). What a row may have that was not
  // looked at is bounded: what its words count by the next match, its similarity by that of the last of the nearest.
  std::vector<Hit> BestByBoth(size_t k) {
    search::TopHits best(k);
    std::unordered_set<int64_t> seen;
    const auto look = [&](int64_t rowid, double words) {
      if (seen.insert(rowid).second) {
        best.Add({rowid, fusion_.Score(VectorSimilarity(query_, rowid), words)});
      }
    };
    const auto words_of = [&](size_t at) {
      return at < best_matches_.size() ? best_matches_[at].similarity : 0;
    };
    size_t at = 0;
    for (; at < std::min(k, best_matches_.size()); at++) look(best_matches_[at].rowid, words_of(at));
    double most = 1;
    if (!has_vector_) {
      most = 0;
    } else if (fusion_.Score(most, words_of(at + kFewByWords)) > best.Bar()) {
      const std::vector<Hit> near = Nearest(k);
      for (const Hit& hit : near) look(hit.rowid, WordsScore(hit.rowid));
      most = near.size() < k ? 0 : std::max(0.0, near.back().similarity);
    }
    for (; at < best_matches_.size() && fusion_.Score(most, words_of(at)) > best.Bar(); at++) {
      look(best_matches_[at].rowid, words_of(at));
    }
    return best.Take();
  }

  std::optional<double> VectorSimilarity(const std::vector<float>& query, int64_t rowid) {
    const float* vector = has_vector_ ? Vector(rowid) : nullptr;
    if (vector == nullptr) return std::nullopt;
    const double dot = simd::BestKernels().dot(query.data(), vector, query.size());
    return std::min(1.0, std::max(-1.0, dot));
  }

  // Towards what the best rows have in common.
  void AddFeedback(const std::vector<Hit>& best) {
    const simd::Kernels& kernels = simd::BestKernels();
    std::vector<float> mean(query_.size()), moved = query_;
    for (const Hit& hit : best) {
      if (const float* vector = Vector(hit.rowid))
        kernels.axpy(mean.data(), 1, vector, mean.size());
    }
    if (!Normalize(mean.data(), mean.size(), kernels)) return;
    kernels.axpy(moved.data(), search::kFeedback, mean.data(), mean.size());
    if (Normalize(moved.data(), moved.size(), kernels)) query_ = std::move(moved);
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  IndexMemory* memory_;
  const IndexQuestion& question_;
  IndexSource source_;
  std::optional<IndexStore> store_;
  bool has_vector_ = false;  // the question, and query_ is set
  std::vector<float> query_;
  const search::RowSet pending_;  // rows in the log
  search::Fusion fusion_;
  std::vector<WordsMatch> matches_;  // by rowid
  std::vector<Hit> best_matches_;    // by bm25, and with it as similarity, until ScoreMatches
  std::unordered_map<int64_t, std::vector<float>> vectors_;
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
  const std::vector<int64_t> logged = LoggedRows(db, given);
  CheckRowids(db, given, logged);
  if (logged.size() > kFewPending && TrySync(db, given, memory)) {
    const IndexDefinition index = ReadIndexDefinition(db, given.schema, given.name);
    return Answering(db, index, memory, question, LoggedRows(db, index)).Run(ranking);
  }
  return Answering(db, given, memory, question, logged).Run(ranking);
}

}  // namespace s2v
