#include "sql/index_exact.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <unordered_map>

#include "core/error.h"
#include "sql/index_completions.h"
#include "sql/index_longer_numbers.h"

namespace s2v {
namespace {

// Words of which one begins so.
constexpr size_t kMostExactCompletions = 500;
// Of more than four beginnings of a question together: FTS5 looks at all words of an OR at each
// row.
constexpr size_t kMostOfAllBeginnings = 2000;
// Of a phrase that may begin and end within runs of a script without blanks, with what stands
// before and behind it.
constexpr size_t kMostExactPhrases = 1000;
// FTS5 looks at all phrases of an OR at each row: of many it is asked for so many at a time.
constexpr size_t kPhrasesAtATime = 16;

using Kind = search::Fts5Query::Kind;
using TermPhrase = std::vector<std::string>;

// A row meets the condition if it has one of these phrases, in one of the columns if any is named.
struct ExactCondition {
  std::vector<TermPhrase> choices;
  // HashWord of the terms of each, by the first one
  std::unordered_multimap<uint64_t, std::vector<uint64_t>> hashes;
  std::vector<size_t> columns;

  // Those that rows of the index may have, as FTS5 is asked for them.
  std::vector<std::string> Phrases(TermNumbers* numbers) const {
    std::vector<std::string> phrases;
    for (const TermPhrase& phrase : choices) {
      std::string terms = numbers->FindPhrase(phrase);
      if (!terms.empty() && !IsNowhere()) phrases.push_back(std::move(terms));
    }
    return phrases;
  }
  // What FTS5 is told of the columns; "" for all. among_words: not of their parts.
  std::string Where(bool among_words = false) const {
    std::string names;
    for (const size_t column : columns) {
      const std::string number = std::to_string(column);
      names += " c" + number + (among_words ? "" : " p" + number);
    }
    return names.empty() ? "" : "{" + names + "} : ";
  }
  // As FTS5 is asked for any of so many at a time; none where no row of the index has any of the
  // phrases. before: a sign before each of them.
  std::vector<std::string> Expressions(TermNumbers* numbers, const char* before,
                                       size_t at_a_time) const {
    const std::vector<std::string> phrases = Phrases(numbers);
    const std::string where = Where(/*among_words=*/before[0] == '^');
    std::vector<std::string> expressions;
    for (size_t begin = 0; begin < phrases.size(); begin += at_a_time) {
      const std::span some =
          std::span(phrases).subspan(begin).first(std::min(at_a_time, phrases.size() - begin));
      const std::string any = NamesOf(
          some, [&](const std::string& phrase) { return before + phrase; }, " OR ");
      expressions.push_back(where + "(" + any + ")");
    }
    return expressions;
  }

