// Every kernel of every set that this CPU runs, against the reference in double.
//
// Tolerance: a sum of m products in float, in any order, is off by at most m * 2^-24 * sum |a b|
// (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). Small whole numbers are
// summed without any rounding, so there a kernel must hit the reference exactly.
#include "core/simd/kernels.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/core/reference.h"
#include "tests/support/emulated.h"

namespace s2v::simd {
namespace {

constexpr double kEpsilon = 0x1p-24;  // the largest relative error of one rounding to float

enum class Filling { kWholeNumbers, kRandom };

// n floats in memory of exactly that size, so that the address sanitizer sees a read behind them.
class Row {
 public:
  Row(size_t n, size_t misalignment, Filling filling, uint32_t seed)
      : memory_(new float[misalignment + n]), data_(memory_.get() + misalignment), n_(n) {
    std::minstd_rand random(seed);
    std::normal_distribution<float> normal;
    for (size_t i = 0; i < n; ++i) {
      data_[i] = filling == Filling::kWholeNumbers
                     ? static_cast<float>(static_cast<int>(random() % 15) - 7)
                     : normal(random);
    }
  }
  float* data() const { return data_; }
  std::vector<float> Copy() const { return {data_, data_ + n_}; }

 private:
  std::unique_ptr<float[]> memory_;
  float* data_;
  size_t n_;
};

std::vector<size_t> Lengths() {
  std::vector<size_t> lengths;
  for (size_t n = 0; n <= 4 * 16 + 3; ++n) lengths.push_back(n);
  lengths.insert(lengths.end(), {100, 112, 300, 304, 700, 704, 1023});
  return lengths;
}

const size_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 17};

// The allowed error of a sum of `terms` products with this sum of absolute values.
double Bound(Filling filling, size_t terms, double absolute_sum) {
  if (filling == Filling::kWholeNumbers) return 0;
  return static_cast<double>(terms + 1) * kEpsilon * absolute_sum;
}

// The first index where actual is further than bound(i) from expected, or -1.
template <class BoundOf>
int64_t FirstWrong(const float* actual, const std::vector<double>& expected, BoundOf bound) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!(std::fabs(actual[i] - expected[i]) <= bound(i))) return static_cast<int64_t>(i);
  }
  return -1;
}

template <class Test>
void ForEachShape(Test test) {
  for (const Kernels* kernels : AvailableKernels()) {
    CAPTURE(std::string(kernels->name));
    for (const size_t n : Lengths()) {
      for (size_t misalignment = 0; misalignment < 4; ++misalignment) {
        if (testing::Emulated() && misalignment != n % 4) continue;
        CAPTURE(n);
        CAPTURE(misalignment);
        test(*kernels, n, misalignment, Filling::kWholeNumbers);
        test(*kernels, n, misalignment, Filling::kRandom);
      }
    }
  }
}

TEST_CASE("one-row kernels agree with the reference at every length and misalignment") {
  ForEachShape([](const Kernels& k, size_t n, size_t misalignment, Filling filling) {
    const Row x(n, misalignment, filling, 1);
    const Row y(n, 3 - misalignment, filling, 2);
    const std::vector<float> before = y.Copy();
    const auto restore = [&] {
      if (n > 0) std::memcpy(y.data(), before.data(), n * sizeof(float));
    };
    const auto check = [&](const std::vector<double>& expected) {
      const int64_t wrong = FirstWrong(y.data(), expected, [&](size_t i) {
        return Bound(filling, 2, std::fabs(before[i]) + 3 * std::fabs(x.data()[i]));
      });
      CHECK(wrong == -1);
      restore();
    };
    CHECK(std::fabs(k.dot(x.data(), y.data(), n) - reference::Dot(x.data(), y.data(), n)) <=
          Bound(filling, n, reference::AbsoluteDot(x.data(), y.data(), n)));
    k.axpy(y.data(), -3, x.data(), n);
    check(reference::Axpy(before.data(), -3, x.data(), n));
    k.scale(y.data(), 0.25f, n);
    check(reference::Scale(before.data(), 0.25f, n));
    k.soft_threshold(y.data(), 0.5f, n);
    check(reference::SoftThreshold(before.data(), 0.5f, n));
    k.sigmoid(y.data(), n);
    CHECK(FirstWrong(y.data(), reference::Sigmoid(before.data(), n), [](size_t) { return 1e-6; }) ==
          -1);
  });
}

