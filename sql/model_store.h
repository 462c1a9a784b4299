// The models of a database: their names, what is known of each, and dropping them. The stored form
// is specified at the head of sql/schema.sql.
//
//   for (const ModelInfo& info : ListModels(db)) ...
//   OpenStoredModel(db, ParseModelName("aux.news"), &files)      // the name "" is the default model's
//
// A schema-qualified name finds a model in that attached database; a bare name is looked for in
// main, temp and then the attached ones, in their order, and so is the default model.
//
// Thread rule: as the connection's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/embed/embedder.h"
#include "core/model/element.h"
#include "sql/real_table.h"
#include "sql/statement.h"

namespace s2v {

struct ModelName {
  std::string schema;  // "" where none was given
  std::string name;    // "" for the default model
  // As ParseModelName takes it, without main.
  std::string Text() const;
};
// 'aux.news' -> {aux, news}, 'news' -> {"", news}. Throws InvalidArgument for what no model can be
// called.
ModelName ParseModelName(std::string_view text);

struct ModelInfo {
  std::string schema;
  int64_t id = 0;
  std::string name;
  bool is_default = false;
  EmbeddingShape shape;
  Element element = Element::kFloat32;
  int64_t words = 0, ngrams = 0, targets = 0;
  int64_t tokens = 0, texts = 0, sentences = 0;
  bool has_forms = false;   // of version 4
  bool has_bursts = false;  // of version 6
  std::string tokenizer, corpus, parameters, choices, losses, library, created, hash;
  // In ListModels: why it cannot be read; then only schema, id, name and is_default are set; only
  // schema where no model of the schema can be read.
  std::string error;
};

// Why the model should be trained anew, where it was trained from much fewer texts than there are
// now; else "".
std::string OutgrownModel(const ModelInfo& info, uint64_t texts_now);
// may_read: the schema, where this connection knows of none. Not in a transaction that is to write:
// once it has read, SQLite does not wait for the write lock.
bool HasModels(sqlite3* db, const std::string& schema, bool may_read = true);
// Whether there is a model of this name, in any database where it says none.
bool IsModelThere(sqlite3* db, const ModelName& name);
// The name of the schema's model with this hash; "" where there is none.
std::string NameOfModel(sqlite3* db, const std::string& schema, const std::string& hash);
// A model, and what holds the read transaction while it lives: so it cannot be replaced meanwhile.
struct OpenedModel {
  ModelInfo info;
  Statement row;               // stepped to the model's row
  OpenFiles::Reading reading;  // of its file
};
// Throws InvalidArgument where there is no such model (and says which there are), FormatError.
OpenedModel OpenStoredModel(sqlite3* db, const ModelName& name, OpenFiles* files);
// Schema by schema, by name; those that cannot be read too.
std::vector<ModelInfo> ListModels(sqlite3* db);

// Deletes every row of a model, published or not.
void DeleteModelRows(sqlite3* db, const std::string& schema, int64_t id);
// Deletes a model and an unfinished training of its name, or the one of them that there is. If one
// model is left, it becomes the default. Throws InvalidArgument where there is neither.
void DropModel(sqlite3* db, const ModelName& name);

}  // namespace s2v
