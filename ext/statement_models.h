// The models that one running SQL statement uses, opened once and closed with it.
//
//   const auto models = StatementModels::Of(call);              // in a function
//   models->Get("news").reader ...
//   class WordsRows : public ModelRows { ... Open(...) ... };   // in a table-valued function
//
// Those of functions live in SQLite's auxiliary data of the statement under a negative argument
// number: such data belongs to the whole statement, not to one argument of one call, and is deleted
// when the statement ends or is reset (so does SQLite's own JSON cache; sqlite3_set_auxdata in
// src/vdbeapi.c). So a bulk update opens a model once, its reader's read transaction ends with the
// statement, and no prepared statement of ours is left to keep sqlite3_close from closing. Where
// SQLite keeps no auxiliary data, the model is opened for the one call.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "ext/arguments.h"
#include "ext/table_function.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"

namespace s2v {

// A model that is open for reading, and an embedder over it.
class OpenModel {
 public:
  // "" for the default model. Throws as ModelReader does.
  OpenModel(const SharedConnection& connection, const std::string& name);

  ModelReader reader;
  const ModelInfo& info;  // of reader
  // The text's embedding of length 1, or if raw as equation 2 has it; nullptr where it has none.
  // Valid until the next call. A text that comes again is not embedded again: SQLite calls a
  // subquery's constant result anew for every row.
  const std::vector<float>* Embed(std::string_view text, bool raw = false);
  // Whether this connection has stored or dropped a model since it was opened: then its rows may be
  // gone. (Other connections' writes are not seen while it is open.)
  bool IsStale() const { return generation_ != connection_->generation; }

 private:
  const SharedConnection connection_;
  const uint64_t generation_;  // of the connection when it was opened
  Embedder embedder_;
  std::optional<std::string> last_text_;  // nothing while embedding_ is not of a text
  bool last_raw_ = false, last_found_ = false;
  std::vector<float> embedding_;  // [dimension]
};

class StatementModels {
 public:
  explicit StatementModels(const SharedConnection& connection) : connection_(connection) {}
  // Those of the statement that calls a function.
  static std::shared_ptr<StatementModels> Of(const Call& call);
  // "" for the default model. One that is stale is opened again. Throws as ModelReader does, and
  // InvalidArgument where another has the name by then: a statement never mixes two models.
  OpenModel& Get(std::string_view name);
  sqlite3* db() const { return connection_->db; }

 private:
  const SharedConnection connection_;
  std::map<std::string, std::unique_ptr<OpenModel>> open_;  // as the SQL named them
};

// Rows that are read of a model. It is opened when a scan needs it, kept for the cursor's next
// scans (a join has one for each row of the other table), and closed with the cursor, that is, with
// the statement.
class ModelRows : public TableRows {
 public:
  explicit ModelRows(const SharedConnection& connection) : models_(connection) {}

 protected:
  // The model that argument i names; nullptr, and no rows, where one of the first `texts` arguments
  // is NULL.
  OpenModel* Open(size_t texts, size_t i);
  // What Open has opened last. Throws InvalidArgument where it is stale.
  OpenModel& Model();
  sqlite3* db() const { return models_.db(); }

 private:
  StatementModels models_;
  OpenModel* model_ = nullptr;  // of models_
};

}  // namespace s2v
