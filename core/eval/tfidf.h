// TF-IDF bag of words: the simple rival that every embedding has to beat.
//
//   weight of word w in text d = count of w in d * (log((1 + n) / (1 + texts with w)) + 1)
//
// over n texts (the smoothed form of scikit-learn), cosine between texts. Words below min_count
// occurrences are left out, as they are for an embedding.
#ifndef S2V_CORE_EVAL_TFIDF_H_
#define S2V_CORE_EVAL_TFIDF_H_

#include "core/eval/encoder.h"
#include "core/text/tokenizer.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

class TfIdf : public SentenceEncoder {
 public:
  explicit TfIdf(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void AddText(std::string_view text);
  // Call once, after the last AddText and before the first Encode.
  void Fit(uint64_t min_count);

  std::string name() const override { return "tfidf"; }
  uint32_t dimension() const override { return words_.size(); }
  void Encode(std::string_view text, FeatureVector* vector) override;

 private:
  const Tokenizer& tokenizer_;
  WordTable words_;
  std::vector<uint64_t> counts_;     // [words] occurrences
  std::vector<uint64_t> texts_;      // [words] texts with the word
  std::vector<uint64_t> last_text_;  // [words] the last such text
  std::vector<float> idf_;           // [words]; 0: left out
  uint64_t text_count_ = 0;
  Tokens tokens_;
  std::vector<uint32_t> ids_;
};

}  // namespace s2v

#endif  // S2V_CORE_EVAL_TFIDF_H_
