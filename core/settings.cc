#include "core/settings.h"

#include "core/error.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// The settings of the paper's models: table 5 of appendix A (NAACL 2018; "Parameters for training
// models"), whose columns are dimension, minimum word count, minimum target word count, initial
// learning rate, epochs, subsampling hyper-parameter, bigrams dropped per sentence, negatives
// sampled.
//
// What the table leaves open is as in the paper's method and the authors' program
// (github.com/epfml/sent2vec): recipe paper, small random source rows, the plain mean of eq. 2 as
// embedding. No L1 regularisation: the paper reports it in rows of its own, for
// books-bigrams and wiki-bigrams with l1 0.0005 (appendix B). Texts are cut by this library's
// tokenizer; the authors' were cut beforehand.
#define S2V_AS_THE_PAPER                                                                 \
  " recipe paper learning_rate 0.2 context_threshold 0 initial_norm 0 negatives 10 l1 0" \
  " smoothing 0 whitening 0 tokenizer unicode"

constexpr Preset kPresets[] = {
    {"books-unigrams",
     "ngram_order 1 dimension 700 min_count 5 min_target_count 8 epochs 13 "
     "subsampling_threshold 1e-5" S2V_AS_THE_PAPER},
    {"books-bigrams",
     "ngram_order 2 dimension 700 min_count 5 min_target_count 5 epochs 12 "
     "subsampling_threshold 5e-6 ngram_dropout 7" S2V_AS_THE_PAPER},
    {"wiki-unigrams",
     "ngram_order 1 dimension 600 min_count 8 min_target_count 20 epochs 9 "
     "subsampling_threshold 1e-5" S2V_AS_THE_PAPER},
    {"wiki-bigrams",
     "ngram_order 2 dimension 700 min_count 8 min_target_count 20 epochs 9 "
     "subsampling_threshold 5e-6 ngram_dropout 4" S2V_AS_THE_PAPER},
    {"twitter-unigrams",
     "ngram_order 1 dimension 700 min_count 20 min_target_count 20 epochs 3 "
     "subsampling_threshold 1e-6" S2V_AS_THE_PAPER},
    {"twitter-bigrams",
     "ngram_order 2 dimension 700 min_count 20 min_target_count 20 epochs 3 "
     "subsampling_threshold 1e-6 ngram_dropout 3" S2V_AS_THE_PAPER},
};

}  // namespace

std::span<const Preset> Presets() {
  return kPresets;
}

std::string PresetNames() {
  std::string names;
  for (const Preset& preset : kPresets) {
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  }
  return names;
}

Settings::Settings(const Config& config) : config_(config), origins_(Parameters().size(), kGiven) {}

void Settings::Set(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  if (p != nullptr && !p->automatic.empty() && value == "auto") {
    SetParameter(&config_, name, ParameterText(Config(), *p));
    origins_[Index(*p)] = kGivenAuto;
    return;
  }
  SetParameter(&config_, name, value);
  origins_[Index(*p)] = kGiven;
}

void Settings::Recommend(std::string_view name, std::string_view value) {
  const Parameter* p = FindParameter(name);
  if (p != nullptr && Given(*p)) return;
  SetParameter(&config_, name, value);
  origins_[Index(*p)] = kRecommended;
}

void Settings::UsePreset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : Presets()) names.push_back(preset.name);
  CheckKnown("preset", name, names);
  for (const Preset& preset : Presets()) {
    if (preset.name != name) continue;
    Tokens words;  // name, value, name, value ...
    FindTokenizer("whitespace")->Tokenize(preset.parameters, &words);
    for (size_t i = 0; i < words.size(); i += 2) Recommend(words[i], words[i + 1]);
  }
}

}  // namespace s2v
