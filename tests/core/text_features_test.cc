// TextFeatures and PartsOf against Embedder.
#include "core/embed/text_features.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"
#include "core/vocab/hash.h"
#include "tests/core/made_features.h"

namespace s2v {
namespace {

using test::MadeFeatures;

constexpr uint32_t kMadeDimension = 13;

EmbeddingShape Shape(uint32_t ngram_order, float smoothing) {
  EmbeddingShape shape;
  shape.dimension = kMadeDimension;
  shape.ngram_order = ngram_order;
  shape.tokenizer = FindTokenizer("whitespace");
  shape.smoothing = smoothing;
  return shape;
}

std::string RandomText(Random* random, uint32_t most) {
  std::string text;
  for (uint32_t i = random->Below(most + 1); i > 0; i--) {
    text += random->Below(6) == 0 ? " unknown" : " w" + std::to_string(random->Below(10));
  }
  return text;
}

std::vector<EmbeddingShape> Shapes() {
  std::vector<EmbeddingShape> shapes = {Shape(1, 0), Shape(2, 0), Shape(3, 0), Shape(1, 1e-3f),
                                        Shape(3, 1e-3f)};
  for (size_t i = 0; i < 5; i++) {
    shapes.push_back(shapes[i]);
    shapes.back().unknown_norm = 2;
    shapes.back().unknown_frequency = 1e-3f;
  }
  shapes.push_back(shapes.back());
  shapes.back().favours_opening = true;
  return shapes;
}

TEST_CASE("the features of a text with their weights sum up to its embedding") {
  Random random(3);
  MadeFeatures source(kMadeDimension);
  for (const EmbeddingShape& shape : Shapes()) {
    for (int round = 0; round < 200; round++) {
      // Some are longer than an opening, and than what the embedder looks up at once.
      const std::string text = RandomText(&random, round % 20 == 0 ? 400 : 12);
      CAPTURE(text);
      std::vector<float> raw(kMadeDimension), unit(kMadeDimension), raw_sum(kMadeDimension),
          sum(kMadeDimension);
      const size_t features = Embedder(shape, &source).Embed(text, raw.data());
      const bool found = Embedder(shape, &source).EmbedUnit(text, unit.data());
      TextFeatures walk(shape, &source);
      walk.Begin(text);
      size_t known = 0;
      while (walk.Next()) {
        const TextFeature& feature = walk.at();
        const bool unknown = feature.row == nullptr && feature.n == 1 && shape.unknown_norm > 0;
        CHECK((feature.weight > 0) == (feature.row != nullptr || unknown));
        if (feature.weight == 0) continue;
        std::vector<float> row(kMadeDimension);
        if (unknown) {
          FillUnknownRow(shape, feature.key, row.data());
        } else {
          known++;
          row.assign(feature.row, feature.row + kMadeDimension);
        }
        for (uint32_t i = 0; i < kMadeDimension; i++) {
          if (!unknown) raw_sum[i] += row[i];
          sum[i] += feature.weight * row[i];
        }
      }
      CHECK(known == features);
      if (!found) continue;
      REQUIRE(Normalize(sum.data(), kMadeDimension));
      for (uint32_t i = 0; i < kMadeDimension; i++) {
        CHECK(sum[i] == doctest::Approx(unit[i]).epsilon(1e-4));
        CHECK(raw_sum[i] / static_cast<float>(known) == doctest::Approx(raw[i]).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("features come in the order of the text, with names and places") {
  MadeFeatures source(kMadeDimension);
  TextFeatures walk(Shape(3, 0), &source);
  walk.Begin("w1 w2 x w3 w4 w5");
  std::string listed;
  while (walk.Next()) {
    listed += walk.Name() + "/" + std::to_string(walk.at().position) +
              (walk.at().n == 1 && walk.at().row == nullptr ? "?" : "") + "; ";
  }
  CHECK(listed == "w1/0; w2/1; w1 w2/0; x/2?; w3/3; w4/4; w3 w4/3; w5/5; w4 w5/4; w3 w4 w5/3; ");
  walk.Begin("");
  CHECK(!walk.Next());
  walk.Begin("  ");
  CHECK(!walk.Next());
  walk.Begin("w1");
  CHECK(walk.Next());
  CHECK(walk.Name() == "w1");
  CHECK(!walk.Next());
  CHECK(!walk.Next());
}

TEST_CASE("the products of two texts' parts add up to their cosine") {
  Random random(5);
  MadeFeatures source(kMadeDimension);
  int compared = 0;
  for (const EmbeddingShape& shape : Shapes()) {
    Embedder embedder(shape, &source);
    for (int round = 0; round < 100; round++) {
      const std::string texts[2] = {RandomText(&random, 15), RandomText(&random, 15)};
      std::vector<float> embeddings[2];
      EmbeddingParts parts[2];
      bool found[2];
      for (int i = 0; i < 2; i++) {
        embeddings[i].resize(kMadeDimension);
        found[i] = embedder.EmbedUnit(texts[i], embeddings[i].data());
        parts[i] = PartsOf(texts[i], shape, &source);
        CHECK(parts[i].names.empty() == !found[i]);
        CHECK(parts[i].vectors.size() == parts[i].names.size() * kMadeDimension);
      }
      if (!found[0] || !found[1]) continue;
      double cosine = 0, shares = 0;
      for (uint32_t d = 0; d < kMadeDimension; d++) {
        cosine += static_cast<double>(embeddings[0][d]) * embeddings[1][d];
      }
      for (size_t i = 0; i < parts[0].names.size(); i++) {
        for (size_t j = 0; j < parts[1].names.size(); j++) {
          for (uint32_t d = 0; d < kMadeDimension; d++) {
            shares += static_cast<double>(parts[0].vectors[i * kMadeDimension + d]) *
                      parts[1].vectors[j * kMadeDimension + d];
          }
        }
      }
      CHECK(std::abs(shares - cosine) < 1e-6);
      compared++;
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("a feature that comes again is one part") {
  MadeFeatures source(kMadeDimension);
  const EmbeddingParts parts = PartsOf("w1 w1 x w1 w2", Shape(1, 0), &source);
  CHECK(parts.names == std::vector<std::string>{"w1", "w2"});
}

}  // namespace
}  // namespace s2v
