// s2v_convert(model, name, element [, max_features]) -> JSON summary
//
// Stores a smaller copy of a model under a name, which may be its own.
//     element       'int8' or 'float32'
//     max_features  how many words and n-grams to keep; NULL or left out: all
// model NULL: the default model.
// Example: SELECT s2v_convert('news', 'news_small', 'int8', 50000);
//
// Holds the write lock while it works. sqlite3_interrupt stops it; then, and after any error,
// nothing has changed.
#include "ext/functions.h"
#include "sql/convert_model.h"

namespace s2v {

void Convert(const Call& call) {
  sqlite3* db = call.connection().db;
  if (IsNull(call.values[1]) || IsNull(call.values[2])) {
    throw InvalidArgument(
        "a name and an element are needed: s2v_convert(model, name, 'int8' [, max_features])");
  }
  ConvertRequest request;
  if (!IsNull(call.values[0])) {
    // Checked here, since an empty one would be the default model's.
    request.model = TextArgument(call.values[0], "model");
    ParseModelName(request.model);
  }
  request.name = TextArgument(call.values[1], "name");
  request.element = ParseElement(TextArgument(call.values[2], "element"));
  if (call.count > 3 && !IsNull(call.values[3])) {
    if (sqlite3_value_type(call.values[3]) != SQLITE_INTEGER ||
        sqlite3_value_int64(call.values[3]) < 1) {
      throw InvalidArgument(
          "max_features: a whole number from 1 on expected, the features to keep");
    }
    request.max_features = static_cast<uint64_t>(sqlite3_value_int64(call.values[3]));
  }
  StoreModel(call, [&](const auto& observer) { return ConvertModel(db, request, observer); });
}

}  // namespace s2v
