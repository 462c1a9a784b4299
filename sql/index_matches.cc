#include "sql/index_matches.h"

#include <algorithm>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "sql/index_limits.h"

namespace s2v {

// What all rows that a question finds share, and what is found of the row that is looked at.
struct Matching {
  Matching(const IndexDefinition& of_index, const WordsQuery& of_query, const RowChoice& of_rows,
           WordMemory* memory)
      : index(of_index),
        query(of_query),
        choice(of_rows),
        known(memory),
        scores(std::vector<search::Phrase>(of_query.phrases.begin(), of_query.phrases.end()),
               of_query.word_count,
               of_index.HasTitles() ? std::optional(of_query.words_of_column) : std::nullopt,
               of_query.more_of_column),
        sizes(FtsColumns(of_index)),
        found(of_query.phrases.size()) {}

  const IndexDefinition& index;
  const WordsQuery& query;
  const RowChoice& choice;
  WordMemory* const known;
  search::WordScores scores;
  std::vector<size_t> asked;  // [phrases that FTS5 is asked for]
  // Rows of the index that are looked at elsewhere; nullptr: there are none.
  const search::RowSet* left_out = nullptr;
  const double* least_bm25 = nullptr;  // as of ForEachMatch
  // What FTS5 does not know of all rows: those that are pending, less what it has of them.
  double more_rows = 0, more_words = 0;

  // Of one row:
  std::vector<uint32_t> sizes;            // [columns of N_fts]
  std::vector<search::Occurrence> found;  // [phrases]
  search::Match match;
  bool is_left_out = false;
  bool is_chosen = false;

  // rows, words: as FTS5 has them.
  void SetTotals(double rows, double words) {
    scores.SetTotals(rows + more_rows, words + more_words, query.language_rows,
                     query.counted_texts);
  }
};

namespace {

struct Counting {
  const search::RowSet* left_out;
  double rows = 0;
};
int CountRow(const Fts5ExtensionApi* fts5, Fts5Context* query, void* data) {
  auto* counting = static_cast<Counting*>(data);
  if (counting->left_out == nullptr || !counting->left_out->Contains(fts5->xRowid(query))) {
    counting->rows++;
  }
  return SQLITE_OK;
}

int CountWords(const Fts5ExtensionApi* fts5, Fts5Context* query, Matching* matching) {
  sqlite3_int64 rows = 0, terms = 0;
  int code = fts5->xRowCount(query, &rows);
  for (int c = 0; c < fts5->xColumnCount(query) && code == SQLITE_OK; c += 2) {
    sqlite3_int64 size = 0;
    code = fts5->xColumnTotalSize(query, c, &size);
    terms += size;
  }
  for (size_t i = 0; i < matching->asked.size() && code == SQLITE_OK; i++) {
    const std::string& phrase = matching->query.phrases[matching->asked[i]].fts;
    std::optional<double> counted =
        matching->left_out == nullptr ? matching->known->Rows(phrase) : std::nullopt;
    if (!counted) {
      Counting counting{matching->left_out};
      code = fts5->xQueryPhrase(query, static_cast<int>(i), &counting, CountRow);
      counted = counting.rows;
      if (matching->left_out == nullptr && code == SQLITE_OK)
        matching->known->AddRows(phrase, *counted);
    }
    matching->scores.AddRows(matching->asked[i], *counted);
  }
  if (code == SQLITE_OK) {
    matching->SetTotals(static_cast<double>(rows), static_cast<double>(terms));
  }
  return code;
}

// *sizes: terms of each column of the row that FTS5 is at. Throws std::bad_alloc.
int ReadSizes(const Fts5ExtensionApi* fts5, Fts5Context* query, Matching* matching,
              const uint32_t** sizes) {
  const int64_t rowid = fts5->xRowid(query);
  *sizes = matching->known->Sizes(rowid);
  if (*sizes != nullptr) return SQLITE_OK;
  int code = SQLITE_OK;
  for (size_t c = 0; c < matching->sizes.size() && code == SQLITE_OK; c++) {
    int size = 0;
    code = fts5->xColumnSize(query, static_cast<int>(c), &size);
    matching->sizes[c] = static_cast<uint32_t>(std::max(size, 0));
  }
  if (code == SQLITE_OK) matching->known->AddSizes(rowid, matching->sizes);
  *sizes = matching->sizes.data();
  return code;
}

// Looks for a phrase in the row that FTS5 is at. Leaves *found as it is where the row does not have
// it. sizes: of the row's columns; nullptr where what precedes the phrase does not count.
int FindPhrase(const Fts5ExtensionApi* fts5, Fts5Context* query, const IndexDefinition& index,
               int phrase, const WordsPhrase& asked, const uint32_t* sizes,
               search::Occurrence* found) {
  Fts5PhraseIter at;
  int column = 0, place = 0;
  int code = fts5->xPhraseFirst(query, phrase, &at, &column, &place);
  if (code != SQLITE_OK || column < 0) return code;
  // In a damaged file it may be any.
  const int columns = fts5->xColumnCount(query);
  if (column >= columns) return SQLITE_CORRUPT_VTAB;
  *found = {0, static_cast<double>(place), true, asked.IsInTitle(static_cast<size_t>(column))};
  // Columns of words alternate with columns of their parts: what precedes a phrase is counted in
  // columns of its kind. Pieces of names, which stand before the parts, come behind all words of
  // their column.
  for (int c = asked.IsPartOfWords() ? column % 2 : 0; sizes != nullptr && c < column; c += 2)
    found->before += sizes[c];
  for (; column >= 0; fts5->xPhraseNext(query, &at, &column, &place)) {
    if (column >= columns) return SQLITE_CORRUPT_VTAB;
    found->times += index.ColumnWeight(TextColumnOf(static_cast<size_t>(column)));
  }
  return code;
}

// A word is more than kManyTimes in no row.
constexpr double kShareOfFrequent = 1.0 / kRowsForOneFrequent, kManyTimes = 1e9;

bool IsRarer(const WordsPhrase& phrase) {
  return !phrase.is_frequent && !phrase.needs_others;
}

// What FTS5 is asked for: any of the phrases, as far as rows of the index may have them.
template <typename Takes>
std::string AnyOf(const WordsQuery& query, Takes takes) {
  std::string any;
  for (size_t i = 0; i < query.phrases.size(); i++) {
    const std::string& phrase = query.phrases[i].fts;
    if (!phrase.empty() && takes(i)) any += (any.empty() ? "" : " OR ") + phrase;
  }
  return any;
}

// The rows of the index that FTS5 finds.
class FtsRows {
 public:
  using Visit = std::function<void(const search::Match& match)>;
  FtsRows(sqlite3* db, Matching* matching, const Visit& visit)
      : db_(db),
        query_(matching->query),
        matching_(*matching),
        visit_(visit),
        any_(AnyOf(query_, [](size_t) { return true; })),
        all_(any_) {
    const std::string enough =
        AnyOf(query_, [&](size_t i) { return !query_.phrases[i].needs_others; });
    if (enough != all_) all_ = enough.empty() ? "" : "(" + all_ + ") AND (" + enough + ")";
    for (size_t i = 0; i < query_.phrases.size(); i++) {
      if (query_.phrases[i].fts.empty()) continue;
      matching->asked.push_back(i);
      has_frequent_ |= query_.phrases[i].is_frequent;
    }
  }

