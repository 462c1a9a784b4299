// The arithmetic of the index (core/search) alone, in memory: no SQLite, and an exact similarity
// costs what a dot product in memory does.
//
// --vectors is a file of embeddings as `s2v embed --format raw` writes them, of length 1, of the
// first --dimension. Its first --rows are the table, its last 200 the questions. Times are the
// processor's, since nothing here waits; medians over the questions, each the best of --runs.
#include <time.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "core/random.h"
#include "core/search/search.h"
#include "tests/bench/bench.h"

namespace s2v::bench {
namespace {

using search::Block;
using search::Hit;

constexpr size_t kAskedVectors = 200;

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Vectors {
  std::vector<float> rows, questions;  // [rows, dimension], [kAskedVectors, dimension]
};

Vectors ReadVectors(const Options& options, size_t dimension) {
  const size_t bytes = dimension * sizeof(float), rows = static_cast<size_t>(options.rows);
  std::ifstream in(options.vectors, std::ios::binary | std::ios::ate);
  const auto size = static_cast<size_t>(std::max<std::streamoff>(in.tellg(), 0));
  if (size < (rows + kAskedVectors) * bytes) throw std::runtime_error("--vectors has too few rows");
  Vectors vectors{std::vector<float>(rows * dimension),
                  std::vector<float>(kAskedVectors * dimension)};
  in.seekg(0);
  in.read(reinterpret_cast<char*>(vectors.rows.data()), static_cast<std::streamsize>(rows * bytes));
  in.seekg(static_cast<std::streamoff>(size - kAskedVectors * bytes));
  in.read(reinterpret_cast<char*>(vectors.questions.data()),
          static_cast<std::streamsize>(kAskedVectors * bytes));
  return vectors;
}

class MemoryIndex {
 public:
  MemoryIndex(const Vectors& vectors, size_t dimension, const simd::Kernels& kernels)
      : vectors_(vectors.rows),
        dimension_(dimension),
        space_(static_cast<uint32_t>(dimension), 1, kernels),
        lists_(space_) {
    const size_t rows = vectors_.size() / dimension, width = space_.width();
    std::vector<float> sample(search::SampleRows(rows, space_) * dimension), x(width);
    const Permutation order(1, rows);
    for (size_t i = 0; i * dimension < sample.size(); i++) {
      std::copy_n(Vector(order[i]), dimension, &sample[i * dimension]);
    }
    const std::vector<float> centres = search::MakeCentres(space_, sample, rows, 1);
    blocks_.resize(centres.size() / width);
    const auto set = [&](size_t at, uint64_t count) {
      lists_.Set(static_cast<int64_t>(at), count, std::span(centres).subspan(at * width, width));
    };
    for (size_t at = 0; at < blocks_.size(); at++) set(at, 0);
    lists_.PrepareNearest();
    for (size_t row = 0; row < rows; row++) {
      space_.Rotate(Vector(row), x.data());
      const size_t at = lists_.Nearest({Vector(row), dimension})[0];
      std::vector<Block>& list = blocks_[at];
      if (list.empty() || list.back().is_full()) list.emplace_back(space_);
      list.back().Add(static_cast<int64_t>(row),
                      search::MakeCode(space_, x.data(), lists_.centre(at)));
    }
    for (size_t at = 0; at < blocks_.size(); at++) {
      uint64_t count = 0;
      for (const Block& block : blocks_[at]) count += block.rows();
      set(at, count);
    }
  }

