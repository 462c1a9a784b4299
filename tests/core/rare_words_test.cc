#include "core/train/rare_words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/core/trained_rows.h"

namespace s2v {
namespace {

using test::BuildCorpus;
using test::kAlone;
using test::kSilent;
using test::SameBytes;
using test::TrainedRowsConfig;
using test::Untouched;

std::vector<double> Unit(std::vector<double> v) {
  double square = 0;
  for (const double x : v) square += x * x;
  for (double& x : v) x /= std::sqrt(square);
  return v;
}

std::vector<double> Row(const Model& model, uint32_t id) {
  return {model.source[id], model.source[id] + model.source.dimension()};
}

// As the head of rare_words.h has it.
std::vector<double> ExpectedDirection(const Model& model, const Corpus& corpus, uint32_t rare) {
  const uint32_t n = model.source.dimension();
  std::vector<double> mean(n), sum(n);
  double times = 0;
  Sentence sentence;
  for (uint64_t s = 0; s < corpus.sentences(); s++) {
    corpus.Read(s, &sentence);
    std::vector<double> embedding(n);
    bool has = false;
    for (const uint32_t id : sentence.words) {
      if (id == kUnknownWord) continue;
      const double smoothing = model.config.smoothing, f = model.vocabulary.Frequency(id);
      const double count = static_cast<double>(model.vocabulary.counts[id]);
      const double sentences = static_cast<double>(corpus.sentences());
      const double weight =
          smoothing / (smoothing + f) * std::max(0.0, std::log((sentences + 1) / (count + 0.5)));
      for (uint32_t i = 0; i < n; i++) embedding[i] += weight * model.source[id][i];
      has |= id == rare;
    }
    embedding = Unit(embedding);
    times += has;
    for (uint32_t i = 0; i < n; i++) {
      mean[i] += embedding[i] / static_cast<double>(corpus.sentences());
      sum[i] += has * embedding[i];
    }
  }
  for (uint32_t i = 0; i < n; i++) sum[i] -= times * mean[i];
  std::vector<double> to = Unit(Row(model, rare));
  if (times == 0)
    return to;  // only sentences of one word have it, of which there is nothing to learn
  sum = Unit(sum);
  const double share =
      1 / (1 + static_cast<double>(model.vocabulary.counts[rare]) / kTextsThatTell);
  for (uint32_t i = 0; i < n; i++) to[i] += share * sum[i];
  return Unit(to);
}

TEST_CASE("rare words are turned towards their sentences, keep their lengths, and others stay") {
  const Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(300, 400, 10, 1);
  const Corpus corpus = BuildCorpus(config, texts);
  const Model before = Untouched(config, texts);
  Model after = Untouched(config, texts);
  const uint32_t words = before.vocabulary.size(),
                 rare = RareWords(before.vocabulary, after.config);
  REQUIRE(rare > 10);
  REQUIRE(rare < words);
  CHECK(before.vocabulary.counts[words - rare] <= kRareTimes);
  CHECK(before.vocabulary.counts[words - rare - 1] > kRareTimes);
  TurnRareWords(corpus, kAlone, kSilent, &after);
  for (uint32_t id = 0; id < words; id++) {
    CAPTURE(id);
    const std::vector<double> was = Row(before, id), is = Row(after, id);
    if (id < words - rare) {
      CHECK(is == was);
      continue;
    }
    const std::vector<double> direction = Unit(is),
                              expected = ExpectedDirection(before, corpus, id);
    double cosine = 0, squares[2] = {};
    for (size_t i = 0; i < is.size(); i++) {
      cosine += direction[i] * expected[i];
      squares[0] += was[i] * was[i];
      squares[1] += is[i] * is[i];
    }
    CHECK(cosine == doctest::Approx(1).epsilon(1e-5));
    CHECK(squares[1] == doctest::Approx(squares[0]).epsilon(1e-5));
  }
}

TEST_CASE("any number of workers turns rows alike, to the last bit") {
  Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(9000, 3000, 6, 2);  // more than are embedded together
  Model one = Untouched(config, texts), three = Untouched(config, texts);
  three.config.workers = 3;
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &one);
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &three);
  CHECK(SameBytes(one.source, three.source));
}

