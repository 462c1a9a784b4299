// s2v eval self DB --table T --column C [--where SQL] [--sample N] [--model NAME] [every training
// parameter]
//
// How good a model of this table is, without labels. A random sample of its rows is held out, a
// model is trained on the rest and stored nowhere. Then
//
//   held-out loss   mean of eq. 3 over the target words of the held-out rows
//                   (core/eval/held_out_loss.h): for comparing settings
//   retrieval       each held-out row of 8 tokens or more is cut into two halves; the first half
//                   has to find its second half among those of all of them: recall@1, recall@10,
//                   mean reciprocal rank. For comparing with what needs no model: TF-IDF, and BM25
//                   of SQLite's FTS5; and with --encoder-command.
//
// With --model a stored model is measured instead, and told how much of the sample it was trained
// on; --encoders compares it with rivals that are made from the same table.
#include <algorithm>
#include <functional>
#include <unordered_set>

#include "core/error.h"
#include "core/eval/held_out_loss.h"
#include "core/settings.h"
#include "core/train/trainer.h"
#include "core/train/whitening.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/retrieval.h"
#include "ext/cli/text.h"
#include "sql/json.h"
#include "sql/model_store.h"

namespace s2v {
namespace {

class SelfTask {
 public:
  // specs: what to measure besides the model that is trained; with --encoders all there is.
  SelfTask(sqlite3* db, const EvalOptions& options, std::vector<EncoderSpec> specs,
           Settings settings)
      : db_(db),
        options_(options),
        specs_(std::move(specs)),
        settings_(std::move(settings)),
        status_(!options.quiet) {}

  void Run() {
    // One state of the table for both readings of it.
    Execute(db_, "BEGIN");
    if (!options_.model.empty()) {
      reader_.emplace(db_, ModelOption(options_.model));
      settings_.Set("tokenizer", reader_->info().tokenizer);
    }
    origin_ = options_.table.table.empty() ? ParseCorpusOrigin(db_, reader_->info().corpus)
                                           : options_.table;
    if (origin_.table.empty()) {
      throw InvalidArgument(
          "the model does not say what it was trained on; name a table with --table");
    }
    tfidf_.emplace(*FindTokenizer(settings_.config().tokenizer));
    Split();
    tfidf_->Fit(static_cast<uint64_t>(settings_.config().min_count));
    halves_.emplace(*FindTokenizer(settings_.config().tokenizer), sample_.sentences, &status_);
    reader_ ? MeasureStored() : TrainAndMeasure();
    if (options_.encoders.empty()) halves_->Measure(&*tfidf_);
    EncoderFactory factory(db_, request_, &status_);
    for (const EncoderSpec& spec : specs_) {
      if (specs_.size() > 1) status_.Begin("measuring " + spec.name);
      halves_->Measure(&factory.Make(spec));
    }
    halves_->MeasureFullText();
    CountTrainedOn();
    status_.Clear();
    WriteOutput(options_.json ? Json() : Text());
  }

 private:
  void Split() {
    if (!reader_) builder_.emplace(settings_.config());
    texts_ = SplitTable(
        db_, origin_, static_cast<uint64_t>(settings_.config().seed),
        static_cast<uint64_t>(options_.sample),
        [this](std::string_view text) {
          tfidf_->AddText(text);
          if (builder_) builder_->Add(text);
          rest_.insert(HashWord(Trimmed(text)));
        },
        &status_, &sample_);
  }

  void TrainAndMeasure() {
    Model model = TrainInMemory(settings_, &*builder_, "the model", &status_);
    ModelFeatures features(model);
    halves_->MeasureModel(ShapeOf(model), &features, simd::BestKernels());
    MeasureLoss(&model);
  }

  void MeasureStored() {
    if (reader_->info().targets >= 2) {  // a converted model keeps none
      status_.Show("loading the model");
      Model model = LoadModel(db_, {reader_->info().schema, reader_->info().name});
      MeasureLoss(&model);
    }
    if (options_.encoders.empty()) {
      halves_->MeasureModel(reader_->info().shape, &*reader_, simd::BestKernels());
    }
  }

  void MeasureLoss(Model* model) {
    status_.Show("loss");
    LengthenRows(model);
    loss_ = HeldOutLoss(model, sample_.sentences);
    if (!model->epoch_losses.empty()) training_loss_ = model->epoch_losses.back();
  }

  // How much of the sample the model has seen: by the rows that were not held out, or by the table
  // that the stored model was trained on.
  void CountTrainedOn() {
    if (reader_) {
      overlap_ =
          FindOverlap(db_, ParseCorpusOrigin(db_, reader_->info().corpus), {&sample_, 1}, &status_);
      return;
    }
    overlap_.table = "the rest of " + origin_.table + "." + origin_.column;
    uint64_t rows = 0;
    for (const std::string& text : sample_.sentences) rows += rest_.count(HashWord(Trimmed(text)));
    overlap_.rows = {rows};
  }

  std::optional<double> MeanLoss() const {
    if (loss_.targets == 0) return std::nullopt;
    return loss_.loss / static_cast<double>(loss_.targets);
  }

  static std::optional<double> Figure(const RetrievalOutcome& outcome,
                                      double RetrievalScore::*figure) {
    return outcome.score ? std::optional<double>(*outcome.score.*figure) : std::nullopt;
  }

