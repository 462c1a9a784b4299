#include "sql/index_snippets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/search/fusion.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

using Place = MarkedWords::Place;
using Window = Snippets::Window;

constexpr size_t kMostEmbedded = 2, kMostSpread = 16;
// A passage whose words are worth so much less than those of the best one is not looked at: its
// similarity cannot make up for it.
constexpr double kMostGain = 0.3;
constexpr size_t kMostWordBytes = 32;
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
                       const std::vector<Place>& places, const Marks& marks, size_t most) {
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
  for (const Place& place : places) {
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

// Leaves of a window, which has words of many bytes, as a picture in base64 is one, the part of
// `most` bytes with most words of the question; one word at least.
void Shorten(const std::vector<Place>& places, size_t most, Window* window) {
  Window best = *window;
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

// The words of the question in a window that moves.
class MovingWindow {
 public:
  explicit MovingWindow(const MarkedWords& words) : words_(words), counts_(words.size()) {}
  void Add(const MarkedWords::Found& found, int times) {
    if (!found.word) return;
    Count& count = counts_[*found.word];
    const double value = words_.value(*found.word);
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
  const MarkedWords& words_;
  std::vector<Count> counts_;
  double value_ = 0;
};

std::vector<Window> Windows(std::string_view text, const std::vector<Place>& places, size_t words,
                            const MarkedWords& asked) {
  const size_t count = places.size(), last_start = count - std::min(words, count);
  std::vector<Window> windows;
  MovingWindow moving(asked);
  size_t end = 0;
  double most = 0;
  for (size_t start = 0; start < count; start++) {
    for (; end < std::min(count, start + words); end++) moving.Add(places[end].found, 1);
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
      windows.push_back({moving.value() + (is_sentence ? 0.01 : 0), start, end});
    }
    most = std::max(most, moving.value());
    moving.Add(places[start].found, -1);
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

// Those whose similarity is to decide: apart from each other, the best first.
std::vector<Window> Candidates(std::vector<Window> windows, size_t words) {
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

}  // namespace

Snippets::Snippets(sqlite3* db, const IndexDefinition& index, OpenFiles* files,
                   const IndexQuestion& question, const IndexResult& result)
    : index_(index),
      result_(result),
      most_bytes_(static_cast<size_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1))),
      source_(db, index, files),
      words_(db, index, question, result) {}

std::string_view Snippets::PlainText(std::string_view text, std::string* scratch) {
  if (index_.passages > 0) return text;  // it is plain already
  const TermCutter* cutter = words_.cutter();
  if (cutter != nullptr && cutter->is_ours()) return cutter->own()->PlainText(text, scratch);
  return result_.model_hash.empty() || !source_.embedder().HasModel()
             ? text
             : source_.embedder().Model().info().shape.tokenizer->PlainText(text, scratch);
}

std::vector<Snippets::ColumnText> Snippets::TextsOf(const SourceRow& row, int64_t column) {
  std::vector<ColumnText> texts;
  bool has_phrase = false;  // in any column
  for (size_t i = 0; i < row.columns.size(); i++) {
    const bool is_asked = column == kAnyColumn || static_cast<size_t>(column) == i;
    if (!is_asked && (!words_.has_phrases() || has_phrase)) continue;
    std::string plain;
    const std::string_view text = PlainText(row.ColumnText(i), &plain);
    std::vector<Place> places = words_.PlacesOf(text);
    has_phrase |= words_.MarkPhrases(&places);
    if (is_asked) texts.push_back({i, std::string(text), std::move(places)});
  }
  for (ColumnText& one : texts) words_.LeaveOut(has_phrase, &one.places);
  return texts;
}

Snippets::Window Snippets::BestWindow(const ColumnText& of, size_t words, bool is_compared) {
  const std::string_view text = of.text;
  const std::vector<Place>& places = of.places;
  std::vector<Window> windows = Candidates(Windows(text, places, words, words_), words);
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

Snippets::ColumnText Snippets::Choose(const SourceRow& row, int64_t column, size_t words) {
  ColumnText chosen;
  for (ColumnText& one : TextsOf(row, column)) {
    const bool has_words = !one.places.empty(), is_first = chosen.text.empty();
    if (!has_words && (one.text.empty() || !is_first)) continue;
    if (has_words) one.best = BestWindow(one, words, column == kAnyColumn);
    if (is_first || one.best.value > chosen.best.value) chosen = std::move(one);
  }
  return chosen;
}

std::optional<std::string> Snippets::Snippet(const IndexAnswer& answer, int64_t column,
                                             const Marks& marks, std::string_view ellipsis,
                                             size_t words) {
  const SourceRow* row = Row(answer);
  if (row == nullptr) return std::nullopt;
  auto [_, text, places, best] = Choose(*row, column, words);
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
      parts.is_whole() ? parts.WholeColumn(Choose(*row, kAnyColumn, kDefaultWords).column)
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
