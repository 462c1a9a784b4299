// What an unfinished word of a question may become.
//
//   IndexVocabulary vocabulary(db, index, &pending);
//   Completions(&vocabulary, "europ", 16).terms;    // "european" "europ"
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/index_vocabulary.h"
#include "sql/index_words_query.h"

namespace s2v {

// Of words that stand before a * what is not written to its end, the last word as the tokenizer
// cuts: of trans-europ europ, of v18.78 all. "" where they do not end with a letter or a digit.
// Valid as long as words is. Of a run that the tokenizer cuts into pairs of characters, of which
// more may come, as of Thai and Hangul, the last pair.
std::string_view UnfinishedWord(const IndexVocabulary& vocabulary, std::string_view words);
// What stands before it, and of a run its first character too, which ends the pair before.
std::string_view FinishedWords(const IndexVocabulary& vocabulary, std::string_view words);
// Terms of words that begin so, about the commonest first; words of letters and digits, of scripts
// with blanks between them. Of a single character of other scripts the terms of what begins so, or
// has it, and of Hangul what it may still become; none of longer runs, whose pairs of characters
// are looked for. Those go first that rows have behind the term `before`, if it is not empty: of 16
// in PROJ-16. Where there are `most`, some are added that rows have behind the term `word_before`:
// of chl in sodium chl.
WordChoices Completions(IndexVocabulary* vocabulary, std::string_view beginning, size_t most,
                        const std::string& before = "", const std::string& word_before = "");
// Terms that rows have of words that begin so, about the commonest first.
std::vector<std::string> TermsOfWordsFrom(IndexVocabulary* vocabulary, std::string_view beginning,
                                          size_t most);
// The term of the last word, by the profile of all languages; "" for none.
std::string LastTerm(const IndexVocabulary& vocabulary, std::string_view words);
// Where the term is one character of a script without blanks: the pairs of characters that begin
// with it. What follows 3 in 3月に is 月に.
std::vector<std::string> PairsFrom(IndexVocabulary* vocabulary, const std::string& term,
                                   size_t most);
// Those that end with it. What precedes 5 in 民法第5 is 法第.
std::vector<std::string> PairsTo(IndexVocabulary* vocabulary, const std::string& term, size_t most);

}  // namespace s2v
