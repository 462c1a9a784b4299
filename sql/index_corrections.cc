#include "sql/index_corrections.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <unordered_set>

#include "core/text/edit_distance.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/plain_letters.h"
#include "core/text/utf8.h"
#include "core/text/word_spellings.h"
#include "core/vocab/hash.h"
#include "sql/index_near_terms.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

constexpr size_t kMostCorrectedWords = 32;
// A word of at least kLeastLetters letters may have one error, of kLettersForTwo two.
constexpr size_t kLeastLetters = 4, kLettersForTwo = 8;
// A longer word is hardly one that was typed, and to look for those like it takes the square of its
// letters.
constexpr size_t kMostLetters = 40;
// An ending that is longer than a usual one may be missing of so long a word.
constexpr size_t kLettersForLong = 10;
// Of so many terms the words are read in the table, of those that most rows have.
constexpr size_t kMostTried = 6;
// Two forms of a word may differ in the last kMostCut letters, of kLeastLeft before them at least.
constexpr size_t kMostCut = 2, kLeastLeft = 4;
// So many times as many rows may have the nearest word, which is another one.
constexpr double kTimesOfNearest = 4;
// Letters of a plural, or a singular, that may be misspelled; of a word of a name.
constexpr size_t kLettersOfPlural = 8, kLettersOfSingular = 7, kLeastOfName = 6;
// Or the word is two that stand side by side in rows, each of kLeastPiece letters at least, as
// login is log in.
constexpr size_t kLeastPiece = 2;      // but for one letter before an apostrophe
constexpr size_t kLeastSurePiece = 4;  // of both, so that a single row is enough
// Or it and its neighbour are one word that rows have, as head phones is headphones, if the
// neighbour is in one row of so many at most. Neither is shorter or a common word of a language: a
// typical is not atypical, nor hero in heroin.
constexpr double kRowsForOneNeighbour = 8;
constexpr size_t kLeastJoined = 3;  // letters
// Rows have both words of such a pair, but so many times as many the one word, and one of so many, as
// these side by side.
constexpr int64_t kTimesApart = 4;
constexpr double kRowsForOneJoined = 10000;
// A word that the table lacks may well be spelled right. So a correction must have the same first
// letter, or the first two letters exchanged. And if the word is short, or has two errors, then one
// row in kRowsForOneWith at least must have the correction. Measured by
// tests/bench/search_typing.py.
constexpr double kRowsForOneWith = 1000;

// Any run of blanks is one.
std::string WithSingleBlanks(std::string_view words) {
  std::string single;
  for (const int32_t c : DecodePoints(words)) {
    const bool is_blank = IsBlankPoint(c);
    if (!is_blank) AppendPoint(c, &single);
    if (is_blank && !single.ends_with(' ')) single += ' ';
  }
  return single;
}

}  // namespace

