#include "core/search/codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/random.h"
#include "core/vocab/hash.h"

namespace s2v::search {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

constexpr uint32_t kRounds = 3;
constexpr uint32_t kGroup = Block::kGroup;
constexpr uint16_t kFormat = 1;

struct Header {
  uint64_t checksum;
  uint32_t dimension;
  uint16_t format, rows;
};
static_assert(sizeof(Header) == 16);

constexpr size_t GroupsOf(size_t rows) {
  return (rows + kGroup - 1) / kGroup;
}

uint64_t Checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data() + sizeof(uint64_t), bytes.size() - sizeof(uint64_t));
}

}  // namespace

CodeSpace::CodeSpace(uint32_t dimension, uint64_t seed, const simd::Kernels& kernels)
    : dimension_(dimension),
      width_(std::max(kLeastWidth, (dimension + 15) / 16 * 16)),
      k_(kernels) {
  Random random(seed);
  signs_.resize(size_t{kRounds} * 2 * width_);
  for (float& sign : signs_) sign = random.Next() >> 63 != 0 ? 1.0f : -1.0f;
  scale_ = 1 / std::sqrt(static_cast<float>(std::bit_floor(width_)));
}

void CodeSpace::Rotate(const float* v, float* rotated) const {
  std::copy(v, v + dimension_, rotated);
  std::fill(rotated + dimension_, rotated + width_, 0.0f);
  const size_t p = std::bit_floor(width_);
  const float* sign = signs_.data();
  for (uint32_t round = 0; round < 2 * kRounds; round++) {
    for (size_t i = 0; i < width_; i++) rotated[i] *= *sign++;
    float* part = round % 2 == 0 ? rotated : rotated + width_ - p;
    k_.hadamard(part, p);
    k_.scale(part, scale_, p);
  }
}

void CodeSpace::RotateBack(const float* rotated, float* numbers) const {
  std::copy(rotated, rotated + width_, numbers);
  const size_t p = std::bit_floor(width_);
  for (uint32_t round = 2 * kRounds; round-- > 0;) {
    float* part = round % 2 == 0 ? numbers : numbers + width_ - p;
    k_.hadamard(part, p);
    k_.scale(part, scale_, p);
    const float* sign = &signs_[size_t{round} * width_];
    for (size_t i = 0; i < width_; i++) numbers[i] *= sign[i];
  }
}

Block Block::Parse(const CodeSpace& space, std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(header)) throw FormatError("is too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.format != kFormat) throw FormatError("has an unknown format");
  if (header.dimension != space.dimension()) throw FormatError("is of another dimension");
  if (header.rows == 0 || header.rows > kMaxRows) throw FormatError("has a wrong number of rows");
  Block block(space);
  const size_t rowid_bytes = header.rows * sizeof(int64_t);
  const size_t group_bytes = GroupsOf(header.rows) * block.GroupBytes();
  if (bytes.size() != sizeof(header) + rowid_bytes + group_bytes) {
    throw FormatError("has a wrong size");
  }
  if (header.checksum != Checksum(bytes)) throw FormatError("has a wrong checksum");
  block.rowids_.resize(header.rows);
  std::memcpy(block.rowids_.data(), bytes.data() + sizeof(header), rowid_bytes);
  const char* groups = bytes.data() + sizeof(header) + rowid_bytes;
  block.groups_.assign(groups, groups + group_bytes);
  for (uint32_t group = 0; group < GroupsOf(header.rows); group++) {
    const float *scales = block.Scales(group), *offsets = block.Offsets(group);
    for (uint32_t i = 0; i < kGroup; i++) {
      if (!(scales[i] >= 0 && scales[i] <= kMaxFactor && std::fabs(offsets[i]) <= kMaxFactor)) {
        throw FormatError("has a factor out of range");
      }
    }
  }
  return block;
}

