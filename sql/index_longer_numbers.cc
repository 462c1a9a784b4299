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
// Of so many terms it is asked whether rows have them still.
constexpr size_t kMostLookedAt = 400;
// So many times rows are asked whether they have words of a long number side by side, of so many
// words: among a million ISBNs, telephone numbers and dates 600 of 600 were found, in 10 to 65 ms. And
// so many times for all numbers of a question.
constexpr size_t kMostAskedOfParted = 100, kMostOfParted = 8, kMostAskedOfAll = 400;
// So many words are looked up for one, of 40 characters some 800 where terms have no full stops.
constexpr size_t kMostLookedUp = 2000;

using WaitingTerms = std::set<std::string, std::less<>>;

// Terms of numbers with more than digits, and of names with a full stop, that only rows which wait
// have.
WaitingTerms WaitingNumbers(IndexVocabulary* vocabulary) {
  WaitingTerms numbers;
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

// Whether it is a number, or a name without blanks, that may be several words in rows.
bool MayBeParted(const NumberForm& form) {
  constexpr size_t kLeastDigits = 7, kLeastWithLetters = 4, kMost = 40;  // characters
  const std::string_view word = form.words;
  const bool is_number = word.find_first_not_of("0123456789") == word.npos,
             is_name = form.given.find(' ') == form.given.npos;  // in 1977 is no in1977
  return std::all_of(word.begin(), word.end(), IsAsciiWord) && word.size() <= kMost &&
         (is_number ? word.size() >= kLeastDigits : is_name && word.size() >= kLeastWithLetters);
}

// What rows have for a number or name in one, in words side by side or with full stops:
// "978 0 306 40615 7" of 9780306406157, k56.609 of k56609.
class PartedForms {
 public:
  // waiting: WaitingNumbers; asked: so far. All that is given must outlive it.
  PartedForms(IndexVocabulary* vocabulary, const WaitingTerms& waiting, std::string_view in_one,
              size_t* asked)
      : vocabulary_(*vocabulary),
        waiting_(waiting),
        in_one_(in_one),
        terms_at_(in_one.size()),
        asked_(*asked),
        most_asked_(std::min(*asked + kMostAskedOfParted, kMostAskedOfAll)) {}

  std::vector<std::string> Find() {
    AddFrom(0, {});
    return std::move(forms_);
  }

 private:
  using Terms = std::vector<std::pair<std::string, size_t>>;  // where each ends in in_one_

  // before: the terms of what stands before.
  void AddFrom(size_t at, const std::vector<std::string>& before) {
    if (!terms_at_[at]) AddTerms("", at, &terms_at_[at].emplace());
    for (const auto& [term, end] : *terms_at_[at]) {
      std::vector<std::string> terms = before;
      terms.push_back(term);
      if (term == in_one_ || terms.size() > kMostOfParted) continue;
      if (forms_.size() == kMostLonger || asked_ >= most_asked_) continue;
      asked_++;
      if (!before.empty() && vocabulary_.CountRowsWith(terms, 1) == 0) continue;
      if (end == in_one_.size()) forms_.push_back(NamesOf(terms, {}, " "));
      if (end < in_one_.size()) AddFrom(end, terms);
    }
  }
  // Terms that begin there. begin: what of them was read, with its full stops.
  void AddTerms(const std::string& begin, size_t at, Terms* terms) {
    for (size_t end = at + 1; end <= in_one_.size() && looked_up_ < kMostLookedUp; end++) {
      looked_up_++;
      const std::string word = begin + std::string(in_one_.substr(at, end - at));
      // A single letter within stands in too many rows.
      const bool is_letter = word.size() == 1 && at > 0 && IsAsciiLetter(word[0]);
      const std::vector<std::string> stems = vocabulary_.TermsOf(word);
      if (!is_letter && stems.size() == 1 && vocabulary_.IsTerm(stems[0]))
        terms->emplace_back(stems[0], end);
      if (end < in_one_.size() && HasTermFrom(word + '.' + in_one_[end]))
        AddTerms(word + '.', end, terms);
    }
  }
  bool HasTermFrom(const std::string& beginning) {
    const auto waiting = waiting_.lower_bound(beginning);
    const bool is_waiting = waiting != waiting_.end() && waiting->starts_with(beginning);
    return is_waiting || select_.Find(Blob{beginning}, Blob{beginning + '\xff'});
  }

  IndexVocabulary& vocabulary_;
  const WaitingTerms& waiting_;
  const std::string_view in_one_;
  std::vector<std::optional<Terms>> terms_at_;  // [characters of in_one_]
  std::vector<std::string> forms_;
  size_t& asked_;
  const size_t most_asked_;
  size_t looked_up_ = 0;  // words
  Statement select_ = vocabulary_.SelectTerms("term >= ?1 AND term < ?2 LIMIT 1");
};

// Of longer forms of a number those that rows have, the commonest.
void KeepCommonest(IndexVocabulary* vocabulary, std::vector<std::string>* terms) {
  PutCommonestFirst(vocabulary, terms);
  std::vector<std::string> kept;
  for (size_t i = 0; i < terms->size() && i < kMostLookedAt && kept.size() < kMostLonger; i++) {
    if (vocabulary->HasRows((*terms)[i])) kept.push_back(std::move((*terms)[i]));
  }
  *terms = std::move(kept);
}

// As terms have them.
std::vector<NumberForm> NamesWithNumbers(const TypedWords& typed, const ReadingRules& rules) {
  std::vector<NumberForm> names;
  for (size_t i = 0; i < typed.size(); i++) {
    const std::string word(typed.At(i)), plain = PlainToken(word, rules.has_all_forms);
    const bool has_digit = plain.find_first_of("0123456789") != plain.npos;
    if (has_digit && !IsNumberOrSize(plain)) names.push_back({plain, word});
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
  std::optional<WaitingTerms> waiting;
  std::set<std::string> met;
  size_t numbers = 0, asked = 0;
  std::vector<NumberForm> forms = FormsOfNumbers(text);
  // As they were typed first: other forms of some would leave no place for the last ones.
  std::stable_partition(forms.begin(), forms.end(),
                        [](const NumberForm& form) { return form.words == form.given; });
  const std::vector<NumberForm> names = NamesWithNumbers(typed, cutter.reading());
  forms.insert(forms.begin(), names.begin(), names.end());
  for (const NumberForm& form : forms) {
    if (form.is_loose || !met.insert(form.words).second) continue;
    const size_t begin = form.words.find_last_of(' ') + 1;
    const std::string number = LowerAscii(form.words.substr(begin));
    const bool is_name = IsNameWithNumber(number), is_in_one = MayBeParted(form);
    if (!is_name && !is_in_one && !IsNumberOrSize(number)) continue;
    if (++numbers > kMostLongerNumbers) break;
    if (!waiting) waiting = WaitingNumbers(vocabulary);
    if (is_in_one) {
      for (const std::string& parted : PartedForms(vocabulary, *waiting, number, &asked).Find())
        longer.push_back({parted, form.given, /*is_loose=*/true});
    }
    if (!is_name && !IsNumberOrSize(number)) continue;
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
    if (terms.size() > kMostLonger) KeepCommonest(vocabulary, &terms);
    for (const std::string& term : terms)
      longer.push_back({form.words.substr(0, begin) + term, form.given, /*is_loose=*/true});
  }
  return longer;
}

}  // namespace s2v