std::string InTwo(IndexVocabulary* vocabulary, const std::string& plain, bool is_written) {
  const size_t letters = CharacterCount(plain);
  if (letters > kMostLetters) return "";
  const auto is_there = [&](const std::string& term) { return vocabulary->IsTerm(term); };
  std::string best;
  const double least =
      std::clamp(vocabulary->CountRows() / kRowsForOneWith, 2.0, 1.0 * kMostRowsCounted);
  // Two longer words hardly stand side by side by chance, as rows have them. Parts of words find
  // compounds better.
  const bool may_be_one = is_written && !vocabulary->cutter().tells_words();
  const auto least_of = [&](size_t first) {
    return may_be_one && std::min(first, letters - first) >= kLeastSurePiece
               ? 1
               : static_cast<int64_t>(std::ceil(least));
  };
  int64_t most = 0;
  for (size_t first = MayLackApostrophe(plain) ? 1 : kLeastPiece; first + kLeastPiece <= letters;
       first++) {
    const std::string_view begin = FirstLetters(plain, first);
    const std::string words = std::string(begin) + " " + plain.substr(begin.size());
    for (const auto& phrase : vocabulary->PhrasesOf(words)) {
      const int64_t rows = phrase.size() == 2 && std::all_of(phrase.begin(), phrase.end(), is_there)
                               ? vocabulary->CountRowsWith(phrase, kMostRowsCounted)
                               : 0;
      // The stems may be those of other words: of données ne, not of don nees.
      if (rows <= most) continue;
      const std::string as_name[] = {std::string(begin) + "_" + plain.substr(begin.size())};
      if (rows < least_of(first) && !(is_written && vocabulary->HaveSpelling(phrase, as_name)))
        continue;
      if (is_written &&
          !vocabulary->HaveWritten(phrase, first > 1 ? begin : "", plain.substr(begin.size())))
        continue;
      most = rows;
      best = words;
      if (first > 1) continue;
      std::string name = words;
      name[begin.size()] = '\'';
      const auto phrases = vocabulary->PhrasesOf(name);
      if (std::count(phrases.begin(), phrases.end(), phrase) > 0) best = name;
    }
  }
  return best;
}

bool WordCorrector::IsKnownToModel(std::string_view word) {
  ModelReader* model = vocabulary_.Model();
  if (model == nullptr) return false;
  const Tokenizer* tokenizer = model->info().shape.tokenizer;
  // such a model makes every word of pieces
  if (tokenizer->pieces() != PieceKind::kNone) return false;
  Tokens tokens;
  tokenizer->Tokenize(word, &tokens);
  for (size_t i = 0; i < tokens.size(); i++) {
    if (model->Word(tokens[i], HashWord(tokens[i])).row != nullptr) return true;
  }
  return false;
}

double WordCorrector::LeastRows(size_t letters, size_t edits) {
  if (edits == 1 && letters >= kLettersForTwo) return 1;
  return std::min(vocabulary_.CountRows() / kRowsForOneWith, 1.0 * kMostRowsCounted);
}

std::string WordCorrector::NearestBeginning(std::string_view typed) {
  const std::string plain = vocabulary_.Plain(typed);
  const size_t letters = CharacterCount(plain);
  if (letters < kLeastLetters || letters > kMostLetters) return "";
  if (IsKnownToModel(typed) || IsWithinWord(plain)) return "";
  // It may be written to its end, as wiht is.
  const std::string word = vocabulary_.Plain(Nearest(plain, SmallLetters(typed)));
  if (CharacterCount(word) >= letters && EditDistance(plain, word) <= 1) return "";
  const std::string beginning =
      s2v::NearestBeginning(&vocabulary_, plain, LeastRows(letters, /*edits=*/1));
  return beginning.empty() ? "" : WithCapitalOf(typed, beginning);
}

std::string WordCorrector::BestOf(std::vector<std::string> terms, const std::string& plain,
                                  const std::string& typed, size_t edits) {
  if (terms.empty()) return "";
  const double least = LeastRows(CharacterCount(plain), edits);
  terms = WithMostRows(&vocabulary_, std::move(terms), least);
  // The word itself, with its accents.
  const std::string dotted = WithDottedI(plain);
  for (const std::string& term : terms) {
    if (StemDistance(WithDottedI(term), dotted, kMostEnding) > 0) continue;
    const std::string word = vocabulary_.WordWith(
        term, [&](const std::string& other) { return WithDottedI(other) == dotted; });
    if (!word.empty()) return word;
  }
  // First those that may begin as the word does: some tokenizers leave out the front of words.
  std::stable_partition(terms.begin(), terms.end(),
                        [&](const std::string& term) { return HasSameStart(plain, term); });
  if (terms.size() > kMostTried) terms.resize(kMostTried);
  const std::string singular = WithoutPlural(plain);
  const size_t letters = CharacterCount(singular);
  const bool may_be_plural =
      CharacterCount(plain) >= (plain.ends_with('s') ? kLettersOfPlural : kLettersOfSingular);
  const size_t most = !may_be_plural ? 0 : letters < kLettersForTwo ? 1 : edits;
  std::string best;
  size_t fewest = 0;  // edits, accents among them
  for (const std::string& term : terms) {
    const std::string word = vocabulary_.WordWith(term, [&](const std::string& other) {
      if (!HasSameStart(plain, other)) return false;
      return EditDistance(plain, other) <= edits ||
             (most > 0 && EditDistance(singular, WithoutPlural(other)) <= most);
    });
    if (word.empty()) continue;
    if (typed == plain) return word;
    const size_t with_accents = EditDistance(typed, SmallLetters(word));
    if (!best.empty() && with_accents >= fewest) continue;
    best = word;
    fewest = with_accents;
  }
  return best;
}

