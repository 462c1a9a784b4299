#include "sql/index_longer_numbers.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/text/letters.h"
#include "core/text/typed_words.h"
#include "sql/index_alike_terms.h"
#include "sql/index_words_query.h"

namespace s2v {
namespace {

// So many longer forms of a number are looked for, of so many numbers of a question and their forms.
constexpr size_t kMostLonger = 8, kMostLongerNumbers = 24;

// Terms of numbers with more than digits, and of names with a full stop, that only rows which wait
// have.
std::set<std::string, std::less<>> WaitingNumbers(IndexVocabulary* vocabulary) {
  std::set<std::string, std::less<>> numbers;
  vocabulary->pending().ForEachTerm([&](std::string_view term, uint64_t /*hash*/) {
    const size_t digits = std::min(term.find_first_not_of("0123456789"), term.size());
    const bool is_longer = digits == 0 ? term.find('.') != term.npos : digits < term.size();
    const bool may_be_longer = is_longer && !numbers.contains(term);
    if (may_be_longer && !vocabulary->HasNumber(term)) numbers.emplace(term);
    return true;
  });
  return numbers;
}

bool IsNumberOrSize(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.,x") == word.npos &&
         IsAsciiDigit(word.front()) && IsAsciiDigit(word.back());
}

// As php8 and i48.
bool IsNameWithNumber(std::string_view word) {
  return !word.empty() && !IsAsciiDigit(word.front()) && IsAsciiDigit(word.back());
}

// Whether it is a fraction of one or two digits, a unit, or both, as stand behind a number.
bool MayEndNumber(std::string_view rest) {
  constexpr size_t kMostOfFraction = 2;
  if (rest[0] == ',' || rest[0] == '.') {
    const size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end == 1 || end > 1 + kMostOfFraction) return false;
    rest.remove_prefix(end);
  }
  // In 4th, 40s and 4º these are none.
  constexpr std::string_view kNoUnits[] = {"st", "nd", "rd", "th", "s", "x", "o"};
  return rest.empty() || (MayBeUnit(rest) && FindNamed(rest, kNoUnits) == nullptr);
}

// As terms have them.
std::vector<NumberForm> NamesWithNumbers(const TypedWords& typed, const ReadingRules& rules) {
  std::vector<NumberForm> names;
  for (size_t i = 0; i < typed.size(); i++) {
    const std::string word(typed.At(i)), plain = PlainToken(word, rules.has_all_forms);
    if (IsNameWithNumber(plain)) names.push_back({plain, word});
  }
  return names;
}

}  // namespace

std::vector<std::string> LongerNames(IndexVocabulary* vocabulary, std::string_view word,
                                     size_t most) {
  // Digits before the full stop of an amount; behind one digit there are too many numbers.
  constexpr size_t kLeastOfAmount = 2, kMostOfAmount = 3;
  std::vector<std::string> names, amounts;
  const std::string name = PlainToken(word, vocabulary->cutter().reading().has_all_forms);
  if (!IsNameWithNumber(name)) return names;
  AddTermsBetween(vocabulary, name + ".0", name + ".:", most, AnyTerm, &names);
  const size_t digits = name.find_first_of("0123456789");
  const std::string letters = name.substr(0, digits), number = name.substr(digits);
  if (number.size() < kLeastOfAmount || number.size() > kMostOfAmount || !IsNumberOrSize(number))
    return names;
  AddTermsBehind(vocabulary, letters, number + '.', most, &amounts);
  for (const std::string& amount : amounts) names.push_back(letters + ' ' + amount);
  return names;
}

std::vector<NumberForm> LongerNumbers(IndexVocabulary* vocabulary, std::string_view text) {
  std::vector<NumberForm> longer;
  const TermCutter& cutter = vocabulary->cutter();
  if (!cutter.is_ours()) return longer;
  const TypedWords typed(text, cutter.reading(), kMaxPartWords);
  if (typed.are_too_many()) return longer;
  std::optional<std::set<std::string, std::less<>>> waiting;
  std::set<std::string> met;
  size_t numbers = 0;
  std::vector<NumberForm> forms = FormsOfNumbers(text);
  // As they were typed first: other forms of some would leave no place for the last ones.
  std::stable_partition(forms.begin(), forms.end(),
                        [](const NumberForm& form) { return form.words == form.given; });
  const std::vector<NumberForm> names = NamesWithNumbers(typed, cutter.reading());
  forms.insert(forms.begin(), names.begin(), names.end());
  for (const NumberForm& form : forms) {
    if (form.is_loose || !met.insert(form.words).second) continue;
    const size_t begin = form.words.find_last_of(' ') + 1;
    const std::string number = form.words.substr(begin);
    const bool is_name = IsNameWithNumber(number);
    if (!is_name && !IsNumberOrSize(number)) continue;
    if (++numbers > kMostLongerNumbers) break;
    if (!waiting) waiting = WaitingNumbers(vocabulary);
    std::vector<std::string> terms;
    if (is_name) terms = LongerNames(vocabulary, number, kMostLonger);
    for (const auto& [from, to] : {std::pair{',', '/'}, std::pair{'a', '\xff'}}) {
      if (is_name) break;
      const std::string first = number + from, end = number + to;
      for (std::string& term : ShortestBetween(vocabulary, first, end, SIZE_MAX))
        terms.push_back(std::move(term));
      terms.insert(terms.end(), waiting->lower_bound(first), waiting->lower_bound(end));
    }
    std::erase_if(terms, [&](const std::string& term) {
      return !is_name && !MayEndNumber(std::string_view(term).substr(number.size()));
    });
    if (terms.size() > kMostLonger) {
      PutCommonestFirst(vocabulary, &terms);
      terms.resize(kMostLonger);
    }
    for (const std::string& term : terms)
      longer.push_back({form.words.substr(0, begin) + term, form.given, /*is_loose=*/true});
  }
  return longer;
}

}  // namespace s2v
