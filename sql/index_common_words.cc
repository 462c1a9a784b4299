#include "sql/index_common_words.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/search/fusion.h"
#include "sql/index_limits.h"
#include "sql/index_sample.h"
#include "sql/index_terms.h"

namespace s2v {
namespace {

// A word is left out that more than kMostShare of the rows have; in a large table, where reading
// its list of rows is most of what a question costs, also one that more than kMostShareOfMany and
// kManyRows rows have.
constexpr double kMostShare = 0.5, kMostShareOfMany = 0.3, kManyRows = 20000;
// A common stem's form is another word where fewer than one row in kRowsForOneWithEnds has its
// ends.
constexpr double kRowsForOneWithEnds = 100;
// The share of a question's value that words may have which are looked for in the rows of others:
// docs/tried.md.
constexpr double kMostValueOfCommonest = 0.25;

// Counts phrases in kRows neighbouring rows of the index, at each of kRanges places. Empty where
// there are fewer rows.
class WordSample {
 public:
  static constexpr int64_t kRows = 500, kRanges = 4, kAllRows = kRows * kRanges;

  WordSample(sqlite3* db, const IndexDefinition& index, WordMemory* known)
      : db_(db), index_(index), table_rows_(FtsTotals(db, index).first) {
    if (!known->sample) known->sample = ChooseRanges();
    ranges_ = *known->sample;
    count_ = Statement(db, "SELECT count(*)" + index.FtsMatches() + " AND rowid BETWEEN ?2 AND ?3");
  }
  bool is_empty() const { return ranges_.empty(); }
  double table_rows() const { return table_rows_; }
  // How many rows of the sample have the phrase. 0 where fewer than `least` of its first range do:
  // so a rare word costs one look.
  int64_t Rows(const WordsPhrase& phrase, int64_t least) {
    int64_t rows = 0;
    for (const RowRange& range : ranges_) {
      const bool is_found = !phrase.fts.empty() && count_.Find(phrase.fts, range.first, range.last);
      if (is_found) rows += count_.Int(0);
      if (rows < least) return 0;
    }
    return rows;
  }
  // About how many rows of the whole index have the phrase.
  double RowsOfAll(const WordsPhrase& phrase) {
    return static_cast<double>(Rows(phrase, 0)) * table_rows_ / kAllRows;
  }

