#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "core/train/whitening.h"
#include "ext/cli/report.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr uint64_t kPoints = 2000, kFrequentPoints = 200;
constexpr size_t kMapWords = 150, kLetters = 4;
constexpr size_t kWords = 10, kRows = 5, kNearestWords = 8, kNearestRows = 4;
constexpr size_t kShownBytes = 240;  // of a row's text

// Whether a word is letters alone, at least kLetters; what is not ASCII counts as a letter.
bool IsLongWord(std::string_view word) {
  size_t letters = 0;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool ascii_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if (byte < 0x80 && !ascii_letter) return false;
    letters += (byte & 0xc0) != 0x80;
  }
  return letters >= kLetters;
}

std::string Shortened(const std::string& text) {
  if (text.size() <= kShownBytes) return text;
  size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) end--;
  return text.substr(0, end) + "…";
}

// label: a word's count, a row's rowid; "" where there is none.
struct Neighbour {
  std::string text;
  double cosine = 0;
  std::string label = {};
};

struct Neighbours {
  std::string text, label;
  std::vector<Neighbour> near;  // nearest first
};

std::string NeighboursJson(const std::vector<Neighbours>& all) {
  return JsonList(all, [](const Neighbours& one) {
    const std::string near = JsonList(one.near, [](const Neighbour& other) {
      return JsonObject()
          .Add("text", other.text)
          .Add("label", other.label)
          .Add("cosine", other.cosine)
          .Text();
    });
    return JsonObject().Add("text", one.text).Add("label", one.label).AddJson("near", near).Text();
  });
}

// A word at a place, if that is finite.
void AddPoint(std::string_view word, double x, double y, std::vector<std::string>* points) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  points->push_back("[" + JsonString(word) + "," + NumberText(x) + "," + NumberText(y) + "]");
}

// Keeps the nearest few.
void Offer(std::vector<Neighbour>* nearest, size_t most, std::string_view text, double cosine) {
  if (!std::isfinite(cosine)) return;
  if (nearest->size() == most && cosine <= nearest->back().cosine) return;
  const auto place = std::find_if(nearest->begin(), nearest->end(),
                                  [&](const auto& other) { return other.cosine < cosine; });
  nearest->insert(place, {std::string(text), cosine});
  if (nearest->size() > most) nearest->pop_back();
}

// Gives each the rowid of the first row with its text, where the table has rowids, and makes long
// texts short. Reads the table once.
void LabelRows(sqlite3* db, const CorpusOrigin& origin, std::vector<Neighbours>* rows) {
  const SentenceTable table(db, origin.table, origin.column, origin.where);
  std::unordered_map<std::string, std::string> labels;
  for (const Neighbours& row : *rows) {
    labels[row.text];
    for (const auto& near : row.near) labels[near.text];
  }
  if (!table.RowidName().empty()) {
    const std::string schema = table.schema().empty() ? "" : QuoteName(table.schema()) + ".";
    Statement select(db, "SELECT " + table.RowidName() + ", " + QuoteName(origin.column) +
                             " FROM " + schema + QuoteName(table.name()));
    while (select.Step()) {
      const auto found = labels.find(std::string(select.Text(1)));
      if (found != labels.end() && found->second.empty()) {
        found->second = "rowid " + std::to_string(select.Int(0));
      }
    }
  }
  for (Neighbours& row : *rows) {
    row.label = labels[row.text];
    row.text = Shortened(row.text);
    for (auto& near : row.near) {
      near.label = labels[near.text];
      near.text = Shortened(near.text);
    }
  }
}

struct Chosen {
  uint64_t id;
  std::vector<float> vector;  // [dimension] of length 1
  Neighbours neighbours;
};

// The map: the words with their places, which are their vectors [words, dimension], centred here, on their
// two main directions. Those places follow from the eigenvectors of the products of each two.
void AddMap(const std::vector<std::string>& names, std::vector<float> vectors, uint32_t dimension,
            const simd::Kernels& kernels, JsonObject* report) {
  const size_t words = names.size();
  std::vector<double> mean(dimension);
  for (size_t i = 0; i < vectors.size(); i++) {
    mean[i % dimension] += vectors[i] / static_cast<double>(words);
  }
  for (size_t i = 0; i < vectors.size(); i++) {
    vectors[i] -= static_cast<float>(mean[i % dimension]);
  }
  std::vector<double> products(words * words);
  for (size_t i = 0; i < products.size(); i++) {
    products[i] =
        kernels.dot(&vectors[i / words * dimension], &vectors[i % words * dimension], dimension);
  }
  const std::vector<double> values = Eigen(&products, words);
  std::vector<size_t> order(words);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] > values[b]; });
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  double carried = 0;
  std::vector<double> places[2] = {std::vector<double>(words), std::vector<double>(words)};
  for (size_t axis = 0; axis < std::min<size_t>(words, 2); axis++) {
    const double value = values[order[axis]];
    carried += value;
    for (size_t i = 0; i < words; i++) {
      places[axis][i] = std::sqrt(value) * products[order[axis] * words + i];
    }
  }
  std::vector<std::string> points;
  for (size_t i = 0; i < words; i++) AddPoint(names[i], places[0][i], places[1][i], &points);
  report->AddJson("map", JsonList(points)).Add("map_share", total > 0 ? carried / total : 0);
}

