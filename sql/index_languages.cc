// By a sample, and by the words that rows have of each language alone.
#include "sql/index_languages.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/text/languages.h"
#include "core/text/utf8.h"
#include "sql/index_sample.h"
#include "sql/index_terms.h"

namespace s2v {
namespace {

// Rows one after another at each of kRanges places.
constexpr int64_t kRanges = 20, kRowsOfRange = 20;
constexpr double kLeastRows = 10;  // in the language, to tell anything of it

// The numbers of terms that are common words of languages, with the language's place in the list;
// nullopt: of several.
std::unordered_map<uint64_t, std::optional<size_t>> NumbersOfCommonWords(
    sqlite3* db, const IndexDefinition& index, const std::vector<std::string_view>& languages) {
  TermNumbers numbers(db, index);
  std::unordered_map<uint64_t, std::optional<size_t>> found;
  Tokens tokens;
  for (size_t i = 0; i < languages.size(); i++) {
    const Language* language = FindStemmedLanguage(languages[i]);
    if (language == nullptr) continue;  // neutral
    for (const std::string_view word : SplitAt(language->common_words, ' ')) {
      FindTokenizer(languages[i])->Tokenize(word, &tokens);
      const int64_t number = tokens.size() == 1 ? numbers.Number(tokens[0]) : 0;
      if (number == 0) continue;
      const auto [at, is_new] = found.emplace(static_cast<uint64_t>(number), i);
      if (!is_new && at->second != i) at->second.reset();
    }
  }
  return found;
}

}  // namespace

search::LanguageRows FindLanguageRows(sqlite3* db, const IndexDefinition& index,
                                      const Tokenizer& own, std::string_view language) {
  const std::vector<std::string_view> languages = SplitAt(own.plain().name(), '+');
  const auto wanted = static_cast<size_t>(std::find(languages.begin(), languages.end(), language) -
                                          languages.begin());
  const auto common = NumbersOfCommonWords(db, index, languages);
  const std::string entry = index.Object("entry");
  Statement ends(db,
                 "SELECT (SELECT min(id) FROM " + entry + "), (SELECT max(id) FROM " + entry + ")");
  if (wanted == languages.size() || !ends.Step() || ends.Type(0) == SQLITE_NULL) return {};
  std::vector<int64_t> places;
  Statement at_place(db, "SELECT min(id) FROM " + entry + " WHERE id >= ?1");
  // Whether half of the ranges have rows before the last one.
  const auto are_apart = [&](const std::vector<int64_t>& begins) {
    places = begins;
    at_place.Find(begins[kRanges / 2]);
    return at_place.Int(0) != ends.Int(1);
  };
  TryPlaces(ends.Int(0), ends.Int(1), kRanges, kRanges * kRowsOfRange, are_apart);
  Statement part(db, "SELECT id, terms FROM " + entry + " WHERE id >= ?1 ORDER BY id LIMIT ?2");
  double rows = 0, words = 0, all_rows = 0, all_words = 0;  // of those whose language is clear
  int64_t next = ends.Int(0);
  for (const int64_t place : places) {
    for (bool found = part.Find(std::max(next, place), kRowsOfRange); found; found = part.Step()) {
      next = part.Int(0) + (part.Int(0) < INT64_MAX ? 1 : 0);
      std::vector<size_t> counts(languages.size());
      const double size = ReadTerms(part.Blob(1), index, [&](uint64_t number) {
        const auto at = common.find(number);
        if (at != common.end() && at->second) counts[*at->second]++;
      });
      const auto most = std::max_element(counts.begin(), counts.end());
      if (*most == 0 || std::count(counts.begin(), counts.end(), *most) > 1) continue;
      all_rows++;
      all_words += size;
      if (static_cast<size_t>(most - counts.begin()) != wanted) continue;
      rows++;
      words += size;
    }
  }
  if (rows < kLeastRows || words == 0) return {};
  return {.share = rows / all_rows, .size = (words / rows) / (all_words / all_rows)};
}

}  // namespace s2v
