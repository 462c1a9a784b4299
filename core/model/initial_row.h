// Pseudo-random rows: where training starts the source embedding of a word, and where a word that a
// model does not know still stands when it is embedded (sql/schema.sql specifies them).
#ifndef S2V_CORE_MODEL_INITIAL_ROW_H_
#define S2V_CORE_MODEL_INITIAL_ROW_H_

#include <cmath>
#include <cstdint>

#include "core/random.h"

namespace s2v {

// row [dimension]: uniform in [-width, width], 16 bits a value, from the bits of Random(seed). For
// a word the seed is its hash, so that equal words have equal rows in every model.
inline void FillUniform(uint64_t seed, float width, float* row, uint32_t dimension) {
  Random random(seed);
  const float unit = width * (2.0f / 0xffff);
  uint64_t bits = 0;
  for (uint32_t i = 0; i < dimension; i++, bits >>= 16) {
    if (i % 4 == 0) bits = random.Next();
    row[i] = (static_cast<float>(bits & 0xffff) - 32767.5f) * unit;
  }
}

// The width that gives rows of this length (in the mean of their squares).
inline float WidthOfLength(float length, uint32_t dimension) {
  return length * std::sqrt(3.0f / static_cast<float>(dimension));
}

}  // namespace s2v

#endif  // S2V_CORE_MODEL_INITIAL_ROW_H_
