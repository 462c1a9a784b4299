#include "core/train/continuation.h"

#include <algorithm>
#include <cstring>

namespace s2v {
namespace {

void CopyRow(const Matrix& from, uint64_t from_row, uint64_t to_row, Matrix* to) {
  std::memcpy((*to)[to_row], from[from_row], from.stride() * sizeof(float));
}

}  // namespace

void KeepForReplay(uint64_t old_sentences, uint64_t seed, Corpus* corpus) {
  const uint64_t old = corpus->first_new_sentence;
  if (old_sentences >= old) return;
  const Permutation order(seed, old);
  corpus->replayed.clear();
  for (uint64_t i = 0; i < old_sentences; i++) corpus->replayed.push_back(order[i]);
  // In their order, since neighbours in the store are near in memory.
  std::sort(corpus->replayed.begin(), corpus->replayed.end());
  corpus->left_out = old - old_sentences;
  corpus->first_new_sentence = old_sentences;
}

TrainingState StateOf(const Model& model, const Config& config, const Corpus& corpus) {
  const Vocabulary& words = corpus.vocabulary;
  const auto dimension = static_cast<uint32_t>(config.dimension);
  TrainingState state;
  state.losses.resize(static_cast<size_t>(config.epochs));
  state.source = Matrix(words.size() + corpus.ngram_buckets.size(), dimension);
  state.target =
      Matrix(words.PrefixWithCount(static_cast<uint64_t>(config.min_target_count)), dimension);
  for (uint32_t id = 0; id < words.size(); id++) {
    const uint32_t before = model.vocabulary.words.Find(words.words[id], words.words.hash(id));
    if (before == kUnknownWord) {
      FillSourceRow(config, words, id, &state.source);
      continue;
    }
    CopyRow(model.source, before, id, &state.source);
    if (before < model.target.rows() && id < state.target.rows()) {
      CopyRow(model.target, before, id, &state.target);
    }
  }
  size_t before = 0;  // both lists of buckets rise
  for (size_t i = 0; i < corpus.ngram_buckets.size(); i++) {
    const uint32_t bucket = corpus.ngram_buckets[i];
    const uint64_t row = words.size() + i;
    while (before < model.ngram_buckets.size() && model.ngram_buckets[before] < bucket) before++;
    if (before < model.ngram_buckets.size() && model.ngram_buckets[before] == bucket) {
      CopyRow(model.source, model.vocabulary.size() + before, row, &state.source);
    } else {
      FillSourceRow(config, words, row, &state.source);
    }
  }
  return state;
}

}  // namespace s2v