  bool IsNowhere() const { return !columns.empty() && columns[0] == search::kNoColumn; }
  bool IsIn(size_t column) const {
    return columns.empty() || std::count(columns.begin(), columns.end(), column) > 0;
  }
  // How many terms of the column make one of the phrases there; 0: none.
  size_t TermsAt(std::span<const uint64_t> column, size_t at) const {
    size_t most = 0;
    const auto [first, last] = hashes.equal_range(column[at]);
    for (auto phrase = first; phrase != last; ++phrase) {
      if (StandsAt(phrase->second, column, at)) most = std::max(most, phrase->second.size());
    }
    return most;
  }
  bool IsMetBy(const PendingRow& row, bool only_first = false) const {
    return AnyColumn(row, [&](size_t number, std::span<const uint64_t> column) {
      if (!IsIn(TextColumnOf(number)) || (only_first && IsOfParts(number))) return false;
      const size_t end = only_first ? std::min<size_t>(column.size(), 1) : column.size();
      for (size_t at = 0; at < end; at++) {
        if (TermsAt(column, at) > 0) return true;
      }
      return false;
    });
  }
};

// is_first: of a single character within a run, only pairs tell that the text begins with it.
// most: words of which one begins so. is_excluded: -php8 means php8.2, too.
ExactCondition ConditionOf(const search::ExactWords& exact, size_t most,
                           IndexVocabulary* vocabulary, bool is_first = false,
                           bool is_excluded = false) {
  ExactCondition condition;
  condition.columns = exact.columns;
  condition.choices = vocabulary->PhrasesOf(exact.words);
  const std::vector<TermPhrase> whole = condition.choices;
  for (const TermPhrase& of : whole) {
    if (of.size() < 2 && !is_first) continue;
    for (std::string& pair : PairsFrom(vocabulary, of.back(), kMostExactCompletions)) {
      condition.choices.push_back(of);
      condition.choices.back().back() = std::move(pair);
    }
  }
  if (exact.is_beginning) {
    // Only the last word is unfinished: 19 of covid-19*.
    const std::string_view last = UnfinishedWord(*vocabulary, exact.words);
    const WordChoices choices = Completions(vocabulary, last, most);
    for (const WordChoices::Term& one : choices.terms) {
      if (one.is_doubtful) continue;
      for (TermPhrase phrase : whole) {
        phrase.back() = one.term;
        condition.choices.push_back(std::move(phrase));
      }
    }
  }
  if (is_excluded && vocabulary->cutter().is_ours()) {
    for (const std::string& longer : LongerNames(vocabulary, exact.words, most)) {
      // K56.609 of K56, not top 10.5 of top10.
      if (longer.find(' ') != longer.npos && longer.find(' ') > 1) continue;
      for (TermPhrase& phrase : vocabulary->PhrasesOf(longer))
        condition.choices.push_back(std::move(phrase));
    }
  }
  // What ends a run before the phrase: of the commonest first.
  const size_t finished = condition.choices.size();
  std::set<std::string> fronts;  // the phrase in several languages may have one alone
  for (const TermPhrase& of : whole) {
    if (!is_first && of.size() > 1) fronts.insert(of.front());
  }
  for (const std::string& front : fronts) {
    for (const std::string& pair : PairsTo(vocabulary, front, kMostExactCompletions)) {
      for (size_t i = 0; i < finished && condition.choices.size() < kMostExactPhrases; i++) {
        TermPhrase phrase = condition.choices[i];
        if (phrase.front() != front) continue;
        phrase.front() = pair;
        condition.choices.push_back(std::move(phrase));
      }
    }
  }
  for (const TermPhrase& phrase : condition.choices) {
    const std::vector<uint64_t> terms = HashesOf(phrase);
    condition.hashes.emplace(terms[0], terms);
  }
  return condition;
}

size_t CountBeginnings(std::span<const search::ExactWords> words) {
  return static_cast<size_t>(
      std::count_if(words.begin(), words.end(), [](const auto& one) { return one.is_beginning; }));
}
size_t CountBeginnings(const search::Fts5Query& query) {
  size_t count = CountBeginnings(query.phrases);
  for (const search::Fts5Query& part : query.of) count += CountBeginnings(part);
  return count;
}
// Of each of so many.
size_t MostCompletions(size_t beginnings) {
  return std::min(kMostExactCompletions, kMostOfAllBeginnings / std::max<size_t>(beginnings, 1));
}

// A question in FTS5's syntax, of terms.
class Fts5Condition {
 public:
  explicit Fts5Condition(ExactCondition phrase) : kind_(Kind::kPhrase) {
    phrases_.push_back(std::move(phrase));
  }
  // All of them, or any, as kAnd or kOr says.
  Fts5Condition(Kind kind, std::vector<Fts5Condition> of) : kind_(kind), of_(std::move(of)) {}
  // most: as for ConditionOf.
  Fts5Condition(const search::Fts5Query& query, size_t most, IndexVocabulary* vocabulary)
      : kind_(query.kind),
        distance_(std::min<size_t>(query.distance, INT32_MAX)),
        is_first_(query.is_first) {
    for (const search::ExactWords& phrase : query.phrases)
      phrases_.push_back(ConditionOf(phrase, most, vocabulary, is_first_));
    // As FTS5 passes over signs, and with trigram over words of two letters.
    const auto has_no_term = [](const ExactCondition& phrase) { return phrase.choices.empty(); };
    if (kind_ == Kind::kNear) std::erase_if(phrases_, has_no_term);
    if (kind_ == Kind::kNear && phrases_.empty()) kind_ = Kind::kNothing;
    for (const search::Fts5Query& part : query.of) {
      Fts5Condition one(part, most, vocabulary);
      if (query.is_implicit && one.kind_ == Kind::kPhrase && has_no_term(one.phrases_[0])) continue;
      of_.push_back(std::move(one));
    }
    if (query.is_implicit && of_.empty()) kind_ = Kind::kNothing;
    if (!is_first_ || !query.phrases[0].columns.empty()) return;
    // A row's first word, not its first part.
    for (size_t i = 0; i < vocabulary->index().TextColumns().size(); i++)
      phrases_[0].columns.push_back(i);
  }

