// Small seeded random numbers (splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014). Not for secrets.
#pragma once

#include <cstdint>

namespace s2v {

inline uint64_t Mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix64(seed)) {}
  uint64_t Next() { return Mix64(state_ += 0x9e3779b97f4a7c15u); }
  // Uniform in [0, bound), bound > 0 (bias below bound / 2^32).
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(((Next() >> 32) * bound) >> 32); }
  // Uniform in [0, 1), 24 bits.
  float Uniform() { return static_cast<float>(Next() >> 40) * 0x1p-24f; }

 private:
  uint64_t state_;
};

// A pseudo-random permutation of 0 .. size-1 that needs no memory: a four-round Feistel network on
// the next even number of bits, walked until it falls inside the range (at most 4 steps expected).
class Permutation {
 public:
  Permutation(uint64_t seed, uint64_t size) : seed_(seed), size_(size) {
    while ((uint64_t{1} << (2 * half_bits_)) < size) half_bits_++;
    mask_ = (uint64_t{1} << half_bits_) - 1;
  }
  uint64_t operator[](uint64_t i) const {
    do i = Encrypt(i);
    while (i >= size_);
    return i;
  }

 private:
  uint64_t Encrypt(uint64_t x) const {
    uint64_t left = x >> half_bits_, right = x & mask_;
    for (uint64_t round = 1; round <= 4; round++) {
      const uint64_t next =
          left ^ (Mix64(right + seed_ * 0x9e3779b97f4a7c15u + (round << 56)) & mask_);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }
  uint64_t seed_, size_, mask_;
  int half_bits_ = 1;
};

}  // namespace s2v
