#include "core/search/lists.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/random.h"

namespace s2v::search {
namespace {

constexpr int kIterations = 8;
// Two clusters of more rows are found with so many of them.
constexpr size_t kMostCompared = 2048;
// A side of a split has at least this part of the rows.
constexpr size_t kLeastPart = 8;
// Centres are made from a sample of the table: one row in kSampleShare, about sixty for each list, but at least kLeastSample rows
// and at most kMostSampleBytes.
constexpr uint64_t kSampleShare = 16, kLeastSample = 2000, kMostSampleBytes = uint64_t{160} << 20;

// The mean of some rows of x [any, n].
std::vector<float> Mean(const simd::Kernels& k, std::span<const float> x, size_t n,
                        std::span<const uint32_t> rows) {
  std::vector<float> mean(n);
  for (const uint32_t row : rows) k.axpy(mean.data(), 1, &x[row * n], n);
  if (!rows.empty()) k.scale(mean.data(), 1 / static_cast<float>(rows.size()), n);
  return mean;
}

std::vector<float> RotatedMean(const CodeSpace& space, std::span<const float> x,
                               std::span<const uint32_t> rows) {
  std::vector<float> rotated(space.width());
  space.Rotate(Mean(space.kernels(), x, space.dimension(), rows).data(), rotated.data());
  return rotated;
}

// Parts rows [any] of x [any, n] into two clusters: the rows of the first one come first. Returns how many these are.
size_t Part(const simd::Kernels& k, std::span<const float> x, size_t n, std::span<uint32_t> rows,
            Random* random) {
  const size_t count = rows.size();
  std::vector<float> centres[2];
  for (std::vector<float>& centre : centres) {
    const float* row = &x[rows[random->Below(static_cast<uint32_t>(count))] * n];
    centre.assign(row, row + n);
  }
  const std::span<uint32_t> drawn = rows.first(std::min(count, kMostCompared));
  for (size_t r = 0; drawn.size() < count && r < drawn.size(); r++) {
    std::swap(rows[r], rows[r + random->Below(static_cast<uint32_t>(count - r))]);
  }
  std::vector<std::pair<float, uint32_t>> projected;
  for (int i = 0;; i++) {
    const bool is_last = i + 1 == kIterations;
    const std::span<uint32_t> some = is_last ? rows : drawn;
    // The plane between the centres: x is on the first side where x.d >= middle.
    std::vector<float> d = centres[0];
    k.axpy(d.data(), -1, centres[1].data(), n);
    const float middle = (k.dot(centres[0].data(), centres[0].data(), n) -
                          k.dot(centres[1].data(), centres[1].data(), n)) /
                         2;
    projected.clear();
    for (const uint32_t row : some) projected.emplace_back(k.dot(&x[row * n], d.data(), n), row);
    const auto end = std::stable_partition(projected.begin(), projected.end(),
                                           [middle](const auto& p) { return p.first >= middle; });
    auto first = static_cast<size_t>(end - projected.begin());
    const size_t least = std::max<size_t>(some.size() / kLeastPart, 1);
    if (first < least || first > some.size() - least) {
      first = std::clamp(first, least, some.size() - least);
      // Equal projections are ordered by row, so that the result is always the same.
      std::sort(projected.begin(), projected.end(), [](const auto& a, const auto& b) {
        return a.first > b.first || (a.first == b.first && a.second < b.second);
      });
      // Vectors that are all alike are halved, or a list of many would be gone through again and again.
      if (projected.front().first == projected.back().first) return count / 2;
    }
    for (size_t r = 0; r < some.size(); r++) some[r] = projected[r].second;
    if (is_last) return first;
    centres[0] = Mean(k, x, n, some.first(first));
    centres[1] = Mean(k, x, n, some.subspan(first));
  }
}

}  // namespace

std::vector<float> ParseCentre(const CodeSpace& space, std::string_view bytes) {
  std::vector<float> centre(space.width());
  float scale = 0;
  if (bytes.size() != centre.size() + sizeof(scale)) throw FormatError("has a wrong size");
  std::memcpy(&scale, bytes.data(), sizeof(scale));
  double square = 0;
  for (size_t i = 0; i < centre.size(); i++) {
    centre[i] = scale * static_cast<float>(static_cast<int8_t>(bytes[sizeof(scale) + i]));
    square += double{centre[i]} * centre[i];
  }
  if (!(square < 1.05)) throw FormatError("is no mean of vectors of length 1");  // but for rounding
  return centre;
}

std::string CentreBytes(std::span<const float> centre) {
  float most = 0;
  for (const float v : centre) most = std::max(most, std::fabs(v));
  const float scale = most / 127;
  std::string bytes(sizeof(scale), '\0');
  std::memcpy(bytes.data(), &scale, sizeof(scale));
  for (const float v : centre) {
    bytes += static_cast<char>(scale > 0 ? std::lrintf(v / scale) : 0);
  }
  return bytes;
}

void Lists::Set(int64_t id, uint64_t rows, std::span<const float> centre) {
  const auto [found, is_new] = positions_.try_emplace(id, ids_.size());
  const size_t at = found->second;
  if (is_new) {
    ids_.push_back(id);
    rows_.push_back(0);
    centres_.emplace_back();
  }
  rows_[at] = rows;
  centres_[at].assign(centre.begin(), centre.end());
  if (nearest_) nearest_->Set(at, centres_[at].data());
}

void Lists::PrepareNearest() {
  if (nearest_) return;
  nearest_.emplace(space_);
  nearest_->SetAll(centres_);
}

std::vector<size_t> Lists::Nearest(std::span<const float> vectors) const {
  std::vector<size_t> positions(vectors.size() / space_.dimension());
  nearest_->Find(vectors, positions);
  return positions;
}

const float* Lists::CentreOf(int64_t id) const {
  const auto found = positions_.find(id);
  return found == positions_.end() ? nullptr : centre(found->second);
}

uint64_t Lists::TotalRows() const {
  return std::accumulate(rows_.begin(), rows_.end(), uint64_t{0});
}

TwoLists SplitInTwo(const CodeSpace& space, std::span<const float> vectors, uint64_t seed) {
  std::vector<uint32_t> rows(vectors.size() / space.dimension());
  std::iota(rows.begin(), rows.end(), 0);
  Random random(seed);
  const size_t first = Part(space.kernels(), vectors, space.dimension(), rows, &random);
  TwoLists lists;
  lists.side.assign(rows.size(), 0);
  for (size_t r = first; r < rows.size(); r++) lists.side[rows[r]] = 1;
  lists.centres[0] = RotatedMean(space, vectors, std::span(rows).first(first));
  lists.centres[1] = RotatedMean(space, vectors, std::span(rows).subspan(first));
  return lists;
}

uint64_t SampleRows(uint64_t table_rows, const CodeSpace& space) {
  if (table_rows <= Lists::MaxRows(space.width())) return 0;
  const uint64_t wanted = std::max(table_rows / kSampleShare, kLeastSample);
  return std::min({table_rows, wanted, kMostSampleBytes / (space.dimension() * sizeof(float))});
}

std::vector<float> MakeCentres(const CodeSpace& space, std::span<const float> sample,
                               uint64_t table_rows, uint64_t seed) {
  const size_t n = sample.size() / space.dimension();
  const double max_rows = Lists::MaxRows(space.width());
  if (static_cast<double>(table_rows) <= max_rows || n < 2)
    return std::vector<float>(space.width());
  // A new list has half of the rows at which it will be split; so many are `most` rows of the sample.
  const auto most =
      static_cast<size_t>(max_rows / 2 * static_cast<double>(n) / static_cast<double>(table_rows));
  std::vector<uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  Random random(seed);
  std::vector<float> centres;
  std::vector<std::span<uint32_t>> parts = {rows};
  while (!parts.empty()) {
    const std::span<uint32_t> part = parts.back();
    parts.pop_back();
    if (part.size() > std::max<size_t>(most, 1)) {
      const size_t first = Part(space.kernels(), sample, space.dimension(), part, &random);
      parts.push_back(part.subspan(first));
      parts.push_back(part.first(first));
      continue;
    }
    const std::vector<float> centre = RotatedMean(space, sample, part);
    centres.insert(centres.end(), centre.begin(), centre.end());
  }
  return centres;
}

}  // namespace s2v::search
