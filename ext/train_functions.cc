// s2v_train(table, column [, options JSON]) -> JSON summary
//
// Trains a model on a column of a table or view and stores it. Options: every parameter of
// core/config.h by its name ("auto" for those that can be chosen from the corpus), and
//     preset   settings of one of the paper's models (core/presets.cc); what is given beside it
//     wins model    name or schema.name to store it under; default: the table's name, in its schema
//     where    SQL expression: which rows
//     default  true: make it the default model
//     progress SQL that is run about once a second (sql/progress_statement.h)
//     memory_limit, text_memory   MB (sql/train_table.h)
// Example: SELECT s2v_train('docs', 'body', json_object('dimension', 100, 'model', 'news'));
//
// Holds no lock while it trains, unless the statement that calls it reads tables itself: SQLite
// keeps its lock until it ends. Hence a SELECT without FROM. sqlite3_interrupt stops it; then, and
// after any error, nothing has changed.
//
// s2v_drop(model) -> NULL: deletes a model.
#include "ext/arguments.h"
#include "ext/functions.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

void ReadOptions(sqlite3* db, std::string_view json, TrainRequest* request) {
  Statement valid(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' END");
  valid.Bind(1, json);
  if (!valid.Step() || valid.Int(0) == 0) {
    throw InvalidArgument(
        "options are not a JSON object; write them as json_object('dimension', 100, ...)");
  }
  Statement each(db, "SELECT key, atom, type FROM json_each(?1)");
  each.Bind(1, json);
  while (each.Step()) {
    const std::string key(each.Text(0)), value(each.Text(1)), type(each.Text(2));
    if (type == "null") continue;
    if (type == "object" || type == "array") {
      throw InvalidArgument("option " + key + " is an " + type + "; a single value is expected");
    }
    if (key == "model") {
      if (value.empty())
        throw InvalidArgument("model: a name expected; leave it out for the table's");
      request->model = value;
    } else if (key == "where") {
      request->where = value;
    } else if (key == "default") {
      if (type != "true" && type != "false" && value != "0" && value != "1") {
        throw InvalidArgument("default: true or false expected, not '" + value + "'");
      }
      request->make_default = value == "1";
    } else if (key == "progress") {
      if (value.empty()) throw InvalidArgument("progress: a statement expected, not ''");
      request->progress = value;
    } else if (key == "memory_limit") {
      request->memory_limit = ParseMegabytes(key, value);
    } else if (key == "text_memory") {
      request->text_memory = ParseMegabytes(key, value);
    } else if (key == "preset") {
      request->settings.UsePreset(value);
    } else if (FindParameter(key) == nullptr) {
      try {
        request->settings.Set(key, value);
      } catch (const InvalidArgument& error) {
        throw InvalidArgument(
            std::string(error.what()) +
            "; and preset, model, where, default, progress, memory_limit, text_memory");
      }
    } else {
      request->settings.Set(key, value);
    }
  }
}

}  // namespace

void TrainFunction(const Call& call) {
  sqlite3* db = call.connection().db;
  TrainRequest request;
  for (int i = 0; i < 2; i++) {
    if (IsNull(call.values[i])) {
      throw InvalidArgument("table and column are needed: s2v_train(table, column [, options])");
    }
  }
  request.table = TextArgument(call.values[0], "table");
  request.column = TextArgument(call.values[1], "column");
  if (call.count > 2 && !IsNull(call.values[2])) {
    ReadOptions(db, TextArgument(call.values[2], "options"), &request);
  }
  // Workers never call SQLite, so an interrupt shows only when a statement is stepped.
  Statement poll(db, "SELECT 1");
  const TrainResult result = TrainTable(db, request, [&](const TrainProgress&) {
    poll.Run();
    return true;
  });
  call.connection().generation++;
  const std::string json = result.Json();
  sqlite3_result_text64(call.context, json.data(), json.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Drop(const Call& call) {
  if (IsNull(call.values[0])) throw InvalidArgument("the model's name is NULL");
  DropModel(call.connection().db, ParseModelName(TextArgument(call.values[0], "model")));
  call.connection().generation++;
}

}  // namespace s2v