 private:
  std::vector<RowRange> ChooseRanges() {
    if (table_rows_ < kAllRows) return {};
    const std::string rows = "(SELECT rowid AS id FROM " + index_.Object("fts");
    Statement ends(db_, "SELECT (SELECT id FROM " + rows +
                            " ORDER BY rowid LIMIT 1)), (SELECT id FROM " + rows +
                            " ORDER BY rowid DESC LIMIT 1))");
    if (!ends.Step() || ends.Type(0) == SQLITE_NULL) return {};
    Statement part(db_, "SELECT min(id), max(id), count(*) FROM " + rows +
                            " WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2)");
    std::vector<RowRange> ranges;
    const auto are_full = [&](const std::vector<int64_t>& places) {
      ranges.clear();
      for (const int64_t place : places) {
        if (!part.Find(place, kRows) || part.Int(2) < kRows) return false;
        ranges.push_back({part.Int(0), part.Int(1)});
      }
      return true;
    };
    const bool is_found = TryPlaces(ends.Int(0), ends.Int(1), kRanges, kAllRows / 2, are_full);
    return is_found ? ranges : std::vector<RowRange>();
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  const double table_rows_;
  std::vector<RowRange> ranges_;
  Statement count_;
};

bool IsChoice(const WordsPhrase& phrase) {
  return phrase.choice > 0;
}

struct RowsOfPhrase {
  double rows = 0;
  size_t phrase = 0;
};
// Keeps the rarest phrases, as far as their rows together are no more than `most`; leaves out the
// others.
void LeaveOutMoreThan(double most, std::vector<RowsOfPhrase>* phrases, std::set<size_t>* left_out) {
  std::sort(phrases->begin(), phrases->end(), [](const RowsOfPhrase& a, const RowsOfPhrase& b) {
    return a.rows < b.rows || (a.rows == b.rows && a.phrase < b.phrase);
  });
  double sum = 0;
  for (const RowsOfPhrase& one : *phrases) {
    sum += one.rows;
    if (sum > most) left_out->insert(one.phrase);
  }
}

// Tells which phrases rows that wait have, in time in proportion to their words. Those that only
// these have are the rarest.
void MarkPending(PendingRows* pending, std::vector<WordsPhrase>* phrases) {
  std::unordered_multimap<uint64_t, WordsPhrase*> by_first;  // term
  for (WordsPhrase& phrase : *phrases) by_first.emplace(phrase.terms[0], &phrase);
  pending->ForEachRow([&](int64_t /*rowid*/, const PendingRow& row) {
    for (size_t i = 0; i < row.hashes.size(); i++) {
      const auto [first, last] = by_first.equal_range(row.hashes[i]);
      for (auto found = first; found != last; ++found) {
        WordsPhrase& phrase = *found->second;
        if (phrase.is_pending || phrase.terms.size() > row.hashes.size() - i) continue;
        phrase.is_pending = std::equal(phrase.terms.begin(), phrase.terms.end(), &row.hashes[i]);
        if (phrase.is_pending && phrase.fts.empty()) phrase.number = INT64_MAX;
      }
    }
    return true;
  });
}

// Whether any row has a phrase. A term keeps its number when its last row goes, and no row need have
// two terms together.
class RowFinder {
 public:
  // phrases: as long as it is asked.
  RowFinder(sqlite3* db, const IndexDefinition& index, PendingRows* pending,
            std::vector<WordsPhrase>* phrases)
      : pending_(*pending), phrases_(*phrases), select_(db, "SELECT rowid" + index.FtsMatches()) {}
  // phrase: one of these.
  bool HasRow(const WordsPhrase& phrase) {
    bool found = !phrase.fts.empty() && select_.Find(phrase.fts);
    while (found && pending_.Contains(select_.Int(0))) found = select_.Step();
    if (found) return true;
    Mark();
    return phrase.is_pending;
  }
  void Mark() {
    if (!are_marked_) MarkPending(&pending_, &phrases_);
    are_marked_ = true;
  }

