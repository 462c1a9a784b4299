#include "sql/stale_indexes.h"

#include <vector>

namespace s2v {
void RebuildModelIndexes(sqlite3* db, const std::string& schema) {
  const std::string objects = QuoteName(schema) + ".sqlite_schema";
  std::vector<std::string> indexes;
  {
    // Found by the text of the definitions: too many where a comment names one, none is missed. An
    // index of UNIQUE has no definition of its own.
    const std::string definition = "lower(ifnull(i.sql, '') || t.sql)";
    Statement select(db, "SELECT i.name FROM " + objects + " AS i JOIN " + objects +
                             " AS t ON t.type = 'table' AND t.name = i.tbl_name WHERE i.type = "
                             "'index' AND (instr(" +
                             definition + ", 's2v_embed') OR instr(" + definition +
                             ", 's2v_cosine') OR instr(" + definition +
                             ", 's2v_distance') OR instr(" + definition + ", 's2v_model_hash'))");
    while (select.Step()) indexes.emplace_back(select.Text(0));
  }
  for (const std::string& index : indexes) {
    Execute(db, "REINDEX " + QuoteName(schema) + "." + QuoteName(index));
  }
}

}  // namespace s2v
