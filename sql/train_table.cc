#include "sql/train_table.h"

#include <memory>
#include <utility>

#include "core/text/utf8.h"
#include "core/train/rank_rounds.h"
#include "sql/json.h"
#include "sql/model_lock.h"
#include "sql/model_writer.h"
#include "sql/progress_statement.h"
#include "sql/resume.h"
#include "sql/system/memory.h"

namespace s2v {
namespace {

// The name to store under; the schema is never left open.
ModelName TargetName(sqlite3* db, const TrainRequest& request, const SentenceTable& table) {
  const bool is_named = !request.model.empty();
  ModelName name;
  try {
    name = ParseModelName(is_named ? request.model : table.name());
  } catch (const InvalidArgument&) {
    if (is_named) throw;
  }
  if (!is_named && (name.name.empty() || !name.schema.empty())) {
    throw InvalidArgument("table '" + request.table +
                          "' cannot lend its name to the model; name the model");
  }
  if (name.schema.empty())
    name.schema = table.schema().empty() || table.schema() == "temp" ? "main" : table.schema();
  // A table's name is the same in any case: so is that of the model before.
  std::string former;
  for (const ModelInfo& model : is_named ? std::vector<ModelInfo>() : ListModels(db)) {
    if (model.schema != name.schema || !IsSameName(model.name, name.name)) continue;
    if (model.name == name.name) return name;
    former = model.name;
  }
  if (!former.empty()) name.name = former;
  return name;
}

// Throws InvalidArgument where every vector is zero: such a model is not to take a better one's place.
void CheckNotZero(const Model& model) {
  const auto is_zero = [&](uint64_t row) {
    const float* vector = model.source[row];
    return std::all_of(vector, vector + model.source.dimension(), [](float x) { return x == 0; });
  };
  uint64_t row = 0;
  while (row < model.source.rows() && is_zero(row)) row++;
  if (row < model.source.rows() || row == 0) return;
  throw InvalidArgument("every vector has become zero, and nothing is stored; lower l1 (it was " +
                        NumberText(model.config.l1) + ")");
}

class TrainJob : ModelJob {
 public:
  TrainJob(sqlite3* db, const TrainRequest& request, const TrainObserver& observer)
      : ModelJob(db, observer), request_(request) {
    if (in_transaction_ && request_.checkpoint_every.value_or(0) > 0) {
      throw InvalidArgument(
          "checkpoints would be undone with the open transaction: leave checkpoint_every out, or "
          "train outside of BEGIN and COMMIT");
    }
    if (in_transaction_) request_.checkpoint_every = 0;
  }

  TrainResult Run() {
    CheckAlike(request_);
    if (request_.resume) resumed_ = FindCheckpoint(db_, &request_);
    ModelName name;
    Corpus corpus = ReadCorpus(&name);
    const std::string few_texts = FewTextsWarning(corpus.text_count);
    result_.warning = DroppedWordsWarning(corpus, config());
    if (result_.warning.empty()) result_.warning = few_texts;
    result_.seconds.reading = Lap();

    const Checkpoint head = Head(name, corpus);
    Model model = TrainOn(std::move(corpus), head);
    if (!Stores()) return result_;
    CheckNotZero(model);
    model.choices = head.choices;
    if (!model.epoch_losses.empty()) result_.loss = model.epoch_losses.back();
    if (result_.loss == 0) {
      result_.warning = "nothing was learned: no word was drawn as a target; " +
                        (few_texts.empty() ? "raise subsampling_threshold" : few_texts);
    }
    result_.seconds.training = Lap();

    SaveRequest save{.name = name, .corpus = head.corpus, .make_default = head.make_default};
    save.rebuild_indexes = request_.rebuild_indexes;
    result_.model = Save(save, model, request_.lock_wait_milliseconds);
    Release(name.schema);
    result_.seconds.storing = Lap();
    return result_;
  }

 private:
  const Config& config() const { return request_.settings.config(); }
  // Of ranks, the first one does.
  bool Stores() const { return request_.ranks->IsFirst(); }

  // Before the first text is cut. Of ranks, the first one decides.
  void ChooseTokenizer() {
    const Parameter& tokenizer = *FindParameter("tokenizer");
    const std::optional<std::string> format = OpenFormat(request_.settings);
    if (!format) return;
    LanguageGuess guess;
    if (Stores())
      guess =
          GuessTexts(db_, request_.table, std::span(&request_.column, 1), request_.where, *format);
    const std::vector<std::string> first =
        request_.ranks->GatherFirst({guess.tokenizer, guess.reason});
    guess = {first[0], first[1]};
    request_.settings.Choose(tokenizer, guess.tokenizer);
    tokenizer_choice_ = {tokenizer.name, guess.tokenizer, guess.reason};
  }

