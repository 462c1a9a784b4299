// Hashes of words and n-grams: part of the stored format (sql/schema.sql), so pinned by test
// vectors in tests/core/hash_test.cc.
//
//   word    XXH3 64 bits, seed 0, of the token's UTF-8 bytes
//   n-gram  XXH3 64 bits, seed 0, of the n word hashes, 8 bytes little-endian each, in order
//   bucket  the n-gram's hash modulo kBucketCount (core/config.h)
//
// An n-gram's bucket depends on its words' bytes alone, so a growing vocabulary reshuffles nothing.
#pragma once

// Compiled in vocabulary.cc, under names of our own: a program that embeds this may have an XXH3
// too.
#define XXH_NAMESPACE s2v_
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <string_view>

namespace s2v {

static_assert(std::endian::native == std::endian::little,
              "word hashes are hashed, and vectors stored, in memory order");

inline uint64_t HashWord(std::string_view word) {
  return XXH3_64bits(word.data(), word.size());
}

// word_hashes: of the n consecutive words, n >= 2.
inline uint64_t HashNgram(const uint64_t* word_hashes, size_t n) {
  return XXH3_64bits(word_hashes, n * sizeof(uint64_t));
}

// The rule of the program of Sent2Vec's authors, for models that come from it: ids of the n words
// in the order of their frequency. There, and so here, n-grams reach across unknown words.
inline uint64_t HashNgramOfIds(const uint64_t* ids, size_t n) {
  uint64_t hash = ids[0];
  for (size_t i = 1; i < n; i++) hash = hash * 116049371 + ids[i];
  return hash;
}

}  // namespace s2v
