// The vectors of length 1 of an index: those that its model makes of texts, or those of its BLOBs.
//
//   IndexEmbedder embedder(db, index);
//   if (const float* vector = embedder.Vector(row)) ...    // nullptr: it has none
//   if (const float* query = embedder.Embed("rate cuts")) ...
//
// Thread rule: as the connection's. While it lives, a read transaction of the model stays open, so
// it must not outlive the statement that it serves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "sql/index_definition.h"
#include "sql/index_source_row.h"
#include "sql/model_reader.h"

namespace s2v {

class IndexEmbedder {
 public:
  // Opens no model before it is needed. index must outlive it. files: as of ModelReader.
  IndexEmbedder(sqlite3* db, const IndexDefinition& index, OpenFiles* files = nullptr)
      : db_(db), index_(index), files_(files) {}

  // Of a text: the model's. Of vectors: the index's, or that of the first vector; 0 where there is
  // none.
  uint32_t Dimension();
  // The model that embeds texts: the one that was named, else the default; where another is the
  // default by now, the one that made the index's vectors, if it is still there. Throws
  // InvalidArgument where there is none, saying what to do.
  ModelReader& Model();
  bool HasModel() { return WhyNoModel().empty(); }
  // "" where there is one.
  std::string WhyNoModel();
  // How the model embeds texts of this index.
  EmbeddingShape Shape();
  // What tells of the columns' texts what is text, where they are in a format, as the words'
  // profile says or, without one, the model's; nullptr: all of it is.
  const Tokenizer* Format();

  // Of length 1, nullptr: the row has none. Valid until the next call of Vector or Embed.
  const float* Vector(const SourceRow& row);
  const float* Embed(std::string_view text);

 private:
  // Of an index of texts: what follows the message that says which models there are.
  std::string HowToGetModel() const;

  sqlite3* db_;
  const IndexDefinition& index_;
  OpenFiles* files_;
  std::optional<const Tokenizer*> format_;
  std::unique_ptr<ModelReader> reader_;
  std::optional<Embedder> embedder_;
  std::optional<uint32_t> dimension_;
  std::vector<float> vector_;
};

}  // namespace s2v
