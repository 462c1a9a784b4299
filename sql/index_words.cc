#include "sql/index_words.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/search/fusion.h"

namespace s2v {
namespace {

// Of the pointer that the match function gets, to the Matching that it fills.
constexpr char kMatchPointer[] = "s2v_match";

// Of a row, how often it has a phrase, by the columns' weights, how many words stand before the first one, and whether that is
// in the first column.
struct Occurrence {
  double times = 0, before = 0;
  bool is_found = false, in_title = false;
  // So that both count as one word; in_title stays.
  void Join(const Occurrence& other) {
    if (other.is_found) before = is_found ? std::min(before, other.before) : other.before;
    times += other.times;
    is_found |= other.is_found;
  }
};

// What all rows that a question finds share.
struct Matching {
  Matching(const IndexDefinition& of_index, const WordsQuery& of)
      : index(of_index), query(of), words(of.phrases.size()), found(of.phrases.size()) {}

  const IndexDefinition& index;
  const WordsQuery& query;
  const search::RowSet* left_out =
      nullptr;  // rows of the index that are looked at elsewhere, where there are any
  // To be added to what FTS5 says of all rows: rows that are pending, less those of them that it knows.
  double more_rows = 0, more_words = 0;

  struct Word {
    double rows = 0;            // with it
    double idf = 0, share = 0;  // share: of the value of all words, each counted once
  };
  std::vector<Word> words;    // [phrases]
  std::vector<size_t> asked;  // [phrases that FTS5 is asked for]
  double mean_size = 1, length_share = search::kFts5LengthShare;
  bool is_ready = false;
  std::vector<Occurrence> found;  // [phrases], of the row that is looked at, and
  search::Match match;
  bool is_left_out = false;

  // rows, row_words: of FTS5. words have their rows.
  void Finish(double rows, double row_words) {
    rows = std::max(0.0, rows + more_rows);
    mean_size = std::max(1.0, row_words + more_words) / std::max(1.0, rows);
    length_share = search::LengthShare(query.words, mean_size);
    double sum = 0;
    for (size_t first = 0, end = 0; first < words.size(); first = end) {
      // The choices for a word, which follow one another, count once.
      const size_t choice = query.phrases[first].choice;
      double rows_of_all = words[end++].rows;
      while (choice > 0 && end < words.size() && query.phrases[end].choice == choice) {
        rows_of_all += words[end++].rows;
      }
      for (size_t i = first; i < end; i++) {
        const WordsPhrase& phrase = query.phrases[i];
        if (choice > 0) words[i].rows = std::min(rows, rows_of_all);
        words[i].idf = phrase.weight * search::InverseRows(rows, words[i].rows);
        words[i].share =
            phrase.is_repeated ? 0 : phrase.weight * search::WordValue(rows, words[i].rows);
      }
      sum += words[first].share;
    }
    for (Word& word : words) word.share = sum > 0 ? word.share / sum : 0;
    is_ready = true;
  }

  // From found to match. size: words of the row; title_size: terms of its first column.
  void Score(double size, size_t title_size) {
    size_t titles = 0, asked_for = 0;
    bool has_whole = false, in_title = false;  // of the choices for a word
    for (size_t i = 0; i < found.size(); i++) {
      const WordsPhrase& phrase = query.phrases[i];
      // Of a word that is one as it stands, no other that begins so makes a title.
      has_whole |= phrase.is_whole;
      if (phrase.is_whole || !has_whole) in_title |= found[i].in_title;
      if (phrase.choice > 0 && i + 1 < found.size() && query.phrases[i + 1].choice == phrase.choice) {
        found[i + 1].Join(found[i]);
        continue;
      }
      asked_for++;
      titles += std::exchange(in_title, false);
      has_whole = false;
      if (found[i].times > 0) {
        match.opening += words[i].share * search::OpeningShare(found[i].before);
        const auto weigh = [&](double of_length) {
          return words[i].idf * search::TimesInRow(found[i].times, size, mean_size, of_length);
        };
        match.bm25 += weigh(search::kFts5LengthShare);
        match.words += weigh(length_share);
      }
    }
    match.is_title = index.TextColumns().size() > 1 && titles == asked_for &&
                     title_size == query.words_of_column;
  }
};

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
    Counting counting{matching->left_out};
    code = fts5->xQueryPhrase(query, static_cast<int>(i), &counting, CountRow);
    matching->words[matching->asked[i]].rows += counting.rows;
  }
  if (code == SQLITE_OK) matching->Finish(static_cast<double>(rows), static_cast<double>(terms));
  return code;
}