  Kind kind() const { return kind_; }
  const std::vector<Fts5Condition>& of() const { return of_; }
  // Rows of the index that meet one of these meet it.
  std::vector<std::string> Expressions(TermNumbers* numbers) const {
    if (kind_ == Kind::kPhrase)
      return phrases_[0].Expressions(numbers, is_first_ ? "^" : "", kPhrasesAtATime);
    std::vector<std::string> expressions;
    if (kind_ == Kind::kOr || of_.size() == 1) {
      for (const Fts5Condition& part : of_) {
        for (std::string& one : part.Expressions(numbers)) expressions.push_back(std::move(one));
      }
    } else if (std::string one = Expression(numbers); !one.empty()) {
      expressions.push_back(std::move(one));
    }
    return expressions;
  }
  // The same as one; "" where no row of the index can meet it.
  std::string Expression(TermNumbers* numbers) const {
    switch (kind_) {
      case Kind::kNothing:
        return "";
      case Kind::kPhrase: {
        const auto whole = phrases_[0].Expressions(numbers, is_first_ ? "^" : "", SIZE_MAX);
        return whole.empty() ? "" : whole[0];
      }
      case Kind::kNear:
        return NearExpression(numbers);
      case Kind::kNot: {
        const std::string kept = of_[0].Expression(numbers), taken = of_[1].Expression(numbers);
        return kept.empty() || taken.empty() ? kept : "(" + kept + ") NOT (" + taken + ")";
      }
      default:
        break;
    }
    std::string all;
    for (const Fts5Condition& part : of_) {
      const std::string one = part.Expression(numbers);
      if (one.empty() && kind_ == Kind::kAnd) return "";
      if (!one.empty())
        all += (all.empty() ? "(" : kind_ == Kind::kAnd ? " AND (" : " OR (") + one + ")";
    }
    return all;
  }

  // Whether it asks for all of several beginnings, each of many words.
  bool IsOfBeginnings() const {
    return kind_ == Kind::kAnd && std::all_of(of_.begin(), of_.end(), [](const auto& part) {
             return part.kind_ == Kind::kPhrase &&
                    part.phrases_[0].choices.size() > kPhrasesAtATime;
           });
  }

  bool IsMetBy(const PendingRow& row) const {
    const auto has = [&](const Fts5Condition& part) { return part.IsMetBy(row); };
    switch (kind_) {
      case Kind::kNothing:
        return false;
      case Kind::kPhrase:
        return phrases_[0].IsMetBy(row, is_first_);
      case Kind::kNear:
        return AnyColumn(row, [&](size_t number, std::span<const uint64_t> column) {
          return phrases_[0].IsIn(TextColumnOf(number)) && AreNear(column);
        });
      case Kind::kAnd:
        return std::all_of(of_.begin(), of_.end(), has);
      case Kind::kOr:
        return std::any_of(of_.begin(), of_.end(), has);
      case Kind::kNot:
        return of_[0].IsMetBy(row) && !of_[1].IsMetBy(row);
    }
    return false;
  }

