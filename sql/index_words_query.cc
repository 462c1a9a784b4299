#include "sql/index_words_query.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/search/fusion.h"
#include "core/text/languages.h"
#include "core/text/plain_letters.h"
#include "core/text/spelled_names.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"
#include "core/vocab/hash.h"
#include "sql/index_languages.h"

namespace s2v {
namespace {

// Bytes beyond ASCII are left to the tokenizer, which knows what of them is a letter.
bool IsWordByte(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || (c & 0x80) != 0;
}

// So many trigrams are looked for: kMaxQueryWords words of a language have fewer.
constexpr size_t kMostTrigrams = 16 * kMaxQueryWords;

// Where a question in it stands among texts in other languages, cacm's abstracts were found worse
// by parts of words.
constexpr std::string_view kEnglish = "english";

bool HasDigit(std::string_view word) {
  return word.find_first_of("0123456789") != word.npos;
}

// Whether it is a name of words that signs join, as programs have it: parse_int, --list-all,
// setup.py, /etc/fstab. In other texts x-ray and and/or are words apart.
bool IsName(std::string_view run) {
  const bool is_path = run.starts_with("--") || run.starts_with('/') || run.starts_with("~/");
  const std::string_view joints = is_path ? "_-./" : "_.";
  for (size_t at = 1; at + 1 < run.size(); at++) {
    if (joints.find(run[at]) != joints.npos && IsWordByte(run[at - 1]) && IsWordByte(run[at + 1]))
      return true;
  }
  return false;
}

// The terms of words, without the pieces of names. Valid as long as the tokens are.
std::vector<std::string_view> TermsOf(std::string_view words, const TermCutter& cutter,
                                      Tokens* tokens) {
  cutter.own()->CutTerms(words, /*with_parts=*/false, tokens);
  std::vector<std::string_view> terms;
  const size_t count = CountBeforePieces(*tokens);
  for (size_t i = 0; i < count; i++) terms.push_back((*tokens)[i]);
  return terms;
}

// The terms of a run without blanks, where they are one more word of the question: up to
// kMostTogether numbers, with letters or without, single letters, or words of a name. 2024-06-08,
// 12:14, INV-2026-0822, U.S.A., parse_int. Empty for other runs.
constexpr size_t kMostTogether = 8;
std::vector<std::string_view> TogetherIn(std::string_view run, const TermCutter& cutter,
                                         Tokens* tokens) {
  const bool is_together = IsName(run) || HasDigit(run);
  if (!is_together && run.find('.') == run.npos) return {};
  std::vector<std::string_view> terms = TermsOf(run, cutter, tokens);
  const auto is_letter = [](std::string_view term) { return CharacterCount(term) == 1; };
  const bool are_few = terms.size() > 1 && terms.size() <= kMostTogether;
  if (!are_few || !(is_together || std::all_of(terms.begin(), terms.end(), is_letter))) return {};
  return terms;
}

// One that is all of the question counts so many times: docs/tried.md.
constexpr double kAllTogetherWeight = 3;
// What all words of a question count that stand side by side: docs/tried.md.
constexpr double kQuestionWeight = 0.5;
// The same run, or number and unit, counts twice, however often it comes.
constexpr int kMostOfOne = 2;

// What several terms are as one more word.
uint64_t HashTogether(const std::vector<std::string_view>& terms) {
  return HashWord(NamesOf(terms, std::identity(), " "));
}

// What stands behind the last blank, if it is a number; "" elsewhere.
std::string LastNumber(std::string_view text) {
  text = Trimmed(text);
  text.remove_prefix(text.find_last_of(" \t\r\n([{") + 1);
  return text.find_first_not_of("0123456789.,") == text.npos ? std::string(text) : "";
}

// The part of a word that was typed last tells words that begin so from other forms of their stem:
// it counts so many times as much as other parts do.
constexpr double kTypedLastTimes = 3;

// What a word counts that has hardly any parts, where those of long words count as words do; and a
// beginning that has none.
constexpr size_t kLettersWithoutParts = 3;
constexpr double kShortWeight = 2, kShortBeginningWeight = 3;

// In a script without blanks, where a word is a run of pairs of characters: so many more pairs an
// unfinished one may become.
constexpr size_t kMostFurtherPairs = 8;

// Makes a query of a question's text and its unfinished words.
class QueryMaker {
 public:
  QueryMaker(sqlite3* db, const IndexDefinition& index, ModelReader* model)
      : db_(db), index_(index), cutter_(db, index), numbers_(db, index), model_(model) {
    if (model != nullptr) query_.counted_texts = static_cast<double>(model->info().texts);
  }

