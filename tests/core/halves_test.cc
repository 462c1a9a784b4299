#include "core/train/halves.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/embed/embedder.h"
#include "core/error.h"
#include "core/train/whitening.h"
#include "tests/core/reference.h"
#include "tests/core/trained_rows.h"

namespace s2v {
namespace {

using simd::reference::Dot;
using test::BuildCorpus;
using test::kAlone;
using test::kSilent;
using test::SameBytes;
using test::TrainedRowsConfig;
using test::Untouched;

constexpr size_t kSubjects = 8;

// Texts of 20 words, each of one subject, whose words are 30.
std::vector<std::string> TextsOfSubjects(size_t count) {
  std::vector<std::string> texts;
  uint64_t state = 7;
  for (size_t i = 0; i < count; i++) {
    std::string text;
    for (int word = 0; word < 20; word++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const uint64_t drawn = state >> 33;
      // Every other word is of no subject.
      text += word % 2 == 0
                  ? "s" + std::to_string(i % kSubjects) + "x" + std::to_string(drawn % 30) + " "
                  : "n" + std::to_string(drawn % 300) + " ";
    }
    texts.push_back(text);
  }
  return texts;
}

// Words of a subject lie in its own direction, the others, and longer, in eight that no subject
// has.
void SetRows(Model* model) {
  const uint32_t n = model->source.dimension();
  uint64_t state = 3;
  for (uint32_t id = 0; id < model->vocabulary.size(); id++) {
    const std::string word(model->vocabulary.words[id]);
    for (uint32_t i = 0; i < n; i++) model->source[id][i] = 0;
    if (word[0] == 's') {
      model->source[id][word[1] - '0'] = 0.06f;
      continue;
    }
    for (uint32_t i = kSubjects; i < n; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      model->source[id][i] = static_cast<float>(state >> 40) / (1 << 24) - 0.5f;
    }
  }
}

// The share of texts whose first half is nearest to a second half of its subject.
double SubjectsFound(const Model& model, const std::vector<std::string>& texts) {
  std::vector<std::string> halves[2];
  for (const std::string& text : texts) {
    size_t middle = 0;
    for (int spaces = 0; spaces < 10; middle++) spaces += text[middle] == ' ';
    halves[0].push_back(text.substr(0, middle));
    halves[1].push_back(text.substr(middle));
  }
  ModelFeatures features(model);
  const EmbeddingShape shape = ShapeOf(model);
  const std::vector<float> first = EmbedAll(halves[0], shape, &features),
                           second = EmbedAll(halves[1], shape, &features);
  const uint32_t n = model.source.dimension();
  size_t found = 0;
  for (size_t i = 0; i < texts.size(); i++) {
    size_t best = 0;
    double most = -2;
    for (size_t j = 0; j < texts.size(); j++) {
      const double cosine = Dot(&first[i * n], &second[j * n], n);
      if (cosine > most) most = cosine, best = j;
    }
    found += best % kSubjects == i % kSubjects;
  }
  return static_cast<double>(found) / static_cast<double>(texts.size());
}

TEST_CASE("halves of a text are found better, and no product is lost") {
  const Config config = TrainedRowsConfig();
  auto texts = TextsOfSubjects(900);
  const std::vector<std::string> unseen(texts.begin() + 600, texts.end());
  texts.resize(600);
  Model before = Untouched(config, texts), after = Untouched(config, texts);
  SetRows(&before);
  SetRows(&after);
  FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &after);
  REQUIRE(!SameBytes(before.source, after.source));
  CHECK(SubjectsFound(after, unseen) > SubjectsFound(before, unseen) + 0.05);
  LengthenRows(&before);
  LengthenRows(&after);
  const uint32_t n = before.source.dimension();
  double lengths[2] = {};
  for (uint32_t v = 0; v < before.vocabulary.size(); v++) {
    const double f = before.vocabulary.Frequency(v);
    lengths[0] += f * Dot(before.source[v], before.source[v], n);
    lengths[1] += f * Dot(after.source[v], after.source[v], n);
    for (uint64_t u = v % 7; u < before.target.rows(); u += 7) {
      const double product = Dot(before.source[v], before.target[u], n);
      CHECK(Dot(after.source[v], after.target[u], n) ==
            doctest::Approx(product).epsilon(0.001).scale(1));
    }
  }
  CHECK(lengths[1] == doctest::Approx(lengths[0]).epsilon(1e-4));
}

TEST_CASE("any number of workers maps rows alike, to the last bit, and so do all sentences twice") {
  Config config = TrainedRowsConfig();
  const auto texts = TextsOfSubjects(1500);  // more than are embedded together
  Model one = Untouched(config, texts), three = Untouched(config, texts);
  Model twice = Untouched(config, texts);
  three.config.workers = 3;
  FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &one);
  FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &three);
  CHECK(SameBytes(one.source, three.source));
  CHECK(SameBytes(one.target, three.target));
  const auto of_two = [](Matrix* sums) {
    for (uint64_t row = 0; row < sums->rows(); row++) {
      for (uint32_t i = 0; i < sums->dimension(); i++) (*sums)[row][i] *= 2;
    }
  };
  FavourHalves(BuildCorpus(config, texts), of_two, kSilent, &twice);
  CHECK(SameBytes(one.source, twice.source));
}

TEST_CASE("without whitening and of few or short texts, rows stay as they are") {
  const Config config = TrainedRowsConfig();
  const auto texts = TextsOfSubjects(600);
  const Model before = Untouched(config, texts);
  Model model = Untouched(config, texts);
  model.config.whitening = 0;
  FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
  model.config.whitening = 0.5;
  FavourHalves(Corpus(), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
  const uint64_t fewest = kFewestHalved * config.dimension;
  FavourHalves(BuildCorpus(config, TextsOfSubjects(fewest - 1)), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
  FavourHalves(BuildCorpus(config, test::ZipfTexts(600, 400, 10, 1)), kAlone, kSilent, &model);
  CHECK(SameBytes(before.source, model.source));
}

TEST_CASE("rows of zeros stay zeros") {
  const Config config = TrainedRowsConfig();
  const auto texts = TextsOfSubjects(600);
  Model model = Untouched(config, texts);
  model.source = Matrix(model.source.rows(), model.source.dimension());
  const Matrix zeros(model.source.rows(), model.source.dimension());
  FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &model);
  CHECK(SameBytes(zeros, model.source));
}

TEST_CASE("texts that are all alike tell nothing") {
  for (const int dimension : {1, 16}) {
    Config config = TrainedRowsConfig();
    config.dimension = dimension;
    std::string text;
    for (int word = 0; word < 20; word++) text += word % 2 == 0 ? "one " : "two ";
    const std::vector<std::string> texts(300, text);
    const Model before = Untouched(config, texts);
    Model model = Untouched(config, texts);
    FavourHalves(BuildCorpus(config, texts), kAlone, kSilent, &model);
    CHECK(SameBytes(before.source, model.source));
  }
}

TEST_CASE("who is asked while halves are embedded may end it") {
  const Config config = TrainedRowsConfig();
  const auto texts = TextsOfSubjects(1500);
  Model model = Untouched(config, texts);
  int reports = 0;
  const auto stop_at_second = [&reports] {
    if (++reports == 2) throw Interrupted();
  };
  CHECK_THROWS_AS(FavourHalves(BuildCorpus(config, texts), kAlone, stop_at_second, &model),
                  Interrupted);
}

}  // namespace
}  // namespace s2v
