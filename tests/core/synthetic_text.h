// Texts of the tests: made of few words with a known structure, the same for the same seed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/config.h"
#include "core/random.h"
#include "core/train/corpus.h"
#include "core/train/trainer.h"

namespace s2v::test {

// "w0", "w1" ... : the rank-th most frequent word of a Zipf text.
inline std::string Word(uint32_t rank) {
  return "w" + std::to_string(rank);
}

// Draws ranks 0 .. words-1 with probability proportional to 1 / (rank + 1).
class Zipf {
 public:
  explicit Zipf(uint32_t words) {
    double sum = 0;
    for (uint32_t rank = 0; rank < words; rank++) sums_.push_back(sum += 1.0 / (rank + 1));
  }
  uint32_t Draw(Random* random) const {
    const double x = random->Uniform() * sums_.back();
    uint32_t low = 0, high = static_cast<uint32_t>(sums_.size()) - 1;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (sums_[middle] > x) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

 private:
  std::vector<double> sums_;
};

// Texts of 1 .. max_length words of a Zipf distribution.
inline std::vector<std::string> ZipfTexts(uint32_t texts, uint32_t words, uint32_t max_length,
                                          uint64_t seed) {
  Random random(seed);
  const Zipf zipf(words);
  std::vector<std::string> result(texts);
  for (std::string& text : result) {
    const uint32_t length = 1 + random.Below(max_length);
    for (uint32_t i = 0; i < length; i++) text += Word(zipf.Draw(&random)) + " ";
  }
  return result;
}

// A sentence of one of two topics: half of its 8 words from the topic's own 20, half from 20 of
// filler.
inline std::string TopicText(uint32_t topic, Random* random) {
  std::string text;
  for (int i = 0; i < 8; i++) {
    const bool filler = random->Below(2) == 0;
    text += (filler ? "f" : topic == 0 ? "a" : "b") + std::to_string(random->Below(20)) + " ";
  }
  return text;
}

// Text of i is of topic i % 2.
inline std::vector<std::string> TopicTexts(uint32_t texts, uint64_t seed) {
  Random random(seed);
  std::vector<std::string> result;
  for (uint32_t i = 0; i < texts; i++) result.push_back(TopicText(i % 2, &random));
  return result;
}

// For small texts: every word counts, white space tokens, one thread. Rates and starting values are
// the paper's, whatever the defaults are.
inline Config SmallConfig() {
  Config config;
  config.dimension = 16;
  config.epochs = 3;
  config.learning_rate = 0.2;
  config.recipe = kPaper;
  config.context_threshold = 0;
  config.initial_norm = 0;
  config.negatives = 10;
  config.ngram_dropout = 4;
  config.min_count = 1;
  config.min_target_count = 1;
  config.workers = 1;
  config.tokenizer = "whitespace";
  return config;
}

inline Corpus BuildCorpus(const Config& config, const std::vector<std::string>& texts) {
  CorpusBuilder builder(config);
  for (const std::string& text : texts) builder.Add(text);
  return builder.Finish();
}

inline Model TrainOn(const Config& config, const std::vector<std::string>& texts) {
  return Train(config, BuildCorpus(config, texts), [](const Progress&) { return true; });
}

inline bool SameBytes(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.dimension() == b.dimension() &&
         (a.rows() == 0 || std::memcmp(a[0], b[0], a.rows() * a.stride() * sizeof(float)) == 0);
}

inline Sentence SentenceOf(const Corpus& corpus, uint64_t i) {
  Sentence sentence;
  corpus.Read(i, &sentence);
  return sentence;
}

// Words, perhaps of no text, with the rows of their n-grams.
inline Sentence SentenceOf(const Corpus& corpus, const Config& config,
                           std::vector<uint32_t> words) {
  Sentence sentence;
  sentence.words = std::move(words);
  FindNgramRows(corpus.vocabulary, corpus.ngram_buckets, config, &sentence);
  return sentence;
}

}  // namespace s2v::test
