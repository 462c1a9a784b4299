#include "sql/index_search.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "sql/index_answer_rows.h"
#include "sql/index_common_words.h"
#include "sql/index_limits.h"
#include "sql/index_matches.h"
#include "sql/index_model.h"
#include "sql/index_nearest.h"
#include "sql/index_pending.h"
#include "sql/index_question_text.h"
#include "sql/index_sync.h"
#include "sql/index_terms.h"
#include "sql/index_titles.h"
#include "sql/index_try_write.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

using search::Hit;
using search::TitleLikeness;

// Among so many rows those are looked for that are not alike, if no more are asked for.
constexpr uint64_t kMostAlike = 10000;
// So many titles are read to see whether they are the question, where some of its words are not
// looked for.
constexpr size_t kMostComparedTitles = 500;

// Whether memory has the vectors of half of the rows that count exactly, or the index has none.
bool KeepsMost(const IndexMemory& memory, const IndexDefinition& index, uint64_t pending) {
  const auto kept = std::count_if(memory.kept.begin(), memory.kept.end(),
                                  [](const auto& row) { return row.second.has_vector; });
  return index.dimension == 0 ||
         2 * static_cast<uint64_t>(kept) >= std::min<uint64_t>(pending, kMostExactRows);
}

// As sqlite-vec takes vectors.
bool IsJsonVector(std::string_view text) {
  return text.starts_with('[') && text.ends_with(']') &&
         text.find_first_not_of("[0123456789.eE+-, \n]") == text.npos;
}

// The question's vector, the rows that are pending, the matches of its words, and what has been
// read of rows.
class QuestionSearch : search::Meaning {
 public:
  QuestionSearch(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                 const IndexQuestion& question, Ranking ranking)
      : db_(db),
        index_(index),
        question_(question),
        ranking_(ranking),
        source_(db, index, &memory->files),
        pending_(db, index, memory, &source_),
        rows_(index, question.allowed, &pending_),
        nearest_(db, index, memory, &pending_) {
    changed_ = pending_.UnknownLastRows();
    if (!changed_.empty()) pending_.AddRows(changed_);
    if (question_.text) text_.emplace(db_, index_, &pending_, *question_.text, question_.is_fts5);
    has_vector_ = FindQuery();
    if (ranking_ == Ranking::kMeaning) return;
    words_ = MakeWordsQuery(db_, index_, text_->text(), text_->choices(), text_->other_forms(),
                            has_vector_ ? &source_.embedder().Model() : nullptr);
    LeaveOutCommonWords(db_, index_, WhatToLeaveOut(), &pending_, &words_);
    // Among a part of the rows few may have the others.
    const bool are_all_rows = question_.allowed == nullptr && text_->phrases().empty();
    if (!has_vector_ || !are_all_rows) return;
    const auto [rows, words] = FtsTotals(db_, index_);
    const auto wanted = static_cast<double>(std::max(question_.k, question_.ranked));
    MarkCommonest(rows, words, std::max(kEnoughRows, wanted * kEnoughRowsForOne), &words_.phrases);
  }