  Corpus ReadCorpus(ModelName* name) {
    const int64_t limit = request_.memory_limit;
    ChooseTokenizer();
    CorpusBuilder builder(config(), TextSpool(limit), WordBytes(limit));
    builder.ShareWith(request_.ranks);
    *name = Read(&builder);
    if (resumed_) {
      result_.choices = ParseChoices(db_, resumed_->choices);
    } else {
      result_.choices = ChooseSettings(builder.shape(), &request_.settings);
      if (tokenizer_choice_) result_.choices.push_back(*tokenizer_choice_);
    }
    builder.Configure(config());
    try {
      return builder.Finish([this] { Report(); });
    } catch (const InvalidArgument& error) {
      const char* const hint = request_.where.find('"') == std::string::npos
                                   ? ""
                                   : "; in double quotes a name that no column has is a text";
      throw InvalidArgument(read_ + ": " + error.what() + hint);
    }
  }

  Model TrainOn(Corpus corpus, const Checkpoint& head) {
    BeginTraining(NeedOf(config(), corpus, request_.ranks->size()), request_.memory_limit,
                  config());
    const uint64_t tokens = corpus.known_tokens * static_cast<uint64_t>(config().epochs);
    const auto rounds = MakeRankRounds(request_.ranks, config(), corpus);
    Trainer trainer(config(), std::move(corpus));
    RunTrainer(&trainer, head, rounds.get());
    result_.rounds = rounds->rounds();
    result_.exchanged_bytes = rounds->bytes();
    progress_.fraction = 1;  // a short training ends unobserved
    progress_.learning_rate = 0;
    progress_.tokens = tokens;
    Model model = trainer.Finish([this] { Report(); });
    return Stores() ? std::move(model) : Model();
  }

  // With checkpoints, where there are to be some.
  void RunTrainer(Trainer* trainer, const Checkpoint& head, RankRounds* rounds) {
    // A request to stop is kept until the checkpoint is stored.
    const auto announce = [this](bool begins) {
      progress_.phase = begins ? TrainProgress::kCheckpoint : TrainProgress::kTraining;
      if (begins) observer_(progress_);
    };
    if (resumed_) result_.resumed_at = resumed_->Fraction();
    Checkpointer checkpointer(db_, head, request_.checkpoint_every, result_.resumed_at, announce,
                              request_.warn);
    std::optional<double> kept;
    rounds->Join(trainer, [&](bool stop) {
      if (Stores() && stop) kept = checkpointer.StoreLast(trainer, progress_.fraction);
      if (Stores() && !stop) checkpointer.StoreIfDue(trainer, progress_.fraction);
      return !stop;
    });
    if (resumed_) StartFrom(*resumed_, head, trainer, rounds);
    bool stop = false;
    try {
      trainer->Run([&](const Progress& p) {
        ObserveTraining(p);
        progress_.tokens = rounds->TokensOfAll(p.tokens);
        stop = stop || !observer_(progress_);
        return rounds->Ask({stop, Stores() && checkpointer.IsDue(progress_.fraction)});
      });
    } catch (const Interrupted&) {
      if (!kept) throw;
      throw StoppedTraining(ModelName{head.schema, head.name}.Text(), *kept);
    }
  }

  void StartFrom(const Checkpoint& then, const Checkpoint& now, Trainer* trainer,
                 RankRounds* rounds) {
    TrainingState state;
    if (Stores()) {
      CheckSameCorpus(then, now, result_.origin.table);
      state = ReadCheckpoint(db_, then, config());
    } else {
      const auto dimension = static_cast<uint32_t>(config().dimension);
      state.position = then.position;
      state.source = Matrix(now.words + now.ngrams, dimension);
      state.target = Matrix(now.targets, dimension);
      state.losses.resize(static_cast<size_t>(config().epochs));
    }
    rounds->Share(&state);
    trainer->StartFrom(std::move(state));
  }

  // What a checkpoint of this training tells.
  Checkpoint Head(const ModelName& name, const Corpus& corpus) const {
    Checkpoint head;
    head.schema = name.schema;
    head.name = name.name;
    head.make_default = request_.make_default;
    head.corpus = CorpusJson(result_.origin);
    head.texts = corpus.text_count;
    head.texts_hash = HashOfAllTexts(request_.ranks, hash_.Value());
    head.tokenizer_version = TokenizerOf(config()).version();
    head.parameters = ConfigJson(config());
    head.choices = ChoicesJson(result_.choices);
    head.words = corpus.vocabulary.size();
    head.ngrams = corpus.ngram_buckets.size();
    head.targets = TargetWords(corpus.vocabulary, config());
    head.sentences =
        (corpus.sentences() + corpus.other_sentences) * static_cast<uint64_t>(config().epochs);
    return head;
  }

