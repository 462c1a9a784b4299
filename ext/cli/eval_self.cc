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
           Settings settings, uint64_t wanted)
      : db_(db),
        options_(options),
        specs_(std::move(specs)),
        settings_(std::move(settings)),
        wanted_(wanted),
        status_(!options.quiet) {}

  void Run() {
    // One state of the table for both readings of it.
    Execute(db_, "BEGIN");
    if (!options_.model.empty()) OpenModel();
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
    if (reader_) {
      MeasureStoredLoss();
    } else {
      TrainAndMeasure();
    }
    if (options_.encoders.empty()) {
      if (reader_) {
        halves_->MeasureModel(reader_->info().shape, &*reader_, simd::BestKernels());
      }
      halves_->Measure(&*tfidf_);
    }
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
  void OpenModel() {
    reader_.emplace(db_, ModelOption(options_.model));
    settings_.Set("tokenizer", reader_->info().tokenizer);
  }

  void Split() {
    if (!reader_) builder_.emplace(settings_.config());
    texts_ = SplitTable(
        db_, origin_, static_cast<uint64_t>(settings_.config().seed), wanted_,
        [this](std::string_view text) {
          tfidf_->AddText(text);
          if (builder_) builder_->Add(text);
          rest_.insert(HashWord(Trimmed(text)));
        },
        &status_, &sample_);
  }

  void TrainAndMeasure() {
    ChooseSettings(builder_->shape(), &settings_);
    builder_->Configure(settings_.config());
    Model model = Train(settings_.config(), builder_->Finish(), [this](const Progress& progress) {
      status_.Show("training: " + std::to_string(static_cast<int>(100 * progress.fraction)) + " %");
      return true;
    });
    RoundToElement(&model);
    ModelFeatures features(model);
    halves_->MeasureModel(ShapeOf(model), &features, simd::BestKernels());
    LengthenRows(&model);
    loss_ = HeldOutLoss(&model, sample_.sentences);
    training_loss_ = model.epoch_losses.back();
  }

  void MeasureStoredLoss() {
    if (reader_->info().targets < 2) return;  // converted: it keeps none
    status_.Show("loading the model");
    Model model = LoadModel(db_, {reader_->info().schema, reader_->info().name});
    status_.Show("loss");
    LengthenRows(&model);
    loss_ = HeldOutLoss(&model, sample_.sentences);
    if (!model.epoch_losses.empty()) training_loss_ = model.epoch_losses.back();
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

  std::string Text() const {
    std::string text;
    if (reader_) {
      text += "model '" + reader_->info().name + "' on a sample of " +
              std::to_string(sample_.rows()) + " of " + std::to_string(texts_) + " rows of " +
              origin_.table + "." + origin_.column + "\n";
      text += MeanLoss() ? "loss " + Format("%.4f", *MeanLoss()) + " over " +
                               std::to_string(loss_.targets) +
                               " target words of the sample (training, last epoch: " +
                               Format("%.4f", training_loss_) +
                               "); not a held-out loss where these rows were trained on\n"
                         : "no loss: no row of the sample has two known words\n";
    } else {
      text += "trained on " + std::to_string(texts_ - sample_.rows()) + " rows of " +
              origin_.table + "." + origin_.column + ", held out " +
              std::to_string(sample_.rows()) + "\n";
      text += MeanLoss()
                  ? "held-out loss " + Format("%.4f", *MeanLoss()) + " over " +
                        std::to_string(loss_.targets) +
                        " target words (training, last epoch: " + Format("%.4f", training_loss_) +
                        ")\n"
                  : "no held-out loss: no held-out row has two known words\n";
    }
    text += OverlapText(overlap_, {&sample_, 1});
    if (!halves_->enough()) {
      return text + "no retrieval: fewer than two rows of the sample have " +
             std::to_string(kMinTokensToHalve) + " tokens to be cut in halves\n";
    }
    text += "retrieval of a row's second half by its first, among " +
            std::to_string(halves_->queries()) + ":\n";
    TextTable table({"encoder", "recall@1>", "recall@10>", "MRR>"});
    for (const RetrievalOutcome& outcome : halves_->outcomes()) {
      if (!outcome.score) continue;
      table.AddRow({outcome.encoder, Percent(outcome.score->recall_at_1),
                    Percent(outcome.score->recall_at_10),
                    Percent(outcome.score->mean_reciprocal_rank)});
    }
    text += table.Text() + "percent; MRR: mean reciprocal rank\n";
    const auto made = [](const EncoderSpec& spec) { return spec.made(); };
    if (std::any_of(specs_.begin(), specs_.end(), made)) {
      text += "what is made for this is made from all rows of the table, the sample's too\n";
    }
    if (halves_->no_fts5()) text += "bm25 was left out: this SQLite has no FTS5\n";
    return text;
  }

  std::string Json() const {
    std::string lines;
    const auto object = [&](const std::string& encoder) {
      return JsonObject()
          .Add("task", "self")
          .Add("table", origin_.table)
          .Add("column", origin_.column)
          .Add("sample", sample_.rows())
          .Add("encoder", encoder);
    };
    JsonObject line = object("model");
    if (reader_) {
      line.Add("model", reader_->info().name).Add("trained_on", overlap_.Rows(0));
      line.Add("sample_loss", MeanLoss());
    } else {
      line.Add("training_rows", texts_ - sample_.rows()).Add("held_out_loss", MeanLoss());
    }
    lines += line.Add("targets", loss_.targets).Add("training_loss", training_loss_).Text() + "\n";
    for (const RetrievalOutcome& outcome : halves_->outcomes()) {
      const auto figure = [&](double RetrievalScore::*member) {
        return outcome.score ? std::optional<double>(*outcome.score.*member) : std::nullopt;
      };
      lines += object(outcome.encoder)
                   .Add("trained_on", IsForeign(outcome.encoder) ? std::nullopt : overlap_.Rows(0))
                   .Add("queries", halves_->queries())
                   .Add("recall_at_1", figure(&RetrievalScore::recall_at_1))
                   .Add("recall_at_10", figure(&RetrievalScore::recall_at_10))
                   .Add("mean_reciprocal_rank", figure(&RetrievalScore::mean_reciprocal_rank))
                   .Text() +
               "\n";
    }
    return lines;
  }

  bool IsForeign(const std::string& encoder) const {
    return std::any_of(specs_.begin(), specs_.end(), [&](const EncoderSpec& spec) {
      return spec.foreign() && spec.name == encoder;
    });
  }

  sqlite3* db_;
  const EvalOptions& options_;
  const std::vector<EncoderSpec> specs_;
  const EncoderRequest request_{ModelOption(options_.model), options_.table, &options_.parameters};
  Settings settings_;
  const uint64_t wanted_;
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

// What is measured besides the model that is trained, or --model's and TF-IDF. Checks which
// parameters it wants.
std::vector<EncoderSpec> SpecsOf(const EvalOptions& options) {
  if (options.encoders.empty()) {
    if (!options.model.empty()) RefuseParameters(options, {"seed", "min_count"});
    return ParseEncoders({}, options.commands);
  }
  if (options.model.empty()) throw UsageError("--encoders requires --model");
  std::vector<EncoderSpec> specs = ParseEncoders(options.encoders, options.commands);
  CheckUsage([&] {
    if (!CheckMade(options, specs)) RefuseParameters(options, {"seed", "min_count"});
  });
  return specs;
}

}  // namespace

void EvalSelf(const EvalOptions& options) {
  CheckTableOptions(options);
  if (options.table.table.empty() && options.model.empty()) {
    throw UsageError("--table and --column are required, or --model");
  }
  Settings settings;
  uint64_t wanted = kSampleRows;
  CheckUsage([&] {
    options.parameters.Apply(&settings);
    ValidateConfig(settings.config());
  });
  const std::vector<EncoderSpec> specs = SpecsOf(options);
  if (!options.sample.empty()) wanted = SampleOption(options);
  const Database db(options.path, Database::kRead);
  SelfTask(db.get(), options, specs, settings, wanted).Run();
}

}  // namespace s2v
