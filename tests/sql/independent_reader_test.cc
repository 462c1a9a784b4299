// A second reader of the stored form, written from the comments of sql/schema.sql alone and sharing
// no code with sql/: it holds the code to the text. A change that breaks it is a new format
// version.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/vocab/hash.h"  // XXH3 itself
#include "tests/sql/trained.h"

namespace s2v {
namespace {

using namespace testing;

std::string Little(uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; i++) text += static_cast<char>(number >> (8 * i));
  return text;
}
uint64_t Number(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}
int64_t Xxh(const std::string& bytes, uint64_t seed) {
  return static_cast<int64_t>(XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed));
}

// A whole model, checked while it is read.
struct SecondReader {
  std::map<std::string, std::string> words;  // word -> vector
  std::map<uint32_t, std::string> ngrams;    // bucket -> vector

  explicit SecondReader(Database* database) : db(*database) {
    ReadModelRow();
    ReadRows();
    CheckHash();
    CheckWordDirectory();
    CheckNgramDirectory();
  }

  Database& db;
  uint64_t seed = 0;
  int64_t id = 0;
  std::string parameters, hash;
  std::string element;
  uint64_t tokens = 0, dimension = 0, vector_bytes = 0;
  double smoothing = -1, unknown_norm = -1;
  std::vector<std::string> word_rows, word_counts, word_vectors, target_vectors;
  std::vector<float> word_bursts;
  std::vector<uint32_t> buckets;
  std::vector<std::string> ngram_counts;

  void ReadModelRow() {
    db.Exec(
        "SELECT version, compatible_version, dimension, element, tokenizer, tokenizer_version, "
        "ngram_order, words, ngrams, targets, smoothing, unknown_norm, tokens, texts, sentences, "
        "corpus, parameters, choices, losses, library, created, hash FROM s2v_model");
    std::string all;
    for (const std::string& value : db.rows()) all += value + std::string(1, '\0');
    CHECK(db.rows().size() == 22);
    CHECK(db.rows()[0] == "6");
    CHECK(db.rows()[1] == "6");
    element = db.rows()[3];
    dimension = std::stoull(db.rows()[2]);
    vector_bytes = element == "int8" ? 4 + dimension : 4 * dimension;
    smoothing = std::stod(db.rows()[10]);
    unknown_norm = std::stod(db.rows()[11]);
    tokens = std::stoull(db.rows()[12]);
    parameters = db.rows()[16];
    hash = db.rows()[21];
    CHECK(db.Int("SELECT checksum FROM s2v_model") == Xxh(all, 0));
    id = db.Int("SELECT id FROM s2v_model");
    REQUIRE(hash.size() == 32);
    std::string first;
    for (size_t i = 0; i < 8; i++)
      first += static_cast<char>(std::stoi(hash.substr(2 * i, 2), nullptr, 16));
    seed = Number(first);
  }

  void ReadRows() {
    db.Exec("SELECT key, word, count, vector, checksum, burst FROM s2v_word ORDER BY key");
    for (size_t i = 0; i < db.rows().size(); i += 6) {
      const std::string* row = &db.rows()[i];
      const uint64_t index = i / 6;
      word_bursts.push_back(std::stof(row[5]));
      CHECK(std::stoll(row[0]) == (id << 32 | static_cast<int64_t>(index)));
      CHECK(row[3].size() == vector_bytes);
      CHECK(std::stoll(row[4]) ==
            Xxh(row[3] + Little(std::stoull(row[2]), 8) + row[1] + Bytes(word_bursts.back()),
                seed ^ index));
      word_rows.push_back(row[1]);
      word_counts.push_back(row[2]);
      word_vectors.push_back(row[3]);
      words[row[1]] = row[3];
      if (index > 0) CHECK(std::stoull(row[2]) <= std::stoull(word_counts[index - 1]));
    }
    db.Exec("SELECT key, count, vector, checksum FROM s2v_ngram ORDER BY key");
    for (size_t i = 0; i < db.rows().size(); i += 4) {
      const std::string* row = &db.rows()[i];
      const auto bucket = static_cast<uint32_t>(std::stoll(row[0]) - (id << 32));
      CHECK(std::stoll(row[3]) == Xxh(row[2] + Little(std::stoull(row[1]), 8), seed ^ bucket));
      CHECK(row[2].size() == vector_bytes);
      CHECK(bucket < 2000000);
      buckets.push_back(bucket);
      ngram_counts.push_back(row[1]);
      ngrams[bucket] = row[2];
    }
    db.Exec("SELECT key, vector, checksum FROM s2v_target ORDER BY key");
    for (size_t i = 0; i < db.rows().size(); i += 3) {
      const std::string* row = &db.rows()[i];
      CHECK(std::stoll(row[0]) == (id << 32 | static_cast<int64_t>(i / 3)));
      CHECK(std::stoll(row[2]) == Xxh(row[1], seed ^ (i / 3)));
      target_vectors.push_back(row[1]);
    }
    db.Exec("SELECT words, ngrams, targets FROM s2v_model");
    CHECK(db.rows()[0] == std::to_string(word_rows.size()));
    CHECK(db.rows()[1] == std::to_string(buckets.size()));
    CHECK(db.rows()[2] == std::to_string(target_vectors.size()));
  }

