// s2v_tokens(text [, model]): what the tokenizer and the model make of a text. A row for each token
// in its place, followed by the n-grams of known words that end with it.
//
//   SELECT token, word, known, weight FROM s2v_tokens('Rate cuts hit lenders.');   -- token rate, word rates
//
// s2v_explain(a, b [, model]): why two texts are near: pairs of their features, and what each pair
// adds to s2v_cosine(s2v_embed(a), s2v_embed(b)), to 1e-6; of a text of megabytes s2v_embed sums in
// float what is summed in double here: to 1e-2.
//
//   SELECT feature_a, feature_b, share FROM s2v_explain('a small boat', 'a little ship')
//   ORDER BY share DESC LIMIT 5;
//
// The features of both texts are kept, 4 * dimension bytes each; rows are computed as they are
// asked for.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/embed/text_features.h"
#include "ext/functions.h"
#include "ext/statement_models.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

class TokensRows : public ModelRows {
  enum ColumnOfTokens { kToken, kN, kPosition, kKnown, kCount, kNorm, kWeight, kWord };

 public:
  using ModelRows::ModelRows;

  void Begin() override {
    features_.reset();
    OpenModel* model = Open(1, 1);
    if (model == nullptr) return;
    features_.emplace(model->info.shape, &model->reader);
    features_->Begin(TextArgument(arguments[0], "text"));
  }

  bool Next() override {
    if (!features_) return false;
    Model();
    return features_->Next();
  }

  void Column(int column, sqlite3_context* context) override {
    const TextFeature& feature = features_->at();
    const bool known = feature.row != nullptr;
    if (column == kToken) return Result(context, features_->Name());
    if (column == kWord) return Result(context, features_->WholeWords());
    if (column == kN) return Result(context, feature.n);
    if (column == kPosition) return Result(context, feature.position + 1);
    if (column == kKnown) return Result(context, known);
    if (column == kWeight && feature.weight > 0) {
      return Result(context, static_cast<double>(feature.weight));
    }
    if (column == kCount && known) return Result(context, Count(feature));
    if (column != kNorm || !known) return;
    double sums[2];
    simd::BestKernels().dot_and_norm(sums, feature.row, feature.row, Model().info.shape.dimension);
    Result(context, std::sqrt(sums[1]));
  }

 private:
  int64_t Count(const TextFeature& feature) {
    ModelReader& reader = Model().reader;
    return feature.n == 1 ? reader.LoadWord({features_->Name(), feature.key}).count
                          : reader.LoadNgram(feature.key).count;
  }

  std::optional<TextFeatures> features_;  // of a text that is not NULL, by the model's reader
};

class ExplainRows : public ModelRows {
  enum ColumnOfPairs { kFeatureA, kFeatureB, kSimilarityOfPair, kShare };

 public:
  using ModelRows::ModelRows;

  void Begin() override {
    pair_ = 0;
    a_ = b_ = {};
    OpenModel* model = Open(2, 2);
    if (model == nullptr) return;
    dimension_ = model->info.shape.dimension;
    a_ = PartsOf(TextArgument(arguments[0], "a"), model->info.shape, &model->reader);
    b_ = PartsOf(TextArgument(arguments[1], "b"), model->info.shape, &model->reader);
  }

  bool Next() override { return pair_++ < a_.names.size() * b_.names.size(); }

  void Column(int column, sqlite3_context* context) override {
    const size_t i = (pair_ - 1) / b_.names.size(), j = (pair_ - 1) % b_.names.size();
    if (column == kFeatureA) return Result(context, a_.names[i]);
    if (column == kFeatureB) return Result(context, b_.names[j]);
    const float *a = &a_.vectors[i * dimension_], *b = &b_.vectors[j * dimension_];
    double to_a[2], to_b[2];  // a.b and the square
    simd::BestKernels().dot_and_norm(to_a, b, a, dimension_);
    simd::BestKernels().dot_and_norm(to_b, a, b, dimension_);
    if (column == kShare) return Result(context, to_a[0]);
    if (!(to_a[1] > 0) || !(to_b[1] > 0)) return;
    Result(context, std::clamp(to_a[0] / (std::sqrt(to_a[1]) * std::sqrt(to_b[1])), -1.0, 1.0));
  }

 private:
  uint32_t dimension_ = 0;
  EmbeddingParts a_, b_;
  size_t pair_ = 0;  // the row's number, from 1
};

}  // namespace

const TableFunction kTokensTable = {
    .name = "s2v_tokens",
    .columns =
        "token TEXT, n INTEGER, position INTEGER, known INTEGER, count INTEGER, norm REAL, "
        "weight REAL, word TEXT",
    .arguments = {"text", "model"},
    .required = 1,
    .expected_rows = 30,
    .rows = MakeRows<TokensRows>,
};

const TableFunction kExplainTable = {
    .name = "s2v_explain",
    .columns = "feature_a TEXT, feature_b TEXT, similarity REAL, share REAL",
    .arguments = {"a", "b", "model"},
    .required = 2,
    .cost = 1000,
    .expected_rows = 400,
    .rows = MakeRows<ExplainRows>,
};

}  // namespace s2v
