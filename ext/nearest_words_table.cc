// s2v_nearest_words(text [, k [, model]]): the words nearest to a text, the nearest first.
// s2v_analogy(a, b, c [, k [, model]]): a is to b as c is to what? The words nearest to b - a + c.
//
//   SELECT word, similarity, token FROM s2v_nearest_words('interest rate', 10);   -- payments, 0.71, payment
//   SELECT word FROM s2v_analogy('cat', 'kitten', 'dog', 5);
//
// word is the commonest whole word of the texts that is this one to the model, token is what the
// model, and s2v_words, call it. A text may also be a vector (BLOB), of the model's dimension or
// empty. The words of the texts themselves are left out by s2v_analogy only.
//
// All words are compared each time. What is kept is a number for each; words are read again as
// rows are asked for, so LIMIT saves their reading and sorting. ORDER BY similarity DESC sorts
// nothing; of equally near words the more frequent comes first.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ext/functions.h"
#include "ext/statement_models.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

// A text's embedding, or a vector itself; empty where it has no direction.
std::vector<float> Direction(sqlite3_value* value, const char* name, OpenModel* model) {
  if (sqlite3_value_type(value) != SQLITE_BLOB) {
    const std::vector<float>* embedding = model->Embed(TextArgument(value, name));
    return embedding == nullptr ? std::vector<float>() : *embedding;
  }
  std::vector<float> vector = FiniteVectorArgument(value, name);
  if (vector.empty()) return vector;
  const uint32_t dimension = model->info.shape.dimension;
  if (vector.size() != dimension) {
    throw InvalidArgument(std::string(name) + " has " + std::to_string(vector.size()) +
                          " dimensions, the model '" + model->info.name + "' " +
                          std::to_string(dimension) + Float64Hint(vector.size(), dimension));
  }
  if (!Normalize(vector.data(), dimension)) vector.clear();
  return vector;
}

// What is added up for the query: arguments that come first.
struct Term {
  const char* name;
  float sign;
};
template <size_t kTerms>
constexpr Term kQuery[kTerms] = {{"text", 1}};
template <>
constexpr Term kQuery<3>[3] = {{"a", -1}, {"b", 1}, {"c", 1}};

template <size_t kTerms>
class NearestRows : public ModelRows {
 public:
  enum ColumnOfNearest { kWord, kSimilarity, kToken };
  using ModelRows::ModelRows;

  void Begin() override {
    heap_.clear();
    left_ = CountArgument(arguments[kTerms]);  // checked even if a text is NULL
    // k in the place of the last word.
    if (kTerms == 3 && IsNull(arguments[kTerms]) &&
        sqlite3_value_type(arguments[2]) == SQLITE_INTEGER) {
      throw InvalidArgument(
          "c is an integer; a text is expected, and k behind it: s2v_analogy(a, b, c, k)");
    }
    OpenModel* model = Open(kTerms, kTerms + 1);
    if (model == nullptr) return;
    std::vector<float> query(model->info.shape.dimension);
    std::set<std::string, std::less<>> left_out;
    Tokens tokens;
    bool known = true;
    for (size_t i = 0; i < kTerms; i++) {
      const auto& [name, sign] = kQuery<kTerms>[i];
      const std::vector<float> direction = Direction(arguments[i], name, model);
      known = known && !direction.empty();
      if (!known) continue;  // the remaining arguments are checked all the same
      simd::BestKernels().axpy(query.data(), sign, direction.data(), query.size());
      if (kTerms == 1 || sqlite3_value_type(arguments[i]) == SQLITE_BLOB) continue;
      model->info.shape.tokenizer->Tokenize(TextArgument(arguments[i], name), &tokens);
      for (size_t t = 0; t < tokens.size(); t++) left_out.emplace(tokens[t]);
    }
    if (known) Compare(model->info, query, left_out);
  }

  bool Next() override {
    if (left_ == 0 || heap_.empty()) return false;
    left_--;
    std::pop_heap(heap_.begin(), heap_.end());
    const ModelInfo& info = Model().info;
    scan_->Seek(heap_.back().id);
    StoredFeature word;
    scan_->Next(&word);  // throws where the row is not there
    token_ = word.word;
    word_ = WholeWord(info, word, &tokens_);
    similarity_ = heap_.back().similarity;
    heap_.pop_back();
    return true;
  }

  void Column(int column, sqlite3_context* context) override {
    if (column == kWord) return Result(context, word_);
    if (column == kToken) return Result(context, token_);
    Result(context, similarity_);
  }

 private:
  struct Scored {
    double similarity;
    uint32_t id;
    // The heap's top is the nearest, then the most frequent.
    bool operator<(const Scored& other) const {
      return similarity != other.similarity ? similarity < other.similarity : id > other.id;
    }
  };

  // Compares all words but those left out. The statements that it steps see an interrupt.
  void Compare(const ModelInfo& info, const std::vector<float>& query,
               const std::set<std::string, std::less<>>& left_out) {
    const simd::Kernels& k = simd::BestKernels();
    double sums[2];  // query.word, word.word
    k.dot_and_norm(sums, query.data(), query.data(), query.size());
    const double length = std::sqrt(sums[1]);
    if (left_ == 0 || !(length > 0)) return;
    scan_.emplace(db(), info);
    for (StoredFeature word; scan_->Next(&word);) {
      if (left_out.contains(word.word)) continue;
      k.dot_and_norm(sums, query.data(), word.vector, query.size());
      if (!(sums[1] > 0) || !std::isfinite(sums[1])) continue;  // no direction
      const double cosine = sums[0] / (length * std::sqrt(sums[1]));
      heap_.push_back({std::clamp(cosine, -1.0, 1.0), word.index});
    }
    std::make_heap(heap_.begin(), heap_.end());
  }

  std::optional<FeatureScan> scan_;
  std::vector<Scored> heap_;
  uint64_t left_ = 0;  // rows
  std::string word_, token_;
  Tokens tokens_;
  double similarity_ = 0;
};

}  // namespace

const TableFunction kNearestWordsTable = {
    .name = "s2v_nearest_words",
    .columns = "word TEXT, similarity REAL, token TEXT",
    .arguments = {"text", "k", "model"},
    .required = 1,
    .descending_column = NearestRows<1>::kSimilarity,
    .cost = 1e5,
    .rows = MakeRows<NearestRows<1>>,
};

const TableFunction kAnalogyTable = {
    .name = "s2v_analogy",
    .columns = "word TEXT, similarity REAL, token TEXT",
    .arguments = {"a", "b", "c", "k", "model"},
    .required = 3,
    .descending_column = NearestRows<3>::kSimilarity,
    .cost = 1e5,
    .rows = MakeRows<NearestRows<3>>,
};

}  // namespace s2v