// The first reading: points, the words of the map, the words whose neighbours are looked for.
class FirstReading {
 public:
  FirstReading(const ModelInfo& info, const simd::Kernels& kernels)
      : info_(info), k_(kernels), vector_(info.shape.dimension) {}

  void Visit(const StoredWord& word) {
    vector_.assign(word.vector, word.vector + vector_.size());
    const double norm = std::sqrt(k_.dot(vector_.data(), vector_.data(), vector_.size()));
    if (IsPoint()) {
      const double frequency = static_cast<double>(word.count) / static_cast<double>(info_.tokens);
      AddPoint(word.word, std::log10(frequency), norm, &points_);
    }
    if (IsLongWord(word.word)) VisitLong(word);
    id_++;
  }
  std::vector<Chosen>* chosen() { return &chosen_; }
  void Finish(JsonObject* report) {
    report->AddJson("points", JsonList(points_));
    AddMap(map_words_, std::move(map_), info_.shape.dimension, k_, report);
  }

 private:
  // Whether the word id_ is drawn: the most frequent, and of the others evenly by rank.
  bool IsPoint() const {
    const auto words = static_cast<uint64_t>(info_.words);
    if (words <= kPoints || id_ < kFrequentPoints) return true;
    const uint64_t rest = words - kFrequentPoints, drawn = kPoints - kFrequentPoints,
                   i = id_ - kFrequentPoints;
    return (i + 1) * drawn / rest > i * drawn / rest;
  }
  // Ranks with equal steps of their logarithm, from the frequent to the rare.
  uint64_t NextRank() const {
    const double share = (static_cast<double>(chosen_.size()) + 1) / (kWords + 1);
    return static_cast<uint64_t>(std::pow(static_cast<double>(info_.words), share)) - 1;
  }
  void VisitLong(const StoredWord& word) {
    // Directions are what is compared, so lengths do not stretch the map.
    if (!Normalize(vector_.data(), info_.shape.dimension, k_)) return;
    if (map_words_.size() < kMapWords) {
      map_words_.emplace_back(word.word);
      map_.insert(map_.end(), vector_.begin(), vector_.end());
    }
    if (chosen_.size() == kWords || id_ < NextRank()) return;
    chosen_.push_back({id_, vector_, {std::string(word.word), std::to_string(word.count), {}}});
  }

  const ModelInfo& info_;
  const simd::Kernels& k_;
  uint64_t id_ = 0;
  std::vector<float> vector_;
  std::vector<std::string> points_, map_words_;  // points: JSON
  std::vector<float> map_;                       // [map words, dimension]
  std::vector<Chosen> chosen_;
};

}  // namespace

void AddWords(sqlite3* db, const ModelInfo& info, const simd::Kernels& kernels,
              JsonObject* report) {
  FirstReading first(info, kernels);
  ForEachWord(db, info, [&](const StoredWord& word) { first.Visit(word); });
  first.Finish(report);
  std::vector<Chosen>& chosen = *first.chosen();
  const uint32_t dimension = info.shape.dimension;
  std::vector<float> vector(dimension);
  uint64_t id = 0;
  ForEachWord(db, info, [&](const StoredWord& word) {
    const uint64_t at = id++;
    vector.assign(word.vector, word.vector + dimension);
    if (!Normalize(vector.data(), dimension, kernels)) return;
    for (Chosen& one : chosen) {
      if (one.id == at) continue;
      Offer(&one.neighbours.near, kNearestWords, word.word,
            kernels.dot(one.vector.data(), vector.data(), dimension));
    }
  });
  std::vector<Neighbours> neighbours;
  for (Chosen& one : chosen) neighbours.push_back(std::move(one.neighbours));
  report->Add("words", info.words).AddJson("word_neighbours", NeighboursJson(neighbours));
}

std::string NearestRows(sqlite3* db, const CorpusOrigin& origin, std::span<const std::string> texts,
                        Embedder* embedder, const simd::Kernels& kernels) {
  const uint32_t dimension = embedder->dimension();
  std::vector<std::string_view> known;
  std::vector<float> vectors, vector(dimension);  // [known, dimension]
  std::unordered_set<std::string_view> seen;
  for (const std::string& text : texts) {
    if (!seen.insert(text).second || !embedder->EmbedUnit(text, vector.data())) continue;
    known.push_back(text);
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  std::vector<Neighbours> rows;
  const size_t count = std::min(kRows, known.size());
  for (size_t i = 0; i < count; i++) {
    const size_t row = i * known.size() / count;
    Neighbours neighbours{std::string(known[row]), "", {}};
    for (size_t other = 0; other < known.size(); other++) {
      if (other == row) continue;
      Offer(&neighbours.near, kNearestRows, known[other],
            kernels.dot(&vectors[row * dimension], &vectors[other * dimension], dimension));
    }
    rows.push_back(std::move(neighbours));
  }
  LabelRows(db, origin, &rows);
  return NeighboursJson(rows);
}

}  // namespace s2v