 private:
  // NEAR of each choice of the first phrase with each of the second, and so on.
  std::string NearExpression(TermNumbers* numbers) const {
    std::vector<std::string> groups = {""};
    for (const ExactCondition& phrase : phrases_) {
      std::vector<std::string> longer;
      for (const std::string& choice : phrase.Phrases(numbers)) {
        for (const std::string& group : groups) {
          if (longer.size() < kMostExactCompletions) longer.push_back(group + " " + choice);
        }
      }
      groups = std::move(longer);
    }
    const std::string end = ", " + std::to_string(distance_) + ")";
    const std::string any = NamesOf(
        groups, [&](const std::string& group) { return "NEAR(" + group + end; }, " OR ");
    return any.empty() ? "" : phrases_[0].Where() + "(" + any + ")";
  }

  // As FTS5 counts: from the end of each phrase to the beginning of the last one no more than
  // distance_ terms.
  bool AreNear(std::span<const uint64_t> column) const {
    std::vector<size_t> ends(phrases_.size());  // of the last place so far, plus one; 0: none
    for (size_t at = 0; at < column.size(); at++) {
      bool is_one = false;
      for (size_t i = 0; i < phrases_.size(); i++) {
        const size_t terms = phrases_[i].TermsAt(column, at);
        if (terms > 0) ends[i] = at + terms + 1;
        is_one |= terms > 0;
      }
      const auto is_near = [&](size_t end) { return end > 0 && end - 1 + distance_ >= at; };
      if (is_one && std::all_of(ends.begin(), ends.end(), is_near)) return true;
    }
    return false;
  }

