// Terms of an index's rows that begin alike, in which order they are looked at, and how many.
//
//   AddTermsFrom(&vocabulary, "europ", 16, AnyTerm, &terms);       // "european" "europ"
//   AddTermsBehind(&vocabulary, "proj", "16", 16, &terms);         // "1600" "1601": of PROJ-1600
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/index_vocabulary.h"

namespace s2v {

// The rarest go last. How common a term is the model knows, which has counted its words; others,
// and all where it cuts texts in another way, are counted in the rows, the first ones that is.
void PutCommonestFirst(IndexVocabulary* vocabulary, std::vector<std::string>* terms);

// Of a term that rows have: kNoMore says that no other one is looked for either.
enum class TermChoice { kYes, kNo, kNoMore };
using AcceptTerm = std::function<TermChoice(const std::string& term)>;
inline TermChoice AnyTerm(const std::string& /*term*/) {
  return TermChoice::kYes;
}

// Adds terms from begin on and before end that rows have, the commonest first of those that came
// first.
void AddTermsBetween(IndexVocabulary* vocabulary, std::string_view begin, std::string_view end,
                     size_t most, const AcceptTerm& accept, std::vector<std::string>* terms);
// Those that begin so.
void AddTermsFrom(IndexVocabulary* vocabulary, std::string_view beginning, size_t most,
                  const AcceptTerm& accept, std::vector<std::string>* terms);
// Those that begin so and that rows have behind the term `before`, the shortest first: of PROJ-16
// rather 1600 than 1601231.
void AddTermsBehind(IndexVocabulary* vocabulary, const std::string& before,
                    std::string_view beginning, size_t most, std::vector<std::string>* terms);
// The same of a word before a beginning, as of sodium chl: fewer are looked at, and none where so
// many rows have the word that each would take long.
void AddTermsBehindWord(IndexVocabulary* vocabulary, const std::string& before,
                        std::string_view beginning, size_t most, std::vector<std::string>* terms);
// The shortest terms of the index from begin on and before end; of very many, of those that sort
// first.
std::vector<std::string> ShortestBetween(IndexVocabulary* vocabulary, std::string_view begin,
                                         std::string_view end, size_t most);

}  // namespace s2v
