#include "sql/index_words_query.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/search/fusion.h"
#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/number_forms.h"
#include "core/text/spelled_names.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"
#include "core/vocab/hash.h"
#include "sql/index_languages.h"
#include "sql/index_limits.h"

namespace s2v {
namespace {

// Bytes beyond ASCII are left to FTS5's tokenizer, which knows what of them is a letter.
bool IsWordByte(unsigned char c, bool only_blanks_part) {
  if (only_blanks_part) return c > ' ';
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// A word is left out that more than kMostShare of the rows have; in a large table, where reading
// its list of rows is most of what a question costs, also one that more than kMostShareOfMany and
// kManyRows rows have.
constexpr double kMostShare = 0.5, kMostShareOfMany = 0.3, kManyRows = 20000;
// A common stem's form is another word where fewer than one row in kRowsForOneWithEnds has its
// ends.
constexpr double kRowsForOneWithEnds = 100;

// Counts phrases in kRows neighbouring rows of the index, at each of kRanges places. Empty where
// there are fewer rows.
class WordSample {
 public:
  static constexpr int64_t kRows = 500, kRanges = 4, kAllRows = kRows * kRanges;

  WordSample(sqlite3* db, const IndexDefinition& index, WordMemory* known)
      : db_(db), index_(index), table_rows_(FtsTotals(db, index).first) {
    if (!known->sample) known->sample = ChooseRanges();
    ranges_ = *known->sample;
    count_ = Statement(db, "SELECT count(*)" + index.FtsMatches() + " AND rowid BETWEEN ?2 AND ?3");
  }
  bool is_empty() const { return ranges_.empty(); }
  double table_rows() const { return table_rows_; }
  // How many rows of the sample have the phrase. 0 where fewer than `least` of its first range do:
  // so a rare word costs one look.
  int64_t Rows(const WordsPhrase& phrase, int64_t least) {
    int64_t rows = 0;
    for (const RowRange& range : ranges_) {
      const bool is_found = !phrase.fts.empty() && count_.Find(phrase.fts, range.first, range.last);
      if (is_found) rows += count_.Int(0);
      if (rows < least) return 0;
    }
    return rows;
  }
  // About how many rows of the whole index have the phrase.
  double RowsOfAll(const WordsPhrase& phrase) {
    return static_cast<double>(Rows(phrase, 0)) * table_rows_ / kAllRows;
  }

 private:
  std::vector<RowRange> ChooseRanges() {
    if (table_rows_ < kAllRows) return {};
    const std::string rows = "(SELECT rowid AS id FROM " + index_.Part("fts");
    Statement ends(db_, "SELECT (SELECT id FROM " + rows +
                            " ORDER BY rowid LIMIT 1)), (SELECT id FROM " + rows +
                            " ORDER BY rowid DESC LIMIT 1))");
    if (!ends.Step() || ends.Type(0) == SQLITE_NULL) return {};
    const double first = static_cast<double>(ends.Int(0)), last = static_cast<double>(ends.Int(1));
    Statement part(db_, "SELECT min(id), max(id), count(*) FROM " + rows +
                            " WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2)");
    // A few rows may have rowids far behind those of the others: then half as far is tried, and so
    // on.
    for (double distance = last - first; distance >= kAllRows / 2; distance /= 2) {
      std::vector<RowRange> ranges;
      for (int i = 0; i < kRanges; i++) {
        const auto begin = static_cast<int64_t>(first + distance * i / kRanges);
        if (!part.Find(begin, kRows) || part.Int(2) < kRows) break;
        ranges.push_back({part.Int(0), part.Int(1)});
      }
      if (ranges.size() == static_cast<size_t>(kRanges)) return ranges;
    }
    return {};
  }

  sqlite3* db_;
  const IndexDefinition& index_;
  const double table_rows_;
  std::vector<RowRange> ranges_;
  Statement count_;
};

bool IsChoice(const WordsPhrase& phrase) {
  return phrase.choice > 0;
}

struct RowsOfPhrase {
  double rows = 0;
  size_t phrase = 0;
};
// Keeps the rarest phrases, as far as their rows together are no more than `most`; leaves out the
// others.
void LeaveOutMoreThan(double most, std::vector<RowsOfPhrase>* phrases, std::set<size_t>* left_out) {
  std::sort(phrases->begin(), phrases->end(), [](const RowsOfPhrase& a, const RowsOfPhrase& b) {
    return a.rows < b.rows || (a.rows == b.rows && a.phrase < b.phrase);
  });
  double sum = 0;
  for (const RowsOfPhrase& one : *phrases) {
    sum += one.rows;
    if (sum > most) left_out->insert(one.phrase);
  }
}

// Returns the phrase, good until the next one. REQUIRES: there are terms.
using AddPhrase = std::function<WordsPhrase*(const std::vector<std::string_view>& terms)>;

// So many trigrams are looked for: kMaxQueryWords words of a language have fewer.
constexpr size_t kMostTrigrams = 16 * kMaxQueryWords;

// Words as FTS5's tokenizers cut them: each may become several terms.
void AddFts5Words(const IndexDefinition& index, std::string_view text, const TermCutter& cutter,
                  const AddPhrase& add, WordsQuery* query) {
  const bool is_trigram = index.tokenize.find("trigram") != std::string::npos;
  // Where punctuation may belong to a word, words end at blanks alone.
  const bool only_blanks_part =
      index.tokenize.find("tokenchars") != std::string::npos || is_trigram;
  const auto is_before = [](const std::string& a, const std::string& b) {
    return sqlite3_stricmp(a.c_str(), b.c_str()) < 0;
  };
  std::map<std::string, int, decltype(is_before)> met(is_before);  // how often
  for (size_t at = 0; at < text.size() && met.size() < kMaxQueryWords;) {
    const auto is_word = [&](size_t i) {
      return IsWordByte(static_cast<unsigned char>(text[i]), only_blanks_part);
    };
    size_t end = at;
    while (end < text.size() && is_word(end)) end++;
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty() || met[std::string(word)]++ >= 2) continue;
    RowTerms cut;
    cutter.AddColumn(word, &cut, /*is_question=*/true);
    std::vector<std::string_view> terms;
    for (size_t i = 0; i < cut.size(); i++) terms.push_back(cut[i]);
    if (!is_trigram) {
      if (!terms.empty()) add(terms);
      continue;
    }
    // A word is all of its trigrams, in whatever order a row has them.
    for (size_t i = 0; i < terms.size() && query->phrases.size() < kMostTrigrams; i++)
      add({terms[i]});
  }
  query->words = met.size();
  if (index.TextColumns().size() < 2) return;  // no row has a title
  RowTerms column;
  cutter.AddColumn(text, &column);
  query->words_of_column = column.columns[0];
}

// Where a question in it stands among texts in other languages, cacm's abstracts were found worse
// by parts of words.
constexpr std::string_view kEnglish = "english";

// Words as our tokenizers cut them. language: of the text, "" where it is not clear.
void AddOwnWords(std::string_view text, const TermCutter& cutter, std::string_view language,
                 const AddPhrase& add, WordsQuery* query) {
  Tokens tokens;
  cutter.own()->CutTerms(text, cutter.with_parts(), &tokens);
  std::unordered_map<std::string_view, int> met;
  size_t pieces = tokens.size();  // from here on
  // Another form of a number is none of the question's words (AddOtherForms).
  const auto is_number = [&](size_t i) {
    return i > pieces && tokens[i].find_first_not_of("0123456789.") == std::string_view::npos;
  };
  for (size_t i = 0; i < tokens.size(); i++) {
    if (tokens[i] == kPiecesMark) pieces = i;
    if (IsPart(tokens[i])) continue;
    query->words_of_column += i < pieces || !cutter.has_pieces_beside();
    if (tokens[i] == kPiecesMark || is_number(i)) continue;
    if (query->words < kMaxQueryWords && met[tokens[i]]++ == 0) query->words++;
  }
  const bool with_parts = query->words <= kMaxPartWords && language != kEnglish;
  met.clear();
  for (size_t i = 0, words = 0; i < tokens.size() && words <= query->words; i++) {
    const bool is_part = IsPart(tokens[i]);
    if ((is_part && !with_parts) || tokens[i] == kPiecesMark || is_number(i)) continue;
    const int times = met[tokens[i]]++;
    words += !is_part && times == 0;
    if (times >= (is_part ? 1 : 2)) continue;
    add({tokens[i]})->is_beside |= i > pieces;
  }
}

bool HasDigit(std::string_view word) {
  return word.find_first_of("0123456789") != word.npos;
}

// Up to kMostTogether numbers, or single letters, that stand together are one more word of the
// question: 2024-06-08, 12:14, U.S.A.
constexpr size_t kMostTogether = 8;
void AddTogether(std::string_view text, const TermCutter& cutter, const AddPhrase& add) {
  constexpr std::string_view kBlanks = " \t\r\n";
  Tokens tokens;
  for (size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const std::string_view run = text.substr(at, end - at);
    at = end;
    if (!HasDigit(run) && run.find('.') == run.npos) continue;
    cutter.own()->CutTerms(run, /*with_parts=*/false, &tokens);
    const bool are_numbers = HasDigit(run);
    std::vector<std::string_view> together;
    for (size_t i = 0; i < std::min(tokens.size(), kMostTogether); i++) {
      if (are_numbers ? HasDigit(tokens[i]) : LetterCount(tokens[i]) == 1)
        together.push_back(tokens[i]);
    }
    if (together.size() > 1 && together.size() == tokens.size()) add(together);
  }
}

// What rows may have in place of numbers of the question.
void AddOtherForms(std::string_view text, const TermCutter& cutter, const AddPhrase& add) {
  Tokens asked, other;
  // The tokens before the pieces of names.
  const auto cut = [&](const std::string& words, Tokens* tokens) {
    cutter.own()->CutTerms(words, /*with_parts=*/false, tokens);
    std::vector<std::string_view> terms;
    const size_t count = CountBeforePieces(*tokens);
    for (size_t i = 0; i < count; i++) terms.push_back((*tokens)[i]);
    return terms;
  };
  std::set<std::string> added;
  const auto add_other = [&](const NumberForm& form) {
    const std::vector<std::string_view> terms = cut(form.words, &other),
                                        joined = cut(form.given, &asked);
    const bool are_many = terms.size() > 1 && joined.size() > 1;
    if (terms.empty() || are_many || terms == joined || !added.insert(form.words).second) return;
    WordsPhrase& phrase = *add(terms);
    phrase.is_of_titles = false;
    phrase.term = 0;
    cutter.own()->CutTerms(form.given, cutter.with_parts(), &asked);
    for (size_t i = 0; i < asked.size(); i++) phrase.joins.push_back(HashWord(asked[i]));
  };
  for (const NumberForm& form : FormsOfNumbers(text)) add_other(form);
}

// The part of a word that was typed last tells words that begin so from other forms of their stem:
// it counts more than other parts do.
constexpr double kTypedLastWeight = 1.5;

// Of the words of a pasted document, the kMostPhrases rarest are kept: at each row that has any of
// them, FTS5 looks at all that it was asked for. Words that only pending rows have are the rarest;
// parts of words are left out first, and all that no row has.
void KeepRarest(sqlite3* db, const IndexDefinition& index, PendingRows* pending,
                WordsQuery* query) {
  std::vector<WordsPhrase>& phrases = query->phrases;
  if (phrases.size() <= kMostPhrases) return;
  std::unordered_multimap<uint64_t, size_t> by_first;  // term
  for (size_t i = 0; i < phrases.size(); i++) by_first.emplace(phrases[i].terms[0], i);
  std::vector<bool> is_pending(phrases.size());
  pending->ForEachTerm([&](std::string_view /*term*/, uint64_t hash) {
    const auto [first, last] = by_first.equal_range(hash);
    for (auto found = first; found != last; ++found) {
      is_pending[found->second] = true;
      if (phrases[found->second].fts.empty()) phrases[found->second].number = INT64_MAX;
    }
    return true;
  });
  // Of two that are as rare the first one is kept.
  const auto rank = [&](size_t i) { return std::tuple(phrases[i].is_part, -phrases[i].number, i); };
  std::vector<size_t> rarest(phrases.size());
  std::iota(rarest.begin(), rarest.end(), 0);
  std::sort(rarest.begin(), rarest.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
  // A term keeps its number when its last row goes.
  Statement select(db, "SELECT rowid" + index.FtsMatches());
  const auto is_in_index = [&](const WordsPhrase& phrase) {
    bool found = !phrase.fts.empty() && select.Find(phrase.fts);
    while (found && pending->Contains(select.Int(0))) found = select.Step();
    return found;
  };
  std::vector<bool> is_kept(phrases.size());
  size_t kept = 0;
  for (size_t i = 0; i < rarest.size() && kept < kMostPhrases; i++) {
    is_kept[rarest[i]] = is_pending[rarest[i]] || is_in_index(phrases[rarest[i]]);
    kept += is_kept[rarest[i]];
  }
  // What a word that is kept joins counts where rows have that.
  std::unordered_set<uint64_t> joined;
  for (size_t i = 0; i < phrases.size(); i++) {
    if (is_kept[i]) joined.insert(phrases[i].joins.begin(), phrases[i].joins.end());
  }
  size_t at = 0;
  std::erase_if(phrases, [&](const WordsPhrase& phrase) {
    return !is_kept[at++] && !joined.contains(phrase.term);
  });
}

// The i-th of the terms that an unfinished word may be. choice: the word's number.
WordsPhrase ChoiceOf(const WordChoices& choices, size_t i, size_t choice, TermNumbers* numbers) {
  const std::string& term = choices.terms[i];
  WordsPhrase phrase;
  phrase.term = HashWord(term);
  phrase.terms = {phrase.term};
  phrase.number = numbers->Number(term);
  if (phrase.number != 0) phrase.fts = QuoteName(TermNumbers::Text(phrase.number));
  phrase.choice = choice;
  phrase.is_beside = IsPart(term);
  phrase.is_whole = i < choices.whole;
  phrase.is_doubtful = i + choices.doubtful >= choices.terms.size();
  return phrase;
}

// How common a word is among the rows of a sample.
struct Commonness {
  bool is_frequent, have_most, is_left_out;
};
Commonness CommonnessOf(const WordsPhrase& phrase, WordSample* sample) {
  const int64_t rows = sample->Rows(phrase, WordSample::kRows / (2 * kRowsForOneFrequent));
  const double share = static_cast<double>(rows) / WordSample::kAllRows;
  const bool have_most = share > kMostShare;
  const bool have_many = share > kMostShareOfMany && share * sample->table_rows() > kManyRows;
  return {rows * kRowsForOneFrequent > WordSample::kAllRows, have_most, have_most || have_many};
}

// Whether any of the words that the phrase joins and that are asked for is one that is accepted by
// its place.
bool AnyJoined(const std::vector<WordsPhrase>& phrases, const WordsPhrase& joining,
               const std::function<bool(size_t word)>& accept) {
  for (const uint64_t term : joining.joins) {
    for (size_t i = 0; i < phrases.size(); i++) {
      if (phrases[i].term == term && !phrases[i].is_part && accept(i)) return true;
    }
  }
  return false;
}

// What joins words is as frequent as they are: rows that have them apart are no less a match.
void MarkJoining(std::vector<WordsPhrase>* phrases) {
  for (WordsPhrase& phrase : *phrases) {
    if (!phrase.joins.empty())
      phrase.is_frequent =
          !AnyJoined(*phrases, phrase, [&](size_t word) { return !(*phrases)[word].is_frequent; });
  }
}

}  // namespace

WordsQuery MakeWordsQuery(sqlite3* db, const IndexDefinition& index, std::string_view text,
                          const std::vector<WordChoices>& choices, ModelReader* model) {
  const TermCutter cutter(db, index);
  TermNumbers numbers(db, index);
  WordsQuery query;
  if (model != nullptr) query.counted_texts = static_cast<double>(model->info().texts);
  std::set<std::vector<uint64_t>> met;
  const AddPhrase add = [&](const std::vector<std::string_view>& terms) {
    WordsPhrase phrase;
    bool is_known = true;
    for (size_t i = 0; i < terms.size(); i++) {
      phrase.terms.push_back(HashWord(terms[i]));
      const int64_t number = numbers.Number(terms[i]);
      phrase.number = std::max(phrase.number, number);
      is_known = is_known && number != 0;
      phrase.fts += (i == 0 ? "" : " ") + TermNumbers::Text(number);
    }
    phrase.fts = is_known ? QuoteName(phrase.fts) : "";
    if (!is_known) phrase.number = 0;
    phrase.is_repeated = !met.insert(phrase.terms).second;
    if (terms.size() == 1) phrase.term = phrase.terms[0];
    phrase.is_part = phrase.is_beside = IsPart(terms[0]);
    if (phrase.is_part) {
      phrase.weight = cutter.is_english() && terms[0].ends_with('>') ? search::kEnglishEndWeight
                                                                     : search::kPartWeight;
      phrase.needs_others = cutter.is_english();
    } else if (is_known && terms.size() == 1 && cutter.own() != nullptr && model != nullptr) {
      phrase.frequency = model->Word(terms[0], phrase.terms[0]).frequency;
    }
    // Not parts, nor numbers that stand together: which of several titles was typed is seen from
    // their texts.
    phrase.is_of_titles = cutter.own() == nullptr || (terms.size() == 1 && !phrase.is_beside);
    phrase.is_common = terms.size() == 1 && IsCommonWord(terms[0]);
    return &query.phrases.emplace_back(std::move(phrase));
  };
  bool is_clear = false;  // in which language it is
  if (cutter.own() != nullptr) {
    const std::string_view language = cutter.plain()->LanguageOf(text);
    is_clear = !language.empty();
    if (is_clear) query.language_rows = FindLanguageRows(db, index, *cutter.own(), language);
    AddOwnWords(text, cutter, language, add, &query);
    if (query.words <= kMaxPartWords) AddTogether(text, cutter, add);
  } else {
    AddFts5Words(index, text, cutter, add, &query);
  }
  for (size_t choice = 1; const WordChoices& one : choices) {
    for (size_t i = 0; i < one.terms.size(); i++)
      query.phrases.push_back(ChoiceOf(one, i, choice, &numbers));
    for (const std::string& part : one.parts) {
      WordsPhrase* const phrase = add({part});
      phrase->needs_others = true;
      if (part == one.typed_last) phrase->weight = kTypedLastWeight;
    }
    if (cutter.own() != nullptr) AddTogether(one.typed, cutter, add);
    choice++;
    if (one.terms.empty()) continue;
    query.words++;
    // A title whose language nothing tells has a stem of each.
    query.words_of_column += is_clear ? 1 : std::max<size_t>(one.stems, 1);
  }
  if (cutter.own() != nullptr && query.words <= kMaxPartWords) {
    std::string all;
    for (const int32_t c : DecodePoints(text)) AppendPoint(IsBlankPoint(c) ? ' ' : c, &all);
    // A single letter may become any word.
    for (const WordChoices& choice : choices)
      all += LetterCount(choice.typed) > 1 ? ' ' + choice.typed : "";
    AddOtherForms(all, cutter, add);
  }
  return query;
}

void LeaveOutCommonWords(sqlite3* db, const IndexDefinition& index, LeavingOut leaving_out,
                         PendingRows* pending, WordsQuery* query) {
  KeepRarest(db, index, pending, query);
  std::vector<WordsPhrase>& phrases = query->phrases;
  const bool of_choices_only = leaving_out == LeavingOut::kChoices;
  const bool may_be_all = leaving_out == LeavingOut::kAll;
  if (phrases.size() < 2 && !may_be_all) return;  // the only word
  if (of_choices_only && std::none_of(phrases.begin(), phrases.end(), IsChoice)) return;
  WordSample sample(db, index, pending->words());
  if (sample.is_empty()) return;

  std::set<size_t> left_out;
  std::vector<RowsOfPhrase> parts, choices;
  // there is a word that is not left out; a part of a word does not count as one
  bool has_rarer = false;
  bool are_all_common = true;
  bool is_of_common = false;  // parts that follow are of a word that is left out, or may be
  for (size_t i = 0; i < phrases.size(); i++) {
    WordsPhrase& phrase = phrases[i];
    if (IsChoice(phrase)) {
      has_rarer = true;
      are_all_common = is_of_common = false;
      choices.push_back({sample.RowsOfAll(phrase), i});
    } else if (of_choices_only || !phrase.joins.empty()) {
      continue;
    } else if (phrase.is_part) {
      parts.push_back({sample.RowsOfAll(phrase), i});
      // Of innings the stem is in: rows with its ends are found by these.
      if (phrase.needs_others && is_of_common &&
          parts.back().rows * kRowsForOneWithEnds < sample.table_rows()) {
        phrase.needs_others = false;
        has_rarer = true;
        are_all_common = false;
      }
    } else {
      const auto [is_frequent, have_most, is_left_out] = CommonnessOf(phrase, &sample);
      phrase.is_frequent = is_frequent;
      if (is_left_out) left_out.insert(i);
      query->lacks_words |= is_left_out;
      has_rarer |= !is_left_out;
      is_of_common = is_left_out || (phrase.is_frequent && phrase.is_common);
      are_all_common &= have_most || (phrase.is_frequent && phrase.is_common);
    }
  }
  MarkJoining(&phrases);
  if (may_be_all && are_all_common) {
    phrases.clear();
    return;
  }
  if (!has_rarer) {
    left_out.clear();
    query->lacks_words = false;
  }
  for (size_t i = 0; i < phrases.size(); i++) {
    const auto stays = [&](size_t word) { return !left_out.contains(word); };
    if (!phrases[i].joins.empty() && !AnyJoined(phrases, phrases[i], stays)) left_out.insert(i);
  }
  LeaveOutMoreThan(kMostPartRows, &parts, &left_out);
  LeaveOutMoreThan(kMostChoiceRows, &choices, &left_out);
  // Where nothing is left that finds rows, all is looked for.
  bool finds_rows = false;
  for (size_t i = 0; i < phrases.size(); i++) {
    finds_rows |= !left_out.contains(i) && !phrases[i].needs_others && phrases[i].number != 0;
  }
  if (!finds_rows) return;
  size_t at = 0;
  std::erase_if(phrases, [&](const WordsPhrase&) { return left_out.contains(at++); });
}

}  // namespace s2v