  // If some words are frequent and others are not, the frequent ones are looked for only in the
  // rows of the others, instead of reading all of their rows; but if there are none, everywhere.
  // pending_have_rarer: a pending row has one of the others. Returns whether frequent words count
  // everywhere.
  bool VisitAll(bool pending_have_rarer) {
    const std::string rarer = AnyOf(query_, [&](size_t i) { return IsRarer(query_.phrases[i]); });
    bool have_rarer = pending_have_rarer;
    if (!rarer.empty() && has_frequent_) {
      VisitRows("(" + all_ + ") AND (" + rarer + ")");
      have_rarer |= has_visited_;
    }
    if (!have_rarer || !has_frequent_) VisitRows(all_);
    return !have_rarer;
  }
  // How many rows have each word, where no row was visited.
  void Count() {
    if (!matching_.scores.is_ready()) VisitRows(any_, Until::kFirst);
  }
  // Rows that have frequent words alone come last, and of these only those that may have as much
  // bm25 as is asked for by then: those with one of the words without which there is not enough of
  // it (MaxScore: Turtle and Flood 1995).
  void VisitBest() {
    if (VisitRows(all_, Until::kFrequent)) return;
    const std::string rarer = AnyOf(query_, [&](size_t i) { return !IsFrequent(i); });
    if (!rarer.empty()) VisitRows("(" + all_ + ") AND (" + rarer + ")");
    std::vector<size_t> frequent;
    for (const size_t i : matching_.asked) {
      if (IsFrequent(i)) frequent.push_back(i);
    }
    const search::WordScores& scores = matching_.scores;
    std::sort(frequent.begin(), frequent.end(),
              [&](size_t a, size_t b) { return scores.ShareOfRows(a) > scores.ShareOfRows(b); });
    std::vector<search::Occurrence> found(query_.phrases.size());
    std::set<size_t> needed;
    for (const size_t i : frequent) {
      found[i].times = kManyTimes;
      if (scores.MostBm25(found) >= *matching_.least_bm25) needed.insert(i);
    }
    const std::string more = AnyOf(query_, [&](size_t i) { return needed.contains(i); });
    // Of rows of (A AND B) NOT C FTS5 may not tell the phrases, so that those of C are passed over
    // here.
    passes_rarer_ = true;
    if (!more.empty()) VisitRows("(" + all_ + ") AND (" + more + ")");
  }

