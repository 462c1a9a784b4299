// A file with the word vectors of another program becomes a model: for s2v_import and `s2v import`.
//
//   ImportRequest request{.path = "wiki.vec", .model = "wiki"};
//   const ImportResult result = ImportModel(db, request, observer);
//
// The file is read three times, row by row: for its words, for the model's hash, and while the rows
// are stored, in one savepoint; in memory there are the words alone. After any error nothing has
// changed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ext/import/vector_file.h"
#include "sql/model_store.h"

namespace s2v {

struct ImportRequest {
  std::string path, model;
  std::string format = "auto", element = "float32";
  std::string tokenizer;  // "": the file's, or what fits it
  std::optional<int64_t> max_words;
  std::optional<double> smoothing;
};

// Throws InvalidArgument for what is wrong whatever the file holds.
void CheckImportRequest(const ImportRequest& request);

struct ImportProgress {
  enum Phase { kBegun, kReading, kChecking, kStoring };
  Phase phase = kBegun;
  double fraction = 0;
  // Of kBegun: what will be, as far as the beginning of the file tells.
  uint64_t words = 0;
  uint64_t bytes = 0;  // in the database
  double seconds = 0;
};
// Called now and then; false stops the work.
using ImportObserver = std::function<bool(const ImportProgress& progress, const VectorFile& file)>;

struct ImportResult {
  ModelInfo model;
  std::string format;
  uint64_t skipped = 0;  // words that were left out
  // Words that the tokenizer can give: others will not be found in any text.
  uint64_t reachable = 0;
  double seconds = 0;
  std::string Json() const;
};

// Throws what CheckImportRequest and OpenVectorFile throw, Interrupted, SqlError.
ImportResult ImportModel(sqlite3* db, const ImportRequest& request, const ImportObserver& observer);

}  // namespace s2v
