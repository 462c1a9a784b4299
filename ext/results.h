// What SQL functions and tables answer.
#ifndef S2V_EXT_RESULTS_H_
#define S2V_EXT_RESULTS_H_

#include <string_view>

#include "ext/boundary.h"
#include "sql/statement.h"

namespace s2v {

inline void ResultText(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Does the long work of a function that stores a model, and answers with its summary:
//
//   StoreModel(call, [&](const auto& observer) { return TrainTable(db, request, observer); });
//
// observer takes any progress, and lets sqlite3_interrupt stop the work.
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

}  // namespace s2v

#endif  // S2V_EXT_RESULTS_H_
