// The rows of an index's table as vectors of length 1.
//
//   IndexSource source(db, index);
//   if (const float* vector = source.Vector(rowid)) ...   // nullptr: it has none, or is gone
//   if (const float* query = source.Embed("rate cuts")) ...
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open, so it
// must not outlive the statement that it serves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/embed/embedder.h"
#include "sql/index_definition.h"
#include "sql/model_store.h"

namespace s2v {

// bytes, a BLOB of float32, as a vector of length 1. False where it has another dimension, a number
// that is not finite, or no direction.
bool UnitVector(std::string_view bytes, uint32_t dimension, float* vector);

// All rows of the source, the rowid first. What such a row holds to be a vector: of texts those that are
// not NULL, a line each, or a vector's bytes; "" where there is neither.
std::string SelectSource(const IndexDefinition& index);
void ReadSourceRow(const IndexDefinition& index, const Statement& row, std::string* value);

// The embedding of a row's text, kept for when the row is asked for again.
struct KeptVector {
  uint64_t text_hash = 0;
  std::vector<float> vector;  // empty: the text has none
};
using KeptVectors = std::unordered_map<int64_t, KeptVector>;

class IndexSource {
 public:
  // Opens no model before it is needed. index must outlive it, and so must kept, where rows of texts are
  // not embedded again unless they have changed; nullptr: no row is kept. files: as of ModelReader.
  IndexSource(sqlite3* db, const IndexDefinition& index, KeptVectors* kept = nullptr,
              OpenFiles* files = nullptr)
      : db_(db), index_(index), kept_(kept), files_(files) {}

  // Of a text: the model's. Of vectors: the index's, or that of the first vector; 0 where there is none.
  uint32_t Dimension();
  // The model that embeds texts. Throws InvalidArgument where there is none, saying what to do.
  ModelReader& Model();
  // Valid until the next call of Vector or Embed.
  const float* Vector(int64_t rowid);
  const float* Embed(std::string_view text);

 private:
  const float* TextVector(int64_t rowid, const std::string& text);

  sqlite3* db_;
  const IndexDefinition& index_;
  KeptVectors* kept_;
  OpenFiles* files_;
  std::unique_ptr<ModelReader> reader_;
  std::optional<Embedder> embedder_;
  std::optional<uint32_t> dimension_;
  Statement select_;
  std::vector<float> vector_;
  std::string value_;
};

}  // namespace s2v
