#include "sql/index_completions.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/search/question.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/spelled_names.h"
#include "core/text/unfinished.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"
#include "sql/index_alike_terms.h"
#include "sql/index_corrections.h"

namespace s2v {
namespace {

// Too many words begin with a single letter.
constexpr size_t kLeastBeginning = 2;
// So many terms are tried that begin as the tokenizer cuts what was typed, without a prefix:
// whether a word of theirs begins so, rows must be read to see.
constexpr size_t kMostRead = 32;
// So many rows are read whose parts of words promise a word that begins so, and that have none:
// something else has these parts.
constexpr size_t kMostRowsWithoutWord = 16;
// Each time one more row is looked for that has none of the stems so far: FTS5 goes through the
// rows once more.
constexpr size_t kMostRounds = 16;
// So many words of rows are looked for that begin with what was typed, accents and all.
constexpr size_t kMostAccented = 8;
// So many terms are added that rows have behind the word before, where others are commoner.
constexpr size_t kMostBehindWord = 8;
// With such an ending no stemmer takes a beginning for a whole word. What it leaves of the ending,
// it leaves of the ending alone.
struct Filler {
  Script script;
  std::string_view letters;
};
constexpr Filler kFillers[] = {{Script::kLatin, "otok"},
                               {Script::kCyrillic, "\u043E\u0442\u043E\u043A"},
                               {Script::kArabic, "\u062F\u0628\u062F\u0628"}};
// English endings that a stem lacks, where a word may be left half typed.
constexpr std::string_view kEndings[] = {"ing",     "ings",  "able", "ible",  "ation", "ations",
                                         "ization", "ness",  "ment", "ments", "ful",   "fully",
                                         "ously",   "ively", "ence", "ance"};

// The first `whole` of the terms are the word as it stands, those from `sure` on are doubtful.
std::vector<WordChoices::Term> Marked(const std::vector<std::string>& terms, size_t whole,
                                      size_t sure) {
  std::vector<WordChoices::Term> marked;
  for (size_t i = 0; i < terms.size(); i++) marked.push_back({terms[i], i < whole, i >= sure});
  return marked;
}

// What one beginning may become, behind the terms `before` and `word_before` if they are not empty.
class ChoiceMaker {
 public:
  ChoiceMaker(IndexVocabulary* vocabulary, std::string_view beginning, size_t most,
              const std::string& before, const std::string& word_before)
      : vocabulary_(*vocabulary),
        cutter_(vocabulary->cutter()),
        beginning_(beginning),
        plain_(PlainToken(beginning, cutter_.reading().has_all_forms)),
        most_(most),
        before_(before),
        word_before_(word_before) {}

  WordChoices Make() {
    if (!vocabulary_.has_words()) return {};
    if (plain_.empty()) return CharacterChoices();
    const bool is_single = CharacterCount(plain_) < kLeastBeginning;
    const bool is_digit = IsAsciiDigit(plain_[0]) && cutter_.is_ours();
    if (is_single && !is_digit) return LetterChoices();
    size_t whole = AddWhole();
    if (!before_.empty()) AddTermsBehind(&vocabulary_, before_, plain_, most_, &terms_);
    // A digit is mostly all of a number, where rows have that.
    if (is_single && whole > 0) {
      doubtful_ = ShortestBetween(&vocabulary_, plain_ + '0', plain_ + ':', most_);
    } else {
      AddTermsOfWordsFrom();
      if (!word_before_.empty() && terms_.size() >= most_)
        AddTermsBehindWord(&vocabulary_, word_before_, plain_, terms_.size() + kMostBehindWord,
                           &terms_);
    }
    AddGuesses();
    if (terms_.empty()) {
      const std::string other = OtherSpelling();
      if (other != plain_)
        return ChoiceMaker(&vocabulary_, other, most_, before_, word_before_).Make();
    }
    size_t sure = terms_.size();
    for (const std::string& term : doubtful_) {
      if (!HasTerm(terms_, term)) terms_.push_back(term);
    }
    // If no word begins so, this one is written to its end.
    if (sure == 0) sure = whole = choices_.stems = terms_.size();
    // Where rows have it in two words, log in, and otherwise only as pieces of names, log-in, it is
    // these.
    const bool has_word = std::any_of(terms_.begin(), terms_.end(), [&](const std::string& term) {
      return vocabulary_.IsWord(term);
    });
    if (!has_word && !terms_.empty() && !InTwo(&vocabulary_, plain_, /*is_written=*/false).empty())
      return {};
    if (!terms_.empty() && cutter_.with_parts()) AddUnfinishedParts();
    if (cutter_.with_parts() && cutter_.is_english()) AddEndsOfWords();
    choices_.terms = Marked(terms_, whole, sure);
    return std::move(choices_);
  }

