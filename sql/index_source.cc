#include "sql/index_source.h"

namespace s2v {

const SourceRow* IndexSource::Row(int64_t id) {
  if (index_.passages == 0) return Whole(id);
  const auto place = parts_.Find(id);
  if (!place || Part(place->row, place->part) == nullptr) return nullptr;
  part_.rowid = id;
  return &part_;
}

const SourceRow* IndexSource::Part(int64_t rowid, size_t part) {
  if (index_.passages == 0) return Whole(rowid);
  const RowParts* parts = Parts(rowid);
  if (parts == nullptr || part >= parts->size()) return nullptr;
  parts->Make(part, &part_);
  return &part_;
}

size_t IndexSource::CountParts(int64_t rowid) {
  const RowParts* parts = Parts(rowid);
  return parts == nullptr ? 0 : parts->size();
}

const RowParts* IndexSource::Parts(int64_t rowid) {
  if (cut_row_ == rowid && is_cut_sure_) return &cut_;
  const SourceRow* row = Whole(rowid);
  const int64_t hash = row == nullptr ? 0 : row->Hash();
  const bool is_same = row != nullptr && cut_row_ == rowid && cut_hash_ == hash;
  if (!is_same) cut_row_.reset();
  if (row == nullptr) return nullptr;
  if (!is_same) CutParts(*row, &cut_);
  cut_row_ = rowid;
  cut_hash_ = hash;
  is_cut_sure_ = true;
  return &cut_;
}

void IndexSource::CutParts(const SourceRow& row, RowParts* parts) {
  parts->Cut(index_, embedder_.Format(), row);
}

std::optional<int64_t> IndexSource::IndexedHash(int64_t rowid) {
  if (index_.passages > 0) {
    const IndexParts::Range range = parts_.Of(rowid);
    return range.parts > 0 ? std::optional(range.hash) : std::nullopt;
  }
  if (!select_hash_) {
    select_hash_ = Statement(statements_, db_,
                             "SELECT hash FROM " + index_.Object("entry") + " WHERE id = ?1");
  }
  std::optional<int64_t> hash;
  if (select_hash_.Find(rowid)) hash = select_hash_.Int(0);
  select_hash_.Reset();
  return hash;
}

const SourceRow* IndexSource::Whole(int64_t rowid) {
  if (!select_) {
    select_ = Statement(statements_, db_,
                        SelectSource(index_) + " WHERE " + QuoteName(index_.rowid) + " = ?1");
  }
  const bool found = select_.Find(rowid);
  if (found) ReadSourceRow(index_, select_, &row_);
  select_.Reset();
  return found ? &row_ : nullptr;
}

}  // namespace s2v
