#include "sql/index_near_terms.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/text/edit_distance.h"
#include "core/text/letters.h"
#include "core/text/utf8.h"
#include "core/text/word_spellings.h"

namespace s2v {
namespace {

// Terms are looked for whose first kFirstLetters letters are the word's, or are one edit from them.
// A term is a stem, which may lack an ending of up to kUsualEnding letters, one of them an error, or
// of kMostEnding. The kMostNear nearest terms are kept.
constexpr size_t kFirstLetters = 4, kUsualEnding = 5, kMostNear = 64;

}  // namespace

std::vector<std::string> TermsOneEditAway(IndexVocabulary* vocabulary, const std::string& plain) {
  std::vector<std::string> found;
  for (const std::string& word : WordsOneEditAway(plain)) {
    for (const std::string& term : vocabulary->TermsOf(word)) {
      if (vocabulary->IsTerm(term)) found.push_back(term);
    }
  }
  return found;
}

std::vector<std::string> TermsFrom(IndexVocabulary* vocabulary, const std::string& beginning,
                                   double least) {
  Statement select = vocabulary->SelectTerms("term >= ?1 AND term < ?2 LIMIT ?3");
  const std::string end = beginning + '\xff';
  std::vector<std::string> terms;
  for (bool found = select.Find(Blob{beginning}, Blob{end}, kMostNear); found;
       found = select.Step())
    terms.emplace_back(select.Blob(0));
  vocabulary->pending().ForEachTerm([&](std::string_view term, uint64_t) {
    if (term.starts_with(beginning)) terms.emplace_back(term);
    return terms.size() < 2 * kMostNear;
  });
  return WithMostRows(vocabulary, std::move(terms), least);
}

std::vector<std::string> WithMostRows(IndexVocabulary* vocabulary, std::vector<std::string> terms,
                                      double least) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::pair<int64_t, std::string>> by_rows;
  for (std::string& term : terms) {
    const int64_t rows = vocabulary->CountRowsWith({term}, kMostRowsCounted);
    if (static_cast<double>(rows) >= least) by_rows.emplace_back(-rows, std::move(term));
  }
  std::sort(by_rows.begin(), by_rows.end());
  terms.clear();
  for (auto& [rows, term] : by_rows) terms.push_back(std::move(term));
  return terms;
}

std::vector<std::string> TermsNear(IndexVocabulary* vocabulary, const std::string& plain,
                                   size_t most_edits, bool has_long_ending) {
  Statement select = vocabulary->SelectTerms("term >= ?1 AND term < ?2");
  const std::string first(FirstLetters(plain, kFirstLetters));
  std::vector<std::string> beginnings;
  if (!has_long_ending) beginnings = WordsOneEditAway(first);
  beginnings.push_back(first);
  const size_t most_ending = has_long_ending ? kMostEnding : kUsualEnding;
  std::sort(beginnings.begin(), beginnings.end());
  const size_t all = CharacterCount(plain);
  std::vector<std::pair<size_t, std::string>> near;
  const auto look_at = [&](std::string_view term) {
    const size_t letters = CharacterCount(term);
    // Of a term that is not UTF-8, a letter could have any number of bytes.
    if (letters > all + 2 || letters + most_ending + 2 < all ||
        term.size() > kMaxUtf8Bytes * letters)
      return;
    // With a usual ending it was looked at before.
    if (has_long_ending && letters + kUsualEnding >= all) return;
    size_t edits = StemDistance(term, plain, most_ending);
    if (edits > most_edits && term.ends_with('i')) {
      // As laboratori is of laboratory.
      std::string with_y(term);
      with_y.back() = 'y';
      edits = StemDistance(with_y, plain, most_ending);
    }
    if (edits <= most_edits) near.emplace_back(edits + all - std::min(all, letters), term);
  };
  std::string last;
  for (const std::string& beginning : beginnings) {
    // What begins so was read already, under the shorter beginning.
    if (!last.empty() && beginning.starts_with(last)) continue;
    last = beginning;
    const std::string end = beginning + '\xff';
    for (bool found = select.Find(Blob{beginning}, Blob{end}); found; found = select.Step())
      look_at(select.Blob(0));
  }
  std::unordered_set<uint64_t> looked_at;
  vocabulary->pending().ForEachTerm([&](std::string_view term, uint64_t hash) {
    if (looked_at.insert(hash).second && HasSameStart(plain, term)) look_at(term);
    return true;
  });
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> terms;
  for (size_t i = 0; i < std::min(near.size(), kMostNear); i++) terms.push_back(near[i].second);
  return terms;
}

}  // namespace s2v
