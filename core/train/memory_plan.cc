#include "core/train/memory_plan.h"

#include "core/error.h"
#include "core/model/matrix.h"
#include "core/train/sampling.h"

namespace s2v {
namespace {

constexpr uint64_t kBytesOfWord = 64;    // its bytes, count, hash, slots; keep probability
constexpr uint64_t kBytesOfTarget = 12;  // keep probability, an entry of the sampler
constexpr uint64_t kBytesOfNgram = 8;    // bucket, count
constexpr uint64_t kRowsOfWorker = 100;  // of a step's scratch: the targets of a long sentence
constexpr uint64_t kBytesOfWorker = 1 << 18;

}  // namespace

MemoryNeed NeedOf(const Config& config, const Corpus& corpus) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint64_t words = corpus.vocabulary.size(), ngrams = corpus.ngram_buckets.size();
  const uint64_t targets = TargetWords(corpus.vocabulary, config);
  MemoryNeed need;
  need.source = Matrix::Bytes(words + ngrams, dimension);
  need.target = Matrix::Bytes(targets, dimension);
  need.texts = corpus.store.memory_bytes();
  need.tables = words * kBytesOfWord + targets * kBytesOfTarget + ngrams * kBytesOfNgram;
  need.workers = WorkerCount(config) * (kBytesOfWorker + Matrix::Bytes(kRowsOfWorker, dimension));
  return need;
}

void CheckMemory(const MemoryNeed& need, uint64_t available, const Config& config) {
  if (available == 0 || need.Total() <= available) return;
  std::string advice = "lower dimension (" + std::to_string(config.dimension) +
                       "), or raise min_count (" + std::to_string(config.min_count) + ")";
  if (config.ngram_order > 1) {
    advice += ", or lower ngram_order (" + std::to_string(config.ngram_order) + ")";
  }
  if (need.former > 0) {
    advice = "free memory, or train afresh, without the " + Megabytes(need.former) +
             " of the former model";
  }
  throw InvalidArgument("training needs about " + Megabytes(need.Total()) + ", and " +
                        Megabytes(available) + " are available; " + advice);
}

std::string Megabytes(uint64_t bytes) {
  return std::to_string((bytes + 500000) / 1000000) + " MB";
}

}  // namespace s2v
