// The list of all that the extension registers. Read this first.
#include "ext/functions.h"

namespace s2v {
namespace {

// SQLITE_RESULT_SUBTYPE, which headers have since SQLite 3.45; older versions ignore it.
constexpr int kResultSubtype = 0x01000000;

// Changes nothing, reads the model tables only, the same answer within a statement: allowed in
// views, triggers, generated columns and indexes.
constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
// The same, but the answer may change at any time.
constexpr int kVolatile = SQLITE_UTF8 | SQLITE_INNOCUOUS;
// Only from SQL that the application runs itself, never from a schema.
constexpr int kDirectOnly = SQLITE_UTF8 | SQLITE_DIRECTONLY;

using Callback = void (*)(sqlite3_context*, int, sqlite3_value**);

struct Function {
  const char* name;
  int least, most;  // arguments
  int flags;
  Callback scalar;
  Callback step = nullptr;  // of an aggregate
  void (*final)(sqlite3_context*) = nullptr;
};

constexpr Function kFunctions[] = {
    {"s2v_embed", 1, 3, kPure, ScalarCallback<Embed>},
    {"s2v_model_hash", 0, 1, kPure, ScalarCallback<ModelHash>},
    {"s2v_cosine", 2, 3, kPure, ScalarCallback<Cosine>},
    {"s2v_distance", 2, 3, kPure, ScalarCallback<Distance>},
    {"s2v_to_json", 1, 1, kPure | kResultSubtype, ScalarCallback<ToJson>},
    {"s2v_from_json", 1, 1, kPure, ScalarCallback<FromJson>},
    {"s2v_config", 0, 1, kVolatile, ScalarCallback<ReadConfig>},
    {"s2v_config", 2, 2, kDirectOnly, ScalarCallback<SetConfig>},
    {"s2v_version", 0, 0, kPure, ScalarCallback<Version>},
    {"s2v_debug", 0, 0, kPure, ScalarCallback<Debug>},
    {"s2v_train", 2, 3, kDirectOnly, ScalarCallback<TrainFunction>},
    {"s2v_update", 1, 2, kDirectOnly, ScalarCallback<UpdateFunction>},
    {"s2v_convert", 3, 4, kDirectOnly, ScalarCallback<Convert>},
    {"s2v_import", 2, 3, kDirectOnly, ScalarCallback<ImportFunction>},
    {"s2v_sync", 1, 2, kDirectOnly, ScalarCallback<Sync>},
    {"s2v_snippet", 1, 7, kVolatile, ScalarCallback<Snippet>},
    {"s2v_highlight", 4, 5, kVolatile, ScalarCallback<Highlight>},
    {"s2v_drop", 1, 1, kDirectOnly, ScalarCallback<Drop>},
    {"s2v_pearson", 2, 2, kPure, nullptr, CorrelationStep<PearsonSum>,
     CorrelationFinal<PearsonSum>},
    {"s2v_spearman", 2, 2, kPure, nullptr, CorrelationStep<SpearmanSum>,
     CorrelationFinal<SpearmanSum>},
};

// Read-only, innocuous.
constexpr const TableFunction* kTableFunctions[] = {
    &kModelsTable, &kWordsTable, &kTokensTable, &kNearestWordsTable, &kAnalogyTable, &kExplainTable,
};

}  // namespace

int RegisterAll(sqlite3* db, const char* linking) {
  try {
    const auto connection = std::make_shared<Connection>();
    connection->db = db;
    connection->linking = linking;
    for (const Function& f : kFunctions) {
      for (int arguments = f.least; arguments <= f.most; arguments++) {
        // SQLite deletes what is registered, also where the registration fails.
        const int code = sqlite3_create_function_v2(
            db, f.name, arguments, f.flags, new Registered{f.name, connection}, f.scalar, f.step,
            f.final, [](void* p) { delete static_cast<Registered*>(p); });
        if (code != SQLITE_OK) return code;
      }
    }
    for (const TableFunction* table : kTableFunctions) {
      const int code = RegisterTableFunction(*table, connection);
      if (code != SQLITE_OK) return code;
    }
    return RegisterIndexModule(db, connection);
  } catch (...) {
    return Caught().code;
  }
}

}  // namespace s2v
