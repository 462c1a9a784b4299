#include "sql/index_snippets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/search/fusion.h"
#include "core/text/spelled_names.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"
#include "core/vocab/hash.h"

namespace s2v {
namespace {

constexpr size_t kMostEmbedded = 2, kMostSpread = 16;
// A passage whose words are worth so much less than those of the best one is not looked at: its
// similarity cannot make up for it.
constexpr double kMostGain = 0.3;
// What the words of a phrase are worth at least, together: more than a similarity makes up for.
constexpr double kLeastOfPhrase = 0.5;
constexpr size_t kMostPhraseWords = 128;  // as the index looks for phrases
constexpr size_t kWholeLetters = 5;       // of a part of four letters, with its mark
constexpr size_t kMostWordBytes = 32;
// So many words of texts are remembered for the next rows.
constexpr size_t kMostKnownWords = 100000;
// Up to so many bytes before a text's first word, or behind its last one, belong to the passage.
constexpr size_t kMostEdgeBytes = 64;

// Whether a sentence ends in what stands between two words.
bool HasEndOfSentence(std::string_view between) {
  if (between.find_first_of(".!?\n") != between.npos) return true;
  if (IsAscii(between)) return false;
  const std::vector<int32_t> points = DecodePoints(between);
  return std::any_of(points.begin(), points.end(),
                     [](int32_t c) { return EndsSentence(static_cast<uint32_t>(c)); });
}

void AddText(std::string_view text, bool escapes_html, size_t most, std::string* to) {
  const auto add = [&](std::string_view bytes) {
    if (bytes.size() > most - to->size()) throw SqlError(SQLITE_TOOBIG, "string or blob too big");
    *to += bytes;
  };
  if (!escapes_html) return add(text);
  constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  for (const char& c : text) {
    const auto* const escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                            [&](const auto& one) { return one.first == c; });
    add(escape == std::end(kEscapes) ? std::string_view(&c, 1) : escape->second);
  }
}

// The bytes [begin, end) of the text, with marks around the places. Places that overlap, as the
// pairs of a run do, get one pair of marks, and so do those of a phrase. Throws SqlError where the
// result would have more than `most` bytes.
std::string MarkedText(std::string_view text, size_t begin, size_t end,
                       const std::vector<Snippets::Place>& places, const Marks& marks,
                       size_t most) {
  std::string marked;
  size_t at = begin, open = end, close = end;  // [open, close) is to be marked next
  const auto flush = [&] {
    if (open == close) return;
    AddText(text.substr(at, open - at), marks.escapes_html, most, &marked);
    AddText(marks.before, false, most, &marked);
    AddText(text.substr(open, close - open), marks.escapes_html, most, &marked);
    AddText(marks.after, false, most, &marked);
    at = close;
  };
  for (const Snippets::Place& place : places) {
    if (!place.found.word || place.begin < at || place.end > end ||
        (open != close && place.end <= close))
      continue;
    const auto [first, last] = WithWholeClusters(text, place.begin, place.end);
    if (open != close && (first < close || place.continues_phrase)) {
      close = std::max(close, std::min(last, end));
      continue;
    }
    flush();
    open = std::max(first, at);
    close = std::min(last, end);
  }
  flush();
  AddText(text.substr(at, end - at), marks.escapes_html, most, &marked);
  return marked;
}

// Places whose terms follow one another: not of what is within the one before, or has none.
std::vector<size_t> InSequence(const std::vector<Snippets::Place>& places) {
  std::vector<size_t> sequence;
  for (size_t i = 0; i < places.size(); i++) {
    const bool is_within = !sequence.empty() && places[i].end <= places[sequence.back()].end;
    if (!is_within && !places[i].found.has_no_term) sequence.push_back(i);
  }
  return sequence;
}
// The word of the question that it is, not only a part of.
std::optional<size_t> WordAt(const Snippets::Place& place) {
  return place.found.is_part ? std::nullopt : place.found.word;
}

// Leaves of a window, which has words of many bytes, as a picture in base64 is one, the part of
// `most` bytes with most words of the question; one word at least.
void Shorten(const std::vector<Snippets::Place>& places, size_t most, Snippets::Window* window) {
  Snippets::Window best = *window;
  std::ptrdiff_t most_found = -1;
  for (size_t first = window->first; first < window->last; first++) {
    size_t last = first + 1;
    while (last < window->last && places[last].end - places[first].begin <= most) last++;
    const auto found = std::count_if(&places[first], &places[last - 1] + 1, [](const auto& place) {
      return place.found.word.has_value();
    });
    if (found <= most_found) continue;
    most_found = found;
    best.first = first;
    best.last = last;
  }
  *window = best;
}

}  // namespace