// `count` rows of the same shape with different misalignments, and their addresses.
struct Matrix {
  Matrix(size_t count, size_t n, size_t misalignment, Filling filling) {
    for (size_t r = 0; r < count; ++r) {
      rows.emplace_back(n, (misalignment + r) % 4, filling, static_cast<uint32_t>(100 + r));
      pointers.push_back(rows.back().data());
    }
  }
  std::vector<Row> rows;
  std::vector<float*> pointers;
};

TEST_CASE("kernels of several rows agree with the reference for every count and length") {
  ForEachShape([](const Kernels& k, size_t n, size_t misalignment, Filling filling) {
    for (const size_t count : kCounts) {
      CAPTURE(count);
      const Matrix m(count, n, misalignment, filling);
      const float* const* const rows = m.pointers.data();
      const Row x(n, misalignment, filling, 1), y(n, 3 - misalignment, filling, 2);
      const Row weights(count, 0, filling, 3);
      const std::vector<float> before = y.Copy();
      const auto bound = [&](size_t i) {
        double sum = std::fabs(before[i]) + std::fabs(x.data()[i]);
        for (size_t r = 0; r < count; ++r) {
          sum += std::fabs(rows[r][i]) * std::fmax(1, std::fabs(weights.data()[r]));
        }
        return Bound(filling, count + 1, sum);
      };

      k.axpy_rows(y.data(), weights.data(), rows, count, n);
      CHECK(FirstWrong(y.data(), reference::AxpyRows(before.data(), weights.data(), rows, count, n),
                       bound) == -1);

      k.scaled_difference(y.data(), x.data(), rows, count, 0.25f, n);
      CHECK(FirstWrong(y.data(), reference::ScaledDifference(x.data(), rows, count, 0.25f, n),
                       bound) == -1);
      k.scaled_difference(y.data(), y.data(), rows, 0, 4, n);  // in place, nothing taken away
      CHECK(FirstWrong(y.data(), reference::ScaledDifference(x.data(), rows, count, 1, n),
                       [&](size_t i) { return 4 * bound(i); }) == -1);

      std::vector<std::vector<double>> expected;
      for (const Row& row : m.rows) expected.push_back(reference::Add(row.data(), x.data(), n));
      k.add_to_rows(m.pointers.data(), count, x.data(), n);
      for (size_t r = 0; r < count; ++r) CHECK(FirstWrong(rows[r], expected[r], bound) == -1);
    }
  });
}

// Around the rows that are walked side by side with 1 to 4 vectors: 2, 4, 6, 8 or 12 of them.
const size_t kCountsTogether[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 25};

