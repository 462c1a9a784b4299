// The bodies of the SQL functions and tables, one file a family. Signatures and meaning: each
// file's head.
#ifndef S2V_EXT_FUNCTIONS_H_
#define S2V_EXT_FUNCTIONS_H_

#include <vector>

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
void Drop(const Call& call);
// update_functions.cc
void UpdateFunction(const Call& call);
// convert_functions.cc
void Convert(const Call& call);
// correlation_functions.cc
class PearsonAggregate {
 public:
  void Step(const Call& call);
  void Result(const Call& call);

 private:
  PearsonSum sum_;
};
class SpearmanAggregate {
 public:
  void Step(const Call& call);
  void Result(const Call& call);

 private:
  std::vector<double> x_, y_;
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

#endif  // S2V_EXT_FUNCTIONS_H_
