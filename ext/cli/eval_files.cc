#include "ext/cli/eval_files.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ext/cli/line_reader.h"

namespace s2v {
namespace {

class InputFile {
 public:
  explicit InputFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
  }
  ~InputFile() { close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  int get() const { return file_; }

 private:
  const int file_;
};

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

}  // namespace s2v
