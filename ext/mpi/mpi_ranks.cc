#include "ext/mpi/mpi_ranks.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>

namespace s2v {
namespace {

// What one call of MPI takes; its counts have 31 bits.
constexpr size_t kMostAtATime = size_t{1} << 28;
// Values of a sum that are on their way together: the memory that MPI takes for them is soon used again.
constexpr size_t kSummedTogether = size_t{1} << 15;

// Sleeps between two looks, since the processor is for the workers: MPI's own waiting keeps it busy.
void Wait(std::vector<MPI_Request>* requests) {
  constexpr int kLooks = 20;
  constexpr useconds_t kShortest = 20, kLongest = 500;
  int done = 0;
  useconds_t pause = kShortest;
  for (int look = 0;; look++) {
    MPI_Testall(static_cast<int>(requests->size()), requests->data(), &done, MPI_STATUSES_IGNORE);
    if (done) return;
    if (look < kLooks) continue;
    usleep(pause);
    pause = std::min(pause * 2, kLongest);
  }
}

template <typename Value>
void SumAll(std::span<Value> values, MPI_Datatype type, MPI_Op sum) {
  std::vector<MPI_Request> requests;
  for (size_t at = 0; at < values.size(); at += kSummedTogether) {
    MPI_Iallreduce(MPI_IN_PLACE, values.data() + at,
                   static_cast<int>(std::min(kSummedTogether, values.size() - at)), type, sum,
                   MPI_COMM_WORLD, &requests.emplace_back());
  }
  Wait(&requests);
}

void AddBfloat16s(void* in, void* in_out, int* n, MPI_Datatype* /*type*/) {
  const auto* const __restrict from = static_cast<const Bfloat16*>(in);
  auto* const __restrict to = static_cast<Bfloat16*>(in_out);
  for (int i = 0; i < *n; i++) to[i] += from[i];
}

}  // namespace

MpiRanks::MpiRanks() {
  MPI_Op_create(AddBfloat16s, 1, &sum_);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<uint32_t>(rank);
  size_ = static_cast<uint32_t>(size);
}

std::vector<std::string> MpiRanks::Exchange(const std::vector<std::string>& to) {
  std::vector<uint64_t> sent, received(size_);
  for (const std::string& bytes : to) sent.push_back(bytes.size());
  std::vector<MPI_Request> requests(1);
  MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD,
                requests.data());
  Wait(&requests);
  std::vector<std::string> from(size_);
  requests.clear();
  const auto each_piece = [](uint64_t size, auto visit) {
    for (uint64_t at = 0; at < size; at += kMostAtATime) {
      visit(at, static_cast<int>(std::min<uint64_t>(kMostAtATime, size - at)));
    }
  };
  for (uint32_t other = 0; other < size_; other++) {
    from[other].resize(received[other]);
    each_piece(received[other], [&](uint64_t at, int size) {
      MPI_Irecv(from[other].data() + at, size, MPI_BYTE, static_cast<int>(other), 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
    each_piece(sent[other], [&](uint64_t at, int size) {
      MPI_Isend(to[other].data() + at, size, MPI_BYTE, static_cast<int>(other), 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
  }
  Wait(&requests);
  return from;
}

void MpiRanks::Sum(std::span<uint32_t> values) {
  SumAll(values, MPI_UINT32_T, MPI_SUM);
}

void MpiRanks::Sum(std::span<Bfloat16> values) {
  SumAll(values, MPI_UINT16_T, sum_);
}

}  // namespace s2v