  // The k best rows. Each is looked up in the table. If one has changed or vanished and is not
  // pending, the question is asked again with that row as it is now, and for more rows where too
  // few are left. After MostChanged such rows, the others that are found are left out: the index is
  // far behind its table. It is also asked for more rows where too many were left out because they
  // are like better ones.
  std::vector<IndexAnswer> Run() {
    const auto sum = [](uint64_t a, uint64_t b) { return a + std::min(b, UINT64_MAX - a); };
    std::vector<IndexAnswer> answers;
    uint64_t more = question_.max_similar || index_.passages > 0 ? question_.k : 0;
    for (uint64_t ahead = 16;;) {
      const uint64_t wanted = sum(question_.k, more), count = std::max(wanted, question_.ranked);
      answers = Ask(count);
      const bool are_all = answers.size() < count;
      const bool are_ties = index_.passages > 0 && !KeepBestParts(&answers);
      if (answers.size() > wanted) answers.resize(wanted);
      const uint64_t needed = question_.max_similar ? wanted : question_.k;
      const std::vector<int64_t> changed = Changed(answers, needed);
      const bool is_far_behind = changed_.size() + changed.size() > MostChanged(needed);
      if (!changed.empty() && !is_far_behind) {
        NoteChanged(changed);
        if (answers.size() - changed.size() < needed) {
          more = std::max(more, ahead);
          ahead *= 8;
        }
        continue;
      }
      const std::unordered_set<int64_t> left_out(changed.begin(), changed.end());
      std::erase_if(answers, [&](const auto& answer) { return left_out.contains(answer.rowid); });
      if (question_.max_similar) LeaveOutSimilar(&answers);
      const bool are_enough = !are_ties || count >= kMostAnswersCompared;
      const bool are_too_alike = question_.max_similar && wanted >= kMostAlike;
      if (are_all || is_far_behind || are_too_alike ||
          (answers.size() >= question_.k && are_enough))
        break;
      more = sum(more, sum(count, count));
      if (question_.max_similar)
        more = std::min(more, std::max(kMostAlike, question_.k) - question_.k);
    }
    if (answers.size() > question_.k) answers.resize(question_.k);
    for (IndexAnswer& answer : answers) {
      const IndexParts::Place place = source_.ids().At(answer.rowid);
      answer.rowid = place.row;
      answer.part = place.part;
    }
    return answers;
  }

  // Whether all rows that wait count as the table has them.
  bool knows_all() const { return pending_.has_all(); }
  // Rows that are not what was indexed, though the log does not have them.
  const std::vector<int64_t>& changed() const { return changed_; }
  void Prepare(double deadline) {
    if (has_vector_) pending_.Prepare(deadline);
  }
  // Gives away what the question became. REQUIRES: Run; nothing is called afterwards.
  void MoveTo(IndexResult* result) {
    if (has_vector_) result->vector = std::move(asked_);
    // Which model made the vectors of an index of vectors is not known, unless it embedded the
    // question too.
    const bool has_model = has_vector_ && (question_.text || !index_.of_vectors);
    if (has_model) result->model_hash = source_.embedder().Model().info().hash;
    result->words_query = std::move(words_);
    if (!text_) return;
    result->text = text_->text();
    result->phrases = text_->phrases();
    result->choices = text_->choices();
    result->corrections = text_->corrections();
  }

 private:
  LeavingOut WhatToLeaveOut() const {
    if (ranking_ == Ranking::kWords) return LeavingOut::kChoices;
    // Common words alone may be a title.
    return has_vector_ && !index_.HasTitles() ? LeavingOut::kAll : LeavingOut::kUnlessAll;
  }

  // Of each row its best part, and rows with equal scores by their rowids. False where rows that
  // were not asked for may be as good as the k-th one: then more are asked for, up to
  // kMostAnswersCompared.
  bool KeepBestParts(std::vector<IndexAnswer>* answers) {
    const double last = answers->empty() ? 0 : answers->back().score;
    std::unordered_set<int64_t> rows;
    std::unordered_map<int64_t, int64_t> row_of;
    std::erase_if(*answers, [&](const IndexAnswer& answer) {
      const int64_t row = source_.ids().At(answer.rowid).row;
      row_of[answer.rowid] = row;
      return !rows.insert(row).second;
    });
    std::sort(answers->begin(), answers->end(), [&](const IndexAnswer& a, const IndexAnswer& b) {
      return a.score > b.score || (a.score == b.score && row_of[a.rowid] < row_of[b.rowid]);
    });
    if (answers->size() < question_.k) return true;
    const double least = answers->at(question_.k - 1).score;
    // Each of these is looked up in the table, which takes time where rows are long.
    if (!question_.max_similar) answers->resize(question_.k);
    return least > last || last == 0;
  }
  void NoteChanged(const std::vector<int64_t>& changed) {
    std::set<int64_t> rows;
    for (const int64_t id : changed) rows.insert(source_.ids().At(id).row);
    changed_.insert(changed_.end(), rows.begin(), rows.end());
    pending_.AddRows(changed_);
  }

