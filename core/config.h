// Every hyper-parameter, once: name, type, default, range, unit, help. The options of s2v_train,
// the flags of `s2v train` and the stored parameters come from this list.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/numbers.h"

namespace s2v {

class Tokenizer;

// N-grams are hashed into as many buckets: part of the stored form (sql/schema.sql).
inline constexpr uint32_t kBucketCount = 2000000;

// How sentences are learned from: what is chosen together, by name.
struct Recipe {
  std::string_view name;
  double source_rate;          // step size of the source rows, as a multiple of learning_rate
  double step_bound;           // of a sentence's move of its source rows (SgdStep), 0: none
  int64_t max_sentence_words;  // a longer text is learned from in pieces
  int64_t negative_reuse;      // targets that share a word drawn as negative sample (NegativePool)
  int64_t min_ngram_count;     // rarer n-gram buckets get no row
};
inline constexpr Recipe kFast = {"fast", 2, 0.1, 40, 10, 5};
// Its longest sentence bounds the scratch memory of a step.
inline constexpr Recipe kPaper = {"paper", 1, 0, 1000, 1, 1};

struct Config {
  int64_t dimension = 400;  // h
  int64_t epochs = 10;
  double learning_rate = 0.15;          // of the target rows, falls linearly to 0
  double subsampling_threshold = 1e-4;  // t
  double context_threshold = 1e-4;      // how frequent words are left out of contexts, 0: not
  double initial_norm = 4;              // of the source embeddings of words
  int64_t min_count = 5;
  int64_t min_target_count = 5;
  int64_t max_vocabulary = 1000000;
  int64_t ngram_order = 1;    // N
  int64_t ngram_dropout = 4;  // K
  int64_t negatives = 10;     // |N_w|
  double l1 = 0;              // tau
  Recipe recipe = kFast;
  double smoothing = 0.01;  // a of the weights a / (a + f) at inference, 0: none
  double whitening = 0.5;   // of the rows, after training; 0: nor are they shortened, or turned
  int64_t workers = 0;      // 0: one a processor
  int64_t seed = 1;
  std::string tokenizer = "english";
  std::string element = "float32";  // of stored rows (core/model/element.h)
  // No parameter: of a model that is trained on or converted, that of its tokenizer
  // (core/text/tokenizer.h); 0: the present one.
  int64_t tokenizer_version = 0;
};

// config.workers, or one for each processor; 1 where there are no threads.
size_t WorkerCount(const Config& config);

// 2^53 - 1: every integer up to here is another double than the next.
inline constexpr double kNoLimit = 9007199254740991.0;

struct Parameter {
  std::string_view name;  // of the member; its flag has '-' for '_'
  std::variant<int64_t Config::*, double Config::*, std::string Config::*, Recipe Config::*> member;
  double min, max;  // of numbers, both allowed
  std::string_view unit;
  std::string_view help;
  // The rule in words where it can be chosen from the corpus (core/settings.h), as it is where
  // nothing, or "auto", is given; "" where it cannot.
  std::string_view automatic = {};
};

std::span<const Parameter> Parameters();
const Parameter* FindParameter(std::string_view name);  // or nullptr
// "learning-rate" for learning_rate.
std::string ParameterFlag(const Parameter& parameter);

// Throws InvalidArgument: unknown name (with the known ones), malformed or out of range; any
// tokenizer and element will do (ValidateConfig).
void SetParameter(Config* config, std::string_view name, std::string_view value);
// The value as SetParameter takes it.
std::string ParameterText(const Config& config, const Parameter& parameter);
// Checks what SetParameter takes as it is: tokenizer and element. Throws InvalidArgument.
void ValidateConfig(const Config& config);
// REQUIRES: ValidateConfig does not throw, and the library knows tokenizer_version.
const Tokenizer& TokenizerOf(const Config& config);
// All of them as a JSON object, in the order of Parameters().
std::string ConfigJson(const Config& config);

// text as a JSON string, with its quotes.
std::string JsonString(std::string_view text);

}  // namespace s2v
