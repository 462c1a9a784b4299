#include "sql/index_vocabulary.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/search/question.h"
#include "core/text/languages.h"
#include "core/text/spelling.h"
#include "core/text/unicode_chars.h"
#include "core/text/word_places.h"
#include "core/vocab/hash.h"
#include "sql/index_words.h"

namespace s2v {
namespace {

constexpr size_t kMostCorrectedWords = 32;
// Only the first terms of a longer phrase count: what is written in quotes may be a megabyte without a blank.
constexpr size_t kMostPhraseTerms = 128;
// A word of at least kLeastLetters letters may have one error, of kLettersForTwo two.
constexpr size_t kLeastLetters = 4, kLettersForTwo = 8;
// Two errors are looked for in the terms whose first kFirstLetters letters are the word's, or are one edit from them. A term
// is a stem, which may lack an ending of up to kMostEnding letters. The kMostNear nearest terms are kept.
constexpr size_t kFirstLetters = 4, kMostEnding = 4, kMostNear = 64;
// Of so many terms the words are read in the table: from kRowsRead rows for each term, and about kMostBytesRead bytes.
constexpr size_t kMostTried = 6;
constexpr int64_t kRowsRead = 16;
constexpr size_t kMostBytesRead = 100000;
constexpr int64_t kMostRowsCounted = 2000;
// A word that the table lacks may well be spelled right. So a correction must have the same first letter, or the first two
// letters exchanged. And if the word is short, or has two errors, then one row in kRowsForOneWith at least must have the
// correction. Measured by tests/bench/search_typing.py.
constexpr double kRowsForOneWith = 1000;
bool HasSameStart(std::string_view a, std::string_view b) {
  const std::string_view first_a = FirstLetters(a, 1), first_b = FirstLetters(b, 1);
  if (first_a == first_b) return true;
  const std::string_view two_a = FirstLetters(a, 2), two_b = FirstLetters(b, 2);
  return two_a.substr(first_a.size()) == first_b && two_b.substr(first_b.size()) == first_a;
}
// Too many words begin with a single letter.
constexpr size_t kLeastBeginning = 2;

// So many terms are tried that begin as the tokenizer cuts what was typed, without a prefix: whether a word of theirs begins so, rows must be
// read to see.
constexpr size_t kMostRead = 32;
// With such an ending no stemmer takes a beginning for a whole word. What it leaves of the ending, it leaves of the ending alone.
struct Filler {
  Script script;
  std::string_view letters;
};
constexpr Filler kFillers[] = {{Script::kLatin, "otok"},
                               {Script::kCyrillic, "\u043E\u0442\u043E\u043A"},
                               {Script::kArabic, "\u062F\u0628\u062F\u0628"}};

enum class Parting { kNothing, kPunctuation, kJoint, kBlank };
// What a character of a text is to the words around it. A joint, an apostrophe or a hyphen, stands between two words, if the tokenizer
// cuts there.
Parting PartingOf(uint32_t c) {
  if (c < 0x80) {
    if (c == '\'' || c == '-') return Parting::kJoint;
    if (c <= ' ') return Parting::kBlank;
    return IsPunctuationMark(c) || c == '_' || c == 0x7F ? Parting::kPunctuation : Parting::kNothing;
  }
  const CharEntry entry = char_table[c];
  const bool is_dash = c >= 0x2010 && c <= 0x2015;
  if (is_dash || (entry.fate == CharFate::kKeep && (entry.mapped == '\'' || entry.mapped == '-'))) return Parting::kJoint;
  if (entry.fate == CharFate::kSeparate) return Parting::kBlank;
  return entry.kind == CharKind::kSingle && IsPunctuationMark(c) ? Parting::kPunctuation : Parting::kNothing;
}

// Calls use(begin, end) for each run of text between blanks and joints, without the punctuation around it; until use returns false.
template <typename Use>
void ForEachWord(std::string_view text, Use use) {
  size_t begin = 0, end = 0;  // of the word, as far as it was read; end: behind what is no punctuation
  bool is_word = false;
  for (size_t at = 0; at <= text.size();) {
    uint32_t c = ' ';
    size_t size = 1;
    if (at < text.size()) size = DecodeUtf8(text.data() + at, text.data() + text.size(), &c);
    // Bytes that are not UTF-8 are part of a word, which is none then.
    const Parting parting = size == 0 ? Parting::kNothing : PartingOf(c);
    size = std::max<size_t>(size, 1);
    if (parting == Parting::kNothing) {
      if (!is_word) begin = at;
      is_word = true;
      end = at + size;
    } else if (parting != Parting::kPunctuation) {
      if (is_word && !use(begin, end)) return;
      is_word = false;
    }
    at += size;
  }
}

// The run between blanks in which the word stands that begins there.
std::string_view RunAround(std::string_view text, size_t begin) {
  size_t from = 0;
  for (size_t at = 0; at < text.size();) {
    uint32_t c = 0;
    const size_t size = DecodeUtf8(text.data() + at, text.data() + text.size(), &c);
    const bool is_blank = size > 0 && PartingOf(c) == Parting::kBlank;
    if (is_blank && at > begin) return text.substr(from, at - from);
    at += std::max<size_t>(size, 1);
    if (is_blank) from = at;
  }
  return text.substr(from);
}

// The profile; and where it has several languages, as german+english, the profile of each by the rules of the same time.
std::vector<const Tokenizer*> TokenizersOf(const Tokenizer& profile) {
  std::vector<const Tokenizer*> tokenizers = {&profile};
  std::string_view rest = profile.name();
  if (rest.find('+') == rest.npos) return tokenizers;
  int age = 0;
  for (const Tokenizer* one = FindTokenizer(profile.name()); one != nullptr && one != &profile; one = one->former()) age++;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('+'), rest.size());
    // Not `english` alone, whose versions are others.
    const Tokenizer* one = FindLanguageTokenizer(rest.substr(0, end));
    for (int i = 0; i < age && one != nullptr && one->former() != nullptr; i++) one = one->former();
    if (one != nullptr) tokenizers.push_back(one);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return tokenizers;
}

}  // namespace

