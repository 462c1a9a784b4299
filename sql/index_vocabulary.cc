#include "sql/index_vocabulary.h"

#include <map>
#include <unordered_map>

#include "core/text/spelled_names.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"

namespace s2v {
namespace {

// Only the first terms of a longer phrase count: what is written in quotes may be a megabyte
// without a blank.
constexpr size_t kMostPhraseTerms = 128;
// Words of a term are read in kRowsRead rows, and about kMostBytesRead bytes; again in rows without
// those that begin as the term does, while none is what is looked for.
constexpr int64_t kRowsRead = 16;
constexpr size_t kMostBytesRead = 100000, kRoundsOfRows = 4, kSameLetters = 2;

// The profile; and where it has several languages, as german+english, the profile of each by the
// rules of the same time.
std::vector<const Tokenizer*> TokenizersOf(const Tokenizer& profile) {
  std::vector<const Tokenizer*> tokenizers = {&profile};
  const std::vector<std::string_view> names = SplitAt(profile.name(), '+');
  if (names.size() < 2) return tokenizers;
  int age = 0;
  for (const Tokenizer* one = FindTokenizer(profile.name()); one != nullptr && one != &profile;
       one = one->former())
    age++;
  for (const std::string_view name : names) {
    // Not `english` alone, whose versions are others.
    const Tokenizer* one = FindLanguageTokenizer(name);
    for (int i = 0; i < age && one != nullptr && one->former() != nullptr; i++) one = one->former();
    if (one != nullptr) tokenizers.push_back(one);
  }
  return tokenizers;
}

}  // namespace

IndexVocabulary::IndexVocabulary(sqlite3* db, const IndexDefinition& index, PendingRows* pending)
    : db_(db), index_(index), pending_(pending), cutter_(db, index), numbers_(db, index) {
  if (!cutter_.is_ours()) return;
  for (const Tokenizer* tokenizer : TokenizersOf(*cutter_.plain()))
    cuts_.push_back({tokenizer, {}});
}

std::vector<std::vector<std::string>> IndexVocabulary::PhrasesOf(std::string_view words) const {
  std::vector<std::vector<std::string>> phrases;
  const auto add = [&](const auto& cut) {
    std::vector<std::string> phrase;
    // Pieces of names stand behind a row's text, so no phrase goes on to them.
    for (size_t i = 0; i < cut.size() && phrase.size() < kMostPhraseTerms && cut[i] != kPiecesMark;
         i++) {
      if (!IsPart(cut[i])) phrase.emplace_back(cut[i]);
    }
    if (!phrase.empty() && std::count(phrases.begin(), phrases.end(), phrase) == 0) {
      phrases.push_back(std::move(phrase));
    }
  };
  if (cuts_.empty()) {
    RowTerms cut;
    cutter_.AddColumn(words, &cut, /*is_question=*/true);
    add(cut);
    return phrases;
  }
  // A text whose language is clear was cut by that language's profile, any other by that of all.
  for (auto& [tokenizer, tokens] : cuts_) {
    tokenizer->CutTerms(words, cutter_.with_parts(), &tokens);
    add(tokens);
  }
  // In a script without blanks, a single character is a word where it stands alone, and a part
  // within a run.
  const Tokens& cut = cuts_[0].tokens;
  if (cut.size() == 2 && cut[0] == kPartMark + std::string(cut[1]))
    phrases.push_back({std::string(cut[0])});
  if (cut.size() == 2 && cut[1] == kPartMark + std::string(cut[0]))
    phrases.push_back({std::string(cut[1])});
  return phrases;
}

std::vector<std::string> IndexVocabulary::TermsOf(std::string_view word) const {
  std::vector<std::string> terms;
  for (auto& phrase : PhrasesOf(word)) {
    terms.insert(terms.end(), phrase.begin(), phrase.end());
  }
  return terms;
}

std::vector<std::string> IndexVocabulary::WordPartsOf(std::string_view word) const {
  std::vector<std::string> parts;
  Tokens cut;
  cutter_.plain()->CutTerms(word, /*with_parts=*/true, &cut);
  for (size_t i = 0; i < cut.size(); i++) {
    if (IsPart(cut[i])) parts.emplace_back(cut[i]);
  }
  return parts;
}

double IndexVocabulary::CountRows() {
  if (row_count_) return *row_count_;
  double rows = FtsTotals(db_, index_).first;
  Statement known(db_, "SELECT 1 FROM " + index_.Object("fts_docsize") + " WHERE id = ?1");
  for (const int64_t rowid : pending_->rows().Rowids()) {
    rows -= known.Find(rowid);
    rows += pending_->Terms(rowid) != nullptr;
  }
  row_count_ = rows;
  return rows;
}

bool IndexVocabulary::HasPhrase(std::string_view words) {
  const auto phrases = PhrasesOf(words);
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](const auto& phrase) { return CountRowsWith(phrase, 1) > 0; });
}