class Snippets::Counting {
 public:
  explicit Counting(const std::vector<AskedWord>& asked) : asked_(asked), counts_(asked.size()) {}
  void Add(const Found& found, int times) {
    if (!found.word) return;
    Count& count = counts_[*found.word];
    const double value = asked_[*found.word].value;
    value_ -= count.Share() * value;
    (found.is_part ? count.parts : count.words) += times;
    value_ += count.Share() * value;
  }
  double value() const { return value_; }

 private:
  struct Count {
    int words = 0, parts = 0;
    double Share() const { return words > 0 ? 1 : parts > 0 ? search::kPartWeight : 0; }
  };
  const std::vector<AskedWord>& asked_;
  std::vector<Count> counts_;
  double value_ = 0;
};

Snippets::Snippets(sqlite3* db, const IndexDefinition& index, OpenFiles* files,
                   const IndexQuestion& question, const IndexResult& result)
    : index_(index),
      result_(result),
      most_bytes_(static_cast<size_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1))),
      source_(db, index, files) {
  if (!index.words || !question.text) return;
  cutter_.emplace(db, index);
  AddAsked(result.words_query);
  // Where only common words were asked for, they are marked.
  if (asked_.empty()) AddAsked(MakeWordsQuery(db, index, result.text, result.choices));
  const size_t looked_for = asked_.size();
  for (const std::string& words : result.phrases) {
    AddAsked(MakeWordsQuery(db, index, words));
    // Terms of trigram with a blank are none of the question's, which is cut at blanks.
    RowTerms terms;
    if (!cutter_->is_ours()) cutter_->AddColumn(words, &terms);
    for (size_t i = 0; i < terms.size(); i++) {
      if (by_term_.emplace(HashWord(terms[i]), asked_.size()).second) asked_.emplace_back();
    }
  }
  for (size_t i = looked_for; i < asked_.size(); i++) asked_[i].is_left_out = true;
  if (cutter_->is_ours()) AddWordsOf(result.text);
  double sum = 0;
  for (const AskedWord& word : asked_) sum += word.value;
  for (AskedWord& word : asked_)
    word.value = sum > 0 ? word.value / sum : 1 / static_cast<double>(asked_.size());
  AddPhrases();
  // A single character of a script without blanks, which may begin a word, is found within runs as
  // well.
  for (const WordChoices& choices : result.choices) {
    for (const WordChoices::Term& one : choices.terms) {
      const Found found = FindTerm(one.term);
      if (found.word) asked_[*found.word].is_of_phrases = false;
      if (IsPart(one.term) && found.word) by_part_[HashWord(one.term)].push_back(*found.word);
    }
  }
}

std::string_view Snippets::PlainText(std::string_view text, std::string* scratch) {
  if (index_.passages > 0) return text;  // it is plain already
  if (cutter_ && cutter_->is_ours()) return cutter_->own()->PlainText(text, scratch);
  return result_.model_hash.empty() || !source_.embedder().HasModel()
             ? text
             : source_.embedder().Model().info().shape.tokenizer->PlainText(text, scratch);
}

