// s2v eval self: how good a model of a table is, without labels. A random sample of the table's
// rows is held out, a model is trained on the rest and stored nowhere. Then
//
//   held-out loss   mean of eq. 3 over the target words of the held-out rows
//                   (core/eval/held_out_loss.h): for comparing settings
//   retrieval       the check of core/eval/ranking.h on the held-out rows: for comparing with what
//                   needs no model, TF-IDF and BM25 of SQLite's FTS5
//
// With --model a stored model is measured instead, and told how much of the sample it was trained
// on; --encoders compares it with rivals that are made from the same table.
#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "core/eval/held_out_loss.h"
#include "core/settings.h"
#include "core/text/utf8.h"
#include "core/train/whitening.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/retrieval.h"
#include "ext/cli/text.h"
#include "sql/json.h"
#include "sql/model_loader.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

struct SelfResult {
  CorpusOrigin origin;               // of the rows
  std::optional<std::string> model;  // the stored one; else one was trained
  std::string tokenizer;             // of the model
  uint64_t texts = 0;                // of the table
  EvalFile sample;
  Overlap overlap;  // how much of the sample the model has seen
  StepLoss loss;
  bool keeps_targets = true;  // without target vectors the loss cannot be measured
  double training_loss = 0;

  void MeasureLoss(Model* of, StatusLine* status) {
    status->Show("loss");
    LengthenRows(of);
    loss = HeldOutLoss(of, sample.sentences);
    if (!of->epoch_losses.empty()) training_loss = of->epoch_losses.back();
  }
  std::optional<double> MeanLoss() const {
    if (loss.targets == 0) return std::nullopt;
    return loss.loss / static_cast<double>(loss.targets);
  }
};

// The first lines of the table of results.
std::string Head(const SelfResult& self) {
  const std::string table = self.origin.table + "." + self.origin.column;
  std::string text = self.model
                         ? Format("model '%s' on a sample of %lld of %lld rows of %s\n",
                                  *self.model, self.sample.rows(), self.texts, table)
                         : Format("trained on %lld rows of %s, held out %lld\n",
                                  self.texts - self.sample.rows(), table, self.sample.rows());
  if (self.MeanLoss()) {
    text += Format("%sloss %.4f over %lld target words%s (training, last epoch: %.4f)%s\n",
                   self.model ? "" : "held-out ", *self.MeanLoss(), self.loss.targets,
                   self.model ? " of the sample" : "", self.training_loss,
                   self.model ? "; not a held-out loss where these rows were trained on" : "");
  } else if (!self.keeps_targets) {
    text +=
        "no loss: the model keeps no target vectors, as a smaller copy does; measure the model that it was made from\n";
  } else {
    text += self.model ? "no loss: no row of the sample has two known words\n"
                       : "no held-out loss: no held-out row has two known words\n";
  }
  return text + OverlapText(self.overlap, {&self.sample, 1});
}

void Print(const SelfResult& self, const HalfRetrieval& halves,
           const std::vector<EncoderSpec>& specs, bool as_json) {
  const auto is_made = [](const EncoderSpec& spec) { return spec.made(); };
  JsonObject sample, first;
  sample.Add("task", "self").Add("table", self.origin.table).Add("column", self.origin.column);
  sample.Add("sample", self.sample.rows());
  first = JsonObject(sample).Add("encoder", "model");
  if (self.model) {
    first.Add("model", *self.model).Add("trained_on", self.overlap.Rows(0));
    first.Add("sample_loss", self.MeanLoss());
  } else {
    first.Add("training_rows", self.texts - self.sample.rows());
    first.Add("held_out_loss", self.MeanLoss());
  }
  first.Add("tokenizer", self.tokenizer)
      .Add("targets", self.loss.targets)
      .Add("training_loss", self.training_loss);
  std::string json = first.Text() + "\n", text = Head(self);
  TextTable table({"encoder", "recall@1>", "recall@10>", "MRR>"});
  for (const auto& [encoder, score] : halves.outcomes()) {
    const bool foreign =
        std::any_of(specs.begin(), specs.end(), [&, &name = encoder](const EncoderSpec& spec) {
          return spec.foreign() && spec.name == name;
        });
    JsonObject line = JsonObject(sample).Add("encoder", encoder);
    line.Add("trained_on", foreign ? std::nullopt : self.overlap.Rows(0));
    line.Add("queries", halves.queries());
    std::vector<std::string> row = {encoder};
    for (const auto& [name, figure] :
         {std::pair("recall_at_1", &RetrievalScore::recall_at_1),
          std::pair("recall_at_10", &RetrievalScore::recall_at_10),
          std::pair("mean_reciprocal_rank", &RetrievalScore::mean_reciprocal_rank)}) {
      const auto value = score ? std::optional<double>(*score.*figure) : std::nullopt;
      line.Add(name, value);
      row.push_back(Percent(value));
    }
    json += line.Text() + "\n";
    if (score) table.AddRow(std::move(row));
  }
  if (!halves.enough()) {
    text += Format(
        "no retrieval: fewer than two rows of the sample have %lld tokens to be cut in halves\n",
        kMinTokensToHalve);
  } else {
    text += Format("retrieval of a row's second half by its first, among %lld:\n%s",
                   halves.queries(), table.Text());
    text += "percent; MRR: mean reciprocal rank\n";
    if (std::any_of(specs.begin(), specs.end(), is_made)) {
      text += "what is made for this is made from all rows of the table, the sample's too\n";
    }
    if (!halves.outcomes().back().score) text += "bm25 was left out: this SQLite has no FTS5\n";
  }
  WriteOutput(as_json ? json : Printable(text));
}