 private:
  // Of a single character of a script without blanks, or of a pair as UnfinishedWord has it.
  WordChoices CharacterChoices() {
    const Tokenizer* own = cutter_.plain();
    if (own == nullptr || ScriptOf(beginning_) != Script::kUnspaced) return {};
    const size_t characters = CharacterPlaces(beginning_).size() - 1;
    const HangulForms forms = characters <= 2 ? FormsOfHangul(beginning_) : HangulForms();
    Tokens cut;
    if (!forms.likely.empty()) {
      for (const auto& [first, last] : forms.likely) AddBetween(first, last);
    } else if (characters == 2 && IsOfLetters(beginning_)) {
      own->CutTerms(beginning_, /*with_parts=*/false, &cut);
      const auto is_pair = [](const std::string& term) {
        return CharacterPlaces(term).size() == 3 ? TermChoice::kYes : TermChoice::kNo;
      };
      if (cut.size() == 1) AddFrom(cut[0], is_pair);
    } else if (characters == 1) {
      own->CutTerms(beginning_, cutter_.with_parts(), &cut);
      for (size_t i = 0; i < cut.size(); i++) terms_.emplace_back(cut[i]);
      // A mark of the character may be still to come, as in Thai.
      const auto is_character = [](const std::string& term) {
        return CharacterPlaces(std::string_view(term).substr(1)).size() == 2 ? TermChoice::kYes
                                                                             : TermChoice::kNo;
      };
      if (cutter_.with_parts()) AddFrom(kPartMark + std::string(beginning_), is_character);
      // Where the index has no parts of words, it has pairs of characters alone.
      if (cut.size() == 1) AddFrom(cut[0]);
    }
    const size_t sure = terms_.size();
    for (const auto& [first, last] : forms.guesses) AddBetween(first, last);
    choices_.terms = Marked(terms_, 0, sure == 0 ? terms_.size() : sure);
    return std::move(choices_);
  }

  // Of a single letter of a script with blanks. The word may be this letter alone, as in vitamin c,
  // but hardly is.
  WordChoices LetterChoices() {
    const std::string small = SmallLetters(beginning_);
    for (const std::string& word : {small, plain_}) {
      for (const std::string& term : vocabulary_.TermsOf(word)) {
        if (!HasTerm(terms_, term) && vocabulary_.HasRows(term)) terms_.push_back(term);
      }
    }
    choices_.terms = Marked(terms_, terms_.size(), 0);
    choices_.stems = terms_.size();
    choices_.is_letter = true;
    if (cutter_.with_parts() && small != plain_) choices_.parts = vocabulary_.WordPartsOf(small);
    return std::move(choices_);
  }

  void AddBetween(std::string_view begin, std::string_view end) {
    AddTermsBetween(&vocabulary_, begin, end, most_, AnyTerm, &terms_);
  }
  void AddFrom(std::string_view beginning, const AcceptTerm& accept = AnyTerm) {
    AddTermsFrom(&vocabulary_, beginning, most_, accept, &terms_);
  }

  // Puts the word as it stands before the terms and returns how many of these that are; adds its
  // stem to them, or to the doubtful ones. The word may be whole as it stands, if rows have it so.
  // Its stem may be shorter than it: the term of noise is nois. But that new is of news is doubtful
  // where no row is seen to have a word with it that begins so.
  size_t AddWhole() {
    size_t whole = 0;
    // With its accents it may have another stem.
    for (const std::string& word : {SmallLetters(beginning_), plain_}) {
      for (const std::string& term : vocabulary_.TermsOf(word)) {
        if (HasTerm(terms_, term) || HasTerm(doubtful_, term) || !vocabulary_.HasRows(term))
          continue;
        if (IsWhole(term)) {
          terms_.insert(terms_.begin(), term);
          whole++;
        } else {
          const bool is_sure = term.starts_with(plain_) || HasWordFrom(term, plain_);
          (is_sure ? terms_ : doubtful_).push_back(term);
        }
      }
      if (choices_.stems == 0) choices_.stems = terms_.size();
      if (whole > 0) break;
    }
    return whole;
  }

  // Whether a row has this word, whose term this is, just so: all of its parts tell it, or words of
  // some rows.
  bool IsWhole(const std::string& term) {
    std::vector<std::string> parts;
    if (cutter_.tells_words()) parts = vocabulary_.WordPartsOf(plain_);
    if (!parts.empty()) return vocabulary_.CountRowsWith(parts, 1) > 0;
    // with digits, which WordWith takes for no word
    if (vocabulary_.Plain(plain_).empty()) return term == plain_;
    const auto is_it = [&](const std::string& other) { return other == plain_; };
    return !vocabulary_.WordWith(term, is_it, /*is_any=*/true).empty();
  }

