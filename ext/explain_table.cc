// s2v_explain(a, b [, model]): why two texts are near: pairs of their features, and the share that
// each pair has of the cosine.
//
//   SELECT feature_a, feature_b, share FROM s2v_explain('a small boat', 'a little ship')
//   ORDER BY share DESC LIMIT 5;
//
// feature_a, feature_b  a known word, or the words of a known n-gram, of a and of b
// similarity            cosine of the two features; NULL where one has no direction
// share                 what the pair adds to s2v_cosine(s2v_embed(a), s2v_embed(b)): the shares of
//                       all rows add up to it. May be negative. (To 1e-6; of a text of megabytes
//                       s2v_embed sums in float what is summed in double here: to 1e-2.)
//
// Weights and removed components are in it. A feature that occurs several times in its text has one
// row for each feature of the other text. No rows where a text is NULL or has no embedding.
//
// The features of both texts are kept, 4 * dimension bytes each; rows are computed as they are
// asked for.
#include <algorithm>
#include <cmath>

#include "core/embed/text_features.h"
#include "ext/arguments.h"
#include "ext/cursor_model.h"
#include "ext/functions.h"
#include "ext/results.h"

namespace s2v {
namespace {

enum ColumnOfPairs { kFeatureA, kFeatureB, kSimilarity, kShare };
enum Argument { kA, kB, kModel };
constexpr TableArgument kArguments[] = {{"a", true}, {"b", true}, {"model", false}};

class ExplainRows : public TableRows {
 public:
  explicit ExplainRows(const SharedConnection& connection) : model_(connection) {}

  void Begin(const TableArguments& arguments) override {
    pair_ = 0;
    a_ = b_ = {};
    const std::string_view name = ModelArgument(arguments[kModel]);
    if (arguments.IsAbsent(kA) || arguments.IsAbsent(kB)) return;
    const std::string_view a = TextArgument(arguments[kA], "a");
    const std::string_view b = TextArgument(arguments[kB], "b");
    ModelReader& reader = model_.Open(name).reader;
    dimension_ = reader.info().shape.dimension;
    a_ = PartsOf(a, reader.info().shape, &reader);
    b_ = PartsOf(b, reader.info().shape, &reader);
  }

  bool Next() override { return pair_++ < a_.names.size() * b_.names.size(); }

  void Column(int column, sqlite3_context* context) override {
    const size_t i = (pair_ - 1) / b_.names.size(), j = (pair_ - 1) % b_.names.size();
    if (column == kFeatureA) return ResultText(context, a_.names[i]);
    if (column == kFeatureB) return ResultText(context, b_.names[j]);
    double sums[3];  // a.b, a.a, b.b
    simd::BestKernels().cosine_sums(sums, &a_.vectors[i * dimension_], &b_.vectors[j * dimension_],
                                    dimension_);
    if (column == kShare) return sqlite3_result_double(context, sums[0]);
    if (!(sums[1] > 0) || !(sums[2] > 0)) return;
    sqlite3_result_double(
        context, std::clamp(sums[0] / (std::sqrt(sums[1]) * std::sqrt(sums[2])), -1.0, 1.0));
  }

 private:
  CursorModel model_;
  uint32_t dimension_ = 0;
  EmbeddingParts a_, b_;
  size_t pair_ = 0;  // the row's number, from 1
};

}  // namespace

const TableFunction kExplainTable = {
    .name = "s2v_explain",
    .columns = "feature_a TEXT, feature_b TEXT, similarity REAL, share REAL",
    .column_count = 4,
    .arguments = kArguments,
    .cost = 1000,
    .expected_rows = 400,
    .rows = MakeRows<ExplainRows>,
};

}  // namespace s2v
