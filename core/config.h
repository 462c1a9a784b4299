// Every hyper-parameter, once: name, type, default, range, unit, help. The options of s2v_train,
// the flags of `s2v train` and the stored parameters come from this list.
//
//   Config config;
//   SetParameter(&config, "learning_rate", "0.2");   // throws InvalidArgument, says the range
#ifndef S2V_CORE_CONFIG_H_
#define S2V_CORE_CONFIG_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace s2v {

// No sentence that is trained on is longer, so that the scratch memory of a step is bounded.
inline constexpr int64_t kMaxSentenceWords = 1000;

struct Config {
  std::string objective = "sent2vec";
  int64_t dimension = 300;  // h
  int64_t epochs = 10;
  double learning_rate = 0.15;          // of the target rows, falls linearly to 0
  double source_rate = 2;               // of the source rows, as a multiple of learning_rate
  double step_bound = 0.1;              // of a sentence's move of its source rows, 0: none
  double subsampling_threshold = 1e-4;  // t
  double context_threshold = 1e-4;      // how frequent words are left out of contexts, 0: not
  int64_t max_sentence_words = 40;      // longer texts are learned from in pieces
  double initial_norm = 4;              // of the source embeddings of words
  int64_t min_count = 5;
  int64_t min_target_count = 5;
  int64_t min_ngram_count = 5;
  int64_t max_vocabulary = 1000000;
  int64_t ngram_order = 1;  // N
  int64_t bucket_count = 2000000;
  int64_t ngram_dropout = 4;  // K
  int64_t negatives = 10;     // |N_w|
  int64_t negative_reuse = 10;
  double l1 = 0;                  // tau
  int64_t window = 5;             // of cbow and skipgram
  std::string weighting = "sif";  // at inference
  double smoothing = 0.01;        // a of a / (a + f)
  double whitening = 0.5;         // of the rows, after training
  int64_t components = 0;         // removed at inference
  std::string unknown_words = "hashed";
  int64_t workers = 0;  // 0: one a processor
  int64_t seed = 1;
  std::string tokenizer = "english";
  std::string element = "float32";  // of stored rows (core/model/element.h)
};

// Whether contexts are windows of words (cbow, skipgram) instead of sentences.
inline bool IsWindowed(const Config& config) {
  return config.objective != "sent2vec";
}

// config.workers, or one for each processor.
size_t WorkerCount(const Config& config);

struct Parameter {
  std::string_view name;  // of the member; its flag has '-' for '_'
  std::variant<int64_t Config::*, double Config::*, std::string Config::*> member;
  double min, max;  // of numbers, both allowed
  std::string_view unit;
  std::string_view help;
  // The rule in words where it can be chosen from the corpus (core/train/auto_settings.h), "" where
  // not: then "auto" is a value too, and what is meant where it is not given (core/settings.h).
  std::string_view automatic = {};
};

std::span<const Parameter> Parameters();
// nullptr where there is none of this name.
const Parameter* FindParameter(std::string_view name);
// "learning-rate" for learning_rate.
std::string ParameterFlag(const Parameter& parameter);

// Throws InvalidArgument: unknown name (with the known ones), malformed or out of range.
void SetParameter(Config* config, std::string_view name, std::string_view value);
// The value as SetParameter takes it.
std::string ParameterText(const Config& config, const Parameter& parameter);
// Checks what no single parameter shows (an unknown tokenizer). Throws InvalidArgument.
void ValidateConfig(const Config& config);
// All of them as a JSON object, in the order of Parameters().
std::string ConfigJson(const Config& config);

// Numbers as text, whatever the locale of the program: the shortest that reads back as the same
// number; rounded to significant digits; with a fixed number of decimals.
std::string NumberText(double value);
std::string RoundedText(double value, int significant_digits);
std::string FixedText(double value, int decimals);
// text as a JSON string, with its quotes.
std::string JsonString(std::string_view text);

}  // namespace s2v

#endif  // S2V_CORE_CONFIG_H_
