// Which rows of an evaluation were trained on: a figure on such rows says little.
#ifndef S2V_EXT_CLI_OVERLAP_H_
#define S2V_EXT_CLI_OVERLAP_H_

#include <optional>
#include <span>

#include "ext/cli/eval_files.h"
#include "ext/cli/progress.h"
#include "sql/train_table.h"

namespace s2v {

struct Overlap {
  std::string table;           // "docs.body"
  std::string problem;         // why it could not be checked, "" where it was
  std::vector<uint64_t> rows;  // [files] with a sentence that is a text of the table, white space
                               // around both apart; empty where it could not be checked

  std::optional<uint64_t> Rows(size_t file) const {
    return rows.empty() ? std::nullopt : std::optional<uint64_t>(rows[file]);
  }
};

// Without white space (of ASCII) around it.
std::string_view Trimmed(std::string_view text);
// Reads the table once.
Overlap FindOverlap(sqlite3* db, const CorpusOrigin& origin, std::span<const EvalFile> files,
                    StatusLine* status);
// A sentence for people.
std::string OverlapText(const Overlap& overlap, std::span<const EvalFile> files);

}  // namespace s2v

#endif  // S2V_EXT_CLI_OVERLAP_H_