  Kind kind_;
  size_t distance_ = 0;    // of kNear
  bool is_first_ = false;  // of kPhrase
  std::vector<ExactCondition> phrases_;
  std::vector<Fts5Condition> of_;
};

// Rows of the index, and of those that wait, that meet the condition, some of them twice; with
// passages parts.
std::vector<int64_t> FindEntries(const Fts5Condition& condition, IndexVocabulary* vocabulary) {
  std::vector<int64_t> rowids;
  if (condition.IsOfBeginnings()) {
    // At each row of one beginning FTS5 would look at all words of the others.
    rowids = FindEntries(condition.of()[0], vocabulary);
    for (size_t i = 1; i < condition.of().size(); i++) {
      const search::RowSet others(FindEntries(condition.of()[i], vocabulary));
      std::erase_if(rowids, [&](int64_t rowid) { return !others.Contains(rowid); });
    }
    return rowids;
  }
  PendingRows& pending = vocabulary->pending();
  TermNumbers numbers(vocabulary->db(), vocabulary->index());
  Statement select(vocabulary->db(), "SELECT rowid" + vocabulary->index().FtsMatches());
  for (const std::string& expression : condition.Expressions(&numbers)) {
    for (bool found = select.Find(expression); found; found = select.Step()) {
      if (!pending.Contains(select.Int(0))) rowids.push_back(select.Int(0));
    }
  }
  pending.ForEachRow([&](int64_t rowid, const PendingRow& row) {
    if (condition.IsMetBy(row)) rowids.push_back(rowid);
    return true;
  });
  return rowids;
}

// Of rows of a table that is cut those that meet a condition: row, id of a part that shows it.
// Sorted.
using RowsWithParts = std::vector<std::pair<int64_t, int64_t>>;

// Rows of both, by the parts that both have; where there are none, by the parts of either.
RowsWithParts RowsOfBoth(const RowsWithParts& a, const RowsWithParts& b) {
  RowsWithParts both;
  const auto end_of_row = [](auto at, auto end) {
    return std::find_if(at, end, [&](const auto& other) { return other.first != at->first; });
  };
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int64_t row = std::min(i->first, j->first);
    const auto i_end = i->first == row ? end_of_row(i, a.end()) : i;
    const auto j_end = j->first == row ? end_of_row(j, b.end()) : j;
    if (i_end != i && j_end != j) {
      const size_t before = both.size();
      std::set_intersection(i, i_end, j, j_end, std::back_inserter(both));
      if (both.size() == before) std::set_union(i, i_end, j, j_end, std::back_inserter(both));
    }
    i = i_end;
    j = j_end;
  }
  return both;
}

// Phrases are looked for in parts, and what is asked of them together is asked of the row.
RowsWithParts FindRowsWithParts(const Fts5Condition& condition, IndexVocabulary* vocabulary) {
  RowsWithParts rows;
  const Kind kind = condition.kind();
  if (kind != Kind::kAnd && kind != Kind::kOr && kind != Kind::kNot) {
    IndexParts& ids = vocabulary->pending().source()->ids();
    for (const int64_t id : FindEntries(condition, vocabulary)) {
      rows.emplace_back(ids.At(id).row, id);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  for (size_t i = 0; i < condition.of().size(); i++) {
    const RowsWithParts others = FindRowsWithParts(condition.of()[i], vocabulary);
    if (i == 0) {
      rows = others;
    } else if (kind == Kind::kAnd) {
      rows = RowsOfBoth(rows, others);
    } else if (kind == Kind::kOr) {
      RowsWithParts any;
      std::set_union(rows.begin(), rows.end(), others.begin(), others.end(),
                     std::back_inserter(any));
      rows = std::move(any);
    } else {
      const auto is_before = [](const auto& a, const auto& b) { return a.first < b.first; };
      std::erase_if(rows, [&](const auto& row) {
        return std::binary_search(others.begin(), others.end(), row, is_before);
      });
    }
  }
  return rows;
}

// Rows that meet it: of a row that is cut, all parts, or those that show it, so that one of these is
// the best one.
search::RowSet FindRows(const Fts5Condition& condition, bool all_parts,
                        IndexVocabulary* vocabulary) {
  if (vocabulary->index().passages == 0) return search::RowSet(FindEntries(condition, vocabulary));
  std::vector<int64_t> rows, ids;
  for (const auto& [row, id] : FindRowsWithParts(condition, vocabulary)) {
    if (rows.empty() || rows.back() != row) rows.push_back(row);
    ids.push_back(id);
  }
  return all_parts ? vocabulary->pending().PartsOf(rows) : search::RowSet(ids);
}

}  // namespace

search::RowSet FindFts5Rows(const search::Fts5Query& query, IndexVocabulary* vocabulary) {
  const size_t most = MostCompletions(CountBeginnings(query));
  return FindRows(Fts5Condition(query, most, vocabulary), /*all_parts=*/false, vocabulary);
}

ExactRows FindExactRows(const search::ReadQuestion& question, IndexVocabulary* vocabulary) {
  std::vector<Fts5Condition> required, excluded;
  const size_t most =
      MostCompletions(CountBeginnings(question.required) + CountBeginnings(question.excluded));
  for (const auto& exact : question.required) {
    ExactCondition condition = ConditionOf(exact, most, vocabulary);
    // Words of which the tokenizer leaves nothing ask for nothing.
    if (!condition.choices.empty()) required.emplace_back(std::move(condition));
  }
  for (const auto& exact : question.excluded)
    excluded.emplace_back(
        ConditionOf(exact, most, vocabulary, /*is_first=*/false, /*is_excluded=*/true));

  ExactRows rows;
  if (!required.empty())
    rows.required = FindRows({Kind::kAnd, std::move(required)}, /*all_parts=*/false, vocabulary);
  if (!excluded.empty())
    rows.excluded = FindRows({Kind::kOr, std::move(excluded)}, /*all_parts=*/true, vocabulary);
  return rows;
}

}  // namespace s2v
