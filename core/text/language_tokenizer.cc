// The tokenizer profiles of languages: `german`, `french`, ..., several as `german+russian`, and
// `neutral`, which has none. `english` alone is another profile; `english+neutral` is English by
// these rules.
//
//   Die Häuser der C++-Gruppe in 東京都   ->   die haus der cplusplus grupp in 東京 京都 東 京 都
//
// A. Names are spelled out (spelled_names.h): C++ and other single letters with ++ become
//    cplusplus, C# csharp, .NET dotnet; a T between date and time parts them, and Rp1.250.000 is two
//    words. In an index without parts of words camel and case of camelCase follow the text, and the
//    numbers of 21.09.1984, in all letters that have capitals. (Among words they would count twice,
//    which costs a German embedding a point, and nDCG@10 of an index 0.2.)
// B. The text is cut by the rules of `unicode`, but that characters of scripts without blanks stay
//    together, and that words end where Hangul, Hebrew or Arabic letters meet other ones (CutRuns):
//    AI를 is ai and 를.
//  B1. Punctuation is left out, and arrows, operators, boxes and shapes (U+2190 to U+25FF, but for
//      U+2460 to U+24FF), which stand between words as it does; _ separates words, each in its own
//      script, and so does ' in all languages but English.
//  B2. A run of a script without blanks, or a word of Hangul, becomes its overlapping pairs of
//      characters, with their marks; a single character stays. Lucene's CJKAnalyzer does the same.
//      In a model the run's Han characters follow them, each alone: they have meanings, and a pair
//      of two words that stand side by side has none.
// C. Characters that are the same to a reader become one (plain_letters.h): compatible ones the
//    ordinary (ﬁ to fi; before cutting, since they are no letters, ₂ in CO₂, ² in km², ㎏, ①, ㈱ and
//    the like), digits of all scripts those of ASCII, Persian and Urdu kaf, ye and he the Arabic
//    ones, U+02BB to U+02BF apostrophes, Malayalam and Bengali letters with a joiner those without,
//    the vowel am of Thai one character, and of what looks alike in Thai, Lao, Khmer and
//    Burmese one spelling; of Greek ϊ ι; ґ is г; Snowball gets Romanian ș and ț with a cedilla; in
//    Devanagari a nasal before a consonant of its own place, na before any, and the candrabindu, the
//    anusvara: हिन्दी is हिंदी, पेन्शन पेंशन. In Turkish I is the capital of ı. A zero-width non-joiner between Arabic
//    letters parts words, as _ does: of Persian زن‌ها the words are زن and ها. Armenian ՛, ՜ and ՞,
//    which stand within words, are left out.
// D. A word in the script of one of the profile's languages becomes its stem by Snowball, in
//    English, where accents are left out before, by the rules of `english`; one that is nothing but
//    an ending, as Greek όταν, stays. Of Arabic, والشركة is الشركة to Snowball, which does not know
//    "and the", and شركات loses what it leaves of the ending; Portuguese cartões, and what is typed
//    without accents, cartoes and cartao, are cartão. Where several have that script, the
//    text's language is the one whose common words it has most of (text_languages.h); where none is
//    clearly ahead, the word's stems in all of them stand there, so that the text is found in
//    whatever language a question is read.
// E. Accents, vowel marks and the like are left out: é to e, ß to ss, ø to o, ħ to h, ə to e, װ to
//    וו, أ to ا; those of Indic scripts stay, but for the dot nukta, and й.
//
// Parts of words, for the words of an index alone: of a word between < and > all strings of 4
// characters without its accents, and the word as it is where it has accents, so that rows with the
// word as it is typed come first; of a run each single character, and in Thai, Lao, Burmese and
// Khmer, whose characters are letters, its triples; of Hebrew, whose roots are short, all strings of
// 3 characters, its last letters as those within words; of Vietnamese, which is written syllable by
// syllable, each two that follow each other, ha_noi; of a Hebrew acronym, צה"ל, those of it without
// the sign. kPartMark stands before them. What they are worth: docs/languages.md.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/language_rules.h"
#include "core/text/language_stemmer.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/plain_letters.h"
#include "core/text/spelled_names.h"
#include "core/text/text_languages.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_chars.h"
#include "core/text/word_parts.h"
#include "core/text/word_places.h"

