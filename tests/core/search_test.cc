// The arithmetic of the index: codes, lists, searches.
#include "core/search/search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/error.h"

namespace s2v::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Unit vectors around a common mean and a few topics, as sentence embeddings are.
std::vector<float> MakeVectors(uint32_t dimension, size_t rows, uint32_t seed) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> topics(size_t{20} * dimension);
  for (float& v : topics) v = normal(random);
  random.seed(seed);
  std::vector<float> vectors(rows * dimension);
  for (size_t r = 0; r < rows; r++) {
    float* v = &vectors[r * dimension];
    const float* topic = &topics[random() % 20 * dimension];
    double square = 0;
    for (uint32_t i = 0; i < dimension; i++) {
      v[i] = 0.5f * topics[i] + 0.7f * topic[i] + normal(random);
      square += double{v[i]} * v[i];
    }
    for (uint32_t i = 0; i < dimension; i++) v[i] /= static_cast<float>(std::sqrt(square));
  }
  return vectors;
}

double Dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += double{a[i]} * b[i];
  return sum;
}

// An index in memory, as a caller keeps it in tables: row r has rowid 10 * r.
struct Index {
  Index(uint32_t dimension, std::vector<float> rows)
      : space(dimension, 5), lists(space), vectors(std::move(rows)) {
    const size_t n = vectors.size() / dimension, width = space.width();
    rotated.resize(n * width);
    for (size_t r = 0; r < n; r++) space.Rotate(Vector(r), &rotated[r * width]);
    const std::vector<float> centres = MakeCentres(space, rotated, n, 1);
    for (size_t at = 0; at * width < centres.size(); at++) {
      lists.Set(static_cast<int64_t>(at), 0, std::span(centres).subspan(at * width, width));
    }
    for (size_t r = 0; r < n; r++) Add(r);
  }
  const float* Vector(size_t r) const { return &vectors[r * space.dimension()]; }
  void Add(size_t r) {
    const float* x = &rotated[r * space.width()];
    const int64_t id = lists.Nearest(x);
    std::vector<Block>& list = blocks[id];
    if (list.empty() || list.back().is_full()) list.emplace_back(space);
    list.back().Add(static_cast<int64_t>(r) * 10, x, lists.centre(static_cast<size_t>(id)));
    lists.SetRows(id, ++counts[id]);
  }
  std::vector<Hit> Find(const float* query, size_t k, const SearchOptions& options = {}) const {
    Search search(space, lists, query, k, options);
    while (const std::optional<size_t> list = search.NextList()) {
      const auto found = blocks.find(lists.id(*list));
      if (found == blocks.end()) continue;
      for (const Block& block : found->second) search.Scan(block);
    }
    while (const std::optional<int64_t> rowid = search.NextCandidate()) {
      search.Score(*rowid, Dot(query, Vector(static_cast<size_t>(*rowid / 10)), space.dimension()));
    }
    return search.Hits();
  }
  std::vector<Hit> FindExactly(const float* query, size_t k, const RowFilter* filter) const {
    TopHits hits(k);
    for (size_t r = 0; r * space.dimension() < vectors.size(); r++) {
      const auto rowid = static_cast<int64_t>(r) * 10;
      if (filter != nullptr && !filter->Allows(rowid)) continue;
      hits.Add({rowid, Dot(query, Vector(r), space.dimension())});
    }
    return hits.Take();
  }

  CodeSpace space;
  Lists lists;
  std::vector<float> vectors, rotated;
  std::map<int64_t, std::vector<Block>> blocks;
  std::map<int64_t, uint64_t> counts;
};

double Recall(const std::vector<Hit>& found, const std::vector<Hit>& expected) {
  size_t both = 0;
  for (const Hit& hit : expected) {
    both += static_cast<size_t>(std::count_if(found.begin(), found.end(),
                                              [&](const Hit& f) { return f.rowid == hit.rowid; }));
  }
  return static_cast<double>(both) / static_cast<double>(expected.size());
}

TEST_CASE("a search finds what looking at every row finds") {
  const Index index(100, MakeVectors(100, 20000, 1));
  const std::vector<float> queries = MakeVectors(100, 50, 2);
  for (const size_t k : {1, 10, 100}) {
    CAPTURE(k);
    double recall = 0;
    for (size_t q = 0; q < 50; q++) {
      const float* query = &queries[q * 100];
      recall += Recall(index.Find(query, k), index.FindExactly(query, k, nullptr)) / 50;
    }
    CHECK(recall >= 0.98);
  }
}

TEST_CASE("a filter leaves as many rows as it allows") {
  const Index index(64, MakeVectors(64, 10000, 1));
  const std::vector<float> queries = MakeVectors(64, 20, 2);
  for (const int every : {2, 100, 5000}) {
    CAPTURE(every);
    std::vector<int64_t> rowids;
    for (int64_t r = 0; r < 10000; r += every) rowids.push_back(r * 10);
    const RowSet set(rowids);
    double recall = 0;
    for (size_t q = 0; q < 20; q++) {
      const float* query = &queries[q * 64];
      const std::vector<Hit> found = index.Find(query, 10, {&set, set.size()});
      CHECK(found.size() == std::min<size_t>(10, rowids.size()));
      recall += Recall(found, index.FindExactly(query, 10, &set)) / 20;
    }
    CHECK(recall >= 0.98);
  }
}

TEST_CASE("a block is the same after it was written and read, and a damaged one is an error") {
  const CodeSpace space(40, 3);
  Block block(space);
  const std::vector<float> vectors = MakeVectors(40, 100, 1);
  std::vector<float> x(space.width()), centre(space.width(), 0.01f);
  for (size_t r = 0; r < 100; r++) {
    space.Rotate(&vectors[r * 40], x.data());
    block.Add(static_cast<int64_t>(r) - 50, x.data(), centre.data());
  }
  const std::string bytes = block.Bytes();
  CHECK(Block::Parse(space, bytes).Bytes() == bytes);
  for (size_t at = 0; at < bytes.size(); at++) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    CHECK_THROWS_AS(Block::Parse(space, damaged), FormatError);
    CHECK_THROWS_AS(Block::Parse(space, std::string_view(bytes).substr(0, at)), FormatError);
  }
}

}  // namespace
}  // namespace s2v::search
