// ns a call of the kernels that training and search spend their time in.
#include <algorithm>

#include "core/model/matrix.h"
#include "core/random.h"
#include "core/simd/kernels.h"
#include "tests/bench/bench.h"

namespace s2v::bench {
namespace {

constexpr size_t kRows = 48;  // features of a sentence of 25 words with bigrams

// Median ns of call(i), over batches of calls.
template <typename Call>
std::vector<double> Time(int64_t runs, size_t calls, Call call) {
  std::vector<double> ns;
  for (int64_t run = 0; run <= runs; run++) {
    const double start = Seconds();
    for (size_t i = 0; i < calls; i++) call(i);
    if (run > 0) ns.push_back((Seconds() - start) / static_cast<double>(calls) * 1e9);
  }
  return ns;
}

void Measure(const Options& options, const simd::Kernels& k, uint32_t n, uint64_t matrix_rows,
             const char* where) {
  Matrix matrix(matrix_rows, n);
  Matrix vectors(2, n);
  for (uint64_t r = 0; r < matrix_rows; r++) matrix[r][0] = 1e-3f;
  float* x = vectors[0];
  float* y = vectors[1];
  for (uint32_t i = 0; i < n; i++) x[i] = 1e-6f * static_cast<float>(i);
  Random random(1);
  std::vector<float*> rows;
  for (size_t i = 0; i < (1 << 14) + kRows; i++) {
    rows.push_back(matrix[random.Next() % matrix_rows]);
  }
  std::vector<float> scores(kRows);
  const size_t calls = matrix_rows > 1000 ? 2000 : 20000;
  const auto at = [&](size_t i) { return rows.data() + (i * kRows) % (1 << 14); };
  const std::string suffix = std::string(" ") + k.name + " n=" + std::to_string(n) + " " + where;
  const auto report = [&](const char* name, const std::vector<double>& ns) {
    Report(options, "kernels", name + suffix, ns, "ns");
  };
  report("dot", Time(options.runs, calls, [&](size_t i) { scores[0] += k.dot(*at(i), x, n); }));
  report("axpy", Time(options.runs, calls, [&](size_t i) { k.axpy(*at(i), 1e-6f, x, n); }));
  report("add_to_rows(48)",
         Time(options.runs, calls, [&](size_t i) { k.add_to_rows(at(i), kRows, x, n); }));
  report("dot_rows(11)", Time(options.runs, calls,
                              [&](size_t i) { k.dot_rows(scores.data(), at(i), 11, x, 1, n); }));
  report("axpy_rows(11)",
         Time(options.runs, calls, [&](size_t i) { k.axpy_rows(y, scores.data(), at(i), 11, n); }));
  report("pull_rows(11)", Time(options.runs, calls, [&](size_t i) {
           k.pull_rows(y, scores.data(), at(i), 11, x, 1, n);
         }));
  // The same memory as rows of int8, of which it holds more.
  const auto* numbers = reinterpret_cast<const int8_t*>(matrix[0]);
  std::vector<const int8_t*> small;
  for (size_t i = 0; i < rows.size(); i++) {
    small.push_back(numbers + random.Next() % (matrix_rows * sizeof(float)) * n);
  }
  std::fill(scores.begin(), scores.end(), 1e-6f);
  report("axpy_rows(48)", Time(options.runs, calls,
                               [&](size_t i) { k.axpy_rows(y, scores.data(), at(i), kRows, n); }));
  report("axpy_rows_int8(48)", Time(options.runs, calls, [&](size_t i) {
           k.axpy_rows_int8(y, scores.data(), small.data() + (i * kRows) % (1 << 14), kRows, n);
         }));
  double sums[2];
  report("dot_and_norm",
         Time(options.runs, calls, [&](size_t i) { k.dot_and_norm(sums, x, *at(i), n); }));
  report("quick_dot_and_norm",
         Time(options.runs, calls, [&](size_t i) { k.quick_dot_and_norm(sums, x, *at(i), n); }));
}

}  // namespace

void Kernels(const Options& options) {
  for (const simd::Kernels* k : simd::AvailableKernels()) {
    for (const int64_t dimension : options.dimensions) {
      const auto n = Matrix::Stride(static_cast<uint32_t>(dimension));
      Measure(options, *k, n, 48, "near");
      Measure(options, *k, n, (uint64_t{1} << 30) / (n * sizeof(float)), "1 GB");
    }
  }
}

}  // namespace s2v::bench
