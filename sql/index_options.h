// What CREATE VIRTUAL TABLE ... USING s2v_index(table, column, ..., name = value, ...) says.
//
//   const IndexOptions options = ParseIndexOptions({"docs", "title", "body", "model = news"});
//   CreateIndexObjects(db, "main", "docs_search", options);     // sql/index_objects.h
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace s2v {

inline constexpr double kMaxIndexWeight = 1000;

struct IndexOptions {
  std::string table;
  std::vector<std::string> columns;
  std::string model;                      // "" for the default model
  std::optional<bool> words;              // nothing: the default, on where there is text
  std::vector<std::string> word_columns;  // words = title body: of an index of vectors
  std::vector<std::string> filters;       // filter = 'lang, year'
  std::string tokenize = "auto";          // sql/index_term_cutter.h
  std::optional<double> weight;
  std::vector<double> weights;  // of the columns of text; empty: all alike
  int64_t passages = 0;         // words of a part of a row; 0: rows are not cut
};
// Throws InvalidArgument for what is no option, saying which there are.
IndexOptions ParseIndexOptions(std::span<const char* const> arguments);
// Of '4,1'. Throws InvalidArgument.
std::vector<double> ParseWeights(std::string_view text);
// Takes an SQL name, quoted in any of SQLite's four ways or not, from the front of text; of a name
// that is not quoted, what is before a blank, '=', '.' or ','. Leaves the blanks behind it away.
std::string TakeName(std::string_view* text);

}  // namespace s2v
