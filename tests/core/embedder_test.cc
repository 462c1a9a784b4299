// Embedder against eq. 2 in double precision, and Normalize.
#include "core/embed/embedder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/vocab/hash.h"
#include "tests/core/made_features.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

using test::MadeFeatures;
using test::SmallConfig;

// Cuts at single spaces: what the white space profile does with these texts.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> tokens;
  std::string token;
  for (const char c : text + " ") {
    if (c != ' ') {
      token += c;
    } else if (!token.empty()) {
      tokens.push_back(token);
      token.clear();
    }
  }
  return tokens;
}

// eq. 2, feature by feature. Returns |R(S)|.
size_t NaiveEmbed(const std::string& text, const EmbeddingShape& shape, FeatureSource* source,
                  std::vector<double>* sum) {
  const std::vector<std::string> tokens = Split(text);
  size_t features = 0;
  sum->assign(shape.dimension, 0);
  const auto add = [&](const Feature& feature) {
    const auto* row = static_cast<const float*>(feature.row);
    if (row == nullptr) return;
    features++;
    for (uint32_t i = 0; i < shape.dimension; i++) (*sum)[i] += row[i];
  };
  for (size_t start = 0; start < tokens.size(); start++) {
    add(source->Word(tokens[start], HashWord(tokens[start])));
    std::vector<uint64_t> hashes;
    for (size_t i = start; i < tokens.size() && i < start + shape.ngram_order; i++) {
      if (source->Word(tokens[i], HashWord(tokens[i])).row == nullptr) break;
      hashes.push_back(HashWord(tokens[i]));
      if (hashes.size() > 1)
        add(source->Ngram(HashNgram(hashes.data(), hashes.size()) % kBucketCount));
    }
  }
  if (features > 0) {
    for (double& x : *sum) x /= static_cast<double>(features);
  }
  return features;
}

TEST_CASE("an embedding is the mean of the rows of all words and n-grams") {
  Random random(1);
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const simd::ForcedKernels forced(*kernels);
    for (const uint32_t dimension : {1u, 7u, 16u, 50u}) {
      for (uint32_t order = 1; order <= 4; order++) {
        CAPTURE(std::string(kernels->name));
        CAPTURE(dimension);
        CAPTURE(order);
        MadeFeatures source(dimension);
        const EmbeddingShape shape{dimension, order, FindTokenizer("whitespace")};
        Embedder embedder(shape, &source);
        CHECK(embedder.dimension() == dimension);
        for (int round = 0; round < 20; round++) {
          std::string text;
          const uint32_t length = random.Below(30),
                         types = 1 + random.Below(12);  // w10, w11: unknown
          for (uint32_t i = 0; i < length; i++) text += test::Word(random.Below(types)) + " ";
          std::vector<double> expected;
          const size_t features = NaiveEmbed(text, shape, &source, &expected);
          // one float more, to see that nothing is written behind the dimension
          std::vector<float> actual(dimension + 1, -7);
          CHECK(embedder.Embed(text, actual.data()) == features);
          CHECK(actual[dimension] == -7);
          for (uint32_t i = 0; i < dimension; i++) {
            // a sum of n values of at most 1 is off by at most n * 2^-24 of n, the mean by n *
            // 2^-24
            REQUIRE(std::fabs(actual[i] - expected[i]) <=
                    static_cast<double>(features + 2) * 0x1p-24);
          }
        }
        CHECK(source.begun() > 0);
      }
    }
  }
}

TEST_CASE("repeated words weigh as often as they occur") {
  MadeFeatures source(8);
  Embedder embedder({8, 1, FindTokenizer("whitespace")}, &source);
  float embedding[8];
  CHECK(embedder.Embed("w1 w1 w1 w2", embedding) == 4);
  const float* w1 = source.Row(HashWord("w1"));
  const float* w2 = source.Row(HashWord("w2"));
  for (int i = 0; i < 8; i++)
    CHECK(embedding[i] == doctest::Approx((3 * w1[i] + w2[i]) / 4).epsilon(1e-6));
}

TEST_CASE("a text without a known feature has the embedding zero of no features") {
  MadeFeatures source(8);
  Embedder embedder({8, 2, FindTokenizer("whitespace")}, &source);
  for (const std::string text : {"", "   ", "none known", "w1x W1"}) {
    CAPTURE(text);
    float embedding[8];
    std::fill(embedding, embedding + 8, 5.0f);
    CHECK(embedder.Embed(text, embedding) == 0);
    for (const float x : embedding) CHECK(x == 0);
  }
}