  // A word of the rows that has the term and begins as was typed; or, in another script, as that
  // becomes in the index. "" for none.
  std::string WordFrom(std::string_view term, const std::string& changed) {
    const bool is_other_script = ScriptOf(changed) != ScriptOf(plain_);
    // WordWith takes what has digits for no word.
    if (!is_other_script && std::any_of(plain_.begin(), plain_.end(), IsAsciiDigit)) return "";
    const auto begins_so = [&](const std::string& word) {
      return word.starts_with(plain_) || (is_other_script && word.starts_with(changed));
    };
    return vocabulary_.WordWith(term, begins_so, /*is_any=*/true);
  }
  bool HasWordFrom(std::string_view term, const std::string& changed) {
    return !WordFrom(term, changed).empty();
  }

  // Of words that begin so, as far as terms, or parts of words, tell them.
  void AddTermsOfWordsFrom() {
    for (const std::string& start : Starts()) AddFrom(start);
    std::vector<std::string> beginnings = ChangedBeginnings();
    for (const std::string& changed : beginnings) {
      // In another script a term begins so as the word does. Without a prefix it may be of words
      // that have another one.
      size_t read = 0;
      const auto accept = [&](const std::string& term) {
        if (ScriptOf(changed) != ScriptOf(plain_)) return TermChoice::kYes;
        if (++read > kMostRead) return TermChoice::kNoMore;
        return HasWordFrom(term, changed) ? TermChoice::kYes : TermChoice::kNo;
      };
      AddFrom(changed, accept);
    }
    if (cutter_.with_parts()) AddStemsByParts();
    if (cutter_.tells_words()) return;
    beginnings.insert(beginnings.begin(), plain_);
    for (const std::string& cut : beginnings) AddShorterStem(cut);
  }

  // How terms begin that begin so: without accents; with one of FTS5's tokenizers, which may leave
  // ß and é as they are, as it cuts it too.
  std::vector<std::string> Starts() const {
    std::vector<std::string> starts = {plain_};
    if (cutter_.is_ours()) return starts;
    const std::string small = SmallLetters(beginning_);
    std::vector<std::string> written = {small};
    for (const std::string_view text : {beginning_, std::string_view(small)}) {
      for (std::string& term : vocabulary_.TermsOf(text)) written.push_back(std::move(term));
    }
    for (std::string& start : written) {
      if (!HasTerm(starts, start) && CharacterCount(start) == CharacterCount(beginning_))
        starts.push_back(std::move(start));
    }
    return starts;
  }

  // Of what the beginning becomes in the index where the tokenizer changes the front of words:
  // without a prefix, in another script.
  std::vector<std::string> ChangedBeginnings() const {
    std::vector<std::string> beginnings;
    const auto filler =
        std::find_if(std::begin(kFillers), std::end(kFillers),
                     [&](const Filler& one) { return one.script == ScriptOf(plain_); });
    if (filler == std::end(kFillers)) return beginnings;
    const std::vector<std::string> endings = vocabulary_.TermsOf(filler->letters);
    for (const std::string& term : vocabulary_.TermsOf(plain_ + std::string(filler->letters))) {
      for (const std::string& ending : endings) {
        if (!term.ends_with(ending)) continue;
        const std::string beginning = term.substr(0, term.size() - ending.size());
        const bool is_new = beginning != plain_ && !HasTerm(beginnings, beginning);
        if (is_new && CharacterCount(beginning) >= kLeastBeginning) beginnings.push_back(beginning);
      }
    }
    return beginnings;
  }

  // Of words that begin so, the stems that do not begin so themselves: parts of words tell which
  // rows have any.
  void AddStemsByParts() {
    std::vector<std::string> parts = vocabulary_.WordPartsOf(plain_);
    std::erase_if(parts, [](const std::string& part) { return part.ends_with('>'); });
    bool is_new = !parts.empty();
    for (size_t round = 0; is_new && round < kMostRounds && terms_.size() < most_; round++) {
      is_new = false;
      size_t rows = 0;
      const auto add = [&](std::string_view word) {
        if (!vocabulary_.Plain(word).starts_with(plain_)) return;
        for (const std::string& term : vocabulary_.TermsOf(word)) {
          if (HasTerm(terms_, term)) continue;
          terms_.push_back(term);
          is_new = true;
        }
      };
      const std::vector<std::string> known = terms_;
      vocabulary_.ForEachRowWith(
          parts,
          [&](int64_t rowid) {
            vocabulary_.ForEachWordOf(rowid, add);
            return !is_new && ++rows < kMostRowsWithoutWord;
          },
          /*among_words=*/false, /*without=*/known);
    }
  }

