// The table-valued function s2v_models: a row for each model that this connection sees.
//
//   SELECT name, dim, words FROM s2v_models;
//
// No arguments. All rows are read when a scan begins; there are few. A model that cannot be read
// (damaged, or made by a newer version) has its name, schema and is_default, the reason in error,
// and NULL in the other columns.
#include "ext/functions.h"
#include "ext/results.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

enum ColumnOfModels {
  kName,
  kDim,
  kWords,
  kNgrams,
  kTokens,
  kParameters,
  kCreated,
  kHash,
  kIsDefault,
  kSchema,
  kCorpus,
  kLosses,
  kLibrary,
  kChoices,
  kElement,
  kError
};

class ModelsRows : public TableRows {
 public:
  explicit ModelsRows(const SharedConnection& connection) : connection_(connection) {}

  void Begin(const TableArguments&) override {
    models_ = ListModels(connection_->db);
    next_ = 0;
  }
  bool Next() override { return next_++ < models_.size(); }

  void Column(int column, sqlite3_context* context) override {
    const ModelInfo& model = models_[next_ - 1];
    switch (column) {
      case kName:
        return ResultText(context, model.name);
      case kIsDefault:
        return sqlite3_result_int(context, model.is_default);
      case kSchema:
        return ResultText(context, model.schema);
      case kError:
        if (!model.error.empty()) ResultText(context, model.error);
        return;
      default:
        if (model.error.empty()) ReadableColumn(column, model, context);
    }
  }

 private:
  static void ReadableColumn(int column, const ModelInfo& model, sqlite3_context* context) {
    switch (column) {
      case kDim:
        return sqlite3_result_int64(context, model.shape.dimension);
      case kWords:
        return sqlite3_result_int64(context, model.words);
      case kNgrams:
        return sqlite3_result_int64(context, model.ngrams);
      case kTokens:
        return sqlite3_result_int64(context, model.tokens);
      case kParameters:
        return ResultText(context, model.parameters);
      case kCreated:
        return ResultText(context, model.created);
      case kHash:
        return ResultText(context, model.hash);
      case kCorpus:
        return ResultText(context, model.corpus);
      case kLosses:
        return ResultText(context, model.losses);
      case kLibrary:
        return ResultText(context, model.library);
      case kChoices:
        return ResultText(context, model.choices);
      case kElement:
        return ResultText(context, ElementName(model.element));
    }
  }

  SharedConnection connection_;
  std::vector<ModelInfo> models_;
  size_t next_ = 0;
};

}  // namespace

const TableFunction kModelsTable = {
    .name = "s2v_models",
    .columns =
        "name TEXT, dim INTEGER, words INTEGER, ngrams INTEGER, tokens INTEGER, "
        "parameters TEXT, created TEXT, hash TEXT, is_default INTEGER, schema TEXT, "
        "corpus TEXT, losses TEXT, library TEXT, choices TEXT, element TEXT, error TEXT",
    .column_count = 16,
    .rows = MakeRows<ModelsRows>,
};

}  // namespace s2v
