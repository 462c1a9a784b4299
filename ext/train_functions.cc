// What stores, changes and deletes models. Each but the last answers with a JSON summary;
// docs/sql.md is the manual.
//
//   SELECT s2v_train('docs', 'body', json_object('dimension', 100, 'model', 'news'));   -- table, column [, options]
//   SELECT s2v_update('news', json_object('replay', 2));                                -- model [, options]
//   SELECT s2v_convert('news', 'news_small', 'int8', 50000);     -- model, name, element [, max_features]
//   SELECT s2v_import('wiki.vec', 'wiki', json_object('max_words', 200000));            -- path, model [, options]
//   SELECT s2v_drop('news');                                     -- with an unfinished training of its name
//
// Options are members of the requests (sql/train_table.h, ext/import/import_model.h), and of
// s2v_train also every parameter of core/config.h, "auto" for those that can be chosen from the
// corpus. A model that is NULL is the default one, but for s2v_drop. s2v_import reads any file that
// the process can read, as the shell's readfile does.
//
// Training and updating hold no lock while they compute, unless the statement that calls them reads
// tables itself: SQLite keeps its lock until it ends. Hence a SELECT without FROM. s2v_convert
// holds the write lock. sqlite3_interrupt stops all of them; then, and after any error, no model
// has changed, and a training's last checkpoint is there to go on from.
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "ext/functions.h"
#include "ext/import/import_model.h"
#include "sql/convert_model.h"
#include "sql/json.h"
#include "sql/train_table.h"
#include "sql/update_model.h"

namespace s2v {
namespace {

// Does the long work of a function that stores a model, and answers with its summary. work gets an
// observer that takes any progress, and lets sqlite3_interrupt stop the work.
template <typename Work>
void StoreModel(const Call& call, const Work& work) {
  // Workers never call SQLite, and between statements an interrupt shows only when one is stepped.
  // The steps are some thousand, since a progress handler of the application's counts the steps of
  // one statement.
  Statement poll(call.db(),
                 "WITH RECURSIVE step(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM step LIMIT 500) "
                 "SELECT max(i) FROM step");
  const auto result = work([&](const auto&...) {
    poll.Run();
    return true;
  });
  call.connection()->generation++;
  Result(call.context, result.Json());
}

// As a byte or as the escape \u0000.
bool HasNulCharacter(std::string_view json) {
  for (size_t at = 0; (at = json.find_first_of(std::string_view("\0\\", 2), at)) != json.npos;
       at += 2) {
    if (json[at] == '\0' || json.substr(at, 6) == "\\u0000") return true;
  }
  return false;
}

// A member of the options.
struct Option {
  std::string name, value;  // a number as it is written, true as 1, false as 0
  std::string type;         // of JSON
  bool IsBool() const { return type == "true" || type == "false"; }

