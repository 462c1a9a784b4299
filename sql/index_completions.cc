#include "sql/index_completions.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/search/question.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/number_forms.h"
#include "core/text/spelled_names.h"
#include "core/text/unfinished.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"
#include "core/vocab/hash.h"
#include "sql/model_reader.h"

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
// So many terms that begin alike, of those that came first, are compared by how common they are.
constexpr size_t kMostTermsCompared = 200;
// Of so many terms is asked whether rows have them behind another one.
constexpr size_t kMostBehind = 400;
// So many longer forms of a number are looked for, of so many numbers of a question.
constexpr size_t kMostLonger = 8, kMostLongerNumbers = 64;
// So many rows are counted of words that the model has not met, of one and in all; to look for a
// word costs as much as some rows.
constexpr int64_t kMostRowsOfOne = 500, kMostRowsOfAll = 4000, kLeastCost = 50;
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

bool Has(const std::vector<std::string>& terms, std::string_view term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

// The first `whole` of the terms are the word as it stands, those from `sure` on are doubtful.
std::vector<WordChoices::Term> Marked(const std::vector<std::string>& terms, size_t whole,
                                      size_t sure) {
  std::vector<WordChoices::Term> marked;
  for (size_t i = 0; i < terms.size(); i++) marked.push_back({terms[i], i < whole, i >= sure});
  return marked;
}

}  // namespace

std::string WordCompleter::LastTerm(std::string_view words) const {
  Tokens cut;
  cutter_.plain()->CutTerms(words, /*with_parts=*/false, &cut);
  const size_t end = CountBeforePieces(cut);
  return end == 0 ? "" : std::string(cut[end - 1]);
}

size_t WordCompleter::LastPair(std::string_view words) const {
  if (!vocabulary_.has_words() || !cutter_.is_ours()) return words.npos;
  const Tokenizer& own = *cutter_.plain();
  const std::vector<WordPlace> places = FindWords(words, cutter_.reading());
  if (places.empty() || places.back().end != words.size() || !places.back().is_run)
    return words.npos;
  const std::string_view run = words.substr(places.back().begin);
  const std::vector<size_t> at = CharacterPlaces(run);
  const size_t count = at.size() - 1;
  if (count < 3 || (!IsOfLetters(run) && FormsOfHangul(run).empty())) return words.npos;
  Tokens cut;
  own.CutTerms(run, /*with_parts=*/false, &cut);
  return cut.size() == count - 1 ? places.back().begin + at[count - 2] : words.npos;
}

std::string_view WordCompleter::UnfinishedWord(std::string_view words) const {
  const std::string_view letters = search::LastWord(words);
  if (!vocabulary_.has_words() || letters.empty()) return letters;
  if (!cutter_.is_ours()) {
    RowTerms terms;
    std::vector<TermPlace> places;
    cutter_.AddColumn(words, &terms, /*is_question=*/true, &places);
    return places.empty() ? letters : words.substr(places.back().begin);
  }
  const std::vector<WordPlace> places = FindWords(words, cutter_.reading());
  if (places.empty() || places.back().end != words.size()) return letters;
  // All that a reader takes for a word, as o'rei, unless the tokenizer cuts it before the last
  // letters, as l'ec. Of o'rei the part rei may be a term too, behind the whole.
  const std::string_view word = words.substr(places.back().begin);
  if (const size_t pair = LastPair(words); pair != words.npos) return words.substr(pair);
  Tokens cut;
  cutter_.plain()->CutTerms(word, /*with_parts=*/false, &cut);
  const bool is_whole = !cut.empty() && cut[0].find('\'') != std::string_view::npos;
  const bool is_cut =
      letters.size() < word.size() && !is_whole && LastTerm(letters) == LastTerm(word);
  return is_cut ? letters : word;
}

std::string_view WordCompleter::FinishedWords(std::string_view words) const {
  const size_t pair = LastPair(words);
  if (pair == words.npos) return words.substr(0, words.size() - UnfinishedWord(words).size());
  return words.substr(0, pair + CharacterPlaces(words.substr(pair))[1]);
}

