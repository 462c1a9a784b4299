#include "core/search/lists.h"

#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/model/element.h"
#include "core/parallel.h"
#include "core/random.h"

namespace s2v::search {
namespace {

constexpr int kIterations = 8, kDraws = 8;  // kDraws: for a vector that is not like the first
// Two clusters of more rows are found with so many of them.
constexpr size_t kMostCompared = 2048;
// A side of a split has at least one row in so many.
constexpr size_t kLeastPart = 8;
// Ids that an entry keeps in three bytes. (SQLite keeps integers in 1, 2, 3, 4, 6 or 8.)
constexpr int64_t kIds = int64_t{1} << 23;
// New lists behind the ordered ones, at most: so many, and one for so many that are ordered.
constexpr size_t kMostBehind = 16, kBehindShare = 16;
// Centres are made from a sample of the table: one row in kSampleShare, about forty for each list,
// fewer of long vectors, but at least kLeastSample rows and at most kMostSampleBytes.
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

// Parts rows [any] of x [any, n] into two clusters: the rows of the first one come first. Returns
// how many these are.
size_t Part(const simd::Kernels& k, std::span<const float> x, size_t n, std::span<uint32_t> rows,
            Random* random) {
  const size_t count = rows.size();
  std::vector<float> centres[2];
  const auto draw = [&] {
    const float* row = &x[rows[random->Below(static_cast<uint32_t>(count))] * n];
    return std::vector<float>(row, row + n);
  };
  centres[0] = draw();
  for (int i = 0; i < kDraws && (i == 0 || centres[1] == centres[0]); i++) centres[1] = draw();
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
      // Vectors that are all alike are halved, or a list of many would be gone through again and
      // again.
      if (projected.front().first == projected.back().first) return count / 2;
    }
    for (size_t r = 0; r < some.size(); r++) some[r] = projected[r].second;
    if (is_last) return first;
    centres[0] = Mean(k, x, n, some.first(first));
    centres[1] = Mean(k, x, n, some.subspan(first));
  }
}

// [lists, width], of lists of at most `most` of these rows.
std::vector<float> CentresOf(const CodeSpace& space, std::span<const float> x,
                             std::span<uint32_t> rows, size_t most, uint64_t seed, size_t workers) {
  if (rows.size() <= most) return RotatedMean(space, x, rows);
  Random random(seed);
  const size_t first = Part(space.kernels(), x, space.dimension(), rows, &random);
  const std::span<uint32_t> halves[] = {rows.first(first), rows.subspan(first)};
  const uint64_t seeds[] = {random.Next(), random.Next()};
  std::vector<float> centres[2];
  RunParallel(2, workers, [&](size_t half) {
    centres[half] = CentresOf(space, x, halves[half], most, seeds[half], (workers + 1) / 2);
  });
  centres[0].insert(centres[0].end(), centres[1].begin(), centres[1].end());
  return std::move(centres[0]);
}

}  // namespace

std::vector<float> ParseCentre(const CodeSpace& space, std::string_view bytes) {
  if (bytes.size() != RowBytes(Element::kInt8, space.width()))
    throw FormatError("has a wrong size");
  if (!IsRow(Element::kInt8, bytes.data(), space.width()))
    throw FormatError("is no row of numbers");
  std::vector<float> centre(space.width());
  DecodeRow(Element::kInt8, bytes.data(), space.width(), centre.data());
  if (!(SquaredLength(centre) < 1.05))  // but for rounding
    throw FormatError("is no mean of vectors of length 1");
  return centre;
}

std::string CentreBytes(std::span<const float> centre) {
  const auto width = static_cast<uint32_t>(centre.size());
  std::string bytes(RowBytes(Element::kInt8, width), '\0');
  EncodeRow(Element::kInt8, centre.data(), width, bytes.data());
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
  if (!nearest_) return;
  if (is_new) {
    place_of_.push_back(at);
    at_place_.push_back(at);
  }
  nearest_->Set(place_of_[at], centres_[at].data());
  if (size() - ordered_ > kMostBehind + ordered_ / kBehindShare) Order();
}

void Lists::PrepareNearest() {
  if (!nearest_) Order();
}

void Lists::Order() {
  ordered_ = size();
  at_place_.resize(size());
  std::iota(at_place_.begin(), at_place_.end(), size_t{0});
  std::sort(at_place_.begin(), at_place_.end(),
            [&](size_t a, size_t b) { return ids_[a] < ids_[b]; });
  place_of_.resize(size());
  std::vector<const float*> centres;
  for (size_t place = 0; place < size(); place++) {
    place_of_[at_place_[place]] = place;
    centres.push_back(centre(at_place_[place]));
  }
  nearest_.emplace(space_);
  nearest_->SetAll(centres);
}

std::vector<size_t> Lists::Nearest(std::span<const float> vectors) const {
  std::vector<size_t> found(vectors.size() / space_.dimension());
  nearest_->Find(vectors, found);
  for (size_t& at : found) at = at_place_[at];
  return found;
}

int64_t Lists::IdOf(size_t at, size_t count) {
  const int64_t step = std::max(kIds / (static_cast<int64_t>(count) + 1), int64_t{1});
  return (static_cast<int64_t>(at) + 1) * step;
}

int64_t Lists::FreeIdBehind(int64_t id) const {
  int64_t next = std::max(kIds, id + 1);
  for (const int64_t other : ids_) {
    if (other > id) next = std::min(next, other);
  }
  int64_t free = id + (next - id) / 2;
  if (free == id) {
    for (free = 1; positions_.contains(free);) free++;
  }
  return free;
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
                               uint64_t table_rows, uint64_t seed, size_t workers) {
  const size_t n = sample.size() / space.dimension();
  const double max_rows = Lists::MaxRows(space.width());
  if (static_cast<double>(table_rows) <= max_rows || n < 2)
    return std::vector<float>(space.width());
  // A new list has at most half of the rows at which it will be split, a third on average; so many
  // are `most` rows of the sample.
  const auto most =
      static_cast<size_t>(max_rows / 2 * static_cast<double>(n) / static_cast<double>(table_rows));
  std::vector<uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return CentresOf(space, sample, rows, std::max<size_t>(most, 1), seed, workers);
}

}  // namespace s2v::search
