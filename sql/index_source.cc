#include "sql/index_source.h"

#include <cstring>

#include "core/error.h"
#include "core/vocab/hash.h"

namespace s2v {

bool UnitVector(std::string_view bytes, uint32_t dimension, float* vector) {
  if (dimension == 0 || bytes.size() != RowBytes(Element::kFloat32, dimension)) return false;
  if (!IsRow(Element::kFloat32, bytes.data(), dimension)) return false;
  std::memcpy(vector, bytes.data(), bytes.size());
  return Normalize(vector, dimension, simd::BestKernels());
}

std::string SelectSource(const IndexDefinition& index) {
  return "SELECT " + QuoteName(index.rowid) + ", " +
         (index.of_vectors ? QuoteName(index.columns[0]) : index.Texts()) + " FROM " +
         index.Source();
}

void ReadSourceRow(const IndexDefinition& index, const Statement& row, std::string* value) {
  value->clear();
  for (int i = 1; i < sqlite3_column_count(row.get()); i++) {
    const int type = row.Type(i);
    if (type == SQLITE_NULL || (type == SQLITE_BLOB) != index.of_vectors) continue;
    if (!value->empty()) *value += '\n';
    *value += index.of_vectors ? row.Blob(i) : row.Text(i);
  }
}

uint32_t IndexSource::Dimension() {
  if (!dimension_ && !index_.of_vectors) dimension_ = Model().info().shape.dimension;
  if (!dimension_ && index_.dimension > 0) dimension_ = index_.dimension;
  if (!dimension_) {
    const std::string column = QuoteName(index_.columns[0]);
    const auto bytes = static_cast<uint64_t>(
        SelectInt(db_, "SELECT length(" + column + ") FROM " + index_.Source() + " WHERE typeof(" +
                           column + ") = 'blob' AND length(" + column + ") > 0 LIMIT 1"));
    if (bytes % sizeof(float) != 0 || bytes / sizeof(float) > kMaxIndexDimension) {
      throw InvalidArgument("the first BLOB of " + index_.table + "." + index_.columns[0] +
                            " has " + std::to_string(bytes) +
                            " bytes; a vector of float32 has 4 for each of its 1 to " +
                            std::to_string(kMaxIndexDimension) + " dimensions");
    }
    dimension_ = static_cast<uint32_t>(bytes / sizeof(float));
  }
  return *dimension_;
}

ModelReader& IndexSource::Model() {
  if (!reader_) {
    const ModelName name =
        index_.model.empty() ? ModelName{index_.schema, ""} : ParseModelName(index_.model);
    try {
      reader_ = std::make_unique<ModelReader>(db_, name, files_);
    } catch (const InvalidArgument& error) {
      if (index_.of_vectors) {
        throw InvalidArgument(std::string(error.what()) +
                              ": no model embeds a text for this index of vectors; give "
                              "a vector, or model = name at CREATE VIRTUAL TABLE");
      }
      throw;
    }
    embedder_.emplace(reader_->info().shape, reader_.get(), simd::BestKernels());
  }
  return *reader_;
}

const float* IndexSource::Vector(int64_t rowid) {
  if (!select_) {
    select_ = Statement(db_, SelectSource(index_) + " WHERE " + QuoteName(index_.rowid) + " = ?1");
  }
  const float* vector = nullptr;
  if (select_.Find(rowid)) {
    ReadSourceRow(index_, select_, &value_);
    if (!index_.of_vectors) {
      vector = TextVector(rowid, value_);
    } else if (!value_.empty()) {
      vector_.resize(Dimension());
      if (UnitVector(value_, Dimension(), vector_.data())) vector = vector_.data();
    }
  }
  select_.Reset();
  return vector;
}

const float* IndexSource::TextVector(int64_t rowid, const std::string& text) {
  if (kept_ == nullptr) return Embed(text);
  const uint64_t hash = XXH3_64bits(text.data(), text.size());
  const auto [at, is_new] = kept_->try_emplace(rowid);
  KeptVector& kept = at->second;
  if (is_new || kept.text_hash != hash) {
    const float* vector = Embed(text);
    kept.vector.assign(vector, vector == nullptr ? vector : vector + vector_.size());
    kept.text_hash = hash;
  }
  return kept.vector.empty() ? nullptr : kept.vector.data();
}

const float* IndexSource::Embed(std::string_view text) {
  const uint32_t dimension = Model().info().shape.dimension;
  vector_.resize(dimension);
  return embedder_->EmbedUnit(text, vector_.data()) ? vector_.data() : nullptr;
}

}  // namespace s2v
