#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/train/trainer.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text.h"
#include "sql/model_reader.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

struct Rival {
  const char* name;
  int64_t ngram_order;  // 0: not trained
  const char* l1;
};

constexpr Rival kRivals[] = {
    {"model", 0, "0"},    {"model-raw", 0, "0"}, {"tfidf", 0, "0"},
    {"unigrams", 1, "0"}, {"bigrams", 2, "0"},   {"bigrams-l1", 2, "0.0005"},
};

const Rival* FindRival(const std::string& name) {
  return FindNamed(name, kRivals, &Rival::name);
}

constexpr std::string_view kSifSuffix = "+sif";

// Of --encoder-command NAME=COMMAND.
std::vector<EncoderSpec> ParseCommands(std::span<const std::string> commands) {
  std::vector<EncoderSpec> specs;
  for (const std::string& text : commands) {
    const size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals);
    if (name.empty() || equals + 1 >= text.size() || name.find(',') != name.npos) {
      throw UsageError("encoder-command: NAME=COMMAND expected, without a comma in NAME, not '" +
                       text + "'");
    }
    if (FindRival(name.substr(0, name.find('+'))) != nullptr ||
        FindNamed(name, specs, &EncoderSpec::name) != nullptr) {
      throw UsageError("encoder-command: there is an encoder '" + name +
                       "' already; take another name");
    }
    specs.push_back({name, name, false, text.substr(equals + 1)});
  }
  return specs;
}

EncoderSpec ParseEncoder(const std::string& name) {
  EncoderSpec spec{name, name, name.ends_with(kSifSuffix)};
  if (spec.sif) spec.base.resize(name.size() - kSifSuffix.size());
  if (FindRival(spec.base) == nullptr) {
    throw UsageError("encoders: no encoder '" + name + "'; there are " + EncoderNames());
  }
  if (spec.sif && spec.base == "tfidf") {
    throw UsageError("encoders: tfidf has weights of its own; +sif does not apply to it");
  }
  if (spec.sif && spec.base == "model-raw") {
    throw UsageError("encoders: model-raw is eq. 2 itself; with weights it is model+sif");
  }
  return spec;
}

}  // namespace

std::string EncoderNames() {
  return NamesOf(kRivals, &Rival::name) + "; +sif behind any but tfidf and model-raw";
}

std::vector<EncoderSpec> ParseEncoders(const std::string& list,
                                       std::span<const std::string> commands) {
  std::vector<EncoderSpec> specs, foreign = ParseCommands(commands);
  for (const std::string& name : Split(list, ',')) {
    const auto command = std::find_if(foreign.begin(), foreign.end(),
                                      [&](const EncoderSpec& spec) { return spec.name == name; });
    if (command != foreign.end()) {
      specs.push_back(std::move(*command));
      foreign.erase(command);
    } else if (!list.empty()) {
      specs.push_back(ParseEncoder(name));
    }
  }
  std::move(foreign.begin(), foreign.end(), std::back_inserter(specs));
  return specs;
}

Settings SettingsOf(const EncoderSpec& spec, const ParameterOptions& parameters) {
  const Rival& rival = *FindRival(spec.base);
  Settings settings;
  parameters.Apply(&settings);
  settings.Recommend("l1", rival.l1);
  if (rival.ngram_order > 0) settings.Set("ngram_order", std::to_string(rival.ngram_order));
  if (!spec.sif) settings.Set("smoothing", "0");
  ValidateConfig(settings.config());
  return settings;
}

void ChooseTokenizer(sqlite3* db, const CorpusOrigin& origin, Settings* settings) {
  const std::optional<std::string> format = OpenFormat(*settings);
  if (!format) return;
  settings->Choose(
      *FindParameter("tokenizer"),
      GuessTexts(db, origin.table, std::span(&origin.column, 1), origin.where, *format).tokenizer);
}

Model TrainInMemory(Settings settings, CorpusBuilder* builder, const std::string& what,
                    StatusLine* status) {
  ChooseSettings(builder->shape(), &settings);
  builder->Configure(settings.config());
  Model model = Train(settings.config(), builder->Finish(), [&](const Progress& progress) {
    status->Show("training " + what + ": " + PercentText(progress.fraction));
    return true;
  });
  RoundToElement(&model);
  return model;
}

ModelReader& EncoderFactory::Reader() {
  if (!reader_) reader_.emplace(db_, ModelOption(options_.model));
  return *reader_;
}

CorpusOrigin EncoderFactory::Origin(const EncoderSpec& spec) {
  if (!spec.stored() && !options_.table.table.empty()) return options_.table;
  return ParseCorpusOrigin(db_, Reader().info().corpus);
}

void EncoderFactory::ReadTexts(const EncoderSpec& spec,
                               const std::function<void(std::string_view)>& visit) {
  const CorpusOrigin origin = Origin(spec);
  if (origin.table.empty()) {
    throw InvalidArgument(
        "model '" + model().name +
        "' does not say what it was trained on; name a table with --table and --column");
  }
  ForEachText(db_, origin, "reading " + origin.table, status_, visit);
}

const Model& EncoderFactory::Trained(const EncoderSpec& spec, const Settings& settings) {
  if (trained_base_ == spec.base) return *trained_;
  trained_base_.clear();
  trained_.reset();
  CorpusBuilder builder(settings.config());
  ReadTexts(spec, [&](std::string_view text) { builder.Add(text); });
  trained_ = TrainInMemory(settings, &builder, spec.base, status_);
  trained_->word_bursts.clear();  // as in the papers
  trained_base_ = spec.base;
  return *trained_;
}

SentenceEncoder& EncoderFactory::Make(const EncoderSpec& spec) {
  encoder_.reset();
  if (spec.foreign()) {
    encoder_ = MakeCommandEncoder(spec.name, spec.command, status_);
    return *encoder_;
  }
  Settings settings = SettingsOf(spec, options_.parameters);
  const bool own =
      !options_.table.table.empty() || options_.parameters.Given().contains("tokenizer");
  if (!own) settings.Set("tokenizer", model().tokenizer);
  if (!spec.stored()) ChooseTokenizer(db_, Origin(spec), &settings);
  const Config& config = settings.config();
  if (spec.base == "tfidf") {
    auto tfidf = std::make_unique<TfIdf>(own ? TokenizerOf(config) : *model().shape.tokenizer);
    ReadTexts(spec, [&](std::string_view text) { tfidf->AddText(text); });
    tfidf->Fit(static_cast<uint64_t>(config.min_count));
    encoder_ = std::move(tfidf);
    return *encoder_;
  }
  EmbeddingShape shape;
  FeatureSource* source = nullptr;
  if (spec.stored()) {
    shape = model().shape;
    source = &Reader();
  } else {
    shape = ShapeOf(Trained(spec, settings));
    features_.emplace(*trained_);
    source = &*features_;
  }
  if (spec.sif || !spec.stored()) {
    shape.smoothing = static_cast<float>(config.smoothing);
    shape.unknown_norm = 0;  // as in the papers
    shape.favours_opening = false;
  }
  encoder_ = std::make_unique<EmbeddingEncoder>(spec.name, shape, source, spec.base == "model-raw");
  return *encoder_;
}

}  // namespace s2v