  ModelName Read(CorpusBuilder* builder) {
    SentenceTable table(db_, request_.table, request_.column, request_.where, request_.part);
    const ModelName name =
        resumed_ ? ModelName{resumed_->schema, resumed_->name} : TargetName(db_, request_, table);
    // A file may be attached by another name, or opened alone: of a table beside its model only the
    // name counts. Of another one the schema does: the model's may have a table of that name too.
    const std::string schema = table.schema().empty() ? "main" : table.schema();
    const std::string origin =
        schema == name.schema && schema != "temp" ? table.name() : schema + "." + table.name();
    result_.origin = {origin, request_.column, request_.where, std::nullopt, ""};
    read_ = table.description();
    if (Stores()) CheckWritable(db_, name.schema);
    Report();  // before anything is written, in case the statement ends the transaction
    // Where there is no transaction, only to know now whether there can be one.
    if (Stores()) undo_.emplace(db_);
    if (in_transaction_) {
      LockForSaving(db_, name.schema);
    } else {
      undo_.reset();
    }
    while (table.Next()) {
      if (builder->text_count() == 0) result_.origin.max_rowid = table.MaxRowid();
      AddText(table.text(), builder);
      hash_.Add(table.text());
    }
    progress_.texts = builder->text_count();
    result_.skipped = table.skipped();
    return name;
  }

  TrainRequest request_;
  std::optional<Choice> tokenizer_choice_;
  std::optional<Checkpoint> resumed_;  // what is resumed
  std::string read_;                   // the table's description
  TextsHash hash_;
  TrainResult result_;
};

// An observer that runs a statement (sql/progress_statement.h) and then calls the given one; just
// the given one where sql is "". The statement's parameters:
//
//   :phase           'reading', 'training' or 'storing'
//   :fraction        of the training, 0 to 1
//   :loss            recent mean of a target, NULL until there is one
//   :learning_rate   now, NULL while reading
//   :tokens          reading: read so far; then known words passed so far, all epochs
//   :seconds         since the beginning
//
// Throws InvalidArgument where it is not one statement with these.
TrainObserver TellStatement(sqlite3* db, const std::string& sql, const TrainObserver& observer) {
  if (sql.empty()) return observer;
  static constexpr std::string_view kNames[] = {":phase",         ":fraction", ":loss",
                                                ":learning_rate", ":tokens",   ":seconds"};
  // Shared, since a function is copied.
  const auto statement = std::make_shared<ProgressStatement>(db, sql, kNames);
  return [statement, observer](const TrainProgress& progress) {
    if (progress.phase != TrainProgress::kCheckpoint) {  // it hears of a training
      const bool reading = progress.phase == TrainProgress::kReading;
      const bool storing = progress.phase == TrainProgress::kStoring;
      const auto known = [](bool is_known, double value) {
        return is_known ? ProgressStatement::Value(value) : nullptr;
      };
      statement->Report(reading   ? "reading"
                        : storing ? "storing"
                                  : "training",
                        {{":tokens", static_cast<int64_t>(progress.tokens)},
                         {":fraction", progress.fraction},
                         {":loss", known(progress.loss > 0, progress.loss)},
                         {":learning_rate", known(!reading, progress.learning_rate)}});
    }
    return observer(progress);
  };
}

}  // namespace

void CheckAlike(const TrainRequest& request) {
  const Settings& settings = request.settings;
  // Nothing where there is no such tokenizer, which all ranks find wrong later.
  const Tokenizer* tokenizer = FindTokenizer(settings.config().tokenizer);
  std::vector<NamedValue> values = {
      {"version", S2V_VERSION},
      {"tokenizer version", tokenizer == nullptr ? "" : std::to_string(tokenizer->version())},
      {"table", request.table},
      {"column", request.column},
      {"where", request.where},
      {"model", request.model},
      {"resume", request.resume ? "on" : "off"}};
  for (const Parameter& p : Parameters()) {
    if (p.name == "workers") continue;
    values.emplace_back(p.name,
                        settings.IsAutomatic(p) ? "auto" : ParameterText(settings.config(), p));
  }
  CheckAlike(request.ranks, values);
}

std::string FewTextsWarning(uint64_t texts) {
  constexpr uint64_t kFewTexts = 300;  // chosen, not measured
  if (texts >= kFewTexts) return {};
  return "only " + std::to_string(texts) +
         " texts: a model learns little beyond shared words from fewer than some hundred, and search "
         "by words (FTS5) is as good";
}

std::string TrainResult::Json() const {
  JsonObject json;
  json.Add("model", model.name).Add("schema", model.schema).Add("hash", model.hash);
  json.Add("dimension", model.shape.dimension).Add("words", model.words);
  json.Add("ngrams", model.ngrams).Add("texts", model.texts).Add("skipped", skipped);
  json.Add("tokens", model.tokens).AddJson("choices", ChoicesJson(choices));
  if (resumed_at > 0) json.Add("resumed_at", resumed_at);
  if (rounds > 0) json.Add("rounds", rounds).Add("exchanged_bytes", exchanged_bytes);
  if (!warning.empty()) json.Add("warning", warning);
  return seconds.EndOfJson(&json, loss);
}

TrainResult TrainTable(sqlite3* db, const TrainRequest& request, const TrainObserver& observer) {
  // Of several processes, the first one's: the others only read, and each would write the same.
  const std::string progress = request.ranks->IsFirst() ? request.progress : "";
  return TrainJob(db, request, TellStatement(db, progress, observer)).Run();
}

}  // namespace s2v