  double Similarity(const float* question, int64_t row) const {
    return space_.kernels().dot(question, Vector(static_cast<size_t>(row)), dimension_);
  }
  std::vector<Hit> Exact(const float* question, size_t k, const search::RowSet* filter) const {
    search::TopHits hits(k);
    for (size_t row = 0; row * dimension_ < vectors_.size(); row++) {
      const auto rowid = static_cast<int64_t>(row);
      if (filter == nullptr || filter->Contains(rowid))
        hits.Add({rowid, Similarity(question, rowid)});
    }
    return hits.Take();
  }
  // Also the rows whose codes were read, and whose similarities were asked for.
  std::vector<Hit> Find(const float* question, size_t k, const search::RowSet* filter,
                        double* scanned, double* scored) const {
    search::Search search(space_, lists_, question, k, {.allowed = filter});
    *scanned = *scored = 0;
    while (const auto at = search.NextList()) {
      for (const Block& block : blocks_[*at]) {
        search.Scan(block, block);
        *scanned += block.rows();
      }
    }
    for (; const auto row = search.NextCandidate(); ++*scored) {
      search.Score(*row, Similarity(question, *row));
    }
    return search.Hits();
  }
  double BytesPerRow() const {
    size_t bytes = lists_.size() * space_.width() * sizeof(float);
    for (const std::vector<Block>& list : blocks_) {
      for (const Block& block : list) bytes += block.Bytes().size();
    }
    return static_cast<double>(bytes * dimension_) / static_cast<double>(vectors_.size());
  }

 private:
  const float* Vector(size_t row) const { return &vectors_[row * dimension_]; }

  const std::vector<float>& vectors_;
  const size_t dimension_;
  search::CodeSpace space_;
  search::Lists lists_;
  std::vector<std::vector<Block>> blocks_;  // by position in lists_
};

void Ask(const Options& options, const MemoryIndex& index, const Vectors& vectors, size_t k,
         const search::RowSet* filter, const std::string& what) {
  std::vector<double> ms, recall, scanned, scored;
  const size_t dimension = vectors.questions.size() / kAskedVectors;
  for (size_t q = 0; q < kAskedVectors; q++) {
    const float* question = &vectors.questions[q * dimension];
    const std::vector<Hit> exact = index.Exact(question, k, filter);
    std::vector<Hit> found;
    scanned.push_back(0);
    scored.push_back(0);
    ms.push_back(1e9);
    for (int64_t run = 0; run < options.runs; run++) {
      const double start = ProcessorSeconds();
      found = index.Find(question, k, filter, &scanned.back(), &scored.back());
      ms.back() = std::min(ms.back(), (ProcessorSeconds() - start) * 1e3);
    }
    double both = 0;
    for (const Hit& hit : exact) {
      both += static_cast<double>(std::count_if(
          found.begin(), found.end(), [&](const Hit& f) { return f.rowid == hit.rowid; }));
    }
    recall.push_back(exact.empty() ? 1 : both / static_cast<double>(exact.size()));
  }
  double mean = 0;
  for (const double r : recall) mean += r / kAskedVectors;
  Report(options, "core", what + " recall", {mean}, "");
  Report(options, "core", what, ms, "ms");
  Report(options, "core", what + " codes read", scanned, "rows");
  Report(options, "core", what + " scored", scored, "rows");
}

}  // namespace

void SearchCore(const Options& options) {
  const auto dimension = static_cast<size_t>(options.dimensions.front());
  const Vectors vectors = ReadVectors(options, dimension);
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    const double start = ProcessorSeconds();
    const MemoryIndex index(vectors, dimension, *kernels);
    const double seconds = ProcessorSeconds() - start;
    const std::string name = kernels->name;
    Report(options, "core", name + " building", {static_cast<double>(options.rows) / seconds},
           "rows/s");
    Report(options, "core", name + " size", {index.BytesPerRow()}, "bytes/row");
    for (const size_t k : {10, 100}) {
      Ask(options, index, vectors, k, nullptr, name + " top " + std::to_string(k));
    }
    for (const uint32_t every : {2, 100, 10000}) {
      Random random(3);
      std::vector<int64_t> allowed;
      for (int64_t row = 0; row < options.rows; row++) {
        if (random.Below(every) == 0) allowed.push_back(row);
      }
      const search::RowSet set(std::move(allowed));
      Ask(options, index, vectors, 10, &set, name + " 1 row in " + std::to_string(every));
    }
  }
}

}  // namespace s2v::bench
