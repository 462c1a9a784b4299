#include "core/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "core/error.h"
#include "core/model/element.h"
#include "core/parallel.h"
#include "core/text/languages.h"
#include "core/text/text_format.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// Kept for as long as the program runs.
std::string_view TokenizerHelp() {
  static const std::string& help = *new std::string(
      "profile that cuts text into tokens: a language, several as german+english, neutral, or " +
      NamesOf(AllTokenizers().subspan(1), &Tokenizer::name) +
      "; html, markdown or json for such text, alone or before another as html:german");
  return help;
}

bool IsWhole(const Parameter& p) {
  return std::holds_alternative<int64_t Config::*>(p.member);
}

// A number in the range of p; a whole one may be written as 2e6 and 10.0 too.
double NumberOf(const Parameter& p, std::string_view value) {
  double number = 0;
  if (ParseNumber(value, &number) && number >= p.min && number <= p.max &&
      (!IsWhole(p) || number == std::floor(number))) {
    return number;
  }
  const auto limit = [&](double of) {
    return IsWhole(p) ? std::to_string(static_cast<int64_t>(of)) : NumberText(of);
  };
  throw InvalidArgument(std::string(p.name) + ": a " + (IsWhole(p) ? "whole number" : "number") +
                        " from " + limit(p.min) + " to " + limit(p.max) + " expected, not '" +
                        std::string(value) + "'");
}

}  // namespace

size_t WorkerCount(const Config& config) {
  if (!kHasThreads) return 1;
  if (config.workers > 0) return static_cast<size_t>(config.workers);
  return std::max(1u, std::thread::hardware_concurrency());
}

// Made at the first call, since the help of some is put together.
std::span<const Parameter> Parameters() {
  static const Parameter all[] = {
      {"dimension", &Config::dimension, 1, 4096, "floats", "length of an embedding"},
      {"epochs", &Config::epochs, 1, 100000, "passes", "passes over the sentences",
       "as many as make 135 million tokens, 3 to 30"},
      {"recipe", &Config::recipe, 0, 0, "",
       "how sentences are learned from: fast, or paper, as the paper does: one step size for both "
       "matrices, steps of any length, whole texts, negative samples of each target's own, every n-gram"},
      {"learning_rate", &Config::learning_rate, 1e-6, 100, "",
       "step size of target embeddings, falls linearly to 0; of source embeddings twice that (recipe paper: the same)"},
      {"subsampling_threshold", &Config::subsampling_threshold, 1e-12, 1, "",
       "t: a target word of frequency f is kept with probability min(1, sqrt(t/f) + t/f)"},
      {"context_threshold", &Config::context_threshold, 0, 1, "",
       "a word of frequency f stays in a sentence's context with probability c/(c + f), as frequent words count less when embedding, and an n-gram with any of its words; 0: always (the paper)",
       "1e-4; 1 / distinct words where that is more"},
      {"initial_norm", &Config::initial_norm, 0, 1e6, "",
       "length of the words' random source embeddings before training; 0: 1/sqrt(3 dimension), as in the paper's program"},
      {"min_count", &Config::min_count, 1, kNoLimit, "occurrences", "rarer words are unknown",
       "5; 1 below 500,000 tokens"},
      {"min_target_count", &Config::min_target_count, 1, kNoLimit, "occurrences",
       "rarer words are context only, never predicted", "5; 1 below 500,000 tokens"},
      {"max_vocabulary", &Config::max_vocabulary, 2, 100000000, "words",
       "the most words that are known; the rarest of more are not"},
      {"ngram_order", &Config::ngram_order, 1, 16, "words",
       "N: 1 for words alone, 2 for words and word bigrams, ..."},
      {"ngram_dropout", &Config::ngram_dropout, 0, 1000000, "n-grams",
       "K: n-grams of a sentence that are dropped at random each time, at most half of them"},
      {"negatives", &Config::negatives, 1, 1000, "words", "negative samples of a target word"},
      {"l1", &Config::l1, 0, 1, "", "tau: strength of L1 regularisation (the paper: 0.0005 or 0)"},
      {"smoothing", &Config::smoothing, 0, 1, "",
       "a: when embedding, a feature of frequency f counts a / (a + f), a word more where it comes in bursts or is rare, less behind a text's first 20 tokens, and an unknown word has a fixed "
       "random vector of length initial_norm; 0: each counts 1 and unknown words nothing (eq. 2 of the paper)",
       "0.01; 5 / tokens where that is more"},
      {"whitening", &Config::whitening, 0, 1, "",
       "once trained, all rows are turned and stretched so that words vary in all directions more evenly, long rows are "
       "shortened, those of rare words turned towards their texts, and directions in which halves of long sentences agree "
       "count more (the first and the last not above a dimension of 1024); 0: none of it, 1: the same in all directions"},
      {"element", &Config::element, 0, 0, "",
       "how the model's rows are stored: float32, or int8 (a quarter of the size)"},
      {"workers", &Config::workers, 0, 1024, "threads", "0: one for each processor"},
      {"seed", &Config::seed, 0, kNoLimit, "",
       "of every random choice; with one worker, one seed gives the same bytes on one kind of processor"},
      {"tokenizer", &Config::tokenizer, 0, 0, "", TokenizerHelp(),
       "the format and the languages of a sample of the texts"},
  };
  return all;
}

