#include "sql/index_embedder.h"

#include "core/error.h"
#include "sql/index_term_cutter.h"

namespace s2v {

uint32_t IndexEmbedder::Dimension() {
  if (!dimension_ && !index_.of_vectors) dimension_ = Model().info().shape.dimension;
  if (!dimension_ && index_.dimension > 0) dimension_ = index_.dimension;
  if (!dimension_) {
    const std::string column = QuoteName(index_.columns[0]);
    Statement first(db_, "SELECT " + column + " FROM " + index_.Source() + " WHERE typeof(" +
                             column + ") = 'blob' AND " + column + " <> x'' LIMIT 1");
    const uint64_t bytes = first.Step() ? first.Blob(0).size() : 0;
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

ModelReader& IndexEmbedder::Model() {
  if (!reader_) {
    ModelName name =
        index_.model.empty() ? ModelName{index_.schema, ""} : ParseModelName(index_.model);
    try {
      // Another database may have another one of this name.
      if (name.schema.empty() && IsModelThere(db_, {index_.schema, name.name}))
        name.schema = index_.schema;
      reader_ = std::make_unique<ModelReader>(db_, name, files_);
      const bool may_be_another = index_.model.empty() && !index_.model_hash.empty();
      if (may_be_another && reader_->info().hash != index_.model_hash &&
          !IsEmbeddedAtReading(db_, index_)) {
        name.name = NameOfModel(db_, index_.schema, index_.model_hash);
        if (!name.name.empty()) reader_ = std::make_unique<ModelReader>(db_, name, files_);
      }
    } catch (const InvalidArgument& error) {
      if (index_.of_vectors) {
        throw InvalidArgument(
            std::string(error.what()) +
            ": no model embeds a text for this index of vectors; give "
            "a vector, ask by 'words', or say model = name at CREATE VIRTUAL TABLE");
      }
      throw InvalidArgument(error.what() + HowToGetModel());
    }
  }
  return *reader_;
}

std::string IndexEmbedder::HowToGetModel() const {
  if (index_.model.empty()) {
    return index_.schema == "main"
               ? ""
               : ", as model = name at CREATE VIRTUAL TABLE: an index outside of main takes no other database's default";
  }
  return "; s2v_train('" + index_.table + "', '" + NamesOf(index_.TextColumns()) +
         "', '{\"model\":\"" + index_.model + "\"}') makes it";
}

std::string IndexEmbedder::WhyNoModel() {
  try {
    Model();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

EmbeddingShape IndexEmbedder::Shape() {
  EmbeddingShape shape = Model().info().shape;
  if (index_.passages > 0 && Format() != nullptr) shape.tokenizer = &shape.tokenizer->plain();
  return shape;
}

const Tokenizer* IndexEmbedder::Format() {
  if (!format_) {
    const Tokenizer* profile = index_.words ? TermCutter(db_, index_).profile() : nullptr;
    if (profile == nullptr && index_.dimension > 0) profile = Model().info().shape.tokenizer;
    format_ = profile == nullptr || &profile->plain() == profile ? nullptr : profile;
  }
  return *format_;
}

const float* IndexEmbedder::Vector(const SourceRow& row) {
  if (!index_.of_vectors) return Embed(row.text);
  if (row.vector.empty()) return nullptr;
  vector_.resize(Dimension());
  return UnitVector(row.vector, Dimension(), vector_.data()) ? vector_.data() : nullptr;
}

const float* IndexEmbedder::Embed(std::string_view text) {
  const uint32_t dimension = Model().info().shape.dimension;
  vector_.resize(dimension);
  if (!embedder_) embedder_.emplace(Shape(), reader_.get());
  return embedder_->EmbedUnit(text, vector_.data()) ? vector_.data() : nullptr;
}

}  // namespace s2v