  WordsQuery Make(std::string_view text, const std::vector<WordChoices>& choices,
                  const std::vector<NumberForm>& other_forms) {
    std::string ordinary;  // the text: its numbers as ASCII has them, spaces for its blanks
    for (const int32_t c : DecodePoints(WithOrdinaryNumbers(text)))
      AppendPoint(IsBlankPoint(c) ? ' ' : c, &ordinary);
    bool is_clear = false;  // in which language it is
    if (cutter_.is_ours()) {
      const std::string_view language = cutter_.plain()->LanguageOf(text);
      is_clear = !language.empty();
      if (is_clear) query_.language_rows = FindLanguageRows(db_, index_, *cutter_.own(), language);
      AddOwnWords(text, language);
      if (query_.word_count <= kMaxPartWords) AddTogether(ordinary, choices.empty());
      AddQuestion(ordinary);
    } else {
      AddFts5Words(text);
    }
    for (const WordChoices& one : choices) {
      AddChoices(one);
      const std::string number = LastNumber(ordinary);
      if (cutter_.is_ours() && choices.size() == 1 && !number.empty() && MayBeUnit(one.typed))
        AddTogether(number + " " + one.typed, /*is_question=*/false);
      CountWord(one, is_clear);
    }
    if (cutter_.is_ours() && query_.word_count <= kMaxPartWords) {
      std::string all = ordinary;
      // A single letter may become any word.
      for (const WordChoices& one : choices)
        all += CharacterCount(one.typed) > 1 || HasDigit(one.typed) ? ' ' + one.typed : "";
      std::vector<NumberForm> forms = FormsOfNumbers(all);
      forms.insert(forms.end(), other_forms.begin(), other_forms.end());
      AddOtherForms(forms);
    }
    return std::move(query_);
  }

 private:
  // Returns the phrase, good until the next one. REQUIRES: there are terms.
  WordsPhrase* Add(const std::vector<std::string_view>& terms) {
    WordsPhrase phrase;
    bool is_known = true;
    phrase.terms = HashesOf(terms);
    for (size_t i = 0; i < terms.size(); i++) {
      const int64_t number = numbers_.Number(terms[i]);
      phrase.number = std::max(phrase.number, number);
      is_known = is_known && number != 0;
      phrase.fts += (i == 0 ? "" : " ") + TermNumbers::Text(number);
    }
    phrase.fts = is_known ? QuoteName(phrase.fts) : "";
    if (!is_known) phrase.number = 0;
    phrase.is_repeated = !met_.insert(phrase.terms).second;
    if (terms.size() == 1) phrase.term = phrase.terms[0];
    phrase.is_part = phrase.is_beside = IsPart(terms[0]);
    if (phrase.is_part) {
      phrase.weight = PartWeight(terms[0]);
      phrase.needs_others = cutter_.is_english();
    } else if (is_known && terms.size() == 1 && cutter_.is_ours() && model_ != nullptr) {
      phrase.frequency = model_->Word(terms[0], phrase.terms[0]).frequency;
    }
    if (terms.size() == 1 && !phrase.is_part && LacksParts(terms[0])) phrase.weight = kShortWeight;
    // Not parts, nor numbers that stand together: which of several titles was typed is seen from
    // their texts.
    phrase.is_of_titles = !cutter_.is_ours() || (terms.size() == 1 && !phrase.is_beside);
    phrase.is_common = terms.size() == 1 && IsCommon(terms[0]);
    return &query_.phrases.emplace_back(std::move(phrase));
  }