// Draws the sample, and measures a stored model on it.
HalfRetrieval MeasureStored(sqlite3* db, const EvalOptions& options, const Config& config,
                            const ModelInfo& info, StatusLine* status, SelfResult* self) {
  self->model = info.name;
  self->texts = SplitTable(
      db, self->origin, static_cast<uint64_t>(config.seed), static_cast<uint64_t>(options.sample),
      [](std::string_view) {}, status, &self->sample);
  self->keeps_targets = info.targets >= 2;  // a converted model keeps none
  if (self->keeps_targets) {
    status->Show("loading the model");
    Model model = LoadModel(db, {info.schema, info.name});
    self->MeasureLoss(&model, status);
  }
  self->overlap = FindOverlap(db, ParseCorpusOrigin(db, info.corpus), {&self->sample, 1}, status);
  return HalfRetrieval(*info.shape.tokenizer, self->sample.sentences, status);
}

// Draws the sample, and trains on the other rows.
HalfRetrieval TrainAndMeasure(sqlite3* db, const EvalOptions& options, const Settings& settings,
                              StatusLine* status, SelfResult* self) {
  const Config& config = settings.config();
  const Tokenizer& tokenizer = TokenizerOf(config);
  TfIdf tfidf(tokenizer);
  CorpusBuilder builder(config);
  std::unordered_set<uint64_t> rest;  // hashes of the texts that were not held out
  self->texts = SplitTable(
      db, self->origin, static_cast<uint64_t>(config.seed), static_cast<uint64_t>(options.sample),
      [&](std::string_view text) {
        tfidf.AddText(text);
        builder.Add(text);
        rest.insert(HashWord(Trimmed(text)));
      },
      status, &self->sample);
  Model model = TrainInMemory(settings, &builder, "the model", status);
  ModelFeatures features(model);
  HalfRetrieval halves(tokenizer, self->sample.sentences, status);
  halves.MeasureModel(ShapeOf(model), &features);
  tfidf.Fit(static_cast<uint64_t>(config.min_count));
  halves.Measure(&tfidf);
  self->MeasureLoss(&model, status);
  self->overlap.table = "the rest of " + self->origin.table + "." + self->origin.column;
  const auto seen = [&](const std::string& text) { return rest.contains(HashWord(Trimmed(text))); };
  const auto& sample = self->sample.sentences;
  self->overlap.rows = {static_cast<uint64_t>(std::count_if(sample.begin(), sample.end(), seen))};
  return halves;
}

}  // namespace

void EvalSelf(const EvalOptions& options) {
  const bool stored = !options.model.empty();
  if (!stored && options.table.table.empty()) {
    throw UsageError("--table and --column are required, or --model");
  }
  if (options.sample < 1) throw UsageError("sample: a whole number of rows from 1 expected");
  ModelOption(options.model);
  std::vector<EncoderSpec> specs = ParseEncoders(options.encoders, options.commands);
  Settings settings;
  CheckUsage([&] {
    options.parameters.Apply(&settings);
    ValidateConfig(settings.config());
    if (stored) CheckParameters(options, specs, {"seed", "min_count"});
  });
  if (stored && options.encoders.empty()) {
    specs = ParseEncoders("model,model-raw,tfidf", options.commands);
  }
  const Database db(options.path, Database::kRead);
  StatusLine status(!options.quiet);
  Execute(db.get(), "BEGIN");  // one state of the table for both readings of it
  EncoderFactory factory(db.get(), options, &status);
  SelfResult self;
  self.origin = options.table;
  if (self.origin.table.empty()) self.origin = ParseCorpusOrigin(db.get(), factory.model().corpus);
  if (self.origin.table.empty()) {
    throw InvalidArgument(
        "the model does not say what it was trained on; name a table with --table");
  }
  if (!stored) ChooseTokenizer(db.get(), self.origin, &settings);
  self.tokenizer = stored ? factory.model().tokenizer : settings.config().tokenizer;
  HalfRetrieval halves =
      stored ? MeasureStored(db.get(), options, settings.config(), factory.model(), &status, &self)
             : TrainAndMeasure(db.get(), options, settings, &status, &self);
  for (const EncoderSpec& spec : specs) {
    if (specs.size() > 1) status.Begin("measuring " + spec.name);
    halves.Measure(&factory.Make(spec));
  }
  halves.MeasureFullText(db.get());
  status.Clear();
  Print(self, halves, specs, options.json);
}

}  // namespace s2v
