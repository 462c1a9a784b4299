// The bodies of the SQL functions and tables, one file a family. What they mean to users: docs/sql.md.
#ifndef S2V_EXT_FUNCTIONS_H_
#define S2V_EXT_FUNCTIONS_H_

#include <optional>
#include <utility>

#include "ext/arguments.h"
#include "ext/boundary.h"
#include "ext/correlation.h"
#include "ext/table_function.h"
#include "sql/index_writer.h"

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
void Convert(const Call& call);
void ImportFunction(const Call& call);
void Drop(const Call& call);
// correlation.cc
// Two finite numbers; nothing where one is NULL.
std::optional<std::pair<double, double>> NumberPair(const Call& call);
template <typename Sum>
class Correlation {
 public:
  void Step(const Call& call) {
    if (const auto pair = NumberPair(call)) sum_.Add(pair->first, pair->second);
  }
  void Answer(const Call& call) { Result(call.context, sum_.Value()); }

 private:
  Sum sum_;
};
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
// index_table.cc: CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body). Returns a result code.
int RegisterIndexModule(sqlite3* db, const SharedConnection& connection);
// Reports how far the making of an index is, of all connections; set before there are any threads.
void SetIndexProgress(IndexProgress progress);

}  // namespace s2v

#endif  // S2V_EXT_FUNCTIONS_H_
