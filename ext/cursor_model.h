// The model that a cursor of a table-valued function reads. It is opened when a scan needs it, kept
// for the cursor's next scans (a join has one for each row of the other table), and closed with the
// cursor, that is, with the statement.
//
//   const OpenModel& model = model_.Open(ModelArgument(arguments[1]));     // in Begin
//   model_.Current().reader ...                                            // for each row
#ifndef S2V_EXT_CURSOR_MODEL_H_
#define S2V_EXT_CURSOR_MODEL_H_

#include <string_view>

#include "ext/statement_models.h"
#include "ext/table_function.h"

namespace s2v {

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

#endif  // S2V_EXT_CURSOR_MODEL_H_
