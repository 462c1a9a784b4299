// All of a stored model into memory, with the target embeddings that embedding does not need:
//
//   const Model model = LoadModel(db, {"", "news"});
//   HeldOutLoss(model, texts);
//
// It takes the memory that training took for its matrices; to embed, use ModelReader.
#ifndef S2V_SQL_MODEL_LOADER_H_
#define S2V_SQL_MODEL_LOADER_H_

#include "sql/model_store.h"

namespace s2v {

// The model as SaveModel got it: words and n-grams with their counts, V, U, losses, and
// the parameters it was trained with. Every row's checksum is checked, and that none is missing or
// left over. Rows are float32 in memory, whatever their element; only a float32 model has U. Its
// config is the stored one: workers are those of
// then. Throws InvalidArgument where there is no such model, FormatError where it is damaged or its
// parameters are not of this library, std::bad_alloc. A read transaction is open only meanwhile.
Model LoadModel(sqlite3* db, const ModelName& name);
// Parts of it: the parameters that a model was trained with, and the mean loss of each epoch.
Config StoredConfig(sqlite3* db, const ModelInfo& info);
std::vector<double> StoredLosses(sqlite3* db, const ModelInfo& info);
// What ConfigJson wrote. Throws InvalidArgument where it is not of this library, SqlError with
// SQLITE_ERROR where it is no JSON.
Config ParseConfig(sqlite3* db, const std::string& json);
// Adds the word of this id. Throws FormatError where the vocabulary has it.
void AddStoredWord(const ModelInfo& info, uint64_t id, const StoredWord& word,
                   Vocabulary* vocabulary);

}  // namespace s2v

#endif  // S2V_SQL_MODEL_LOADER_H_
