// s2v_match: what FTS5 calls for each row that has words of a question (sql/index_matches.h). It is
// not for users: without a pointer that only sql can pass, it does nothing.
#include "ext/functions.h"
#include "sql/index_matches.h"

namespace s2v {
namespace {

// Throws nothing: FTS5 calls it, not one of the templates of ext/boundary.h.
void MatchFunction(const Fts5ExtensionApi* fts5, Fts5Context* query, sqlite3_context* context,
                   int count, sqlite3_value** values) noexcept {
  auto* matching = static_cast<Matching*>(
      count == 1 ? sqlite3_value_pointer(values[0], kMatchPointer) : nullptr);
  if (matching == nullptr) return;
  const int code = FillMatch(fts5, query, matching);
  if (code != SQLITE_OK) sqlite3_result_error_code(context, code);
}

}  // namespace

void RegisterMatchFunction(Connection* connection) {
  if (connection->has_match_function) return;
  fts5_api* fts5 = Fts5Api(connection->db);
  const int code = fts5->xCreateFunction(fts5, kMatchFunction, nullptr, MatchFunction, nullptr);
  if (code != SQLITE_OK) ThrowSqlError(connection->db, code);
  connection->has_match_function = true;
}

}  // namespace s2v