namespace s2v {
namespace {

constexpr std::string_view kEnglish = "english", kTurkish = "turkish", kNepali = "nepali";

bool IsHan(uint32_t c) {
  const auto is_from = [c](uint32_t first, uint32_t last) { return c >= first && c <= last; };
  return is_from(0x3400, 0x4DBF) || is_from(0x4E00, 0x9FFF) || is_from(0xF900, 0xFAFF) ||
         is_from(0x20000, 0x3FFFF);
}

// with_enclosed: numbers and letters in circles, which stand between the others, are shapes too.
bool IsShape(std::string_view token, bool with_enclosed) {
  const uint32_t c = FirstPoint(token);
  return c >= 0x2190 && c <= 0x25FF && (with_enclosed || !IsEnclosed(c));
}

class LanguageTokenizer : public Tokenizer {
 public:
  // rules: their age.
  LanguageTokenizer(std::string_view name, std::vector<const Language*> languages,
                    size_t rules = kNewestLanguageRules)
      : Tokenizer(name, VersionOfLanguages(languages, rules)),
        languages_(std::move(languages)),
        rules_{rules},
        text_languages_(languages_, rules_.has_all_scripts) {
    if (rules > 0) former_ = std::make_unique<LanguageTokenizer>(name, languages_, rules - 1);
    has_loan_nasals_ = rules_.has_loan_nasals;
    for (const Language* language : languages_) {
      has_dotless_i_ |= language->name == kTurkish && rules_.has_ordinary;
      has_loan_nasals_ &= language->name != kNepali;  // whose verbs end so, as हुन्छ does
    }
  }

  ReadingRules reading() const override {
    return {.parts_scripts = rules_.parts_scripts,
            .parts_times = rules_.has_all_forms,
            .has_all_forms = rules_.has_all_forms,
            .parts_amounts = rules_.parts_amounts};
  }
  bool HasDotlessI(std::string_view text) const override {
    return has_dotless_i_ && (languages_.size() == 1 || LanguageOf(text) == kTurkish);
  }

  void Tokenize(std::string_view text, Tokens* tokens) const override {
    Cut(text, /*is_index=*/false, /*with_parts=*/false, tokens);
  }
  void CutTerms(std::string_view text, bool with_parts, Tokens* terms) const override {
    Cut(text, /*is_index=*/true, with_parts, terms);
  }
  std::string_view LanguageOf(std::string_view text) const override {
    if (languages_.size() < 2) return "";
    Tokens runs;
    CutRuns(text, rules_.parts_scripts, &runs);
    return text_languages_.LanguageOf(runs);
  }

 private:
  // What a thread needs to cut: libstemmer's objects are not shared.
  struct Scratch : TokenScratch {
    const LanguageTokenizer* owner = nullptr;
    std::vector<LanguageStemmer> stemmers;  // [languages_]
    Tokens runs;
    std::string affixes, signs, spelled, with_dotless_i;
    SyllablePairs syllables;
  };

  Scratch* ScratchOf(Tokens* tokens) const {
    auto* scratch = dynamic_cast<Scratch*>(tokens->scratch().get());
    if (scratch != nullptr && scratch->owner == this) return scratch;
    auto made = std::make_unique<Scratch>();
    made->owner = this;
    for (const Language* language : languages_) {
      made->stemmers.emplace_back(language->name);
      if (!made->stemmers.back().is_there()) throw std::bad_alloc();  // it was there before
    }
    scratch = made.get();
    tokens->scratch() = std::move(made);
    return scratch;
  }

  void Cut(std::string_view text, bool is_index, bool with_parts, Tokens* tokens) const {
    Scratch* scratch = ScratchOf(tokens);
    const Tokens& runs = scratch->runs;
    const bool with_pieces = (is_index && !with_parts) || rules_.pieces_in_models;
    const std::string_view parted =
        rules_.parts_affixes ? WithPartedAffixes(text, rules_.has_all_forms, &scratch->affixes)
                             : text;
    CutRuns(Spelled(parted, with_pieces, scratch), rules_.parts_scripts, &scratch->runs);
    const std::vector<double> evidence = text_languages_.EvidenceIn(runs, has_dotless_i_);
    scratch->syllables.Clear();
    tokens->Clear();
    std::string ordinary;
    for (size_t i = 0; i < runs.size(); i++) {
      if (IsPunctuation(runs[i]) ||
          (rules_.leaves_out_shapes && IsShape(runs[i], /*with_enclosed=*/!rules_.has_signs))) {
        scratch->syllables.Clear();
        continue;
      }
      Script script = ScriptOf(runs[i]);
      if (script == Script::kUnspaced) {
        AddUnspaced(runs[i], is_index, with_parts, tokens);
        continue;
      }
      const std::string_view run = WithOrdinaryLetters(runs[i], &script, &ordinary);
      const auto add = [&](std::string_view words, Script of) {
        AddWords(words, text_languages_.In(of, evidence), scratch, with_parts, tokens);
      };
      if (AreSeveral(run)) {
        for (const std::string_view word : SplitAt(run, '_')) add(word, ScriptOf(word));
      } else {
        add(run, script);
      }
    }
    if (with_parts) AddPartsOfParted(text, parted.data() != text.data(), runs, tokens);
  }