void Snippets::AddAsked(const WordsQuery& query) {
  size_t choice = 0;
  for (const WordsPhrase& phrase : query.phrases) {
    if (phrase.is_part || phrase.is_repeated) continue;
    if (phrase.terms.size() > 1 && phrase.choice > 0) continue;  // so is each of them alone
    // What stands together is asked for word by word as well.
    const auto is_asked = [&](uint64_t term) { return by_term_.contains(term); };
    if (phrase.terms.size() > 1 &&
        std::all_of(phrase.terms.begin(), phrase.terms.end(), is_asked)) {
      for (const uint64_t term : phrase.terms)
        asked_[by_term_[term]].value += phrase.share / static_cast<double>(phrase.terms.size());
      continue;
    }
    std::optional<size_t> word;
    if (phrase.is_other_form) word = FindAny(phrase.joins);
    if (!word) {
      if (phrase.choice == 0 || phrase.choice != choice) asked_.push_back({.value = phrase.share});
      choice = phrase.choice;
      word = asked_.size() - 1;
    }
    // That of 50 x 70 stands elsewhere too.
    static const uint64_t kSigns[] = {HashWord("x"), HashWord("\u00D7")};
    for (const uint64_t term : phrase.terms) {
      const bool is_sign = phrase.terms.size() > 1 && (term == kSigns[0] || term == kSigns[1]);
      if (!is_sign) by_term_.emplace(term, *word);
    }
  }
}

std::optional<size_t> Snippets::FindAny(std::span<const uint64_t> terms) const {
  for (const uint64_t term : terms) {
    if (const auto found = by_term_.find(term); found != by_term_.end()) return found->second;
  }
  return std::nullopt;
}

void Snippets::AddWordsOf(std::string_view question) {
  const bool has_languages = own().name().find('+') != std::string::npos;
  std::vector<bool> is_merged(asked_.size());
  for (const WordPlace& word : FindWords(question, cutter_->reading())) {
    const std::string_view text = question.substr(word.begin, word.end - word.begin);
    // In a script without blanks, a longer run is found by its pairs, which are terms.
    if (word.is_run && CharacterPlaces(text).size() > 2) continue;
    own().CutTerms(text, cutter_->with_parts(), &tokens_);
    std::optional<size_t> word_of;
    size_t parts = 0;
    for (size_t i = 0; i < tokens_.size(); i++) {
      parts += IsPart(tokens_[i]);
      const std::optional<size_t> stem = FindTerm(tokens_[i]).word;
      if (!word_of) word_of = stem;
      if (!stem || stem == word_of || !has_languages || is_merged[*stem]) continue;
      // Its stem in another language. One that no row has is worth nothing; of two the commoner one
      // tells how rare the word is.
      AskedWord& one = asked_[*word_of];
      const double other = std::exchange(asked_[*stem].value, 0.0);
      one.value =
          one.value > 0 && other > 0 ? std::min(one.value, other) : std::max(one.value, other);
      is_merged[*stem] = true;
      by_term_[HashWord(tokens_[i])] = *word_of;
    }
    if (!word_of || asked_[*word_of].parts > 0) continue;
    for (size_t i = 0; i < tokens_.size(); i++) {
      // Beside the others, the word with its accents: a compound cannot have that.
      const bool is_accented = parts > 1 && tokens_[i].starts_with(std::string{kPartMark, '<'}) &&
                               tokens_[i].ends_with('>') &&
                               CharacterCount(tokens_[i]) > kWholeLetters;
      if (!IsPart(tokens_[i]) || is_accented) continue;
      asked_[*word_of].parts++;
      by_part_[HashWord(tokens_[i])].push_back(*word_of);
    }
  }
}

void Snippets::AddPhrases() {
  for (const std::string& words : result_.phrases) {
    const std::vector<Place> places = PlacesOf(words);
    std::vector<std::optional<size_t>> phrase;
    for (const size_t i : InSequence(places)) {
      if (phrase.size() < kMostPhraseWords) phrase.push_back(WordAt(places[i]));
    }
    if (phrase.size() > 1) phrases_.push_back(std::move(phrase));
  }
  if (phrases_.empty()) return;
  std::vector<int> outside(asked_.size());  // of phrases
  for (const Place& place : PlacesOf(result_.text)) {
    if (const auto word = WordAt(place)) outside[*word]++;
  }
  for (const auto& phrase : phrases_) {
    for (const auto& word : phrase) {
      if (!word) continue;
      AskedWord& asked = asked_[*word];
      asked.is_of_phrases = --outside[*word] <= 0;
      asked.value = std::max(asked.value, kLeastOfPhrase / static_cast<double>(phrase.size()));
    }
  }
  std::sort(phrases_.begin(), phrases_.end());
  phrases_.erase(std::unique(phrases_.begin(), phrases_.end()), phrases_.end());
}