TEST_CASE("one to four vectors are multiplied with rows, and pull them, as the reference says") {
  ForEachShape([](const Kernels& k, size_t n, size_t misalignment, Filling filling) {
    for (const size_t count : kCountsTogether) {
      for (size_t x_count = 1; x_count <= kMostTogether; ++x_count) {
        CAPTURE(count);
        CAPTURE(x_count);
        const Matrix m(count, n, misalignment, filling);
        const float* const* const rows = m.pointers.data();
        const Row x(x_count * n, misalignment, filling, 1);
        const Row y(x_count * n, 3 - misalignment, filling, 2);
        const Row weights(x_count * count, 0, filling, 3), out(x_count * count, 0, filling, 4);

        k.dot_rows(out.data(), rows, count, x.data(), x_count, n);
        CHECK(FirstWrong(out.data(), reference::DotRows(rows, count, x.data(), x_count, n),
                         [&](size_t at) {
                           return Bound(filling, n,
                                        reference::AbsoluteDot(rows[at % count],
                                                               x.data() + at / count * n, n));
                         }) == -1);

        const float* const a = weights.data();
        const reference::Pulled expected =
            reference::PullRows(a, rows, count, x.data(), x_count, n);
        // of the terms' absolute values: those of each y, and those of each row
        std::vector<double> y_sums(x_count * n), row_sums(count * n);
        for (size_t r = 0; r < count; ++r) {
          for (size_t i = 0; i < n; ++i) {
            row_sums[r * n + i] = std::fabs(rows[r][i]);
            for (size_t s = 0; s < x_count; ++s) {
              y_sums[s * n + i] += std::fabs(a[s * count + r] * rows[r][i]);
              row_sums[r * n + i] += std::fabs(a[s * count + r] * x.data()[s * n + i]);
            }
          }
        }
        k.pull_rows(y.data(), a, m.pointers.data(), count, x.data(), x_count, n);
        // the sums are of the rows as they were
        CHECK(FirstWrong(y.data(), expected.y,
                         [&](size_t at) { return Bound(filling, count, y_sums[at]); }) == -1);
        for (size_t r = 0; r < count; ++r) {
          CHECK(FirstWrong(rows[r], expected.rows[r], [&](size_t i) {
                  return Bound(filling, x_count + 1, row_sums[r * n + i]);
                }) == -1);
        }
      }
    }
  });
}

// Rows of int8 in memory of exactly their size, at any byte.
struct Int8Rows {
  Int8Rows(size_t count, size_t n, size_t offset, Filling filling) {
    for (size_t r = 0; r < count; ++r) {
      const size_t at = (offset + r) % 4;
      memory.emplace_back(new int8_t[at + n]);
      int8_t* const row = memory.back().get() + at;
      std::minstd_rand random(static_cast<uint32_t>(50 + r));
      for (size_t i = 0; i < n; ++i) {
        const auto draw = static_cast<int>(random() % 255);
        row[i] =
            static_cast<int8_t>(filling == Filling::kWholeNumbers ? draw % 15 - 7 : draw - 127);
      }
      pointers.push_back(row);
    }
  }
  std::vector<std::unique_ptr<int8_t[]>> memory;
  std::vector<const int8_t*> pointers;
};

void CheckInt8(const Kernels& k, size_t n, size_t misalignment, Filling filling) {
  for (const size_t count : kCounts) {
    CAPTURE(count);
    const Int8Rows m(count, n, misalignment, filling);
    const Row y(n, 3 - misalignment, filling, 2), weights(count, 0, filling, 3);
    const std::vector<float> before = y.Copy();
    k.axpy_rows_int8(y.data(), weights.data(), m.pointers.data(), count, n);
    CHECK(
        FirstWrong(y.data(),
                   reference::AxpyRows(before.data(), weights.data(), m.pointers.data(), count, n),
                   [&](size_t i) {
                     double sum = std::fabs(before[i]);
                     for (size_t r = 0; r < count; ++r) {
                       sum += std::fabs(static_cast<double>(m.pointers[r][i]) *
                                        static_cast<double>(weights.data()[r]));
                     }
                     return Bound(filling, count + 1, sum);
                   }) == -1);
  }
}

TEST_CASE("kernels of int8 rows agree with the reference, wherever rows begin and end") {
  ForEachShape([](const Kernels& k, size_t n, size_t misalignment, Filling filling) {
    CheckInt8(k, n, misalignment, filling);
  });
}

TEST_CASE("kernels read every int8 as what it is") {
  std::vector<int8_t> bytes;
  for (int v = -127; v <= 127; ++v) bytes.push_back(static_cast<int8_t>(v));
  const float one = 1;
  for (const Kernels* k : AvailableKernels()) {
    CAPTURE(std::string(k->name));
    std::vector<float> z(bytes.size());
    const int8_t* const small = bytes.data();
    k->axpy_rows_int8(z.data(), &one, &small, 1, z.size());
    for (size_t i = 0; i < z.size(); ++i) CHECK(z[i] == bytes[i]);
  }
}

