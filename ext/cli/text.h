// Text for people and for programs: aligned columns, figures, words for a shell.
//
//   TextTable table({"name", "words>"});          // '>': numbers, to the right of their column
//   table.AddRow({"news", "1200"});
//   WriteOutput(table.Text());                    // two spaces between columns
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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

// As a terminal can have it, whatever a file has put into a name: in place of a character that
// controls it, or that turns the direction of writing, '?'; is_one_line: in place of tabs and ends of
// lines too.
std::string Printable(std::string_view text, bool is_one_line = false);
// To standard error, as Printable has it.
void WriteMessage(const std::string& text);

// "43 %", rounded down: 100 % is said only of what is done.
std::string PercentText(double fraction);
// "s2v train news.db --resume --model news", quoted for a shell.
// processes: of the training, which only as many can go on with.
std::string ResumeText(const std::string& path, const std::string& model, uint32_t processes = 1);

// The parts between separators; at least one.
std::vector<std::string> Split(std::string_view text, char separator);

// As printf has it; texts are for %s, whole numbers for %lld.
template <typename... Values>
std::string Format(const char* format, const Values&... values) {
  const auto plain = [](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string>) {
      return value.c_str();
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<long long>(value);
    } else {
      return static_cast<T>(value);
    }
  };
  const auto print = [&](char* to, size_t size) {
    return static_cast<size_t>(std::snprintf(to, size, format, plain(values)...));
  };
  std::string text(print(nullptr, 0), '\0');
  print(text.data(), text.size() + 1);
  return text;
}

// 0.12345 -> "12.3" (percent); "-" for nothing.
std::string Percent(std::optional<double> value);
// "1 row", "2 rows"; many: where it is not with an s.
std::string Counted(uint64_t count, const std::string& one, const std::string& many = "");
// As a word for a shell, in quotes where it needs them.
std::string ShellText(const std::string& text);
// 1234567 bytes: "1.2 MB".
std::string BytesText(uint64_t bytes);

}  // namespace s2v
