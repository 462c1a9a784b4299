// One bit a dimension: the codes by which a vector index finds its candidates (RaBitQ: Gao and
// Long, SIGMOD 2024).
//
//   const CodeSpace space(300, seed);
//   std::vector<float> x(space.width());
//   space.Rotate(vector, x.data());
//   Block block(space);
//   block.Add(rowid, MakeCode(space, x.data(), centre));
//   const std::string bytes = block.Bytes();       // a BLOB; Block::Parse(space, bytes) is the block
//
// A unit vector is rotated at random, x, so that no dimension matters more than another. Of its
// residual r = x - c to the centre c of its list the signs s in {-1, 1}^width are kept, and two
// numbers. With any query q, rotated too, where t = q.c / c.c is how much of c the query has:
//
//   q.x = q.c + q.r,   q.r = scale * q.s + q.e    is estimated as    scale * q.s + t * offset
//   scale  = r.r / sum |r_i|                      so that the rest e = r - scale * s has e.r = 0
//   offset = c.e                                  what of the rest lies along the centre
//
// The estimate has no bias, and its error is that of q.e with the part of q that is across c: a
// standard deviation of kErrorOfScale * scale * |q - t c|.
//
// Rotation: the vector is padded with zeros to width numbers; kRounds times the signs of all
// numbers are flipped at random and the first p numbers go through a Hadamard transform, and the
// same with the last p; p is the largest power of two that is not above width.
//
// Thread rule: a CodeSpace never changes; a Block belongs to one thread while it is changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/simd/kernels.h"

namespace s2v::search {

class CodeSpace {
 public:
  // The same dimension and seed give the same rotation with every kernel but for rounding.
  // kernels must outlive it.
  CodeSpace(uint32_t dimension, uint64_t seed, const simd::Kernels& kernels = simd::BestKernels());
  uint32_t dimension() const { return dimension_; }
  // Numbers of a rotated vector, bits of a code: the dimension rounded up to a multiple of 16, at
  // least kLeastWidth. Of a short vector a few bits would say too little to tell rows apart.
  static constexpr uint32_t kLeastWidth = 256;
  uint32_t width() const { return width_; }
  const simd::Kernels& kernels() const { return k_; }
  // v [dimension] to rotated [width], which has v's length.
  void Rotate(const float* v, float* rotated) const;
  // rotated [width] to numbers [width]: where Rotate has made it of v, v, and zeros behind it but
  // for rounding.
  void RotateBack(const float* rotated, float* numbers) const;

 private:
  const uint32_t dimension_, width_;
  const simd::Kernels& k_;
  float scale_ = 1;           // of a transform, so that it keeps lengths
  std::vector<float> signs_;  // [rounds, 2, width], 1 or -1
};

// What a list keeps of one of its rows.
struct RowCode {
  float scale = 0, offset = 0;
  std::vector<uint8_t> signs;  // [width / 4]: bit i of number d is set where r_(4 d + i) >= 0
};
// x, centre: [width], rotated.
RowCode MakeCode(const CodeSpace& space, const float* x, const float* centre);

// Up to kMaxRows rows of one list. As bytes, little-endian:
//
//   uint64  checksum: XXH3 of 64 bits over what follows
//   uint32  dimension
//   uint16  format: 1
//   uint16  rows: 1 to kMaxRows
//   int64   rowids [rows]
//   groups  [rows / kGroup, rounded up], each:
//     uint8   codes [width / 4, 16]: byte i of the 16 for dimensions 4 d to 4 d + 3 holds those of
//             row i of the group in its low four bits and those of row 16 + i in its high ones; the
//             lowest bit is dimension 4 d, and set where r_i >= 0
//     float   scales [kGroup], 0 to kMaxFactor
//     float   offsets [kGroup], -kMaxFactor to kMaxFactor
//
// What belongs to rows that are not there is 0.
class Block {
 public:
  static constexpr uint32_t kGroup = 32, kMaxRows = 128;
  // Scales and offsets of vectors of length 1 and their means are smaller.
  static constexpr float kMaxFactor = 4;

  explicit Block(const CodeSpace& space) : width_(space.width()), dimension_(space.dimension()) {}
  // Throws FormatError where bytes are no block of this space.
  static Block Parse(const CodeSpace& space, std::string_view bytes);
  std::string Bytes() const;

  uint32_t rows() const { return static_cast<uint32_t>(rowids_.size()); }
  bool IsOf(const CodeSpace& space) const {
    return width_ == space.width() && dimension_ == space.dimension();
  }
  bool is_full() const { return rows() == kMaxRows; }
  int64_t rowid(uint32_t row) const { return rowids_[row]; }
  // code: of the same space. REQUIRES: not full.
  void Add(int64_t rowid, const RowCode& code);
  // The row with this rowid.
  std::optional<uint32_t> Find(int64_t rowid) const;
  // Deletes a row of a list: the last row of the list's last block takes its place, and then goes.
  // last may be this block.
  void Replace(uint32_t row, Block* last);
  // What it takes in memory.
  size_t MemoryBytes() const {
    return sizeof(*this) + rowids_.capacity() * sizeof(int64_t) + groups_.capacity();
  }

 private:
  friend class CodeQuery;
  size_t GroupBytes() const { return size_t{4} * width_ + 2 * kGroup * sizeof(float); }
  const uint8_t* Codes(uint32_t group) const { return &groups_[group * GroupBytes()]; }
  const float* Scales(uint32_t group) const {
    return reinterpret_cast<const float*>(Codes(group) + size_t{4} * width_);
  }
  const float* Offsets(uint32_t group) const { return Scales(group) + kGroup; }
  uint8_t Nibble(uint32_t row, uint32_t quad) const;
  void SetNibble(uint32_t row, uint32_t quad, uint8_t bits);
  void SetFactors(uint32_t row, float scale, float offset);
  void Resize(uint32_t rows);

  uint32_t width_, dimension_;
  std::vector<int64_t> rowids_;
  std::vector<uint8_t> groups_;  // as in the bytes; in one piece, since they are read in a row
};

// A query, ready to be compared with codes.
class CodeQuery {
 public:
  // |q - t c| / |q| and scale give the standard deviation of an estimate.
  static constexpr float kErrorOfScale = 0.6f;

  // x: [width], rotated, of length 1 or less; both must outlive it.
  CodeQuery(const CodeSpace& space, const float* x);
  // Of the centre of the list that is scanned next: [width].
  void SetCentre(const float* centre);
  // The estimates of kGroup rows from 32 * group on, and a bit for each row that is there and has
  // an estimate of at least `least`. least may be -infinity. next: the block that comes then, which
  // is read ahead.
  uint32_t Estimate(const Block& block, uint32_t group, const Block& next, float least,
                    float estimates[Block::kGroup]) const;
  // Standard deviation of a row's estimate.
  float Error(const Block& block, uint32_t row) const {
    return kErrorOfScale * across_ * block.Scales(row / Block::kGroup)[row % Block::kGroup];
  }

 private:
  const CodeSpace& space_;
  const float* const x_;
  std::vector<uint8_t> table_;              // [width / 4, 16]
  float table_step_ = 0, table_least_ = 0;  // q.s = table_least_ + table_step_ * sum of entries
  float centre_similarity_ = 0, along_ = 0, across_ = 1;
};

}  // namespace s2v::search