std::string WordCorrector::WithSign(const std::string& plain) {
  const bool is_hebrew = ScriptOf(plain) == Script::kHebrew;
  const bool is_latin = ScriptOf(plain) == Script::kLatin;
  if (!is_hebrew && !is_latin && ScriptOf(plain) != Script::kCyrillic) return "";
  constexpr std::string_view kGershayim[] = {"\"", "\u05F4"};
  const std::span<const std::string_view> signs =
      is_hebrew ? std::span<const std::string_view>(kGershayim)
                : Apostrophes(/*has_all_forms=*/true);
  const size_t letters = CharacterCount(plain);
  for (size_t first = 1; first < letters && letters <= kMostLetters; first++) {
    const std::string begin(FirstLetters(plain, first)), rest = plain.substr(begin.size());
    const bool may_have_sign = is_hebrew ? first + 1 == letters : is_latin || BeginsSoft(rest);
    if (!may_have_sign) continue;
    std::vector<std::string> spellings;
    for (const std::string_view sign : signs) spellings.push_back(begin + std::string(sign) + rest);
    for (const auto& phrase : vocabulary_.PhrasesOf(begin + " " + rest)) {
      if (phrase.size() == 2 && vocabulary_.HaveSpelling(phrase, spellings)) return spellings[0];
    }
  }
  return "";
}

std::string WordCorrector::Abbreviation(const std::string& plain) {
  const std::string letters = WithFullStops(plain);
  return !letters.empty() && vocabulary_.HasPhrase(letters) ? letters : "";
}

std::string WordCorrector::OfShort(const std::string& plain) {
  const std::string letters = Abbreviation(plain);
  return letters.empty() ? WithSign(plain) : letters;
}

bool WordCorrector::IsWithinWord(const std::string& plain) {
  if (!cutter_.tells_words()) return false;
  // A vowel of an ending takes its place: கோவில் is within கோவிலில்.
  std::vector<std::string> within = vocabulary_.WordPartsOf(WithoutVirama(plain));
  std::erase_if(within,
                [](const std::string& part) { return part[1] == '<' || part.ends_with('>'); });
  return !within.empty() && vocabulary_.CountRowsWith(within, 1) > 0;
}

bool WordCorrector::IsBehindPrefix(const std::string& plain) {
  if (ScriptOf(plain) != Script::kHebrew || !cutter_.tells_words()) return false;
  const std::vector<std::string> longer = WithPrefix(plain);
  return std::any_of(longer.begin(), longer.end(), [&](const std::string& word) {
    return vocabulary_.HaveRows(vocabulary_.TermsOf(word));
  });
}

