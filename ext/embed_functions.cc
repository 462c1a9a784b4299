// s2v_embed(text [, model [, 'raw']]) -> BLOB
//
// The sentence embedding of text by the model (NULL or left out: the default model): float32
// little-endian, 4 * dimension bytes, of length 1, with the weights and without the common
// components that the model was trained with; with 'raw' eq. 2 of the paper itself. NULL for NULL,
// for a text without a known feature, and where the features cancel out: never a vector without a
// direction.
//
// s2v_model_hash([model]) -> TEXT
//
// The hash of what the model holds, as s2v_models shows it: equal for equal models, another after
// retraining. Stored beside an embedding it tells which model made it; a BLOB cannot.
#include "ext/arguments.h"
#include "ext/functions.h"
#include "ext/results.h"
#include "ext/statement_models.h"

namespace s2v {

void Embed(const Call& call) {
  bool raw = false;
  if (call.count > 2 && !IsNull(call.values[2])) {
    if (TextArgument(call.values[2], "the third argument") != "raw") {
      throw InvalidArgument("the third argument can be 'raw' only");
    }
    raw = true;
  }
  const std::string_view model_name = ModelArgument(call.count > 1 ? call.values[1] : nullptr);
  if (IsNull(call.values[0])) return;
  const std::string_view text = TextArgument(call.values[0], "text");

  StatementModels::Lease models(call);
  OpenModel& model = models.Get(model_name);
  float* embedding = model.embedding.data();
  const uint32_t dimension = model.reader.info().shape.dimension;
  const bool found =
      raw ? model.embedder.Embed(text, embedding) > 0 : model.embedder.EmbedUnit(text, embedding);
  if (!found) return;
  sqlite3_result_blob64(call.context, embedding, dimension * sizeof(float), SQLITE_TRANSIENT);
}

void ModelHash(const Call& call) {
  StatementModels::Lease models(call);
  const std::string& hash =
      models.Get(ModelArgument(call.count > 0 ? call.values[0] : nullptr)).reader.info().hash;
  ResultText(call.context, hash);
}

}  // namespace s2v
