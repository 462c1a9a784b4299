// A stored model trained on with the rows that its table has got since: the whole table is read and
// counted again, then the new rows are trained on, and between them a random choice of the old
// ones. What results is another model, which takes the former one's place in one transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/embed/embedder.h"
#include "sql/corpus_origin.h"
#include "sql/model_job.h"

namespace s2v {

struct UpdateRequest {
  std::string model;  // name or schema.name; "" for the default model
  // New are rows with a larger rowid; nullopt: as the model remembers.
  std::optional<int64_t> since;
  // instead: an SQL expression, true for the new rows; others than the training's are none
  std::string where;
  int64_t epochs = 5;          // passes over the new rows and the old ones between them
  double learning_rate = 0.5;  // to begin with, as a part of the model's
  double replay = 1;           // old sentences for each new one
  int64_t workers = 0;         // 0: one for each processor
  int64_t memory_limit = 0;    // MB (sql/system/memory.h)
  int lock_wait_milliseconds = 60000;
};

// Throws InvalidArgument where a number is out of its range or since and where are both given.
void CheckUpdateRequest(const UpdateRequest& request);

struct UpdateResult {
  ModelInfo model;          // as it is now
  std::string former_hash;  // equal to model.hash where there was nothing to learn
  CorpusOrigin origin;
  uint64_t new_texts = 0, skipped = 0;  // skipped: new rows that were NULL or BLOB
  uint64_t new_sentences = 0, replayed_sentences = 0;
  uint64_t new_words = 0, new_ngrams = 0;
  double loss = 0;   // of the last epoch
  MeanCosine drift;  // of old rows
  StageSeconds seconds;
  std::string warning;  // "", or why a new training is better, or nothing was learned
  std::string Json() const;
};

// Locks and errors: as TrainTable. Throws InvalidArgument also where the model does not tell what
// it was trained on or has no target embeddings (only float32 models have), FormatError where it is
// damaged.
UpdateResult UpdateModel(sqlite3* db, const UpdateRequest& request, const TrainObserver& observer);

}  // namespace s2v