TEST_CASE("add_to_rows adds once for each time that a row is given") {
  for (const Kernels* k : AvailableKernels()) {
    for (const size_t n : {1, 16, 67, 304}) {
      const Matrix m(3, n, 1, Filling::kWholeNumbers);
      const Row x(n, 0, Filling::kWholeNumbers, 1);
      std::vector<std::vector<double>> expected;
      for (const Row& row : m.rows) expected.emplace_back(row.data(), row.data() + n);
      std::vector<float*> rows;
      std::vector<double*> reference_rows;
      for (const size_t r : {0, 0, 1, 0, 2, 2, 2, 2, 2, 2, 0}) {
        rows.push_back(m.pointers[r]);
        reference_rows.push_back(expected[r].data());
      }
      k->add_to_rows(rows.data(), rows.size(), x.data(), n);
      reference::AddToRows(reference_rows.data(), rows.size(), x.data(), n);
      for (size_t r = 0; r < 3; ++r) {
        CHECK(FirstWrong(m.pointers[r], expected[r], [](size_t) { return 0.0; }) == -1);
      }
    }
  }
}

TEST_CASE("sigmoid is accurate, grows and stays in [0, 1] for any finite x") {
  const float max = std::numeric_limits<float>::max();
  for (const Kernels* k : AvailableKernels()) {
    CAPTURE(std::string(k->name));
    std::vector<float> x;
    for (int i = -100 * 512; i <= 100 * 512; ++i) x.push_back(static_cast<float>(i) / 512);
    std::vector<float> y = x;
    k->sigmoid(y.data(), y.size());
    CHECK(FirstWrong(y.data(), reference::Sigmoid(x.data(), x.size()),
                     [](size_t) { return 1.5e-7; }) == -1);
    float highest = 0;
    size_t falls = 0, outside = 0;
    for (const float v : y) {
      if (v < highest - 1.2e-7f) ++falls;  // two units of the last digit below 1
      if (!(v >= 0 && v <= 1)) ++outside;
      highest = std::fmax(highest, v);
    }
    CHECK(falls == 0);
    CHECK(outside == 0);

    float extremes[] = {0, -0.0f, 1e30f, -1e30f, max, -max, 1e-40f, 88.5f, -88.5f, 104, -104};
    const std::vector<double> expected = reference::Sigmoid(extremes, std::size(extremes));
    k->sigmoid(extremes, std::size(extremes));
    CHECK(FirstWrong(extremes, expected, [](size_t) { return 1.5e-7; }) == -1);
    CHECK(extremes[0] == 0.5f);
    CHECK(extremes[2] == 1.0f);
    CHECK(extremes[3] < 1e-17f);
    // Far from the subnormal floats, also once it is multiplied with a rate and a row.
    CHECK(extremes[3] > 1e-19f);
  }
}

TEST_CASE("soft_threshold moves towards zero and stops there") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Kernels* k : AvailableKernels()) {
    float y[] = {2, -2, 0.5f, -0.5f, 0.25f, -0.25f, 0, -0.0f, infinity, 1e-40f};
    k->soft_threshold(y, 0.5f, std::size(y));
    const float expected[] = {1.5f, -1.5f, 0, 0, 0, 0, 0, 0, infinity, 0};
    for (size_t i = 0; i < std::size(y); ++i) {
      CHECK(y[i] == expected[i]);
      if (expected[i] == 0) CHECK(!std::signbit(y[i]));
    }
    float same[] = {2, -2, 1e-40f, -1e30f, 0, -0.0f};
    k->soft_threshold(same, 0, std::size(same));
    const float unchanged[] = {2, -2, 1e-40f, -1e30f, 0, 0};
    for (size_t i = 0; i < std::size(same); ++i) CHECK(same[i] == unchanged[i]);
  }
}

TEST_CASE("what is not a number stays so, that training can notice it") {
  for (const Kernels* k : AvailableKernels()) {
    std::vector<float> x(19, std::numeric_limits<float>::quiet_NaN());
    k->soft_threshold(x.data(), 0.5f, x.size());
    k->sigmoid(x.data(), x.size());
    for (const float v : x) CHECK(std::isnan(v));
  }
}

