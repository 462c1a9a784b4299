#include "sql/index_exact.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "core/vocab/hash.h"

namespace s2v {
namespace {

// Words of which one begins so.
constexpr size_t kMostExactCompletions = 500;

using TermPhrase = std::vector<std::string>;

// One of these phrases, in one column or any.
struct ExactCondition {
  std::vector<TermPhrase> choices;
  std::unordered_multimap<uint64_t, std::vector<uint64_t>> hashes;  // HashWord of the terms of each, by the first one
  size_t column = SIZE_MAX;

  // Of FTS5; "" where no row of the index has any.
  std::string Expression(TermNumbers* numbers) const {
    std::string any;
    for (const TermPhrase& phrase : choices) {
      std::string terms;
      for (const std::string& term : phrase) {
        const std::string number = numbers->Find(term);
        if (number.empty()) {
          terms.clear();
          break;
        }
        terms += (terms.empty() ? "" : " ") + number;
      }
      if (!terms.empty()) any += (any.empty() ? "" : " OR ") + QuoteName(terms);
    }
    if (any.empty()) return "";
    const std::string number = std::to_string(column);
    const std::string where = column == SIZE_MAX ? "" : "{c" + number + " p" + number + "} : ";
    return where + "(" + any + ")";
  }

  bool Has(const KeptRow& row) const {
    size_t begin = 0;
    for (size_t c = 0; c < row.words.columns.size(); begin = row.words.columns[c++]) {
      if (column != SIZE_MAX && column != c / 2) continue;
      const std::span column_terms(row.terms.data() + begin, row.words.columns[c] - begin);
      for (size_t at = 0; at < column_terms.size(); at++) {
        const auto is_there = [&](const auto& phrase) {
          const std::span terms = column_terms.subspan(at, std::min(phrase.second.size(), column_terms.size() - at));
          return std::equal(terms.begin(), terms.end(), phrase.second.begin(), phrase.second.end());
        };
        const auto [first, last] = hashes.equal_range(column_terms[at]);
        if (std::any_of(first, last, is_there)) return true;
      }
    }
    return false;
  }
};

ExactCondition ConditionOf(const search::ExactWords& exact, IndexVocabulary* vocabulary) {
  ExactCondition condition;
  condition.column = exact.column;
  condition.choices = vocabulary->PhrasesOf(exact.words);
  if (exact.is_beginning) {
    // Of covid-19* the last word is one.
    const std::vector<TermPhrase> whole = condition.choices;
    const std::string_view last = search::LastWord(exact.words);
    for (const std::string& term : vocabulary->Completions(last, kMostExactCompletions).terms) {
      for (TermPhrase phrase : whole) {
        phrase.back() = term;
        condition.choices.push_back(std::move(phrase));
      }
    }
  }
  for (const TermPhrase& phrase : condition.choices) {
    std::vector<uint64_t> terms;
    for (const std::string& term : phrase) terms.push_back(HashWord(term));
    condition.hashes.emplace(terms[0], terms);
  }
  return condition;
}

// "(a) AND (b)"; nothing where one has no row, for AND.
std::optional<std::string> Joined(const std::vector<ExactCondition>& conditions, const char* by,
                                  TermNumbers* numbers) {
  std::string all;
  for (const ExactCondition& condition : conditions) {
    const std::string one = condition.Expression(numbers);
    if (one.empty() && std::string_view(by) == " AND ") return std::nullopt;
    if (!one.empty()) all += (all.empty() ? "" : by) + one;
  }
  return all;
}

}  // namespace

ExactRows FindExactRows(sqlite3* db, const IndexDefinition& index,
                        const search::ReadQuestion& question, IndexVocabulary* vocabulary,
                        PendingRows* pending) {
  std::vector<ExactCondition> required, excluded;
  for (const auto& exact : question.required) {
    required.push_back(ConditionOf(exact, vocabulary));
    // Words of which the tokenizer leaves nothing ask for nothing.
    if (required.back().choices.empty()) required.pop_back();
  }
  for (const auto& exact : question.excluded) excluded.push_back(ConditionOf(exact, vocabulary));

  TermNumbers numbers(db, index);
  // all: rows that meet all conditions, else any.
  const auto rows_of = [&](const std::vector<ExactCondition>& conditions, bool all) {
    std::vector<int64_t> rowids;
    const std::optional<std::string> expression = Joined(conditions, all ? " AND " : " OR ", &numbers);
    if (expression && !expression->empty()) {
      const std::string fts = QuoteName(index.name + "_fts");
      Statement select(db, "SELECT rowid FROM " + index.Part("fts") + " WHERE " + fts + " MATCH ?1",
                       *expression);
      while (select.Step()) {
        if (!pending->Contains(select.Int(0))) rowids.push_back(select.Int(0));
      }
    }
    for (const int64_t rowid : pending->rows().Rowids()) {
      const KeptRow* row = pending->Terms(rowid);
      if (row == nullptr) continue;
      const auto has = [&](const ExactCondition& one) { return one.Has(*row); };
      const bool is_met = all ? std::all_of(conditions.begin(), conditions.end(), has)
                              : std::any_of(conditions.begin(), conditions.end(), has);
      if (is_met) rowids.push_back(rowid);
    }
    return search::RowSet(std::move(rowids));
  };
  ExactRows rows;
  if (!required.empty()) rows.required = rows_of(required, /*all=*/true);
  if (!excluded.empty()) rows.excluded = rows_of(excluded, /*all=*/false);
  return rows;
}

}  // namespace s2v