 private:
  bool IsFrequent(size_t phrase) const {
    return matching_.scores.ShareOfRows(phrase) > kShareOfFrequent;
  }
  // Whether the row that FTS5 is at has a phrase that is not frequent.
  bool HasRarer() const {
    return std::any_of(matching_.asked.begin(), matching_.asked.end(),
                       [&](size_t i) { return matching_.found[i].is_found && !IsFrequent(i); });
  }
  // kFrequent: where a word is frequent, it ends before the first row; kFirst: it does in any case.
  enum class Until { kEnd, kFrequent, kFirst };
  // False where it has ended before the first row.
  bool VisitRows(const std::string& asked, Until until = Until::kEnd) {
    if (asked.empty()) return true;
    const IndexDefinition& index = matching_.index;
    Statement select(db_,
                     std::string("SELECT ") + kMatchFunction + "(" + index.FtsName() + ", ?2)" +
                         index.FtsMatches(),
                     asked);
    const int code = sqlite3_bind_pointer(select.get(), 2, &matching_, kMatchPointer, nullptr);
    if (code != SQLITE_OK) ThrowSqlError(db_, code);
    for (; select.Step(); until = Until::kEnd) {
      const auto is_frequent = [&](size_t i) { return IsFrequent(i); };
      if (until == Until::kFirst) return false;
      if (until == Until::kFrequent &&
          std::any_of(matching_.asked.begin(), matching_.asked.end(), is_frequent))
        return false;
      if (matching_.is_left_out) continue;
      has_visited_ = true;
      if (!matching_.is_chosen || (passes_rarer_ && HasRarer())) continue;
      visit_(matching_.match);
    }
    return true;
  }

  sqlite3* db_;
  const WordsQuery& query_;
  Matching& matching_;
  const Visit& visit_;
  std::string any_, all_;  // any of the phrases; of these what may be a match
  bool has_frequent_ = false;
  bool has_visited_ = false;   // a row, though it may not have been one of the choice
  bool passes_rarer_ = false;  // rows with a phrase that is not frequent were visited before
};

// ---- rows that are pending ----

double WordsOf(const PendingRow& row) {
  double words = 0;
  for (size_t i = 0; i < row.terms.columns.size(); i += 2) {
    words += row.terms.columns[i] - (i == 0 ? 0 : row.terms.columns[i - 1]);
  }
  return words;
}

// Where phrases stand in rows that FTS5 does not have.
class PhraseFinder {
 public:
  PhraseFinder(const IndexDefinition& index, const std::vector<WordsPhrase>& phrases)
      : index_(index), phrases_(phrases) {
    for (size_t i = 0; i < phrases.size(); i++) by_first_[phrases[i].terms[0]].push_back(i);
  }
  // What FTS5 would tell of the row, of each phrase; empty where the row has none of them.
  std::vector<search::Occurrence> Find(const PendingRow& row) const {
    std::vector<search::Occurrence> found;
    size_t before[2] = {0, 0};  // words, parts
    AnyColumn(row, [&](size_t column, std::span<const uint64_t> terms) {
      for (size_t at = 0; at < terms.size(); at++) {
        const auto phrases = by_first_.find(terms[at]);
        if (phrases == by_first_.end()) continue;
        for (const size_t i : phrases->second) {
          const WordsPhrase& phrase = phrases_[i];
          if (!StandsAt(phrase.terms, terms, at)) continue;
          found.resize(phrases_.size());
          if (!found[i].is_found) {
            const bool among_parts = phrase.IsPartOfWords() && IsOfParts(column);
            found[i] = {0, static_cast<double>(before[among_parts] + at), true,
                        phrase.IsInTitle(column)};
          }
          found[i].times += index_.ColumnWeight(TextColumnOf(column));
        }
      }
      before[IsOfParts(column)] += terms.size();
      return false;
    });
    return found;
  }