Snippets::Found Snippets::FindTerm(std::string_view term) const {
  const auto found = by_term_.find(HashWord(term));
  return found == by_term_.end() ? Found{} : Found{found->second, false};
}

Snippets::Found Snippets::FindWord(std::string_view word) {
  if (known_.size() == kMostKnownWords) known_.clear();
  const auto [known, is_new] = known_.try_emplace(HashWord(word));
  if (!is_new) return known->second;
  own().CutTerms(word, cutter_->with_parts(), &tokens_);
  Found found;
  found.has_no_term = tokens_.size() == 0;
  std::map<size_t, size_t> parts;  // how many the word has of each word of the question
  for (size_t i = 0; i < tokens_.size() && !found.word; i++) {
    if (!IsPart(tokens_[i])) {
      found = FindTerm(tokens_[i]);
    } else if (const auto of = by_part_.find(HashWord(tokens_[i])); of != by_part_.end()) {
      for (const size_t asked : of->second) parts[asked]++;
    }
  }
  for (const auto& [asked, count] : parts) {  // of several the first
    const bool is_most = count * 2 > asked_[asked].parts;
    if (!found.word && is_most) found = {asked, /*is_part=*/true};
  }
  return known->second = found;
}

// A tokenizer cuts a run into characters, into pairs of them, or leaves it whole.
void Snippets::AddRun(std::string_view run, size_t begin, std::vector<Place>* places) {
  const std::vector<size_t> at = CharacterPlaces(run);
  const size_t count = at.size() - 1;
  own().CutTerms(run, /*with_parts=*/false, &tokens_);
  const size_t terms = std::min(tokens_.size(), count), size = count - terms + 1;
  for (size_t i = 0; i < count; i++) {
    if (i < terms) places->push_back({begin + at[i], begin + at[i + size], FindTerm(tokens_[i])});
    if (by_part_.empty()) continue;
    const std::string part = kPartMark + std::string(run.substr(at[i], at[i + 1] - at[i]));
    const auto of = by_part_.find(HashWord(part));
    if (of == by_part_.end()) continue;
    places->push_back({begin + at[i], begin + at[i + 1], {of->second[0], /*is_part=*/true}});
  }
}

// Of two words with a hyphen between them, which may be a word of the question together, as e-mail
// is email: one place.
void Snippets::FindJoined(std::string_view text, std::vector<Place>* places) {
  for (size_t i = 1; i < places->size(); i++) {
    Place &first = (*places)[i - 1], &second = (*places)[i];
    if (first.found.word || second.found.word) continue;
    const auto is_joined = [&](size_t at) {  // to the word before it
      const size_t before = (*places)[at - 1].end;
      return IsHyphen(text.substr(before, (*places)[at].begin - before));
    };
    if (!is_joined(i) || (i > 1 && is_joined(i - 1)) ||
        (i + 1 < places->size() && is_joined(i + 1)))
      continue;
    first.found = FindWord(text.substr(first.begin, second.end - first.begin));
    if (first.found.word) first.end = second.end;
  }
}

std::vector<Snippets::Place> Snippets::PlacesOf(std::string_view text) {
  std::vector<Place> places;
  if (cutter_ && !cutter_->is_ours()) {
    RowTerms terms;
    std::vector<WordPlace> at;
    cutter_->AddColumn(text, &terms, /*is_question=*/false, &at);
    for (size_t i = 0; i < at.size(); i++) {
      places.push_back({at[i].begin, at[i].end, FindTerm(terms[i])});
    }
    return places;
  }
  for (const WordPlace& word :
       FindWords(text, cutter_ ? cutter_->reading()
                               : ReadingRules{.parts_scripts = true, .parts_times = true})) {
    const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
    if (word.is_run && cutter_) {
      AddRun(bytes, word.begin, &places);
    } else {
      places.push_back({word.begin, word.end, asked_.empty() ? Found{} : FindWord(bytes)});
    }
  }
  if (cutter_ && cutter_->is_english() && !asked_.empty()) FindJoined(text, &places);
  return places;
}