  // Terms of the common words of the tokenizer's languages, if it has any: of this thi.
  std::unordered_set<std::string> CommonTerms() const {
    std::unordered_set<std::string> common;
    if (!cutter_.is_ours()) return common;
    Tokens tokens;
    const std::vector<std::string_view> names = SplitAt(cutter_.plain()->name(), '+');
    for (const Language& language : Languages()) {
      if (std::find(names.begin(), names.end(), language.name) == names.end()) continue;
      cutter_.own()->CutTerms(language.common_words, /*with_parts=*/false, &tokens);
      for (size_t i = 0; i < tokens.size(); i++) common.emplace(tokens[i]);
    }
    return common;
  }
  // The lists tell languages apart, so English lacks a and do, which others have; but in English men
  // and door are no common words.
  bool IsCommon(std::string_view term) const {
    constexpr size_t kLettersOfAny = 2;
    const bool is_of_any = common_.empty() || CharacterCount(term) <= kLettersOfAny;
    return common_.contains(std::string(term)) || (is_of_any && IsCommonWord(term));
  }

  double PartWeight(std::string_view part) const {
    if (cutter_.is_english())
      return part.ends_with('>') ? search::kEnglishEndWeight : search::kPartWeight;
    const bool tells_forms = !cutter_.has_stems() && !HasDigit(part);
    return tells_forms ? search::kPartWeightWithoutStems : search::kPartWeight;
  }

  // Whether parts of long words count as much as words, and one of so few letters has hardly any.
  bool LacksParts(std::string_view word) const {
    return cutter_.is_ours() && cutter_.tells_words() && !cutter_.has_stems() &&
           CharacterCount(word) <= kLettersWithoutParts && ScriptOf(word) != Script::kUnspaced;
  }

  // Words as FTS5's tokenizers cut them: each may become several terms.
  void AddFts5Words(std::string_view text) {
    const bool is_trigram = index_.HasTrigrams();
    // Where punctuation may belong to a word, words end at blanks alone.
    const bool only_blanks_part =
        index_.tokenize.find("tokenchars") != std::string::npos || is_trigram;
    const auto is_before = [](const std::string& a, const std::string& b) {
      return sqlite3_stricmp(a.c_str(), b.c_str()) < 0;
    };
    std::map<std::string, int, decltype(is_before)> met(is_before);  // how often
    std::set<std::vector<std::string>> words;  // the terms of each; of trigrams itself
    for (size_t at = 0; at < text.size() && met.size() < kMaxQueryWords;) {
      const auto is_word = [&](size_t i) {
        return only_blanks_part ? static_cast<unsigned char>(text[i]) > ' ' : IsWordByte(text[i]);
      };
      size_t end = at;
      while (end < text.size() && is_word(end)) end++;
      const std::string_view word = text.substr(at, end - at);
      at = end + 1;
      if (word.empty() || met[std::string(word)]++ >= 2) continue;
      RowTerms cut;
      cutter_.AddColumn(word, &cut, /*is_question=*/true);
      std::vector<std::string_view> terms;
      for (size_t i = 0; i < cut.size(); i++) terms.push_back(cut[i]);
      if (is_trigram) {
        words.insert(std::vector<std::string>{std::string(word)});
        // A word is all of its trigrams, in whatever order a row has them.
        for (size_t i = 0; i < terms.size() && query_.phrases.size() < kMostTrigrams; i++)
          Add({terms[i]});
      } else if (!terms.empty()) {  // a sign alone is no word
        words.emplace(terms.begin(), terms.end());
        Add(terms);
      }
    }
    query_.word_count = words.size();
    if (!index_.HasTitles()) return;
    RowTerms column;
    cutter_.AddColumn(text, &column);
    query_.words_of_column = column.columns[0];
  }

