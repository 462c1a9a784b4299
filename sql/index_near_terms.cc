#include "sql/index_near_terms.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/text/edit_distance.h"
#include "core/text/letters.h"
#include "core/text/utf8.h"
#include "core/text/word_spellings.h"

namespace s2v {
namespace {

// Terms are looked for whose first kFirstLetters letters are the word's, or are one edit from them.
// A term is a stem, which may lack an ending of up to kUsualEnding letters, or of kMostEnding. The
// kMostNear nearest terms are kept.
constexpr size_t kFirstLetters = 4, kUsualEnding = 4, kMostNear = 64;
// Of a beginning of fewer letters many words are an error away that is at its end, or a letter too
// many.
constexpr size_t kLeastForAnyError = 5;
// Of so many stems the words are read in the table.
constexpr size_t kMostStemsRead = 6;

// Visits the terms, some of them twice, those of rows that wait too. is_exact: their first letters
// are the word's.
void ForEachTermNear(IndexVocabulary* vocabulary, const std::string& plain, bool is_exact,
                     const std::function<void(std::string_view term)>& visit) {
  const std::string first(FirstLetters(plain, kFirstLetters));
  std::vector<std::string> beginnings;
  if (!is_exact) beginnings = WordsOneEditAway(first);
  beginnings.push_back(first);
  std::sort(beginnings.begin(), beginnings.end());
  const auto visit_text = [&](std::string_view term) {
    // Of a term that is not UTF-8, a letter could have any number of bytes.
    if (term.size() <= kMaxUtf8Bytes * CharacterCount(term)) visit(term);
  };
  // What begins so is read under the shorter beginning.
  const auto begins_so = [](const std::string& shorter, const std::string& longer) {
    return longer.starts_with(shorter);
  };
  beginnings.erase(std::unique(beginnings.begin(), beginnings.end(), begins_so), beginnings.end());
  Statement select = vocabulary->SelectTerms("term >= ?1 AND term < ?2");
  for (const std::string& beginning : beginnings) {
    const std::string end = beginning + '\xff';
    for (bool found = select.Find(Blob{beginning}, Blob{end}); found; found = select.Step())
      visit_text(select.Blob(0));
  }
  const auto begins_near = [&](std::string_view term) {
    const auto after = std::upper_bound(beginnings.begin(), beginnings.end(), term);
    return after != beginnings.begin() && term.starts_with(*std::prev(after));
  };
  std::unordered_set<uint64_t> looked_at;
  vocabulary->pending().ForEachTerm([&](std::string_view term, uint64_t hash) {
    if (looked_at.insert(hash).second && begins_near(term)) visit_text(term);
    return true;
  });
}

// From the word, which may lack an ending of up to most_ending letters; more than most_edits where
// there are more.
size_t EditsOfStem(std::string_view term, const std::string& plain, size_t most_edits,
                   size_t most_ending) {
  const size_t edits = StemDistance(term, plain, most_ending);
  if (edits <= most_edits || !term.ends_with('i')) return edits;
  std::string with_y(term);  // as laboratori is of laboratory
  with_y.back() = 'y';
  return StemDistance(with_y, plain, most_ending);
}

// The nearest, by their edits and the letters that the word has more.
std::vector<std::string> Nearest(std::vector<std::pair<size_t, std::string>> terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(terms.size(), kMostNear); i++)
    nearest.push_back(std::move(terms[i].second));
  return nearest;
}

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
  Statement select = vocabulary->SelectTerms("term >= ?1 AND term < ?2 ORDER BY id LIMIT ?3");
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

NearTerms TermsNear(IndexVocabulary* vocabulary, const std::string& plain, size_t most_edits) {
  const size_t all = CharacterCount(plain);
  std::vector<std::pair<size_t, std::string>> usual, longer;
  ForEachTermNear(vocabulary, plain, /*is_exact=*/false, [&](std::string_view term) {
    const size_t letters = CharacterCount(term);
    if (letters > all + 2 || letters + kUsualEnding + 3 < all) return;
    for (const size_t ending : {kUsualEnding, kUsualEnding + 1}) {
      const size_t edits = EditsOfStem(term, plain, most_edits, ending);
      if (edits > most_edits) continue;
      (ending == kUsualEnding ? usual : longer)
          .emplace_back(edits + all - std::min(all, letters), term);
      break;
    }
  });
  return {Nearest(std::move(usual)), Nearest(std::move(longer))};
}

std::vector<std::string> TermsOfLongEndings(IndexVocabulary* vocabulary, const std::string& plain,
                                            size_t most_edits) {
  const size_t all = CharacterCount(plain);
  std::vector<std::pair<size_t, std::string>> near;
  ForEachTermNear(vocabulary, plain, /*is_exact=*/true, [&](std::string_view term) {
    const size_t letters = CharacterCount(term);
    // With a usual ending it was looked at before.
    if (letters + kUsualEnding + 1 >= all || letters + kMostEnding + 2 < all) return;
    const size_t edits = EditsOfStem(term, plain, most_edits, kMostEnding);
    if (edits <= most_edits) near.emplace_back(edits + all - letters, term);
  });
  return Nearest(std::move(near));
}

std::string NearestBeginning(IndexVocabulary* vocabulary, const std::string& plain, double least) {
  const size_t letters = CharacterCount(plain);
  const auto beginning_of = [&](std::string_view word) {
    return HasSameStart(plain, word) ? BeginningOneEditAway(plain, FirstLetters(word, letters + 1))
                                     : Beginning();
  };
  // What terms begin with; and those that may be stems of words that begin so.
  std::map<ErrorPlace, std::set<std::string>> near;
  std::vector<std::string> stems;
  ForEachTermNear(vocabulary, plain, /*is_exact=*/false, [&](std::string_view term) {
    Beginning beginning = beginning_of(term);
    if (beginning.error != ErrorPlace::kNone) {
      near[beginning.error].insert(std::move(beginning.text));
    } else if (CharacterCount(term) <= letters + 1 && stems.size() < kMostNear &&
               EditsOfStem(term, plain, 1, kUsualEnding) <= 1) {
      stems.emplace_back(term);
    }
  });
  // Of these the one that most rows have, of its commonest term.
  const auto best_of = [&](ErrorPlace error) -> std::string {
    std::string best;
    std::vector<std::string> most;  // the same of the best one
    for (const std::string& text : near[error]) {
      std::vector<std::string> terms = TermsFrom(vocabulary, text, least);
      if (terms.empty()) continue;
      terms.resize(1);
      if (!most.empty() && WithMostRows(vocabulary, {most[0], terms[0]}, 0)[0] == most[0]) continue;
      best = text;
      most = std::move(terms);
    }
    if (best.empty()) return "";
    // With its accents.
    const std::string word = vocabulary->WordWith(
        most[0], [&](const std::string& other) { return other.starts_with(best); },
        /*is_any=*/true);
    return word.empty() ? best : std::string(FirstLetters(word, CharacterCount(best)));
  };
  if (std::string text = best_of(ErrorPlace::kWithin); !text.empty()) return text;
  stems = WithMostRows(vocabulary, std::move(stems), least);
  if (stems.size() > kMostStemsRead) stems.resize(kMostStemsRead);
  for (const std::string& stem : stems) {
    const std::string word = vocabulary->WordWith(
        stem, [&](const std::string& other) { return !beginning_of(other).text.empty(); },
        /*is_any=*/true);
    if (!word.empty()) return beginning_of(word).text;
  }
  if (letters < kLeastForAnyError) return "";
  std::string text = best_of(ErrorPlace::kLetterTooMany);
  return text.empty() ? best_of(ErrorPlace::kAtEnd) : text;
}

}  // namespace s2v
