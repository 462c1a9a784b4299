// A random sample of texts that come one by one, to which common components are fitted.
#ifndef S2V_CORE_EMBED_TEXT_SAMPLE_H_
#define S2V_CORE_EMBED_TEXT_SAMPLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace s2v {

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

}  // namespace s2v

#endif  // S2V_CORE_EMBED_TEXT_SAMPLE_H_
