// The program `s2v-mpi`: `s2v train` by several processes, the ranks of MPI, each with a part of
// the texts. core/train/row_exchange.h says how their rows are kept alike, docs/mpi.md how it is
// used.
//
//   mpirun -n 4 s2v-mpi train news.db --table docs --column body
//
// Rank 0 prints and stores. What all ranks find wrong at the same time is said by rank 0, another
// error by the rank that has it, which then ends them all.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include "core/train/ranks.h"
#include "ext/cli/command.h"
#include "ext/cli/text.h"

namespace s2v {
namespace {

// What one call of MPI takes; its counts have 31 bits.
constexpr size_t kMostAtATime = size_t{1} << 28;
// Values that are summed in one go: what others send of them takes as much memory again.
constexpr size_t kSummedTogether = size_t{1} << 21;

// Sleeps between two looks, since the processor is for the workers: MPI's own waiting keeps it
// busy, and a look that comes too soon takes a worker's turn.
void Wait(std::vector<MPI_Request>* requests) {
  constexpr int kLooks = 20;
  constexpr useconds_t kShortest = 20, kLongest = 2000;
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

// The ranks of MPI. REQUIRES: MPI_THREAD_SERIALIZED.
class MpiRanks final : public RankGroup {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &on_this_machine_);
    MPI_Comm_free(&machine);
  }
  uint32_t rank() const override { return static_cast<uint32_t>(rank_); }
  uint32_t size() const override { return static_cast<uint32_t>(size_); }
  uint32_t on_this_machine() const override { return static_cast<uint32_t>(on_this_machine_); }
  std::vector<std::string> Exchange(const std::vector<std::string>& to) override {
    std::vector<uint64_t> sent, received(size());
    for (const std::string& bytes : to) sent.push_back(bytes.size());
    std::vector<MPI_Request> requests(1);
    MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD,
                  requests.data());
    Wait(&requests);
    std::vector<std::string> from(size());
    requests.clear();
    const auto each_piece = [](uint64_t size, auto visit) {
      for (uint64_t at = 0; at < size; at += kMostAtATime) {
        visit(at, static_cast<int>(std::min<uint64_t>(kMostAtATime, size - at)));
      }
    };
    for (uint32_t other = 0; other < size(); other++) {
      from[other].resize(received[other]);
      each_piece(received[other], [&](uint64_t at, int size) {
        MPI_Irecv(from[other].data() + at, size, MPI_BYTE, static_cast<int>(other), 0,
                  MPI_COMM_WORLD, &requests.emplace_back());
      });
      each_piece(sent[other], [&](uint64_t at, int size) {
        MPI_Isend(to[other].data() + at, size, MPI_BYTE, static_cast<int>(other), 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
      });
    }
    Wait(&requests);
    return from;
  }
  void Sum(std::span<uint32_t> values) override { SumAll<uint32_t>(values, MPI_UINT32_T); }
  void Sum(std::span<Bfloat16> values) override { SumAll<float>(values, MPI_UINT16_T); }

 private:
  template <typename Total, typename Value>
  void SumAll(std::span<Value> values, MPI_Datatype type) {
    for (size_t at = 0; at < values.size(); at += kSummedTogether) {
      const size_t n = std::min(kSummedTogether, values.size() - at);
      SumTogether<Total>(values.subspan(at, n), type);
    }
  }

  // Each rank adds up a part of the values: it gets that of all others, and sends them the sums. So
  // each sends (ranks - 1) / ranks of the values twice, and waits for two messages. (MPI_Iallreduce
  // in place gives all of the adding to rank 0.)
  template <typename Total, typename Value>
  void SumTogether(std::span<Value> values, MPI_Datatype type) {
    std::vector<int> begins, sizes;  // [ranks] their parts
    for (uint32_t rank = 0; rank < size(); rank++) {
      begins.push_back(static_cast<int>(values.size() * rank / size()));
      sizes.push_back(static_cast<int>(values.size() * (rank + 1) / size()) - begins.back());
    }
    const int n = sizes[rank()];
    Value* const part = values.data() + begins[rank()];
    const size_t all = static_cast<size_t>(n) * size();
    received_.resize(std::max(received_.size(), all * sizeof(Value)));
    Value* const received = reinterpret_cast<Value*>(received_.data());
    std::vector<int> received_begins, received_sizes(size(), n);
    for (int rank = 0; rank < size_; rank++) received_begins.push_back(rank * n);
    std::vector<MPI_Request> request(1);
    MPI_Ialltoallv(values.data(), sizes.data(), begins.data(), type, received,
                   received_sizes.data(), received_begins.data(), type, MPI_COMM_WORLD,
                   request.data());
    Wait(&request);
    constexpr int kInCache = 2048;
    std::array<Total, kInCache> totals;
    for (int first = 0; first < n; first += kInCache) {
      const int last = std::min(first + kInCache, n);
      totals.fill(0);
      for (int rank = 0; rank < size_; rank++) {
        const Value* const of_rank = received + rank * n;
        for (int i = first; i < last; i++) totals[i - first] += static_cast<Total>(of_rank[i]);
      }
      for (int i = first; i < last; i++) part[i] = static_cast<Value>(totals[i - first]);
    }
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), sizes.data(), begins.data(),
                    type, MPI_COMM_WORLD, request.data());
    Wait(&request);
  }

  int rank_ = 0, size_ = 1, on_this_machine_ = 1;
  // values of other ranks; kept, since new memory has to be made zero first
  std::vector<std::byte> received_;
};

int Run(int argc, char** argv, MpiRanks* ranks) {
  const bool first = ranks->rank() == 0;
  try {
    if (!first && std::freopen("/dev/null", "w", stdout) == nullptr) return kFailed;
    return RunProgram(
        {"s2v-mpi", "Sent2Vec inside SQLite: sentence embeddings trained by several processes.",
         [ranks](Command* program) { AddTrainCommand(program, ranks); }},
        argc, argv);
  } catch (const SharedError& error) {
    if (first) std::fprintf(stderr, "s2v-mpi: %s\n", error.what());
    return kFailed;
  } catch (const StoppedError& error) {  // of rank 0; the others are interrupted
    std::fprintf(stderr, "s2v-mpi: %s\n", error.what());
    return kInterrupted;
  } catch (...) {
    const Failure failure = CaughtFailure();
    // Rank 0 reports an error that both have.
    if (!first) sleep(1);
    const std::string who = first ? "" : "rank " + std::to_string(ranks->rank()) + ": ";
    WriteMessage("s2v-mpi: " + who + failure.message + "\n");
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, failure.code);
    return failure.code;
  }
}

}  // namespace
}  // namespace s2v

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  if (level < MPI_THREAD_SERIALIZED) {
    std::fprintf(stderr, "s2v-mpi: this MPI cannot be called from several threads\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int code = 1;
  {
    s2v::MpiRanks ranks;
    code = s2v::Run(argc, argv, &ranks);
  }
  MPI_Finalize();
  return code;
}
