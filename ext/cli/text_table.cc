#include "ext/cli/text_table.h"

#include <algorithm>

namespace s2v {
namespace {

// As it can stand in a line of a terminal.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

// In characters of UTF-8.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) {
  for (std::string& name : header) {
    right_.push_back(name.ends_with('>'));
    if (right_.back()) name.pop_back();
  }
  AddRow(std::move(header));
}

void TextTable::AddRow(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = Printable(std::move(cell));
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text() const {
  std::vector<size_t> widths(right_.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); i++) {
      const std::string padding(widths[i] - Width(row[i]), ' ');
      const bool last = i + 1 == row.size();
      text +=
          (right_[i] ? padding + row[i] : row[i] + (last ? "" : padding)) + (last ? "\n" : "  ");
    }
  }
  return text;
}

}  // namespace s2v
