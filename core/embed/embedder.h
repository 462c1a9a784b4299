// From a text to its sentence embedding: the only inference path. The trainer's tests, the SQL
// functions and the command line all call it.
//
//   v_S = (1 / |R(S)|) * sum of v_r over r in R(S)          (eq. 2 of the paper)
//
// R(S): the known words of the text and its n-grams that have a row, each as often as it occurs; an
// n-gram does not reach across an unknown word, but for models of the authors' program.
//
// Beyond the paper, where the model was trained with it: a feature counts with its weight of smooth
// inverse frequency, a word more where it comes in bursts or is rare, and less behind the opening
// of a text (core/model/feature.h). Unknown words count too, with the fixed random row that
// training would have started them from, where the text has a feature that is known.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/pieces.h"
#include "core/model/feature.h"
#include "core/model/feature_source.h"
#include "core/model/model.h"
#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"
#include "core/vocab/hash.h"

namespace s2v {

// What of a model's parameters inference needs.
struct EmbeddingShape {
  uint32_t dimension = 0;
  uint32_t ngram_order = 1;
  const Tokenizer* tokenizer = nullptr;
  float smoothing = 0;           // a of the weights a / (a + f); 0: no weights
  float unknown_norm = 0;        // length of an unknown word's row; 0: they count nothing
  float unknown_frequency = 0;   // of an unknown word: as if it were met once
  uint64_t id_buckets = 0;       // not 0: n-grams are HashNgramOfIds modulo that
  bool favours_opening = false;  // weights are multiplied by WeightOfPlace

  // Of a word at this place of a text, and of an n-gram that ends there.
  float WeightOfPlace(size_t place) const { return favours_opening ? PlaceWeight(place) : 1; }
  // Of a known feature by itself, in a text with this BurstShare.
  float WeightOf(const Feature& feature, float burst_share) const {
    const float weight = FeatureWeight(smoothing, feature.frequency);
    return feature.burst > 0 ? weight * WordWeight(feature.burst, burst_share, feature.frequency,
                                                   unknown_frequency)
                             : weight;
  }
  uint64_t bucket_count() const { return id_buckets > 0 ? id_buckets : kBucketCount; }
  // Of n consecutive words: their hashes, or their ids with id_buckets.
  uint64_t Bucket(const uint64_t* words, size_t n) const {
    return (id_buckets > 0 ? HashNgramOfIds(words, n) : HashNgram(words, n)) % bucket_count();
  }
};

// The row of an unknown word [dimension]. hash: HashWord(word).
void FillUnknownRow(const EmbeddingShape& shape, uint64_t hash, float* row);

// Thread rule: belongs to one thread at a time.
class Embedder {
 public:
  // source must outlive it.
  Embedder(const EmbeddingShape& shape, FeatureSource* source)
      : shape_(shape), source_(source), cutter_(*shape.tokenizer, source) {}
  // Writes v_S, eq. 2 itself, to embedding [dimension] and returns |R(S)|; 0 where no feature is
  // known, or the sum is beyond what a float can be (then embedding is all zeros). Throws what the
  // source throws.
  size_t Embed(std::string_view text, float* embedding);
  // Writes the embedding that is stored and compared: with the model's weights, of length 1. False
  // where there is none: no known feature, or they cancel out.
  bool EmbedUnit(std::string_view text, float* embedding);
  uint32_t dimension() const { return shape_.dimension; }

 private:
  // sum [dimension] = sum over the features of the text of their rows, or, where is_weighted, of
  // their weights times rows. Fills unknown_, which it does not add. Returns |R(S)|.
  size_t Sum(std::string_view text, bool is_weighted, float* sum);
  // Fills features_ with the known features of some tokens: words, then the n-grams that end there.
  // Appends the others to unknown_.
  void FindFeatures(size_t first, size_t end);
  // Appends to run_ the next known word, and to buckets_ those of the n-grams that it ends.
  void AddNgrams(uint64_t word);
  // Adds the rows of made_ to sum; returns how many there are.
  size_t AddMade(bool is_weighted, float* sum);
  // sum [dimension] += sum of weights_[r] * row of features_[r]. May change weights_.
  void AddRows(float* sum);
  void AddUnknown(float* sum);

  const EmbeddingShape shape_;
  FeatureSource* source_;
  const simd::Kernels& k_ = simd::BestKernels();
  TextCutter cutter_;
  // What follows is scratch, kept from text to text.
  Tokens tokens_;
  std::vector<WordKey> words_;       // [tokens of a batch]
  std::vector<uint64_t> run_;        // consecutive known words up to here, as Bucket takes them
  std::vector<uint64_t> buckets_;    // [n-grams of a batch]
  std::vector<Feature> features_;    // [known features of a batch]
  std::vector<float> places_;        // [features_] WeightOfPlace of each
  std::vector<float> ngram_places_;  // [buckets_]
  std::vector<float> weights_;       // [features_]
  std::vector<const float*> float32_rows_;  // [features_], one of these two
  std::vector<const int8_t*> int8_rows_;
  struct Unknown {
    WordKey key;  // its word in tokens_
    float place;  // WeightOfPlace
  };
  std::vector<Unknown> made_;  // unknown words of a batch that may have a row of their characters
  std::vector<Unknown> unknown_;  // the text's unknown words, each as often as it occurs
  std::vector<float> unknown_row_;
};

// Embeddings of texts [texts, dimension] as EmbedUnit gives them; all zeros where a text has none.
std::vector<float> EmbedAll(std::span<const std::string> texts, const EmbeddingShape& shape,
                            FeatureSource* source);
// The mean cosine of two models' embeddings of the same texts, 0 where b has none; texts: how many
// have one by a.
struct MeanCosine {
  double cosine = 0;
  uint64_t texts = 0;
};
MeanCosine CompareEmbeddings(std::span<const float> a, std::span<const float> b,
                             uint32_t dimension);

// Scales v to length 1. False, leaving v as it is, where its length is 0 or not finite.
bool Normalize(float* v, uint32_t dimension);

// The rows of a model in memory.
class ModelFeatures : public FeatureSource {
 public:
  explicit ModelFeatures(const Model& model) : model_(model) {}
  Feature Word(std::string_view word, uint64_t hash) override;
  Feature Ngram(uint64_t bucket) override;
  float LeastFrequency() override;

 private:
  const Model& model_;
};

EmbeddingShape ShapeOf(const Model& model);

}  // namespace s2v