IndexVocabulary::IndexVocabulary(sqlite3* db, const IndexDefinition& index, IndexSource* source,
                                 PendingRows* pending)
    : db_(db),
      index_(index),
      source_(source),
      pending_(pending),
      cutter_(db, index),
      numbers_(db, index),
      has_words_(index.tokenize.find("trigram") == std::string::npos) {}

std::vector<std::vector<std::string>> IndexVocabulary::PhrasesOf(std::string_view words) const {
  std::vector<std::vector<std::string>> phrases;
  const auto add = [&](const auto& cut) {
    std::vector<std::string> phrase;
    for (size_t i = 0; i < std::min(cut.size(), kMostPhraseTerms); i++) phrase.emplace_back(cut[i]);
    if (!phrase.empty() && std::count(phrases.begin(), phrases.end(), phrase) == 0) {
      phrases.push_back(std::move(phrase));
    }
  };
  const Tokenizer* own = cutter_.own() == nullptr ? nullptr : &cutter_.own()->plain();
  if (own == nullptr) {
    RowTerms cut;
    cutter_.AddColumn(words, &cut, /*is_question=*/true);
    add(cut);
    return phrases;
  }
  // A text whose language is clear was cut by that language's profile, any other by that of all.
  Tokens cut;
  for (const Tokenizer* tokenizer : TokenizersOf(*own)) {
    tokenizer->CutTerms(words, /*with_parts=*/false, &cut);
    add(cut);
  }
  // In a script without blanks, a single character is a word where it stands alone, and a part within a run.
  own->CutTerms(words, cutter_.with_parts(), &cut);
  if (cut.size() == 2 && cut[0] == kPartMark + std::string(cut[1])) phrases.push_back({std::string(cut[0])});
  if (cut.size() == 2 && cut[1] == kPartMark + std::string(cut[0])) phrases.push_back({std::string(cut[1])});
  return phrases;
}

std::vector<std::string> IndexVocabulary::TermsOf(std::string_view word) const {
  std::vector<std::string> terms;
  for (auto& phrase : PhrasesOf(word)) {
    terms.insert(terms.end(), phrase.begin(), phrase.end());
  }
  return terms;
}

std::string IndexVocabulary::LastTerm(std::string_view words) const {
  Tokens cut;
  cutter_.own()->plain().CutTerms(words, /*with_parts=*/false, &cut);
  return cut.empty() ? "" : std::string(cut[cut.size() - 1]);
}

