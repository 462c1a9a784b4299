// A smaller copy of a stored model: its rows as another element, its least useful features left
// out. A float32 model that is converted to int8 without leaving features out is, hash and all, the
// model that training with "element": "int8" stores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/embed/embedder.h"
#include "sql/model_job.h"

namespace s2v {

struct ConvertRequest {
  std::string model;  // name or schema.name; "" for the default model
  std::string name;   // name or schema.name to store it under; without a schema in the model's own
  Element element = Element::kInt8;
  std::optional<uint64_t> max_features;  // words and n-grams to keep; nothing: all
};

struct ConvertResult {
  ModelInfo former, model;
  MeanCosine drift;  // of a sample of the model's table; no texts: it has none here
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
