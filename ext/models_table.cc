// The table-valued function s2v_models: a row for each model that this connection sees.
//
//   SELECT name, dim, words FROM s2v_models;
//
// Read-only, no arguments. All rows are read when a scan begins; there are few.
#include <cstdio>

#include "ext/functions.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

enum Column {
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
  kChoices
};
constexpr char kDeclaration[] =
    "CREATE TABLE x(name TEXT, dim INTEGER, words INTEGER, ngrams INTEGER, tokens INTEGER, "
    "parameters TEXT, created TEXT, hash TEXT, is_default INTEGER, schema TEXT, corpus TEXT, "
    "losses TEXT, library TEXT, choices TEXT)";

struct Table : sqlite3_vtab {
  sqlite3* db = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  std::vector<ModelInfo> models;
  size_t at = 0;
};

int Connect(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** table, char**) {
  const int code = sqlite3_declare_vtab(db, kDeclaration);
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  auto* created = new (std::nothrow) Table();
  if (created == nullptr) return SQLITE_NOMEM;
  created->db = db;
  *table = created;
  return SQLITE_OK;
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

int BestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
  info->estimatedCost = 100;
  info->estimatedRows = 10;
  return SQLITE_OK;
}

int Open(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  auto* created = new (std::nothrow) Cursor();
  if (created == nullptr) return SQLITE_NOMEM;
  *cursor = created;
  return SQLITE_OK;
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) {
  auto* cursor = static_cast<Cursor*>(base);
  return GuardedMethod(base->pVtab, "s2v_models", [&] {
    cursor->at = 0;
    cursor->models = ListModels(static_cast<Table*>(base->pVtab)->db);
  });
}

int Next(sqlite3_vtab_cursor* cursor) {
  static_cast<Cursor*>(cursor)->at++;
  return SQLITE_OK;
}

int Eof(sqlite3_vtab_cursor* base) {
  const auto* cursor = static_cast<Cursor*>(base);
  return cursor->at >= cursor->models.size();
}

void ResultText(sqlite3_context* context, const std::string& text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

int ColumnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto* cursor = static_cast<Cursor*>(base);
  const ModelInfo& model = cursor->models[cursor->at];
  switch (column) {
    case kName:
      ResultText(context, model.name);
      break;
    case kDim:
      sqlite3_result_int64(context, model.shape.dimension);
      break;
    case kWords:
      sqlite3_result_int64(context, model.words);
      break;
    case kNgrams:
      sqlite3_result_int64(context, model.ngrams);
      break;
    case kTokens:
      sqlite3_result_int64(context, model.tokens);
      break;
    case kParameters:
      ResultText(context, model.parameters);
      break;
    case kCreated:
      ResultText(context, model.created);
      break;
    case kHash:
      ResultText(context, model.hash);
      break;
    case kIsDefault:
      sqlite3_result_int(context, model.is_default);
      break;
    case kSchema:
      ResultText(context, model.schema);
      break;
    case kCorpus:
      ResultText(context, model.corpus);
      break;
    case kLosses:
      ResultText(context, model.losses);
      break;
    case kLibrary:
      ResultText(context, model.library);
      break;
    case kChoices:
      ResultText(context, model.choices);
      break;
    default:
      break;
  }
  return SQLITE_OK;
}

int Rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* rowid) {
  *rowid = static_cast<sqlite3_int64>(static_cast<Cursor*>(cursor)->at) + 1;
  return SQLITE_OK;
}

const sqlite3_module* Module() {
  static const sqlite3_module module = [] {
    sqlite3_module m{};
    m.xConnect = Connect;  // no xCreate: eponymous only
    m.xBestIndex = BestIndex;
    m.xDisconnect = Disconnect;
    m.xOpen = Open;
    m.xClose = Close;
    m.xFilter = Filter;
    m.xNext = Next;
    m.xEof = Eof;
    m.xColumn = ColumnValue;
    m.xRowid = Rowid;
    return m;
  }();
  return &module;
}

}  // namespace

int RegisterModelsTable(sqlite3* db) {
  return sqlite3_create_module_v2(db, "s2v_models", Module(), nullptr, nullptr);
}

}  // namespace s2v
