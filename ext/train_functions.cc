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
//     memory_limit  MB (sql/system.h)
// Example: SELECT s2v_train('docs', 'body', json_object('dimension', 100, 'model', 'news'));
//
// s2v_update(model [, options JSON]) -> JSON summary
//
// Trains a stored model on with the rows that its table has got since it was trained, and stores
// the result in its place. Options:
//     since          rows with a larger rowid are new; left out: the largest that the model has seen
//     where          instead: SQL expression that is true for the new rows
//     epochs         passes over the new rows and the old ones between them; 5
//     learning_rate  to begin with, as a part of the model's; 0.5
//     replay         old sentences for each new one; 1
//     workers        threads; 0: one for each processor
//     memory_limit   MB
// Example: SELECT s2v_update('news', json_object('replay', 2));
//
// s2v_convert(model, name, element [, max_features]) -> JSON summary
//
// Stores a smaller copy of a model under a name, which may be its own.
//     element       'int8' or 'float32'
//     max_features  how many words and n-grams to keep; NULL or left out: all
// Example: SELECT s2v_convert('news', 'news_small', 'int8', 50000);
//
// s2v_import(path, model [, options JSON]) -> JSON summary
//
// Stores the vectors in a file of another program as a model (ext/import/vector_file.h). It reads any file that the
// process can read, as the shell's readfile does, so only SQL that the application runs itself may call it. Options:
//     format         "auto", which looks, or one of those
//     element        'int8' or 'float32'
//     tokenizer      how texts are cut; left out: what fits the format
//     max_words      only the first words
//     smoothing      a of the weights a / (a + f), where the file has counts
// Example: SELECT s2v_import('wiki.vec', 'wiki', json_object('max_words', 200000));
//
// s2v_drop(model) -> NULL: deletes a model, and an unfinished training of its name.
//
// A model that is NULL is the default one, but for s2v_drop. Training and updating hold no lock while
// they compute, unless the statement that calls them reads tables itself: SQLite keeps its lock until it
// ends. Hence a SELECT without FROM. s2v_convert holds the write lock. sqlite3_interrupt stops all of them;
// then, and after any error, no model has changed, and a training's last checkpoint is there to go on from.
#include <charconv>
#include <functional>
#include <set>

#include "ext/functions.h"
#include "ext/import/import_model.h"
#include "sql/index_check.h"
#include "sql/train_table.h"