  // Those of the first answers that are not what was indexed, up to the needed-th one that is.
  std::vector<int64_t> Changed(const std::vector<IndexAnswer>& answers, uint64_t needed) {
    std::vector<int64_t> changed;
    for (size_t at = 0; at < answers.size() && at - changed.size() < needed; at++) {
      const IndexAnswer& answer = answers[at];
      if (pending_.Contains(answer.rowid) || looked_up_.contains(answer.rowid)) continue;
      const int64_t rowid = source_.ids().At(answer.rowid).row;
      const std::optional<int64_t> indexed = source_.IndexedHash(rowid);
      const SourceRow* row = source_.Whole(rowid);
      if (row != nullptr && indexed == row->Hash()) {
        looked_up_.insert(answer.rowid);
      } else {
        changed.push_back(answer.rowid);
      }
    }
    return changed;
  }

  void LeaveOutSimilar(std::vector<IndexAnswer>* answers) {
    if (!nearest_.is_open()) return;
    std::vector<float> kept;  // [rows, dimension]
    const auto is_like_a_better_one = [&](const IndexAnswer& answer) {
      const float* vector = nearest_.Vector(answer.rowid);
      if (vector == nullptr) return false;
      for (size_t at = 0; at < kept.size(); at += index_.dimension) {
        if (simd::BestKernels().dot(vector, &kept[at], index_.dimension) > question_.max_similar) {
          return true;
        }
      }
      if (kept.size() < kMostAnswersCompared * index_.dimension) {
        kept.insert(kept.end(), vector, vector + index_.dimension);
      }
      return false;
    };
    std::erase_if(*answers, is_like_a_better_one);
  }

  std::vector<IndexAnswer> Ask(uint64_t k) {
    query_ = asked_;
    // Again each time, since Run may have found further pending rows.
    rows_.Find(changed_.size(), text_ ? &*text_ : nullptr);
    std::vector<IndexAnswer> answers;
    if (ranking_ == Ranking::kBoth) {
      answers = ByBoth(k);
      if (!has_vector_) AddUnranked(k, &answers);
      return answers;
    }
    if (ranking_ == Ranking::kWords) {
      for (const search::Match& match : BestByBm25(k)) {
        const auto similarity =
            has_vector_ ? nearest_.Similarity(query_, match.rowid) : std::nullopt;
        answers.push_back({match.rowid, match.bm25, similarity, match.bm25, match.matched, {}});
      }
      AddUnranked(k, &answers);
    } else if (has_vector_) {
      for (const Hit& hit : nearest_.Find(query_, k, rows_.choice(), /*exact=*/true)) {
        answers.push_back({hit.rowid, hit.similarity, hit.similarity, {}, {}, {}});
      }
    }
    return answers;
  }

  // Rows that have what is required, but none of the words that rank, as with one of many words
  // with a beginning.
  void AddUnranked(uint64_t k, std::vector<IndexAnswer>* answers) {
    if (!rows_.required()) return;
    std::unordered_set<int64_t> ranked;
    for (const IndexAnswer& answer : *answers) ranked.insert(answer.rowid);
    for (const int64_t rowid : InOrderOfRows(rows_.required()->Rowids())) {
      if (answers->size() >= k) return;
      if (ranked.contains(rowid) || !rows_.choice().Contains(rowid)) continue;
      answers->push_back(
          {rowid, 0, has_vector_ ? nearest_.Similarity(query_, rowid) : std::nullopt, {}, {}, {}});
    }
  }

  // What is sorted already where a part is a row.
  std::vector<int64_t> InOrderOfRows(std::vector<int64_t> ids) {
    if (index_.passages == 0) return ids;
    std::vector<std::pair<int64_t, int64_t>> rows;
    for (const int64_t id : ids) rows.emplace_back(source_.ids().At(id).row, id);
    std::sort(rows.begin(), rows.end());
    for (size_t i = 0; i < ids.size(); i++) ids[i] = rows[i].second;
    return ids;
  }