std::string WordCorrector::WithOtherEnding(const std::string& plain, const std::string& nearest) {
  if (!cutter_.tells_words()) return "";
  const size_t letters = CharacterCount(plain);
  const bool has_stems = cutter_.plain()->name() != kNeutralTokenizer;
  const size_t nearest_edits = EditDistance(plain, nearest);
  int64_t most = 0;  // rows of the nearest
  for (const std::string& term : vocabulary_.TermsOf(nearest))
    most = std::max(most, vocabulary_.CountRowsWith({term}, kMostRowsCounted));
  const double least_rows = std::max(1.0, static_cast<double>(most) / kTimesOfNearest);
  const size_t least = has_stems ? kLeastLeft : kLeastLeft - 1;
  for (size_t cut = 1; cut <= kMostCut && cut + least <= letters; cut++) {
    const std::string begin(FirstLetters(plain, letters - cut));
    if (nearest.starts_with(begin)) return "";
    if (!has_stems) {
      std::string word =
          vocabulary_.WordWith(begin, [&](const std::string& other) { return other == begin; });
      if (!word.empty()) return word;
    }
    if (cut + kLeastLeft > letters) continue;
    std::vector<std::string> terms = TermsFrom(&vocabulary_, begin, least_rows);
    if (terms.size() > kMostTried) terms.resize(kMostTried);
    for (const std::string& term : terms) {
      const std::string word = vocabulary_.WordWith(term, [&](const std::string& other) {
        return other.starts_with(begin) && EditDistance(plain, other) <= nearest_edits;
      });
      if (!word.empty()) return word;
    }
  }
  return "";
}

const std::string& WordCorrector::Nearest(const std::string& plain, const std::string& typed) {
  const auto [at, is_new] = nearest_.try_emplace({plain, typed});
  if (is_new) at->second = FindNearest(plain, typed);
  return at->second;
}

std::string WordCorrector::FindNearest(const std::string& plain, const std::string& typed) {
  if (const std::string letters = Abbreviation(plain); !letters.empty()) return letters;
  for (const std::string& name : WithApostrophe(plain)) {
    const std::vector<std::string> terms = vocabulary_.TermsOf(name);
    if (terms.size() == 1 && terms[0].find('\'') != terms[0].npos && vocabulary_.HaveRows(terms))
      return name;
  }
  if (std::string word = WithSign(plain); !word.empty()) return word;
  if (IsBehindPrefix(plain)) return "";
  for (const std::string& word : WithoutPrefixes(plain)) {
    if (vocabulary_.HaveRows(vocabulary_.TermsOf(word))) return word;
    if (std::string acronym = WithSign(word); !acronym.empty()) return acronym;
  }
  if (std::string words = InTwo(&vocabulary_, plain, /*is_written=*/true); !words.empty())
    return words;
  std::string word = BestOf(TermsOneEditAway(&vocabulary_, plain), plain, typed, 1);
  // Or the stem of its accents is another than that of the letters: después.
  const size_t letters = CharacterCount(plain), edits = letters < kLettersForTwo ? 1 : 2;
  if (word.empty()) {
    NearTerms near = TermsNear(&vocabulary_, plain, edits);
    word = BestOf(std::move(near.usual), plain, typed, edits);
    if (word.empty()) word = BestOf(std::move(near.longer), plain, typed, edits);
  }
  if (word.empty() && letters >= kLettersForLong)
    word = BestOf(TermsOfLongEndings(&vocabulary_, plain, edits), plain, typed, edits);
  if (!word.empty() && vocabulary_.Plain(word) != plain) {
    if (IsWithinWord(plain)) return "";
    const std::string form = WithOtherEnding(plain, vocabulary_.Plain(word));
    if (!form.empty()) return form;
  }
  return word.empty() ? InTwo(&vocabulary_, plain, /*is_written=*/false) : word;
}

bool WordCorrector::MayBeHalf(std::string_view word) const {
  const std::string_view profile = cutter_.is_ours() ? cutter_.plain()->name() : std::string_view();
  return CharacterCount(word) >= kLeastJoined && !vocabulary_.Plain(word).empty() &&
         !IsCommonWord(SmallLetters(word), profile);
}