  [[noreturn]] void Throw(const std::string& expected) const {
    throw InvalidArgument(name + ": " + expected + ", not '" + (IsBool() ? type : value) + "'");
  }
  void Read(std::string* to) const { *to = value; }
  void Read(bool* to) const {
    if (value != "0" && value != "1") Throw("true or false expected");
    *to = value == "1";
  }
  void Read(int64_t* to) const {
    if (IsBool() || !ParseNumber(value, to)) Throw("a whole number expected");
  }
  void Read(double* to) const {
    if (IsBool() || !ParseNumber(value, to)) Throw("a number expected");
  }
  template <typename T>
  void Read(std::optional<T>* to) const {
    Read(&to->emplace());
  }
};

using Setter = std::function<void(const Option&)>;
using Setters = std::vector<std::pair<std::string_view, Setter>>;

template <typename T>
Setter Into(T* to) {
  return [to](const Option& option) { option.Read(to); };
}
// A text that is not empty.
Setter IntoFilled(std::string* to, const char* expected) {
  return [to, expected](const Option& option) {
    if (option.IsBool() || option.value.empty())
      throw InvalidArgument(option.name + ": " + expected);
    *to = option.value;
  };
}
constexpr const char* kStatement = "a statement expected";
constexpr const char* kExpression = "an SQL expression in quotes expected";
Setter IntoSql(std::string* to, const char* expected) {
  return [to, expected](const Option& option) {
    if (option.type != "text" || option.value.empty()) option.Throw(expected);
    *to = option.value;
  };
}
Setter IntoMegabytes(int64_t* to) {
  return [to](const Option& option) {
    if (option.IsBool()) option.Throw("megabytes expected");
    *to = ParseMegabytes(option.name, option.value);
  };
}
void ReadSeconds(const Option& option, std::optional<double>* to) {
  double seconds = -1;
  if (option.IsBool() || !ParseNumber(option.value, &seconds) || !IsCheckpointEvery(seconds))
    option.Throw("a number of seconds expected, 0 for none");
  *to = seconds;
}

// Of a member that is no setter's: a parameter of core/config.h.
void SetParameter(const Option& option, const Setters& set, Settings* settings) {
  try {
    if (FindParameter(option.name) != nullptr && option.IsBool())
      option.Throw("a number or a text expected");
    settings->Set(option.name, option.value);
  } catch (const InvalidArgument& error) {
    if (FindParameter(option.name) != nullptr) throw;
    throw InvalidArgument(std::string(error.what()) + "; and " +
                          NamesOf(set, &Setters::value_type::first));
  }
}

// Argument i, if it is given, is a JSON object: each of its members that is not null is given to
// its setter in set, or to parameters, if there are any, where set has none. Throws InvalidArgument
// for what is no JSON object, for a member that is unknown, no single value or given twice, and for
// a character U+0000, behind which SQLite would drop the rest.
void ReadOptions(const Call& call, int i, const Setters& set, Settings* parameters = nullptr) {
  if (IsNull(call[i])) return;
  const std::string_view json = TextArgument(call[i], "options");
  sqlite3* db = call.db();
  if (HasNulCharacter(json))
    throw InvalidArgument("options have a character U+0000, which no value may");
  if (JsonType(db, json) != "object") {
    const std::string example =
        parameters != nullptr ? "'dimension', 100" : "'" + std::string(set.front().first) + "'";
    throw InvalidArgument("options are not a JSON object; write them as json_object(" + example +
                          ", ...)");
  }
  // A number as it is written: SQLite may read it by the locale of the program.
  Statement each(
      db,
      "SELECT key, CASE WHEN type = 'real' AND key NOT GLOB '*[^a-z_0-9]*' THEN ?1 -> fullkey ELSE atom END, type "
      "FROM temp.json_each(?1)",
      json);
  std::set<std::string> given;
  while (each.Step()) {
    Option option{std::string(each.Text(0)), std::string(each.Text(1)), std::string(each.Text(2))};
    // Of json_object('dimension', ?) a driver may make 100.0.
    double number = 0;
    const bool is_integer = option.type == "real" && ParseNumber(option.value, &number) &&
                            number == std::floor(number) && std::abs(number) < 1e15;
    if (is_integer) option.value = std::to_string(static_cast<int64_t>(number));
    const std::string& name = option.name;
    if (!given.insert(name).second) throw InvalidArgument("option " + name + " is given twice");
    if (option.type == "null") continue;
    if (option.type == "object" || option.type == "array") {
      throw InvalidArgument("option " + name + " is an " + option.type +
                            "; a single value is expected");
    }
    if (parameters == nullptr) CheckKnown("option", name, set, &Setters::value_type::first);
    const auto* found = FindNamed(name, set, &Setters::value_type::first);
    found == nullptr ? SetParameter(option, set, parameters) : found->second(option);
  }
}

// A model's name as the SQL has it; "" for NULL, which means the default model.
std::string NameArgument(sqlite3_value* value) {
  if (IsNull(value)) return "";
  const std::string name(TextArgument(value, "model"));
  ParseModelName(name);  // an empty one would be the default model's
  return name;
}

}  // namespace

void TrainFunction(const Call& call) {
  sqlite3* db = call.db();
  if (IsNull(call[0]) || IsNull(call[1])) {
    throw InvalidArgument("table and column are needed: s2v_train(table, column [, options])");
  }
  TrainRequest request;
  request.table = TextArgument(call[0], "table");
  request.column = TextArgument(call[1], "column");
  ReadOptions(
      call, 2,
      {{"preset", [&](const Option& o) { request.settings.UsePreset(o.value); }},
       {"model", IntoFilled(&request.model, "a name expected; leave it out for the table's")},
       {"where", IntoSql(&request.where, kExpression)},
       {"default", Into(&request.make_default)},
       {"rebuild_indexes", Into(&request.rebuild_indexes)},
       {"checkpoint_every", [&](const Option& o) { ReadSeconds(o, &request.checkpoint_every); }},
       {"resume", Into(&request.resume)},
       {"progress", IntoSql(&request.progress, kStatement)},
       {"memory_limit", IntoMegabytes(&request.memory_limit)}},
      &request.settings);
  request.warn = [](const std::string& text) {
    sqlite3_log(SQLITE_WARNING, "s2v_train: %s", text.c_str());
  };
  StoreModel(call, [&](const auto& observer) { return TrainTable(db, request, observer); });
}

std::string ProgressOption(const Call& call, int i) {
  std::string progress;
  ReadOptions(call, i, {{"progress", IntoSql(&progress, kStatement)}});
  return progress;
}

void UpdateFunction(const Call& call) {
  UpdateRequest request;
  request.model = NameArgument(call[0]);
  ReadOptions(call, 1,
              {{"since", Into(&request.since)},
               {"where", IntoSql(&request.where, kExpression)},
               {"epochs", Into(&request.epochs)},
               {"learning_rate", Into(&request.learning_rate)},
               {"replay", Into(&request.replay)},
               {"workers", Into(&request.workers)},
               {"memory_limit", IntoMegabytes(&request.memory_limit)}});
  StoreModel(call, [&](const auto& observer) { return UpdateModel(call.db(), request, observer); });
}

void Convert(const Call& call) {
  if (IsNull(call[1]) || IsNull(call[2])) {
    throw InvalidArgument(
        "a name and an element are needed: s2v_convert(model, name, 'int8' [, max_features])");
  }
  ConvertRequest request;
  request.model = NameArgument(call[0]);
  request.name = TextArgument(call[1], "name");
  request.element = ParseElement(TextArgument(call[2], "element"));
  if (!IsNull(call[3])) {
    const int64_t most = IntegerArgument(call[3]).value_or(0);
    if (most < 1) {
      throw InvalidArgument(
          "max_features: a whole number from 1 on expected, the features to keep");
    }
    request.max_features = static_cast<uint64_t>(most);
  }
  StoreModel(call,
             [&](const auto& observer) { return ConvertModel(call.db(), request, observer); });
}

void ImportFunction(const Call& call) {
  if (IsNull(call[0]) || IsNull(call[1])) {
    throw InvalidArgument("a file and a name are needed: s2v_import(path, model [, options])");
  }
  ImportRequest request;
  request.path = TextArgument(call[0], "path");
  if (request.path.find('\0') != std::string::npos)
    throw InvalidArgument("path has a character U+0000");
  request.model = TextArgument(call[1], "model");
  ReadOptions(call, 2,
              {{"format", Into(&request.format)},
               {"element", Into(&request.element)},
               {"tokenizer", IntoFilled(&request.tokenizer,
                                        "a name expected; leave it out for what fits the file")},
               {"max_words", Into(&request.max_words)},
               {"smoothing", Into(&request.smoothing)}});
  StoreModel(call, [&](const auto& observer) { return ImportModel(call.db(), request, observer); });
}

void Drop(const Call& call) {
  if (IsNull(call[0])) throw InvalidArgument("the model's name is NULL");
  DropModel(call.db(), ParseModelName(TextArgument(call[0], "model")));
  call.connection()->generation++;
}

}  // namespace s2v
