#include "sql/update_model.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/train/trainer.h"
#include "core/train/whitening.h"
#include "sql/innocuous.h"
#include "sql/json.h"
#include "sql/model_loader.h"
#include "sql/model_lock.h"
#include "sql/model_reader.h"
#include "sql/model_store.h"
#include "sql/sentence_table.h"
#include "sql/system/memory.h"

namespace s2v {
namespace {

// Which rows of the model's table are old and which are new: of both those alone that meet the
// condition of its training.
struct Division {
  std::string table, old_rows, new_rows;  // SQL expressions
};

std::string Both(const std::string& a, const std::string& b) {
  return a.empty() ? b : "(" + a + "\n) AND (" + b + "\n)";
}

class UpdateJob : ModelJob {
 public:
  UpdateJob(sqlite3* db, const UpdateRequest& request, const TrainObserver& observer)
      : ModelJob(db, observer), request_(request) {}

  UpdateResult Run() {
    CheckUpdateRequest(request_);
    Model former = Load();
    std::optional<Corpus> corpus = ReadCorpus(former);
    result_.seconds.reading = Lap();
    if (!corpus) return result_;
    if (corpus->sentences() == corpus->first_new_sentence) {
      if (undo_) undo_->Release();
      undo_.reset();
      result_.warning =
          "the new texts hold no two words that are known or frequent enough: the next update reads them again";
      return result_;
    }
    if (result_.warning.empty()) result_.warning = DroppedWordsWarning(*corpus, former.config);

    Model model = TrainOn(std::move(former), std::move(*corpus));
    result_.seconds.training = Lap();

    AddUpdate(model);
    const ModelInfo& before = result_.model;
    result_.model =
        Save({{before.schema, before.name}, CorpusJson(result_.origin), false, before.hash}, model,
             request_.lock_wait_milliseconds);
    Release(result_.model.schema);
    result_.seconds.storing = Lap();
    return result_;
  }

 private:
  // The model as it is, in a transaction that Read ends.
  Model Load() {
    undo_.emplace(db_);
    const ModelName name = request_.model.empty() ? ModelName() : ParseModelName(request_.model);
    result_.model = ModelReader(db_, name).info();
    const ModelInfo& info = result_.model;
    result_.former_hash = info.hash;
    result_.origin = ParseCorpusOrigin(db_, info.corpus);
    CheckWritable(db_, info.schema);
    if (in_transaction_) LockForSaving(db_, info.schema);
    const std::string model = "model '" + info.name + "' ";
    if (result_.origin.table.empty()) {
      throw InvalidArgument(model +
                            "does not tell which table it was trained on, as imported ones do not; "
                            "train one with s2v_train");
    }
    if (info.element != Element::kFloat32) {
      throw InvalidArgument(model + "is stored as " + std::string(ElementName(info.element)) +
                            ", without the target embeddings that training needs: update the "
                            "float32 model that it was made from, and convert that again");
    }
    if (info.targets == 0) {
      throw InvalidArgument(model +
                            "has no target embeddings, which training needs; update the model "
                            "that it was converted from, or train one with s2v_train");
    }
    return LoadModel(db_, {info.schema, info.name});
  }

  Division Divide() const {
    const CorpusOrigin& origin = result_.origin;
    Division division;
    division.table = CorpusTable(db_, result_.model.schema, origin);
    CheckStoredTable(db_, division.table);
    const SentenceTable table(db_, division.table, origin.column, origin.where);
    if (!request_.where.empty()) {
      // Told apart before anything is put together.
      const SentenceTable check(db_, division.table, origin.column, request_.where);
      division.new_rows = Both(origin.where, request_.where);
      division.old_rows = Both(origin.where, "(" + request_.where + "\n) IS NOT TRUE");
      return division;
    }
    const std::string rowid = table.RowidName();
    if (rowid.empty()) {
      throw InvalidArgument(
          "table '" + origin.table +
          "' has no rowid to tell new rows by, as views and virtual tables have none: say with where which are new");
    }
    const std::optional<int64_t> since = request_.since ? request_.since : origin.max_rowid;
    if (!since) {
      throw InvalidArgument("model '" + result_.model.name +
                            "' does not remember the largest rowid that it has seen: say with "
                            "since or where which rows are new");
    }
    const std::string limit = std::to_string(*since);
    division.new_rows = Both(origin.where, rowid + " > " + limit);
    division.old_rows = Both(origin.where, rowid + " <= " + limit);
    return division;
  }