  // Opens the store and sets asked_. False where the question has no direction, or there is no
  // vector.
  bool FindQuery() {
    if (index_.AwaitsModel() && ranking_ == Ranking::kMeaning) {
      throw InvalidArgument(WhyWordsAlone(index_, &source_.embedder()));
    }
    if (index_.dimension == 0) return false;
    return question_.text ? EmbedText() : TakeVector();
  }
  bool EmbedText() {
    // Where rows are ranked by words alone, the similarity does not count; it is only shown.
    const bool by_words = ranking_ == Ranking::kWords;
    if (!by_words) CheckModel(index_, &source_.embedder());
    if (by_words && !source_.embedder().HasModel()) return false;
    const ModelInfo& info = source_.embedder().Model().info();
    const bool is_known = !index_.of_vectors || !index_.model_hash.empty();
    const bool is_other =
        info.shape.dimension != index_.dimension || (is_known && info.hash != index_.model_hash);
    if (by_words && is_other) return false;
    if (index_.of_vectors) CheckReader(db_, index_, info);
    nearest_.Open();
    const float* vector = source_.embedder().Embed(text_->embedded());
    if (vector == nullptr) return false;
    asked_.assign(vector, vector + index_.dimension);
    return true;
  }
  bool TakeVector() {
    CheckModel(index_, &source_.embedder());
    if (IsEmbeddedAtReading(db_, index_) && source_.embedder().HasModel())
      CheckReader(db_, index_, source_.embedder().Model().info());
    if (question_.vector.size() != index_.dimension) {
      throw InvalidArgument("the vector has " + std::to_string(question_.vector.size()) +
                            " dimensions, the index " + std::to_string(index_.dimension) +
                            (index_.of_vectors ? ""
                                               : ", of the model that embeds the texts of '" +
                                                     index_.columns[0] + "'"));
    }
    nearest_.Open();
    asked_ = question_.vector;
    return Normalize(asked_.data(), index_.dimension);
  }

  search::Ranker FindMatches() {
    search::Ranker ranker(index_.weight.value_or(search::DefaultWeight(words_.word_count)));
    size_t compared = 0;
    // Of pago pago each word is looked for once: Pago Bay has it, and is another title.
    const bool has_repeated =
        std::any_of(words_.phrases.begin(), words_.phrases.end(),
                    [](const WordsPhrase& phrase) { return phrase.is_repeated; });
    const TitleLikeness least = has_repeated ? TitleLikeness::kSameWords : TitleLikeness::kUnknown;
    // A title with all words that are looked for may have another one in place of those that are not.
    const bool lacks_words = !words_.left_out.empty();
    const TitleLikeness not_compared =
        lacks_words ? TitleLikeness::kOther : TitleLikeness::kUnknown;
    const auto likeness_of = [&](int64_t rowid) {
      return ++compared <= kMostComparedTitles ? TitleLikenessOf(rowid) : not_compared;
    };
    ForEachMatch(db_, index_, &words_, rows_.choice(), &pending_, [&](search::Match match) {
      if (match.is_title) {
        match.title_likeness = likeness_of(match.rowid);
        match.is_title = match.title_likeness >= least;
      }
      if (match.begins_title && lacks_words)
        match.begins_title = likeness_of(match.rowid) >= TitleLikeness::kUnknown;
      ranker.Add(match, kMostMatches);
    });
    return ranker;
  }

  TitleLikeness TitleLikenessOf(int64_t rowid) {
    const SourceRow* row = source_.Row(rowid);
    if (row == nullptr) return TitleLikeness::kUnknown;
    if (!titles_) titles_.emplace(db_, index_, *text_, words_.left_out);
    return titles_->LikenessOf(row->ColumnText(0));
  }

  std::vector<search::Match> BestByBm25(uint64_t k) {
    search::Top<search::Match, &search::Match::bm25> best(k);
    double bar = best.Bar();
    ForEachMatch(
        db_, index_, &words_, rows_.choice(), &pending_,
        [&](const search::Match& match) {
          best.Add(match);
          bar = best.Bar();
        },
        &bar);
    return best.Take();
  }

