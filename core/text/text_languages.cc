#include "core/text/text_languages.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/text/letters.h"

namespace s2v {
namespace {

// A text is of a language if it has at least two of that language's common words, and half as many
// again as of the next language.
constexpr double kLeastEvidence = 1.5, kAhead = 1.5;

size_t PlaceOf(const Language* language) {
  return static_cast<size_t>(language - Languages().data());
}

}  // namespace

TextLanguages::TextLanguages(std::vector<const Language*> languages, bool has_all_scripts)
    : languages_(std::move(languages)), has_all_scripts_(has_all_scripts) {
  for (size_t i = 0; i < languages_.size(); i++) {
    for (const Language& entry : Languages()) {
      if (entry.name == languages_[i]->name) of_script_[entry.script].push_back(i);
    }
  }
  for (const auto& [script, sharing] : of_script_) shares_script_ |= sharing.size() > 1;
}

// Serbian has an entry for each of its scripts.
double TextLanguages::EvidenceOf(const Language* language,
                                 const std::vector<double>& evidence) const {
  if (!has_all_scripts_) return evidence[PlaceOf(language)];
  double sum = 0;
  for (const Language& entry : Languages())
    sum += entry.name == language->name ? evidence[PlaceOf(&entry)] : 0;
  return sum;
}

std::span<const size_t> TextLanguages::ClearlyOne(std::span<const size_t> languages,
                                                  const std::vector<double>& evidence) const {
  if (languages.size() == 1) return languages;
  double most = 0, next = 0;
  const size_t* best = nullptr;
  for (const size_t& language : languages) {
    const double of = EvidenceOf(languages_[language], evidence);
    if (of > most) best = &language;
    next = std::max(next, std::min(most, of));
    most = std::max(most, of);
  }
  const bool is_clear =
      best != nullptr && most * languages_[*best]->share > kLeastEvidence && most > kAhead * next;
  return is_clear ? std::span(best, 1) : languages;
}

std::vector<double> TextLanguages::EvidenceIn(const Tokens& words, bool has_dotless_i) const {
  if (!shares_script_) return {};
  std::vector<double> evidence(Languages().size());
  for (size_t i = 0; i < words.size(); i++) {
    if (has_dotless_i) {
      AddCommon(WithDottedI(words[i]), &evidence);
    } else {
      AddCommon(words[i], &evidence);
    }
  }
  return evidence;
}

std::span<const size_t> TextLanguages::In(Script script,
                                          const std::vector<double>& evidence) const {
  const auto found = of_script_.find(script);
  if (found == of_script_.end()) return {};
  return ClearlyOne(found->second, evidence);
}

// By two different words that no other of the languages has among its common ones. One is too few:
// "in" is German too, though not among those.
std::string_view TextLanguages::LanguageOf(const Tokens& words) const {
  std::set<std::string_view> different;
  for (size_t i = 0; i < words.size(); i++) different.insert(words[i]);
  std::vector<double> evidence(Languages().size()), of_word(Languages().size());
  for (const std::string_view word : different) {
    std::fill(of_word.begin(), of_word.end(), 0.0);
    AddCommon(word, &of_word);
    const auto has_word = [&](const Language* language) {
      return EvidenceOf(language, of_word) > 0;
    };
    if (std::count_if(languages_.begin(), languages_.end(), has_word) != 1) continue;
    const auto only = std::find_if(languages_.begin(), languages_.end(), has_word);
    evidence[PlaceOf(*only)] += EvidenceOf(*only, of_word);
  }
  std::vector<size_t> all(languages_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const std::span<const size_t> clear = ClearlyOne(all, evidence);
  return clear.size() == 1 ? languages_[clear[0]]->name : "";
}

}  // namespace s2v