// Copies of the rows that begin `offset` bytes into exact memory.
struct Blob {
  Blob(const std::vector<float>& values, size_t offset)
      : memory(new char[offset + values.size() * sizeof(float)]), data(memory.get() + offset) {
    if (!values.empty()) std::memcpy(data, values.data(), values.size() * sizeof(float));
  }
  std::unique_ptr<char[]> memory;
  char* data;
};

std::pair<std::vector<float>, std::vector<float>> RowsOfMagnitude(size_t n, float magnitude) {
  std::vector<float> a = Row(n, 0, Filling::kRandom, 5).Copy();
  std::vector<float> b = Row(n, 0, Filling::kRandom, 6).Copy();
  for (size_t i = 0; i < n; ++i) {
    a[i] = std::fmax(-3.0f, std::fmin(3.0f, a[i])) * magnitude;
    b[i] = a[i] * 0.3f + std::fmax(-3.0f, std::fmin(3.0f, b[i])) * 0.3f * magnitude;
  }
  return {a, b};
}

void CheckSums(const Kernels& k, const std::vector<float>& a, const std::vector<float>& b) {
  for (size_t offset = 0; offset < 4; ++offset) {
    const Blob blob_a(a, offset), blob_b(b, (offset * 3) % 4);
    const size_t n = a.size();
    const auto expected = reference::CosineSums(blob_a.data, blob_b.data, n);
    double sums[2];
    k.dot_and_norm(sums, blob_a.data, blob_b.data, n);
    // Sums in double: far below the 1e-6 of a cosine.
    const double scale = std::sqrt(expected[1]) * std::sqrt(expected[2]);
    CAPTURE(n);
    CAPTURE(offset);
    CHECK(std::fabs(sums[0] - expected[0]) <= 1e-12 * scale);
    CHECK(std::fabs(sums[1] - expected[2]) <= 1e-12 * expected[2]);
  }
}

TEST_CASE("dot_and_norm is right at any length, magnitude and byte offset") {
  std::vector<size_t> lengths = Lengths();
  lengths.push_back(100000);
  for (const Kernels* k : AvailableKernels()) {
    CAPTURE(std::string(k->name));
    for (const float magnitude : {1.0f, 1e15f, 1e-15f, 1e38f, 1e-38f}) {
      CAPTURE(magnitude);
      for (const size_t n : lengths) {
        if (n > 1023 && magnitude > 1e30f) continue;  // one long run a magnitude is enough
        const auto [a, b] = RowsOfMagnitude(n, magnitude);
        CheckSums(*k, a, b);
      }
    }
  }
}

// Values just above 1 whose excess is just below 2^-bit: where a running sum has grown so large
// that its last bit is twice that, each addition loses the excess, always to the same side.
std::vector<float> LosingBit(size_t n, int bit) {
  return std::vector<float>(n, 1 + std::ldexp(1.0f, -bit) - 0x1p-23f);
}

void CheckQuickSums(const Kernels& k, const std::vector<float>& a, const std::vector<float>& b) {
  const size_t n = a.size();
  for (size_t offset = 0; offset < 4; ++offset) {
    const Blob blob_a(a, (offset * 3) % 4), blob_b(b, offset);
    const auto expected = reference::CosineSums(blob_a.data, blob_b.data, n);
    double absolute = 0;  // of the terms of a.b
    for (size_t i = 0; i < n; ++i) absolute += std::fabs(double{a[i]} * double{b[i]});
    double sums[2], swapped[2];
    k.quick_dot_and_norm(sums, blob_a.data, blob_b.data, n);
    k.quick_dot_and_norm(swapped, blob_b.data, blob_a.data, n);
    CAPTURE(n);
    CAPTURE(offset);
    CHECK(std::fabs(sums[0] - expected[0]) <= 4.8e-7 * absolute);
    CHECK(std::fabs(sums[1] - expected[2]) <= 4.8e-7 * expected[2]);
    CHECK(swapped[0] == sums[0]);
    k.quick_dot_and_norm(swapped, blob_b.data, blob_b.data, n);
    CHECK(swapped[0] == sums[1]);
    CHECK(swapped[1] == sums[1]);
  }
}

