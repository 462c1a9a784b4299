// Text for people and for programs: aligned columns, figures, words for a shell.
//
//   TextTable table({"name", "words>"});          // '>': numbers, to the right of their column
//   table.AddRow({"news", "1200"});
//   WriteOutput(table.Text());                    // two spaces between columns
#ifndef S2V_EXT_CLI_TEXT_H_
#define S2V_EXT_CLI_TEXT_H_

#include <cstdint>
#include <cstdio>
#include <optional>
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

// "43 %", rounded down: 100 % is said only of what is done.
std::string PercentText(double fraction);
// "s2v train news.db --resume --model news", quoted for a shell.
std::string ResumeText(const std::string& path, const std::string& model);

// text as a string of SQL, with its quotes.
std::string SqlText(const std::string& text);

// As printf has it, up to 159 bytes.
template <typename... Values>
std::string Format(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

// 0.12345 -> "12.3" (percent); "-" for nothing.
std::string Percent(std::optional<double> value);
// "1 row", "2 rows".
std::string Counted(uint64_t count, const std::string& one, const std::string& many);
// 1234567 bytes: "1.2 MB".
std::string BytesText(uint64_t bytes);

}  // namespace s2v

#endif  // S2V_EXT_CLI_TEXT_H_