 private:
  PendingRows& pending_;
  std::vector<WordsPhrase>& phrases_;
  Statement select_;
  bool are_marked_ = false;
};

// Of the words of a pasted document, the kMostPhrases rarest are kept: at each row that has any of
// them, FTS5 looks at all that it was asked for. Parts of words are left out first, and all that no
// row has.
void KeepRarest(RowFinder* finder, WordsQuery* query) {
  std::vector<WordsPhrase>& phrases = query->phrases;
  if (phrases.size() <= kMostPhrases) return;
  finder->Mark();
  // Of two that are as rare the first one is kept.
  const auto rank = [&](size_t i) { return std::tuple(phrases[i].is_part, -phrases[i].number, i); };
  std::vector<size_t> rarest(phrases.size());
  std::iota(rarest.begin(), rarest.end(), 0);
  std::sort(rarest.begin(), rarest.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
  std::vector<bool> is_kept(phrases.size());
  size_t kept = 0;
  for (size_t i = 0; i < rarest.size() && kept < kMostPhrases; i++) {
    is_kept[rarest[i]] = finder->HasRow(phrases[rarest[i]]);
    kept += is_kept[rarest[i]];
  }
  // What a word that is kept joins counts where rows have that.
  std::unordered_set<uint64_t> joined;
  for (size_t i = 0; i < phrases.size(); i++) {
    if (is_kept[i]) joined.insert(phrases[i].joins.begin(), phrases[i].joins.end());
  }
  size_t at = 0;
  std::erase_if(phrases, [&](const WordsPhrase& phrase) {
    return !is_kept[at++] && !joined.contains(phrase.term);
  });
}

// How common a word is among the rows of a sample.
struct Commonness {
  bool is_frequent, have_most, is_left_out;
};
Commonness CommonnessOf(const WordsPhrase& phrase, WordSample* sample) {
  const int64_t rows = sample->Rows(phrase, WordSample::kRows / (2 * kRowsForOneFrequent));
  const double share = static_cast<double>(rows) / WordSample::kAllRows;
  const bool have_most = share > kMostShare;
  const bool have_many = share > kMostShareOfMany && share * sample->table_rows() > kManyRows;
  return {rows * kRowsForOneFrequent > WordSample::kAllRows, have_most, have_most || have_many};
}

// Whether any of the words that the phrase joins and that are asked for is one that is accepted by
// its place.
bool AnyJoined(const std::vector<WordsPhrase>& phrases, const WordsPhrase& joining,
               const std::function<bool(size_t word)>& accept) {
  for (const uint64_t term : joining.joins) {
    for (size_t i = 0; i < phrases.size(); i++) {
      if (phrases[i].term == term && !phrases[i].is_part && accept(i)) return true;
    }
  }
  return false;
}

// What joins words is as frequent as they are: rows that have them apart are no less a match.
void MarkJoining(std::vector<WordsPhrase>* phrases) {
  for (WordsPhrase& phrase : *phrases) {
    if (!phrase.joins.empty())
      phrase.is_frequent =
          !AnyJoined(*phrases, phrase, [&](size_t word) { return !(*phrases)[word].is_frequent; });
  }
}

// The place of what the words of the question are side by side, if any of these is one of its words:
// FTS5 reads the lists of them all for it.
std::optional<size_t> QuestionWithAny(const std::set<size_t>& common,
                                      const std::vector<WordsPhrase>& phrases) {
  const auto question = std::find_if(phrases.begin(), phrases.end(),
                                     [](const WordsPhrase& phrase) { return phrase.is_question; });
  const auto has = [&](size_t word) {
    return std::count(question->terms.begin(), question->terms.end(), phrases[word].term) > 0;
  };
  if (question == phrases.end() || std::none_of(common.begin(), common.end(), has)) return {};
  return static_cast<size_t>(question - phrases.begin());
}

// What the sample says of the phrases.
struct Sampled {
  std::set<size_t> common;  // words to leave out, if others are left
  std::vector<RowsOfPhrase> parts, choices;
  bool has_rarer = false;  // there is a word that is not common; a part does not count as one
  // Of the words that rows have, but choices: there are some, and all are common.
  bool has_words = false, are_all_common = true;
};

// Marks frequent words; and parts that find rows by themselves, since their word may not.
Sampled SampleWords(bool of_choices_only, WordSample* sample, RowFinder* finder,
                    std::vector<WordsPhrase>* phrases) {
  Sampled sampled;
  bool is_of_common = false;  // parts that follow are of a word that is left out, or may be
  bool has_unknown = false;
  std::unordered_set<uint64_t> in_other_form;  // words that rows have as another phrase has them
  for (const WordsPhrase& phrase : *phrases) {
    if (!phrase.joins.empty() && finder->HasRow(phrase))
      in_other_form.insert(phrase.joins.begin(), phrase.joins.end());
  }
  for (size_t i = 0; i < phrases->size(); i++) {
    WordsPhrase& phrase = (*phrases)[i];
    if (IsChoice(phrase)) {
      sampled.has_rarer = true;
      is_of_common = false;
      sampled.choices.push_back({sample->RowsOfAll(phrase), i});
    } else if (of_choices_only || !phrase.joins.empty() || phrase.is_question) {
      continue;
    } else if (phrase.is_part) {
      const double rows = sample->RowsOfAll(phrase);
      sampled.parts.push_back({rows, i});
      // Of innings the stem is in: rows with its ends are found by these.
      if (phrase.needs_others && is_of_common &&
          rows * kRowsForOneWithEnds < sample->table_rows()) {
        phrase.needs_others = false;
        sampled.has_rarer = true;
        sampled.are_all_common = false;
      }
    } else if (!finder->HasRow(phrase) && !in_other_form.contains(phrase.term)) {
      has_unknown = true;  // it says nothing of the others
      is_of_common = false;
    } else {
      sampled.has_words = true;
      const auto [is_frequent, have_most, is_left_out] = CommonnessOf(phrase, sample);
      phrase.is_frequent = is_frequent;
      if (is_left_out) sampled.common.insert(i);
      sampled.has_rarer |= !is_left_out;
      is_of_common = is_left_out || (is_frequent && phrase.is_common);
      sampled.are_all_common &= have_most || (is_frequent && phrase.is_common);
    }
  }
  if (has_unknown && !sampled.has_words) sampled.are_all_common = false;
  return sampled;
}

}  // namespace

void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, LeavingOut leaving_out,
                         PendingRows* pending, WordsQuery* query) {
  std::vector<WordsPhrase>& phrases = query->phrases;
  const bool of_choices_only = leaving_out == LeavingOut::kChoices;
  // It has no bm25.
  if (of_choices_only)
    std::erase_if(phrases, [](const WordsPhrase& phrase) { return phrase.is_question; });
  RowFinder finder(db, index, pending, &phrases);
  KeepRarest(&finder, query);
  const bool may_be_all = leaving_out == LeavingOut::kAll;
  if (phrases.size() < 2 && !may_be_all) return;  // the only word
  if (of_choices_only && std::none_of(phrases.begin(), phrases.end(), IsChoice)) return;
  WordSample sample(db, index, pending->word_memory());
  if (sample.is_empty()) return;

  Sampled sampled = SampleWords(of_choices_only, &sample, &finder, &phrases);
  MarkJoining(&phrases);
  std::set<size_t> left_out = std::move(sampled.common);
  const std::optional<size_t> costly_question = QuestionWithAny(left_out, phrases);
  const bool is_meaning_enough = may_be_all && sampled.are_all_common;
  if (is_meaning_enough && sampled.choices.empty()) {
    phrases.clear();
    return;
  }
  if (!sampled.has_rarer) left_out.clear();
  for (const size_t word : left_out) {
    query->left_out.insert(query->left_out.end(), phrases[word].terms.begin(),
                           phrases[word].terms.end());
  }
  for (size_t i = 0; i < phrases.size(); i++) {
    const auto stays = [&](size_t word) { return !left_out.contains(word); };
    if (!phrases[i].joins.empty() && !AnyJoined(phrases, phrases[i], stays)) left_out.insert(i);
  }
  if (costly_question) left_out.insert(*costly_question);
  LeaveOutMoreThan(kMostPartRows, &sampled.parts, &left_out);
  LeaveOutMoreThan(kMostChoiceRows, &sampled.choices, &left_out);
  // Where nothing is left that finds rows, all is looked for, or the meaning of other words ranks.
  bool finds_rows = false;
  for (size_t i = 0; i < phrases.size(); i++) {
    finds_rows = finds_rows ||
                 (!left_out.contains(i) && !phrases[i].needs_others && finder.HasRow(phrases[i]));
  }
  if (!finds_rows) {
    if (is_meaning_enough && sampled.has_words && !sampled.choices.empty()) phrases.clear();
    return;
  }
  size_t at = 0;
  std::erase_if(phrases, [&](const WordsPhrase&) { return left_out.contains(at++); });
}

void MarkCommonest(double rows, double words, double enough, std::vector<WordsPhrase>* phrases) {
  struct OfWord {
    double rows, value;
    WordsPhrase* phrase;
  };
  std::vector<OfWord> all;
  double all_rows = 0, all_value = 0;
  for (WordsPhrase& phrase : *phrases) {
    const bool is_word =
        !phrase.is_part && !IsChoice(phrase) && phrase.joins.empty() && !phrase.is_question;
    if (!is_word || phrase.fts.empty()) continue;
    const double of_word = std::min(rows, phrase.frequency * words);
    all.push_back({of_word, search::InverseRows(rows, of_word), &phrase});
    all_rows += phrase.is_frequent ? 0 : of_word;
    all_value += all.back().value;
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const OfWord& a, const OfWord& b) { return a.rows > b.rows; });
  double value = 0;  // of those that are marked
  for (const OfWord& one : all) {
    value += one.value;
    if (all_rows <= enough || value > kMostValueOfCommonest * all_value) return;
    if (one.phrase->is_frequent) continue;
    all_rows -= one.rows;
    one.phrase->is_frequent = true;
  }
}

}  // namespace s2v
