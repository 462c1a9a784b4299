// What the four tasks of `s2v eval` share: their options, as the command line gave them, their
// files, which rows of these were trained on, and the encoders that they compare.
//
// Results go to standard output as an aligned table, or as JSON lines; the database is only read.
// Files are UTF-8, a row a line, columns with a tab between them, no header, no quotes:
//
//   score<TAB>sentence<TAB>sentence     label<TAB>sentence     query id<TAB>row id<TAB>grade
//
// What an evaluation compares, by the names of --encoders:
//
//   model, model-raw    a stored model; -raw: eq. 2 itself
//   tfidf               TF-IDF bag of words
//   unigrams, bigrams   Sent2Vec of words, of words and word pairs
//   bigrams-l1          with L1 regularisation
//
//   NAME=COMMAND        a program of one's own (--encoder-command, command_encoder.cc)
//
// All but these, model and model-raw are made for the evaluation, from one table, and stored
// nowhere; they are plain averages (eq. 2). "+sif" behind a name: smooth-inverse-frequency weights.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/encoder.h"
#include "ext/cli/command.h"
#include "ext/cli/progress.h"
#include "sql/corpus_origin.h"
#include "sql/model_reader.h"

namespace s2v {

inline constexpr int64_t kSampleRows = 2000;  // where the user does not say

struct EvalOptions {
  std::string path, model, encoders, test, queries, judgements, id, index;
  CorpusOrigin table;  // "": the model's training table
  std::vector<std::string> files, commands;
  int64_t sample = kSampleRows;
  bool raw = false, pairs = false, json = false, quiet = false;
  ParameterOptions parameters;
};

// ---- files: eval_files.cc ----

struct EvalFile {
  std::string path;
  std::string name;                // of the table's column: the file's, without folder and ".tsv"
  std::vector<std::string> heads;  // [rows] the first column: score, label or id
  std::vector<std::string> sentences;  // [rows, width] the others
  size_t width = 1;                    // columns behind the first

  size_t rows() const { return heads.size(); }
  const std::string& Sentence(size_t row, size_t i) const { return sentences[row * width + i]; }
  // "path, line 7: ", of row 6.
  std::string At(size_t row) const { return path + ", line " + std::to_string(row + 1) + ": "; }
};

// columns: their names with ", " between, for messages. Throws std::runtime_error where the file
// cannot be read, is empty, or a line has another number of columns, naming the line.
EvalFile ReadEvalFile(const std::string& path, std::string_view columns);
// [rows] the heads as finite numbers; throws as above.
std::vector<double> ReadScores(const EvalFile& file);

// A figure on rows that were trained on says little.
struct Overlap {
  std::string table;           // "docs.body"
  std::string problem;         // why it could not be checked, "" where it was
  std::vector<uint64_t> rows;  // [files] with a sentence that is a text of the table, white space
                               // around both apart; empty where it could not be checked

  std::optional<uint64_t> Rows(size_t file) const {
    return rows.empty() ? std::nullopt : std::optional<uint64_t>(rows[file]);
  }
};

// Visits the texts of a table, with a status such as "reading: 2048 texts".
void ForEachText(sqlite3* db, const CorpusOrigin& origin, const std::string& doing,
                 StatusLine* status, const std::function<void(std::string_view)>& visit);
// Does work; returns why a table cannot be read, or "".
std::string ProblemOf(const std::function<void()>& work);

// Reads the table once.
Overlap FindOverlap(sqlite3* db, const CorpusOrigin& origin, std::span<const EvalFile> files,
                    StatusLine* status);
// A sentence for people.
std::string OverlapText(const Overlap& overlap, std::span<const EvalFile> files);

// ---- encoders: encoders.cc ----

struct EncoderSpec {
  std::string name;  // as it was typed, "bigrams+sif"
  std::string base;  // "bigrams"
  bool sif = false;
  std::string command = {};  // of --encoder-command

  bool foreign() const { return !command.empty(); }
  // Of a stored model.
  bool stored() const { return base == "model" || base == "model-raw"; }
  // For this evaluation, from a table or with weights of its own.
  bool made() const { return !foreign() && (!stored() || sif); }
};
// list: of names, commas between, or ""; commands: of NAME=COMMAND; those that the list does not
// name come last. Throws UsageError, saying which names there are.
std::vector<EncoderSpec> ParseEncoders(const std::string& list,
                                       std::span<const std::string> commands);
std::string EncoderNames();

// Parameters for a model of its own: the defaults, what the rival wants otherwise, what the user
// gave. REQUIRES: not foreign.
Settings SettingsOf(const EncoderSpec& spec, const ParameterOptions& parameters);

// Finds the tokenizer, or its language, in the texts where the settings leave it open, as a
// training does.
void ChooseTokenizer(sqlite3* db, const CorpusOrigin& origin, Settings* settings);
// Trains on the texts of a builder that has its configuration already, and stores nothing. what: in
// the status.
Model TrainInMemory(Settings settings, CorpusBuilder* builder, const std::string& what,
                    StatusLine* status);

// command_encoder.cc. status must outlive it.
std::unique_ptr<SentenceEncoder> MakeCommandEncoder(std::string name, std::string command,
                                                    StatusLine* status);

class EncoderFactory {
 public:
  // All must outlive it. Nothing is opened or read before it is asked for.
  EncoderFactory(sqlite3* db, const EvalOptions& options, StatusLine* status)
      : db_(db), options_(options), status_(status) {}

  // The encoder lives until the next call. Throws InvalidArgument, SqlError, FormatError.
  SentenceEncoder& Make(const EncoderSpec& spec);
  // The table that it comes from. REQUIRES: not foreign.
  CorpusOrigin Origin(const EncoderSpec& spec);
  const ModelInfo& model() { return Reader().info(); }

 private:
  ModelReader& Reader();
  void ReadTexts(const EncoderSpec& spec, const std::function<void(std::string_view)>& visit);
  // Keeps the last model, for an encoder that differs in its weights only.
  const Model& Trained(const EncoderSpec& spec, const Settings& settings);

  sqlite3* db_;
  const EvalOptions& options_;
  StatusLine* status_;
  std::optional<ModelReader> reader_;
  std::string trained_base_;
  std::optional<Model> trained_;
  std::optional<ModelFeatures> features_;
  std::unique_ptr<SentenceEncoder> encoder_;
};

// ---- tasks ----

void EvalSimilarity(const EvalOptions& options);  // eval_labelled.cc
void EvalTransfer(const EvalOptions& options);    // eval_labelled.cc
void EvalSelf(const EvalOptions& options);        // eval_self.cc
void EvalSearch(const EvalOptions& options);      // eval_search.cc

// eval_command.cc. Both throw UsageError.
// Whether any encoder is made for the evaluation, by the parameters, which are checked (and then
// throw InvalidArgument); else those that are not allowed make no sense.
bool CheckParameters(const EvalOptions& options, const std::vector<EncoderSpec>& specs,
                     std::initializer_list<std::string_view> allowed);
// --encoders, --encoder-command and --raw, checked against the other options.
std::vector<EncoderSpec> EncoderOptions(const EvalOptions& options);

}  // namespace s2v