std::vector<std::string> WordCompleter::StartsOf(std::string_view beginning,
                                                 const std::string& plain) const {
  std::vector<std::string> starts = {plain};
  if (cutter_.is_ours()) return starts;
  const std::string small = SmallLetters(beginning);
  std::vector<std::string> written = {small};
  for (const std::string_view text : {beginning, std::string_view(small)}) {
    for (std::string& term : vocabulary_.TermsOf(text)) written.push_back(std::move(term));
  }
  for (std::string& start : written) {
    if (!Has(starts, start) && CharacterCount(start) == CharacterCount(beginning))
      starts.push_back(std::move(start));
  }
  return starts;
}

std::vector<std::string> WordCompleter::BeginningsOf(const std::string& plain) const {
  std::vector<std::string> beginnings;
  const auto filler =
      std::find_if(std::begin(kFillers), std::end(kFillers),
                   [&](const Filler& one) { return one.script == ScriptOf(plain); });
  if (filler == std::end(kFillers)) return beginnings;
  const std::vector<std::string> endings = vocabulary_.TermsOf(filler->letters);
  for (const std::string& term : vocabulary_.TermsOf(plain + std::string(filler->letters))) {
    for (const std::string& ending : endings) {
      if (!term.ends_with(ending)) continue;
      const std::string beginning = term.substr(0, term.size() - ending.size());
      const bool is_new = beginning != plain && !Has(beginnings, beginning);
      if (is_new && CharacterCount(beginning) >= kLeastBeginning) beginnings.push_back(beginning);
    }
  }
  return beginnings;
}

void WordCompleter::AddStemsByParts(const std::string& plain, size_t most,
                                    std::vector<std::string>* terms) {
  std::vector<std::string> parts = vocabulary_.WordPartsOf(plain);
  std::erase_if(parts, [](const std::string& part) { return part.ends_with('>'); });
  bool is_new = !parts.empty();
  for (size_t round = 0; is_new && round < kMostRounds && terms->size() < most; round++) {
    is_new = false;
    size_t rows = 0;
    const auto add = [&](std::string_view word) {
      if (!vocabulary_.Plain(word).starts_with(plain)) return;
      for (const std::string& term : vocabulary_.TermsOf(word)) {
        if (Has(*terms, term)) continue;
        terms->push_back(term);
        is_new = true;
      }
    };
    const std::vector<std::string> known = *terms;
    vocabulary_.ForEachRowWith(
        parts,
        [&](int64_t rowid) {
          vocabulary_.ForEachWordOf(rowid, add);
          return !is_new && ++rows < kMostRowsWithoutWord;
        },
        /*among_words=*/false, /*without=*/known);
  }
}

// restin may become resting, of which the term is rest.
void WordCompleter::AddHalfEndings(const std::string& beginning, std::vector<std::string>* terms) {
  for (const std::string_view ending : kEndings) {
    for (size_t typed = ending.size() - 1; typed > 0; typed--) {
      if (!beginning.ends_with(ending.substr(0, typed))) continue;
      for (const std::string& term :
           vocabulary_.TermsOf(beginning + std::string(ending.substr(typed)))) {
        if (!Has(*terms, term) && vocabulary_.HasRows(term)) terms->push_back(term);
      }
      break;
    }
  }
}

// How common a term is the model knows, which has counted its words; those that it has not met are
// counted in the rows. Where it cuts texts in another way terms stay in the order in which they
// came, which is mostly that.
void WordCompleter::PutCommonestFirst(std::vector<std::string>* terms) {
  ModelReader* model = cutter_.is_ours() ? vocabulary_.Model() : nullptr;
  if (model == nullptr) return;
  if (model->info().shape.tokenizer->plain().name() != cutter_.plain()->name()) return;
  const auto words = static_cast<double>(model->info().tokens);
  std::vector<std::pair<double, std::string>> order;  // times, less than 0; term
  int64_t counted = 0;
  for (std::string& term : *terms) {
    double times = words * model->Word(term, HashWord(term)).frequency;
    if (times == 0 && counted < kMostRowsOfAll) {
      const int64_t rows = vocabulary_.CountRowsWith({term}, kMostRowsOfOne);
      times = static_cast<double>(rows);
      counted += std::max(rows, kLeastCost);
    }
    order.emplace_back(-times, std::move(term));
  }
  std::sort(order.begin(), order.end());
  terms->clear();
  for (auto& [times, term] : order) terms->push_back(std::move(term));
}

