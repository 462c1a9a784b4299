// The bodies of the SQL functions and tables, one file a family. Signatures and meaning: each
// file's head.
#ifndef S2V_EXT_FUNCTIONS_H_
#define S2V_EXT_FUNCTIONS_H_

#include <vector>

#include "core/eval/correlation.h"
#include "ext/boundary.h"
#include "ext/table_function.h"

namespace s2v {

// embed_functions.cc
void Embed(const Call& call);
void ModelHash(const Call& call);
// cosine_functions.cc
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
// config_functions.cc
void ReadConfig(const Call& call);
void SetConfig(const Call& call);
// info_functions.cc
void Version(const Call& call);
void Debug(const Call& call);

// models_table.cc
extern const TableFunction kModelsTable;
// words_table.cc
extern const TableFunction kWordsTable;
// tokens_table.cc
extern const TableFunction kTokensTable;
// nearest_words_table.cc
extern const TableFunction kNearestWordsTable;
extern const TableFunction kAnalogyTable;
// explain_table.cc
extern const TableFunction kExplainTable;

}  // namespace s2v

#endif  // S2V_EXT_FUNCTIONS_H_
