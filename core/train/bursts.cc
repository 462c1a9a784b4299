#include "core/train/bursts.h"

#include <cstdint>
#include <vector>

#include "core/model/feature.h"

namespace s2v {
namespace {

// [2, words]: how often words are met, and how many sentences have them.
Matrix Count(const Corpus& corpus, uint32_t words, const Tick& tick) {
  constexpr uint64_t kSentencesPerTick = 1024;
  struct Counts {
    uint64_t times = 0, sentences = 0, last = UINT64_MAX;  // last: sentence that had it
  };
  std::vector<Counts> counts(words);
  Sentence sentence;
  for (uint64_t i = 0; i < corpus.store.size(); i++) {
    if (i % kSentencesPerTick == 0) tick();
    corpus.store.Read(i, &sentence);
    for (const uint32_t id : sentence.words) {
      if (id == kUnknownWord) continue;
      counts[id].times++;
      if (counts[id].last != i) counts[id].sentences++;
      counts[id].last = i;
    }
  }
  Matrix counted(2, words);
  for (uint32_t id = 0; id < words; id++) {
    counted[0][id] = static_cast<float>(counts[id].times);
    counted[1][id] = static_cast<float>(counts[id].sentences);
  }
  return counted;
}

}  // namespace

void FindBursts(const Corpus& corpus, const SumOfRanks& sum, const Tick& tick, Model* model) {
  const uint32_t words = model->vocabulary.size();
  model->word_bursts.clear();
  if (model->config.smoothing == 0 || words == 0) return;
  Matrix counted = Count(corpus, words, tick);
  sum(&counted);
  const auto sentences = static_cast<double>(corpus.store.size() + corpus.other_sentences);
  for (uint32_t id = 0; id < words; id++) {
    model->word_bursts.push_back(
        static_cast<float>(WordBurst(counted[0][id], sentences, counted[1][id])));
  }
}

}  // namespace s2v
