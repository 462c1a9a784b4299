#include "ext/cli/text.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace s2v {

std::string Printable(std::string_view text, bool is_one_line) {
  const auto is_control = [&](int32_t c) {
    const bool is_kept = !is_one_line && (c == '\n' || c == '\t');
    return (c < 0x20 && !is_kept) || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
  };
  std::string printable;
  for (const int32_t c : DecodePoints(text)) AppendPoint(is_control(c) ? '?' : c, &printable);
  return printable;
}

std::string ShellText(const std::string& text) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = text;
  ReplaceAll("'", "'\\''", &quoted);
  return "'" + quoted + "'";
}

TextTable::TextTable(std::vector<std::string> header) {
  for (std::string& name : header) {
    right_.push_back(name.ends_with('>'));
    if (right_.back()) name.pop_back();
  }
  AddRow(std::move(header));
}

void TextTable::AddRow(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = Printable(cell, /*is_one_line=*/true);
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text() const {
  std::vector<size_t> widths(right_.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], CharacterCount(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); i++) {
      const std::string padding(widths[i] - CharacterCount(row[i]), ' ');
      const bool last = i + 1 == row.size();
      text +=
          (right_[i] ? padding + row[i] : row[i] + (last ? "" : padding)) + (last ? "\n" : "  ");
    }
  }
  return text;
}

void WriteMessage(const std::string& text) {
  std::fputs(Printable(text).c_str(), stderr);
}

std::string PercentText(double fraction) {
  return std::to_string(static_cast<int>(100 * fraction)) + " %";
}

std::string ResumeText(const std::string& path, const std::string& model, uint32_t processes) {
  const std::string program =
      processes == 1 ? "s2v" : "mpirun -n " + std::to_string(processes) + " s2v-mpi";
  return program + " train " + ShellText(path) + " --resume --model " + ShellText(model);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string Percent(std::optional<double> value) {
  return value ? Format("%.1f", 100 * *value) : "-";
}

std::string Counted(uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string BytesText(uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size >= 1e9) return Format("%.1f GB", size / 1e9);
  if (size >= 1e6) return Format("%.1f MB", size / 1e6);
  return Format("%.1f kB", size / 1e3);
}

}  // namespace s2v