const Parameter* FindParameter(std::string_view name) {
  return FindNamed(name, Parameters(), &Parameter::name);
}

std::string ParameterFlag(const Parameter& parameter) {
  std::string flag(parameter.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void SetParameter(Config* config, std::string_view name, std::string_view value) {
  const Parameter& p = CheckKnown("parameter", name, Parameters(), &Parameter::name);
  if (auto* member = std::get_if<int64_t Config::*>(&p.member)) {
    config->** member = static_cast<int64_t>(NumberOf(p, value));
  } else if (auto* real_member = std::get_if<double Config::*>(&p.member)) {
    config->** real_member = NumberOf(p, value);
  } else if (auto* recipe = std::get_if<Recipe Config::*>(&p.member)) {
    config->** recipe = CheckKnown("recipe", value, std::array{kFast, kPaper}, &Recipe::name);
  } else {
    config->*std::get<std::string Config::*>(p.member) = std::string(value);
  }
}

std::string ParameterText(const Config& config, const Parameter& parameter) {
  if (auto* member = std::get_if<int64_t Config::*>(&parameter.member)) {
    return std::to_string(config.**member);
  }
  if (auto* member = std::get_if<double Config::*>(&parameter.member)) {
    return NumberText(config.**member);
  }
  if (auto* member = std::get_if<Recipe Config::*>(&parameter.member)) {
    return std::string((config.**member).name);
  }
  return config.*std::get<std::string Config::*>(parameter.member);
}

void ValidateConfig(const Config& config) {
  ParseElement(config.element);
  const ProfileName parts = SplitProfileName(config.tokenizer);
  if (FindTextFormat(parts.format) != nullptr && FindTokenizer(config.tokenizer) != nullptr) return;
  if (FindLanguageTokenizer(config.tokenizer) != nullptr) return;
  std::vector<std::string> known,
      without_stems = {"chinese", "japanese", "korean", "thai", "lao", "khmer", "burmese"};
  for (const Tokenizer* tokenizer : AllTokenizers()) known.push_back(tokenizer->name());
  known.emplace_back(kNeutralTokenizer);
  for (const Language& language : Languages()) {
    const std::string name(language.name);
    if (!language.has_stemmer) {
      without_stems.push_back(name);
    } else if (std::count(known.begin(), known.end(), name) == 0) {
      known.push_back(name);
    }
  }
  for (const std::string_view format : {"html", "markdown", "json"}) known.emplace_back(format);
  if (std::count(without_stems.begin(), without_stems.end(), config.tokenizer) > 0) {
    throw InvalidArgument("tokenizer: there are no stems of " + config.tokenizer +
                          "; 'neutral' cuts it");
  }
  CheckKnown("tokenizer", config.tokenizer, known);
  if (FindTokenizer(config.tokenizer) == nullptr) {
    throw InvalidArgument("tokenizer '" + config.tokenizer +
                          "': too many others were made in this process; start it again");
  }
}

const Tokenizer& TokenizerOf(const Config& config) {
  return *FindTokenizer(config.tokenizer, config.tokenizer_version);
}

std::string ConfigJson(const Config& config) {
  std::string json = "{";
  for (const Parameter& p : Parameters()) {
    if (json.size() > 1) json += ",";
    const std::string value = ParameterText(config, p);
    const bool quoted = !std::holds_alternative<int64_t Config::*>(p.member) &&
                        !std::holds_alternative<double Config::*>(p.member);
    json += JsonString(p.name) + ":" + (quoted ? JsonString(value) : value);
  }
  return json + "}";
}

std::string JsonString(std::string_view text) {
  static const char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += "\\u00";
      json += kHex[c >> 4];
      json += kHex[c & 15];
    } else {
      json += c;
    }
  }
  return json + "\"";
}

}  // namespace s2v
