// Stores a model in a database.
//
//   SaveModel(db, {{"main", "news"}, corpus_json}, model, keep_waiting);
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>

#include "core/model/model.h"
#include "sql/model_lock.h"
#include "sql/model_store.h"

namespace s2v {

struct SaveRequest {
  ModelName name;      // without a schema: main
  std::string corpus;  // JSON
  bool make_default = false;
  // The hash of the model that the new one was made from and shall replace; "": it may replace any,
  // or none.
  std::string former_hash = {};
  // Before the commit, makes the indexes anew whose vectors another model has made. Indexes that
  // awaited a model are made in any case.
  bool rebuild_indexes = false;
};
// Row i of V [dimension], valid until the next call. Called for 0, 1 ..., twice.
using SourceRows = std::function<const float*(uint64_t row)>;
// Stores a model under its name, its rows as model.config.element, in place of a former one, in one
// savepoint. The first model of a database becomes its default; a model that takes the default's
// place stays the default. An unfinished training of that name is forgotten. Throws InvalidArgument
// where the former model is another one by now, SqlError; then nothing has changed. rows: where
// they are not those of model.source, or are to be counted.
ModelInfo SaveModel(sqlite3* db, const SaveRequest& request, const Model& model,
                    const KeepWaiting& keep_waiting, SourceRows rows = {});

}  // namespace s2v
