// The ranks of MPI (core/train/ranks.h). REQUIRES: MPI_THREAD_SERIALIZED.
#ifndef S2V_EXT_MPI_MPI_RANKS_H_
#define S2V_EXT_MPI_MPI_RANKS_H_

#include <mpi.h>

#include "core/train/ranks.h"

namespace s2v {

class MpiRanks final : public RankGroup {
 public:
  MpiRanks();
  uint32_t rank() const override { return rank_; }
  uint32_t size() const override { return size_; }
  std::vector<std::string> Exchange(const std::vector<std::string>& to) override;
  void Sum(std::span<uint32_t> values) override;
  void Sum(std::span<Bfloat16> values) override;

 private:
  uint32_t rank_ = 0, size_ = 1;
  MPI_Op sum_;  // of Bfloat16
};

}  // namespace s2v

#endif  // S2V_EXT_MPI_MPI_RANKS_H_
