#include "sql/index_summary.h"

#include "core/error.h"
#include "sql/index_embedder.h"
#include "sql/index_memory.h"
#include "sql/index_model.h"

namespace s2v {

uint64_t CountPending(sqlite3* db, const IndexDefinition& index) {
  return static_cast<uint64_t>(
      SelectInt(db, "SELECT count(DISTINCT row) FROM " + index.Object("log") + " WHERE id > ?1",
                index.taken));
}

IndexSummary SummarizeIndex(sqlite3* db, const std::string& schema, const std::string& name) {
  IndexMemory memory;
  IndexSummary summary;
  summary.index = OpenIndex(db, schema, name, &memory);
  const IndexDefinition& index = summary.index;
  const auto number = [&](const std::string& sql, const char* part) {
    return static_cast<uint64_t>(SelectInt(db, "SELECT " + sql + " FROM " + index.Object(part)));
  };
  summary.rows = number("count(*)", index.passages > 0 ? "part" : "entry");
  if (index.passages > 0) summary.parts = number("count(*)", "entry");
  summary.lists = number("count(*)", "list");
  summary.pending = CountPending(db, index);
  summary.vector_bytes = number("total(length(centre))", "list") +
                         number("total(length(codes))", "block") +
                         number("total(coalesce(length(vector), 0)) + 16 * count(*)", "entry");
  if (index.words) {
    summary.word_bytes =
        number("total(length(block))", "fts_data") + number("total(length(sz))", "fts_docsize") +
        number("total(length(terms))", "entry") + number("total(length(term) + 4)", "term");
  }
  try {
    IndexEmbedder embedder(db, index);
    CheckModel(index, &embedder);
    if (index.of_vectors && !index.model_hash.empty() && embedder.HasModel())
      CheckReader(db, index, embedder.Model().info());
    if (index.AwaitsModel()) {
      summary.problem = WhyWordsAlone(index, &embedder);
    } else if (!index.of_vectors) {
      // A row of nothing that is known is no text.
      summary.problem =
          OutgrownModel(embedder.Model().info(),
                        index.passages > 0 ? summary.rows : number("total(rows)", "list"));
    }
  } catch (const InvalidArgument& error) {
    summary.problem = error.what();
  }
  return summary;
}

}  // namespace s2v
