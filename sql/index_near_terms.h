// Terms of an index that are spelled nearly as a word.
//
//   TermsOneEditAway(&vocabulary, "mananger");                  // "manag", of manager
//   TermsOfLongEndings(&vocabulary, "optimisaton", 2);          // "optim", of optimisation
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <vector>

#include "sql/index_vocabulary.h"

namespace s2v {

// Letters that a stem may lack of its word, at most.
constexpr size_t kMostEnding = 8;
// Rows that have a term are counted up to so many.
constexpr int64_t kMostRowsCounted = 2000;

// All of words that are one edit from it; some of them twice.
std::vector<std::string> TermsOneEditAway(IndexVocabulary* vocabulary, const std::string& plain);
// The nearest ones that are at most so many edits from a beginning of the word, which may lack an
// ending.
struct NearTerms {
  std::vector<std::string> usual;   // it lacks a usual ending
  std::vector<std::string> longer;  // a letter more, an error in it
};
NearTerms TermsNear(IndexVocabulary* vocabulary, const std::string& plain, size_t most_edits);
// Those of which it lacks a longer ending than these, and whose first letters are right.
std::vector<std::string> TermsOfLongEndings(IndexVocabulary* vocabulary, const std::string& plain,
                                            size_t most_edits);
// What words begin with that rows have, one edit from what was typed: the surest way
// (core/text/edit_distance.h), where words behind shorter stems come second, of these the one that
// most rows have. "" for none.
std::string NearestBeginning(IndexVocabulary* vocabulary, const std::string& plain, double least);
// Terms that begin so, of those that came first, as WithMostRows.
std::vector<std::string> TermsFrom(IndexVocabulary* vocabulary, const std::string& beginning,
                                   double least);
// Those that so many rows have, each once, what most rows have first.
std::vector<std::string> WithMostRows(IndexVocabulary* vocabulary, std::vector<std::string> terms,
                                      double least);

}  // namespace s2v
