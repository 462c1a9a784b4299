#include "core/text/english_stemmer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace s2v {
namespace {

struct Rule {
  std::string_view suffix, replacement;
};

// The rules of a step by the last letter of their suffixes, which most words rule out; of one
// letter the longest first.
template <size_t kRules>
class RuleTable {
 public:
  constexpr explicit RuleTable(const std::array<Rule, kRules>& rules) : rules_(rules) {
    std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) {
      const char last_a = a.suffix.back(), last_b = b.suffix.back();
      return last_a != last_b ? last_a < last_b : a.suffix.size() > b.suffix.size();
    });
    for (char letter = 'a'; letter <= 'z'; letter++) {
      size_t end = ends_[letter - 'a'];
      while (end < kRules && rules_[end].suffix.back() == letter) end++;
      ends_[letter - 'a' + 1] = static_cast<uint8_t>(end);
    }
  }
  constexpr std::span<const Rule> ForLast(char letter) const {
    const size_t begin = ends_[letter - 'a'];
    return std::span(rules_).subspan(begin, ends_[letter - 'a' + 1] - begin);
  }

 private:
  std::array<Rule, kRules> rules_;
  // Those of the alphabet's letter i are from ends_[i] to ends_[i + 1].
  std::array<uint8_t, 27> ends_ = {};
};

constexpr RuleTable kSecond(std::to_array<Rule>(
    {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"}, {"izer", "ize"},
     {"logi", "log"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},
     {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},
     {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"},
     {"biliti", "ble"}}));
constexpr RuleTable kThird(std::to_array<Rule>({{"icate", "ic"},
                                                {"ative", ""},
                                                {"alize", "al"},
                                                {"iciti", "ic"},
                                                {"ical", "ic"},
                                                {"ful", ""},
                                                {"ness", ""}}));
constexpr RuleTable kFourth(
    std::to_array<Rule>({{"al", ""},   {"ance", ""},  {"ence", ""},  {"er", ""},    {"ic", ""},
                         {"able", ""}, {"ible", ""},  {"ant", ""},   {"ement", ""}, {"ment", ""},
                         {"ent", ""},  {"sion", "s"}, {"tion", "t"}, {"ou", ""},    {"ism", ""},
                         {"ate", ""},  {"iti", ""},   {"ous", ""},   {"ive", ""},   {"ize", ""}}));

// A word that gets shorter, or changes its end. In the comments m is Porter's measure: how often a
// vowel is followed by a consonant.
class Stem {
 public:
  Stem(char* word, size_t size) : word_(word), size_(size) {}

  // Returns the size of the stem.
  size_t Find() {
    while (size_ >= kShortest && Strip()) {
    }
    return size_;
  }

 private:
  static constexpr size_t kShortest = 3;

  // All steps once; false where nothing changed.
  bool Strip() {
    const size_t size = size_;
    const char last = word_[size - 1];
    Plural();
    PastOrGerund();
    if (EndsWith("y") && HasVowel(size_ - 1)) word_[size_ - 1] = 'i';
    ReplaceFirst(kSecond, 0);
    ReplaceFirst(kThird, 0);
    ReplaceFirst(kFourth, 1);
    if (EndsWith("e")) {
      const size_t m = Measure(size_ - 1);
      if (m > 1 || (m == 1 && !EndsShort(size_ - 1))) size_--;
    }
    if (EndsWith("ll") && Measure(size_ - 1) > 1) size_--;
    return size_ != size || word_[size_ - 1] != last;
  }

  void Plural() {
    if (EndsWith("sses") || EndsWith("ies")) {
      size_ -= 2;
    } else if (EndsWith("s") && !EndsWith("ss")) {
      size_--;
    }
  }

  void PastOrGerund() {
    if (EndsWith("eed")) {
      if (Measure(size_ - 3) > 0) size_--;
      return;
    }
    const size_t cut = EndsWith("ed") ? 2 : EndsWith("ing") ? 3 : 0;
    if (cut == 0 || !HasVowel(size_ - cut)) return;
    size_ -= cut;
    const char last = word_[size_ - 1];
    const bool is_double = size_ > 1 && word_[size_ - 2] == last && !IsVowel(size_ - 1);
    if (EndsWith("at") || EndsWith("bl") || EndsWith("iz") ||
        (!is_double && Measure(size_) == 1 && EndsShort(size_))) {
      word_[size_++] = 'e';
    } else if (is_double && last != 'l' && last != 's' && last != 'z') {
      size_--;
    }
  }

  // Applies the rule of the longest suffix that the word has, if the measure of what precedes the
  // suffix is above `above`.
  template <size_t kRules>
  void ReplaceFirst(const RuleTable<kRules>& rules, size_t above) {
    for (const auto& [suffix, replacement] : rules.ForLast(word_[size_ - 1])) {
      if (!EndsWith(suffix)) continue;
      const size_t kept = size_ - suffix.size();
      // The s or t of sion and tion belongs to what is measured.
      const size_t measured = above > 0 ? kept + replacement.size() : kept;
      if (Measure(measured) <= above) return;
      std::memcpy(word_ + kept, replacement.data(), replacement.size());
      size_ = kept + replacement.size();
      return;
    }
  }

  // From the end, where most suffixes differ; a call to compare them would take longer.
  bool EndsWith(std::string_view suffix) const {
    if (suffix.size() > size_) return false;
    const char* end = word_ + size_;
    for (size_t i = suffix.size(); i-- > 0;) {
      if (*--end != suffix[i]) return false;
    }
    return true;
  }

  // y after a consonant is a vowel.
  bool IsVowel(size_t i) const {
    constexpr uint32_t kVowels = 1 << ('a' - 'a') | 1 << ('e' - 'a') | 1 << ('i' - 'a') |
                                 1 << ('o' - 'a') | 1 << ('u' - 'a');
    if (word_[i] == 'y') return i > 0 && !IsVowel(i - 1);
    return (kVowels >> (word_[i] - 'a') & 1) != 0;
  }

  bool HasVowel(size_t size) const {
    for (size_t i = 0; i < size; i++) {
      if (IsVowel(i)) return true;
    }
    return false;
  }

  size_t Measure(size_t size) const {
    size_t m = 0;
    bool was_vowel = false;
    for (size_t i = 0; i < size; i++) {
      const bool is_vowel = word_[i] == 'y' ? i > 0 && !was_vowel : IsVowel(i);
      m += was_vowel && !is_vowel;
      was_vowel = is_vowel;
    }
    return m;
  }

  // consonant, vowel, consonant other than w, x, y
  bool EndsShort(size_t size) const {
    return size >= 3 && !IsVowel(size - 3) && IsVowel(size - 2) && !IsVowel(size - 1) &&
           word_[size - 1] != 'w' && word_[size - 1] != 'x' && word_[size - 1] != 'y';
  }

  char* const word_;
  size_t size_;
};

}  // namespace

bool IsEnglishLetter(char c) {
  return c >= 'a' && c <= 'z';
}

size_t StemEnglish(char* token, size_t size) {
  constexpr size_t kLongest = 64;
  if (std::string_view(token, size).ends_with("'s")) size -= 2;
  if (size > kLongest || !std::all_of(token, token + size, IsEnglishLetter)) return size;
  return Stem(token, size).Find();
}

}  // namespace s2v