std::vector<std::string> WordCompleter::WaitingBetween(std::string_view begin,
                                                       std::string_view end) {
  std::set<std::string> terms;
  vocabulary_.pending().ForEachTerm([&](std::string_view term, uint64_t /*hash*/) {
    if (term >= begin && term < end && !vocabulary_.HasNumber(term)) terms.emplace(term);
    return terms.size() < kMostTermsCompared;
  });
  return {terms.begin(), terms.end()};
}

void WordCompleter::AddTermsFrom(std::string_view beginning, size_t most, const AcceptTerm& accept,
                                 std::vector<std::string>* terms) {
  AddTermsBetween(beginning, std::string(beginning) + '\xff', most, accept, terms);
}

void WordCompleter::AddTermsBetween(std::string_view begin, std::string_view end, size_t most,
                                    const AcceptTerm& accept, std::vector<std::string>* terms) {
  // Terms are numbered in the order in which they came.
  Statement select =
      vocabulary_.SelectTerms("term >= ?1 AND term < ?2 AND id > ?3 ORDER BY id LIMIT ?4");
  std::vector<std::string> some = WaitingBetween(begin, end);
  size_t with_rows = 0;
  // more where few have rows, since each time all that begin so are read
  size_t at_once = std::max(most, kMostTermsCompared);
  int64_t last = 0;
  for (bool is_end = false; with_rows < most && !is_end; some.clear(), at_once *= 4) {
    size_t found = 0;
    for (bool has_one = select.Find(Blob{begin}, Blob{end}, last, at_once); has_one;
         has_one = select.Step(), found++) {
      some.emplace_back(select.Blob(0));
      last = select.Int(1);
    }
    select.Reset();
    is_end = found < at_once;
    PutCommonestFirst(&some);
    for (std::string& term : some) {
      if (with_rows == most) break;
      if (Has(*terms, term)) {
        with_rows++;
        continue;
      }
      const TermChoice choice = vocabulary_.HasRows(term) ? accept(term) : TermChoice::kNo;
      if (choice == TermChoice::kNoMore) return;
      if (choice == TermChoice::kNo) continue;
      with_rows++;
      terms->push_back(std::move(term));
    }
  }
}

void WordCompleter::AddTermsBehind(const std::string& before, const std::string& beginning,
                                   size_t most, std::vector<std::string>* terms) {
  size_t asked = 0;
  const auto accept = [&](const std::string& term) {
    if (++asked > kMostBehind) return TermChoice::kNoMore;
    return vocabulary_.CountRowsWith({before, term}, 1) > 0 ? TermChoice::kYes : TermChoice::kNo;
  };
  AddTermsFrom(beginning, most, accept, terms);
}

std::vector<NumberForm> WordCompleter::LongerNumbers(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789", kOfSize = "0123456789.,x";
  constexpr size_t kMostOfFraction = 2;
  std::vector<NumberForm> longer;
  if (!cutter_.is_ours()) return longer;
  size_t numbers = 0;
  for (const NumberForm& form : FormsOfNumbers(text)) {
    const size_t begin = form.words.find_last_of(' ') + 1;
    const std::string number = form.words.substr(begin);
    const bool is_number = number.find_first_not_of(kOfSize) == number.npos &&
                           IsAsciiDigit(number.front()) && IsAsciiDigit(number.back());
    if (!is_number) continue;
    if (++numbers > kMostLongerNumbers) break;
    const auto accept = [&](const std::string& term) {
      std::string_view rest = std::string_view(term).substr(number.size());
      if (rest[0] == ',' || rest[0] == '.') {
        const size_t end = std::min(rest.find_first_not_of(kDigits, 1), rest.size());
        if (end == 1 || end > 1 + kMostOfFraction) return TermChoice::kNo;
        rest.remove_prefix(end);
      }
      return rest.empty() || MayBeUnit(rest) ? TermChoice::kYes : TermChoice::kNo;
    };
    std::vector<std::string> terms;
    AddTermsBetween(number + ',', number + '/', kMostLonger, accept, &terms);
    AddTermsBetween(number + 'a', number + '\xff', kMostLonger, accept, &terms);
    for (const std::string& term : terms)
      longer.push_back({form.words.substr(0, begin) + term, form.given});
  }
  return longer;
}

