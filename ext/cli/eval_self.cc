// s2v eval self DB --table T --column C [--where SQL] [--sample N] [--model NAME] [every training
// parameter]
//
// How good a model of this table is, without labels. A random sample of its rows is held out, a
// model is trained on the rest and stored nowhere. Then
//
//   held-out loss   mean of eq. 3 over the target words of the held-out rows
//   (core/eval/held_out_loss.h): for
//                   comparing settings
//   retrieval       each held-out row of 8 tokens or more is cut into two halves; the first half
//   has to find its
//                   second half among those of all of them: recall@1, recall@10, mean reciprocal
//                   rank. For comparing with what needs no model: TF-IDF, and BM25 of SQLite's
//                   FTS5.
//
// With --model a stored model is measured instead, by retrieval, and told how much of the sample it
// was trained on.
#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "core/eval/held_out_loss.h"
#include "core/eval/retrieval.h"
#include "core/train/trainer.h"
#include "ext/cli/database.h"
#include "ext/cli/eval.h"
#include "ext/cli/text_table.h"
#include "sql/full_text_ranks.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr uint64_t kSample = 2000;    // rows
constexpr uint64_t kTableShare = 10;  // at most one row in so many is held out
constexpr size_t kMinHalves = 2;

struct Outcome {
  std::string encoder;
  std::optional<RetrievalScore> score;
};

