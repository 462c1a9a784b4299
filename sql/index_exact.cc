#include "sql/index_exact.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "core/vocab/hash.h"

namespace s2v {
namespace {

// So many words that begin with what is written are looked for.
constexpr size_t kMostExactCompletions = 500;

using TermPhrase = std::vector<std::string>;

// A row meets the condition if it has one of these phrases, in the column if one is named.
struct ExactCondition {
  std::vector<TermPhrase> choices;
  std::unordered_multimap<uint64_t, std::vector<uint64_t>> hashes;  // HashWord of the terms of each, by the first one
  size_t column = SIZE_MAX;

  // As FTS5 is asked; "" where no row of the index has any of the phrases.
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

  bool IsMetBy(const PendingRow& row) const {
    size_t begin = 0;
    for (size_t c = 0; c < row.words.columns.size(); c++) {
      const size_t end = row.words.columns[c];
      const bool is_asked = column == SIZE_MAX || column == c / 2;
      if (is_asked && IsMetBy(std::span(row.terms).subspan(begin, end - begin))) return true;
      begin = end;
    }
    return false;
  }

 private:
  // terms: of one column.
  bool IsMetBy(std::span<const uint64_t> terms) const {
    for (; !terms.empty(); terms = terms.subspan(1)) {
      const auto begins_here = [&](const auto& entry) {
        const std::vector<uint64_t>& phrase = entry.second;
        return phrase.size() <= terms.size() && std::equal(phrase.begin(), phrase.end(), terms.begin());
      };
      const auto [first, last] = hashes.equal_range(terms[0]);
      if (std::any_of(first, last, begins_here)) return true;
    }
    return false;
  }
};

ExactCondition ConditionOf(const search::ExactWords& exact, IndexVocabulary* vocabulary) {
  ExactCondition condition;
  condition.column = exact.column;
  condition.choices = vocabulary->PhrasesOf(exact.words);
  if (exact.is_beginning) {
    // Only the last word is unfinished: 19 of covid-19*.
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

// "(a) AND (b)", or the same with OR. Nothing where no row can meet all, for AND.
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
    // Where the tokenizer leaves nothing of the words, they ask for nothing.
    if (required.back().choices.empty()) required.pop_back();
  }
  for (const auto& exact : question.excluded) excluded.push_back(ConditionOf(exact, vocabulary));

  TermNumbers numbers(db, index);
  // Rows that meet all of the conditions, or any of them.
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
      const PendingRow* row = pending->Terms(rowid);
      if (row == nullptr) continue;
      const auto has = [&](const ExactCondition& one) { return one.IsMetBy(*row); };
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
