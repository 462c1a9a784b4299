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
  std::vector<bool> kept(old);
  const Permutation order(seed, old);
  for (uint64_t i = 0; i < old_sentences; i++) kept[order[i]] = true;
  uint64_t write = 0, sentences = 0;
  for (uint64_t i = 0, begin = 0; i < corpus->sentences(); i++) {
    const uint64_t end = corpus->sentence_ends[i];
    if (i >= old || kept[i]) {
      std::copy(corpus->tokens.begin() + static_cast<int64_t>(begin),
                corpus->tokens.begin() + static_cast<int64_t>(end),
                corpus->tokens.begin() + static_cast<int64_t>(write));
      write += end - begin;
      corpus->sentence_ends[sentences++] = write;
    }
    begin = end;
  }
  corpus->tokens.resize(write);
  corpus->sentence_ends.resize(sentences);
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
      FillSourceRow(config, true, id, &state.source);
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
      FillSourceRow(config, false, row, &state.source);
    }
  }
  return state;
}

}  // namespace s2v
