#include "sql/corpus_origin.h"

#include "core/error.h"
#include "sql/json.h"
#include "sql/sentence_table.h"

namespace s2v {

CorpusOrigin ParseCorpusOrigin(sqlite3* db, const std::string& corpus) {
  if (corpus.empty()) return {};
  // Without json_valid, which says of what it has no memory for that it is not valid.
  Statement parts(db,
                  "SELECT json_extract(?1, '$.table'), json_extract(?1, '$.column'), "
                  "json_extract(?1, '$.where'), json_extract(?1, '$.max_rowid'), "
                  "json_extract(?1, '$.updates')",
                  corpus);
  parts.Step();
  CorpusOrigin origin{std::string(parts.Text(0)), std::string(parts.Text(1)),
                      std::string(parts.Text(2)), std::nullopt, std::string(parts.Text(4))};
  if (parts.Type(3) == SQLITE_INTEGER) origin.max_rowid = parts.Int(3);
  return origin;
}

std::string CorpusTable(sqlite3* db, const std::string& schema, const CorpusOrigin& origin) {
  return (TableExists(db, schema, origin.table) ? schema + "." : "") + origin.table;
}

std::optional<int64_t> CountCorpusRows(sqlite3* db, const ModelInfo& info) {
  try {
    const CorpusOrigin origin = ParseCorpusOrigin(db, info.corpus);
    if (origin.table.empty() || !origin.where.empty()) return std::nullopt;
    return SentenceTable(db, CorpusTable(db, info.schema, origin), origin.column, "").CountRows();
  } catch (const InvalidArgument&) {  // it is gone
    return std::nullopt;
  } catch (const SqlError& error) {  // a view without its table, for example
    if (error.primary_code() != SQLITE_ERROR) throw;
    return std::nullopt;
  }
}

std::string CorpusJson(const CorpusOrigin& origin) {
  JsonObject json;
  json.Add("table", origin.table).Add("column", origin.column);
  json.AddJson("where", origin.where.empty() ? "null" : JsonString(origin.where));
  json.Add("max_rowid", origin.max_rowid);
  if (!origin.updates.empty()) json.AddJson("updates", origin.updates);
  return json.Text();
}

}  // namespace s2v