 private:
  const IndexDefinition& index_;
  const std::vector<WordsPhrase>& phrases_;
  std::unordered_map<uint64_t, std::vector<size_t>> by_first_;  // term of each phrase
};

struct PendingMatch {
  int64_t rowid = 0;
  search::RowSize size;
  std::vector<search::Occurrence> found;
};

// Finds the pending rows that have any of the words, and adds to matching what all pending rows
// change.
std::vector<PendingMatch> FindInPending(sqlite3* db, PendingRows* pending, Matching* matching) {
  std::vector<PendingMatch> matches;
  if (pending->rows().size() == 0) return matches;
  const IndexDefinition& index = matching->index;
  const PhraseFinder finder(index, matching->query.phrases);
  Statement known(db, "SELECT sz FROM " + index.Object("fts_docsize") + " WHERE id = ?1");
  for (const int64_t rowid : pending->rows().Rowids()) {
    if (known.Find(rowid)) {
      matching->left_out = &pending->rows();
      matching->more_rows--;
      matching->more_words -= FtsWords(known.Blob(0));
    }
    const PendingRow* row = pending->Terms(rowid);
    if (row == nullptr) continue;
    matching->more_rows++;
    const double words = WordsOf(*row);
    matching->more_words += words;
    std::vector<search::Occurrence> found = finder.Find(*row);
    for (size_t i = 0; i < found.size(); i++) matching->scores.AddRows(i, found[i].is_found);
    if (!found.empty()) {
      matches.push_back({rowid, {words, row->terms.columns[0]}, std::move(found)});
    }
  }
  return matches;
}

}  // namespace

int FillMatch(const Fts5ExtensionApi* fts5, Fts5Context* query, Matching* matching) noexcept try {
  int code = matching->scores.is_ready() ? SQLITE_OK : CountWords(fts5, query, matching);
  const int64_t rowid = fts5->xRowid(query);
  matching->is_left_out = matching->left_out != nullptr && matching->left_out->Contains(rowid);
  if (code != SQLITE_OK || matching->is_left_out) return code;
  matching->is_chosen = matching->choice.Contains(rowid);
  if (!matching->is_chosen) return code;
  const double* least = matching->least_bm25;
  const uint32_t* sizes = nullptr;
  if (least == nullptr) code = ReadSizes(fts5, query, matching, &sizes);
  std::fill(matching->found.begin(), matching->found.end(), search::Occurrence());
  for (size_t i = 0; i < matching->asked.size() && code == SQLITE_OK; i++) {
    const size_t phrase = matching->asked[i];
    code = FindPhrase(fts5, query, matching->index, static_cast<int>(i),
                      matching->query.phrases[phrase], sizes, &matching->found[phrase]);
  }
  // To read its size takes longer than the rest.
  matching->is_left_out = least != nullptr && matching->scores.MostBm25(matching->found) < *least;
  if (matching->is_left_out) return code;
  if (sizes == nullptr && code == SQLITE_OK) code = ReadSizes(fts5, query, matching, &sizes);
  if (code != SQLITE_OK) return code;
  search::RowSize size{.title_terms = sizes[0]};
  for (size_t c = 0; c < matching->sizes.size(); c += 2) size.words += sizes[c];
  matching->match = matching->scores.Score(rowid, matching->found, size);
  return code;
} catch (const std::bad_alloc&) {
  return SQLITE_NOMEM;
}

void ForEachMatch(sqlite3* db, const IndexDefinition& index, WordsQuery* query,
                  const RowChoice& choice, PendingRows* pending,
                  const std::function<void(const search::Match& match)>& visit,
                  const double* least_bm25) {
  Matching matching(index, *query, choice, pending->word_memory());
  matching.least_bm25 = least_bm25;
  const std::vector<PendingMatch> in_pending = FindInPending(db, pending, &matching);
  FtsRows rows(db, &matching, visit);
  const auto has_any = [&](const PendingMatch& row, const auto& accept) {
    for (size_t i = 0; i < row.found.size(); i++) {
      if (row.found[i].is_found && accept(query->phrases[i])) return true;
    }
    return false;
  };
  const auto has_rarer = [&](const PendingMatch& row) { return has_any(row, IsRarer); };
  const auto has_enough = [&](const PendingMatch& row) {
    return has_any(row, [](const WordsPhrase& phrase) { return !phrase.needs_others; });
  };
  bool do_frequent_count = true;  // in pending rows that have no rarer word
  if (least_bm25 == nullptr) {
    do_frequent_count = rows.VisitAll(std::any_of(in_pending.begin(), in_pending.end(), has_rarer));
  } else {
    rows.VisitBest();
  }
  rows.Count();
  if (!in_pending.empty() && !matching.scores.is_ready()) {
    // FTS5 found no row, so FillMatch was not called.
    const auto [count, terms] = FtsTotals(db, index);
    matching.SetTotals(count, terms);
  }
  for (size_t i = 0; i < query->phrases.size(); i++) {
    query->phrases[i].share = matching.scores.Share(i);
  }
  for (const PendingMatch& row : in_pending) {
    if (!choice.Contains(row.rowid)) continue;
    if (has_rarer(row) || (do_frequent_count && has_enough(row)))
      visit(matching.scores.Score(row.rowid, row.found, row.size));
  }
}

}  // namespace s2v