bool IndexVocabulary::ForEachIndexedRow(const std::vector<std::string>& phrase,
                                        const std::function<bool(int64_t rowid)>& visit,
                                        bool among_words, const std::vector<std::string>& without) {
  const std::string numbers = numbers_.FindPhrase(phrase);
  if (numbers.empty()) return true;
  std::string columns, others;
  for (size_t i = 0; among_words && i < index_.TextColumns().size(); i++)
    columns += " c" + std::to_string(i);
  for (const std::string& term : without) {
    const std::string number = numbers_.FindPhrase({term});
    if (!number.empty()) others += (others.empty() ? " NOT (" : " OR ") + number;
  }
  const std::string where = among_words ? "{" + columns + " } : " : "";
  Statement rows(db_, "SELECT rowid" + index_.FtsMatches(),
                 where + numbers + (others.empty() ? "" : others + ")"));
  while (rows.Step()) {
    if (!pending_->Contains(rows.Int(0)) && !visit(rows.Int(0))) return false;
  }
  return true;
}

void IndexVocabulary::ForEachRowWith(const std::vector<std::string>& phrase,
                                     const std::function<bool(int64_t rowid)>& visit,
                                     bool among_words, const std::vector<std::string>& without) {
  if (!ForEachIndexedRow(phrase, visit, among_words, without)) return;
  const std::vector<uint64_t> hashes = HashesOf(phrase), other_hashes = HashesOf(without);
  const auto has_phrase = [&](size_t column, std::span<const uint64_t> terms) {
    return !(among_words && IsOfParts(column)) &&
           std::search(terms.begin(), terms.end(), hashes.begin(), hashes.end()) != terms.end();
  };
  const auto has_other = [&](size_t, std::span<const uint64_t> terms) {
    return std::find_first_of(terms.begin(), terms.end(), other_hashes.begin(),
                              other_hashes.end()) != terms.end();
  };
  pending_->ForEachRow([&](int64_t rowid, const PendingRow& row) {
    const bool is_one = AnyColumn(row, has_phrase) && !AnyColumn(row, has_other);
    return !is_one || visit(rowid);
  });
}

int64_t IndexVocabulary::CountRowsWith(const std::vector<std::string>& phrase, int64_t most,
                                       bool among_words) {
  int64_t rows = 0;
  ForEachRowWith(
      phrase, [&](int64_t) { return ++rows < most; }, among_words);
  return rows;
}

bool IndexVocabulary::IsIndexed(const std::vector<std::string>& phrase) {
  const auto end = [](int64_t /*rowid*/) { return false; };
  return !ForEachIndexedRow(phrase, end, /*among_words=*/false, /*without=*/{});
}

std::set<std::string> IndexVocabulary::WaitingBehind(std::string_view before,
                                                     std::string_view beginning) {
  std::set<std::string> terms;
  const uint64_t hash_before = HashWord(before);
  uint64_t last = 0;  // the hash of the term before
  pending_->ForEachTerm([&](std::string_view term, uint64_t hash) {
    if (last == hash_before && term.starts_with(beginning)) terms.emplace(term);
    last = hash;
    return true;
  });
  return terms;
}

bool IndexVocabulary::IsWaiting(std::string_view term) {
  if (!waiting_) {
    waiting_.emplace();
    pending_->ForEachTerm(
        [&](std::string_view /*term*/, uint64_t hash) { return waiting_->insert(hash), true; });
  }
  return waiting_->contains(HashWord(term));
}

size_t IndexVocabulary::ForEachWordOf(int64_t rowid,
                                      const std::function<void(std::string_view word)>& visit) {
  const std::string_view head = HeadOf(rowid);
  std::string plain_text, dotless, spelled;
  const Tokenizer* own = cutter_.own();
  std::string_view text = own == nullptr ? head : own->PlainText(head, &plain_text);
  if (own != nullptr && own->plain().HasDotlessI(text)) text = WithDotlessI(text, &dotless);
  // Behind them, what rows have beside their words: email of e-mail, user of getUserName.
  text =
      SpellNames(text, {.has_acronyms = true, .has_units = true, .joins_hyphens = true}, &spelled);
  ForEachBareWord(text, cutter_.reading(), [&](size_t begin, size_t end) {
    const std::string_view run = text.substr(begin, end - begin);
    visit(run);
    // Punctuation may stand in it: client/server, client_server.
    for (const WordPlace& word : FindWords(run, cutter_.reading())) {
      for (size_t at = word.begin; at < word.end && !word.is_run;) {
        const size_t size = std::min(run.find('_', at), word.end) - at;
        if (size > 0 && size < run.size()) visit(run.substr(at, size));
        at += size + 1;
      }
    }
    return true;
  });
  return head.size();
}

