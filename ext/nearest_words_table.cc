// s2v_nearest_words(text [, k [, model]]): the words nearest to a text, the nearest first.
// s2v_analogy(a, b, c [, k [, model]]): a is to b as c is to what? The words nearest to b - a + c.
//
//   SELECT word, similarity FROM s2v_nearest_words('interest rate', 10);
//   SELECT word FROM s2v_analogy('cat', 'kitten', 'dog', 5);
//
// A text may also be a vector (BLOB), of the model's dimension or empty. The words of the texts themselves are
// left out by s2v_analogy only.
//
// All words are compared each time. What is kept is a number for each; words are read again as
// rows are asked for, so LIMIT saves their reading and sorting. ORDER BY similarity DESC sorts
// nothing; of equally near words the more frequent comes first.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ext/functions.h"
#include "ext/statement_models.h"

namespace s2v {
namespace {

constexpr TableArgument kNearestArguments[] = {{"text", true}, {"k", false}, {"model", false}};
constexpr TableArgument kAnalogyArguments[] = {
    {"a", true}, {"b", true}, {"c", true}, {"k", false}, {"model", false}};

// A text's embedding, or a vector itself; nothing where it has no direction.
std::optional<std::vector<float>> Direction(sqlite3_value* value, const char* name,
                                            OpenModel* model) {
  if (sqlite3_value_type(value) != SQLITE_BLOB) {
    const std::vector<float>* embedding = model->EmbedUnit(TextArgument(value, name));
    if (embedding == nullptr) return std::nullopt;
    return *embedding;
  }
  const std::string_view bytes = VectorArgument(value, name);
  if (bytes.empty()) return std::nullopt;
  const uint32_t dimension = model->reader.info().shape.dimension;
  if (bytes.size() != dimension * sizeof(float)) {
    throw InvalidArgument(
        std::string(name) + " has " + std::to_string(bytes.size() / sizeof(float)) +
        " dimensions, the model '" + model->reader.info().name + "' " + std::to_string(dimension) +
        Float64Hint(bytes.size() / sizeof(float), dimension));
  }
  std::vector<float> vector(dimension);
  std::memcpy(vector.data(), bytes.data(), bytes.size());
  for (const float element : vector) {
    if (!std::isfinite(element)) ThrowNotFinite(name);
  }
  if (!Normalize(vector.data(), dimension, simd::BestKernels())) return std::nullopt;
  return vector;
}

class NearestRows : public TableRows {
 public:
  enum ColumnOfNearest { kWord, kSimilarity };
  explicit NearestRows(const SharedConnection& connection) : model_(connection) {}

  bool Next() override {
    if (left_ == 0 || heap_.empty()) return false;
    left_--;
    std::pop_heap(heap_.begin(), heap_.end());
    model_.Current();
    scan_->Seek(heap_.back().id);
    StoredFeature word;
    scan_->Next(&word);  // it is there, or damaged
    word_ = word.word;
    similarity_ = heap_.back().similarity;
    heap_.pop_back();
    return true;
  }

  void Column(int column, sqlite3_context* context) override {
    if (column == kWord) return ResultText(context, word_);
    sqlite3_result_double(context, similarity_);
  }

 protected:
  // Checks k, and model though texts are NULL. nullptr where there are no rows.
  OpenModel* BeginModel(const TableArguments& arguments, size_t texts) {
    heap_.clear();
    left_ = CountArgument(arguments[texts]);
    const std::string_view name = ModelArgument(arguments[texts + 1]);
    for (size_t i = 0; i < texts; i++) {
      if (arguments.IsAbsent(i)) return nullptr;
    }
    return &model_.Open(name);
  }

  // Compares all words but those left out. The statements that it steps see an interrupt.
  void Compare(OpenModel* model, std::vector<float> query, const std::set<std::string>& left_out) {
    const ModelInfo& info = model->reader.info();
    const simd::Kernels& k = simd::BestKernels();
    double sums[2];  // query.word, word.word
    k.dot_and_norm(sums, query.data(), query.data(), query.size());
    const double length = std::sqrt(sums[1]);
    if (left_ == 0 || !(length > 0)) return;
    scan_.emplace(model_.db(), info);
    for (StoredFeature word; scan_->Next(&word);) {
      if (!left_out.empty() && left_out.contains(std::string(word.word))) continue;
      k.dot_and_norm(sums, query.data(), word.vector, query.size());
      if (!(sums[1] > 0) || !std::isfinite(sums[1])) continue;  // no direction
      const double cosine = sums[0] / (length * std::sqrt(sums[1]));
      heap_.push_back({std::clamp(cosine, -1.0, 1.0), word.index});
    }
    std::make_heap(heap_.begin(), heap_.end());
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

  CursorModel model_;
  std::optional<FeatureScan> scan_;
  std::vector<Scored> heap_;
  uint64_t left_ = 0;  // rows
  std::string word_;
  double similarity_ = 0;
};

class NearestWordsRows : public NearestRows {
 public:
  using NearestRows::NearestRows;
  void Begin(const TableArguments& arguments) override {
    OpenModel* model = BeginModel(arguments, 1);
    if (model == nullptr) return;
    std::optional<std::vector<float>> query = Direction(arguments[0], "text", model);
    if (query) Compare(model, std::move(*query), {});
  }
};

class AnalogyRows : public NearestRows {
 public:
  using NearestRows::NearestRows;
  void Begin(const TableArguments& arguments) override {
    OpenModel* model = BeginModel(arguments, 3);
    if (model == nullptr) return;
    const ModelInfo& info = model->reader.info();
    std::vector<float> query(info.shape.dimension);
    std::set<std::string> given;
    Tokens tokens;
    constexpr float kSigns[] = {-1, 1, 1};
    bool known = true;
    for (size_t i = 0; i < 3; i++) {
      const auto direction = Direction(arguments[i], kAnalogyArguments[i].name, model);
      known = known && direction;
      if (!known) continue;  // the others are checked though
      simd::BestKernels().axpy(query.data(), kSigns[i], direction->data(), query.size());
      if (sqlite3_value_type(arguments[i]) == SQLITE_BLOB) continue;
      info.shape.tokenizer->Tokenize(TextArgument(arguments[i], kAnalogyArguments[i].name),
                                     &tokens);
      for (size_t t = 0; t < tokens.size(); t++) given.emplace(tokens[t]);
    }
    if (known) Compare(model, std::move(query), given);
  }
};

constexpr TableFunction WordsByNearness(const char* name, std::span<const TableArgument> arguments,
                                        decltype(TableFunction::rows) rows) {
  return {.name = name,
          .columns = "word TEXT, similarity REAL",
          .arguments = arguments,
          .descending_column = NearestRows::kSimilarity,
          .cost = 1e5,
          .expected_rows = 10,
          .rows = rows};
}

}  // namespace

const TableFunction kNearestWordsTable =
    WordsByNearness("s2v_nearest_words", kNearestArguments, MakeRows<NearestWordsRows>);
const TableFunction kAnalogyTable =
    WordsByNearness("s2v_analogy", kAnalogyArguments, MakeRows<AnalogyRows>);

}  // namespace s2v