  // By rules A and, as far as it is of signs, C.
  std::string_view Spelled(std::string_view text, bool with_pieces, Scratch* scratch) const {
    if (rules_.has_signs) text = OrdinarySigns(text, &scratch->signs);
    const NameRules spelling = {.with_pieces = with_pieces,
                                .has_pieces_within = rules_.has_pieces_within,
                                .has_all_letters = rules_.has_all_letters,
                                .has_numbers = rules_.has_signs,
                                .has_apostrophes = false,  // they part words
                                .has_pairs_of_digits = rules_.has_units,
                                .has_units = rules_.has_units,
                                .parts_numbers = rules_.has_all_forms,
                                .parts_amounts = rules_.parts_amounts};
    const std::string_view spelled = SpellNames(text, spelling, &scratch->spelled);
    return has_dotless_i_ ? WithDotlessI(spelled, &scratch->with_dotless_i) : spelled;
  }

  void AddUnspaced(std::string_view run, bool is_index, bool with_parts, Tokens* tokens) const {
    std::string ordinary;
    if (rules_.has_all_forms && IsOfLetters(run))
      run = ordinary = rules_.has_one_spelling ? WithOneSpelling(run) : WithVowelAm(run);
    const std::vector<size_t> starts = CharacterPlaces(run);
    AddPairs(run, starts, with_parts, tokens);
    if (!is_index && rules_.has_han_alone) AddHan(run, starts, tokens);
  }

  bool AreSeveral(std::string_view run) const {
    return rules_.has_own_scripts && run.find('_') != run.npos;
  }

  // Rule C of a word, or several that _ separates; *script: of the first one. Returns run, or what it
  // becomes, in *ordinary.
  std::string_view WithOrdinaryLetters(std::string_view run, Script* script,
                                       std::string* ordinary) const {
    if (IsAscii(run)) return run;
    if (rules_.has_ordinary) {
      run = *ordinary = OrdinaryLetters(run, rules_.has_all_forms);
      *script = ScriptOf(run);
      if (rules_.has_one_g && *script == Script::kCyrillic) run = *ordinary = WithOneG(run);
    }
    if (rules_.has_anusvara && (*script == Script::kDevanagari || AreSeveral(run)) && !IsAscii(run))
      run = *ordinary =
          WithAnusvara(rules_.has_one_spelling ? WithOneSpellingOfIndia(run) : std::string(run),
                       has_loan_nasals_);
    return run;
  }

  // has_affixes: the text has some that were parted.
  void AddPartsOfParted(std::string_view text, bool has_affixes, const Tokens& runs,
                        Tokens* tokens) const {
    if (has_affixes) AddPartsOfWhole(text, Script::kArabic, runs, tokens);
    if (!rules_.has_acronyms) return;
    std::string made;
    const std::string_view joined = WithJoinedAcronyms(text, &made);
    if (joined.data() != text.data()) AddPartsOfWhole(joined, Script::kHebrew, runs, tokens);
  }

  // Of words that are cut though they are one: Arabic ones with a joiner, which many write without,
  // and Hebrew acronyms, which may have an article or a preposition before them.
  void AddPartsOfWhole(std::string_view text, Script script, const Tokens& runs,
                       Tokens* tokens) const {
    std::set<std::string_view> known;
    for (size_t i = 0; i < runs.size(); i++) known.insert(runs[i]);
    Tokens whole;
    CutRuns(text, rules_.parts_scripts, &whole);
    for (size_t i = 0; i < whole.size(); i++) {
      if (ScriptOf(whole[i]) == script && !known.contains(whole[i]))
        AddPartsOf(rules_.Plain(OrdinaryLetters(whole[i], rules_.has_all_forms)), rules_, tokens);
    }
  }