  // How the rows are read and trained on: as the former model was, but for what belongs to the
  // machine.
  Config ConfigFor(const Model& former) const {
    Config config = former.config;
    config.workers = request_.workers;
    return config;
  }

  // nullopt where there are no new rows.
  std::optional<Corpus> ReadCorpus(const Model& former) {
    const int64_t limit = request_.memory_limit;
    CorpusBuilder builder(ConfigFor(former), TextSpool(limit), WordBytes(limit));
    builder.ContinueFrom(former);
    Read(&builder);
    if (!in_transaction_ || result_.new_texts == 0) {
      undo_->Release();
      undo_.reset();
    }
    if (result_.new_texts == 0) return std::nullopt;
    return builder.Finish([this] { Report(); });
  }

  // Whether rows came that the model has not seen and is not to see now. By the largest rowid they
  // would be taken for seen.
  bool LeavesRowsOut(const Division& division) const {
    const CorpusOrigin& origin = result_.origin;
    const std::string rowid = SentenceTable(db_, division.table, origin.column, "").RowidName();
    if (rowid.empty() || !origin.max_rowid) return !request_.since;
    const std::string unseen = rowid + " > " + std::to_string(*origin.max_rowid);
    SentenceTable left_out(
        db_, division.table, origin.column,
        Both(origin.where, unseen + " AND (" + division.new_rows + "\n) IS NOT TRUE"));
    return left_out.Next();
  }

  // Rows that came with smaller rowids cannot be told from those that were trained on.
  void CheckOldTexts(uint64_t now) const {
    const auto trained = static_cast<uint64_t>(result_.model.texts);
    if (now <= trained) return;
    throw InvalidArgument("model '" + result_.model.name + "' has seen " + std::to_string(trained) +
                          " texts with rowids up to " +
                          std::to_string(result_.origin.max_rowid.value_or(0)) +
                          ", and there are " + std::to_string(now) +
                          " now: say with where which rows are new, or train anew");
  }

  void Read(CorpusBuilder* builder) {
    Division division;
    try {
      division = Divide();
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("model '" + result_.model.name + "', trained on " +
                            result_.origin.table + "." + result_.origin.column + ": " +
                            error.what());
    }
    const std::string& column = result_.origin.column;
    SentenceTable new_rows(db_, division.table, column, division.new_rows);
    const std::optional<int64_t> max_rowid = new_rows.MaxRowid();
    const bool has_new = new_rows.Next(), is_told = request_.since || !request_.where.empty();
    uint64_t old_texts = 0;
    if (has_new || !is_told) {
      SentenceTable old_rows(db_, division.table, column, division.old_rows);
      for (; old_rows.Next(); old_texts++) {
        if (!has_new) continue;
        old_sample_.Add(old_rows.text());
        AddText(old_rows.text(), builder);
      }
    }
    if (!is_told) CheckOldTexts(old_texts);
    if (has_new) {
      builder->BeginNew();
      do {
        result_.new_texts++;
        AddText(new_rows.text(), builder);
      } while (new_rows.Next());
      result_.warning = OutgrownModel(result_.model, old_texts + result_.new_texts);
      result_.origin.max_rowid = LeavesRowsOut(division) ? std::nullopt : max_rowid;
    } else if (!request_.where.empty() && !result_.origin.where.empty()) {
      SentenceTable others(db_, division.table, column, request_.where);
      if (others.Next()) {
        result_.warning = "no row that where chooses meets the condition that model '" +
                          result_.model.name + "' was trained with, " + result_.origin.where +
                          "; to change it, train anew";
      }
    }
    result_.skipped = new_rows.skipped();
  }

