// s2v_embed(text [, model [, 'raw']]) -> BLOB
//
// The sentence embedding of text by the model (NULL or left out: the default model): float32
// little-endian, 4 * dimension bytes, of length 1, with the weights and without the common
// components that the model was trained with; with 'raw' eq. 2 of the paper itself. NULL for NULL,
// for a text without a known feature, and where the features cancel out: never a vector without a
// direction.
#include "ext/arguments.h"
#include "ext/functions.h"
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
  std::string_view model_name;
  if (call.count > 1 && !IsNull(call.values[1])) {
    model_name = TextArgument(call.values[1], "model");
    if (model_name.empty()) throw InvalidArgument("model is empty; NULL means the default model");
  }
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

}  // namespace s2v
