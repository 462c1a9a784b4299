#include "core/train/rare_words.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/feature.h"
#include "core/parallel.h"
#include "core/simd/kernels.h"

namespace s2v {
namespace {

// They are embedded side by side, and then added one after the other, so that the sums are the same with any number of workers.
constexpr uint64_t kSentencesTogether = 4096, kSentencesOfJob = 64;

// Divides by the length. False where that is 0.
bool MakeUnit(float* v, uint32_t n) {
  double square = 0;
  for (uint32_t i = 0; i < n; i++) square += double{v[i]} * v[i];
  if (!(square > 0)) return false;
  const auto factor = static_cast<float>(1 / std::sqrt(square));
  for (uint32_t i = 0; i < n; i++) v[i] *= factor;
  return true;
}

class Contexts {
 public:
  Contexts(const Model& model, uint32_t first_rare)
      : model_(model),
        first_rare_(first_rare),
        embeddings_(kSentencesTogether, model.source.dimension()),
        rare_(kSentencesTogether),
        sums_(model.vocabulary.size() - first_rare, model.source.dimension()),
        times_(sums_.rows()),
        mean_(model.source.dimension()) {
    const double sentences = static_cast<double>(model.sentence_count) + 1;
    for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
      const double times = static_cast<double>(model.vocabulary.counts[id]) + 0.5;
      const double weight = FeatureWeight(static_cast<float>(model.config.smoothing),
                                          static_cast<float>(model.vocabulary.Frequency(id)));
      weights_.push_back(static_cast<float>(weight * std::max(0.0, std::log(sentences / times))));
    }
  }

  // For each rare word the sum of the embeddings, less their mean, of the sentences that have it.
  Matrix Sum(const Corpus& corpus) {
    const uint64_t sentences = corpus.sentences();
    for (uint64_t begin = 0; begin < sentences; begin += kSentencesTogether) {
      const uint64_t count = std::min(kSentencesTogether, sentences - begin);
      RunParallel((count + kSentencesOfJob - 1) / kSentencesOfJob, WorkerCount(model_.config),
                  [&](size_t job) {
                    const uint64_t end = std::min(count, (job + 1) * kSentencesOfJob);
                    Embed(corpus, begin, job * kSentencesOfJob, end);
                  });
      for (uint64_t i = 0; i < count; i++) Add(i);
    }
    for (uint64_t row = 0; row < sums_.rows(); row++) {
      const double share = sentences == 0 ? 0 : times_[row] / static_cast<double>(sentences);
      for (uint32_t i = 0; i < sums_.dimension(); i++) {
        sums_[row][i] -= static_cast<float>(share * mean_[i]);
      }
    }
    return std::move(sums_);
  }

 private:
  // Sentences first + begin .. first + end - 1 into the places begin .. end - 1.
  void Embed(const Corpus& corpus, uint64_t first, uint64_t begin, uint64_t end) {
    const uint32_t n = model_.source.dimension();
    Sentence sentence;
    std::vector<const float*> rows;
    std::vector<float> weights;
    for (uint64_t place = begin; place < end; place++) {
      corpus.Read(first + place, &sentence);
      rows.clear();
      weights.clear();
      rare_[place].clear();
      for (const uint32_t id : sentence.words) {
        if (id == kUnknownWord) continue;
        rows.push_back(model_.source[id]);
        weights.push_back(weights_[id]);
        if (id >= first_rare_) rare_[place].push_back(id);
      }
      float* const embedding = embeddings_[place];
      std::fill_n(embedding, n, 0.0f);
      k_.axpy_rows(embedding, weights.data(), rows.data(), rows.size(), embeddings_.stride());
      if (!MakeUnit(embedding, n)) rare_[place].clear();
    }
  }

  void Add(uint64_t place) {
    const uint32_t n = sums_.dimension();
    const float* const embedding = embeddings_[place];
    for (uint32_t i = 0; i < n; i++) mean_[i] += embedding[i];
    for (const uint32_t id : rare_[place]) {
      k_.axpy(sums_[id - first_rare_], 1, embedding, n);
      times_[id - first_rare_]++;
    }
  }

  const simd::Kernels& k_ = simd::BestKernels();
  const Model& model_;
  const uint32_t first_rare_;
  std::vector<float> weights_;  // [words]
  Matrix embeddings_;           // [kSentencesTogether, dimension]
  std::vector<std::vector<uint32_t>>
      rare_;  // [kSentencesTogether] rare words, as often as they occur
  Matrix sums_;
  std::vector<double> times_;  // [rare words]
  std::vector<double> mean_;   // the sum of all embeddings
};

}  // namespace

uint32_t RareWords(const Vocabulary& vocabulary, const Config& config) {
  if (config.whitening == 0) return 0;
  const auto& counts = vocabulary.counts;  // falling
  return static_cast<uint32_t>(
      counts.end() - std::partition_point(counts.begin(), counts.end(),
                                          [](uint64_t count) { return count > kRareTimes; }));
}

void TurnRareWords(const Corpus& corpus, const std::function<void(Matrix*)>& sum, Model* model) {
  const uint32_t rare = RareWords(model->vocabulary, model->config);
  if (rare == 0) return;
  const uint32_t first = model->vocabulary.size() - rare, n = model->source.dimension();
  Matrix contexts = Contexts(*model, first).Sum(corpus);
  sum(&contexts);
  for (uint32_t id = first; id < model->vocabulary.size(); id++) {
    float* const row = model->source[id];
    float* const context = contexts[id - first];
    double square = 0;
    for (uint32_t i = 0; i < n; i++) square += double{row[i]} * row[i];
    if (!(square > 0) || !MakeUnit(context, n)) continue;
    const double length = std::sqrt(square);
    const double times = static_cast<double>(model->vocabulary.counts[id]);
    const auto share = static_cast<float>(length / (1 + times / kTextsThatTell));
    for (uint32_t i = 0; i < n; i++) context[i] = row[i] + share * context[i];
    if (!MakeUnit(context, n)) continue;
    for (uint32_t i = 0; i < n; i++) row[i] = static_cast<float>(length) * context[i];
  }
}

}  // namespace s2v