TEST_CASE("the quick sums keep their bound at any length, magnitude and byte offset") {
  std::vector<size_t> lengths = Lengths();
  for (const size_t n : {95, 96, 97, 191, 192, 193, 383, 384, 385, 400, 447, 448, 100000}) {
    lengths.push_back(n);  // around the blocks of the three widths
  }
  for (const Kernels* k : AvailableKernels()) {
    CAPTURE(std::string(k->name));
    for (const float magnitude : {1.0f, 0x1p19f, 0x1p-25f}) {
      CAPTURE(magnitude);
      for (const size_t n : lengths) {
        const auto [a, b] = RowsOfMagnitude(n, magnitude);
        CheckQuickSums(*k, a, b);
        for (int bit = 16; bit < 23; ++bit) {
          CheckQuickSums(*k, std::vector<float>(n, 1), LosingBit(n, bit));
        }
      }
    }
    // What a cosine must not be computed from shows in the square.
    for (const float outside : {1e30f, 1e-30f, std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()}) {
      const std::vector<float> a(67, 1.0f), b(67, outside);
      double sums[2];
      k->quick_dot_and_norm(sums, a.data(), b.data(), b.size());
      CHECK(!(sums[1] >= kQuickLeast && sums[1] <= kQuickMost));
    }
  }
}

TEST_CASE("the nearness of centres is exact but for its last steps, however large numbers are") {
  constexpr size_t kSize = CentreGroup::kSize;
  std::minstd_rand random(5);
  const auto between = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<uint32_t>(most - least + 1));
  };
  for (const size_t quads : {1, 2, 7, 100, 1024}) {
    for (const bool is_extreme :
         {false, true}) {  // sums of two products would overflow, were they any larger
      const size_t vectors = 19;
      std::vector<uint8_t> centres(quads * kSize * 4);
      std::vector<int8_t> numbers(vectors * quads * 4);
      for (uint8_t& number : centres)
        number = static_cast<uint8_t>(is_extreme ? 255 : between(1, 255));
      for (int8_t& number : numbers)
        number = static_cast<int8_t>(is_extreme ? 63 : between(-63, 63));
      if (is_extreme) std::fill_n(numbers.begin(), quads * 4, int8_t{-63});
      std::vector<float> scales(kSize), half_squares(kSize);
      for (size_t c = 0; c < kSize; c++) {
        scales[c] = 0x1p-10f * static_cast<float>(between(1, 9));
        half_squares[c] = static_cast<float>(between(0, 40));
      }
      half_squares[kSize - 1] = std::numeric_limits<float>::infinity();
      const CentreGroup group = {centres.data(), scales.data(), half_squares.data(), quads};
      std::vector<SmallVector> small;
      for (size_t i = 0; i < vectors; i++) {
        const int8_t* const of = &numbers[i * quads * 4];
        small.push_back({of, 128 * std::accumulate(of, of + quads * 4, 0), 0x1p-5f,
                         static_cast<float>(between(-9, 9))});
      }
      for (const Kernels* k : AvailableKernels()) {
        CAPTURE(k->name);
        for (size_t count = 0; count <= vectors; count++) {
          std::vector<float> nearness(vectors * kSize, -7);
          std::vector<uint32_t> is_near(vectors, 7);
          k->nearness(nearness.data(), is_near.data(), group, small.data(), count);
          for (size_t i = 0; i < vectors; i++) {
            for (size_t c = 0; c < kSize; c++) {
              const float found = nearness[i * kSize + c];
              if (i >= count) {
                REQUIRE(found == -7);
                continue;
              }
              int64_t product = 0;
              for (size_t d = 0; d < quads * 4; d++)
                product +=
                    (centres[(d / 4 * kSize + c) * 4 + d % 4] - 128) * numbers[i * quads * 4 + d];
              const double exact =
                  static_cast<double>(scales[c] * 0x1p-5f) * static_cast<double>(product);
              if (c == kSize - 1) {
                REQUIRE(found == -std::numeric_limits<float>::infinity());
              } else {
                REQUIRE(std::fabs(found - (exact - half_squares[c])) <=
                        4 * kEpsilon * (std::fabs(exact) + half_squares[c]));
              }
              REQUIRE((is_near[i] >> c & 1) == (found > small[i].least ? 1 : 0));
            }
            if (i >= count) REQUIRE(is_near[i] == 7);
          }
        }
      }
    }
  }
}