WordChoices WordCompleter::CharacterChoices(std::string_view character, size_t most) {
  WordChoices choices;
  const Tokenizer* own = cutter_.plain();
  if (own == nullptr || ScriptOf(character) != Script::kUnspaced) return choices;
  const size_t characters = CharacterPlaces(character).size() - 1;
  std::vector<std::string> terms;
  size_t sure = 0;  // of the first ones; 0: all
  Tokens cut;
  if (const auto forms = FormsOfHangul(character); characters <= 2 && !forms.empty()) {
    AddTermsBetween(forms[0].first, forms[0].second, most, AnyTerm, &terms);
    sure = terms.size();
    for (size_t i = 1; i < forms.size(); i++)
      AddTermsBetween(forms[i].first, forms[i].second, most, AnyTerm, &terms);
  } else if (characters == 2 && IsOfLetters(character)) {
    own->CutTerms(character, /*with_parts=*/false, &cut);
    const auto is_pair = [](const std::string& term) {
      return CharacterPlaces(term).size() == 3 ? TermChoice::kYes : TermChoice::kNo;
    };
    if (cut.size() == 1) AddTermsFrom(std::string(cut[0]), most, is_pair, &terms);
  } else if (characters == 1) {
    own->CutTerms(character, cutter_.with_parts(), &cut);
    for (size_t i = 0; i < cut.size(); i++) terms.emplace_back(cut[i]);
    // A mark of the character may be still to come, as in Thai.
    const auto is_character = [](const std::string& term) {
      return CharacterPlaces(std::string_view(term).substr(1)).size() == 2 ? TermChoice::kYes
                                                                           : TermChoice::kNo;
    };
    if (cutter_.with_parts())
      AddTermsFrom(kPartMark + std::string(character), most, is_character, &terms);
    // Where the index has no parts of words, it has pairs of characters alone.
    if (cut.size() == 1) AddTermsFrom(std::string(cut[0]), most, AnyTerm, &terms);
  }
  choices.terms = Marked(terms, 0, sure == 0 ? terms.size() : sure);
  return choices;
}

// The word may be this letter alone, as in vitamin c, but hardly is.
WordChoices WordCompleter::LetterChoices(std::string_view letter, const std::string& plain) {
  const std::string small = SmallLetters(letter);
  std::vector<std::string> terms;
  for (const std::string& word : {small, plain}) {
    for (const std::string& term : vocabulary_.TermsOf(word)) {
      if (!Has(terms, term) && vocabulary_.HasRows(term)) terms.push_back(term);
    }
  }
  WordChoices choices;
  choices.terms = Marked(terms, terms.size(), 0);
  choices.stems = terms.size();
  choices.is_letter = true;
  if (cutter_.with_parts() && small != plain) choices.parts = vocabulary_.WordPartsOf(small);
  return choices;
}

bool WordCompleter::IsCharacterOfRun(const std::string& term) const {
  return cutter_.is_ours() && ScriptOf(term) == Script::kUnspaced &&
         CharacterPlaces(term).size() == 2;
}

std::vector<std::string> WordCompleter::PairsFrom(const std::string& term, size_t most) {
  std::vector<std::string> pairs;
  if (IsCharacterOfRun(term)) AddTermsFrom(term, most, AnyTerm, &pairs);
  return pairs;
}