std::vector<NumberForm> WordCorrector::FindJoined(std::string_view text) {
  std::vector<NumberForm> joined;
  // Parts of words find them otherwise.
  if (!cutter_.is_ours() || cutter_.tells_words()) return joined;
  const TypedWords words(text, cutter_.reading(), kMostCorrectedWords);
  for (size_t i = 0; i + 1 < words.size() && !words.are_too_many(); i++) {
    if (!words.ArePair(i) || !MayBeHalf(words.At(i)) || !MayBeHalf(words.At(i + 1))) continue;
    const std::string word = vocabulary_.Plain(words.At(i)) + vocabulary_.Plain(words.At(i + 1)),
                      given = std::string(words.At(i)) + " " + std::string(words.At(i + 1));
    if (CharacterCount(word) > kMostLetters || !HaveOftener(word, given)) continue;
    joined.push_back({word, given});
  }
  return joined;
}

bool WordCorrector::HaveOftener(const std::string& word, const std::string& apart) {
  const auto most_rows = [&](const std::vector<std::vector<std::string>>& phrases) {
    int64_t most = 0;
    for (const std::vector<std::string>& phrase : phrases)
      most = std::max(most, vocabulary_.CountRowsWith(phrase, kMostRowsCounted));
    return most;
  };
  const double least =
      std::clamp(vocabulary_.CountRows() / kRowsForOneJoined, 2.0, 1.0 * kMostRowsCounted);
  const std::vector<std::vector<std::string>> phrases = vocabulary_.PhrasesOf(apart);
  std::vector<std::vector<std::string>> terms;
  for (std::string& term : vocabulary_.TermsOf(word)) {
    // The stem of windowsize is window.
    const bool is_of_half = std::any_of(phrases.begin(), phrases.end(),
                                        [&](const auto& phrase) { return HasTerm(phrase, term); });
    if (!is_of_half && vocabulary_.IsTerm(term)) terms.push_back({std::move(term)});
  }
  const int64_t rows = terms.empty() ? 0 : most_rows(terms);
  return static_cast<double>(rows) >= least && most_rows(phrases) * kTimesApart <= rows;
}

std::string WordCorrector::Joined(std::string_view first, std::string_view second,
                                  bool is_first_known) {
  if (!MayBeHalf(first) || !MayBeHalf(second)) return "";
  const std::string plain = vocabulary_.Plain(first) + vocabulary_.Plain(second);
  // the first one as it was typed
  std::vector<std::string> forms = {SmallLetters(first) + SmallLetters(second)};
  if (forms[0] != plain) forms.push_back(plain);
  if (CharacterCount(plain) > kMostLetters) return "";
  const double most = std::max(vocabulary_.CountRows() / kRowsForOneNeighbour, 1.0);
  for (const std::string& term : vocabulary_.TermsOf(is_first_known ? first : second)) {
    if (static_cast<double>(vocabulary_.CountRowsWith({term}, static_cast<int64_t>(most) + 1)) >
        most)
      return "";
  }
  // As rows have it: itself, or what begins so and has its stem.
  for (const bool is_exact : {true, false}) {
    for (const std::string& form : forms) {
      for (const std::string& term : vocabulary_.TermsOf(form)) {
        if (!vocabulary_.HasRows(term)) continue;
        const std::string word = vocabulary_.WordWith(term, [&](const std::string& other) {
          return is_exact ? other == plain : other.starts_with(plain);
        });
        // With its accents it is the one that was meant: of barnsång and barnsäng rows may have
        // both.
        if (!word.empty()) return is_exact && form != plain ? form : word;
      }
    }
  }
  return "";
}

struct WordCorrector::Correction {
  size_t begin, end;
  std::string word, apart = "";  // apart: with a number
  bool is_piece = false;         // which rows have only beside their words: it is spelled right
  bool is_found = false;         // word is what rows have; else what was typed
};

