#include "sql/index_nearest.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "sql/index_limits.h"

namespace s2v {
namespace {

using search::Hit;

// The rows that a filter allows are scored one by one if they are at most kFewAllowed, plus one for
// each kRowsForOneAllowed rows of the index.
constexpr size_t kFewAllowed = 500, kRowsForOneAllowed = 250;

}  // namespace

double Cosine(const std::vector<float>& query, const float* vector) {
  const double dot = simd::BestKernels().dot(query.data(), vector, query.size());
  return std::min(1.0, std::max(-1.0, dot));
}

std::optional<double> NearestRows::Similarity(const std::vector<float>& query, int64_t rowid) {
  if (!pending_->Contains(rowid)) return store_->Similarity(query.data(), rowid);
  const float* vector = pending_->Vector(rowid);
  if (vector == nullptr) return std::nullopt;
  return Cosine(query, vector);
}

const float* NearestRows::Vector(int64_t rowid) {
  if (pending_->Contains(rowid)) return pending_->Vector(rowid);
  if (vectors_.size() * index_.dimension * sizeof(float) >= kMostVectorBytes) vectors_.clear();
  const auto [at, is_new] = vectors_.try_emplace(rowid);
  std::vector<float>& vector = at->second;
  if (is_new) {
    vector.resize(index_.dimension);
    if (!store_->ReadVector(rowid, vector.data())) vector.clear();
  }
  return vector.empty() ? nullptr : vector.data();
}

std::vector<Hit> NearestRows::FindAmong(const std::vector<float>& query, uint64_t k,
                                        const RowChoice& rows) {
  search::TopHits hits(k);
  for (const int64_t rowid : rows.allowed->Rowids()) {
    if (!rows.Contains(rowid)) continue;
    if (const auto similarity = Similarity(query, rowid)) hits.Add({rowid, *similarity});
  }
  return hits.Take();
}

std::vector<Hit> NearestRows::Find(const std::vector<float>& query, uint64_t k,
                                   const RowChoice& rows, bool exact) {
  const uint64_t total = store_->lists().TotalRows();
  k = std::min(k, total + pending_->rows().size());
  if (rows.allowed != nullptr && rows.allowed->size() <= kFewAllowed + total / kRowsForOneAllowed) {
    return FindAmong(query, k, rows);
  }
  search::SearchOptions options{.allowed = rows.allowed};
  const search::RowSet& left_out = rows.left_out != nullptr ? *rows.left_out : pending_->rows();
  if (left_out.size() > 0) options.left_out = &left_out;
  for (;; options.effort *= 8) {
    search::Search search(store_->space(), store_->lists(), query.data(), k, options);
    for (const int64_t rowid : pending_->rows().Rowids()) {
      if (!rows.Contains(rowid)) continue;
      if (const auto similarity = Similarity(query, rowid)) search.Score(rowid, *similarity);
    }
    while (const auto at = search.NextList()) {
      const std::vector<search::Block>& blocks = store_->Blocks(store_->lists().id(*at));
      const auto peeked = search.PeekList();
      const search::Block* next = peeked ? store_->FirstKept(store_->lists().id(*peeked)) : nullptr;
      for (size_t i = 0; i < blocks.size(); i++) {
        search.Scan(blocks[i], i + 1 < blocks.size() ? blocks[i + 1]
                               : next != nullptr     ? *next
                                                     : blocks[i]);
      }
    }
    std::vector<Hit> scored;
    double rounding = 0, most_rounding = 0;
    while (const auto rowid = search.NextCandidate()) {
      if (const auto similarity = store_->Similarity(query.data(), *rowid, &rounding)) {
        search.Score(*rowid, *similarity);
        most_rounding = std::max(most_rounding, rounding);
        if (exact) scored.push_back({*rowid, *similarity});
      } else if (!index_.of_vectors) {
        ThrowDamaged(index_, "entry", *rowid);  // a row with a code has a vector
      }
    }
    if (search.IsDoubtful()) continue;
    std::vector<Hit> hits = search.Hits();
    if (most_rounding > 0 && hits.size() == k) {
      EmbedAnew(query, std::move(scored), kRoundingDeviations * most_rounding, &hits);
    }
    return hits;
  }
}

// hits, the best of scored and others, again, with the similarity of their texts where it is within
// margin of the last one's.
void NearestRows::EmbedAnew(const std::vector<float>& query, std::vector<Hit> scored, double margin,
                            std::vector<Hit>* hits) {
  const double last = hits->back().similarity;
  const auto distance = [&](const Hit& hit) { return std::abs(hit.similarity - last); };
  std::erase_if(scored, [&](const Hit& hit) { return distance(hit) > margin; });
  std::sort(scored.begin(), scored.end(), [&](const Hit& a, const Hit& b) {
    return distance(a) < distance(b) || (distance(a) == distance(b) && a.rowid < b.rowid);
  });
  if (scored.size() > kMostEmbeddedAnew) scored.resize(kMostEmbeddedAnew);
  IndexSource& source = *pending_->source();
  search::TopHits best(hits->size());
  std::unordered_set<int64_t> anew;
  for (Hit& hit : scored) {
    const SourceRow* row = source.Row(hit.rowid);
    const float* vector = row == nullptr ? nullptr : source.embedder().Vector(*row);
    if (vector != nullptr) hit.similarity = Cosine(query, vector);
    best.Add(hit);
    anew.insert(hit.rowid);
  }
  std::erase_if(*hits, [&](const Hit& hit) { return anew.contains(hit.rowid); });
  for (const Hit& hit : *hits) best.Add(hit);
  *hits = best.Take();
}

}  // namespace s2v