  // The longest term shorter than `cut` that is the stem of a word which begins so: organiz of
  // organization.
  void AddShorterStem(const std::string& cut) {
    const size_t least = terms_.empty() ? 2 : 3;
    for (size_t letters = CharacterCount(cut) - 1; letters >= least; letters--) {
      const std::string stem(FirstLetters(cut, letters));
      if (HasTerm(terms_, stem) || !HasWordFrom(stem, cut)) continue;
      terms_.push_back(stem);
      return;
    }
  }

  // HalfEndings, as far as they are new: to the terms where rows have a word that begins so, or
  // there are no others.
  void AddGuesses() {
    const bool are_first = terms_.empty();
    for (const std::string& term : HalfEndings()) {
      if (HasTerm(terms_, term) || HasTerm(doubtful_, term)) continue;
      (are_first || HasWordFrom(term, plain_) ? terms_ : doubtful_).push_back(term);
    }
  }

  // Stems that rows have of words that begin so and end as English words do: restin may become
  // resting, of which the term is rest.
  std::vector<std::string> HalfEndings() {
    std::vector<std::string> stems;
    for (const std::string_view ending : kEndings) {
      for (size_t typed = ending.size() - 1; typed > 0; typed--) {
        if (!plain_.ends_with(ending.substr(0, typed))) continue;
        for (const std::string& term :
             vocabulary_.TermsOf(plain_ + std::string(ending.substr(typed)))) {
          if (!HasTerm(stems, term) && vocabulary_.HasRows(term)) stems.push_back(term);
        }
        break;
      }
    }
    return stems;
  }

  // With umlauts in German, in scripts of India with an anusvara at its end; else as it is.
  std::string OtherSpelling() const {
    if (!cutter_.is_ours()) return plain_;
    const bool is_german = cutter_.plain()->name().find("german") != std::string_view::npos;
    return is_german && IsAscii(plain_) ? WithUmlauts(plain_) : WithAnusvaraAtEnd(plain_);
  }

  // Parts of the word but those of its end, which is not written. Of one with accents also the
  // words of rows that begin with these.
  void AddUnfinishedParts() {
    const std::string plain = kPartMark + ("<" + plain_ + ">");
    for (const std::string& part : vocabulary_.WordPartsOf(beginning_)) {
      const bool is_at_end = part.ends_with('>'),
                 is_word = is_at_end && part.starts_with(std::string{kPartMark, '<'});
      // Of English there is one part more: rows with the word as it stands, if it is one, are to be
      // told from those with its stem.
      if (!is_at_end || cutter_.is_english()) choices_.parts.push_back(part);
      if (!is_at_end && !cutter_.is_english()) choices_.typed_last = part;
      if (is_word && part != plain)
        AddTermsFrom(&vocabulary_, part.substr(0, part.size() - 1), kMostAccented, AnyTerm,
                     &choices_.parts);
    }
  }

  // In English, where stems are shorter than what was typed, and have rows with other words, the
  // end of a word that begins so.
  void AddEndsOfWords() {
    for (const std::string& term : terms_) {
      if (term.starts_with(plain_)) continue;
      for (std::string& part : vocabulary_.WordPartsOf(WordFrom(term, plain_))) {
        if (part.ends_with('>') && !HasTerm(choices_.parts, part))
          choices_.parts.push_back(std::move(part));
      }
    }
  }