TEST_CASE("sums of floats with doubles are right to double at every length and misalignment") {
  constexpr double kDoubleEpsilon = 0x1p-53;
  ForEachShape([](const Kernels& k, size_t n, size_t misalignment, Filling filling) {
    const Row x(n, misalignment, filling, 8);
    const Row parts(n, 0, filling, 9);
    std::vector<double> w(n);
    double absolute = 0;
    for (size_t i = 0; i < n; ++i) {
      w[i] = parts.data()[i] * (filling == Filling::kWholeNumbers ? 3 : 1 + 1e-12);
      absolute += std::fabs(x.data()[i] * w[i]);
    }
    const double rounding = filling == Filling::kWholeNumbers ? 0 : kDoubleEpsilon;
    CHECK(std::fabs(k.dot_double(x.data(), w.data(), n) -
                    reference::DotDouble(x.data(), w.data(), n)) <=
          static_cast<double>(n + 1) * rounding * absolute);
    std::vector<double> y = w;
    k.axpy_double(y.data(), -0.3, x.data(), n);
    for (size_t i = 0; i < n; ++i) {
      const double product = -0.3 * static_cast<double>(x.data()[i]);
      REQUIRE(std::fabs(y[i] - (w[i] + product)) <=
              2 * kDoubleEpsilon * (std::fabs(w[i]) + std::fabs(product)));
    }
  });
}

TEST_CASE("a set gives the same bits for the same input, wherever it lies") {
  for (const Kernels* k : AvailableKernels()) {
    for (const size_t n : {3, 67, 304, 700}) {
      uint32_t first_dot = 0, first_row_dot = 0;
      std::vector<float> first_sum, first_together;
      for (size_t run = 0; run < 8; ++run) {
        const Matrix m(10, n, run % 4, Filling::kRandom);
        const Row x(n, (run + run / 4) % 4, Filling::kRandom, 1);
        const Row four(4 * n, (run + run / 4) % 4, Filling::kRandom, 5);
        const Row pulled(4 * n, run % 4, Filling::kRandom, 6);
        const Row y(n, run % 4, Filling::kRandom, 2);
        float out[10];
        const Int8Rows bytes(10, n, run % 4, Filling::kRandom);
        std::fill_n(y.data(), n, 0.0f);
        k->axpy_rows_int8(y.data(), m.pointers[2], bytes.pointers.data(), std::min<size_t>(n, 10),
                          n);
        k->axpy_rows(y.data(), m.pointers[0], m.pointers.data(), std::min<size_t>(n, 10), n);
        k->sigmoid(y.data(), n);
        k->dot_rows(out, m.pointers.data(), 10, x.data(), 1, n);
        const uint32_t dot = std::bit_cast<uint32_t>(k->dot(x.data(), y.data(), n));
        const uint32_t row_dot = std::bit_cast<uint32_t>(out[9]);
        // All that four vectors together give: their products, the pulled vectors, a pulled row.
        std::vector<float> together(40);
        k->dot_rows(together.data(), m.pointers.data(), 10, four.data(), 4, n);
        const std::vector<float> weights = together;
        k->pull_rows(pulled.data(), weights.data(), m.pointers.data(), 10, four.data(), 4, n);
        together.insert(together.end(), pulled.data(), pulled.data() + 4 * n);
        together.insert(together.end(), m.pointers[9], m.pointers[9] + n);
        if (run == 0) {
          first_dot = dot;
          first_row_dot = row_dot;
          first_sum = y.Copy();
          first_together = together;
        }
        CHECK(dot == first_dot);
        CHECK(row_dot == first_row_dot);
        CHECK(std::memcmp(y.data(), first_sum.data(), n * sizeof(float)) == 0);
        CHECK(std::memcmp(together.data(), first_together.data(),
                          together.size() * sizeof(float)) == 0);
      }
    }
  }
}

