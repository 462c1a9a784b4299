// An encoder that is a program of its own: the reference implementation, a script with a neural
// network, anything that turns lines into vectors.
//
//   CommandEncoder encoder("reference", "fasttext print-sentence-vectors wiki.bin", &status);
//   encoder.Prepare(texts);
//   encoder.Encode(texts[0], &vector);
//
// Prepare runs the command once, by /bin/sh. Its standard input has the distinct texts, one a line,
// with a space for each control character; blank texts are left out. Its standard output must have
// as many lines: the numbers of a vector with blanks or tabs between them, the same number on every
// line. An empty line and a vector of zeros say that the text is unknown. Vectors are taken as they
// are, not scaled.
#ifndef S2V_EXT_CLI_COMMAND_ENCODER_H_
#define S2V_EXT_CLI_COMMAND_ENCODER_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "core/eval/encoder.h"
#include "ext/cli/progress.h"

namespace s2v {

class CommandEncoder : public SentenceEncoder {
 public:
  // status must outlive it.
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
  void AddVector(std::string_view line, size_t row);
  [[noreturn]] void Throw(const std::string& problem) const;

  const std::string name_, command_;
  StatusLine* status_;
  std::unordered_map<std::string, size_t> row_of_;  // of each line of the input
  std::vector<float> vectors_;                      // [rows, dimension_]
  std::vector<bool> known_;                         // [rows]
  uint32_t dimension_ = 0;                          // 0 until a line has numbers
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_COMMAND_ENCODER_H_
