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
#ifndef S2V_EXT_CLI_ENCODERS_H_
#define S2V_EXT_CLI_ENCODERS_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/eval/encoder.h"
#include "ext/cli/command.h"
#include "ext/cli/progress.h"
#include "sql/train_table.h"

namespace s2v {

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

// Trains on the texts of a builder that has its configuration already, and stores nothing. what: in the status.
Model TrainInMemory(Settings settings, CorpusBuilder* builder, const std::string& what,
                    StatusLine* status);

// command_encoder.cc. status must outlive it.
std::unique_ptr<SentenceEncoder> MakeCommandEncoder(std::string name, std::string command,
                                                    StatusLine* status);

struct EncoderRequest {
  ModelName model;
  CorpusOrigin table;  // "": the model's training table
  const ParameterOptions* parameters;
};

class EncoderFactory {
 public:
  // All must outlive it. Nothing is opened or read before it is asked for.
  EncoderFactory(sqlite3* db, const EncoderRequest& request, StatusLine* status)
      : db_(db), request_(request), status_(status) {}

  // The encoder lives until the next call. Throws InvalidArgument, SqlError, FormatError.
  SentenceEncoder& Make(const EncoderSpec& spec);
  // The table that it comes from. REQUIRES: not foreign.
  CorpusOrigin Origin(const EncoderSpec& spec);
  const ModelInfo& model() { return Reader().info(); }

 private:
  ModelReader& Reader();
  template <typename Visit>
  void ReadTexts(const CorpusOrigin& origin, Visit visit);
  // Keeps the last model, for an encoder that differs in its weights only.
  const Model& Trained(const EncoderSpec& spec, const Settings& settings);

  sqlite3* db_;
  const EncoderRequest& request_;
  StatusLine* status_;
  std::optional<ModelReader> reader_;
  std::string trained_base_;
  std::optional<Model> trained_;
  std::optional<ModelFeatures> features_;
  std::unique_ptr<SentenceEncoder> encoder_;
};

}  // namespace s2v

#endif  // S2V_EXT_CLI_ENCODERS_H_
