// Several processes that train one model together, each on its own texts: what they tell each
// other.
//
// Every call is made by all ranks, in the same order, and returns when all have made it. core knows
// no more of the other processes: ext/mpi reaches them by MPI; in the tests they are threads of one
// process.
//
// Thread rule: one call at a time, from any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace s2v {

// What is wrong on all ranks, each of which throws it: none waits for another.
class SharedError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

// The upper half of a float, rounded: half as many bytes to send, and 8 bits of precision.
struct Bfloat16 {
  Bfloat16() = default;
  explicit Bfloat16(float value) {
    const auto all = std::bit_cast<uint32_t>(value);
    bits = static_cast<uint16_t>((all + 0x7fff + ((all >> 16) & 1)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  Bfloat16& operator+=(Bfloat16 other) {
    return *this = Bfloat16(static_cast<float>(*this) + static_cast<float>(other));
  }
  uint16_t bits = 0;
};

class RankGroup {
 public:
  virtual ~RankGroup() = default;
  virtual uint32_t rank() const = 0;
  virtual uint32_t size() const = 0;
  bool IsAlone() const { return size() == 1; }
  bool IsFirst() const { return rank() == 0; }
  // How many of them have their memory in common, this one among them.
  virtual uint32_t on_this_machine() const { return 1; }
  // to [size]: for each rank. Returns what each rank has for this one.
  virtual std::vector<std::string> Exchange(const std::vector<std::string>& to) = 0;
  // Sums over the ranks, the same bytes on all of them.
  virtual void Sum(std::span<uint32_t> values) = 0;
  virtual void Sum(std::span<Bfloat16> values) = 0;

  // What each rank has.
  std::vector<std::string> Gather(const std::string& mine) {
    return Exchange(std::vector<std::string>(size(), mine));
  }
  std::vector<uint64_t> Gather(uint64_t mine) {
    std::vector<uint64_t> all;
    for (const std::string& bytes : Gather(std::string(reinterpret_cast<const char*>(&mine), 8))) {
      std::memcpy(&all.emplace_back(), bytes.data(), 8);
    }
    return all;
  }
  uint64_t Total(uint64_t mine) {
    const std::vector<uint64_t> all = Gather(mine);
    return std::accumulate(all.begin(), all.end(), uint64_t{0});
  }
  // The texts that rank 0 has; they hold no zero bytes.
  std::vector<std::string> GatherFirst(const std::vector<std::string>& mine);
};

// What a process was started with, and a name for it: "dimension", "100".
using NamedValue = std::pair<std::string, std::string>;
// Throws SharedError where a rank has other values than rank 0, naming the first difference. The
// version comes first, since another version may have other names.
void CheckAlike(RankGroup* ranks, const std::vector<NamedValue>& values);

// A process that trains by itself: the one rank of its group.
class OneRank final : public RankGroup {
 public:
  uint32_t rank() const override { return 0; }
  uint32_t size() const override { return 1; }
  std::vector<std::string> Exchange(const std::vector<std::string>& to) override { return to; }
  void Sum(std::span<uint32_t>) override {}
  void Sum(std::span<Bfloat16>) override {}
};
// One for all, since it has no state.
inline RankGroup* Alone() {
  static OneRank alone;
  return &alone;
}

}  // namespace s2v