bool Snippets::MarkPhrases(std::vector<Place>* places) const {
  if (phrases_.empty()) return false;
  const std::vector<size_t> sequence = InSequence(*places);
  const auto is_word = [&](const auto& word, size_t i) { return word == WordAt((*places)[i]); };
  bool has_phrase = false;
  for (size_t at = 0; at < sequence.size(); at++) {
    for (const auto& phrase : phrases_) {
      if (phrase.size() > sequence.size() - at ||
          !std::equal(phrase.begin(), phrase.end(), &sequence[at], is_word))
        continue;
      has_phrase = true;
      for (size_t i = sequence[at]; i <= sequence[at + phrase.size() - 1]; i++) {
        (*places)[i].is_in_phrase = true;
        (*places)[i].continues_phrase |= i > sequence[at];
      }
    }
  }
  return has_phrase;
}

std::vector<Snippets::ColumnText> Snippets::TextsOf(const SourceRow& row, int64_t column) {
  std::vector<ColumnText> texts;
  bool has_phrase = false;  // in any column
  for (size_t i = 0; i < row.columns.size(); i++) {
    const bool is_asked = column == kAnyColumn || static_cast<size_t>(column) == i;
    if (!is_asked && (phrases_.empty() || has_phrase)) continue;
    std::string plain;
    const std::string_view text = PlainText(row.ColumnText(i), &plain);
    std::vector<Place> places = PlacesOf(text);
    has_phrase |= MarkPhrases(&places);
    if (is_asked) texts.push_back({i, std::string(text), std::move(places)});
  }
  for (ColumnText& one : texts) {
    for (Place& place : one.places) {
      if (!place.found.word || place.is_in_phrase) continue;
      const AskedWord& word = asked_[*place.found.word];
      if (word.is_left_out || (word.is_of_phrases && has_phrase)) place.found = {};
    }
  }
  return texts;
}

std::vector<Snippets::Window> Snippets::Windows(std::string_view text,
                                                const std::vector<Place>& places,
                                                size_t words) const {
  const size_t count = places.size(), last_start = count - std::min(words, count);
  std::vector<Window> windows;
  Counting counting(asked_);
  size_t end = 0;
  double most = 0;
  for (size_t start = 0; start < count; start++) {
    for (; end < std::min(count, start + words); end++) counting.Add(places[end].found, 1);
    const size_t before = start == 0 ? 0 : places[start - 1].end;
    const bool is_sentence =
        start == 0 || (before <= places[start].begin && !places[start].continues_phrase &&
                       HasEndOfSentence(text.substr(before, places[start].begin - before)));
    const size_t ahead = start + words / 4;
    const bool is_before_word = ahead < count && places[ahead].found.word;
    const bool is_short = start > last_start + words / 2;
    if ((is_sentence && !is_short) || (is_before_word && start <= last_start) ||
        start == last_start) {
      // Of two windows with the same value the one that begins a sentence is better, then the first
      // one.
      windows.push_back({counting.value() + (is_sentence ? 0.01 : 0), start, end});
    }
    most = std::max(most, counting.value());
    counting.Add(places[start].found, -1);
  }
  if (most > 1e-9) {
    std::stable_sort(windows.begin(), windows.end(),
                     [](const Window& a, const Window& b) { return a.value > b.value; });
    return windows;
  }
  windows.clear();
  const size_t step = std::max(words, count / kMostSpread);
  for (size_t start = 0; start < count; start += step) {
    const size_t first = std::min(start, last_start);  // the last one is as long as the others
    windows.push_back({0, first, std::min(count, first + words)});
  }
  return windows;
}

std::vector<Snippets::Window> Snippets::Candidates(std::vector<Window> windows, size_t words) {
  std::vector<Window> kept;
  const bool has_words = windows[0].value > 0;
  for (const Window& window : windows) {
    if (kept.size() == (has_words ? kMostEmbedded : kMostSpread + 1)) break;
    if (window.value + kMostGain < windows[0].value) break;
    const auto is_near = [&](const Window& other) {
      return std::max(window.first, other.first) - std::min(window.first, other.first) < words / 2;
    };
    if (std::none_of(kept.begin(), kept.end(), is_near)) kept.push_back(window);
  }
  return kept;
}