TEST_CASE("no n-gram reaches across an unknown word, and word order counts only within n-grams") {
  MadeFeatures source(8, 1);
  float a[8], b[8];
  Embedder bigrams({8, 2, FindTokenizer("whitespace")}, &source);
  CHECK(bigrams.Embed("w1 w2", a) == 3);
  CHECK(bigrams.Embed("w1 xx w2", b) == 2);
  CHECK(bigrams.Embed("w1 xx xx w2 w3", b) == 4);
  Embedder words({8, 1, FindTokenizer("whitespace")}, &source);
  words.Embed("w1 w2 w3", a);
  words.Embed("w1 w2 xx w3", b);
  CHECK(std::memcmp(a, b, sizeof(a)) == 0);
}

TEST_CASE("the features of a model in memory are its rows") {
  Config config = SmallConfig();
  config.ngram_order = 2;
  config.recipe.min_ngram_count = 2;
  Corpus corpus = test::BuildCorpus(config, {"a b c", "a b d", "b c"});
  Model model;
  model.config = config;
  model.vocabulary = corpus.vocabulary;
  model.ngram_buckets = corpus.ngram_buckets;
  model.ngram_counts = corpus.ngram_counts;
  const uint32_t words = corpus.vocabulary.size();
  CHECK(words == 4);
  REQUIRE(corpus.ngram_buckets.size() == 2);  // a b, b c
  model.source = Matrix(words + 2, static_cast<uint32_t>(config.dimension));
  ModelFeatures features(model);
  for (uint32_t id = 0; id < words; id++) {
    const std::string_view word = model.vocabulary.words[id];
    CHECK(features.Word(word, HashWord(word)).row == model.source[id]);
  }
  CHECK(features.Word("e", HashWord("e")).row == nullptr);
  const std::set<uint64_t> buckets(model.ngram_buckets.begin(), model.ngram_buckets.end());
  uint32_t row = words;
  for (const uint32_t bucket : model.ngram_buckets)
    CHECK(features.Ngram(bucket).row == model.source[row++]);
  for (uint64_t bucket = 0; bucket < 100000; bucket++) {
    if (buckets.count(bucket) == 0) REQUIRE(features.Ngram(bucket).row == nullptr);
  }
  const EmbeddingShape shape = ShapeOf(model);
  CHECK(shape.dimension == 16);
  CHECK(shape.ngram_order == 2);
  CHECK(shape.tokenizer == FindTokenizer("whitespace"));

  // what is embedded is what the corpus counted: words, and bigrams that have a row
  Embedder embedder(shape, &features);
  float embedding[16];
  CHECK(embedder.Embed("a b c", embedding) == 5);
  CHECK(embedder.Embed("a b d", embedding) == 4);
  CHECK(embedder.Embed("b a", embedding) == 2);
}

TEST_CASE("a text of many batches is embedded as one, its n-grams across them too") {
  Random random(5);
  MadeFeatures source(6);
  for (const uint32_t order : {1u, 2u, 5u}) {
    const EmbeddingShape shape{6, order, FindTokenizer("whitespace")};
    Embedder embedder(shape, &source);
    // around a batch of 128, a run of 1024 known words, and with unknown words in between
    for (const uint32_t length : {127u, 128u, 129u, 256u, 257u, 1023u, 1026u, 3000u}) {
      for (const uint32_t types : {10u, 11u}) {
        CAPTURE(order);
        CAPTURE(length);
        CAPTURE(types);
        std::string text;
        for (uint32_t i = 0; i < length; i++) text += test::Word(random.Below(types)) + " ";
        std::vector<double> expected;
        const size_t features = NaiveEmbed(text, shape, &source, &expected);
        float actual[6];
        CHECK(embedder.Embed(text, actual) == features);
        for (uint32_t i = 0; i < 6; i++) {
          REQUIRE(std::fabs(actual[i] - expected[i]) <= static_cast<double>(features) * 0x1p-24);
        }
      }
    }
  }
}

// The rows of another source, encoded.
class EncodedFeatures : public FeatureSource {
 public:
  EncodedFeatures(MadeFeatures* source, Element element, uint32_t dimension)
      : source_(source), element_(element), dimension_(dimension) {}
  Element element() const override { return element_; }
  Feature Word(std::string_view word, uint64_t hash) override {
    return Encoded(source_->Word(word, hash));
  }
  Feature Ngram(uint64_t bucket) override { return Encoded(source_->Ngram(bucket)); }

