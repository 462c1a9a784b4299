// An encoder that is a program of its own: the reference implementation, a script with a neural
// network, anything that turns lines into vectors.
//
//   MakeCommandEncoder("reference", "fasttext print-sentence-vectors wiki.bin", &status)
//
// Prepare runs the command once, by the system's shell. Its standard input has the distinct texts,
// one a line, with a space for each control character; blank texts are left out. Its standard
// output must have as many lines: the numbers of a vector with blanks or tabs between them, the
// same number on every line. An empty line and a vector of zeros say that the text is unknown.
// Vectors are taken as they are, not scaled.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <unordered_map>

#include "ext/cli/eval.h"
#include "ext/cli/line_reader.h"
#include "ext/cli/text.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

// A text as a line of the command's input.
std::string LineOf(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line.find_first_not_of(' ') == std::string::npos ? std::string() : line;
}

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

class CommandEncoder : public SentenceEncoder {
 public:
  CommandEncoder(std::string name, std::string command, StatusLine* status)
      : name_(std::move(name)), command_(std::move(command)), status_(status) {}

  std::string name() const override { return name_; }
  // Throws std::runtime_error where the command fails or its output is not as it must be.
  void Prepare(std::span<const std::string_view> texts) override;
  uint32_t dimension() const override { return dimension_; }
  // REQUIRES: the text was among those of Prepare.
  void Encode(std::string_view text, FeatureVector* vector) override {
    const auto found = row_of_.find(LineOf(text));
    *vector = found == row_of_.end() ? FeatureVector() : vectors_[found->second];
  }

 private:
  void AddVector(const std::string& line);
  [[noreturn]] void Throw(const std::string& problem) const;

  const std::string name_, command_;
  StatusLine* status_;
  std::unordered_map<std::string, size_t> row_of_;  // of each line of the input
  std::vector<FeatureVector> vectors_;              // [rows]
  uint32_t dimension_ = 0;                          // 0 until a line has numbers
};

void CommandEncoder::Throw(const std::string& problem) const {
  throw std::runtime_error("encoder-command " + name_ + ": " + problem + " ('" + command_ + "')");
}

void CommandEncoder::Prepare(std::span<const std::string_view> texts) {
  const int temporary = OpenTemporary();
  const File input(temporary < 0 ? nullptr : fdopen(temporary, "w+b"), std::fclose);
  if (!input) Throw(std::string("no temporary file: ") + std::strerror(errno));
  for (const std::string_view text : texts) {
    std::string line = LineOf(text);
    if (line.empty() || !row_of_.emplace(line, row_of_.size()).second) continue;
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), input.get());
  }
  if (std::fflush(input.get()) != 0 || std::ferror(input.get()) != 0) {
    Throw(std::string("cannot write a temporary file: ") + std::strerror(errno));
  }
  // Its input is a file, not a pipe: so it may read and write in any order, or not read at all, and
  // nobody waits for the other.
  File output(StartCommand(command_, input.get()), EndCommand);
  if (!output) Throw(std::string("the shell does not start: ") + std::strerror(errno));
  const size_t rows = row_of_.size();
  LineReader lines(fileno(output.get()), [&] {
    status_->Show(Format("%s: %lld of %lld vectors", name_, vectors_.size(), rows));
  });
  for (std::string line; lines.Next(&line); AddVector(line)) {
    if (vectors_.size() < rows) continue;
    Throw(
        Format("it writes more lines than the %lld of its input; one for each is expected", rows));
  }
  const int code = EndCommand(output.release());
  if (code >= 256) Throw(Format("it was ended by signal %lld", code - 256));
  if (code != 0) Throw(Format("it failed with exit code %lld", code));
  if (vectors_.size() == rows) return;
  Throw(Format("it wrote %lld lines for %lld texts; one for each line of its input is expected",
               vectors_.size(), rows));
}

void CommandEncoder::AddVector(const std::string& line) {
  const size_t row = vectors_.size() + 1;
  FeatureVector vector;
  std::istringstream numbers(line);
  for (std::string text; numbers >> text;) {
    char* end = nullptr;
    vector.index.push_back(static_cast<uint32_t>(vector.index.size()));
    vector.value.push_back(std::strtof(text.c_str(), &end));  // 0 for what is too small
    if (end != text.data() + text.size() || !std::isfinite(vector.value.back())) {
      Throw(Format("line %lld of its output has '%.40s', which is not a number", row, text));
    }
  }
  if (dimension_ == 0) dimension_ = static_cast<uint32_t>(vector.index.size());
  if (!vector.empty() && vector.index.size() != dimension_) {
    Throw(Format("line %lld of its output has %lld numbers, a line before it has %lld", row,
                 vector.index.size(), dimension_));
  }
  if (std::count(vector.value.begin(), vector.value.end(), 0.0f) == std::ssize(vector.value)) {
    vector.Clear();
  }
  vectors_.push_back(std::move(vector));
}

}  // namespace

std::unique_ptr<SentenceEncoder> MakeCommandEncoder(std::string name, std::string command,
                                                    StatusLine* status) {
  return std::make_unique<CommandEncoder>(std::move(name), std::move(command), status);
}

}  // namespace s2v
