// The files of an evaluation, and which of their rows were trained on. Files are UTF-8, a row a line,
// columns with a tab between them, no header, no
// quotes.
//
//   score<TAB>sentence<TAB>sentence     label<TAB>sentence     query id<TAB>row id<TAB>grade
#ifndef S2V_EXT_CLI_EVAL_FILES_H_
#define S2V_EXT_CLI_EVAL_FILES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ext/cli/progress.h"
#include "sql/train_table.h"

namespace s2v {

struct EvalFile {
  std::string path;
  std::string name;                // of the table's column: the file's, without folder and ".tsv"
  std::vector<std::string> heads;  // [rows] the first column: score, label or id
  std::vector<std::string> sentences;  // [rows, width] the others
  size_t width = 1;                    // columns behind the first

  size_t rows() const { return heads.size(); }
  const std::string& Sentence(size_t row, size_t i) const { return sentences[row * width + i]; }
};

// columns: their names with ", " between, for messages. Throws std::runtime_error where the file
// cannot be read, is empty, or a line has another number of columns, naming the line.
EvalFile ReadEvalFile(const std::string& path, std::string_view columns);
// "path, line 7: ", of row 6.
std::string AtLine(const EvalFile& file, size_t row);
// [rows] the heads as finite numbers; throws as above.
std::vector<double> ReadScores(const EvalFile& file);

// The sentences of all of them, which must outlive the views.
std::vector<std::string_view> AllSentences(std::span<const EvalFile> files);

// A figure on rows that were trained on says little.
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

#endif  // S2V_EXT_CLI_EVAL_FILES_H_
