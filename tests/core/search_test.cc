// The arithmetic of the index: codes, lists, searches.
#include "core/search/search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "core/search/fusion.h"
#include "tests/core/reference.h"
#include "tests/support/emulated.h"

namespace s2v::search {
namespace {

using simd::reference::Dot;

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

// An index in memory, as a caller keeps it in tables: row r has rowid 10 * r.
struct Index {
  Index(uint32_t dimension, std::vector<float> rows)
      : space(dimension, 5), lists(space), vectors(std::move(rows)) {
    const size_t n = vectors.size() / dimension, width = space.width();
    rotated.resize(n * width);
    for (size_t r = 0; r < n; r++) space.Rotate(Vector(r), &rotated[r * width]);
    const std::vector<float> centres = MakeCentres(space, vectors, n, 1);
    for (size_t at = 0; at * width < centres.size(); at++) {
      lists.Set(static_cast<int64_t>(at), 0, std::span(centres).subspan(at * width, width));
    }
    lists.PrepareNearest();
    for (size_t r = 0; r < n; r++) Add(r);
    for (const auto& [id, count] : counts) {
      lists.Set(id, count, std::vector<float>(lists.CentreOf(id), lists.CentreOf(id) + width));
    }
  }
  const float* Vector(size_t r) const { return &vectors[r * space.dimension()]; }
  void Add(size_t r) {
    const float* x = &rotated[r * space.width()];
    const size_t at = lists.Nearest({Vector(r), space.dimension()})[0];
    const int64_t id = lists.id(at);
    std::vector<Block>& list = blocks[id];
    if (list.empty() || list.back().is_full()) list.emplace_back(space);
    list.back().Add(static_cast<int64_t>(r) * 10, MakeCode(space, x, lists.centre(at)));
    counts[id]++;
  }
  std::vector<Hit> Find(const float* query, size_t k, const SearchOptions& options = {}) const {
    Search search(space, lists, query, k, options);
    while (const std::optional<size_t> list = search.NextList()) {
      const auto found = blocks.find(lists.id(*list));
      if (found == blocks.end()) continue;
      for (const Block& block : found->second) search.Scan(block, block);
    }
    while (const std::optional<int64_t> rowid = search.NextCandidate()) {
      search.Score(*rowid, Dot(query, Vector(static_cast<size_t>(*rowid / 10)), space.dimension()));
    }
    return search.Hits();
  }
  std::vector<Hit> FindExactly(const float* query, size_t k, const RowSet* allowed) const {
    TopHits hits(k);
    for (size_t r = 0; r * space.dimension() < vectors.size(); r++) {
      const auto rowid = static_cast<int64_t>(r) * 10;
      if (allowed != nullptr && !allowed->Contains(rowid)) continue;
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

TEST_CASE("words and meaning add up, what a row lacks counts nothing, longer questions mean more") {
  const Fusion fusion{.weight = 0.2, .most_words = 8};
  CHECK(fusion.Score(0.5, fusion.Words(8, 0)) == doctest::Approx(1 + 0.2 * 0.5));
  CHECK(fusion.Score(0.8, 0) == doctest::Approx(0.2 * 0.8));
  CHECK(fusion.Score({}, fusion.Words(4, 0.25)) == doctest::Approx(0.125 + 2 * 0.25));
  CHECK(Fusion{.weight = 1, .most_words = 0}.Words(0, 0) == 0);
  CHECK(DefaultWeight(3) == doctest::Approx(0.45));
  CHECK(DefaultWeight(500) == DefaultWeight(10));
}

TEST_CASE("a word is worth more the fewer rows have it, and less the later it stands") {
  CHECK(WordValue(9, 2) == doctest::Approx(std::pow(std::log(4), 1.5)));
  CHECK(WordValue(9, 9) > 0);
  CHECK(WordValue(9, 0) == 0);
  CHECK(WordValue(1, 9) == 0);  // where a damaged index says so
  CHECK(OpeningShare(0) == 1);
  CHECK(OpeningShare(80) == doctest::Approx(std::exp(-2)));
}

TEST_CASE("a question as long as the rows counts their length in full") {
  CHECK(LengthShare(0, 10) == doctest::Approx(0.4));
  CHECK(LengthShare(5, 10) == doctest::Approx(0.65));
  CHECK(LengthShare(400, 10) == doctest::Approx(0.9));
  CHECK(TimesInRow(1, 10, 10, 0.4) == doctest::Approx(1));  // of mean length, whatever the share
  CHECK(TimesInRow(1, 20, 10, 0.4) > TimesInRow(1, 20, 10, 0.9));
  CHECK(TimesInRow(1, 5, 10, 0.4) < TimesInRow(1, 5, 10, 0.9));
}

TEST_CASE("the kernels of the index agree with plain loops") {
  std::mt19937 random(1);
  for (const simd::Kernels* k : simd::AvailableKernels()) {
    CAPTURE(std::string(k->name));
    for (size_t n = 16; n <= 1024; n *= 2) {
      std::vector<float> v(n), expected(n);
      for (float& x : v) x = static_cast<float>(static_cast<int>(random() % 15) - 7);
      for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) expected[i] += std::popcount(i & j) % 2 == 0 ? v[j] : -v[j];
      }
      k->hadamard(v.data(), n);
      CHECK(v == expected);  // whole numbers are added without rounding
    }
    for (const size_t quads : {4, 8, 12, 16, 20, 76, 1024}) {
      CAPTURE(quads);
      std::vector<uint8_t> codes(quads * 16), entries(quads * 16);
      for (uint8_t& byte : codes) byte = static_cast<uint8_t>(random());
      for (uint8_t& entry : entries) entry = static_cast<uint8_t>(random() % 64);
      std::vector<float> scales(32), offsets(32), estimates(32);
      for (float& v : scales) v = static_cast<float>(random() % 4);
      for (float& v : offsets) v = static_cast<float>(random() % 4);
      const float least = 50.0f * static_cast<float>(quads);
      const uint32_t reached = k->estimate_codes(
          estimates.data(), {codes.data(), scales.data(), offsets.data(), codes.data()},
          {entries.data(), quads, -3, 2, 5, 7}, least);
      for (size_t row = 0; row < 32; row++) {
        float sum = 0;
        for (size_t quad = 0; quad < quads; quad++) {
          const uint8_t byte = codes[quad * 16 + row % 16];
          sum += entries[quad * 16 + (row < 16 ? byte & 15 : byte >> 4)];
        }
        const float expected = 5 + 7 * offsets[row] + scales[row] * (-3 + 2 * sum);
        CHECK(estimates[row] == expected);
        CHECK((reached >> row & 1) == (expected >= least));
      }
    }
  }
}

TEST_CASE("a rotation keeps lengths and angles, and depends on dimension and seed alone") {
  for (const uint32_t dimension : {1, 2, 15, 16, 17, 100, 256, 300, 1000}) {
    CAPTURE(dimension);
    const CodeSpace space(dimension, 9), portable(dimension, 9, *simd::AvailableKernels().front());
    const std::vector<float> v = MakeVectors(dimension, 2, 3);
    std::vector<float> a(space.width()), b(space.width()), c(space.width());
    space.Rotate(&v[0], a.data());
    space.Rotate(&v[dimension], b.data());
    portable.Rotate(&v[0], c.data());
    CHECK(Dot(a.data(), b.data(), a.size()) ==
          doctest::Approx(Dot(&v[0], &v[dimension], dimension)).epsilon(1e-5));
    CHECK(Dot(a.data(), c.data(), a.size()) == doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("an estimate is right on average, and off by as much as it says") {
  for (const uint32_t dimension : {20, 100, 300, 700}) {
    CAPTURE(dimension);
    const CodeSpace space(dimension, 3);
    const std::vector<float> vectors = MakeVectors(dimension, 1001, 1);
    std::vector<float> q(space.width()), x(space.width()), centre(space.width());
    space.Rotate(vectors.data(), q.data());
    CodeQuery query(space, q.data());
    for (size_t r = 1; r <= 1000; r++) {
      space.Rotate(&vectors[r * dimension], x.data());
      space.kernels().axpy(centre.data(), 0.001f, x.data(), x.size());
    }
    query.SetCentre(centre.data());
    double error = 0, square = 0;
    for (size_t r = 1; r <= 1000; r++) {
      Block block(space);
      space.Rotate(&vectors[r * dimension], x.data());
      block.Add(1, MakeCode(space, x.data(), centre.data()));
      float estimates[Block::kGroup];
      CHECK(query.Estimate(block, 0, block, -9, estimates) == 1);
      const double off = (estimates[0] - Dot(&vectors[0], &vectors[r * dimension], dimension)) /
                         query.Error(block, 0);
      error += off / 1000;
      square += off * off / 1000;
    }
    CHECK(std::fabs(error) < 0.2);
    CHECK(std::sqrt(square) > 0.8);
    CHECK(std::sqrt(square) < 1.2);
  }
}

TEST_CASE("a search finds what looking at every row finds") {
  const Index index(100, MakeVectors(100, 20000, 1));
  const std::vector<float> queries = MakeVectors(100, 50, 2);
  const size_t asked = testing::Emulated() ? 10 : 50;
  for (const size_t k : {1, 10, 100}) {
    CAPTURE(k);
    double recall = 0;
    for (size_t q = 0; q < asked; q++) {
      const float* query = &queries[q * 100];
      recall += Recall(index.Find(query, k), index.FindExactly(query, k, nullptr)) /
                static_cast<double>(asked);
    }
    CHECK(recall >= 0.98);
  }
}

TEST_CASE("more lists are scanned the later one of them has a near row") {
  const CodeSpace space(256, 5);
  const auto scanned = [&](size_t last_near) {
    Lists lists(space);
    std::vector<Block> blocks(200, Block(space));
    std::vector<float> v(256), x(256), centre(256);
    for (size_t list = 0; list < 200; list++) {
      std::fill(v.begin(), v.end(), 0.0f);
      v[0] = 0.4f - 0.001f * static_cast<float>(list);  // centres ever farther from axis 0
      space.Rotate(v.data(), centre.data());
      lists.Set(static_cast<int64_t>(list), 100, centre);
      for (uint32_t r = 0; r < 100; r++) {
        const bool is_near = (list == 0 && r < 9) || (list == last_near && r == 50);
        std::fill(v.begin(), v.end(), 0.0f);
        v[0] = is_near ? 0.9f : 0.1f;
        v[1 + r] = std::sqrt(1 - v[0] * v[0]);
        space.Rotate(v.data(), x.data());
        blocks[list].Add(static_cast<int64_t>(list * 100 + r),
                         MakeCode(space, x.data(), centre.data()));
      }
    }
    std::vector<float> query(256);
    query[0] = 1;
    Search search(space, lists, query.data(), 10);
    size_t count = 0;
    for (; const auto at = search.NextList(); count++) search.Scan(blocks[*at], blocks[*at]);
    return count;
  };
  const size_t few = scanned(0), more = scanned(20), all = scanned(34);
  CHECK(few < 40);
  CHECK(more > few + 30);
  CHECK(all > more + 30);
}

TEST_CASE("thousands of lists come in the order in which their centres are similar, each once") {
  const CodeSpace space(256, 5);
  std::mt19937 random(3);
  std::vector<float> query(256), x(256), centre(256);
  query[0] = 1;
  space.Rotate(query.data(), x.data());
  for (const size_t count : {1u, 2047u, 2048u, 2049u, 4096u, 9000u}) {
    CAPTURE(count);
    Lists lists(space);
    for (size_t list = 0; list < count; list++) {
      for (float& c : centre) c = static_cast<float>(random() % 8) / 100;
      lists.Set(static_cast<int64_t>(list), 100, centre);
    }
    Search search(space, lists, query.data(), 10, {.effort = 8});
    std::vector<bool> met(count);
    float last = 9;
    size_t lists_read = 0;
    while (true) {
      const auto peeked = search.PeekList(), at = search.NextList();
      CHECK(peeked == at);
      if (!at) break;
      const float similarity = space.kernels().dot(x.data(), lists.centre(*at), space.width());
      CHECK(similarity <= last);
      CHECK(!met[*at]);
      met[*at] = true;
      last = similarity;
      lists_read++;
    }
    CHECK(lists_read == count);
  }
}

TEST_CASE(
    "with more effort all lists are read, also where as many rows as are asked for were scored before") {
  const CodeSpace space(256, 5);
  Lists lists(space);
  std::vector<float> v(256), centre(256);
  for (size_t list = 0; list < 100; list++) {
    v[0] = 0.4f - 0.001f * static_cast<float>(list);
    space.Rotate(v.data(), centre.data());
    lists.Set(static_cast<int64_t>(list), 100, centre);
  }
  std::vector<float> query(256);
  query[0] = 1;
  const auto read = [&](size_t effort) {
    Search search(space, lists, query.data(), 2, {.effort = effort});
    search.Score(1, 0.9);
    search.Score(2, 0.8);
    size_t count = 0;
    while (search.NextList()) count++;
    return count;
  };
  CHECK(read(1) < 50);
  CHECK(read(8) == 100);
}

TEST_CASE("of a thousand lists a row gets the nearest or one that is nearly as near") {
  const uint32_t dimension = 42;
  const CodeSpace space(dimension, 3);
  const size_t width = space.width(), n = 6000;
  const std::vector<float> vectors = MakeVectors(dimension, n, 9);
  std::vector<float> rotated(n * width);
  for (size_t r = 0; r < n; r++) space.Rotate(&vectors[r * dimension], &rotated[r * width]);
  Lists lists(space);
  SUBCASE("that were made together") {
    const std::vector<float> centres = MakeCentres(space, vectors, 1000000, 1);
    const size_t count = centres.size() / width;
    for (size_t at = 0; at < count; at++) {
      lists.Set(Lists::IdOf(at, count), 0, std::span(centres).subspan(at * width, width));
      if (at == 700) lists.PrepareNearest();  // the others come later
    }
  }
  SUBCASE("of which one became two again and again") {
    std::deque<std::pair<int64_t, std::vector<float>>> full = {{Lists::IdOf(0, 1), vectors}};
    lists.Set(full[0].first, 0, std::vector<float>(width));
    lists.PrepareNearest();
    for (; !full.empty(); full.pop_front()) {
      const auto& [id, rows] = full.front();
      const search::TwoLists two = search::SplitInTwo(space, rows, 1);
      const int64_t ids[] = {id, lists.FreeIdBehind(id)};
      CHECK(lists.CentreOf(ids[1]) == nullptr);
      std::vector<float> of_side[2];
      for (size_t r = 0; r < two.side.size(); r++) {
        of_side[two.side[r]].insert(of_side[two.side[r]].end(), &rows[r * dimension],
                                    &rows[r * dimension] + dimension);
      }
      for (size_t side = 0; side < 2; side++) {
        lists.Set(ids[side], 0, two.centres[side]);
        if (of_side[side].size() > size_t{9} * dimension)
          full.emplace_back(ids[side], of_side[side]);
      }
    }
  }
  REQUIRE(lists.size() > 900);
  const auto nearness = [&](int64_t id, const float* x) {
    const float* centre = lists.CentreOf(id);
    return Dot(x, centre, width) - Dot(centre, centre, width) / 2;
  };
  const std::vector<size_t> nearest = lists.Nearest(vectors);
  int rows = 0, same = 0, near = 0;
  for (size_t r = 0; r < n; r += testing::Emulated() ? 60 : 6, rows++) {
    const float* x = &rotated[r * width];
    int64_t exact = lists.id(0);
    for (size_t at = 1; at < lists.size(); at++) {
      if (nearness(lists.id(at), x) > nearness(exact, x)) exact = lists.id(at);
    }
    const int64_t found = lists.id(nearest[r]);
    same += found == exact;
    near += nearness(found, x) > nearness(exact, x) - 0.03;
  }
  CHECK(same > rows * 7 / 10);
  CHECK(near > rows * 9 / 10);
}

TEST_CASE("rows in a list of several kinds are found beside a list of one kind") {
  // The nearest centre is that of rows that are all the same; a nearer row is in a mixed list.
  const CodeSpace space(256, 5);
  const auto unit = [](float cosine, uint32_t axis) {
    std::vector<float> v(256);
    v[0] = cosine;
    v[axis] = std::sqrt(1 - cosine * cosine);
    return v;
  };
  Lists lists(space);
  std::vector<Block> blocks(2, Block(space));
  std::vector<float> x(256 * 100);
  for (const size_t list : {0, 1}) {
    std::vector<float> centre(256);
    for (size_t r = 0; r < 100; r++) {
      const bool is_near = r % 4 == 0;
      space.Rotate(
          (list == 0 ? unit(0.3f, 1) : unit(is_near ? 0.36f : 0.0f, is_near ? 2 : 3)).data(),
          &x[r * 256]);
      space.kernels().axpy(centre.data(), 0.01f, &x[r * 256], 256);
    }
    lists.Set(static_cast<int64_t>(list), 100, centre);
    for (size_t r = 0; r < 100; r++) {
      blocks[list].Add(static_cast<int64_t>(r), MakeCode(space, &x[r * 256], centre.data()));
    }
  }
  const std::vector<float> query = unit(1, 1);
  Search search(space, lists, query.data(), 20);
  CHECK(search.NextList() == 0);
  search.Scan(blocks[0], blocks[0]);
  CHECK(search.NextList() == 1);
}

TEST_CASE("a row whose estimate is sure does not shut out those whose estimates are not") {
  const CodeSpace space(256, 5);
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  const auto row = [&](float along, float across) {  // of length 1, with this product with axis 0
    std::vector<float> v(256);
    for (float& x : v) x = across * normal(random) / 16;
    v[0] = 0;
    v[1] += std::sqrt(1 - along * along - across * across);
    v[0] = along;
    return v;
  };
  const std::vector<float> query = [] {
    std::vector<float> v(256);
    v[0] = 1;
    return v;
  }();
  Lists lists(space);
  Block block(space);
  std::vector<float> x(256), centre(256);
  space.Rotate(row(0.2f, 0).data(), centre.data());
  lists.Set(0, 60, centre);
  TopHits exact(10);
  std::vector<double> similarities;
  for (int64_t r = 0; r < 60; r++) {  // first the sure ones, at the centre, then nearer ones
    const std::vector<float> v = r < 20 ? row(0.2f, 0) : row(0.21f + 0.001f * r, 0.9f);
    similarities.push_back(Dot(query.data(), v.data(), 256));
    exact.Add({r, similarities.back()});
    space.Rotate(v.data(), x.data());
    block.Add(r, MakeCode(space, x.data(), centre.data()));
  }
  Search search(space, lists, query.data(), 10);
  while (search.NextList()) search.Scan(block, block);
  while (const std::optional<int64_t> rowid = search.NextCandidate()) {
    search.Score(*rowid, similarities[static_cast<size_t>(*rowid)]);
  }
  CHECK(Recall(search.Hits(), exact.Take()) == 1);
}

TEST_CASE("six hundred are found where six hundred are asked for") {
  const uint32_t dimension = 32;
  const Index index(dimension, MakeVectors(dimension, 6000, 2));
  const std::vector<float> queries = MakeVectors(dimension, 3, 4);
  for (size_t q = 0; q < 3; q++) {
    for (const size_t k : {100, 600, 2000}) {
      CAPTURE(k);
      const std::vector<Hit> found = index.Find(&queries[q * dimension], k);
      CHECK(found.size() == k);
      CHECK(Recall(found, index.FindExactly(&queries[q * dimension], k, nullptr)) >= 0.97);
    }
  }
}

TEST_CASE("a set of rowids has those that were added, in any order, near and far") {
  Random random(5);
  for (const int64_t span :
       {int64_t{1}, int64_t{50}, int64_t{3000}, int64_t{1} << 20, int64_t{1} << 50}) {
    for (const int64_t from :
         {int64_t{0}, int64_t{-1000}, int64_t{12345}, INT64_MIN, INT64_MAX - span}) {
      for (const bool in_order : {true, false}) {
        CAPTURE(span);
        CAPTURE(from);
        std::vector<int64_t> rowids;
        for (int i = 0; i < 700; i++)
          rowids.push_back(from +
                           static_cast<int64_t>(random.Next() % static_cast<uint64_t>(span)));
        const std::set<int64_t> expected(rowids.begin(), rowids.end());
        if (in_order) std::sort(rowids.begin(), rowids.end());
        RowSetBuilder builder;
        for (const int64_t rowid : rowids) builder.Add(rowid);
        const RowSet set = builder.Finish();
        CHECK(set.size() == expected.size());
        CHECK(set.Rowids() == std::vector<int64_t>(expected.begin(), expected.end()));
        for (const int64_t rowid : rowids) CHECK(set.Contains(rowid));
        for (int i = 0; i < 700; i++) {
          const auto rowid = static_cast<int64_t>(random.Next());
          CHECK(set.Contains(rowid) == expected.contains(rowid));
          const int64_t near = rowids[static_cast<size_t>(i)] ^ 1;
          CHECK(set.Contains(near) == expected.contains(near));
        }
        CHECK(!set.Contains(INT64_MAX));
      }
    }
  }
  CHECK(RowSetBuilder().Finish().size() == 0);
  CHECK(!RowSetBuilder().Finish().Contains(0));
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
      const std::vector<Hit> found = index.Find(query, 10, {.allowed = &set});
      CHECK(found.size() == std::min<size_t>(10, rowids.size()));
      recall += Recall(found, index.FindExactly(query, 10, &set)) / 20;
    }
    CHECK(recall >= 0.98);
  }
}

TEST_CASE("a row that is deleted makes room for the last one") {
  const CodeSpace space(40, 3);
  const std::vector<float> vectors = MakeVectors(40, 150, 1);
  std::vector<float> x(space.width()), centre(space.width(), 0.01f);
  const auto add = [&](Block* block, size_t r) {
    space.Rotate(&vectors[r * 40], x.data());
    block->Add(static_cast<int64_t>(r), MakeCode(space, x.data(), centre.data()));
  };
  Block first(space), last(space), expected(space);
  for (size_t r = 0; r < 128; r++) add(&first, r);
  for (size_t r = 128; r < 150; r++) add(&last, r);
  CHECK(first.is_full());
  first.Replace(*first.Find(40), &last);
  for (size_t r = 0; r < 128; r++) add(&expected, r == 40 ? 149 : r);
  CHECK(first.Bytes() == expected.Bytes());
  CHECK(!first.Find(40));
  last.Replace(*last.Find(148), &last);  // the last row itself
  last.Replace(*last.Find(130), &last);
  expected = Block(space);
  for (size_t r = 128; r < 147; r++) add(&expected, r == 130 ? 147 : r);
  CHECK(last.Bytes() == expected.Bytes());
}

TEST_CASE("a block is the same after it was written and read, and a damaged one is an error") {
  const CodeSpace space(40, 3);
  Block block(space);
  const std::vector<float> vectors = MakeVectors(40, 100, 1);
  std::vector<float> x(space.width()), centre(space.width(), 0.01f);
  for (size_t r = 0; r < 100; r++) {
    space.Rotate(&vectors[r * 40], x.data());
    block.Add(static_cast<int64_t>(r) - 50, MakeCode(space, x.data(), centre.data()));
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
