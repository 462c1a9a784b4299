// What `s2v report` tells about the vectors of a stored model, as JSON for report.html. Points are
// [word, x, y] in arrays, those that are not finite left out; neighbours are objects with text, label (a
// word's count, a row's rowid) and near: text, label and cosine, nearest first.
#ifndef S2V_EXT_CLI_REPORT_H_
#define S2V_EXT_CLI_REPORT_H_

#include <span>
#include <string>

#include "core/embed/embedder.h"
#include "sql/json.h"
#include "sql/model_store.h"
#include "sql/train_table.h"

namespace s2v {

// Adds words (their number), points (log10 of a word's frequency and its norm; a sample), map and map_share (of the
// variance that its two axes carry), and word_neighbours. Reads the model's words twice, holding a few hundred vectors at
// a time. REQUIRES: as ForEachWord.
void AddWords(sqlite3* db, const ModelInfo& info, const simd::Kernels& kernels, JsonObject* report);

// Neighbours of five of the texts, evenly from their list, among the texts. Equal texts are one; those
// without a known word are passed over. Reads the table once, for rowids.
std::string NearestRows(sqlite3* db, const CorpusOrigin& origin, std::span<const std::string> texts,
                        Embedder* embedder, const simd::Kernels& kernels);

}  // namespace s2v

#endif  // S2V_EXT_CLI_REPORT_H_