  // Words as our tokenizers cut them. language: of the text, "" where it is not clear.
  void AddOwnWords(std::string_view text, std::string_view language) {
    Tokens tokens;
    tokens.KeepForms();
    cutter_.own()->CutTerms(text, cutter_.with_parts(), &tokens);
    std::unordered_map<std::string_view, int> met;
    size_t pieces = tokens.size();  // from here on
    // Another form of a number is none of the question's words (AddOtherForms).
    const auto is_number = [&](size_t i) {
      return i > pieces && tokens[i].find_first_not_of("0123456789.") == std::string_view::npos;
    };
    for (size_t i = 0; i < tokens.size(); i++) {
      if (tokens[i] == kPiecesMark) pieces = i;
      if (IsPart(tokens[i])) continue;
      query_.words_of_column += i < pieces || !cutter_.has_pieces_beside();
      if (tokens[i] == kPiecesMark || is_number(i)) continue;
      if (query_.word_count < kMaxQueryWords && met[tokens[i]]++ == 0) query_.word_count++;
    }
    const bool with_parts = query_.word_count <= kMaxPartWords && language != kEnglish;
    met.clear();
    uint64_t name = 0;  // of the last piece
    for (size_t i = 0, words = 0; i < tokens.size() && words <= query_.word_count; i++) {
      const bool is_part = IsPart(tokens[i]);
      if ((is_part && !with_parts) || tokens[i] == kPiecesMark || is_number(i)) continue;
      const int times = met[tokens[i]]++;
      words += !is_part && times == 0;
      if (times >= (is_part ? 1 : 2)) continue;
      WordsPhrase& phrase = *Add({tokens[i]});
      phrase.is_beside |= i > pieces;
      if (with_parts && i > pieces && !is_part) name = NameWith(tokens.form(i), tokens, pieces);
      phrase.name = name;
      if (!is_part) phrase.asked = HashWord(tokens.form(i));
    }
  }

  // The term of the name that a piece is of, the longest word before the pieces that has it; 0: of
  // none, as email of e-mail.
  static uint64_t NameWith(std::string_view piece, const Tokens& tokens, size_t pieces) {
    uint64_t term = 0;
    for (size_t i = 0, longest = piece.size(); i < pieces; i++) {
      const std::string_view word = IsPart(tokens[i]) ? "" : tokens.form(i);
      if (word.size() <= longest || word.find(piece) == word.npos) continue;
      longest = word.size();
      term = HashWord(tokens[i]);
    }
    return term;
  }

  // What is one more word: what stands together in a run, and a number and up to three letters
  // behind it, its unit. text: with spaces for blanks. is_question: it is all of it.
  void AddTogether(std::string_view text, bool is_question) {
    constexpr std::string_view kOfNumber = "0123456789.,", kBefore = "([{", kBehind = ".,;:!?)]}";
    const bool is_all = is_question && Trimmed(text).find(' ') == text.npos;
    Tokens tokens;
    std::unordered_map<uint64_t, int> met;
    std::string_view before;  // the number before this run
    for (const std::string_view run : SplitAt(text, ' ')) {
      if (run.empty()) continue;
      if (met[HashWord(run)]++ < kMostOfOne) {
        const auto together = TogetherIn(run, cutter_, &tokens);
        if (!together.empty()) {
          WordsPhrase& phrase = *Add(together);
          phrase.weight = is_all ? kAllTogetherWeight : 1;
          if (together.size() > 1) phrase.term = HashTogether(together);
          if (!is_all && !IsName(run)) phrase.halves = phrase.terms;
        }
      }
      const std::string_view unit = run.substr(0, run.find_last_not_of(kBehind) + 1);
      if (!before.empty() && MayBeUnit(unit) && met[HashTogether({before, unit})]++ < kMostOfOne) {
        const std::vector<std::string_view> pair =
            TermsOf(std::string(before) + " " + std::string(unit), cutter_, &tokens);
        if (pair.size() == 2) {
          WordsPhrase& phrase = *Add(pair);
          phrase.term = HashTogether(pair);
          phrase.halves = phrase.terms;
        }
      }
      before = run.substr(std::min(run.find_first_not_of(kBefore), run.size()));
      const bool is_number = before.find_first_not_of(kOfNumber) == before.npos &&
                             !before.empty() && IsAsciiDigit(before.back());
      if (!is_number) before = "";
    }
  }

  // All words of a short question, one after another, as one more word; not of a script without
  // blanks, whose pairs of characters tell their order. text: with spaces for blanks.
  void AddQuestion(std::string_view text) {
    const bool is_run = Trimmed(text).find(' ') == text.npos;  // AddTogether
    if (is_run || ScriptOf(text) == Script::kUnspaced) return;
    Tokens tokens;
    const std::vector<std::string_view> terms = TermsOf(text, cutter_, &tokens);
    if (terms.size() < 2 || terms.size() > kMostTogether || met_.contains(HashesOf(terms))) return;
    WordsPhrase& phrase = *Add(terms);
    phrase.weight = kQuestionWeight;
    phrase.is_question = true;
  }

