// The models that one running SQL statement uses, opened once and closed with it.
//
// They live in SQLite's auxiliary data of the statement under a negative argument number: such data
// belongs to the whole statement, not to one argument of one call, and is deleted when the
// statement ends or is reset (so does SQLite's own JSON cache; sqlite3_set_auxdata in
// src/vdbeapi.c). So a bulk update opens a model once, its reader's read transaction ends with the
// statement, and no prepared statement of ours is left to keep sqlite3_close from closing. Where
// SQLite keeps no auxiliary data, the model is opened for the one call.
#ifndef S2V_EXT_STATEMENT_MODELS_H_
#define S2V_EXT_STATEMENT_MODELS_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "ext/boundary.h"
#include "sql/model_store.h"

namespace s2v {

// A model that is open for reading, and an embedder over it.
class OpenModel {
 public:
  OpenModel(Connection* connection, const std::string& wanted_name);

  const std::string wanted;   // as the SQL named it, "" for the default
  const uint64_t generation;  // of the connection when it was opened
  ModelReader reader;
  Embedder embedder;
  // The text's embedding of length 1, or nullptr where it has none; valid until the next call. A
  // text that comes again is not embedded again: SQLite calls a subquery's constant result anew for
  // every row.
  const std::vector<float>* EmbedUnit(std::string_view text);

  std::vector<float> embedding;  // [dimension], scratch

 private:
  std::optional<std::string> last_text_;  // nothing while last_ is not of a text
  bool last_found_ = false;
  std::vector<float> last_;  // [dimension]
};

class StatementModels {
 public:
  // "" for the default model. A model that is open already is opened again where the connection has
  // stored or dropped one since. Throws as ModelReader does, and InvalidArgument where another has
  // the name by then: a statement never mixes two models.
  OpenModel& Get(Connection* connection, std::string_view name);

  // The statement's models, for the length of the call at least.
  class Lease {
   public:
    explicit Lease(const Call& call);
    OpenModel& Get(std::string_view name) { return models_->Get(&call_.connection(), name); }

   private:
    const Call& call_;
    StatementModels* models_;
    std::unique_ptr<StatementModels> own_;
  };

 private:
  std::vector<std::unique_ptr<OpenModel>> open_;
};

// The model that a cursor of a table-valued function reads. It is opened when a scan needs it, kept
// for the cursor's next scans (a join has one for each row of the other table), and closed with the
// cursor, that is, with the statement.
//
//   const OpenModel& model = model_.Open(ModelArgument(arguments[1]));     // in Begin
//   model_.Current().reader ...                                            // for each row
class CursorModel {
 public:
  explicit CursorModel(const SharedConnection& connection) : connection_(connection) {}
  // "" for the default model. Throws as StatementModels does.
  OpenModel& Open(std::string_view name) {
    model_ = &models_.Get(connection_.get(), name);
    return *model_;
  }
  // The same model. Throws InvalidArgument where this connection has stored or dropped one since:
  // then its rows may be gone. (Other connections' writes are not seen while it is open.)
  // REQUIRES: Open.
  OpenModel& Current() {
    if (model_->generation != connection_->generation) {
      throw InvalidArgument(
          "a model was stored or dropped while this statement was running; run it again");
    }
    return *model_;
  }
  sqlite3* db() const { return connection_->db; }

 private:
  SharedConnection connection_;
  StatementModels models_;
  OpenModel* model_ = nullptr;  // of models_
};

}  // namespace s2v

#endif  // S2V_EXT_STATEMENT_MODELS_H_