 private:
  Feature Encoded(const Feature& feature) {
    if (feature.row == nullptr) return {};
    std::vector<char>& bytes = rows_[feature.row];
    bytes.resize(RowBytes(element_, dimension_));
    EncodeRow(element_, static_cast<const float*>(feature.row), dimension_, bytes.data());
    return {bytes.data(), feature.frequency};
  }
  MadeFeatures* const source_;
  const Element element_;
  const uint32_t dimension_;
  std::map<const void*, std::vector<char>> rows_;
};

TEST_CASE("encoded rows are summed as they are, to the precision of int8") {
  constexpr uint32_t kDimension = 40;
  MadeFeatures source(kDimension);
  EmbeddingShape shape{kDimension, 2, FindTokenizer("whitespace")};
  const std::string text = "w0 w3 w9 w9 unknown w1 w2 w2";
  for (const float smoothing : {0.0f, 2e-3f}) {
    shape.smoothing = smoothing;
    EncodedFeatures encoded(&source, Element::kInt8, kDimension);
    float wanted[kDimension], mean[kDimension], unit[kDimension];
    Embedder plain(shape, &source);
    Embedder embedder(shape, &encoded);
    CHECK(embedder.Embed(text, mean) == plain.Embed(text, wanted));
    // rows are in [-1, 1]: none is off by more than the precision, so neither is their mean
    for (uint32_t i = 0; i < kDimension; i++) {
      REQUIRE(std::fabs(mean[i] - wanted[i]) <= 1.0 / 254 + 1e-6);
    }
    REQUIRE(plain.EmbedUnit(text, wanted));
    REQUIRE(embedder.EmbedUnit(text, unit));
    CHECK(simd::BestKernels().dot(wanted, unit, kDimension) > 1 - 1e-4f);
    CHECK(std::memcmp(wanted, unit, sizeof(unit)) != 0);  // they were encoded
  }
}

TEST_CASE("behind an opening of twenty tokens words count less, down to a third") {
  CHECK(PlaceWeight(0) == 1);
  CHECK(PlaceWeight(kOpeningTokens) == 1);
  CHECK(PlaceWeight(2 * kOpeningTokens) == 0.5f);
  CHECK(PlaceWeight(1000000) == doctest::Approx(1.0 / 3));

  constexpr uint32_t kDimension = 40;
  MadeFeatures source(kDimension);
  EmbeddingShape shape{kDimension, 2, FindTokenizer("whitespace"), 2e-3f, 1.0f, 1e-3f};
  const auto embed = [&](const std::string& text, bool favours_opening) {
    shape.favours_opening = favours_opening;
    std::vector<float> unit(kDimension);
    REQUIRE(Embedder(shape, &source).EmbedUnit(text, unit.data()));
    return unit;
  };
  const auto similarity = [&](const std::vector<float>& a, const std::vector<float>& b) {
    return simd::BestKernels().dot(a.data(), b.data(), kDimension);
  };
  std::string opening = "w0 new", rest;
  for (size_t i = 2; i < kOpeningTokens; i++) opening += " w" + std::to_string(i % 3);
  CHECK(embed(opening, true) == embed(opening, false));
  for (int i = 0; i < 200; i++) rest += " w" + std::to_string(5 + i % 3);
  const std::vector<float> wanted = embed(opening, true);
  CHECK(similarity(wanted, embed(opening + rest, true)) >
        similarity(wanted, embed(opening + rest, false)) + 0.05f);
  CHECK(similarity(wanted, embed(rest + opening, true)) <
        similarity(wanted, embed(rest + opening, false)));
  // Equation 2 knows nothing of it.
  std::vector<float> means[2] = {std::vector<float>(kDimension), std::vector<float>(kDimension)};
  for (const bool favours_opening : {false, true}) {
    shape.favours_opening = favours_opening;
    Embedder(shape, &source).Embed(opening + rest, means[favours_opening].data());
  }
  CHECK(means[0] == means[1]);
}

TEST_CASE("an error of the source passes through and the next text is unharmed") {
  struct Failing : MadeFeatures {
    using MadeFeatures::MadeFeatures;
    Feature Word(std::string_view word, uint64_t hash) override {
      if (word == "bad") throw FormatErrorForTest();
      return MadeFeatures::Word(word, hash);
    }
    struct FormatErrorForTest {};
  };
  Failing source(8);
  Embedder embedder({8, 3, FindTokenizer("whitespace")}, &source);
  float before[8], after[8];
  const size_t features = embedder.Embed("w1 w2 w3", before);
  CHECK_THROWS_AS(embedder.Embed("w1 w2 bad w3", after), Failing::FormatErrorForTest);
  CHECK(embedder.Embed("w1 w2 w3", after) == features);
  CHECK(std::memcmp(before, after, sizeof(before)) == 0);
}