  // In two rounds, as core/search/fusion.h says.
  std::vector<IndexAnswer> ByBoth(uint64_t k) {
    search::Ranker ranker = FindMatches();
    ranker.Order(k);
    search::Meaning* meaning = has_vector_ ? this : nullptr;
    if (has_vector_) {
      const auto vector_of = [&](int64_t rowid) { return nearest_.Vector(rowid); };
      search::MoveTowards(ranker.Best(search::kFeedbackRows, meaning), vector_of, &query_);
    }
    std::vector<IndexAnswer> answers;
    for (const search::ScoredRow& row : ranker.Best(k, meaning)) {
      const search::Match* match = ranker.Find(row.rowid);
      const auto similarity = VectorSimilarity(asked_, row.rowid);
      const auto bm25 = match != nullptr ? std::optional(match->bm25) : std::nullopt;
      const double matched = match != nullptr ? match->matched : 0;
      answers.push_back(
          {row.rowid, row.score, similarity, bm25, matched, ranker.Parts(row, similarity)});
    }
    return answers;
  }
  // Of search::Meaning: to the question as feedback has moved it.
  std::optional<double> Similarity(int64_t rowid) override {
    return VectorSimilarity(query_, rowid);
  }
  // among: of the matches, which are of the choice.
  std::vector<Hit> Nearest(uint64_t k, const search::RowSet* among) override {
    RowChoice rows = rows_.choice();
    if (among != nullptr) rows.allowed = among;
    return nearest_.Find(query_, k, rows);
  }

  std::optional<double> VectorSimilarity(const std::vector<float>& query, int64_t rowid) {
    const float* vector = has_vector_ ? nearest_.Vector(rowid) : nullptr;
    if (vector == nullptr) return std::nullopt;
    return Cosine(query, vector);
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  const IndexQuestion& question_;
  const Ranking ranking_;
  IndexSource source_;
  PendingRows pending_;
  AnswerRows rows_;
  std::vector<int64_t> changed_;
  std::unordered_set<int64_t> looked_up_;  // rows that were found to be what was indexed
  NearestRows nearest_;
  bool has_vector_ = false;           // whether the question has a vector, asked_
  std::vector<float> asked_, query_;  // the question's vector; the same moved by feedback
  std::optional<QuestionText> text_;  // unless a vector is asked for
  WordsQuery words_;
  std::optional<TitleComparer> titles_;
};

}  // namespace

IndexResult SearchIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                        const IndexQuestion& question) {
  if (given.of_vectors && question.text && IsJsonVector(*question.text))
    throw InvalidArgument("the question is a vector as JSON: s2v_from_json(...) makes it one");
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
  IndexDefinition index = given;
  Statement last(memory->files.statements, db, "SELECT max(id) FROM " + index.Object("log"));
  const auto pending = [&] {
    const int64_t id = last.Find() ? last.Int(0) : 0;
    last.Reset();
    return static_cast<uint64_t>(std::max<int64_t>(id - index.taken, 0));
  };
  const double began = Seconds();
  const double slice = KeepsMost(*memory, index, pending()) ? kSliceSeconds : kFirstSliceSeconds;
  const bool is_slice = pending() > (index.passages > 0 ? kFewPendingLong : kFewPending);
  const auto take_in_slice = [&] {
    if (!TryWrite(db, index.schema, [&] { SyncSlice(db, index, memory, began + slice); })) return;
    index = ReadIndexDefinition(db, given.schema, given.name, &given);
  };
  if (is_slice) take_in_slice();
  // Before rows are taken in for the first time, which who may not write never does.
  if (index.of_vectors && index.dimension == 0 && ranking != Ranking::kWords)
    index.dimension = IndexEmbedder(db, index).Dimension();
  std::optional<QuestionSearch> search(std::in_place, db, index, memory, question, ranking);
  if (!is_slice && index.passages > 0 && !search->knows_all()) {
    search.reset();
    take_in_slice();
    search.emplace(db, index, memory, question, ranking);
  }
  IndexResult result;
  result.pending = pending();
  result.answers = search->Run();
  if (is_slice && slice < kSliceSeconds) search->Prepare(began + kSliceSeconds);
  search->MoveTo(&result);
  // Of a longer log they mostly wait in it; what does not is found by the sweeps of slices.
  if (!search->changed().empty() && search->knows_all()) {
    TryWrite(db, index.schema, [&] { LogRows(db, index, search->changed()); });
  }
  return result;
}

}  // namespace s2v