std::string WordCorrector::Correct(std::string* text) {
  if (!vocabulary_.has_words()) return "";
  const TypedWords words(*text, cutter_.reading(), kMostCorrectedWords);
  if (words.are_too_many()) return "";
  std::vector<Correction> corrections = FindWrong(words);
  SetWords(*text, &corrections);
  return PutIn(corrections, text);
}

std::vector<WordCorrector::Correction> WordCorrector::FindWrong(const TypedWords& words) {
  std::vector<Correction> wrong;
  const auto is_taken = [&](size_t i) {
    return !wrong.empty() && wrong.back().end > words.Begin(i);
  };
  std::unordered_set<size_t> tried;  // the first words of pairs
  // Of words i and i + 1 the one that is in no row is `unknown`.
  const auto join = [&](size_t i, size_t unknown) {
    if (i + 1 >= words.size() || !tried.insert(i).second || !words.ArePair(i) || is_taken(i))
      return false;
    const std::string word = Joined(words.At(i), words.At(i + 1), /*is_first_known=*/unknown != i);
    if (!word.empty())
      wrong.push_back(
          {.begin = words.Begin(i), .end = words.End(i + 1), .word = word, .is_found = true});
    return !word.empty();
  };
  const auto join_either_way = [&](size_t i) {
    // Two words that are in no row are the likelier pair.
    const bool is_next_first =
        i + 1 < words.size() && !vocabulary_.HaveRows(vocabulary_.TermsOf(words.At(i + 1)));
    const auto join_before = [&] { return i > 0 && join(i - 1, i); };
    const auto join_behind = [&] { return join(i, i); };
    return is_next_first ? join_behind() || join_before() : join_before() || join_behind();
  };
  for (size_t i = 0; i < words.size(); i++) {
    if (is_taken(i)) continue;
    if (const auto parted = WithoutApostrophes(words, i)) {
      wrong.push_back(*parted);
      continue;
    }
    std::optional<Correction> one = WrongWord(words, i);
    if (!one) continue;
    const bool may_be_joined = !one->is_piece && !one->is_found;
    if (may_be_joined && join_either_way(i)) continue;
    if (IsCutApart(words, i)) wrong.push_back(std::move(*one));
  }
  return wrong;
}

std::optional<WordCorrector::Correction> WordCorrector::WrongWord(const TypedWords& words,
                                                                  size_t i) {
  const std::string_view word = words.At(i);
  Correction one{.begin = words.Begin(i), .end = words.End(i), .word = vocabulary_.Plain(word)};
  if (one.word.empty()) one.word = one.apart = WrittenApart(WithOrdinaryNumbers(word));
  const size_t letters = CharacterCount(one.word);
  if (letters == 0 || letters > kMostLetters || IsKnownToModel(word)) return std::nullopt;
  // Of a name that rows have no word of, each word is the name's own.
  const auto [first_of_name, last_of_name] = words.NameOf(i);
  const bool is_of_name = first_of_name < last_of_name;
  if (is_of_name && (letters < kLeastOfName || !HasSeldomWord(words, first_of_name, last_of_name)))
    return std::nullopt;
  const std::vector<std::string> terms = vocabulary_.TermsOf(word);
  if (terms.empty()) return std::nullopt;  // punctuation, which no row has
  const bool is_short = one.apart.empty() && letters < kLeastLetters;
  if (vocabulary_.HaveRows(terms)) {
    const auto is_word = [&](const std::string& term) { return vocabulary_.IsWord(term); };
    if (is_short || std::any_of(terms.begin(), terms.end(), is_word)) return std::nullopt;
    one.is_piece = true;
  }
  if (is_short) {
    one.word = OfShort(one.word);
    one.is_found = true;
  }
  if (one.word.empty()) return std::nullopt;
  return one;
}

