#include "sql/index_question_text.h"

#include <algorithm>

#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/utf8.h"
#include "sql/index_alike_terms.h"
#include "sql/index_longer_numbers.h"

namespace s2v {
namespace {

// So many words are looked for that an unfinished word may become. The question's vector leaves an
// unfinished word out: with the commonest word that it may become, nDCG@10 of unfinished questions
// was mostly the same within a point, on some collections two points different.
constexpr size_t kMostCompletions = 16;

// Where a number begins behind other characters, or a letter behind a number.
size_t LetterBesideDigit(std::string_view word) {
  for (size_t i = 1; i < word.size(); i++) {
    const bool is_behind = IsAsciiDigit(word[i - 1]);
    if (is_behind ? IsAsciiLetter(word[i]) : IsAsciiDigit(word[i])) return i;
  }
  return word.npos;
}

}  // namespace

QuestionText::QuestionText(sqlite3* db, const IndexDefinition& index, PendingRows* pending,
                           const std::string& text, bool is_fts5)
    : given_(text) {
  if (!index.words) {
    read_.text = text;
    return;
  }
  vocabulary_.emplace(db, index, pending);
  corrector_.emplace(&*vocabulary_);
  if (is_fts5) {
    fts5_ = search::ReadFts5Query(text, index.TextColumns(), &read_);
  } else {
    read_ = search::ReadSearchField(text, index.TextColumns());
  }
  as_typed_ = read_.text;
  for (const std::string& words : read_.beginnings)
    as_typed_ += (as_typed_.empty() || as_typed_.ends_with(' ') ? "" : " ") + words;
  as_typed_.erase(0, as_typed_.find_first_not_of(' '));
  CompleteWords();
  if (is_fts5) return;
  AddCorrection(corrector_->Correct(&read_.text));
  other_forms_ = corrector_->FindJoined(read_.text);
  const std::vector<NumberForm> longer = LongerNumbers(&*vocabulary_, read_.text);
  other_forms_.insert(other_forms_.end(), longer.begin(), longer.end());
}

void QuestionText::CompleteWords() {
  for (const std::string& words : read_.beginnings) {
    std::string beginning(UnfinishedWord(*vocabulary_, words));
    const std::string_view finished = FinishedWords(*vocabulary_, words);
    read_.text += " " + std::string(finished);
    std::string before = TermBefore(finished, beginning);
    // iphone1 may become iPhone 13, Rp1.25 Rp1.250.000, 256g 256 GB, of which rows have both apart.
    const size_t change = LetterBesideDigit(beginning);
    if (change != beginning.npos && IsApart(beginning, change)) {
      const std::string first = beginning.substr(0, change);
      read_.text += " " + first;
      before = LastTerm(*vocabulary_, first);
      beginning.erase(0, change);
    }
    const bool may_correct = !fts5_ && vocabulary_->has_words();
    if (may_correct) JoinBefore(/*is_known=*/false, &beginning);
    const std::string word_before = before.empty() ? WordBefore() : "";
    WordChoices& choices = choices_.emplace_back(
        Completions(&*vocabulary_, beginning, kMostCompletions, before, word_before));
    if (choices.terms.empty() && may_correct &&
        (JoinBefore(/*is_known=*/true, &beginning) || CorrectBeginning(&beginning)))
      choices = Completions(&*vocabulary_, beginning, kMostCompletions);
    choices.typed = words;
    choices.is_question = words == as_typed_;
    // Of an abbreviation, A.M, it is the letter.
    if (choices.is_letter && words != beginning && words.find('.') == words.npos) {
      choices.together = TermsOfWordsFrom(&*vocabulary_, beginning, kMostCompletions);
    } else {
      for (const WordChoices::Term& one : choices.terms) choices.together.push_back(one.term);
    }
    choices.is_run = ScriptOf(beginning) == Script::kUnspaced;
    const bool is_all = beginning == as_typed_;  // nothing else was typed
    if (choices.is_letter && is_all) choices.terms.clear();
    // Perhaps the word is finished, and misspelled.
    if (choices.terms.empty()) {
      read_.text += " " + beginning;
    } else if (vocabulary_->Plain(beginning).empty() || choices.terms[0].is_whole) {
      meant_as_typed_ += " " + beginning;
    }
  }
}

std::string QuestionText::TermBefore(std::string_view finished, std::string_view beginning) const {
  if (!vocabulary_->cutter().is_ours()) return "";
  if (!finished.empty()) return LastTerm(*vocabulary_, finished);
  const auto is_number = [](std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
  };
  const std::string_view last = search::LastWord(Trimmed(read_.text));
  // Too many numbers begin with one digit.
  const bool is_needed = is_number(beginning) && (is_number(last) || beginning.size() == 1);
  return is_needed && !last.empty() ? LastTerm(*vocabulary_, last) : "";
}

std::string QuestionText::WordBefore() const {
  if (!vocabulary_->cutter().is_ours()) return "";
  const std::string_view last = search::LastWord(Trimmed(read_.text));
  const std::string_view profile = vocabulary_->cutter().plain()->name();
  const bool is_common = IsCommonWord(SmallLetters(last), profile);
  return is_common || last.empty() ? "" : LastTerm(*vocabulary_, last);
}

bool QuestionText::IsApart(const std::string& beginning, size_t change) {
  if (!vocabulary_->cutter().is_ours() || HasWordsFrom(beginning)) return false;
  const std::vector<std::string> first = vocabulary_->TermsOf(beginning.substr(0, change));
  std::vector<std::string> behind;
  return std::any_of(first.begin(), first.end(), [&](const std::string& term) {
    AddTermsBehind(&*vocabulary_, term, beginning.substr(change), /*most=*/1, &behind);
    return !behind.empty();
  });
}

bool QuestionText::JoinBefore(bool is_known, std::string* beginning) {
  const std::string text(Trimmed(read_.text)), before(search::LastWord(text));
  // Nothing else was typed between them, or behind.
  std::string_view typed = Trimmed(given_);
  const std::string end = *beginning + "*";
  if (before.empty() || read_.beginnings.size() > 1 || !typed.ends_with(end)) return false;
  typed.remove_suffix(end.size());
  if (!typed.ends_with(' ') || !(" " + std::string(Trimmed(typed))).ends_with(" " + before))
    return false;
  // First what is seldom so, and quickly seen.
  if (!HasWordsFrom(before + *beginning)) return false;
  if (is_known ? !corrector_->MayBeHalf(before) || HasWordsFrom(*beginning)
               : corrector_->IsKnown(before))
    return false;
  read_.text = text.substr(0, text.size() - before.size());
  AddCorrection(before + " " + *beginning + "* → " + before + *beginning + "*");
  *beginning = before + *beginning;
  return true;
}

bool QuestionText::CorrectBeginning(std::string* beginning) {
  if (HasWordsFrom(*beginning)) return false;  // it is another word, or two
  const std::string other = corrector_->NearestBeginning(*beginning);
  if (other.empty()) return false;
  AddCorrection(*beginning + "* → " + other + "*");
  *beginning = other;
  return true;
}

void QuestionText::AddCorrection(const std::string& correction) {
  corrections_ += (corrections_.empty() || correction.empty() ? "" : ", ") + correction;
}

ExactRows QuestionText::FindExact() {
  if (fts5_) return {.required = FindFts5Rows(*fts5_, &*vocabulary_), .excluded = {}};
  return FindExactRows(read_, &*vocabulary_);
}

}  // namespace s2v
