#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "core/error.h"
#include "core/text/utf8.h"
#include "ext/cli/eval.h"
#include "ext/cli/line_reader.h"
#include "ext/cli/text.h"
#include "sql/sentence_table.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

void AddLine(std::string_view line, std::string_view names, EvalFile* file) {
  const std::vector<std::string> columns = Split(line, '\t');
  if (columns.size() != 1 + file->width) {
    throw std::runtime_error(
        file->At(file->rows()) + std::to_string(1 + file->width) +
        " columns with a tab between them are expected (" + std::string(names) + "), there " +
        (columns.size() == 1 ? "is " : "are ") + std::to_string(columns.size()));
  }
  file->heads.push_back(columns[0]);
  file->sentences.insert(file->sentences.end(), columns.begin() + 1, columns.end());
}

}  // namespace

EvalFile ReadEvalFile(const std::string& path, std::string_view columns) {
  EvalFile file;
  file.path = path;
  const std::filesystem::path whole = PathOf(path);
  file.name = TextOf(whole.extension() == ".tsv" ? whole.stem() : whole.filename());
  file.width = static_cast<size_t>(std::count(columns.begin(), columns.end(), ','));
  LineReader lines(path);
  try {
    for (std::string line; lines.Next(&line);) AddLine(line, columns, &file);
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
    if (ParseNumber(file.heads[row], &scores[row]) && std::isfinite(scores[row])) continue;
    throw std::runtime_error(file.At(row) + "the score '" + file.heads[row] + "' is not a number");
  }
  return scores;
}

void ForEachText(sqlite3* db, const CorpusOrigin& origin, const std::string& doing,
                 StatusLine* status, const std::function<void(std::string_view)>& visit) {
  SentenceTable table(db, origin.table, origin.column, origin.where);
  for (uint64_t texts = 0; table.Next(); texts++) {
    if (texts % 1024 == 0) status->Show(Format("%s: %lld texts", doing, texts));
    visit(table.text());
  }
}

std::string ProblemOf(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const InvalidArgument& error) {
    return error.what();
  } catch (const SqlError& error) {
    return error.what();
  }
}

Overlap FindOverlap(sqlite3* db, const CorpusOrigin& origin, std::span<const EvalFile> files,
                    StatusLine* status) {
  if (origin.table.empty()) {
    return {"the training table", "the model does not say which it was", {}};
  }
  Overlap overlap{origin.table + "." + origin.column, "", {}};
  std::unordered_set<std::string_view> unseen;
  for (const EvalFile& file : files) {
    for (const std::string& sentence : file.sentences) unseen.insert(Trimmed(sentence));
  }
  overlap.problem = ProblemOf([&] {
    ForEachText(db, origin, "looking for training rows", status, [&](std::string_view text) {
      if (text = Trimmed(text); !text.empty()) unseen.erase(text);
    });
  });
  if (!overlap.problem.empty()) return overlap;
  for (const EvalFile& file : files) {
    uint64_t rows = 0;
    for (size_t row = 0; row < file.rows(); row++) {
      bool seen = false;
      for (size_t i = 0; i < file.width; i++) {
        seen = seen || !unseen.contains(Trimmed(file.Sentence(row, i)));
      }
      rows += seen;
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
  std::vector<std::string> seen;
  for (size_t i = 0; i < files.size(); i++) {
    if (overlap.rows[i] == 0) continue;
    seen.push_back(
        Format("%lld of %lld rows of %s", overlap.rows[i], files[i].rows(), files[i].name));
  }
  if (seen.empty()) return "no row has a sentence that is in " + overlap.table + "\n";
  return "trained on: " + NamesOf(seen) + " have a sentence that is in " + overlap.table + "\n";
}

}  // namespace s2v
