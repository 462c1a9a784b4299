#include "core/train/rare_words.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/embed/embedder.h"
#include "core/model/element.h"
#include "core/model/feature.h"
#include "core/parallel.h"
#include "core/simd/kernels.h"

namespace s2v {
namespace {

// Sentences are embedded side by side, and then added one after the other, so that the sums are the
// same with any number of workers.
constexpr uint64_t kSentencesTogether = 1024, kSentencesOfJob = 32;

uint32_t WordsOfBlock(uint64_t bytes, uint32_t dimension) {
  return static_cast<uint32_t>(std::max<uint64_t>(1, bytes / Matrix::Bytes(1, dimension)));
}

class Contexts {
 public:
  Contexts(const Corpus& corpus, const Model& model)
      : corpus_(corpus),
        model_(model),
        embeddings_(kSentencesTogether, model.source.dimension()),
        rare_(kSentencesTogether),
        mean_(model.source.dimension()) {
    const double sentences = static_cast<double>(model.sentence_count) + 1;
    for (uint32_t id = 0; id < model.vocabulary.size(); id++) {
      const double times = static_cast<double>(model.vocabulary.counts[id]) + 0.5;
      const double weight = FeatureWeight(static_cast<float>(model.config.smoothing),
                                          static_cast<float>(model.vocabulary.Frequency(id)));
      weights_.push_back(static_cast<float>(weight * std::max(0.0, std::log(sentences / times))));
    }
  }

  // For each word from first to end - 1 the sum of the embeddings, less their mean, of the
  // sentences that have it.
  Matrix Sum(uint32_t first, uint32_t end, const Tick& tick) {
    first_ = first;
    end_ = end;
    Matrix sums(end - first, model_.source.dimension());
    std::vector<double> found(sums.rows());
    const uint64_t sentences = corpus_.sentences();
    for (uint64_t begin = 0; begin < sentences; begin += kSentencesTogether) {
      tick();
      const uint64_t count = std::min(kSentencesTogether, sentences - begin);
      RunParallel((count + kSentencesOfJob - 1) / kSentencesOfJob, WorkerCount(model_.config),
                  [&](size_t job) { Embed(begin, job * kSentencesOfJob, count); });
      for (uint64_t place = 0; place < count; place++) {
        for (const uint32_t id : rare_[place]) {
          k_.axpy(sums[id - first], 1, embeddings_[place], sums.dimension());
          found[id - first]++;
        }
        if (!knows_mean_) AddToMean(embeddings_[place]);
      }
    }
    knows_mean_ = true;
    for (uint64_t row = 0; row < sums.rows(); row++) {
      const double share = found[row] / std::max(1.0, static_cast<double>(sentences));
      for (uint32_t i = 0; i < sums.dimension(); i++) {
        sums[row][i] -= static_cast<float>(share * mean_[i]);
      }
    }
    return sums;
  }

 private:
  // The sentences of a job, from place begin on of those that are embedded together; first: of
  // these, in the corpus.
  void Embed(uint64_t first, uint64_t begin, uint64_t count) {
    const uint32_t n = model_.source.dimension();
    Sentence sentence;
    std::vector<const float*> rows;
    std::vector<float> weights;
    for (uint64_t place = begin; place < std::min(count, begin + kSentencesOfJob); place++) {
      corpus_.Read(first + place, &sentence);
      rows.clear();
      weights.clear();
      rare_[place].clear();
      for (const uint32_t id : sentence.words) {
        if (id == kUnknownWord) continue;
        rows.push_back(model_.source[id]);
        weights.push_back(weights_[id]);
        if (id >= first_ && id < end_) rare_[place].push_back(id);
      }
      std::sort(rare_[place].begin(), rare_[place].end());
      rare_[place].erase(std::unique(rare_[place].begin(), rare_[place].end()), rare_[place].end());
      if (knows_mean_ && rare_[place].empty()) continue;  // the sentence counts nowhere
      float* const embedding = embeddings_[place];
      std::fill_n(embedding, n, 0.0f);
      k_.axpy_rows(embedding, weights.data(), rows.data(), rows.size(), embeddings_.stride());
      if (!Normalize(embedding, n)) rare_[place].clear();
    }
  }

  void AddToMean(const float* embedding) {
    for (size_t i = 0; i < mean_.size(); i++) mean_[i] += embedding[i];
  }

  const simd::Kernels& k_ = simd::BestKernels();
  const Corpus& corpus_;
  const Model& model_;
  std::vector<float> weights_;               // [words]
  uint32_t first_ = 0, end_ = 0;             // words of the block
  Matrix embeddings_;                        // [kSentencesTogether, dimension]
  std::vector<std::vector<uint32_t>> rare_;  // [kSentencesTogether] different ones of the block
  std::vector<double> mean_;                 // the sum of all embeddings
  bool knows_mean_ = false;
};

// Turns a word's row. context: [dimension], is overwritten.
void Turn(uint64_t times, uint32_t n, float* context, float* row) {
  const double square = SquaredLength({row, n});
  if (!(square > 0) || !Normalize(context, n)) return;
  const double length = std::sqrt(square);
  const auto share = static_cast<float>(length / (1 + static_cast<double>(times) / kTextsThatTell));
  for (uint32_t i = 0; i < n; i++) context[i] = row[i] + share * context[i];
  if (!Normalize(context, n)) return;
  for (uint32_t i = 0; i < n; i++) row[i] = static_cast<float>(length) * context[i];
}

}  // namespace

uint32_t RareWords(const Vocabulary& vocabulary, const Config& config) {
  if (config.whitening == 0) return 0;
  const auto& counts = vocabulary.counts;  // falling
  return static_cast<uint32_t>(
      counts.end() - std::partition_point(counts.begin(), counts.end(),
                                          [](uint64_t count) { return count > kRareTimes; }));
}

uint64_t RareWordBytes(const Vocabulary& vocabulary, const Config& config) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint32_t rare = RareWords(vocabulary, config);
  if (rare == 0) return 0;
  return Matrix::Bytes(
      kSentencesTogether + std::min(rare, WordsOfBlock(kRareBlockBytes, dimension)), dimension);
}

void TurnRareWords(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model,
                   uint64_t block_bytes) {
  const uint32_t rare = RareWords(model->vocabulary, model->config);
  if (rare == 0) return;
  const uint32_t words = model->vocabulary.size(), n = model->source.dimension();
  const uint32_t block = WordsOfBlock(block_bytes, n);
  Contexts contexts(corpus, *model);
  for (uint32_t first = words - rare; first < words; first += std::min(block, words - first)) {
    const uint32_t end = first + std::min(block, words - first);
    Matrix sums = contexts.Sum(first, end, tick);
    sum(&sums);
    for (uint32_t id = first; id < end; id++) {
      Turn(model->vocabulary.counts[id], n, sums[id - first], model->source[id]);
    }
  }
}

}  // namespace s2v
