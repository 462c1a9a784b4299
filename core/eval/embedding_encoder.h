// Embeddings as an encoder: of length 1, as they are stored and compared, or eq. 2 itself.
#ifndef S2V_CORE_EVAL_EMBEDDING_ENCODER_H_
#define S2V_CORE_EVAL_EMBEDDING_ENCODER_H_

#include <string>
#include <vector>

#include "core/embed/embedder.h"
#include "core/eval/encoder.h"

namespace s2v {

class EmbeddingEncoder : public SentenceEncoder {
 public:
  // source and kernels must outlive it.
  EmbeddingEncoder(std::string name, const EmbeddingShape& shape, FeatureSource* source,
                   const simd::Kernels& kernels, bool raw);
  std::string name() const override { return name_; }
  uint32_t dimension() const override { return embedder_.dimension(); }
  void Encode(std::string_view text, FeatureVector* vector) override;

 private:
  const std::string name_;
  const bool raw_;
  Embedder embedder_;
};

}  // namespace s2v

#endif  // S2V_CORE_EVAL_EMBEDDING_ENCODER_H_
