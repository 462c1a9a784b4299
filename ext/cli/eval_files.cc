#include "ext/cli/eval.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "core/error.h"
#include "ext/cli/line_reader.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

std::string NameOf(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.size() > 4 && name.ends_with(".tsv")) name.resize(name.size() - 4);
  return name;
}

void AddLine(std::string_view line, std::string_view names, EvalFile* file) {
  std::vector<std::string_view> columns;
  for (size_t begin = 0; begin != std::string_view::npos;) {
    const size_t tab = line.find('\t', begin);
    columns.push_back(line.substr(begin, tab == std::string_view::npos ? tab : tab - begin));
    begin = tab == std::string_view::npos ? tab : tab + 1;
  }
  if (columns.size() != 1 + file->width) {
    throw std::runtime_error(
        AtLine(*file, file->rows()) + std::to_string(1 + file->width) +
        " columns with a tab between them are expected (" + std::string(names) + "), there " +
        (columns.size() == 1 ? "is " : "are ") + std::to_string(columns.size()));
  }
  file->heads.emplace_back(columns[0]);
  for (size_t i = 1; i < columns.size(); i++) file->sentences.emplace_back(columns[i]);
}

}  // namespace

std::string AtLine(const EvalFile& file, size_t row) {
  return file.path + ", line " + std::to_string(row + 1) + ": ";
}

EvalFile ReadEvalFile(const std::string& path, std::string_view columns) {
  EvalFile file;
  file.path = path;
  file.name = NameOf(path);
  file.width = static_cast<size_t>(std::count(columns.begin(), columns.end(), ','));
  const InputFile input(path);
  LineReader lines(input.get(), [] {});
  try {
    for (std::string_view line; lines.Next(&line);) AddLine(line, columns, &file);
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    throw std::runtime_error(message.starts_with(path) ? message : "'" + path + "': " + message);
  }
  if (file.rows() == 0) throw std::runtime_error("'" + path + "' is empty");
  return file;
}

std::vector<double> ReadScores(const EvalFile& file) {
  std::vector<double> scores(file.rows());
  for (size_t row = 0; row < file.rows(); row++) {
    const std::string& text = file.heads[row];
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, scores[row]);
    if (error != std::errc() || at != end || !std::isfinite(scores[row])) {
      throw std::runtime_error(AtLine(file, row) + "the score '" + text + "' is not a number");
    }
  }
  return scores;
}

std::vector<std::string_view> AllSentences(std::span<const EvalFile> files) {
  std::vector<std::string_view> sentences;
  for (const EvalFile& file : files) {
    sentences.insert(sentences.end(), file.sentences.begin(), file.sentences.end());
  }
  return sentences;
}

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