std::string IndexVocabulary::WordWith(std::string_view term,
                                      const std::function<bool(const std::string& plain)>& accept,
                                      bool is_any) {
  const auto has_term = [&](const std::string& word) { return HasTerm(TermsOf(word), term); };
  std::map<std::string, size_t> met;
  std::unordered_map<std::string, size_t*> known;  // words as they are written; nullptr: refused
  const auto count = [&](const std::string& word) -> size_t* {
    const std::string plain = Plain(word);
    if (plain.empty() || !accept(plain)) return nullptr;
    const std::string small = SmallLetters(word);
    if (has_term(small)) return &met[small];
    return has_term(word) ? &met[word] : nullptr;
  };
  const auto add = [&](std::string_view word) {
    const auto [at, is_new] = known.try_emplace(std::string(word));
    if (is_new) at->second = count(at->first);
    if (at->second != nullptr) ++*at->second;
  };
  // of words that have the term and were refused: rows without these may have others
  std::vector<std::string> ends;
  int64_t rows = 0;
  size_t bytes = 0;
  for (size_t round = 0, before = 0; round < kRoundsOfRows && met.empty() &&
                                     (ends.empty() ? bytes < kMostBytesRead : ends.size() > before);
       round++) {
    before = ends.size();
    // Where no ends tell rows apart, as those of a short word that is its own stem, more are read,
    // behind those that were.
    const int64_t most_rows = ends.empty() ? kRowsRead << (2 * round) : kRowsRead;
    const int64_t read = ends.empty() ? rows : 0;
    rows = 0;
    if (read == 0) bytes = 0;
    bool are_more = false;
    ForEachRowWith(
        {std::string(term)},
        [&](int64_t rowid) {
          if (++rows <= read) return true;
          bytes += ForEachWordOf(rowid, add);
          are_more = rows == most_rows || bytes >= kMostBytesRead || (is_any && !met.empty());
          return !are_more;
        },
        /*among_words=*/false, ends);
    if (!cutter_.with_parts() || !are_more) break;
    for (const auto& [word, times] : known) {
      const std::string small = SmallLetters(word);
      if (times != nullptr || !small.starts_with(FirstLetters(term, kSameLetters)) ||
          !has_term(small))
        continue;
      for (std::string& part : WordPartsOf(small)) {
        if (part.ends_with('>') && !HasTerm(ends, part)) ends.push_back(std::move(part));
      }
    }
  }
  const auto most = std::max_element(
      met.begin(), met.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == met.end() ? "" : most->first;
}

std::string_view IndexVocabulary::HeadOf(int64_t rowid) {
  const SourceRow* row = pending_->source()->Row(rowid);
  return row == nullptr ? "" : std::string_view(row->text).substr(0, kMostBytesRead);
}

bool IndexVocabulary::AnyFirstRow(
    const std::vector<std::string>& phrase,
    const std::function<bool(int64_t rowid, size_t* bytes_read)>& accept) {
  bool have = false;
  int64_t rows = 0;
  size_t bytes = 0;
  ForEachRowWith(phrase, [&](int64_t rowid) {
    have = accept(rowid, &bytes);
    return !have && ++rows < kRowsRead && bytes < kMostBytesRead;
  });
  return have;
}

bool IndexVocabulary::HaveWritten(const std::vector<std::string>& phrase, std::string_view first,
                                  std::string_view second) {
  return AnyFirstRow(phrase, [&](int64_t rowid, size_t* bytes_read) {
    bool has_first = first.empty(), has_second = false;
    *bytes_read += ForEachWordOf(rowid, [&](std::string_view word) {
      if (has_first && has_second) return;
      const std::string plain = Plain(word);
      has_first = has_first || plain == first;
      has_second = has_second || plain == second;
    });
    return has_first && has_second;
  });
}

bool IndexVocabulary::HaveSpelling(const std::vector<std::string>& phrase,
                                   std::span<const std::string> spellings) {
  return AnyFirstRow(phrase, [&](int64_t rowid, size_t* bytes_read) {
    const std::string text = SmallLetters(HeadOf(rowid));
    *bytes_read += text.size();
    return std::any_of(spellings.begin(), spellings.end(), [&](const std::string& spelling) {
      return text.find(spelling) != text.npos;
    });
  });
}

}  // namespace s2v
