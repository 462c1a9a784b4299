// A smaller copy of a stored model: its rows as another element (core/model/element.h), its
// least useful features left out. What s2v_convert and `s2v convert` both do.
//
// A converted model embeds and cannot be trained on: it has no target vectors. A float32 model that
// is converted to int8 without leaving features out is, hash and all, the model that training with
// "element": "int8" stores.
#ifndef S2V_SQL_CONVERT_MODEL_H_
#define S2V_SQL_CONVERT_MODEL_H_

#include <optional>
#include <string>

#include "sql/train_table.h"

namespace s2v {

struct ConvertRequest {
  std::string model;  // name or schema.name; "" for the default model
  std::string name;   // name or schema.name to store it under; without a schema in the model's own
  Element element = Element::kInt8;
  std::optional<uint64_t> max_features;  // words and n-grams to keep; nothing: all
};

struct ConvertResult {
  ModelInfo former, model;
  MeanCosine drift;  // of a sample of the model's table; no texts: the table is gone
  double seconds = 0;
  std::string Json() const;
};

// Bytes of a model's rows: its vectors, without their keys, words and checksums.
uint64_t VectorBytes(const ModelInfo& info);

// The name may be the model's own: then the copy takes its place. One write transaction, from the
// reading of the model on; in memory it holds the source rows that are kept. Throws
// InvalidArgument, FormatError, Interrupted, SqlError; then nothing has changed.
ConvertResult ConvertModel(sqlite3* db, const ConvertRequest& request,
                           const TrainObserver& observer);

}  // namespace s2v

#endif  // S2V_SQL_CONVERT_MODEL_H_
