#include "sql/index_source_row.h"

#include <cstring>

#include "core/embed/embedder.h"
#include "core/error.h"
#include "core/vocab/hash.h"
#include "sql/index_term_cutter.h"

namespace s2v {

bool UnitVector(std::string_view bytes, uint32_t dimension, float* vector) {
  if (dimension == 0 || bytes.size() != RowBytes(Element::kFloat32, dimension)) return false;
  if (!IsRow(Element::kFloat32, bytes.data(), dimension)) return false;
  std::memcpy(vector, bytes.data(), bytes.size());
  return Normalize(vector, dimension);
}

void SourceRow::Cut(const TermCutter& cutter, RowTerms* terms) const {
  terms->Clear();
  for (size_t i = 0; i < columns.size(); i++) cutter.AddColumn(ColumnText(i), terms);
}

int64_t SourceRow::Hash() const {
  uint64_t hash = XXH3_64bits(vector.data(), vector.size());
  hash = XXH3_64bits_withSeed(text.data(), text.size(), hash);
  return static_cast<int64_t>(
      XXH3_64bits_withSeed(columns.data(), columns.size() * sizeof(Column), hash));
}

std::string SelectSource(const IndexDefinition& index) {
  // Of a name in quotes alone that no column has, SQLite makes a string.
  const std::string table = QuoteName(index.table) + ".";
  return "SELECT " + QuoteName(index.rowid) + ", " +
         NamesOf(index.columns,
                 [&](const std::string& column) { return table + QuoteName(column); }) +
         " FROM " + index.Source();
}

void ReadSourceRow(const IndexDefinition& index, const Statement& row, SourceRow* to) {
  to->rowid = row.Int(0);
  to->text.clear();
  to->vector.clear();
  to->columns.assign(index.TextColumns().size(), {});
  const int first = index.of_vectors ? 2 : 1;
  if (index.of_vectors && row.Type(1) == SQLITE_BLOB) to->vector = row.Blob(1);
  for (size_t i = 0; i < to->columns.size(); i++) {
    const int column = first + static_cast<int>(i), type = row.Type(column);
    if (type == SQLITE_NULL || type == SQLITE_BLOB) continue;
    to->AddText(i, row.Text(column));
  }
}

}  // namespace s2v
