// Sparse vectors, and embeddings as an encoder.
#include "core/eval/encoder.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

TEST_CASE("the product of sparse vectors is over the places they share") {
  const FeatureVector a{{0, 3, 7}, {1, 2, 3}}, b{{3, 5, 7}, {10, 100, -1}}, c{{1}, {4}}, none;
  CHECK(Dot(a, b) == 2 * 10 - 3);
  CHECK(Dot(b, a) == Dot(a, b));
  CHECK(Dot(a, c) == 0);
  CHECK(Dot(a, none) == 0);
  CHECK(Dot(a, a) == 14);
}

TEST_CASE("the cosine of sparse vectors is 0 where a side has no direction") {
  const FeatureVector a{{0, 1}, {1, 0}}, b{{0, 1}, {1, 1}}, zero{{0, 1}, {0, 0}}, none;
  CHECK(Cosine(a, b) == doctest::Approx(std::sqrt(0.5)).epsilon(1e-12));
  CHECK(Cosine(a, a) == 1);
  CHECK(Cosine(a, zero) == 0);
  CHECK(Cosine(none, a) == 0);
  CHECK(Cosine(none, none) == 0);
}

TEST_CASE("an embedding encoder gives what the embedder gives, and nothing for what is unknown") {
  Config config = test::SmallConfig();
  const Model model = test::TrainOn(config, test::TopicTexts(200, 3));
  ModelFeatures features(model);
  EmbeddingEncoder unit("model", ShapeOf(model), &features, false);
  EmbeddingEncoder raw("model-raw", ShapeOf(model), &features, true);
  Embedder embedder(ShapeOf(model), &features);
  CHECK(unit.name() == "model");
  CHECK(unit.dimension() == 16);
  std::vector<float> expected(16);
  FeatureVector vector;
  unit.Encode("a1 f2 b3", &vector);
  REQUIRE(embedder.EmbedUnit("a1 f2 b3", expected.data()));
  CHECK(vector.value == expected);
  REQUIRE(vector.index.size() == 16);
  for (uint32_t i = 0; i < 16; i++) CHECK(vector.index[i] == i);
  CHECK(Dot(vector, vector) == doctest::Approx(1).epsilon(1e-6));
  raw.Encode("a1 f2 b3", &vector);
  REQUIRE(embedder.Embed("a1 f2 b3", expected.data()) == 3);
  CHECK(vector.value == expected);
  for (EmbeddingEncoder* encoder : {&unit, &raw}) {
    encoder->Encode("unheard of", &vector);
    CHECK(vector.empty());
    CHECK(vector.value.empty());
  }
}

}  // namespace
}  // namespace s2v
