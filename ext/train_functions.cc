// s2v_train(table, column [, options JSON]) -> JSON summary
//
// Trains a model on a column of a table or view and stores it. Options: every parameter of
// core/config.h by its name ("auto" for those that can be chosen from the corpus), and
//     preset   settings of one of the paper's models (core/settings.cc); what is given wins
//     model    name or schema.name to store it under; default: the table's name, in its schema
//     where    SQL expression of innocuous functions: which rows
//     default  true: make it the default model
//     rebuild_indexes  true: then make the indexes (s2v_index) of the model's schema anew whose model it is
//     checkpoint_every  seconds between two checkpoints; 0: none; left out: a minute, where the
//              training takes more than five
//     resume   true: go on with the training of this table or model that was stopped
//     progress SQL that is run about once a second (sql/progress_statement.h)
//     memory_limit  MB (sql/memory_limits.h)
// Example: SELECT s2v_train('docs', 'body', json_object('dimension', 100, 'model', 'news'));
//
// Holds no lock while it trains, unless the statement that calls it reads tables itself: SQLite
// keeps its lock until it ends. Hence a SELECT without FROM. sqlite3_interrupt stops it; then, and
// after any error, no model has changed, and the last checkpoint is there to go on from.
//
// s2v_drop(model) -> NULL: deletes a model, and an unfinished training of its name.
#include <charconv>

#include "ext/functions.h"
#include "sql/index_check.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

double SecondsOption(const std::string& key, const std::string& value, std::string_view type) {
  double seconds = -1;
  std::from_chars(value.data(), value.data() + value.size(), seconds);
  if ((type != "integer" && type != "real") || !(seconds >= 0 && seconds <= 1e9)) {
    throw InvalidArgument(key + ": a number of seconds expected, 0 for none, not '" + value + "'");
  }
  return seconds;
}

void SetParameterOption(const std::string& key, const std::string& value, TrainRequest* request) {
  if (FindParameter(key) != nullptr) return request->settings.Set(key, value);
  try {
    request->settings.Set(key, value);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(
        std::string(error.what()) +
        "; and preset, model, where, default, rebuild_indexes, checkpoint_every, resume, progress, "
        "memory_limit");
  }
}

void SetOption(const std::string& key, const std::string& value, std::string_view type,
               TrainRequest* request, bool* rebuild_indexes) {
  if (key == "rebuild_indexes") {
    *rebuild_indexes = BooleanOption(key, value);
  } else if (key == "model") {
    if (value.empty())
      throw InvalidArgument("model: a name expected; leave it out for the table's");
    request->model = value;
  } else if (key == "where") {
    request->where = value;
  } else if (key == "default") {
    request->make_default = BooleanOption(key, value);
  } else if (key == "resume") {
    request->resume = BooleanOption(key, value);
  } else if (key == "checkpoint_every") {
    request->checkpoint_every = SecondsOption(key, value, type);
  } else if (key == "progress") {
    if (value.empty()) throw InvalidArgument("progress: a statement expected, not ''");
    request->progress = value;
  } else if (key == "memory_limit") {
    request->memory_limit = ParseMegabytes(key, value);
  } else if (key == "preset") {
    request->settings.UsePreset(value);
  } else {
    SetParameterOption(key, value, request);
  }
}

}  // namespace

void TrainFunction(const Call& call) {
  sqlite3* db = call.connection().db;
  TrainRequest request;
  bool rebuild_indexes = false;
  for (int i = 0; i < 2; i++) {
    if (IsNull(call.values[i])) {
      throw InvalidArgument("table and column are needed: s2v_train(table, column [, options])");
    }
  }
  request.table = TextArgument(call.values[0], "table");
  request.column = TextArgument(call.values[1], "column");
  if (call.count > 2 && !IsNull(call.values[2])) {
    ForEachOption(db, TextArgument(call.values[2], "options"),
                  [&](const std::string& key, const std::string& value, std::string_view type) {
                    SetOption(key, value, type, &request, &rebuild_indexes);
                  });
  }
  request.warn = [](const std::string& text) {
    sqlite3_log(SQLITE_WARNING, "s2v_train: %s", text.c_str());
  };
  StoreModel(call, [&](const auto& observer) {
    const TrainResult result = TrainTable(db, request, observer);
    if (rebuild_indexes) RebuildStaleIndexes(db, result.model.schema);
    return result;
  });
}

void Drop(const Call& call) {
  if (IsNull(call.values[0])) throw InvalidArgument("the model's name is NULL");
  DropModel(call.connection().db, ParseModelName(TextArgument(call.values[0], "model")));
  call.connection().generation++;
}

}  // namespace s2v
