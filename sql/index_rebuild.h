// Makes an index anew from its table, with the model that there is.
//
//   RebuildIndex(db, index, &memory, progress);
//
// All write within the caller's transaction, which must be undone if they throw.
//
// Thread rule: as the connection's; a rebuild computes on threads of its own.
#pragma once

#include <string>

#include "sql/index_definition.h"
#include "sql/index_source.h"
#include "sql/index_store.h"

namespace s2v {

// Makes all of it anew from the table, of an index of a former version as this one has it. Without a model an empty table, and
// one whose index awaits a model, get words alone; others throw InvalidArgument.
void RebuildIndex(sqlite3* db, const IndexDefinition& index, IndexMemory* memory,
                  const IndexProgress& progress = {});

// Chooses what cuts words if `tokenize` is automatic: the model's tokenizer; if that is of no language, or there is no model,
// one that fits the texts. REQUIRES: no row has words yet.
void ChooseTokenize(sqlite3* db, IndexDefinition* index, IndexSource* source);
// Throws InvalidArgument where the index was made by another model than the one that now has its
// name: the two have nothing to do with each other. source: of the index.
void CheckModel(const IndexDefinition& index, IndexSource* source);
// Of an index of vectors, the same for the model that embeds a question's text, as far as it is known whose vectors they are.
void CheckReader(const IndexDefinition& index, const ModelInfo& info);
// Of the model that makes the index's vectors. Of an index of vectors, of the one that embeds texts, if these have its vectors' dimension:
// they are taken to be its. "" where there is none.
std::string HashOfModel(const IndexDefinition& index, IndexSource* source);
// Of an index that awaits a model: why it does not know what texts mean, and what to do.
std::string WhyWordsAlone(const IndexDefinition& index, IndexSource* source);

// Makes the indexes of the schema anew that awaited a model and have one now, and those whose model is the one with this hash by now,
// "" for none of these. Each in a savepoint of its own.
void RebuildStaleIndexes(sqlite3* db, const std::string& schema, const std::string& model_hash);

}  // namespace s2v
