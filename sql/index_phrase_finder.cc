#include "sql/index_phrase_finder.h"

#include <algorithm>
#include <span>

#include "sql/index_terms.h"

namespace s2v {

PhraseFinder::PhraseFinder(const IndexDefinition& index, const WordsQuery& query)
    : index_(index), query_(query) {
  for (size_t i = 0; i < query.phrases.size(); i++) {
    by_first_[query.phrases[i].terms[0]].push_back(i);
  }
}

std::vector<search::Occurrence> PhraseFinder::Find(const PendingRow& row) const {
  std::vector<search::Occurrence> found;
  size_t before[2] = {0, 0};  // words, parts
  // Whether the phrase is among these terms at this place.
  const auto is_at = [](const std::vector<uint64_t>& phrase, std::span<const uint64_t> terms,
                        size_t at) {
    return terms.size() - at >= phrase.size() &&
           std::equal(phrase.begin(), phrase.end(), &terms[at]);
  };
  AnyColumn(row, [&](size_t column, std::span<const uint64_t> terms) {
    for (size_t at = 0; at < terms.size(); at++) {
      const auto phrases = by_first_.find(terms[at]);
      if (phrases == by_first_.end()) continue;
      for (const size_t i : phrases->second) {
        const WordsPhrase& phrase = query_.phrases[i];
        if (!is_at(phrase.terms, terms, at)) continue;
        found.resize(query_.phrases.size());
        if (!found[i].is_found) {
          const bool among_parts = phrase.IsPartOfWords() && IsOfParts(column);
          found[i] = {0, static_cast<double>(before[among_parts] + at), true,
                      phrase.IsInTitle(column)};
        }
        found[i].times += index_.ColumnWeight(TextColumnOf(column));
      }
    }
    before[IsOfParts(column)] += terms.size();
    return false;
  });
  return found;
}

}  // namespace s2v