// Rows that end where a page that cannot be read begins: masked loads are unknown to the address
// sanitizer, but the CPU would stop here.
class GuardedRows {
 public:
  explicit GuardedRows(size_t count) : count_(count) {
    void* const memory =
        mmap(nullptr, count * step_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    memory_ = static_cast<char*>(memory);
    for (size_t r = 0; r < count; ++r) {
      REQUIRE(mprotect(memory_ + (r + 1) * step_ - page_, page_, PROT_NONE) == 0);
    }
  }
  ~GuardedRows() { munmap(memory_, count_ * step_); }
  GuardedRows(const GuardedRows&) = delete;
  GuardedRows& operator=(const GuardedRows&) = delete;
  // REQUIRES: n floats fit kPages.
  float* Get(size_t r, size_t n) const {
    return reinterpret_cast<float*>(memory_ + (r + 1) * step_ - page_ - n * sizeof(float));
  }

 private:
  static constexpr size_t kPages = kMostTogether;
  size_t page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t step_ = (kPages + 1) * page_;
  size_t count_;
  char* memory_;
};

TEST_CASE("no kernel touches what is behind a row") {
  constexpr size_t kRows = 11;
  const GuardedRows guarded(kRows + 3);
  for (const Kernels* k : AvailableKernels()) {
    for (const size_t n : Lengths()) {
      float* const x = guarded.Get(kRows, n);
      float* const y = guarded.Get(kRows + 1, n);
      float* const out = guarded.Get(kRows + 2, kRows);
      float* rows[kRows];
      for (size_t r = 0; r < kRows; ++r) rows[r] = guarded.Get(r, n);
      k->dot(x, y, n);
      k->axpy(y, 0.5f, x, n);
      k->scale(y, 0.5f, n);
      k->add_to_rows(rows, kRows, x, n);
      k->scaled_difference(y, x, rows, kRows, 0.5f, n);
      k->axpy_rows(y, out, rows, kRows, n);
      for (size_t together = 1; together <= kMostTogether; ++together) {
        float* const xs = guarded.Get(kRows, together * n);
        float* const ys = guarded.Get(kRows + 1, together * n);
        for (size_t count = 1; count <= kRows; ++count) {
          float* const scores = guarded.Get(kRows + 2, together * count);
          k->dot_rows(scores, rows, count, xs, together, n);
          k->pull_rows(ys, scores, rows, count, xs, together, n);
        }
      }
      const int8_t* bytes[kRows];
      for (size_t r = 0; r < kRows; ++r) {
        char* const end = reinterpret_cast<char*>(rows[r] + n);
        bytes[r] = reinterpret_cast<const int8_t*>(end - n);
      }
      k->axpy_rows_int8(y, out, bytes, kRows, n);
      k->soft_threshold(y, 0.5f, n);
      k->sigmoid(y, n);
      double sums[2];
      k->dot_and_norm(sums, x, y, n);
      k->quick_dot_and_norm(sums, x, y, n);
      auto* const wide = reinterpret_cast<double*>(y - n);
      std::fill_n(wide, n, 0.0);
      k->axpy_double(wide, 0.5, x, n);
      k->dot_double(x, wide, n);
    }
  }
  CHECK(guarded.Get(0, 0) != nullptr);
}

TEST_CASE("the best set is the last available one, the first is there on every processor") {
  REQUIRE(!AvailableKernels().empty());
  CHECK(&BestKernels() == AvailableKernels().back());
  CHECK(AvailableKernels().front()->name == std::string_view("portable"));
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  CHECK((AvailableKernels().size() > 1) == has_avx2);
#endif
}

TEST_CASE("kernels are forced for as long as it is wanted") {
  const Kernels& best = BestKernels();
  for (const Kernels* k : AvailableKernels()) {
    const ForcedKernels forced(*k);
    CHECK(&BestKernels() == k);
  }
  CHECK(&BestKernels() == &best);
}

}  // namespace
}  // namespace s2v::simd