int FillMatch(const Fts5ExtensionApi* fts5, Fts5Context* query, Matching* matching) {
  int code = matching->is_ready ? SQLITE_OK : CountWords(fts5, query, matching);
  matching->match = {.rowid = fts5->xRowid(query)};
  matching->is_left_out =
      matching->left_out != nullptr && matching->left_out->Contains(matching->match.rowid);
  if (code != SQLITE_OK || matching->is_left_out) return code;
  std::fill(matching->found.begin(), matching->found.end(), Occurrence());
  double row_size = 0;
  for (int c = 0; c < fts5->xColumnCount(query) && code == SQLITE_OK; c += 2) {
    int size = 0;
    code = fts5->xColumnSize(query, c, &size);
    row_size += size;
  }
  for (size_t i = 0; code == SQLITE_OK && i < matching->asked.size(); i++) {
    Fts5PhraseIter at;
    int column = 0, place = 0;
    code = fts5->xPhraseFirst(query, static_cast<int>(i), &at, &column, &place);
    if (code != SQLITE_OK || column < 0) continue;
    Occurrence& found = matching->found[matching->asked[i]];
    found = {0, static_cast<double>(place), true, column < 2};
    // Columns of words, or of parts, as that of the place is.
    for (int c = column % 2; c < column && code == SQLITE_OK; c += 2) {
      int size = 0;
      code = fts5->xColumnSize(query, c, &size);
      found.before += size;
    }
    for (; column >= 0; fts5->xPhraseNext(query, &at, &column, &place)) {
      found.times += matching->index.ColumnWeight(static_cast<size_t>(column) / 2);
    }
  }
  int title_size = 0;
  if (code == SQLITE_OK) code = fts5->xColumnSize(query, 0, &title_size);
  if (code == SQLITE_OK) matching->Score(row_size, static_cast<size_t>(title_size));
  return code;
}

// Throws nothing, as FTS5 calls it.
void MatchFunction(const Fts5ExtensionApi* fts5, Fts5Context* query, sqlite3_context* context,
                   int count, sqlite3_value** values) {
  auto* matching = static_cast<Matching*>(
      count == 1 ? sqlite3_value_pointer(values[0], kMatchPointer) : nullptr);
  if (matching == nullptr) return;  // somebody else's call
  const int code = FillMatch(fts5, query, matching);
  if (code != SQLITE_OK) sqlite3_result_error_code(context, code);
}

// ---- rows that are pending ----

// Takes a number as FTS5 writes it from the front: 7 bits a byte, the highest first, eight in a ninth one; 0 at the end.
uint64_t TakeFtsNumber(std::string_view* bytes) {
  uint64_t number = 0;
  for (int i = 0; i < 9 && !bytes->empty(); i++) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    if (i == 8) return number << 8 | byte;
    number = number << 7 | (byte & 127);
    if (byte < 128) break;
  }
  return number;
}
// Of sizes of columns: the words of all.
double WordsOf(std::string_view sizes) {
  double sum = 0;
  for (bool is_words = true; !sizes.empty(); is_words = !is_words) {
    const auto size = static_cast<double>(TakeFtsNumber(&sizes));
    if (is_words) sum += size;
  }
  return sum;
}

// Finds phrases in rows of terms.
class PhraseFinder {
 public:
  PhraseFinder(const IndexDefinition& index, const WordsQuery& query)
      : index_(index), query_(query) {
    for (size_t i = 0; i < query.phrases.size(); i++) {
      by_first_[query.phrases[i].terms[0]].push_back(i);
    }
  }

  // [phrases]; empty where the row has none of them.
  std::vector<Occurrence> Find(const KeptRow& row) const {
    std::vector<Occurrence> found;
    size_t before[2] = {0, 0};  // words, parts
    size_t begin = 0;
    for (size_t column = 0; column < row.words.columns.size(); column++) {
      const size_t end = row.words.columns[column];
      for (size_t at = begin; at < end; at++) {
        const auto phrases = by_first_.find(row.terms[at]);
        if (phrases == by_first_.end()) continue;
        for (const size_t i : phrases->second) {
          const std::vector<uint64_t>& terms = query_.phrases[i].terms;
          if (end - at < terms.size() ||
              !std::equal(terms.begin(), terms.end(),
                          row.terms.begin() + static_cast<ptrdiff_t>(at))) {
            continue;
          }
          found.resize(query_.phrases.size());
          if (!found[i].is_found) {
            found[i] = {0, static_cast<double>(before[column % 2] + at - begin), true, column < 2};
          }
          found[i].times += index_.ColumnWeight(column / 2);
        }
      }
      before[column % 2] += end - begin;
      begin = end;
    }
    return found;
  }

 private:
  const IndexDefinition& index_;
  const WordsQuery& query_;
  std::unordered_map<uint64_t, std::vector<size_t>> by_first_;
};