Snippets::Window Snippets::BestWindow(const ColumnText& of, size_t words, bool is_compared) {
  const std::string_view text = of.text;
  const std::vector<Place>& places = of.places;
  std::vector<Window> windows = Candidates(Windows(text, places, words), words);
  if (result_.model_hash.empty() || (windows.size() == 1 && !is_compared)) return windows[0];
  // Since the question was asked another model may have got the name, or the model may be gone.
  if (!source_.embedder().HasModel() ||
      source_.embedder().Model().info().hash != result_.model_hash)
    return windows[0];
  for (Window& window : windows) {
    const size_t begin = places[window.first].begin, end = places[window.last - 1].end;
    if (const float* vector = source_.embedder().Embed(text.substr(begin, end - begin))) {
      window.value += simd::BestKernels().dot(result_.vector.data(), vector, result_.vector.size());
    }
  }
  return *std::max_element(windows.begin(), windows.end(),
                           [](const Window& a, const Window& b) { return a.value < b.value; });
}

Snippets::Chosen Snippets::Choose(const SourceRow& row, int64_t column, size_t words) {
  Chosen chosen{.of = {}, .window = {.value = -3}};
  for (ColumnText& one : TextsOf(row, column)) {
    const bool has_words = !one.places.empty(), is_first = chosen.of.text.empty();
    if (!has_words && (one.text.empty() || !is_first)) continue;
    const Window window =
        has_words ? BestWindow(one, words, column == kAnyColumn) : Window{.value = -2};
    if (is_first || window.value > chosen.window.value) chosen = {std::move(one), window};
  }
  return chosen;
}

std::optional<std::string> Snippets::Snippet(const IndexAnswer& answer, int64_t column,
                                             const Marks& marks, std::string_view ellipsis,
                                             size_t words) {
  const SourceRow* row = Row(answer);
  if (row == nullptr) return std::nullopt;
  auto [of, best] = Choose(*row, column, words);
  const std::string& text = of.text;
  const std::vector<Place>& places = of.places;
  if (text.empty()) return std::nullopt;
  size_t begin = 0, end = std::min(text.size(), kMostWordBytes * words);
  if (!places.empty()) {
    const size_t most = kMostWordBytes * words;
    if (places[best.last - 1].end - places[best.first].begin > most) Shorten(places, most, &best);
    begin = places[best.first].begin;
    end = places[best.last - 1].end;
    const bool is_cut = places[best.first].end - begin > most;
    if (is_cut) end = begin + most;
    if (best.first == 0 && begin <= kMostEdgeBytes) begin = 0;
    if (best.last == places.size() && !is_cut && text.size() - end <= kMostEdgeBytes)
      end = text.size();
  }
  if (end > begin)
    std::tie(begin, end) = WithWholeClusters(text, begin, WholeCharacters(text, end));
  return std::string(begin > 0 ? ellipsis : "") +
         MarkedText(text, begin, end, places, marks, most_bytes_) +
         std::string(end < text.size() ? ellipsis : "");
}

// With passages what is marked and cut is the best part alone.
const SourceRow* Snippets::Row(const IndexAnswer& answer) {
  source_.DoubtRow();
  return source_.Part(answer.rowid, answer.part);
}

std::optional<Snippets::Passage> Snippets::BestPassage(const IndexAnswer& answer) {
  const SourceRow* row = index_.passages == 0 ? nullptr : Row(answer);
  if (row == nullptr) return std::nullopt;
  const RowParts& parts = *source_.Parts(answer.rowid);
  const RowParts::Piece piece =
      parts.is_whole() ? parts.WholeColumn(Choose(*row, kAnyColumn, kDefaultWords).of.column)
                       : parts.piece(answer.part);
  return Passage{std::string(parts.PieceText(piece)),
                 static_cast<int64_t>(parts.CharactersBefore(piece)) + 1,
                 index_.TextColumns()[piece.column]};
}

std::optional<std::string> Snippets::Highlight(const IndexAnswer& answer, size_t column,
                                               const Marks& marks) {
  const SourceRow* row = Row(answer);
  if (row == nullptr) return std::nullopt;
  const ColumnText one = std::move(TextsOf(*row, static_cast<int64_t>(column))[0]);
  if (one.text.empty()) return std::nullopt;
  return MarkedText(one.text, 0, one.text.size(), one.places, marks, most_bytes_);
}

}  // namespace s2v
