#include "core/text/language_stemmer.h"

#include <libstemmer.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "core/text/english_stemmer.h"
#include "core/text/utf8.h"
#include "core/vocab/hash.h"

namespace s2v {
namespace {

// An Arabic word without "and" before its article, with which Snowball does not know the article:
// والشركة as الشركة, and وللشركة as للشركة.
std::string_view WithoutAnd(std::string_view word) {
  constexpr size_t kLeastLetters = 5;
  // Parents, his father, their mother: a word of its own, but for the religion, as which parents are
  // written too.
  constexpr std::string_view kFather = "\u0648\u0627\u0644\u062F";
  constexpr std::string_view kOfFather[] = {
      "\u064A\u0646",       "\u0627\u0646",       "\u062A\u0647",       "\u062A\u0647\u0627",
      "\u062A\u0647\u0645", "\u062A\u064A",       "\u062A\u0643",       "\u062A\u0646\u0627",
      "\u064A\u0647",       "\u064A\u0647\u0627", "\u064A\u0647\u0645", "\u064A\u0643",
      "\u064A\u0646\u0627", "\u0647\u0627",       "\u0647\u0645",       "\u0646\u0627"};
  if (word.starts_with(kFather) && std::find(std::begin(kOfFather), std::end(kOfFather),
                                             word.substr(kFather.size())) != std::end(kOfFather))
    return word;
  for (const std::string_view sign : {"\u0648", "\u0641"}) {
    if (!word.starts_with(sign)) continue;
    const std::string_view rest = word.substr(sign.size());
    const bool has_article = rest.starts_with("\u0627\u0644") || rest.starts_with("\u0644\u0644");
    if (has_article && CharacterCount(rest) >= kLeastLetters) return rest;
  }
  return word;
}

// The stem of an Arabic plural, شركات, without the alef of its ending, which Snowball leaves where
// there is no article.
std::string WithoutAlef(std::string_view word, const std::string& stem) {
  constexpr std::string_view kAlef = "\u0627", kEnding = "\u0627\u062A";
  constexpr size_t kLeastLetters = 4;
  const bool has_alef = word.ends_with(kEnding) && stem.ends_with(kAlef);
  if (!has_alef || CharacterCount(stem) < kLeastLetters) return stem;
  return stem.substr(0, stem.size() - kAlef.size());
}

// Of a Portuguese plural as cartões the singular, cartão, also where accents were not typed.
std::string WithSingularAo(std::string_view word) {
  constexpr size_t kLeastLetters = 4, kLeastWithoutAccent = 5;
  if (word.ends_with("hoes")) return std::string(word);  // shoes, which is no plural of an ao
  for (const std::string_view ending : {"\u00F5es", "oes", "ao"}) {
    const size_t least = ending == "oes" ? kLeastWithoutAccent : kLeastLetters;  // goes
    if (word.ends_with(ending) && CharacterCount(word) >= least)
      return std::string(word.substr(0, word.size() - ending.size())) + "\u00E3o";
  }
  return std::string(word);
}

}  // namespace

void LanguageStemmer::Delete::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

LanguageStemmer::LanguageStemmer(std::string_view language)
    : language_(language),
      is_english_(language == "english"),
      snowball_(is_english_ ? nullptr : sb_stemmer_new(std::string(language).c_str(), "UTF_8")) {}

std::string_view LanguageStemmer::RawStemOf(std::string_view word) {
  if (is_english_) {
    word_ = word;
    return {word_.data(), StemEnglish(word_.data(), word_.size())};
  }
  const auto* stem =
      sb_stemmer_stem(snowball_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem),
          static_cast<size_t>(sb_stemmer_length(snowball_.get()))};
}

std::string_view LanguageStemmer::AsStemmed(std::string_view word, const LanguageRules& rules,
                                            std::string* made) const {
  if (is_english_ && rules.has_ordinary) return *made = rules.Plain(word);
  if (language_ == "romanian" && rules.has_all_forms) return *made = WithCedillas(word);
  if (language_ == "portuguese" && rules.has_plurals) return *made = WithSingularAo(word);
  if (language_ == "greek" && rules.has_one_spelling) return *made = WithoutDiaeresis(word);
  return word;
}

std::string LanguageStemmer::StemOf(std::string_view word, const LanguageRules& rules) {
  const bool is_arabic = language_ == "arabic" && rules.has_whole_article;
  if (is_arabic) word = WithoutAnd(word);
  std::string made;
  std::string stem = rules.Plain(RawStemOf(AsStemmed(word, rules, &made)));
  if (is_arabic) stem = WithoutAlef(word, stem);
  return stem.empty() && rules.keeps_all_words ? rules.Plain(word) : stem;
}

int VersionOfLanguages(const std::vector<const Language*>& languages, size_t age) {
  // The stems of each language's common words, each with the next one at its end.
  std::string stems;
  for (const Language* language : languages) {
    LanguageStemmer stemmer(language->name);
    const std::vector<std::string_view> words = SplitAt(language->common_words, ' ');
    for (size_t i = 0; i < words.size(); i++) {
      std::string word(words[i]);
      if (i + 1 < words.size()) word += words[i + 1];
      stems += stemmer.RawStemOf(word);
      stems += ' ';
    }
  }
  // In a version before all these rules, a text of no clear language was of the first of several.
  int version = (languages.size() > 1 ? 2 : 1) + static_cast<int>(age);
  // FormatTokenizer has a format's version in the bits behind: the hash tells the later ones apart.
  constexpr int kMostVersion = 15;
  if (!languages.empty() && version > kMostVersion)
    stems += std::to_string(std::exchange(version, kMostVersion));
  const uint64_t hash = XXH3_64bits(stems.data(), stems.size());
  return languages.empty() ? version : version << 24 | static_cast<int>(hash & 0xffffff);
}

}  // namespace s2v