TEST_CASE("blocks of a few words turn rows nearly as one block does") {
  const Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(300, 400, 10, 1);
  const Model before = Untouched(config, texts);
  Model one = Untouched(config, texts), blocks = Untouched(config, texts);
  const uint32_t n = before.source.dimension(), words = before.vocabulary.size();
  int sums = 0;
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &one);
  TurnRareWords(
      BuildCorpus(config, texts), [&](Matrix*) { sums++; }, kSilent, &blocks,
      50 * Matrix::Bytes(1, n));
  const uint32_t rare = RareWords(before.vocabulary, one.config);
  CHECK(sums == (rare + 49) / 50);
  REQUIRE(sums > 2);
  double moved = 0, apart = 0;
  for (uint32_t id = 0; id < words; id++) {
    for (uint32_t i = 0; i < n; i++) {
      moved += std::pow(one.source[id][i] - before.source[id][i], 2);
      apart += std::pow(one.source[id][i] - blocks.source[id][i], 2);
      // Nothing was turned before the first block.
      if (id < words - rare + 50) CHECK(one.source[id][i] == blocks.source[id][i]);
    }
  }
  CHECK(apart > 0);
  CHECK(apart < 0.05 * moved);
}

TEST_CASE("what other processes have found counts") {
  const Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(300, 400, 10, 1);
  Model alone = Untouched(config, texts), twice = Untouched(config, texts);
  Model with_others = Untouched(config, texts);
  const Model before = Untouched(config, texts);
  const uint32_t n = before.source.dimension(), last = before.vocabulary.size() - 1;
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &alone);
  // The same sentences once more change nothing, as only directions count.
  const auto double_rows = [n](Matrix* rows) {
    for (uint64_t row = 0; row < rows->rows(); row++) {
      for (uint32_t i = 0; i < n; i++) (*rows)[row][i] *= 2;
    }
  };
  TurnRareWords(BuildCorpus(config, texts), double_rows, kSilent, &twice);
  const auto in_one_direction = [n](Matrix* rows) {
    for (uint32_t i = 0; i < n; i++) (*rows)[rows->rows() - 1][i] = i == 0 ? 1000.0f : 0.0f;
  };
  TurnRareWords(BuildCorpus(config, texts), in_one_direction, kSilent, &with_others);
  CHECK(SameBytes(alone.source, twice.source));
  CHECK(with_others.source[last][0] > before.source[last][0]);
  CHECK(with_others.source[last][0] > alone.source[last][0]);
}

TEST_CASE("without whitening, without sentences and with rows of zeros nothing is turned") {
  const Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(300, 400, 10, 1);
  const Model before = Untouched(config, texts);
  Model model = Untouched(config, texts);
  model.config.whitening = 0;
  CHECK(RareWords(model.vocabulary, model.config) == 0);
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
  model.config.whitening = 0.5;
  TurnRareWords(Corpus(), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
  Matrix zeros(model.source.rows(), model.source.dimension());
  model.source = Matrix(model.source.rows(), model.source.dimension());
  TurnRareWords(BuildCorpus(config, texts), kAlone, kSilent, &model);
  CHECK(SameBytes(zeros, model.source));
}

TEST_CASE("who is asked now and then may end it") {
  const Config config = TrainedRowsConfig();
  const auto texts = test::ZipfTexts(9000, 3000, 6, 2);  // more than are embedded together
  Model model = Untouched(config, texts);
  int reports = 0;
  const auto stop_at_second = [&reports] {
    if (++reports == 2) throw Interrupted();
  };
  CHECK_THROWS_AS(TurnRareWords(BuildCorpus(config, texts), kAlone, stop_at_second, &model),
                  Interrupted);
  CHECK(SameBytes(Untouched(config, texts).source, model.source));
}

}  // namespace
}  // namespace s2v
