// Which model an index has, and what cuts its words.
//
//   CheckModel(index, &embedder);   // throws where its vectors are another model's
//
// Thread rule: as the connection's.
#pragma once

#include <string>

#include "sql/index_definition.h"
#include "sql/index_embedder.h"

namespace s2v {

// Chooses what cuts words if `tokenize` is automatic: the model's tokenizer; if that is of no
// language, or there is no model, one that fits the texts. REQUIRES: no row has words yet.
void ChooseTokenize(sqlite3* db, IndexDefinition* index, IndexEmbedder* embedder);
// Throws InvalidArgument where the index was made by another model than the one that now has its
// name: the two have nothing to do with each other. embedder: of the index.
void CheckModel(const IndexDefinition& index, IndexEmbedder* embedder);
// Of an index of vectors, the same for the model that embeds a question's text, as far as it is
// known whose vectors they are.
void CheckReader(sqlite3* db, const IndexDefinition& index, const ModelInfo& info);
// Of the model that makes the index's vectors. Of an index of vectors, of the one that embeds
// texts, if these have its vectors' dimension: they are taken to be its. "" where there is none.
std::string HashOfModel(const IndexDefinition& index, IndexEmbedder* embedder);
// Of an index that awaits a model: why it does not know what texts mean, and what to do.
std::string WhyWordsAlone(const IndexDefinition& index, IndexEmbedder* embedder);

}  // namespace s2v
