#include "sql/system/memory.h"

#include <algorithm>

#include "core/error.h"
#include "core/train/halves.h"
#include "core/train/rare_words.h"
#include "core/train/sampling.h"
#include "sql/system/platform.h"
#include "sql/system/temporary_file.h"

namespace s2v {
namespace {

constexpr uint64_t kMegabyte = 1000000;
constexpr uint64_t kTextBytes = 1000 * kMegabyte;

constexpr uint64_t kBytesOfWord = 64;    // its bytes, count, hash, slots; keep probability
constexpr uint64_t kBytesOfTarget = 12;  // keep probability, an entry of the sampler
constexpr uint64_t kBytesOfNgram = 8;    // bucket, count
constexpr uint64_t kRowsOfWorker = 100;  // of a step's scratch: the targets of a long sentence
constexpr uint64_t kBytesOfWorker = 1 << 18;

std::string Megabytes(uint64_t bytes) {
  return std::to_string(bytes / kMegabyte) + " MB";
}

// 1 / part of what there is, at most most.
uint64_t Share(int64_t limit, uint64_t part, uint64_t most) {
  const uint64_t all = limit > 0 ? static_cast<uint64_t>(limit) * kMegabyte : AvailableMemory();
  return all == 0 ? most : std::min(most, all / part);
}

}  // namespace

int64_t ParseMegabytes(std::string_view name, std::string_view value) {
  constexpr int64_t kMost = 1000000000;
  int64_t number = 0;
  if (!ParseNumber(value, &number) || number < 0 || number > kMost) {
    throw InvalidArgument(std::string(name) + ": a whole number of megabytes from 0 to " +
                          std::to_string(kMost) + " expected, not '" + std::string(value) + "'");
  }
  return number;
}

Spool TextSpool(int64_t limit) {
  return {Share(limit, 4, kTextBytes), OpenSpoolFile};
}

uint64_t WordBytes(int64_t limit) {
  return Share(limit, 2, CorpusBuilder::kMostWordBytes);
}

std::string DroppedWordsWarning(const Corpus& corpus, const Config& config) {
  if (corpus.dropped == 0) return {};
  return "there was too little memory to count all words: some that were met fewer than " +
         std::to_string(corpus.dropped + static_cast<uint64_t>(config.min_count)) +
         " times may be missing; give more with memory_limit";
}

MemoryNeed NeedOf(const Config& config, const Corpus& corpus, uint32_t ranks) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint64_t words = corpus.vocabulary.size(), ngrams = corpus.ngram_buckets.size();
  const uint64_t targets = TargetWords(corpus.vocabulary, config);
  MemoryNeed need;
  need.source = Matrix::Bytes(words + ngrams, dimension);
  need.target = Matrix::Bytes(targets, dimension);
  if (ranks > 1) need.bases = need.source + need.target;
  need.rare = std::max(RareWordBytes(corpus.vocabulary, config), HalvesBytes(config));
  need.texts = corpus.store.memory_bytes();
  need.tables = words * kBytesOfWord + targets * kBytesOfTarget + ngrams * kBytesOfNgram;
  need.workers = WorkerCount(config) * (kBytesOfWorker + Matrix::Bytes(kRowsOfWorker, dimension));
  return need;
}

void CheckMemory(const MemoryNeed& need, uint64_t available, const Config& config, int64_t limit) {
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
  // Rounded up, so that it is never as much as there is.
  const std::string needed = Megabytes(need.Total() + kMegabyte - 1);
  throw InvalidArgument("training needs about " + needed + ", and " +
                        (limit > 0 ? "memory_limit allows " + Megabytes(available) + "; raise it, "
                                   : Megabytes(available) + " are available; ") +
                        advice);
}

uint64_t MemoryFor(const MemoryNeed& need, int64_t limit) {
  if (limit > 0) return static_cast<uint64_t>(limit) * kMegabyte;
  const uint64_t free = AvailableMemory();
  return free == 0 ? 0 : free + need.Taken();
}

}  // namespace s2v