  // Of a run whose last word is not written to its end: it may be any of its choices.
  void AddUnfinishedTogether(const WordChoices& choices, size_t choice) {
    Tokens tokens;
    std::vector<std::string_view> together = TogetherIn(choices.typed, cutter_, &tokens);
    if (together.empty()) return;
    Add(together);  // as it stands: rows with it come before those with more
    for (const std::string& last : choices.together) {
      together.back() = last;
      WordsPhrase& phrase = *Add(together);
      phrase.choice = choice;
      if (choices.is_question) phrase.weight = kAllTogetherWeight;
    }
  }

  // What rows may have in place of words of the question.
  void AddOtherForms(const std::vector<NumberForm>& forms) {
    Tokens asked, other;
    std::set<std::string> added;
    for (const NumberForm& form : forms) {
      if (!added.insert(form.words).second) continue;
      const std::vector<std::string_view> terms = TermsOf(form.words, cutter_, &other),
                                          joined = TermsOf(form.given, cutter_, &asked);
      if (terms.empty() || terms == joined || terms.size() > kMostTogether) continue;
      WordsPhrase& phrase = *Add(terms);
      phrase.is_of_titles = false;
      phrase.is_other_form = joined.size() == 1;
      phrase.is_loose = form.is_loose;
      phrase.may_be_version = form.may_be_version;
      phrase.term = 0;
      if (joined.size() > 1) phrase.joins.push_back(HashTogether(joined));
      cutter_.own()->CutTerms(form.given, cutter_.with_parts(), &asked);
      for (size_t i = 0; i < asked.size(); i++) phrase.joins.push_back(HashWord(asked[i]));
    }
  }

  // One of the terms that an unfinished word may be. choice: the word's number.
  WordsPhrase ChoiceOf(const WordChoices::Term& one, size_t choice) {
    const std::string& term = one.term;
    WordsPhrase phrase;
    phrase.term = HashWord(term);
    phrase.terms = {phrase.term};
    phrase.number = numbers_.Number(term);
    if (phrase.number != 0) phrase.fts = QuoteName(TermNumbers::Text(phrase.number));
    phrase.choice = choice;
    phrase.is_beside = IsPart(term);
    phrase.is_whole = one.is_whole;
    phrase.is_doubtful = one.is_doubtful;
    return phrase;
  }

  void AddChoices(const WordChoices& one) {
    for (const WordChoices::Term& term : one.terms) {
      query_.phrases.push_back(ChoiceOf(term, choice_));
      if (one.parts.empty() && LacksParts(one.typed))
        query_.phrases.back().weight = kShortBeginningWeight;
    }
    for (const std::string& part : one.parts) {
      WordsPhrase* const phrase = Add({part});
      phrase->needs_others = true;
      if (part == one.typed_last) phrase->weight *= kTypedLastTimes;
    }
    choice_++;
    if (cutter_.is_ours()) AddUnfinishedTogether(one, choice_++);
  }

  // is_clear: in which language the text is.
  void CountWord(const WordChoices& one, bool is_clear) {
    if (one.is_run) query_.more_of_column = kMostFurtherPairs;
    if (one.terms.empty()) return;
    query_.word_count++;
    // A title whose language nothing tells has a stem of each.
    query_.words_of_column += is_clear ? 1 : std::max<size_t>(one.stems, 1);
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  const TermCutter cutter_;
  TermNumbers numbers_;
  const std::unordered_set<std::string> common_ = CommonTerms();
  ModelReader* model_;
  WordsQuery query_;
  std::set<std::vector<uint64_t>> met_;  // phrases
  size_t choice_ = 1;                    // the number of the next unfinished word
};

}  // namespace

WordsQuery MakeWordsQuery(sqlite3* db, const IndexDefinition& index, std::string_view text,
                          const std::vector<WordChoices>& choices,
                          const std::vector<NumberForm>& other_forms, ModelReader* model) {
  return QueryMaker(db, index, model).Make(text, choices, other_forms);
}

}  // namespace s2v
