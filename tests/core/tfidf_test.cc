// TF-IDF against its formula.
#include <doctest/doctest.h>

#include <cmath>

#include "core/eval/encoder.h"

namespace s2v {
namespace {

TfIdf Fitted(uint64_t min_count) {
  TfIdf tfidf(*FindTokenizer("whitespace"));
  for (const char* text : {"a b a", "a c", "", "b d d d"}) tfidf.AddText(text);
  tfidf.Fit(min_count);
  return tfidf;
}

TEST_CASE("weights are counts times smoothed inverse document frequency") {
  TfIdf tfidf = Fitted(1);
  CHECK(tfidf.dimension() == 4);  // a b c d, by first occurrence
  FeatureVector vector;
  tfidf.Encode("d a unknown a c", &vector);
  CHECK(vector.index == std::vector<uint32_t>{0, 2, 3});
  REQUIRE(vector.value.size() == 3);
  // four texts; a is in 2, c in 1, d in 1 although three times
  CHECK(vector.value[0] == doctest::Approx(2 * (std::log(5.0 / 3) + 1)).epsilon(1e-6));
  CHECK(vector.value[1] == doctest::Approx(std::log(5.0 / 2) + 1).epsilon(1e-6));
  CHECK(vector.value[2] == doctest::Approx(std::log(5.0 / 2) + 1).epsilon(1e-6));
}

TEST_CASE("a word in every text still counts") {
  TfIdf tfidf(*FindTokenizer("whitespace"));
  tfidf.AddText("a b");
  tfidf.AddText("a");
  tfidf.Fit(1);
  FeatureVector vector;
  tfidf.Encode("a", &vector);
  REQUIRE(vector.value.size() == 1);
  CHECK(vector.value[0] == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("rare words are left out by their occurrences, and unknown texts are empty") {
  TfIdf tfidf = Fitted(3);  // a and d occur three times
  FeatureVector vector;
  tfidf.Encode("a b c d", &vector);
  CHECK(vector.index == std::vector<uint32_t>{0, 3});
  tfidf.Encode("b c nothing", &vector);
  CHECK(vector.empty());
  tfidf.Encode("", &vector);
  CHECK(vector.empty());
}

TEST_CASE("equal bags have cosine 1, whatever the order") {
  TfIdf tfidf = Fitted(1);
  FeatureVector a, b, c;
  tfidf.Encode("a b d", &a);
  tfidf.Encode("d a b", &b);
  tfidf.Encode("c", &c);
  CHECK(Cosine(a, b) == doctest::Approx(1).epsilon(1e-12));
  CHECK(Cosine(a, c) == 0);
}

}  // namespace
}  // namespace s2v
