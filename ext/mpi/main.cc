// The program `s2v-mpi`: `s2v train` by several processes, the ranks of MPI, each with a part of the
// texts. core/train/row_exchange.h says how their rows are kept alike, docs/mpi.md how it is used.
//
//   mpirun -n 4 s2v-mpi train news.db --table docs --column body
//
// Rank 0 prints and stores. What all ranks find wrong at the same time is said by rank 0, another
// error by the rank that has it, which then ends them all.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>

#include "ext/cli/command.h"
#include "ext/mpi/mpi_ranks.h"

namespace s2v {
namespace {

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
    // An error that rank 0 has too is told once.
    if (!first) sleep(1);
    const std::string who = first ? "" : "rank " + std::to_string(ranks->rank()) + ": ";
    std::fprintf(stderr, "s2v-mpi: %s%s\n", who.c_str(), failure.message.c_str());
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
