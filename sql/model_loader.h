// Reads all of a stored model into memory, to train it on or to write it elsewhere.
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config.h"
#include "core/model/model.h"
#include "sql/model_store.h"

namespace s2v {

// The model as SaveModel got it; only a float32 model has U. Every row's checksum is checked, and
// that none is missing or left over. Throws InvalidArgument where there is no such model,
// FormatError where it is damaged or its parameters are not of this library.
Model LoadModel(sqlite3* db, const ModelName& name);
// All but U, of the source rows those that are kept ([words + n-grams], empty: all; tick is called
// for each).
// REQUIRES: as FeatureScan.
Model LoadSource(sqlite3* db, const ModelInfo& info, const std::vector<bool>& is_kept = {},
                 const std::function<void()>& tick = {});
// What ConfigJson wrote. Throws InvalidArgument where it is not of this library, SqlError with
// SQLITE_ERROR where it is no JSON.
Config ParseConfig(sqlite3* db, const std::string& json);

}  // namespace s2v