std::vector<std::string> WordCompleter::PairsTo(const std::string& term, size_t most) {
  if (!IsCharacterOfRun(term)) return {};
  std::set<std::string> found_pairs;
  const auto add = [&](std::string_view other, uint64_t /*hash*/) {
    const bool is_pair = other.size() > term.size() && other.ends_with(term) && !IsPart(other) &&
                         CharacterPlaces(other).size() == 3;
    if (is_pair) found_pairs.emplace(other);
    return true;
  };
  // No order of the terms leads to their ends: all are read.
  Statement select = vocabulary_.SelectTerms("substr(term, ?1) = ?2");
  for (bool found = select.Find(-static_cast<int64_t>(term.size()), Blob{term}); found;
       found = select.Step())
    add(select.Blob(0), 0);
  vocabulary_.pending().ForEachTerm(add);
  std::vector<std::string> pairs(found_pairs.begin(), found_pairs.end());
  PutCommonestFirst(&pairs);
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

std::vector<std::string> WordCompleter::UnfinishedParts(std::string_view beginning,
                                                        std::string* typed_last) {
  const std::string plain =
      kPartMark + ("<" + PlainToken(beginning, cutter_.reading().has_all_forms) + ">");
  std::vector<std::string> parts;
  for (const std::string& part : vocabulary_.WordPartsOf(beginning)) {
    const bool is_at_end = part.ends_with('>'),
               is_word = is_at_end && part.starts_with(std::string{kPartMark, '<'});
    // Of English there is one part more: rows with the word as it stands, if it is one, are to be
    // told from those with its stem.
    if (!is_at_end || cutter_.is_english()) parts.push_back(part);
    if (!is_at_end && !cutter_.is_english()) *typed_last = part;
    if (is_word && part != plain)
      AddTermsFrom(part.substr(0, part.size() - 1), kMostAccented, AnyTerm, &parts);
  }
  return parts;
}

bool WordCompleter::IsWhole(const std::string& term, const std::string& plain) {
  std::vector<std::string> parts;
  if (cutter_.tells_words()) parts = vocabulary_.WordPartsOf(plain);
  // with digits, which WordWith takes for no word
  if (parts.empty() && vocabulary_.Plain(plain).empty()) return term == plain;
  if (parts.empty())
    return !vocabulary_
                .WordWith(
                    term, [&](const std::string& other) { return other == plain; }, /*is_any=*/true)
                .empty();
  return vocabulary_.CountRowsWith(parts, 1) > 0;
}

// The word may be whole as it stands, if rows have it so. Its stem may be shorter than it: the term
// of noise is nois. But that new is of news is doubtful where no row is seen to have a word with it
// that begins so.
size_t WordCompleter::AddWhole(std::string_view beginning, const std::string& plain,
                               std::vector<std::string>* terms, std::vector<std::string>* doubtful,
                               size_t* stems) {
  size_t whole = 0;
  // With its accents it may have another stem.
  for (const std::string& word : {SmallLetters(beginning), plain}) {
    for (const std::string& term : vocabulary_.TermsOf(word)) {
      if (Has(*terms, term) || Has(*doubtful, term) || !vocabulary_.HasRows(term)) continue;
      if (IsWhole(term, plain)) {
        terms->insert(terms->begin(), term);
        whole++;
      } else {
        (term.starts_with(plain) || HasWordFrom(term, plain, plain) ? terms : doubtful)
            ->push_back(term);
      }
    }
    if (*stems == 0) *stems = terms->size();
    if (whole > 0) break;
  }
  return whole;
}

void WordCompleter::AddShorterStem(const std::string& cut, const std::string& plain,
                                   std::vector<std::string>* terms) {
  const size_t least = terms->empty() ? 2 : 3;
  for (size_t letters = CharacterCount(cut) - 1; letters >= least; letters--) {
    const std::string stem(FirstLetters(cut, letters));
    if (Has(*terms, stem) || !HasWordFrom(stem, plain, cut)) continue;
    terms->push_back(stem);
    return;
  }
}

void WordCompleter::AddEndsOfWords(const std::string& plain, const std::vector<std::string>& terms,
                                   std::vector<std::string>* parts) {
  for (const std::string& term : terms) {
    if (term.starts_with(plain)) continue;
    for (std::string& part : vocabulary_.WordPartsOf(WordFrom(term, plain, plain))) {
      if (part.ends_with('>') && !Has(*parts, part)) parts->push_back(std::move(part));
    }
  }
}

void WordCompleter::AddTermsOfWordsFrom(std::string_view beginning, const std::string& plain,
                                        size_t most, std::vector<std::string>* terms) {
  for (const std::string& start : StartsOf(beginning, plain))
    AddTermsFrom(start, most, AnyTerm, terms);
  std::vector<std::string> beginnings = BeginningsOf(plain);
  for (const std::string& changed : beginnings) {
    // In another script a term begins so as the word does. Without a prefix it may be of words that
    // have another one.
    size_t read = 0;
    const auto accept = [&](const std::string& term) {
      if (ScriptOf(changed) != ScriptOf(plain)) return TermChoice::kYes;
      if (++read > kMostRead) return TermChoice::kNoMore;
      return HasWordFrom(term, plain, changed) ? TermChoice::kYes : TermChoice::kNo;
    };
    AddTermsFrom(changed, most, accept, terms);
  }
  if (cutter_.with_parts()) AddStemsByParts(plain, most, terms);
  if (cutter_.tells_words()) return;
  beginnings.insert(beginnings.begin(), plain);
  for (const std::string& cut : beginnings) AddShorterStem(cut, plain, terms);
}

void WordCompleter::AddGuesses(const std::string& plain, std::vector<std::string>* terms,
                               std::vector<std::string>* doubtful) {
  std::vector<std::string> guesses;
  AddHalfEndings(plain, &guesses);
  const bool are_first = terms->empty();
  for (const std::string& term : guesses) {
    if (Has(*terms, term) || Has(*doubtful, term)) continue;
    (are_first || HasWordFrom(term, plain, plain) ? terms : doubtful)->push_back(term);
  }
}

std::string WordCompleter::OtherSpelling(const std::string& plain) const {
  if (!cutter_.is_ours()) return plain;
  const bool is_german = cutter_.plain()->name().find("german") != std::string_view::npos;
  return is_german && IsAscii(plain) ? WithUmlauts(plain) : WithAnusvaraAtEnd(plain);
}

WordChoices WordCompleter::Completions(std::string_view beginning, size_t most,
                                       const std::string& before) {
  const std::string plain = PlainToken(beginning, cutter_.reading().has_all_forms);
  if (!vocabulary_.has_words()) return {};
  if (plain.empty()) return CharacterChoices(beginning, most);
  const bool is_single = CharacterCount(plain) < kLeastBeginning;
  if (is_single && !IsAsciiDigit(plain[0])) return LetterChoices(beginning, plain);
  WordChoices choices;
  std::vector<std::string> terms, doubtful;
  size_t whole = AddWhole(beginning, plain, &terms, &doubtful, &choices.stems);
  if (!before.empty()) AddTermsBehind(before, plain, most, &terms);
  // A digit is mostly all of a number, where rows have that.
  AddTermsOfWordsFrom(beginning, plain, most, is_single && whole > 0 ? &doubtful : &terms);
  AddGuesses(plain, &terms, &doubtful);
  if (terms.empty()) {
    const std::string other = OtherSpelling(plain);
    if (other != plain) return Completions(other, most, before);
  }
  size_t sure = terms.size();
  for (const std::string& term : doubtful) {
    if (!Has(terms, term)) terms.push_back(term);
  }
  // If no word begins so, this one is written to its end.
  if (sure == 0) sure = whole = choices.stems = terms.size();
  // Where rows have it in two words, log in, and otherwise only as pieces of names, log-in, it is
  // these.
  const bool has_word = std::any_of(terms.begin(), terms.end(), [&](const std::string& term) {
    return vocabulary_.IsWord(term);
  });
  if (!has_word && !terms.empty() && !corrector_.InTwo(plain, /*is_written=*/false).empty())
    return {};
  if (!terms.empty() && cutter_.with_parts())
    choices.parts = UnfinishedParts(beginning, &choices.typed_last);
  if (cutter_.with_parts() && cutter_.is_english()) AddEndsOfWords(plain, terms, &choices.parts);
  choices.terms = Marked(terms, whole, sure);
  return choices;
}

std::string WordCompleter::WordFrom(std::string_view term, const std::string& plain,
                                    const std::string& changed) {
  const bool is_other_script = ScriptOf(changed) != ScriptOf(plain);
  const auto begins_so = [&](const std::string& word) {
    return word.starts_with(plain) || (is_other_script && word.starts_with(changed));
  };
  return vocabulary_.WordWith(term, begins_so, /*is_any=*/true);
}

}  // namespace s2v