  // A word, or several that _, ' or a blank separate: its stem in each of the languages.
  void AddWords(std::string_view token, std::span<const size_t> languages, Scratch* scratch,
                bool with_parts, Tokens* tokens) const {
    const bool is_english = languages.size() == 1 && languages_[languages[0]]->name == kEnglish;
    while (!token.empty()) {
      const size_t end = std::min(token.find_first_of(is_english ? "_ " : "_' "), token.size());
      const std::string_view word = token.substr(0, end);
      token.remove_prefix(std::min(end + 1, token.size()));
      if (word.empty()) continue;
      if (languages.empty()) tokens->AddCutFrom(word, rules_.Plain(word));
      const size_t first = tokens->size();
      for (const size_t language : languages) {
        const bool has_dotted_i = has_dotless_i_ && languages_[language]->name != kTurkish;
        const std::string dotted = has_dotted_i ? WithDottedI(word) : "";
        const std::string_view form = has_dotted_i ? dotted : word;
        const std::string stem = scratch->stemmers[language].StemOf(form, rules_);
        bool is_new = true;
        for (size_t i = first; i < tokens->size(); i++) is_new = is_new && (*tokens)[i] != stem;
        if (is_new) tokens->AddCutFrom(form, stem);
      }
      if (with_parts) AddPartsOfWord(word, scratch, tokens);
    }
  }

  void AddPartsOfWord(std::string_view word, Scratch* scratch, Tokens* tokens) const {
    const std::string plain = rules_.Plain(word);
    if (rules_.has_whole_signs && IsSpelledSign(plain)) {
      AddPart("<" + plain + ">", tokens);
      return;
    }
    AddPartsOf(plain, rules_, tokens);
    if (rules_.has_syllables) scratch->syllables.Add(word, plain, tokens);
    if (rules_.has_accented_parts && plain != word)
      AddPart("<" + (rules_.has_all_forms ? WithCedillas(word) : std::string(word)) + ">", tokens);
  }

  // starts: of the run's characters, and its end.
  void AddPairs(std::string_view run, const std::vector<size_t>& starts, bool with_parts,
                Tokens* tokens) const {
    const size_t count = starts.size() - 1;
    const bool has_triples = with_parts && rules_.has_syllables && IsOfLetters(run);
    if (count == 1) tokens->Add(run);
    for (size_t i = 0; i < count; i++) {
      if (with_parts) AddPart(run.substr(starts[i], starts[i + 1] - starts[i]), tokens);
      if (has_triples && i + 2 < count)
        AddPart(run.substr(starts[i], starts[i + 3] - starts[i]), tokens);
      if (i + 1 < count) tokens->Add(run.substr(starts[i], starts[i + 2] - starts[i]));
    }
  }

  // Of a run that is more than one character.
  static void AddHan(std::string_view run, const std::vector<size_t>& starts, Tokens* tokens) {
    if (starts.size() <= 2) return;
    for (size_t i = 0; i + 1 < starts.size(); i++) {
      if (IsHan(FirstPoint(run.substr(starts[i]))))
        tokens->Add(run.substr(starts[i], starts[i + 1] - starts[i]));
    }
  }

  const std::vector<const Language*> languages_;
  const LanguageRules rules_;
  const TextLanguages text_languages_;
  bool has_dotless_i_ = false;  // Turkish is one of them
  bool has_loan_nasals_ = false;
};

// nullptr where a part of the name is no language with a stemmer, or stands twice; the last part
// may be `neutral`.
std::unique_ptr<const LanguageTokenizer> MakeLanguageTokenizer(std::string_view name) {
  std::vector<const Language*> languages;
  for (std::string_view rest = name; rest != kNeutralTokenizer;) {
    const size_t end = std::min(rest.find('+'), rest.size());
    const Language* language = FindStemmedLanguage(rest.substr(0, end));
    if (language == nullptr || std::count(languages.begin(), languages.end(), language) > 0)
      return nullptr;
    if (!LanguageStemmer(language->name).is_there()) return nullptr;  // this libstemmer lacks it
    languages.push_back(language);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  return std::make_unique<LanguageTokenizer>(name, std::move(languages));
}

}  // namespace

const Tokenizer* FindLanguageTokenizer(std::string_view name) {
  static auto& mutex = *new std::mutex;
  // Never destroyed, as all tokenizers. A name is a choice of languages in some order: as many as
  // anybody gives. Those of one and of two languages are made in any case.
  static auto& made =
      *new std::map<std::string, std::unique_ptr<const LanguageTokenizer>, std::less<>>;
  constexpr size_t kMostMade = 1000;
  const std::lock_guard lock(mutex);
  const auto found = made.find(name);
  if (found != made.end()) return found->second.get();
  const bool is_usual = std::count(name.begin(), name.end(), '+') <= 1;
  auto tokenizer = is_usual || made.size() < kMostMade ? MakeLanguageTokenizer(name) : nullptr;
  if (!tokenizer) return nullptr;
  return (made[std::string(name)] = std::move(tokenizer)).get();
}

}  // namespace s2v
