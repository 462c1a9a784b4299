// What a model was trained on, as ModelInfo.corpus tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sql/model_store.h"

namespace s2v {

// table: "" where the model does not tell it.
struct CorpusOrigin {
  std::string table, column, where;
  std::optional<int64_t> max_rowid;  // of the table when it was read
  std::string updates;               // JSON array: what s2v_update has done since; "": nothing
  // Whether both name the same table, column and condition.
  bool operator==(const CorpusOrigin& other) const {
    return table == other.table && column == other.column && where == other.where;
  }
};
CorpusOrigin ParseCorpusOrigin(sqlite3* db, const std::string& corpus);
// The table as SentenceTable takes it: one in the model's own schema is meant first.
std::string CorpusTable(sqlite3* db, const std::string& schema, const CorpusOrigin& origin);
// Rows that the table has now. Nothing where the model was trained with a condition, or there is no
// ordinary table with rowids of that name: what is counted calls nothing.
std::optional<int64_t> CountCorpusRows(sqlite3* db, const ModelInfo& info);
std::string CorpusJson(const CorpusOrigin& origin);

}  // namespace s2v