TEST_CASE("a normalised vector has length 1 and its direction") {
  Random random(2);
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const simd::ForcedKernels forced(*kernels);
    for (const uint32_t n : {1u, 2u, 15u, 16u, 17u, 700u}) {
      // from the smallest normal squares to near overflow
      for (const float size : {1e-38f, 1e-20f, 1e-3f, 1.0f, 1e20f, 1e38f}) {
        CAPTURE(std::string(kernels->name));
        CAPTURE(n);
        CAPTURE(size);
        std::vector<float> v(n);
        for (float& x : v) x = size * (0.1f + random.Uniform());
        const std::vector<float> before = v;
        REQUIRE(Normalize(v.data(), n));
        double squares = 0, length = 0;
        for (uint32_t i = 0; i < n; i++) {
          squares += static_cast<double>(v[i]) * v[i];
          length += static_cast<double>(before[i]) * before[i];
        }
        length = std::sqrt(length);
        // each element is rounded once: its relative error is at most 2^-24, that of the square
        // twice it
        CHECK(std::fabs(squares - 1) <= 3 * 0x1p-24);
        for (uint32_t i = 0; i < n; i++) {
          REQUIRE(v[i] == doctest::Approx(before[i] / length).epsilon(3 * 0x1p-24));
        }
      }
    }
  }
}

TEST_CASE("a vector without direction is left as it is") {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinite = std::numeric_limits<float>::infinity();
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const simd::ForcedKernels forced(*kernels);
    CAPTURE(std::string(kernels->name));
    std::vector<float> zero(20, 0.0f);
    CHECK(!Normalize(zero.data(), 20));
    CHECK(zero == std::vector<float>(20, 0.0f));
    CHECK(!Normalize(zero.data(), 0));
    for (const float bad : {nan, infinite, -infinite}) {
      for (const uint32_t at : {0u, 7u, 19u}) {
        std::vector<float> v(20, 1.5f);
        v[at] = bad;
        const std::vector<float> before = v;
        CHECK(!Normalize(v.data(), 20));
        CHECK(std::memcmp(v.data(), before.data(), 20 * sizeof(float)) == 0);
      }
    }
    std::vector<float> both = {infinite, nan, -infinite};
    CHECK(!Normalize(both.data(), 3));
  }
}

TEST_CASE("vectors of denormal and of the largest numbers have a direction") {
  const float tiny = std::numeric_limits<float>::denorm_min(),
              huge = std::numeric_limits<float>::max();
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const simd::ForcedKernels forced(*kernels);
    CAPTURE(std::string(kernels->name));
    for (const float size : {tiny, huge}) {
      std::vector<float> v = {size, 0, -size, 0};
      REQUIRE(Normalize(v.data(), 4));
      CHECK(v[0] == doctest::Approx(std::sqrt(0.5)).epsilon(1e-7));
      CHECK(v[1] == 0);
      CHECK(v[2] == -v[0]);
    }
  }
}

}  // namespace
TEST_CASE(
    "smooth inverse frequency: each feature counts a / (a + f), and the result has length 1") {
  MadeFeatures source(24);
  EmbeddingShape shape{24, 2, FindTokenizer("whitespace")};
  shape.smoothing = 2e-3f;
  Embedder embedder(shape, &source);
  float embedding[24];
  REQUIRE(embedder.EmbedUnit("w0 w3 w9 w9 unknown w1", embedding));
  std::vector<double> sum(24, 0.0);
  const auto add = [&](const Feature& feature) {
    if (feature.row == nullptr) return;
    const double weight = 2e-3 / (2e-3 + static_cast<double>(feature.frequency));
    const auto* row = static_cast<const float*>(feature.row);
    for (size_t i = 0; i < 24; i++) sum[i] += weight * static_cast<double>(row[i]);
  };
  for (const char* word : {"w0", "w3", "w9", "w9", "w1"}) add(source.Word(word, HashWord(word)));
  for (const auto& [a, b] : {std::pair("w0", "w3"), std::pair("w3", "w9"), std::pair("w9", "w9")}) {
    const uint64_t hashes[] = {HashWord(a), HashWord(b)};
    add(source.Ngram(HashNgram(hashes, 2) % kBucketCount));
  }
  double square = 0;
  for (const double x : sum) square += x * x;
  for (size_t i = 0; i < 24; i++) {
    CHECK(std::fabs(static_cast<double>(embedding[i]) - sum[i] / std::sqrt(square)) < 1e-6);
  }
}

}  // namespace s2v
