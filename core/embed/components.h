// The first principal components of a set of vectors: the common directions that smooth inverse
// frequency weighting takes away (Arora, Liang, Ma, "A simple but tough-to-beat baseline for
// sentence embeddings", ICLR 2017).
#ifndef S2V_CORE_EMBED_COMPONENTS_H_
#define S2V_CORE_EMBED_COMPONENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "core/random.h"
#include "core/simd/kernels.h"

namespace s2v {

// A random sample of texts that come one by one, to which common components are fitted.
class TextSample {
 public:
  static constexpr size_t kTexts = 10000, kTextBytes = 4096;

  explicit TextSample(uint64_t seed) : random_(seed) {}

  // Algorithm R of Waterman: every text is in the sample with the same probability.
  void Add(std::string_view text) {
    count_++;
    text = text.substr(0, kTextBytes);
    if (texts_.size() < kTexts) {
      texts_.emplace_back(text);
    } else if (const uint64_t at = random_.Next() % count_; at < kTexts) {
      texts_[at] = text;
    }
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  Random random_;
  uint64_t count_ = 0;
  std::vector<std::string> texts_;
};

// [count, dimension] orthonormal: the directions of largest sum of squares of vectors [rows,
// dimension], not centred, by orthogonal iteration from a fixed start. Fewer where the vectors span
// fewer.
std::vector<float> PrincipalComponents(std::span<const float> vectors, uint32_t dimension,
                                       uint32_t count, const simd::Kernels& kernels);

// v -= its projections on the components [any, dimension].
void RemoveComponents(std::span<const float> components, float* v, uint32_t dimension,
                      const simd::Kernels& kernels);
// The same. False where nothing but rounding is left of v: it lay in the components.
bool RemoveComponentsFrom(std::span<const float> components, float* v, uint32_t dimension,
                          const simd::Kernels& kernels);

// The cosine of a vector with one word after another, each as if it were embedded alone.
//
//   WordSimilarity similarity(shape, query, BestKernels());
//   std::optional<double> cosine = similarity.Of(row);
//
// A word alone is its row of V without the common components: no weight changes its direction.
//
// Thread rule: belongs to one thread at a time.
class WordSimilarity {
 public:
  // query: [dimension], finite. kernels must outlive it.
  WordSimilarity(const EmbeddingShape& shape, std::vector<float> query,
                 const simd::Kernels& kernels);
  // False where the query is a zero vector: it is near to nothing.
  bool has_direction() const { return square_ > 0; }
  // From -1 to 1; nothing where the word has no direction. row: [dimension] float32 of V, which
  // need no alignment. REQUIRES: has_direction().
  std::optional<double> Of(const void* row);

 private:
  const std::vector<float> components_, query_;
  const simd::Kernels& k_;
  double square_ = 0;             // of the query's length
  std::vector<float> projected_;  // [dimension]
};

}  // namespace s2v

#endif  // S2V_CORE_EMBED_COMPONENTS_H_
