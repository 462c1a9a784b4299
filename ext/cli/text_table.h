// Rows in aligned columns, two spaces between them.
//
//   TextTable table({"name", "words>"});          // '>': numbers, to the right of their column
//   table.AddRow({"news", "1200"});
//   WriteOutput(table.Text());
#ifndef S2V_EXT_CLI_TEXT_TABLE_H_
#define S2V_EXT_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace s2v {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  // REQUIRES: as many cells as the header has. Control characters are shown as '?'.
  void AddRow(std::vector<std::string> cells);
  std::string Text() const;

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_TEXT_TABLE_H_