  // What the bytes of a row stand for.
  std::vector<double> Values(const std::string& bytes) const {
    const auto number = [&](size_t at, size_t size) {
      return Number(std::string_view(bytes).substr(at, size));
    };
    std::vector<double> values;
    for (size_t i = 0; i < dimension; i++) {
      if (element == "int8") {
        const int value = static_cast<int>(number(4 + i, 1)) - (number(4 + i, 1) > 127 ? 256 : 0);
        CHECK(value >= -127);
        values.push_back(value * static_cast<double>(Float(bytes, 0)));
      } else {
        values.push_back(static_cast<double>(Float(bytes, 4 * i)));
      }
    }
    return values;
  }
  static std::string Bytes(float value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
  }
  static float Float(const std::string& bytes, size_t at) {
    float value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  }

  void CheckHash() {
    std::string all = parameters + std::string(1, '\0') + Little(6, 8) + Little(tokens, 8);
    for (size_t i = 0; i < word_rows.size(); i++) {
      all += word_rows[i] + std::string(1, '\0') + Little(std::stoull(word_counts[i]), 8) +
             word_vectors[i] + Bytes(word_bursts[i]);
    }
    for (size_t i = 0; i < buckets.size(); i++) {
      all += Little(buckets[i], 4) + Little(std::stoull(ngram_counts[i]), 8) + ngrams[buckets[i]];
    }
    for (const std::string& vector : target_vectors) all += vector;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(all.data(), all.size()));
    std::string digits;
    for (const unsigned char byte : canonical.digest) {
      static const char kHex[] = "0123456789abcdef";
      digits += kHex[byte >> 4];
      digits += kHex[byte & 15];
    }
    CHECK(hash == digits);
  }

  // The entries of all blocks whose number is at least from and below to.
  std::map<int64_t, std::string> Blocks(int64_t from, int64_t to) {
    db.Exec("SELECT key, entries, checksum FROM s2v_directory ORDER BY key");
    std::map<int64_t, std::string> blocks;
    for (size_t i = 0; i < db.rows().size(); i += 3) {
      const std::string* row = &db.rows()[i];
      const int64_t index = std::stoll(row[0]) - (id << 32);
      CHECK(std::stoll(row[2]) == Xxh(row[1], seed ^ static_cast<uint64_t>(index)));
      if (index >= from && index < to) blocks[index - from] = row[1];
    }
    return blocks;
  }

  void CheckWordDirectory() {
    int bits = 0;
    while (word_rows.size() > (size_t{256} << bits)) bits++;
    const auto blocks = Blocks(0, int64_t{1} << 31);
    CHECK(blocks.size() == (size_t{1} << bits));
    std::vector<bool> seen(word_rows.size());
    for (const auto& [block, entries] : blocks) {
      CHECK(block < (int64_t{1} << bits));
      REQUIRE(entries.size() % 8 == 0);
      uint64_t previous = 0;
      for (size_t at = 0; at < entries.size(); at += 8) {
        const uint64_t low = Number(std::string_view(entries).substr(at, 4));
        const uint64_t word = Number(std::string_view(entries).substr(at + 4, 4));
        REQUIRE(word < word_rows.size());
        const uint64_t full = XXH3_64bits(word_rows[word].data(), word_rows[word].size());
        CHECK((full & 0xffffffff) == low);
        const uint64_t top = bits == 0 ? 0 : full >> (64 - bits);
        CHECK(top == static_cast<uint64_t>(block));
        CHECK(low >= previous);
        previous = low;
        CHECK(!seen[word]);
        seen[word] = true;
      }
    }
    for (const bool word : seen) CHECK(word);
  }

  void CheckNgramDirectory() {
    const auto blocks = Blocks(int64_t{1} << 31, int64_t{1} << 32);
    if (buckets.empty()) {
      CHECK(blocks.empty());
      return;
    }
    int shift = 32;  // the largest for which blocks hold at most 512 on average
    const auto count = [&](int s) { return (uint64_t{1999999} >> s) + 1; };
    while (buckets.size() > 512 * count(shift)) shift--;
    CHECK(blocks.size() == count(shift));
    size_t at = 0;
    for (const auto& [block, entries] : blocks) {
      REQUIRE(entries.size() % 4 == 0);
      for (size_t i = 0; i < entries.size(); i += 4) {
        const auto bucket = static_cast<uint32_t>(Number(std::string_view(entries).substr(i, 4)));
        REQUIRE(at < buckets.size());
        CHECK(bucket == buckets[at++]);
        CHECK((uint64_t{bucket} >> shift) == static_cast<uint64_t>(block));
      }
    }
    CHECK(at == buckets.size());
  }
};

