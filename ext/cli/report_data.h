// What `s2v report` tells about the vectors of a stored model.
#ifndef S2V_EXT_CLI_REPORT_DATA_H_
#define S2V_EXT_CLI_REPORT_DATA_H_

#include <span>
#include <string>

#include "ext/cli/report_html.h"
#include "sql/model_store.h"

namespace s2v {

// Fills words, points, map, map_share and word_neighbours. Reads the model's words twice, holding a
// few hundred vectors at a time. REQUIRES: as ForEachWord.
void ReadWordVectors(sqlite3* db, const ModelInfo& info, const simd::Kernels& kernels,
                     ReportData* data);

// Five of the texts, evenly from their list, each with the texts nearest to it. Equal texts are
// one; those without a known word are passed over.
std::vector<Neighbours> NearestRows(std::span<const std::string> texts, Embedder* embedder,
                                    const simd::Kernels& kernels);

}  // namespace s2v

#endif  // S2V_EXT_CLI_REPORT_DATA_H_