std::string_view IndexVocabulary::UnfinishedWord(std::string_view words) const {
  const std::string_view letters = search::LastWord(words);
  if (!has_words_ || letters.empty()) return letters;
  if (cutter_.own() == nullptr) {
    RowTerms terms;
    std::vector<TermPlace> places;
    cutter_.AddColumn(words, &terms, /*is_question=*/true, &places);
    return places.empty() ? letters : words.substr(places.back().begin);
  }
  const std::vector<WordPlace> places = FindWords(words, cutter_.own()->plain().parts_scripts());
  if (places.empty() || places.back().end != words.size()) return letters;
  // All that a reader takes for a word, as o'rei, unless the tokenizer cuts it before the last letters, as l'ec.
  const std::string_view word = words.substr(places.back().begin);
  const bool is_cut = letters.size() < word.size() && LastTerm(letters) == LastTerm(word);
  return is_cut ? letters : word;
}

bool IndexVocabulary::IsKnownToModel(std::string_view word) {
  if (index_.dimension == 0 || !source_->HasModel()) return false;
  ModelReader& model = source_->Model();
  const Tokenizer* tokenizer = model.info().shape.tokenizer;
  if (tokenizer->pieces() != PieceKind::kNone) return false;  // such a model makes every word of pieces
  Tokens tokens;
  tokenizer->Tokenize(word, &tokens);
  for (size_t i = 0; i < tokens.size(); i++) {
    if (model.Word(tokens[i], HashWord(tokens[i])).row != nullptr) return true;
  }
  return false;
}

template <typename Visit>
void IndexVocabulary::ForEachRowWith(std::string_view term, Visit visit) {
  const std::string number = numbers_.Find(term);
  if (!number.empty()) {
    const std::string fts = QuoteName(index_.name + "_fts");
    Statement rows(db_, "SELECT rowid FROM " + index_.Part("fts") + " WHERE " + fts + " MATCH ?1", QuoteName(number));
    while (rows.Step()) {
      if (!pending_->Contains(rows.Int(0)) && !visit(rows.Int(0))) return;
    }
  }
  const uint64_t hash = HashWord(term);
  for (const int64_t rowid : pending_->rows().Rowids()) {
    const PendingRow* row = pending_->Terms(rowid);
    const bool has_term = row != nullptr && std::count(row->terms.begin(), row->terms.end(), hash) > 0;
    if (has_term && !visit(rowid)) return;
  }
}

int64_t IndexVocabulary::RowsWith(std::string_view term, int64_t most) {
  int64_t rows = 0;
  ForEachRowWith(term, [&](int64_t) { return ++rows < most; });
  return rows;
}

double IndexVocabulary::CountRows() {
  if (row_count_) return *row_count_;
  double rows = FtsTotals(db_, index_).first;
  Statement known(db_, "SELECT 1 FROM " + index_.Part("fts_docsize") + " WHERE id = ?1");
  for (const int64_t rowid : pending_->rows().Rowids()) {
    rows -= known.Find(rowid);
    rows += pending_->Terms(rowid) != nullptr;
  }
  row_count_ = rows;
  return rows;
}

bool IndexVocabulary::IsWaiting(std::string_view term) {
  if (!waiting_) {
    waiting_.emplace();
    for (const int64_t rowid : pending_->rows().Rowids()) {
      if (const PendingRow* row = pending_->Terms(rowid)) waiting_->insert(row->terms.begin(), row->terms.end());
    }
  }
  return waiting_->contains(HashWord(term));
}