TEST_CASE("what schema.sql says is what is stored") {
  for (const int order : {1, 2, 3}) {
    Config config = TinyConfig();
    config.ngram_order = order;
    config.min_target_count = order == 2 ? 2 : 1;
    for (const char* element : {"float32", "int8"}) {
      CAPTURE(element);
      config.element = element;
      Database db;
      const Model model = TrainedModel(config, order == 2 ? 900 : 30, order == 2 ? 700 : 20);
      Save(&db, "m", model);
      const SecondReader reader(&db);
      CHECK(reader.element == element);
      CHECK(reader.words.size() == model.vocabulary.size());
      CHECK(reader.ngrams.size() == model.ngram_buckets.size());
      CHECK(reader.target_vectors.empty() == (config.element != "float32"));
    }
  }
}

void CheckSecondReaderEmbeds(const char* element) {
  CAPTURE(element);
  Config config = TinyConfig();
  config.element = element;
  config.ngram_order = 2;
  config.tokenizer = "whitespace";
  Database db;
  Model model = TrainedModel(config, 40, 20);
  for (uint32_t id = 0; id < model.vocabulary.size(); id++)
    model.word_bursts[id] = 1 + static_cast<float>(id % 4) * 0.7f;
  Save(&db, "m", model);
  const SecondReader reader(&db);
  const char* words[] = {"w3", "w1", "w4"};
  std::vector<std::string> rows;
  std::vector<double> counts;
  std::vector<double> ends;    // [rows] which word each ends with
  std::vector<double> bursts;  // [rows] 0: an n-gram
  uint64_t hashes[3];
  for (int i = 0; i < 3; i++) {
    hashes[i] = XXH3_64bits(words[i], 2);
    rows.push_back(reader.words.at(words[i]));
    ends.push_back(i);
    const auto at = std::find(reader.word_rows.begin(), reader.word_rows.end(), words[i]);
    const auto id = static_cast<size_t>(at - reader.word_rows.begin());
    counts.push_back(std::stod(reader.word_counts[id]));
    bursts.push_back(static_cast<double>(reader.word_bursts[id]));
    if (i == 0) continue;
    const std::string pair = Little(hashes[i - 1], 8) + Little(hashes[i], 8);
    const auto ngram =
        reader.ngrams.find(static_cast<uint32_t>(XXH3_64bits(pair.data(), 16) % 2000000));
    if (ngram == reader.ngrams.end()) continue;
    rows.push_back(ngram->second);
    ends.push_back(i);
    const auto bucket = std::find(reader.buckets.begin(), reader.buckets.end(), ngram->first);
    counts.push_back(
        std::stod(reader.ngram_counts[static_cast<size_t>(bucket - reader.buckets.begin())]));
    bursts.push_back(0);
  }
  const std::string blob = db.Text("SELECT s2v_embed('w3 w1 w4', NULL, 'raw')");
  REQUIRE(blob.size() == 5 * sizeof(float));
  for (size_t i = 0; i < 5; i++) {
    double sum = 0;
    for (const std::string& row : rows) sum += reader.Values(row)[i];
    CHECK(SecondReader::Float(blob, 4 * i) ==
          doctest::Approx(sum / static_cast<double>(rows.size())).epsilon(1e-5));
  }

  // With weights, of length 1.
  CHECK(reader.smoothing == doctest::Approx(1e-3));
  const auto floats = [](const std::string& bytes) {
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  // The weighted sum of the rows in a text of so many tokens, of which these are the last three,
  // from a place on.
  const auto sum_of_rows = [&](double tokens, double place) {
    std::vector<double> sum(5, 0.0);
    for (size_t r = 0; r < rows.size(); r++) {
      double weight = 1e-3 / (1e-3 + counts[r] / static_cast<double>(reader.tokens));
      if (bursts[r] > 0)
        weight *= (1 + std::min(tokens / 20, 1.0) * (bursts[r] - 1)) * (1 + 1 / (2 + counts[r]));
      const double p = place + ends[r];
      if (p > 20) weight *= (1 + 2 * (20 / p) * (20 / p)) / 3;
      const std::vector<double> row = reader.Values(rows[r]);
      for (size_t i = 0; i < 5; i++) sum[i] += weight * row[i];
    }
    return sum;
  };
  CHECK(std::any_of(bursts.begin(), bursts.end(), [](double burst) { return burst > 1.5; }));
  const auto check = [&](std::vector<double> sum, const std::string& text) {
    double square = 0;
    for (const double x : sum) square += x * x;
    const std::vector<float> unit = floats(db.Text("SELECT s2v_embed('" + text + "')"));
    REQUIRE(unit.size() == 5);
    for (size_t i = 0; i < 5; i++) {
      CHECK(std::fabs(static_cast<double>(unit[i]) - sum[i] / std::sqrt(square)) < 1e-4);
    }
  };
  check(sum_of_rows(3, 0), "w3 w1 w4");
  std::vector<double> v = sum_of_rows(4, 0);
  const std::vector<double> known = v;
  // An unknown word at the end, that is in no n-gram.
  CHECK(reader.unknown_norm == config.initial_norm);
  const auto mix = [](uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  const double w = reader.unknown_norm * std::sqrt(3.0 / 5);
  const double weight = 1e-3 / (1e-3 + 1 / static_cast<double>(reader.tokens));
  uint64_t state = mix(XXH3_64bits("zebra", 5));
  for (size_t i = 0; i < 5; i += 4) {
    state += 0x9e3779b97f4a7c15u;
    const uint64_t bits = mix(state);
    for (size_t j = i; j < 5 && j < i + 4; j++) {
      const double value = static_cast<double>(bits >> (16 * (j - i)) & 0xffff) - 32767.5;
      v[j] += weight * value * w * 2 / 65535;
    }
  }
  check(v, "w3 w1 w4 zebra");

  // The known words behind the opening.
  std::string zebras;
  for (int p = 0; p < 40; p++) zebras += "zebra ";
  std::vector<double> late = sum_of_rows(43, 40);
  double zebra_weight = 0;
  for (int p = 0; p < 40; p++) zebra_weight += p <= 20 ? 1 : (1 + 2 * (20.0 / p) * (20.0 / p)) / 3;
  std::vector<double> zebra(5);
  for (size_t i = 0; i < 5; i++) zebra[i] = v[i] - known[i];
  for (size_t i = 0; i < 5; i++) late[i] += zebra_weight * zebra[i];
  check(late, zebras + "w3 w1 w4");
}

TEST_CASE("the second reader embeds a text as s2v_embed does") {
  for (const char* element : {"float32", "int8"}) CheckSecondReaderEmbeds(element);
}

}  // namespace
}  // namespace s2v
