// The cosine of a vector with one word after another, each as if it were embedded alone.
//
//   WordSimilarity similarity(shape, query, BestKernels());
//   std::optional<double> cosine = similarity.Of(row);
//
// A word alone is its row of V without the common components: no weight changes its direction.
//
// Thread rule: belongs to one thread at a time.
#ifndef S2V_CORE_EMBED_WORD_SIMILARITY_H_
#define S2V_CORE_EMBED_WORD_SIMILARITY_H_

#include <optional>
#include <vector>

#include "core/embed/embedder.h"

namespace s2v {

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

#endif  // S2V_CORE_EMBED_WORD_SIMILARITY_H_
