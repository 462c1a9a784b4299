// s2v_update(model [, options JSON]) -> JSON summary
//
// Trains a stored model on with the rows that its table has got since it was trained, and stores
// the result in its place. model NULL: the default model. Options:
//     since          rows with a larger rowid are new; left out: the largest that the model has seen
//     where          instead: SQL expression that is true for the new rows
//     epochs         passes over the new rows and the old ones between them; 5
//     learning_rate  to begin with, as a part of the model's; 0.5
//     replay         old sentences for each new one; 1
//     workers        threads; 0: one for each processor
//     memory_limit   MB (sql/memory_limits.h)
// Example: SELECT s2v_update('news', json_object('replay', 2));
//
// Locks and interrupts: as s2v_train.
#include <charconv>

#include "ext/functions.h"
#include "sql/update_model.h"

namespace s2v {
namespace {

constexpr std::string_view kOptions[] = {"since",  "where",   "epochs",      "learning_rate",
                                         "replay", "workers", "memory_limit"};

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

void SetOption(UpdateRequest* request, const std::string& key, const std::string& value) {
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

}  // namespace

void UpdateFunction(const Call& call) {
  sqlite3* db = call.connection().db;
  UpdateRequest request;
  if (!IsNull(call.values[0])) {
    request.model = TextArgument(call.values[0], "model");
    ParseModelName(request.model);
  }
  if (call.count > 1 && !IsNull(call.values[1])) {
    ForEachOption(db, TextArgument(call.values[1], "options"),
                  [&](const std::string& key, const std::string& value, std::string_view) {
                    SetOption(&request, key, value);
                  });
  }
  StoreModel(call, [&](const auto& observer) { return UpdateModel(db, request, observer); });
}

}  // namespace s2v