  IndexVocabulary& vocabulary_;
  const TermCutter& cutter_;
  const std::string_view beginning_;
  const std::string plain_;
  const size_t most_;
  const std::string before_, word_before_;
  WordChoices choices_;
  std::vector<std::string> terms_, doubtful_;
};

// Where the last pair begins, of a run of at least three characters with which words end; npos
// elsewhere.
size_t LastPair(const IndexVocabulary& vocabulary, std::string_view words) {
  const TermCutter& cutter = vocabulary.cutter();
  if (!vocabulary.has_words() || !cutter.is_ours()) return words.npos;
  const Tokenizer& own = *cutter.plain();
  const std::vector<WordPlace> places = FindWords(words, cutter.reading());
  if (places.empty() || places.back().end != words.size() || !places.back().is_run)
    return words.npos;
  const std::string_view run = words.substr(places.back().begin);
  const std::vector<size_t> at = CharacterPlaces(run);
  const size_t count = at.size() - 1;
  if (count < 3 || (!IsOfLetters(run) && FormsOfHangul(run).is_empty())) return words.npos;
  Tokens cut;
  own.CutTerms(run, /*with_parts=*/false, &cut);
  return cut.size() == count - 1 ? places.back().begin + at[count - 2] : words.npos;
}

bool IsCharacterOfRun(const TermCutter& cutter, const std::string& term) {
  return cutter.is_ours() && ScriptOf(term) == Script::kUnspaced &&
         CharacterPlaces(term).size() == 2;
}

}  // namespace

std::string LastTerm(const IndexVocabulary& vocabulary, std::string_view words) {
  Tokens cut;
  vocabulary.cutter().plain()->CutTerms(words, /*with_parts=*/false, &cut);
  const size_t end = CountBeforePieces(cut);
  return end == 0 ? "" : std::string(cut[end - 1]);
}

std::string_view UnfinishedWord(const IndexVocabulary& vocabulary, std::string_view words) {
  const TermCutter& cutter = vocabulary.cutter();
  const std::string_view letters = search::LastWord(words);
  if (!vocabulary.has_words() || letters.empty()) return letters;
  if (!cutter.is_ours()) {
    RowTerms terms;
    std::vector<WordPlace> places;
    cutter.AddColumn(words, &terms, /*is_question=*/true, &places);
    return places.empty() ? letters : words.substr(places.back().begin);
  }
  const std::vector<WordPlace> places = FindWords(words, cutter.reading());
  if (places.empty() || places.back().end != words.size()) return letters;
  // All that a reader takes for a word, as o'rei, unless the tokenizer cuts it before the last
  // letters, as l'ec. Of o'rei the part rei may be a term too, behind the whole.
  const std::string_view word = words.substr(places.back().begin);
  if (const size_t pair = LastPair(vocabulary, words); pair != words.npos)
    return words.substr(pair);
  Tokens cut;
  cutter.plain()->CutTerms(word, /*with_parts=*/false, &cut);
  const bool is_whole = !cut.empty() && cut[0].find('\'') != std::string_view::npos;
  const bool is_cut = letters.size() < word.size() && !is_whole &&
                      LastTerm(vocabulary, letters) == LastTerm(vocabulary, word);
  return is_cut ? letters : word;
}

std::string_view FinishedWords(const IndexVocabulary& vocabulary, std::string_view words) {
  const size_t pair = LastPair(vocabulary, words);
  if (pair == words.npos)
    return words.substr(0, words.size() - UnfinishedWord(vocabulary, words).size());
  return words.substr(0, pair + CharacterPlaces(words.substr(pair))[1]);
}

WordChoices Completions(IndexVocabulary* vocabulary, std::string_view beginning, size_t most,
                        const std::string& before, const std::string& word_before) {
  return ChoiceMaker(vocabulary, beginning, most, before, word_before).Make();
}

std::vector<std::string> TermsOfWordsFrom(IndexVocabulary* vocabulary, std::string_view beginning,
                                          size_t most) {
  std::vector<std::string> terms;
  const std::string plain = PlainToken(beginning, vocabulary->cutter().reading().has_all_forms);
  if (!plain.empty()) AddTermsFrom(vocabulary, plain, most, AnyTerm, &terms);
  return terms;
}

std::vector<std::string> PairsFrom(IndexVocabulary* vocabulary, const std::string& term,
                                   size_t most) {
  std::vector<std::string> pairs;
  if (IsCharacterOfRun(vocabulary->cutter(), term))
    AddTermsFrom(vocabulary, term, most, AnyTerm, &pairs);
  return pairs;
}

std::vector<std::string> PairsTo(IndexVocabulary* vocabulary, const std::string& term,
                                 size_t most) {
  if (!IsCharacterOfRun(vocabulary->cutter(), term)) return {};
  std::set<std::string> found_pairs;
  const auto add = [&](std::string_view other, uint64_t /*hash*/) {
    const bool is_pair = other.size() > term.size() && other.ends_with(term) && !IsPart(other) &&
                         CharacterPlaces(other).size() == 3;
    if (is_pair) found_pairs.emplace(other);
    return true;
  };
  // No order of the terms leads to their ends: all are read.
  Statement select = vocabulary->SelectTerms("substr(term, ?1) = ?2");
  for (bool found = select.Find(-static_cast<int64_t>(term.size()), Blob{term}); found;
       found = select.Step())
    add(select.Blob(0), 0);
  vocabulary->pending().ForEachTerm(add);
  std::vector<std::string> pairs(found_pairs.begin(), found_pairs.end());
  PutCommonestFirst(vocabulary, &pairs);
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

}  // namespace s2v