  Model TrainOn(Model former, Corpus corpus) {
    const uint64_t texts = corpus.text_count, sentences = corpus.sentences();
    Config config = ConfigFor(former);
    config.epochs = request_.epochs;
    config.learning_rate *= request_.learning_rate;
    config.whitening = 0;  // the rows are whitened
    // Other numbers than the training's: another order of the sentences, other samples, and n-grams
    // that join do not start where others did.
    config.seed = static_cast<int64_t>(
        Mix64(static_cast<uint64_t>(former.config.seed) ^ former.vocabulary.token_count) >> 12);
    result_.new_sentences = sentences - corpus.first_new_sentence;
    KeepForReplay(static_cast<uint64_t>(
                      std::ceil(request_.replay * static_cast<double>(result_.new_sentences))),
                  static_cast<uint64_t>(config.seed), &corpus);
    result_.replayed_sentences = corpus.first_new_sentence;
    MemoryNeed need = NeedOf(config, corpus);
    need.former =
        Matrix::Bytes(former.source.rows() + former.target.rows(), former.source.dimension());
    BeginTraining(need, request_.memory_limit, config);
    const std::vector<float> before = Embeddings(former);
    LengthenRows(&former);
    TrainingState state = StateOf(former, config, corpus);
    const Config trained_config = former.config;
    const std::string choices = former.choices;
    const bool favours_opening = former.favours_opening, knows_bursts = !former.word_bursts.empty();
    std::vector<double> losses = std::move(former.epoch_losses);
    const uint64_t former_words = former.vocabulary.size();
    const uint64_t former_ngrams = former.ngram_buckets.size();
    former = Model();

    Trainer trainer(config, std::move(corpus));
    trainer.StartFrom(std::move(state));
    trainer.Run([this](const Progress& p) {
      ObserveTraining(p);
      return observer_(progress_);
    });
    Model model = trainer.Finish([this] { Report(); });
    model.config = trained_config;
    model.favours_opening = favours_opening;
    if (!knows_bursts) model.word_bursts.clear();
    model.choices = choices;
    ShortenRows(&model);
    model.text_count = texts;
    model.sentence_count = sentences;
    result_.loss = model.epoch_losses.back();
    losses.insert(losses.end(), model.epoch_losses.begin(), model.epoch_losses.end());
    model.epoch_losses = std::move(losses);
    result_.new_words =
        model.vocabulary.size() - std::min<uint64_t>(model.vocabulary.size(), former_words);
    result_.new_ngrams = model.ngram_buckets.size() - former_ngrams;
    result_.drift = CompareEmbeddings(before, Embeddings(model), model.source.dimension());
    return model;
  }

  // Of the sample of old rows.
  std::vector<float> Embeddings(const Model& model) {
    ModelFeatures features(model);
    return EmbedAll(old_sample_.texts(), ShapeOf(model), &features);
  }

  // To what the model's origin tells.
  void AddUpdate(const Model& model) {
    const std::string entry =
        JsonObject()
            .Add("texts", result_.new_texts)
            .Add("replayed", result_.replayed_sentences)
            .Add("epochs", request_.epochs)
            .Add("learning_rate", request_.learning_rate * model.config.learning_rate)
            .Text();
    std::string& updates = result_.origin.updates;
    updates = updates.empty() ? "[" + entry + "]"
                              : updates.substr(0, updates.size() - 1) + "," + entry + "]";
  }

  const UpdateRequest& request_;
  TextSample old_sample_;
  UpdateResult result_;
};

template <typename T>
void CheckRange(const std::string& name, T value, T least, T most) {
  const auto text = [](T number) {
    return std::is_integral_v<T> ? std::to_string(number) : NumberText(static_cast<double>(number));
  };
  if (value >= least && value <= most) return;
  throw InvalidArgument(name + ": a number from " + text(least) + " to " + text(most) +
                        " expected, not " + text(value));
}

}  // namespace

void CheckUpdateRequest(const UpdateRequest& request) {
  CheckRange<int64_t>("epochs", request.epochs, 1, 100000);
  CheckRange("learning_rate", request.learning_rate, 1e-6, 10.0);
  CheckRange("replay", request.replay, 0.0, 1e6);
  CheckRange<int64_t>("workers", request.workers, 0, 1024);
  if (request.since && !request.where.empty()) {
    throw InvalidArgument("since and where both say which rows are new: give one of them");
  }
}

std::string UpdateResult::Json() const {
  JsonObject json;
  json.Add("model", model.name).Add("schema", model.schema).Add("hash", model.hash);
  json.Add("former_hash", former_hash).Add("new_texts", new_texts).Add("skipped", skipped);
  json.Add("new_sentences", new_sentences).Add("replayed_sentences", replayed_sentences);
  json.Add("words", model.words).Add("new_words", new_words).Add("ngrams", model.ngrams);
  json.Add("new_ngrams", new_ngrams).Add("drift_texts", drift.texts);
  json.AddJson("mean_cosine", drift.texts > 0 ? NumberText(drift.cosine) : "null");
  if (!warning.empty()) json.Add("warning", warning);
  return seconds.EndOfJson(&json, loss);
}

UpdateResult UpdateModel(sqlite3* db, const UpdateRequest& request, const TrainObserver& observer) {
  return UpdateJob(db, request, observer).Run();
}

}  // namespace s2v
