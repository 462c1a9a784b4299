#include "sql/index_parts.h"

#include <algorithm>

#include "core/text/passages.h"
#include "sql/model_format.h"

namespace s2v {
namespace {

// A column of at most a quarter of a passage is in each part, as far as these columns together are
// no more than half of one.
constexpr size_t kShortShare = 4, kShortTogether = 2;
// And of no more than so many bytes for each word of a passage: signs are no words. Since this
// version of the rules.
constexpr size_t kShortBytes = 16;
constexpr int64_t kHeedsBytes = 3;

// More parts than these are counted where the index has them: each that a file claims takes memory.
constexpr size_t kFewParts = 64;

constexpr char kSelect[] = "SELECT id, row, parts, hash, checksum FROM ";

int64_t PartChecksum(const IndexDefinition& index, int64_t id, int64_t row, int64_t parts,
                     int64_t hash) {
  Checksum checksum(index.seed ^ static_cast<uint64_t>(id));
  checksum.Add(static_cast<uint64_t>(row));
  checksum.Add(static_cast<uint64_t>(parts));
  checksum.Add(static_cast<uint64_t>(hash));
  return checksum.Value();
}

}  // namespace

void RowParts::Cut(const IndexDefinition& index, const Tokenizer* format, const SourceRow& row) {
  const auto words = static_cast<size_t>(index.passages);
  const size_t count = row.columns.size();
  const size_t most = std::max<size_t>(1, static_cast<size_t>(IndexParts::kMostRowParts) / count);
  columns_.resize(count);
  is_in_each_.assign(count, false);
  pieces_.clear();
  std::vector<CutText> cuts;
  std::string plain;
  size_t all = 0, in_each = 0;
  for (size_t i = 0; i < count; i++) {
    const std::string_view text = row.ColumnText(i);
    columns_[i] = format == nullptr ? text : format->PlainText(text, &plain);
    cuts.push_back(CutPassages(columns_[i], words, most, index.passage_rules));
    all += cuts[i].words;
  }
  // A last passage may have half of another one too.
  is_whole_ = 2 * all < 3 * words;
  if (is_whole_) {
    is_in_each_.assign(count, true);
    pieces_.push_back(WholeColumn(0));
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const bool is_short =
        index.passage_rules < kHeedsBytes || columns_[i].size() <= kShortBytes * words;
    is_in_each_[i] = is_short && kShortShare * cuts[i].words <= words &&
                     kShortTogether * (in_each + cuts[i].words) <= words;
    if (is_in_each_[i]) {
      in_each += cuts[i].words;
      continue;
    }
    size_t begin = 0;
    for (const size_t end : cuts[i].ends) {
      pieces_.push_back({i, begin, end - begin});
      begin = end;
    }
  }
}

std::string_view RowParts::PieceText(const Piece& piece) const {
  return std::string_view(columns_[piece.column]).substr(piece.begin, piece.size);
}

size_t RowParts::CharactersBefore(const Piece& piece) const {
  const std::string_view before = std::string_view(columns_[piece.column]).substr(0, piece.begin);
  size_t characters = 0;
  for (size_t at = 0; at < before.size(); characters++) {
    const auto lead = static_cast<unsigned char>(before[at++]);
    while (lead >= 0xC0 && at < before.size() && (before[at] & 0xC0) == 0x80) at++;
  }
  return characters;
}

void RowParts::Make(size_t part, SourceRow* to) const {
  to->text.clear();
  to->vector.clear();
  to->columns.assign(columns_.size(), {});
  for (size_t i = 0; i < columns_.size(); i++) {
    const std::string_view text = is_in_each_[i]              ? columns_[i]
                                  : pieces_[part].column == i ? PieceText(pieces_[part])
                                                              : "";
    if (!text.empty()) to->AddText(i, text);
  }
}

IndexParts::Range IndexParts::ReadRange(const Statement& found) {
  const int64_t first = found.Int(0), parts = found.Int(2), hash = found.Int(3);
  // '5x' as a BLOB reads as 5, and is found by its id, but not as row 5.
  if (found.Type(1) != SQLITE_INTEGER || first < 1 || first > kMostId || parts < 1 ||
      parts > kMostRowParts ||
      PartChecksum(index_, first, found.Int(1), parts, hash) != found.Int(4)) {
    ThrowDamaged(index_, "part", first);
  }
  return {first, static_cast<size_t>(parts), hash};
}

IndexParts::Range IndexParts::Of(int64_t row) {
  if (!of_)
    of_ = Statement(statements_, db_,
                    std::string(kSelect) + index_.Object("part") + " WHERE row = ?1");
  const Range range = of_.Find(row) ? ReadRange(of_) : Range();
  of_.Reset();
  if (range.parts > kFewParts) {
    if (!count_)
      count_ = Statement(statements_, db_,
                         "SELECT count(*), EXISTS (SELECT 1 FROM " + index_.Object("part") +
                             " WHERE id > ?1 AND id <= ?2) FROM " + index_.Object("entry") +
                             " WHERE id BETWEEN ?1 AND ?2");
    // All are there, and none is another row's, of which a damaged file may claim any number.
    const bool are_there =
        count_.Find(range.first, range.first + static_cast<int64_t>(range.parts) - 1) &&
        count_.Int(0) == static_cast<int64_t>(range.parts) && count_.Int(1) == 0;
    count_.Reset();
    if (!are_there) ThrowDamaged(index_, "part", range.first);
  }
  return range;
}

std::optional<IndexParts::Place> IndexParts::Find(int64_t id) {
  if (index_.passages == 0) return Place{id, 0};
  if (first_other_ > 0 && id >= first_other_) {
    const auto at = static_cast<size_t>(id - first_other_);
    return at < others_.size() ? std::optional(others_[at]) : std::nullopt;
  }
  const auto is_last = [&] {
    return id >= last_.first && static_cast<size_t>(id - last_.first) < last_.parts;
  };
  if (!is_last()) {
    if (!find_) {
      find_ = Statement(statements_, db_,
                        std::string(kSelect) + index_.Object("part") +
                            " WHERE id <= ?1 ORDER BY id DESC LIMIT 1");
    }
    last_ = find_.Find(id) ? ReadRange(find_) : Range();
    if (last_.parts > 0) last_row_ = find_.Int(1);
    find_.Reset();
  }
  if (!is_last()) return std::nullopt;
  return Place{last_row_, static_cast<size_t>(id - last_.first)};
}

IndexParts::Place IndexParts::At(int64_t id) {
  const auto place = Find(id);
  if (!place) ThrowDamaged(index_, "part", id);
  return *place;
}

void IndexParts::AddIds(int64_t row, size_t parts_now, std::vector<int64_t>* ids) {
  if (index_.passages == 0) return ids->push_back(row);
  const Range range = Of(row);
  for (size_t part = 0; part < range.parts; part++) {
    ids->push_back(range.first + static_cast<int64_t>(part));
  }
  if (parts_now <= range.parts) return;
  if (first_other_ == 0) first_other_ = NextId();
  for (size_t part = range.parts; part < parts_now; part++) {
    const int64_t next = first_other_ + static_cast<int64_t>(others_.size());
    const auto [at, is_new] = id_of_other_.emplace(std::pair(row, part), next);
    if (is_new) others_.push_back({row, part});
    ids->push_back(at->second);
  }
}

int64_t IndexParts::NextId() {
  Statement last(db_, std::string(kSelect) + index_.Object("part") + " ORDER BY id DESC LIMIT 1");
  if (!last.Step()) return 1;
  const Range range = ReadRange(last);
  return range.first + static_cast<int64_t>(range.parts);
}

// Not by REPLACE: of a table with a UNIQUE column that is a savepoint, at each of which FTS5 writes
// a segment, of which it has room for 2,000.
void IndexParts::Put(int64_t row, const Range& range) {
  Forget();
  if (!put_) {
    take_ = Statement(statements_, db_, "DELETE FROM " + index_.Object("part") + " WHERE id = ?1");
    put_ = Statement(statements_, db_,
                     "INSERT INTO " + index_.Object("part") + " VALUES(?1, ?2, ?3, ?4, ?5)");
  }
  const auto parts = static_cast<int64_t>(range.parts);
  take_.Run(range.first);
  put_.Run(range.first, row, parts, range.hash,
           PartChecksum(index_, range.first, row, parts, range.hash));
}

void IndexParts::Forget() {
  last_ = {};
  first_other_ = 0;
  others_.clear();
  id_of_other_.clear();
}

void IndexParts::Delete(int64_t row) {
  Forget();
  Execute(db_, "DELETE FROM " + index_.Object("part") + " WHERE row = ?1", row);
}

}  // namespace s2v