class SelfTask {
 public:
  SelfTask(sqlite3* db, const EvalOptions& options, Config config, uint64_t wanted)
      : db_(db),
        options_(options),
        config_(std::move(config)),
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
    tfidf_.emplace(*FindTokenizer(config_.tokenizer));
    Split();
    tfidf_->Fit(static_cast<uint64_t>(config_.min_count));
    Cut();
    if (reader_) {
      MeasureModel(reader_->info().shape, &*reader_);
    } else {
      TrainAndMeasure();
    }
    Retrieve(&*tfidf_);
    RetrieveFullText();
    CountTrainedOn();
    status_.Clear();
    WriteOutput(options_.json ? Json() : Text());
  }

 private:
  void OpenModel() {
    reader_.emplace(db_, ModelOption(options_));
    config_.tokenizer = reader_->info().tokenizer;
  }

  // Reads the table twice: to count, and to part it.
  void Split() {
    for (SentenceTable table(db_, origin_.table, origin_.column, origin_.where); table.Next();) {
      texts_++;
      if (texts_ % 1024 == 0) status_.Show("counting rows: " + std::to_string(texts_));
    }
    const uint64_t size = std::min(wanted_, texts_ / kTableShare);
    if (size == 0) {
      throw InvalidArgument("table '" + origin_.table + "' has " + std::to_string(texts_) +
                            " texts; at least " + std::to_string(kTableShare) + " are needed");
    }
    std::vector<uint64_t> held;
    const Permutation order(static_cast<uint64_t>(config_.seed), texts_);
    for (uint64_t i = 0; i < size; i++) held.push_back(order[i]);
    std::sort(held.begin(), held.end());
    if (!reader_) builder_.emplace(config_);
    SentenceTable table(db_, origin_.table, origin_.column, origin_.where);
    for (uint64_t i = 0, next = 0; table.Next(); i++) {
      if (next < held.size() && held[next] == i) {
        sample_.sentences.emplace_back(table.text());
        sample_.heads.emplace_back();
        next++;
        continue;
      }
      tfidf_->AddText(table.text());
      if (builder_) {
        builder_->Add(table.text());
        for_components_.Add(table.text());
      }
      rest_.insert(HashWord(Trimmed(table.text())));
      if (i % 1024 == 0) status_.Show("reading: " + std::to_string(i) + " texts");
    }
  }

  void Cut() {
    for (const std::string& text : sample_.sentences) {
      auto halves = Halves(*FindTokenizer(config_.tokenizer), text);
      if (halves.first.empty()) continue;
      firsts_.push_back(std::move(halves.first));
      seconds_.push_back(std::move(halves.second));
    }
  }

  void TrainAndMeasure() {
    Model model = Train(config_, builder_->Finish(), [this](const Progress& progress) {
      status_.Show("training: " + std::to_string(static_cast<int>(100 * progress.fraction)) + " %");
      return true;
    });
    FitComponents(for_components_.texts(), &model);
    loss_ = HeldOutLoss(model, sample_.sentences);
    training_loss_ = model.epoch_losses.back();
    ModelFeatures features(model);
    MeasureModel(ShapeOf(model), &features);
  }

  void MeasureModel(const EmbeddingShape& shape, FeatureSource* source) {
    const simd::Kernels& kernels = *simd::FindKernels(config_.kernel);
    for (const bool raw : {false, true}) {
      EmbeddingEncoder encoder(raw ? "model-raw" : "model", shape, source, kernels, raw);
      Retrieve(&encoder);
    }
  }

  void Retrieve(SentenceEncoder* encoder) {
    outcomes_.push_back({encoder->name(), std::nullopt});
    if (firsts_.size() < kMinHalves) return;
    status_.Show("retrieval: " + encoder->name());
    std::vector<FeatureVector> queries(firsts_.size()), candidates(firsts_.size());
    for (size_t i = 0; i < firsts_.size(); i++) {
      encoder->Encode(firsts_[i], &queries[i]);
      encoder->Encode(seconds_[i], &candidates[i]);
    }
    outcomes_.back().score = ScoreRanks(CosineRanks(queries, candidates, encoder->dimension()));
  }

  void RetrieveFullText() {
    outcomes_.push_back({"bm25", std::nullopt});
    if (firsts_.size() < kMinHalves) return;
    const auto ranks =
        FullTextRanks(firsts_, seconds_, *FindTokenizer(config_.tokenizer), [this](size_t done) {
          status_.Show("retrieval: bm25, " + std::to_string(done) + " rows");
        });
    no_fts5_ = !ranks;
    if (ranks) outcomes_.back().score = ScoreRanks(*ranks);
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
              origin_.table + "." + origin_.column +
              "; no held-out loss, as nothing was held out from it\n";
    } else {
      text += "trained on " + std::to_string(texts_ - sample_.rows()) + " rows of " +
              origin_.table + "." + origin_.column + ", held out " +
              std::to_string(sample_.rows()) + "\n";
      text += MeanLoss()
                  ? "held-out loss " + LossText(*MeanLoss()) + " over " +
                        std::to_string(loss_.targets) +
                        " target words (training, last epoch: " + LossText(training_loss_) + ")\n"
                  : "no held-out loss: no held-out row has two known words\n";
    }
    text += OverlapText(overlap_, {&sample_, 1});
    if (firsts_.size() < kMinHalves) {
      return text + "no retrieval: fewer than two rows of the sample have " +
             std::to_string(kMinTokensToHalve) + " tokens to be cut in halves\n";
    }
    text += "retrieval of a row's second half by its first, among " +
            std::to_string(firsts_.size()) + ":\n";
    TextTable table({"encoder", "recall@1>", "recall@10>", "MRR>"});
    for (const Outcome& outcome : outcomes_) {
      if (!outcome.score) continue;
      table.AddRow({outcome.encoder, Percent(outcome.score->recall_at_1),
                    Percent(outcome.score->recall_at_10),
                    Percent(outcome.score->mean_reciprocal_rank)});
    }
    text += table.Text() + "percent; MRR: mean reciprocal rank\n";
    if (no_fts5_) text += "bm25 was left out: this SQLite has no FTS5\n";
    return text;
  }

  static std::string LossText(double loss) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.4f", loss);
    return text;
  }

  std::string Json() const {
    const std::string head = "{\"task\":\"self\",\"table\":" + JsonString(origin_.table) +
                             ",\"column\":" + JsonString(origin_.column) +
                             ",\"sample\":" + std::to_string(sample_.rows());
    std::string lines;
    if (!reader_) {
      lines += head + ",\"encoder\":\"model\",\"training_rows\":" +
               std::to_string(texts_ - sample_.rows()) +
               ",\"held_out_loss\":" + JsonNumber(MeanLoss()) +
               ",\"targets\":" + std::to_string(loss_.targets) +
               ",\"training_loss\":" + NumberText(training_loss_) + "}\n";
    }
    for (const Outcome& outcome : outcomes_) {
      const auto& score = outcome.score;
      const auto figure = [&](double RetrievalScore::*member) {
        return JsonNumber(score ? std::optional<double>(*score.*member) : std::nullopt);
      };
      lines += head + ",\"encoder\":" + JsonString(outcome.encoder) +
               ",\"trained_on\":" + JsonCount(overlap_.Rows(0)) +
               ",\"queries\":" + std::to_string(firsts_.size()) +
               ",\"recall_at_1\":" + figure(&RetrievalScore::recall_at_1) +
               ",\"recall_at_10\":" + figure(&RetrievalScore::recall_at_10) +
               ",\"mean_reciprocal_rank\":" + figure(&RetrievalScore::mean_reciprocal_rank) + "}\n";
    }
    return lines;
  }

  sqlite3* db_;
  const EvalOptions& options_;
  Config config_;
  const uint64_t wanted_;
  StatusLine status_;
  std::optional<ModelReader> reader_;  // with --model
  CorpusOrigin origin_;
  uint64_t texts_ = 0;  // of the table
  EvalFile sample_{"", "the sample", {}, {}, 1};
  std::unordered_set<uint64_t> rest_;  // hashes of the texts that were not held out
  std::optional<CorpusBuilder> builder_;
  TextSample for_components_{1};
  std::optional<TfIdf> tfidf_;
  std::vector<std::string> firsts_, seconds_;  // [rows that are long enough]
  StepLoss loss_;
  double training_loss_ = 0;
  std::vector<Outcome> outcomes_;
  Overlap overlap_;
  bool no_fts5_ = false;
};

}  // namespace

void EvalSelf(const EvalOptions& options) {
  CheckTableOptions(options);
  if (options.table.table.empty() && options.model.empty()) {
    throw UsageError("--table and --column are required, or --model");
  }
  Config config;
  uint64_t wanted = kSample;
  try {
    options.parameters.Apply(&config);
    ValidateConfig(config);
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
  if (!options.model.empty()) RefuseParameters(options, {"seed", "kernel", "min_count"});
  if (!options.sample.empty()) wanted = SampleOption(options);
  const Database db(options.path, Database::kRead);
  SelfTask(db.get(), options, config, wanted).Run();
}

}  // namespace s2v
