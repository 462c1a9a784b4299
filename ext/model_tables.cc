// s2v_models: a row for each model that this connection sees, all of them read when a scan begins.
// A model that cannot be read (damaged, or made by a newer version) has its name, schema and
// is_default, the reason in error, and NULL in the other columns; a schema whose table of models is
// none has one such row, named ''.
//
// s2v_words([model]): the words of a model, the most frequent first, read as they are asked for, so
// LIMIT stops early; ORDER BY count DESC sorts nothing; word = 'x' is a lookup.
//
//   SELECT name, dim, words FROM s2v_models;
//   SELECT norm FROM s2v_words('news') WHERE word = 'tax';
//   SELECT word, form FROM s2v_words('news');   -- compani, companies: the commonest whole word that this one stands for
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/vocab/hash.h"
#include "ext/functions.h"
#include "ext/statement_models.h"
#include "sql/corpus_origin.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

class ModelsRows : public TableRows {
 public:
  explicit ModelsRows(const SharedConnection& connection) : connection_(connection) {}

  void Begin() override {
    models_ = ListModels(connection_->db);
    next_ = 0;
  }
  bool Next() override { return next_++ < models_.size(); }

  void Column(int column, sqlite3_context* context) override {
    constexpr int kName = 0, kIsDefault = 8, kSchema = 9, kError = 15, kRowsNow = 17;
    const ModelInfo& m = models_[next_ - 1];
    const bool readable = m.error.empty();
    const bool is_known =
        column == kError ? !readable
                         : readable || column == kName || column == kIsDefault || column == kSchema;
    if (!is_known) return;
    // In the order of kModelsTable.
    const std::variant<int64_t, std::string_view> values[] = {m.name,
                                                              m.shape.dimension,
                                                              m.words,
                                                              m.ngrams,
                                                              m.tokens,
                                                              m.parameters,
                                                              m.created,
                                                              m.hash,
                                                              m.is_default,
                                                              m.schema,
                                                              m.corpus,
                                                              m.losses,
                                                              m.library,
                                                              m.choices,
                                                              ElementName(m.element),
                                                              m.error,
                                                              m.texts};
    static_assert(std::size(values) == kRowsNow);
    if (column == kRowsNow) return Result(context, CountCorpusRows(connection_->db, m));
    std::visit([&](auto value) { Result(context, value); }, values[column]);
  }

 private:
  SharedConnection connection_;
  std::vector<ModelInfo> models_;
  size_t next_ = 0;
};

class WordsRows : public ModelRows {
 public:
  enum ColumnOfWords { kWord, kCount, kNorm, kVector, kForm };
  using ModelRows::ModelRows;

  void Begin() override {
    const OpenModel* model = Open(0, 0);
    vector_.resize(model->info.shape.dimension);
    wanted_ = arguments.lookup();
    scan_.reset();
    if (wanted_ == nullptr) scan_.emplace(db(), model->info);
  }

  bool Next() override {
    ModelReader& reader = Model().reader;
    if (!scan_) return wanted_ != nullptr && Lookup(std::exchange(wanted_, nullptr), &reader);
    StoredFeature word;
    if (!scan_->Next(&word)) return false;
    word_ = word.word;
    form_ = word.form;
    index_ = word.index;
    count_ = word.count;
    vector_.assign(word.vector, word.vector + vector_.size());
    return true;
  }

  void Column(int column, sqlite3_context* context) override {
    if (column == kWord) return Result(context, word_);
    if (column == kForm) {
      const StoredFeature word{.index = index_, .word = word_, .form = form_};
      return Result(context, WholeWord(Model().info, word, &tokens_));
    }
    if (column == kCount) return Result(context, count_);
    if (column == kVector) return Result(context, vector_);
    double sums[2];
    simd::BestKernels().dot_and_norm(sums, vector_.data(), vector_.data(), vector_.size());
    Result(context, std::sqrt(sums[1]));
  }

 private:
  bool Lookup(sqlite3_value* wanted, ModelReader* reader) {
    // A word is a text, which is equal to no BLOB and not to NULL.
    if (IsNull(wanted) || sqlite3_value_type(wanted) == SQLITE_BLOB) return false;
    const std::string_view word = TextArgument(wanted, "word");
    const StoredFeature row = reader->LoadWord({word, HashWord(word)});
    if (row.row == nullptr) return false;
    word_ = word;
    form_ = row.form;
    index_ = row.index;
    count_ = row.count;
    DecodeRow(reader->element(), row.row, reader->info().shape.dimension, vector_.data());
    return true;
  }

  std::optional<FeatureScan> scan_;  // of all words
  sqlite3_value* wanted_ = nullptr;  // without a scan: a lookup that is still to be done
  uint32_t index_ = 0;
  std::string word_, form_;
  Tokens tokens_;
  int64_t count_ = 0;
  std::vector<float> vector_;  // [dimension]
};

}  // namespace

const TableFunction kModelsTable = {
    .name = "s2v_models",
    .columns =
        "name TEXT, dim INTEGER, words INTEGER, ngrams INTEGER, tokens INTEGER, "
        "parameters TEXT, created TEXT, hash TEXT, is_default INTEGER, schema TEXT, "
        "corpus TEXT, losses TEXT, library TEXT, choices TEXT, element TEXT, error TEXT, texts INTEGER, rows_now INTEGER",
    .rows = MakeRows<ModelsRows>,
};

const TableFunction kWordsTable = {
    .name = "s2v_words",
    .columns = "word TEXT, count INTEGER, norm REAL, vector BLOB, form TEXT",
    .arguments = {"model"},
    .lookup_column = WordsRows::kWord,
    .cost = 1e5,
    .expected_rows = 1e5,
    .rows = MakeRows<WordsRows>,
};

}  // namespace s2v