  std::string Text() const {
    const std::string table = origin_.table + "." + origin_.column;
    std::string text = reader_ ? Format("model '%s' on a sample of %lld of %lld rows of %s\n",
                                        reader_->info().name, sample_.rows(), texts_, table)
                               : Format("trained on %lld rows of %s, held out %lld\n",
                                        texts_ - sample_.rows(), table, sample_.rows());
    if (MeanLoss()) {
      text += Format("%sloss %.4f over %lld target words%s (training, last epoch: %.4f)%s\n",
                     reader_ ? "" : "held-out ", *MeanLoss(), loss_.targets,
                     reader_ ? " of the sample" : "", training_loss_,
                     reader_ ? "; not a held-out loss where these rows were trained on" : "");
    } else {
      text += reader_ ? "no loss: no row of the sample has two known words\n"
                      : "no held-out loss: no held-out row has two known words\n";
    }
    text += OverlapText(overlap_, {&sample_, 1});
    if (!halves_->enough()) {
      return text + Format(
                        "no retrieval: fewer than two rows of the sample have %lld tokens to be "
                        "cut in halves\n",
                        kMinTokensToHalve);
    }
    text +=
        Format("retrieval of a row's second half by its first, among %lld:\n", halves_->queries());
    TextTable outcomes({"encoder", "recall@1>", "recall@10>", "MRR>"});
    for (const RetrievalOutcome& outcome : halves_->outcomes()) {
      if (!outcome.score) continue;
      outcomes.AddRow({outcome.encoder, Percent(Figure(outcome, &RetrievalScore::recall_at_1)),
                       Percent(Figure(outcome, &RetrievalScore::recall_at_10)),
                       Percent(Figure(outcome, &RetrievalScore::mean_reciprocal_rank))});
    }
    text += outcomes.Text() + "percent; MRR: mean reciprocal rank\n";
    if (std::any_of(specs_.begin(), specs_.end(), std::mem_fn(&EncoderSpec::made))) {
      text += "what is made for this is made from all rows of the table, the sample's too\n";
    }
    if (halves_->no_fts5()) text += "bm25 was left out: this SQLite has no FTS5\n";
    return text;
  }

  std::string Json() const {
    const JsonObject sample = JsonObject()
                                  .Add("task", "self")
                                  .Add("table", origin_.table)
                                  .Add("column", origin_.column)
                                  .Add("sample", sample_.rows());
    JsonObject line = JsonObject(sample).Add("encoder", "model");
    if (reader_) {
      line.Add("model", reader_->info().name).Add("trained_on", overlap_.Rows(0));
      line.Add("sample_loss", MeanLoss());
    } else {
      line.Add("training_rows", texts_ - sample_.rows()).Add("held_out_loss", MeanLoss());
    }
    line.Add("targets", loss_.targets).Add("training_loss", training_loss_);
    std::string lines = line.Text() + "\n";
    for (const RetrievalOutcome& outcome : halves_->outcomes()) {
      const bool foreign = std::any_of(specs_.begin(), specs_.end(), [&](const EncoderSpec& spec) {
        return spec.foreign() && spec.name == outcome.encoder;
      });
      line = JsonObject(sample).Add("encoder", outcome.encoder);
      line.Add("trained_on", foreign ? std::nullopt : overlap_.Rows(0));
      line.Add("queries", halves_->queries());
      line.Add("recall_at_1", Figure(outcome, &RetrievalScore::recall_at_1));
      line.Add("recall_at_10", Figure(outcome, &RetrievalScore::recall_at_10));
      line.Add("mean_reciprocal_rank", Figure(outcome, &RetrievalScore::mean_reciprocal_rank));
      lines += line.Text() + "\n";
    }
    return lines;
  }

  sqlite3* db_;
  const EvalOptions& options_;
  const std::vector<EncoderSpec> specs_;
  const EncoderRequest request_{ModelOption(options_.model), options_.table, &options_.parameters};
  Settings settings_;
  StatusLine status_;
  std::optional<ModelReader> reader_;  // with --model
  CorpusOrigin origin_;
  uint64_t texts_ = 0;  // of the table
  EvalFile sample_;
  std::unordered_set<uint64_t> rest_;  // hashes of the texts that were not held out
  std::optional<CorpusBuilder> builder_;
  std::optional<TfIdf> tfidf_;
  std::optional<HalfRetrieval> halves_;
  StepLoss loss_;
  double training_loss_ = 0;
  Overlap overlap_;
};

}  // namespace

void EvalSelf(const EvalOptions& options) {
  CheckTableOptions(options);
  if (options.model.empty() && options.table.table.empty()) {
    throw UsageError("--table and --column are required, or --model");
  }
  if (options.model.empty() && !options.encoders.empty()) {
    throw UsageError("--encoders requires --model");
  }
  if (options.sample < 1) throw UsageError("sample: a whole number of rows from 1 expected");
  const std::vector<EncoderSpec> specs = ParseEncoders(options.encoders, options.commands);
  Settings settings;
  CheckUsage([&] {
    options.parameters.Apply(&settings);
    ValidateConfig(settings.config());
    if (!options.model.empty()) CheckParameters(options, specs, {"seed", "min_count"});
  });
  const Database db(options.path, Database::kRead);
  SelfTask(db.get(), options, specs, settings).Run();
}

}  // namespace s2v