namespace s2v {
namespace {

// Does the long work of a function that stores a model, and answers with its summary. work gets an
// observer that takes any progress, and lets sqlite3_interrupt stop the work.
template <typename Work>
void StoreModel(const Call& call, const Work& work) {
  // Workers never call SQLite, and between statements an interrupt shows only when one is stepped.
  Statement poll(call.connection().db, "SELECT 1");
  const auto result = work([&](const auto&) {
    poll.Run();
    return true;
  });
  call.connection().generation++;
  ResultText(call.context, result.Json());
}

// As a byte or as the escape \u0000.
bool HasNulCharacter(std::string_view json) {
  for (size_t at = 0; (at = json.find_first_of(std::string_view("\0\\", 2), at)) != json.npos;
       at += 2) {
    if (json[at] == '\0' || json.substr(at, 6) == "\\u0000") return true;
  }
  return false;
}

// Visits every member of the JSON object that argument i is, if it is given, but the nulls: its name, its value as
// text, a number as it is written, and its JSON type. Throws InvalidArgument for what is no JSON object, for a
// member that is no single value or that is given twice, and for a character U+0000, behind which SQLite would drop
// the rest.
void ReadOptions(
    const Call& call, int i,
    const std::function<void(const std::string&, const std::string&, std::string_view)>& set) {
  if (call.count <= i || IsNull(call.values[i])) return;
  const std::string_view json = TextArgument(call.values[i], "options");
  sqlite3* db = call.connection().db;
  if (HasNulCharacter(json))
    throw InvalidArgument("options have a character U+0000, which no value may");
  Statement valid(db, "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'object' END", json);
  if (!valid.Step() || valid.Int(0) == 0) {
    throw InvalidArgument(
        "options are not a JSON object; write them as json_object('dimension', 100, ...)");
  }
  // A number as it is written: SQLite may read it by the locale of the program.
  Statement each(
      db,
      "SELECT key, iif(type = 'real' AND key NOT GLOB '*[^a-z_0-9]*', ?1 -> fullkey, atom), type "
      "FROM json_each(?1)",
      json);
  std::set<std::string> given;
  while (each.Step()) {
    const std::string key(each.Text(0)), type(each.Text(2));
    if (!given.insert(key).second) throw InvalidArgument("option " + key + " is given twice");
    if (type == "null") continue;
    if (type == "object" || type == "array") {
      throw InvalidArgument("option " + key + " is an " + type + "; a single value is expected");
    }
    const std::string value(each.Text(1));  // true is 1, false is 0
    set(key, value, type);
  }
}

// true, false, 1 or 0.
bool BooleanOption(const std::string& key, const std::string& value) {
  if (value != "0" && value != "1") {
    throw InvalidArgument(key + ": true or false expected, not '" + value + "'");
  }
  return value == "1";
}

// A model's name as the SQL has it; "" for NULL, which means the default model.
std::string NameArgument(sqlite3_value* value) {
  if (IsNull(value)) return "";
  const std::string name(TextArgument(value, "model"));
  ParseModelName(name);  // an empty one would be the default model's
  return name;
}

template <typename T>
T NumberOption(const std::string& key, const std::string& value, const char* kind) {
  T number{};
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || error != std::errc() || rest != end) {
    throw InvalidArgument(key + ": " + kind + " expected, not '" + value + "'");
  }
  return number;
}

double SecondsOption(const std::string& key, const std::string& value, std::string_view type) {
  double seconds = -1;
  std::from_chars(value.data(), value.data() + value.size(), seconds);
  if ((type != "integer" && type != "real") || !(seconds >= 0 && seconds <= 1e9)) {
    throw InvalidArgument(key + ": a number of seconds expected, 0 for none, not '" + value + "'");
  }
  return seconds;
}

std::string FilledOption(const std::string& key, const std::string& value, const char* expected) {
  if (value.empty()) throw InvalidArgument(key + ": " + expected);
  return value;
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

void SetTrainOption(const std::string& key, const std::string& value, std::string_view type,
                    TrainRequest* request, bool* rebuild_indexes) {
  if (key == "rebuild_indexes") {
    *rebuild_indexes = BooleanOption(key, value);
  } else if (key == "model") {
    request->model = FilledOption(key, value, "a name expected; leave it out for the table's");
  } else if (key == "where") {
    request->where = value;
  } else if (key == "default") {
    request->make_default = BooleanOption(key, value);
  } else if (key == "resume") {
    request->resume = BooleanOption(key, value);
  } else if (key == "checkpoint_every") {
    request->checkpoint_every = SecondsOption(key, value, type);
  } else if (key == "progress") {
    request->progress = FilledOption(key, value, "a statement expected, not ''");
  } else if (key == "memory_limit") {
    request->memory_limit = ParseMegabytes(key, value);
  } else if (key == "preset") {
    request->settings.UsePreset(value);
  } else {
    SetParameterOption(key, value, request);
  }
}

void SetUpdateOption(const std::string& key, const std::string& value, UpdateRequest* request) {
  constexpr std::string_view kOptions[] = {"since",  "where",   "epochs",      "learning_rate",
                                           "replay", "workers", "memory_limit"};
  const auto whole = [&] { return NumberOption<int64_t>(key, value, "a whole number"); };
  const auto number = [&] { return NumberOption<double>(key, value, "a number"); };
  if (key == "since") {
    request->since = whole();
  } else if (key == "where") {
    request->where = value;
  } else if (key == "epochs") {
    request->epochs = whole();
  } else if (key == "learning_rate") {
    request->learning_rate = number();
  } else if (key == "replay") {
    request->replay = number();
  } else if (key == "workers") {
    request->workers = whole();
  } else if (key == "memory_limit") {
    request->memory_limit = ParseMegabytes(key, value);
  } else {
    CheckKnown("option", key, kOptions);
  }
}

void SetImportOption(const std::string& key, const std::string& value, ImportRequest* request) {
  constexpr std::string_view kOptions[] = {"format", "element", "tokenizer", "max_words",
                                           "smoothing"};
  if (key == "max_words") {
    request->max_words = NumberOption<int64_t>(key, value, "a whole number");
  } else if (key == "smoothing") {
    request->smoothing = NumberOption<double>(key, value, "a number");
  } else if (key == "format") {
    request->format = value;
  } else if (key == "element") {
    request->element = value;
  } else if (key == "tokenizer") {
    request->tokenizer =
        FilledOption(key, value, "a name expected; leave it out for what fits the file");
  } else {
    CheckKnown("option", key, kOptions);
  }
}

}  // namespace

void TrainFunction(const Call& call) {
  sqlite3* db = call.connection().db;
  if (IsNull(call.values[0]) || IsNull(call.values[1])) {
    throw InvalidArgument("table and column are needed: s2v_train(table, column [, options])");
  }
  TrainRequest request;
  bool rebuild_indexes = false;
  request.table = TextArgument(call.values[0], "table");
  request.column = TextArgument(call.values[1], "column");
  ReadOptions(call, 2, [&](const auto& key, const auto& value, std::string_view type) {
    SetTrainOption(key, value, type, &request, &rebuild_indexes);
  });
  request.warn = [](const std::string& text) {
    sqlite3_log(SQLITE_WARNING, "s2v_train: %s", text.c_str());
  };
  StoreModel(call, [&](const auto& observer) {
    const TrainResult result = TrainTable(db, request, observer);
    if (rebuild_indexes) RebuildStaleIndexes(db, result.model.schema);
    return result;
  });
}

void UpdateFunction(const Call& call) {
  UpdateRequest request;
  request.model = NameArgument(call.values[0]);
  ReadOptions(call, 1, [&](const auto& key, const auto& value, std::string_view) {
    SetUpdateOption(key, value, &request);
  });
  StoreModel(call, [&](const auto& observer) {
    return UpdateModel(call.connection().db, request, observer);
  });
}

void Convert(const Call& call) {
  if (IsNull(call.values[1]) || IsNull(call.values[2])) {
    throw InvalidArgument(
        "a name and an element are needed: s2v_convert(model, name, 'int8' [, max_features])");
  }
  ConvertRequest request;
  request.model = NameArgument(call.values[0]);
  request.name = TextArgument(call.values[1], "name");
  request.element = ParseElement(TextArgument(call.values[2], "element"));
  if (call.count > 3 && !IsNull(call.values[3])) {
    const int64_t most = sqlite3_value_int64(call.values[3]);
    if (sqlite3_value_type(call.values[3]) != SQLITE_INTEGER || most < 1) {
      throw InvalidArgument(
          "max_features: a whole number from 1 on expected, the features to keep");
    }
    request.max_features = static_cast<uint64_t>(most);
  }
  StoreModel(call, [&](const auto& observer) {
    return ConvertModel(call.connection().db, request, observer);
  });
}

void ImportFunction(const Call& call) {
  if (IsNull(call.values[0]) || IsNull(call.values[1])) {
    throw InvalidArgument("a file and a name are needed: s2v_import(path, model [, options])");
  }
  ImportRequest request;
  request.path = TextArgument(call.values[0], "path");
  if (request.path.find('\0') != std::string::npos)
    throw InvalidArgument("path has a character U+0000");
  request.model = TextArgument(call.values[1], "model");
  ReadOptions(call, 2, [&](const auto& key, const auto& value, std::string_view) {
    SetImportOption(key, value, &request);
  });
  StoreModel(call, [&](const auto& observer) {
    return ImportModel(
        call.connection().db, request,
        [&](const ImportProgress& progress, const VectorFile&) { return observer(progress); });
  });
}

void Drop(const Call& call) {
  if (IsNull(call.values[0])) throw InvalidArgument("the model's name is NULL");
  DropModel(call.connection().db, ParseModelName(TextArgument(call.values[0], "model")));
  call.connection().generation++;
}

}  // namespace s2v
