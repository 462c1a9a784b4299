#include "ext/cli/overlap.h"

#include <unordered_map>

#include "core/error.h"
#include "sql/sentence_table.h"

namespace s2v {
std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

Overlap FindOverlap(sqlite3* db, const CorpusOrigin& origin, std::span<const EvalFile> files,
                    StatusLine* status) {
  Overlap overlap;
  overlap.table = origin.table + "." + origin.column;
  if (origin.table.empty()) {
    overlap.table = "the training table";
    overlap.problem = "the model does not say which it was";
    return overlap;
  }
  std::unordered_map<std::string_view, bool> seen;
  for (const EvalFile& file : files) {
    for (const std::string& sentence : file.sentences) seen.emplace(Trimmed(sentence), false);
  }
  seen.erase(std::string_view());
  try {
    SentenceTable table(db, origin.table, origin.column, origin.where);
    for (uint64_t texts = 0; table.Next(); texts++) {
      const auto found = seen.find(Trimmed(table.text()));
      if (found != seen.end()) found->second = true;
      if (texts % 1024 == 0) status->Show("looking for training rows: " + std::to_string(texts));
    }
  } catch (const InvalidArgument& error) {
    overlap.problem = error.what();
    return overlap;
  } catch (const SqlError& error) {
    overlap.problem = error.what();
    return overlap;
  }
  for (const EvalFile& file : files) {
    uint64_t rows = 0;
    for (size_t row = 0; row < file.rows(); row++) {
      bool any = false;
      for (size_t i = 0; i < file.width; i++) {
        const auto found = seen.find(Trimmed(file.Sentence(row, i)));
        any = any || (found != seen.end() && found->second);
      }
      rows += any;
    }
    overlap.rows.push_back(rows);
  }
  return overlap;
}

std::string OverlapText(const Overlap& overlap, std::span<const EvalFile> files) {
  if (!overlap.problem.empty()) {
    return "whether rows are in " + overlap.table + " could not be checked: " + overlap.problem +
           "\n";
  }
  std::string text;
  for (size_t i = 0; i < files.size(); i++) {
    if (overlap.rows[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(overlap.rows[i]) + " of " +
            std::to_string(files[i].rows()) + " rows of " + files[i].name;
  }
  if (text.empty()) return "no row has a sentence that is in " + overlap.table + "\n";
  return "trained on: " + text + " have a sentence that is in " + overlap.table + "\n";
}

}  // namespace s2v