double WordsOf(const KeptRow& row) {
  double words = 0;
  for (size_t i = 0; i < row.words.columns.size(); i += 2) {
    words += row.words.columns[i] - (i == 0 ? 0 : row.words.columns[i - 1]);
  }
  return words;
}

struct PendingMatch {
  int64_t rowid = 0;
  double size = 0;
  size_t title_terms = 0;
  std::vector<Occurrence> found;
};

// Those that have any of the words; tells matching what they change.
std::vector<PendingMatch> FindInPending(sqlite3* db, const IndexDefinition& index,
                                        PendingRows* pending, Matching* matching) {
  std::vector<PendingMatch> matches;
  if (pending->rows().size() == 0) return matches;
  matching->left_out = &pending->rows();
  const PhraseFinder finder(index, matching->query);
  Statement known(db, "SELECT sz FROM " + index.Part("fts_docsize") + " WHERE id = ?1");
  for (const int64_t rowid : pending->rows().Rowids()) {
    if (known.Find(rowid)) {
      matching->more_rows--;
      matching->more_words -= WordsOf(known.Blob(0));
    }
    const KeptRow* row = pending->Terms(rowid);
    if (row == nullptr) continue;
    matching->more_rows++;
    matching->more_words += WordsOf(*row);
    std::vector<Occurrence> found = finder.Find(*row);
    for (size_t i = 0; i < found.size(); i++) matching->words[i].rows += found[i].is_found;
    if (!found.empty()) {
      matches.push_back({rowid, WordsOf(*row), row->words.columns[0], std::move(found)});
    }
  }
  return matches;
}

}  // namespace

std::pair<double, double> FtsTotals(sqlite3* db, const IndexDefinition& index) {
  Statement totals(db, "SELECT block FROM " + index.Part("fts_data") + " WHERE id = 1");
  std::string_view bytes = totals.Step() ? totals.Blob(0) : std::string_view();
  const auto rows = static_cast<double>(TakeFtsNumber(&bytes));
  return {rows, WordsOf(bytes)};
}

void AddMatchFunction(sqlite3* db) {
  fts5_api* fts5 = Fts5Api(db);
  const int code = fts5->xCreateFunction(fts5, "s2v_match", nullptr, MatchFunction, nullptr);
  if (code != SQLITE_OK) ThrowSqlError(db, code);
}

void ForEachMatch(sqlite3* db, const IndexDefinition& index, WordsQuery* query,
                  PendingRows* pending, const std::function<void(const search::Match& match)>& visit) {
  Matching matching(index, *query);
  const std::vector<PendingMatch> in_pending = FindInPending(db, index, pending, &matching);
  std::string expression, rarer;
  bool has_frequent = false;
  for (size_t i = 0; i < query->phrases.size(); i++) {
    const WordsPhrase& phrase = query->phrases[i];
    if (phrase.fts.empty()) continue;
    expression += (expression.empty() ? "" : " OR ") + phrase.fts;
    matching.asked.push_back(i);
    has_frequent |= phrase.is_frequent;
    if (!phrase.is_frequent) rarer += (rarer.empty() ? "" : " OR ") + phrase.fts;
  }
  const std::string fts = QuoteName(index.name + "_fts");
  const auto visit_all = [&](const std::string& asked) {
    Statement select(db,
                     "SELECT s2v_match(" + fts + ", ?2) FROM " + index.Part("fts") + " WHERE " +
                         fts + " MATCH ?1",
                     asked);
    const int code = sqlite3_bind_pointer(select.get(), 2, &matching, kMatchPointer, nullptr);
    if (code != SQLITE_OK) ThrowSqlError(db, code);
    while (select.Step()) {
      if (!matching.is_left_out) visit(matching.match);
    }
  };
  // FTS5 then looks for frequent words in the rows that have others, instead of reading all rows of each.
  const bool in_rows_of_rarer = has_frequent && !rarer.empty();
  if (in_rows_of_rarer) visit_all("(" + expression + ") AND (" + rarer + ")");
  const bool has_none = !matching.is_ready;
  if (!expression.empty() && (!in_rows_of_rarer || has_none)) visit_all(expression);
  if (!in_pending.empty() && !matching.is_ready) {
    // FTS5 has none of the words.
    const auto [rows, terms] = FtsTotals(db, index);
    matching.Finish(rows, terms);
  }
  for (size_t i = 0; i < matching.words.size(); i++) {
    query->phrases[i].share = matching.words[i].share;
  }
  for (const PendingMatch& row : in_pending) {
    matching.match = {.rowid = row.rowid};
    matching.found = row.found;
    matching.Score(row.size, row.title_terms);
    visit(matching.match);
  }
}

}  // namespace s2v