std::string IndexVocabulary::WordWith(std::string_view term,
                                      const std::function<bool(const std::string& plain)>& accept, bool is_any) {
  const auto has_term = [&](const std::string& word) {
    const std::vector<std::string> terms = TermsOf(word);
    return std::count(terms.begin(), terms.end(), term) > 0;
  };
  std::map<std::string, size_t> met;
  std::unordered_map<std::string, size_t*> known;  // words as they are written; nullptr: refused
  const auto count = [&](const std::string& word) -> size_t* {
    const std::string plain = PlainWord(word);
    if (plain.empty() || !accept(plain)) return nullptr;
    const std::string small = SmallLetters(word);
    if (has_term(small)) return &met[small];
    return has_term(word) ? &met[word] : nullptr;
  };
  int64_t rows = 0;
  size_t bytes = 0;
  ForEachRowWith(term, [&](int64_t rowid) {
    const SourceRow* row = source_->Row(rowid);
    const std::string_view head = row == nullptr ? "" : std::string_view(row->text).substr(0, kMostBytesRead);
    bytes += head.size();
    std::string plain_text, dotless;
    const Tokenizer* own = cutter_.own();
    std::string_view text = own == nullptr ? head : own->PlainText(head, &plain_text);
    if (own != nullptr && own->plain().HasDotlessI(text)) text = WithDotlessI(text, &dotless);
    ForEachWord(text, [&](size_t begin, size_t end) {
      std::string word(text.substr(begin, end - begin));
      const auto [at, is_new] = known.try_emplace(std::move(word));
      if (is_new) at->second = count(at->first);
      if (at->second != nullptr) ++*at->second;
      return true;
    });
    return ++rows < kRowsRead && bytes < kMostBytesRead && !(is_any && !met.empty());
  });
  const auto most = std::max_element(
      met.begin(), met.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == met.end() ? "" : most->first;
}

// ---- typing ----

std::vector<std::string> IndexVocabulary::TermsOneEditAway(const std::string& plain) {
  std::vector<std::string> found;
  for (const std::string& word : WordsOneEditAway(plain)) {
    for (const std::string& term : TermsOf(word)) {
      if (numbers_.Number(term) != 0 || IsWaiting(term)) found.push_back(term);
    }
  }
  return found;
}

std::vector<std::string> IndexVocabulary::TermsTwoEditsAway(const std::string& plain) {
  if (!select_beginning_) {
    select_beginning_ = Statement(
        db_, "SELECT term, id FROM " + index_.Part("term") + " WHERE term >= ?1 AND term < ?2");
  }
  const std::string first(FirstLetters(plain, kFirstLetters));
  std::vector<std::string> beginnings = WordsOneEditAway(first);
  beginnings.push_back(first);
  std::sort(beginnings.begin(), beginnings.end());
  const size_t all = LetterCount(plain);
  std::vector<std::pair<size_t, std::string>> near;
  const auto look_at = [&](std::string_view term) {
    const size_t letters = LetterCount(term);
    // Of a term that is not UTF-8, a letter could have any number of bytes.
    if (letters > all + 2 || letters + kMostEnding + 2 < all || term.size() > kMaxUtf8Bytes * letters) return;
    const size_t edits = StemDistance(term, plain, kMostEnding);
    if (edits <= 2) near.emplace_back(edits + all - std::min(all, letters), term);
  };
  std::string last;
  for (const std::string& beginning : beginnings) {
    // What begins so was read already, under the shorter beginning.
    if (!last.empty() && beginning.starts_with(last)) continue;
    last = beginning;
    const std::string end = beginning + '\xff';
    select_beginning_.Reset();
    select_beginning_.Bind(1, Blob{beginning});
    select_beginning_.Bind(2, Blob{end});
    while (select_beginning_.Step()) look_at(select_beginning_.Blob(0));
  }
  std::unordered_set<uint64_t> looked_at;
  for (const int64_t rowid : pending_->rows().Rowids()) {
    const PendingRow* row = pending_->Terms(rowid);
    for (size_t i = 0; row != nullptr && i < row->terms.size(); i++) {
      if (looked_at.insert(row->terms[i]).second && HasSameStart(plain, row->words[i])) look_at(row->words[i]);
    }
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> terms;
  for (size_t i = 0; i < std::min(near.size(), kMostNear); i++) terms.push_back(near[i].second);
  return terms;
}

std::string IndexVocabulary::BestOf(std::vector<std::string> terms, const std::string& plain,
                                    size_t edits) {
  if (terms.empty()) return "";
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::pair<int64_t, std::string>> by_rows;
  const bool is_sure = edits == 1 && LetterCount(plain) >= kLettersForTwo;
  const double least = is_sure ? 1 : std::min(CountRows() / kRowsForOneWith, 1.0 * kMostRowsCounted);
  for (const std::string& term : terms) {
    const int64_t rows = RowsWith(term, kMostRowsCounted);
    if (static_cast<double>(rows) >= least) by_rows.emplace_back(-rows, term);
  }
  std::sort(by_rows.begin(), by_rows.end());
  if (by_rows.size() > kMostTried) by_rows.resize(kMostTried);
  for (const auto& [rows, term] : by_rows) {
    const std::string word = WordWith(term, [&](const std::string& other) {
      return HasSameStart(plain, other) && EditDistance(plain, other) <= edits;
    });
    if (!word.empty()) return word;
  }
  return "";
}

std::string IndexVocabulary::Nearest(const std::string& plain) {
  const std::string word = BestOf(TermsOneEditAway(plain), plain, 1);
  if (!word.empty() || LetterCount(plain) < kLettersForTwo) return word;
  return BestOf(TermsTwoEditsAway(plain), plain, 2);
}

std::string IndexVocabulary::Correct(std::string* text) {
  struct Correction {
    size_t begin, end;
    std::string word;
  };
  if (!has_words_) return "";
  size_t words = 0;
  ForEachWord(*text, [&](size_t, size_t) { return ++words <= kMostCorrectedWords; });
  if (words > kMostCorrectedWords) return "";
  std::vector<Correction> corrections;
  ForEachWord(*text, [&](size_t begin, size_t end) {
    const std::string_view word = std::string_view(*text).substr(begin, end - begin);
    Correction one{begin, end, PlainWord(word)};
    if (LetterCount(one.word) < kLeastLetters || IsKnownToModel(word)) return true;
    // A word without terms, as punctuation, cannot be in a row: there is nothing to correct.
    const std::vector<std::string> terms = TermsOf(word);
    const bool has_rows = std::any_of(terms.begin(), terms.end(), [&](const std::string& term) { return HasRows(term); });
    if (terms.empty() || has_rows) return true;
    // In English wouldn't is one word, of which wouldn is no word.
    const std::vector<std::string> of_run = TermsOf(RunAround(*text, begin));
    const auto is_cut = [&](const std::string& term) { return std::count(of_run.begin(), of_run.end(), term) > 0; };
    if (std::all_of(terms.begin(), terms.end(), is_cut)) corrections.push_back(std::move(one));
    return true;
  });
  std::map<std::string, std::string> nearest;  // of each different word, which is looked for once
  const bool has_dotless_i = cutter_.own() != nullptr && cutter_.own()->plain().HasDotlessI(*text);
  for (Correction& one : corrections) {
    const auto [at, is_new] = nearest.try_emplace(one.word);
    if (is_new) at->second = Nearest(one.word);
    one.word = at->second;
    if (has_dotless_i && one.word.starts_with('i')) continue;  // its capital is İ, not I
    const std::string capital = WithCapitalOf(std::string_view(*text).substr(one.begin), one.word);
    if (TermsOf(capital) == TermsOf(one.word)) one.word = capital;
  }
  std::erase_if(corrections, [](const Correction& one) { return one.word.empty(); });
  std::string said;
  for (const Correction& one : corrections) {
    said += (said.empty() ? "" : ", ") + text->substr(one.begin, one.end - one.begin) + " → " +
            one.word;
  }
  std::reverse(corrections.begin(), corrections.end());
  for (const Correction& one : corrections) text->replace(one.begin, one.end - one.begin, one.word);
  return said;
}

// ---- beginnings ----

std::vector<std::string> IndexVocabulary::BeginningsOf(const std::string& plain) const {
  std::vector<std::string> beginnings;
  const auto filler = std::find_if(std::begin(kFillers), std::end(kFillers),
                                   [&](const Filler& one) { return one.script == ScriptOf(plain); });
  if (filler == std::end(kFillers)) return beginnings;
  const std::vector<std::string> endings = TermsOf(filler->letters);
  for (const std::string& term : TermsOf(plain + std::string(filler->letters))) {
    for (const std::string& ending : endings) {
      if (!term.ends_with(ending)) continue;
      const std::string beginning = term.substr(0, term.size() - ending.size());
      const bool is_new = beginning != plain && std::count(beginnings.begin(), beginnings.end(), beginning) == 0;
      if (is_new && LetterCount(beginning) >= kLeastBeginning) beginnings.push_back(beginning);
    }
  }
  return beginnings;
}

void IndexVocabulary::AddTermsFrom(std::string_view beginning, size_t most, const std::function<bool(const std::string& term)>& accept,
                                   std::vector<std::string>* terms) {
  const auto is_new = [&](std::string_view term) { return std::count(terms->begin(), terms->end(), term) == 0; };
  // Terms are numbered in the order in which they came, so those with small numbers are mostly common.
  Statement select(db_, "SELECT term FROM " + index_.Part("term") + " WHERE term >= ?1 AND term < ?2 ORDER BY id");
  const std::string end = std::string(beginning) + '\xff';
  select.Bind(1, Blob{beginning});
  select.Bind(2, Blob{end});
  for (size_t with_rows = 0; with_rows < most && select.Step();) {
    std::string term(select.Blob(0));
    const bool is_added = is_new(term);
    if (is_added && !(HasRows(term) && accept(term))) continue;
    with_rows++;
    if (is_added) terms->push_back(std::move(term));
  }
  for (const int64_t rowid : pending_->rows().Rowids()) {
    const PendingRow* row = terms->size() < most ? pending_->Terms(rowid) : nullptr;
    for (size_t i = 0; row != nullptr && i < row->words.size() && terms->size() < most; i++) {
      std::string term(row->words[i]);
      if (term.starts_with(beginning) && is_new(term) && accept(term)) terms->push_back(std::move(term));
    }
  }
}

WordChoices IndexVocabulary::CharacterChoices(std::string_view character, size_t most) {
  WordChoices choices;
  const Tokenizer* own = cutter_.own() == nullptr ? nullptr : &cutter_.own()->plain();
  if (own == nullptr || ScriptOf(character) != Script::kUnspaced || CharacterPlaces(character).size() != 2) return choices;
  Tokens cut;
  own->CutTerms(character, cutter_.with_parts(), &cut);
  for (size_t i = 0; i < cut.size(); i++) choices.terms.emplace_back(cut[i]);
  // Where the index has no parts of words, it has pairs of characters alone.
  if (cut.size() == 1) AddTermsFrom(std::string(cut[0]), most, [](const std::string&) { return true; }, &choices.terms);
  return choices;
}

WordChoices IndexVocabulary::Completions(std::string_view beginning, size_t most) {
  const std::string plain = PlainToken(beginning);
  WordChoices choices;
  std::vector<std::string>& terms = choices.terms;
  if (!has_words_) return choices;
  if (plain.empty()) return CharacterChoices(beginning, most);
  if (LetterCount(plain) < kLeastBeginning) return choices;
  // The word may be whole as it stands. Its stem may be shorter than it: the term of noise is nois. But that new is of news is doubtful
  // where no row is seen to have a word with it that begins so.
  const auto is_new = [&](const std::string& term) { return std::count(terms.begin(), terms.end(), term) == 0; };
  std::vector<std::string> doubtful;
  for (const std::string& term : TermsOf(plain)) {
    if (!is_new(term) || !HasRows(term)) continue;
    const bool begins_so = term.starts_with(plain) || HasWordFrom(term, plain, plain);
    (begins_so ? terms : doubtful).push_back(term);
  }
  choices.whole = terms.size();
  AddTermsFrom(plain, most, [](const std::string&) { return true; }, &terms);
  std::vector<std::string> beginnings = BeginningsOf(plain);
  for (const std::string& changed : beginnings) {
    // In another script a term begins so as the word does. Without a prefix it may be of words that have another one.
    size_t read = 0;
    AddTermsFrom(changed, most, [&](const std::string& term) {
      return ScriptOf(changed) != ScriptOf(plain) || (++read <= kMostRead && HasWordFrom(term, plain, changed));
    }, &terms);
  }
  beginnings.insert(beginnings.begin(), plain);
  // No term begins so, but a shorter one may be the stem of a word that does: organiz of organization.
  for (const std::string& cut : beginnings) {
    for (size_t letters = LetterCount(cut) - 1; letters >= 3 && terms.empty(); letters--) {
      const std::string stem(FirstLetters(cut, letters));
      if (HasWordFrom(stem, plain, cut)) terms.push_back(stem);
    }
  }
  // If no word begins so, this one is written to its end.
  const bool is_only_one = terms.empty();
  for (const std::string& term : doubtful) {
    if (!is_new(term)) continue;
    terms.push_back(term);
    ++(is_only_one ? choices.whole : choices.doubtful);
  }
  return choices;
}

bool IndexVocabulary::HasWordFrom(std::string_view term, const std::string& plain, const std::string& changed) {
  const bool is_other_script = ScriptOf(changed) != ScriptOf(plain);
  const auto begins_so = [&](const std::string& word) {
    return word.starts_with(plain) || (is_other_script && word.starts_with(changed));
  };
  return !WordWith(term, begins_so, /*is_any=*/true).empty();
}

}  // namespace s2v
