// Vector arithmetic on float32 rows, one body compiled for several instruction sets.
//
// The best set that the running CPU has is chosen at run time. Sets of different width add in a
// different order and so differ in the last digits.
//
// Unless said otherwise n is any number of floats (0 allowed), pointers need no alignment beyond
// that of float, and distinct parameters do not overlap. Nothing here checks for NaN.
//
// Thread rule: pure functions. Training calls them on rows that other workers read and write at the
// same time (Hogwild): a race on purpose, confined to these functions, built without the thread
// sanitizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace s2v::simd {

// Vectors that a kernel multiplies with the same rows in one call, at most.
inline constexpr size_t kMostTogether = 4;

// 32 rows of a block of the search index (core/search/codes.h).
struct CodeGroup {
  const uint8_t* codes;  // [quads, 16]
  const float* scales;   // [32]
  const float* offsets;  // [32]
  const uint8_t* ahead;  // [quads, 16] of a group that comes soon: fetched meanwhile
};

// A query of the search index, and the list that is scanned.
struct CodeTable {
  const uint8_t* entries;  // [quads, 16], at most 63 and 65535 / quads
  size_t quads;            // of dimensions, a multiple of 4
  float least, step;       // a code's product with the query is least + step * sum of its entries
  float base, along;       // an estimate is base + along * offset + scale * product
};

// Centres whose nearness to vectors is told together (core/search/nearest_centre.h).
struct CentreGroup {
  static constexpr size_t kSize = 16;
  // [quads, kSize, 4]: 128 more than -127 to 127; four of each centre one after another
  const uint8_t* numbers;
  const float* scales;        // [kSize] a centre is scale * (numbers - 128)
  const float* half_squares;  // [kSize]
  size_t quads;               // of dimensions
};

// A vector that is scale * numbers.
struct SmallVector {
  const int8_t* numbers;  // [4 * quads], -63 to 63: two products with a centre's fit into 16 bits
  int32_t sum;            // of the numbers, times 128
  float scale;
  float least;  // nearer than this is near
};

struct Kernels {
  const char* name;

  // sum of a[i] * b[i]
  float (*dot)(const float* a, const float* b, size_t n);
  // y[i] += a * x[i]
  void (*axpy)(float* y, float a, const float* x, size_t n);
  // y[i] *= a
  void (*scale)(float* y, float a, size_t n);
  // rows[r][i] += x[i] for every r; a row that is given twice gets x twice
  void (*add_to_rows)(float* const* rows, size_t count, const float* x, size_t n);
  // out[s * count + r] = sum over i of rows[r][i] * x[s * n + i], for x_count <= kMostTogether
  // vectors x of n floats, end to end: each row is read once for all of them
  void (*dot_rows)(float* out, const float* const* rows, size_t count, const float* x,
                   size_t x_count, size_t n);
  // y[i] += sum over r of a[r] * rows[r][i]
  void (*axpy_rows)(float* y, const float* a, const float* const* rows, size_t count, size_t n);
  // y[i] = a * (x[i] - sum over r of rows[r][i])
  void (*scaled_difference)(float* y, const float* x, const float* const* rows, size_t count,
                            float a, size_t n);
  // y[s * n + i] = sum over r of a[s * count + r] * rows[r][i], then rows[r][i] += sum over s of
  // a[s * count + r] * x[s * n + i], for x_count <= kMostTogether vectors x and y: in one pass the
  // gradient of what the rows were multiplied with, and the rows' own step. REQUIRES: the rows are
  // distinct.
  void (*pull_rows)(float* y, const float* a, float* const* rows, size_t count, const float* x,
                    size_t x_count, size_t n);
  // y[i] += sum over r of a[r] * rows[r][i], of int8 rows (core/model/element.h) that need no
  // alignment, without their scale, which belongs into a[r].
  void (*axpy_rows_int8)(float* y, const float* a, const int8_t* const* rows, size_t count,
                         size_t n);
  // y[i] = sign(y[i]) * max(|y[i]| - tau, 0)
  void (*soft_threshold)(float* y, float tau, size_t n);
  // x[i] = 1 / (1 + exp(-x[i])), absolute error below 1e-6, for any finite x
  void (*sigmoid)(float* x, size_t n);
  // Sums in double of products of floats, for cosines that are right to 1e-6 at any length:
  // out = {a.b, b.b}. a and b may be unaligned bytes (BLOBs read in place).
  void (*dot_and_norm)(double out[2], const void* a, const void* b, size_t n);
  // The same in a third of the time: each sum is off by at most 4.8e-7 of the sum of its terms'
  // absolute values, so that a cosine of three of these sums is right to 1e-6. Only for squares
  // a.a and b.b in [kQuickLeast, kQuickMost], where no product overflows and those that vanish do
  // not count; where b.b is outside (or NaN), b is not.
  void (*quick_dot_and_norm)(double out[2], const void* a, const void* b, size_t n);
  // sum of x[i] * w[i] in double: a row of floats with weights that a solver improves beyond float
  double (*dot_double)(const float* x, const double* w, size_t n);
  // y[i] += a * x[i] in double
  void (*axpy_double)(double* y, double a, const float* x, size_t n);

  // ---- the search index ----

  // v times the Hadamard matrix of n numbers, a power of two of at least 16
  void (*hadamard)(float* v, size_t n);
  // Writes estimates [32] and returns a bit for each that is at least `least`.
  uint32_t (*estimate_codes)(float* estimates, const CodeGroup& group, const CodeTable& table,
                             float least);
  // nearness[i * kSize + c] = vector i times centre c - half_squares[c], and bit c of is_near[i]
  // where that is above its `least`
  void (*nearness)(float* nearness, uint32_t* is_near, const CentreGroup& group,
                   const SmallVector* vectors, size_t count);
};

inline constexpr double kQuickLeast = 0x1p-60;
inline constexpr double kQuickMost = 0x1p60;

// The fastest set that this CPU runs.
const Kernels& BestKernels();
// For tests and benchmarks: BestKernels gives this set while the object lives, in all threads.
class ForcedKernels {
 public:
  explicit ForcedKernels(const Kernels& kernels);
  ~ForcedKernels();
  ForcedKernels(const ForcedKernels&) = delete;
};
// The sets that this CPU runs, slowest first; "portable" is always there.
std::span<const Kernels* const> AvailableKernels();

}  // namespace s2v::simd