bool WordCorrector::HasSeldomWord(const TypedWords& words, size_t first, size_t last) {
  const auto most = static_cast<int64_t>(vocabulary_.CountRows() / kRowsForOneNeighbour) + 1;
  const auto is_seldom = [&](const std::string& term) {
    const int64_t rows = vocabulary_.CountRowsWith({term}, most + 1);
    return rows > 0 && rows <= most;
  };
  for (size_t i = first; i <= last; i++) {
    const std::vector<std::string> terms = vocabulary_.TermsOf(words.At(i));
    if (std::any_of(terms.begin(), terms.end(), is_seldom)) return true;
  }
  return false;
}

bool WordCorrector::IsCutApart(const TypedWords& words, size_t i) {
  const std::vector<std::string> terms = vocabulary_.TermsOf(words.At(i)),
                                 of_run = vocabulary_.TermsOf(words.RunOf(i));
  return std::all_of(terms.begin(), terms.end(),
                     [&](const std::string& term) { return HasTerm(of_run, term); });
}

std::optional<WordCorrector::Correction> WordCorrector::WithoutApostrophes(const TypedWords& words,
                                                                           size_t i) {
  const bool is_first = i == 0 || words.LastWithApostrophes(i - 1) < i;
  const size_t last = is_first ? words.LastWithApostrophes(i) : i;
  const std::string parted = last > i ? Parted(words.From(i, last)) : "";
  if (parted.empty()) return std::nullopt;
  return Correction{
      .begin = words.Begin(i), .end = words.End(last), .word = parted, .is_found = true};
}

std::string WordCorrector::Parted(std::string_view run) {
  std::string apart(run);
  for (const std::string_view sign : Apostrophes(/*has_all_forms=*/false))
    ReplaceAll(sign, " ", &apart);
  const std::vector<std::string> terms = vocabulary_.TermsOf(run);
  return terms.size() == 1 && !vocabulary_.HaveRows(terms) && !IsKnownToModel(run) &&
                 vocabulary_.HasPhrase(apart)
             ? apart
             : "";
}

void WordCorrector::SetWords(std::string_view text, std::vector<Correction>* corrections) {
  std::map<std::string, std::string> nearest;  // of each different word, which is looked for once
  const bool has_dotless_i = cutter_.is_ours() && cutter_.plain()->HasDotlessI(text);
  for (Correction& one : *corrections) {
    if (!one.is_found) {
      const auto [at, is_new] = nearest.try_emplace(one.word);
      if (is_new && !one.apart.empty()) {
        at->second = !one.is_piece && vocabulary_.HasPhrase(one.apart) ? one.apart : "";
      } else if (is_new) {
        std::string typed =
            SmallLetters(WithOrdinaryNumbers(text.substr(one.begin, one.end - one.begin)));
        // More than accents: a sign behind it, or two characters for a letter.
        if (CharacterCount(typed) != CharacterCount(one.word)) typed = one.word;
        at->second = one.is_piece ? InTwo(&vocabulary_, one.word, /*is_written=*/false)
                                  : Nearest(one.word, typed);
      }
      one.word = at->second;
    }
    if (has_dotless_i && one.word.starts_with('i')) continue;  // its capital is İ, not I
    const std::string capital = WithCapitalOf(text.substr(one.begin), one.word);
    if (vocabulary_.TermsOf(capital) == vocabulary_.TermsOf(one.word)) one.word = capital;
  }
  std::erase_if(*corrections, [](const Correction& one) { return one.word.empty(); });
}

std::string WordCorrector::PutIn(const std::vector<Correction>& corrections, std::string* text) {
  std::set<std::string> all_said;
  std::string said;
  for (const Correction& one : corrections) {
    const std::string given =
        WithSingleBlanks(std::string_view(*text).substr(one.begin, one.end - one.begin));
    const std::string change = given + " → " + one.word;
    if (all_said.insert(change).second) said += (said.empty() ? "" : ", ") + change;
  }
  for (auto one = corrections.rbegin(); one != corrections.rend(); ++one)
    text->replace(one->begin, one->end - one->begin, one->word);
  return said;
}

}  // namespace s2v
