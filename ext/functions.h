// The bodies of the SQL functions and tables, one file a family. What they mean to users:
// docs/sql.md.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "ext/arguments.h"
#include "ext/boundary.h"
#include "ext/correlation.h"
#include "ext/table_function.h"

namespace s2v {

// embed_functions.cc
void Embed(const Call& call);
void ModelHash(const Call& call);
void Cosine(const Call& call);
void Distance(const Call& call);
// json_functions.cc
void ToJson(const Call& call);
void FromJson(const Call& call);
// train_functions.cc
void TrainFunction(const Call& call);
void UpdateFunction(const Call& call);
// Of argument i, options of which progress is the only one: its statement, "" for none.
std::string ProgressOption(const Call& call, int i);
void Convert(const Call& call);
void ImportFunction(const Call& call);
void Drop(const Call& call);
// correlation.cc
// The two arguments as finite numbers; nothing where one is NULL.
std::optional<std::pair<double, double>> NumberPair(const Call& call);
// SQLite's memory for a group holds a pointer to its Sum, made at the first row and deleted
// by xFinal, which SQLite calls after an error too.
template <typename Sum>
void CorrelationStep(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardedFunction(context, [&] {
    auto** sum = static_cast<Sum**>(sqlite3_aggregate_context(context, sizeof(Sum*)));
    if (sum == nullptr) throw std::bad_alloc();
    if (*sum == nullptr) *sum = new Sum();
    const auto pair = NumberPair(Call{context, count, values});
    if (pair) (*sum)->Add(pair->first, pair->second);
  });
}
template <typename Sum>
void CorrelationFinal(sqlite3_context* context) {
  GuardedFunction(context, [&] {
    auto** sum = static_cast<Sum**>(sqlite3_aggregate_context(context, 0));
    const std::unique_ptr<Sum> owner(sum == nullptr ? nullptr : *sum);
    Result(context, owner ? owner->Value() : std::nullopt);
  });
}
// info_functions.cc
void ReadConfig(const Call& call);
void SetConfig(const Call& call);
void Version(const Call& call);
void Debug(const Call& call);

// model_tables.cc
extern const TableFunction kModelsTable;
extern const TableFunction kWordsTable;
// nearest_words_table.cc
extern const TableFunction kNearestWordsTable;
extern const TableFunction kAnalogyTable;
// text_tables.cc
extern const TableFunction kTokensTable;
extern const TableFunction kExplainTable;
// index_table.cc: CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body). Returns a result
// code.
int RegisterIndexModule(sqlite3* db, const SharedConnection& connection);
// match_function.cc: for questions to an index with words. Once for a connection, since FTS5
// forgets no function; when it is needed, since a SQLite may have no FTS5. Throws SqlError.
void RegisterMatchFunction(Connection* connection);
// index_commands.cc
void Sync(const Call& call);
// index_snippets.cc
void Snippet(const Call& call);
void Highlight(const Call& call);

}  // namespace s2v
