// An encoder that is a program of its own: the reference implementation, a script with a neural
// network, anything that turns lines into vectors.
//
//   MakeCommandEncoder("reference", "fasttext print-sentence-vectors wiki.bin", &status)
//
// Prepare runs the command once, by /bin/sh. Its standard input has the distinct texts, one a line,
// with a space for each control character; blank texts are left out. Its standard output must have
// as many lines: the numbers of a vector with blanks or tabs between them, the same number on every
// line. An empty line and a vector of zeros say that the text is unknown. Vectors are taken as they
// are, not scaled.
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <sstream>
#include <unordered_map>

#include "ext/cli/eval.h"
#include "ext/cli/line_reader.h"

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
  void Encode(std::string_view text, FeatureVector* vector) override;

 private:
  void ReadVectors(int output);
  void AddVector(const std::string& line, size_t row);
  [[noreturn]] void Throw(const std::string& problem) const;

  const std::string name_, command_;
  StatusLine* status_;
  std::unordered_map<std::string, size_t> row_of_;  // of each line of the input
  std::vector<float> vectors_;                      // [rows, dimension_]
  std::vector<bool> known_;                         // [rows]
  uint32_t dimension_ = 0;                          // 0 until a line has numbers
};

void CommandEncoder::Throw(const std::string& problem) const {
  throw std::runtime_error("encoder-command " + name_ + ": " + problem + " ('" + command_ + "')");
}

void CommandEncoder::Prepare(std::span<const std::string_view> texts) {
  const File input(std::tmpfile(), std::fclose);
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
  const std::string redirected =
      "exec </dev/fd/" + std::to_string(fileno(input.get())) + "\n" + command_;
  File output(popen(redirected.c_str(), "re"), pclose);
  if (!output) Throw(std::string("/bin/sh does not start: ") + std::strerror(errno));
  ReadVectors(fileno(output.get()));
  const int status = pclose(output.release());
  if (WIFSIGNALED(status)) Throw("it was ended by signal " + std::to_string(WTERMSIG(status)));
  if (status != 0) Throw("it failed with exit code " + std::to_string(WEXITSTATUS(status)));
  if (known_.size() == row_of_.size()) return;
  Throw("it wrote " + std::to_string(known_.size()) + " lines for " +
        std::to_string(row_of_.size()) + " texts; one for each line of its input is expected");
}

void CommandEncoder::ReadVectors(int output) {
  LineReader lines(output, [this] {
    status_->Show(name_ + ": " + std::to_string(known_.size()) + " of " +
                  std::to_string(row_of_.size()) + " vectors");
  });
  for (std::string line; lines.Next(&line);) {
    const size_t row = known_.size();
    if (row == row_of_.size()) {
      Throw("it writes more lines than the " + std::to_string(row) +
            " of its input; one for each is expected");
    }
    AddVector(line, row);
  }
}

void CommandEncoder::AddVector(const std::string& line, size_t row) {
  const auto at_line = [&] { return "line " + std::to_string(row + 1) + " of its output "; };
  std::vector<float> vector;
  std::istringstream numbers(line);
  for (std::string text; numbers >> text;) {
    char* end = nullptr;
    vector.push_back(std::strtof(text.c_str(), &end));  // 0 for what is too small
    if (end != text.data() + text.size() || !std::isfinite(vector.back())) {
      Throw(at_line() + "has '" + text.substr(0, 40) + "', which is not a number");
    }
  }
  if (dimension_ == 0) {
    dimension_ = static_cast<uint32_t>(vector.size());
    vectors_.assign(row * dimension_, 0.0f);
  } else if (!vector.empty() && vector.size() != dimension_) {
    Throw(at_line() + "has " + std::to_string(vector.size()) + " numbers, a line before it has " +
          std::to_string(dimension_));
  }
  known_.push_back(std::any_of(vector.begin(), vector.end(), [](float v) { return v != 0; }));
  vector.resize(dimension_);
  vectors_.insert(vectors_.end(), vector.begin(), vector.end());
}

void CommandEncoder::Encode(std::string_view text, FeatureVector* vector) {
  vector->Clear();
  const auto found = row_of_.find(LineOf(text));
  if (found == row_of_.end() || !known_[found->second]) return;
  vector->index.resize(dimension_);
  std::iota(vector->index.begin(), vector->index.end(), 0u);
  const float* row = vectors_.data() + found->second * dimension_;
  vector->value.assign(row, row + dimension_);
}

}  // namespace

std::unique_ptr<SentenceEncoder> MakeCommandEncoder(std::string name, std::string command,
                                                    StatusLine* status) {
  return std::make_unique<CommandEncoder>(std::move(name), std::move(command), status);
}

}  // namespace s2v
