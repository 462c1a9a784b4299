// s2v_tokens(text [, model]): what the tokenizer and the model make of a text.
//
//   SELECT token, known, weight FROM s2v_tokens('Rate cuts hit lenders.');
//
// A row for each token in its place, followed by the n-grams of known words that end with it, up to
// the model's ngram_order.
// token     the token, or the n-gram's tokens with spaces between them
// n         1 for a token, 2 for a pair, ...
// position  of its first token, from 1
// known     1: it counts in the embedding; 0: the model has no row for it
// count     in the training text (of an n-gram: of its hash bucket); NULL where it is not known
// norm      length of its vector as it was trained; NULL where it is not known
// weight    in the sum that s2v_embed scales; NULL where it is not known
//
// No rows for NULL and for a text without a token.
#include <cmath>
#include <optional>

#include "core/embed/text_features.h"
#include "ext/arguments.h"
#include "ext/cursor_model.h"
#include "ext/functions.h"
#include "ext/results.h"

namespace s2v {
namespace {

enum ColumnOfTokens { kToken, kN, kPosition, kKnown, kCount, kNorm, kWeight };
enum Argument { kText, kModel };
constexpr TableArgument kArguments[] = {{"text", true}, {"model", false}};

class TokensRows : public TableRows {
 public:
  explicit TokensRows(const SharedConnection& connection) : model_(connection) {}

  void Begin(const TableArguments& arguments) override {
    const std::string_view name = ModelArgument(arguments[kModel]);
    features_.reset();
    if (arguments.IsAbsent(kText)) return;
    const std::string_view text = TextArgument(arguments[kText], "text");
    ModelReader& reader = model_.Open(name).reader;
    features_.emplace(reader.info().shape, &reader);
    features_->Begin(text);
  }

  bool Next() override {
    if (!features_) return false;
    model_.Current();
    return features_->Next();
  }

  void Column(int column, sqlite3_context* context) override {
    const TextFeature& feature = features_->at();
    switch (column) {
      case kToken:
        return ResultText(context, features_->Name());
      case kN:
        return sqlite3_result_int64(context, static_cast<sqlite3_int64>(feature.n));
      case kPosition:
        return sqlite3_result_int64(context, static_cast<sqlite3_int64>(feature.position) + 1);
      case kKnown:
        return sqlite3_result_int(context, feature.row != nullptr);
      case kWeight:
        if (feature.weight > 0) sqlite3_result_double(context, static_cast<double>(feature.weight));
        return;
      default:
        if (feature.row != nullptr) KnownColumn(column, feature, context);
    }
  }

 private:
  void KnownColumn(int column, const TextFeature& feature, sqlite3_context* context) {
    ModelReader& reader = model_.Current().reader;
    switch (column) {
      case kCount:
        return sqlite3_result_int64(
            context, feature.n == 1 ? reader.LoadWord({features_->Name(), feature.key}).count
                                    : reader.LoadNgram(feature.key).count);
      case kNorm: {
        double sums[2];
        simd::BestKernels().dot_and_norm(sums, feature.row, feature.row,
                                         reader.info().shape.dimension);
        return sqlite3_result_double(context, std::sqrt(sums[1]));
      }
    }
  }

  CursorModel model_;
  std::optional<TextFeatures> features_;  // of a text that is not NULL, by model_'s reader
};

}  // namespace

const TableFunction kTokensTable = {
    .name = "s2v_tokens",
    .columns =
        "token TEXT, n INTEGER, position INTEGER, known INTEGER, count INTEGER, norm REAL, "
        "weight REAL",
    .column_count = 7,
    .arguments = kArguments,
    .cost = 100,
    .expected_rows = 30,
    .rows = MakeRows<TokensRows>,
};

}  // namespace s2v