std::string Block::Bytes() const {
  Header header{0, dimension_, kFormat, static_cast<uint16_t>(rows())};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(rowids_.data()), rows() * sizeof(int64_t));
  bytes.append(reinterpret_cast<const char*>(groups_.data()), groups_.size());
  header.checksum = Checksum(bytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

void Block::Resize(uint32_t rows) {
  rowids_.resize(rows);
  groups_.resize(GroupsOf(rows) * GroupBytes());
}

uint8_t Block::Nibble(uint32_t row, uint32_t quad) const {
  const uint8_t byte = Codes(row / kGroup)[size_t{quad} * 16 + row % 16];
  return row % kGroup < 16 ? byte & 15 : byte >> 4;
}

void Block::SetNibble(uint32_t row, uint32_t quad, uint8_t bits) {
  uint8_t& byte = groups_[row / kGroup * GroupBytes() + size_t{quad} * 16 + row % 16];
  byte = static_cast<uint8_t>(row % kGroup < 16 ? (byte & 0xf0) | bits : (byte & 0x0f) | bits << 4);
}

void Block::SetFactors(uint32_t row, float scale, float offset) {
  uint8_t* group = &groups_[row / kGroup * GroupBytes() + size_t{4} * width_];
  std::memcpy(group + row % kGroup * sizeof(float), &scale, sizeof(scale));
  std::memcpy(group + (kGroup + row % kGroup) * sizeof(float), &offset, sizeof(offset));
}

RowCode MakeCode(const CodeSpace& space, const float* x, const float* centre) {
  const simd::Kernels& k = space.kernels();
  const size_t width = space.width();
  std::vector<float> residual(x, x + width), signs(width);
  k.axpy(residual.data(), -1, centre, width);
  for (size_t i = 0; i < width; i++) signs[i] = residual[i] >= 0 ? 1.0f : -1.0f;
  const float square = k.dot(residual.data(), residual.data(), width);
  const float absolute = k.dot(residual.data(), signs.data(), width);
  RowCode code;
  code.scale = absolute > 0 ? square / absolute : 0;
  code.offset =
      k.dot(centre, residual.data(), width) - code.scale * k.dot(centre, signs.data(), width);
  code.signs.resize(width / 4);
  for (size_t quad = 0; quad < width / 4; quad++) {
    const float* r = &residual[quad * 4];
    code.signs[quad] =
        static_cast<uint8_t>((r[0] >= 0) | (r[1] >= 0) << 1 | (r[2] >= 0) << 2 | (r[3] >= 0) << 3);
  }
  return code;
}

void Block::Add(int64_t rowid, const RowCode& code) {
  const uint32_t row = rows();
  Resize(row + 1);
  rowids_[row] = rowid;
  SetFactors(row, code.scale, code.offset);
  for (uint32_t quad = 0; quad < width_ / 4; quad++) SetNibble(row, quad, code.signs[quad]);
}

std::optional<uint32_t> Block::Find(int64_t rowid) const {
  const auto found = std::find(rowids_.begin(), rowids_.end(), rowid);
  if (found == rowids_.end()) return std::nullopt;
  return static_cast<uint32_t>(found - rowids_.begin());
}

void Block::Replace(uint32_t row, Block* last) {
  const uint32_t from = last->rows() - 1, group = from / kGroup, in_group = from % kGroup;
  rowids_[row] = last->rowids_[from];
  SetFactors(row, last->Scales(group)[in_group], last->Offsets(group)[in_group]);
  last->SetFactors(from, 0, 0);
  for (uint32_t quad = 0; quad < width_ / 4; quad++) {
    SetNibble(row, quad, last->Nibble(from, quad));
    last->SetNibble(from, quad, 0);
  }
  last->Resize(from);
}

CodeQuery::CodeQuery(const CodeSpace& space, const float* x)
    : space_(space), x_(x), table_(size_t{space.width()} / 4 * 16) {
  const size_t quads = space.width() / 4;
  float widest = 0;
  for (size_t quad = 0; quad < quads; quad++) {
    float sum = 0;
    for (size_t i = 0; i < 4; i++) sum += std::fabs(x[quad * 4 + i]);
    widest = std::max(widest, 2 * sum);
    table_least_ -= sum;
  }
  // Four entries fit into a byte, all of a row into 16 bits.
  table_step_ = widest / static_cast<float>(std::min<size_t>(63, 65535 / quads));
  const float steps = table_step_ > 0 ? 1 / table_step_ : 0;
  for (size_t quad = 0; quad < quads; quad++) {
    const float* v = x + quad * 4;
    float sums[16] = {0.5f};  // rounds
    for (size_t i = 0; i < 4; i++) sums[0] += steps * std::max(0.0f, -2 * v[i]);
    for (size_t i = 0, have = 1; i < 4; i++, have *= 2) {
      for (size_t bits = 0; bits < have; bits++) sums[have + bits] = sums[bits] + steps * 2 * v[i];
    }
    for (size_t bits = 0; bits < 16; bits++) {
      table_[quad * 16 + bits] = static_cast<uint8_t>(static_cast<int>(sums[bits]));
    }
  }
}

void CodeQuery::SetCentre(const float* centre) {
  const simd::Kernels& k = space_.kernels();
  centre_similarity_ = k.dot(x_, centre, space_.width());
  const float square = k.dot(centre, centre, space_.width());
  along_ = square > 0 ? centre_similarity_ / square : 0;
  across_ = std::sqrt(std::max(0.0f, 1 - along_ * centre_similarity_));
}

uint32_t CodeQuery::Estimate(const Block& block, uint32_t group, const Block& next, float least,
                             float estimates[Block::kGroup]) const {
  const simd::CodeGroup codes = {block.Codes(group), block.Scales(group), block.Offsets(group),
                                 next.Codes(std::min(group, (next.rows() - 1) / kGroup))};
  const simd::CodeTable table = {table_.data(), space_.width() / 4, table_least_,
                                 table_step_,   centre_similarity_, along_};
  const uint32_t reached = space_.kernels().estimate_codes(estimates, codes, table, least);
  const uint32_t rows = block.rows() - group * kGroup;
  return rows < kGroup ? reached & ((uint32_t{1} << rows) - 1) : reached;
}

}  // namespace s2v::search
