// The files of an evaluation: UTF-8, a row a line, columns with a tab between them, no header, no
// quotes.
//
//   score<TAB>sentence<TAB>sentence      label<TAB>sentence      label<TAB>sentence<TAB>sentence
#ifndef S2V_EXT_CLI_EVAL_FILES_H_
#define S2V_EXT_CLI_EVAL_FILES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

struct EvalFile {
  std::string path;
  std::string name;                // of the table's column: the file's, without folder and ".tsv"
  std::vector<std::string> heads;  // [rows] score or label
  std::vector<std::string> sentences;  // [rows, width]
  size_t width = 1;                    // sentences of a row

  size_t rows() const { return heads.size(); }
  const std::string& Sentence(size_t row, size_t i) const { return sentences[row * width + i]; }
};

// head: what the first column is, for messages. Throws std::runtime_error where the file cannot be
// read, is empty, or a line has not 1 + width columns, naming the line.
EvalFile ReadEvalFile(const std::string& path, const char* head, size_t width);
// [rows] the heads as finite numbers; throws as above.
std::vector<double> ReadScores(const EvalFile& file);

// The sentences of all of them, which must outlive the views.
std::vector<std::string_view> AllSentences(std::span<const EvalFile> files);

}  // namespace s2v

#endif  // S2V_EXT_CLI_EVAL_FILES_H_
