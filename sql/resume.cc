#include "sql/resume.h"

#include <algorithm>

#include "core/error.h"
#include "core/text/text_format.h"
#include "core/text/utf8.h"
#include "sql/innocuous.h"
#include "sql/model_loader.h"
#include "sql/model_store.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

constexpr double kLeastWriteRatio = 10;  // seconds of training for each of writing
// After a checkpoint that was just stored there is nothing to keep.
constexpr double kFresh = 1;
// So long SQLite waits for a lock of another connection at each try.
constexpr int kWaitMilliseconds = 1000;

std::string FullName(const Checkpoint& c) {
  return ModelName{c.schema, c.name}.Text();
}

// asked: as somebody may write it, with or without its schema.
bool IsSameTable(const std::string& table, const std::string& asked) {
  return IsSameName(table, asked) || IsSameName(table.substr(table.find('.') + 1), asked);
}

// The checkpoints that the request may mean.
std::vector<Checkpoint> Meant(sqlite3* db, std::vector<Checkpoint> all,
                              const TrainRequest& request) {
  std::erase_if(all, [&](const Checkpoint& c) {
    if (!request.model.empty()) {
      const ModelName name = ParseModelName(request.model);
      return c.name != name.name || (!name.schema.empty() && !IsSameName(c.schema, name.schema));
    }
    const CorpusOrigin origin = ParseCorpusOrigin(db, c.corpus);
    return !request.table.empty() && !IsSameTable(CorpusTable(db, c.schema, origin), request.table);
  });
  return all;
}

Checkpoint TheOneMeant(sqlite3* db, const TrainRequest& request) {
  const std::vector<Checkpoint> all = ListCheckpoints(db);
  const std::vector<Checkpoint> meant = Meant(db, all, request);
  if (meant.size() == 1) return meant[0];
  if (meant.size() > 1) {
    throw InvalidArgument("several unfinished trainings: name the model, one of " +
                          NamesOf(meant, FullName));
  }
  const std::string what = !request.model.empty()   ? "model '" + request.model + "'"
                           : !request.table.empty() ? "table '" + request.table + "'"
                                                    : "any model here";
  throw InvalidArgument("nothing to resume: no unfinished training of " + what +
                        (all.empty() ? "" : ", but of " + NamesOf(all, FullName)) +
                        "; train without resume");
}

Config ConfigOf(sqlite3* db, const Checkpoint& checkpoint) {
  try {
    Config config = ParseConfig(db, checkpoint.parameters);
    // By the rules with which it began, where they are known.
    const Tokenizer* tokenizer = FindTokenizer(config.tokenizer, checkpoint.tokenizer_version);
    if (tokenizer != nullptr) config.tokenizer_version = tokenizer->version();
    return config;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("the unfinished training of '" + FullName(checkpoint) +
                          "' is of another version of s2v (" + error.what() + "); train afresh");
  }
}

[[noreturn]] void ThrowDiffers(const Checkpoint& c, const std::string& what,
                               const std::string& then, const std::string& now) {
  throw InvalidArgument(what + ": '" + now + "' here, but '" + then +
                        "' in the unfinished training of '" + FullName(c) +
                        "'; leave it out, or train afresh without resume");
}

// Whether a training that was told a format alone chose this profile for it.
bool IsFormatOf(std::string_view format, std::string_view profile) {
  return FindTextFormat(format) != nullptr && SplitProfileName(profile).format == format;
}

// Whether two lists of columns differ in blanks and the case of letters alone.
bool AreSameColumns(std::string_view one, std::string_view other) {
  const std::vector<std::string_view> a = SplitAt(one, ','), b = SplitAt(other, ',');
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](std::string_view x, std::string_view y) { return IsSameName(Trimmed(x), Trimmed(y)); });
}

Checkpoint FindHere(sqlite3* db, TrainRequest* request) {
  const Checkpoint c = TheOneMeant(db, *request);
  const CorpusOrigin origin = ParseCorpusOrigin(db, c.corpus);
  const auto check = [&](const char* what, const std::string& then, const std::string& now) {
    if (!now.empty() && !IsSameName(then, now)) ThrowDiffers(c, what, then, now);
  };
  const std::string table = CorpusTable(db, c.schema, origin);
  if (request->table.empty()) CheckStoredTable(db, table);
  if (!IsSameTable(table, request->table)) check("table", origin.table, request->table);
  if (!AreSameColumns(origin.column, request->column))
    check("column", origin.column, request->column);
  if (!request->where.empty() && request->where != origin.where) {
    ThrowDiffers(c, "where", origin.where, request->where);
  }
  Config config = ConfigOf(db, c);
  for (const Parameter& p : Parameters()) {
    if (!request->settings.HasValue(p)) continue;
    const std::string then = ParameterText(config, p);
    const std::string now = ParameterText(request->settings.config(), p);
    if (p.name == "workers") {  // which may change on the way
      SetParameter(&config, p.name, now);
    } else if (then != now && !(p.name == "tokenizer" && IsFormatOf(now, then))) {
      ThrowDiffers(c, std::string(p.name), then, now);
    }
  }
  request->table = table;
  request->column = origin.column;
  request->where = origin.where;
  request->make_default = request->make_default || c.make_default;
  request->settings = Settings(config);  // what was chosen then stays chosen
  return c;
}

}  // namespace

Checkpointer::Checkpointer(sqlite3* db, Checkpoint head, std::optional<double> every, double begun,
                           std::function<void(bool begins)> announce,
                           std::function<void(const std::string&)> warn)
    : db_(db),
      head_(std::move(head)),
      every_(every),
      begun_(begun),
      begun_at_(Seconds()),
      announce_(std::move(announce)),
      warn_(std::move(warn)),
      next_at_(begun_at_ + every.value_or(kCheckpointSeconds)) {
  if (begun > 0) stored_ = begun;
}

bool Checkpointer::Wanted(double fraction, double now) const {
  if (every_) return *every_ > 0;
  const double elapsed = now - begun_at_;
  if (elapsed < kCheckpointSeconds || fraction <= begun_) return false;
  return elapsed * (1 - begun_) / (fraction - begun_) > kLongTrainingSeconds;
}

bool Checkpointer::IsDue(double fraction) const {
  const double now = Seconds();
  return now >= next_at_ && Wanted(fraction, now);
}

void Checkpointer::StoreIfDue(Trainer* trainer, double fraction) {
  if (!IsDue(fraction)) return;
  const double now = Seconds();
  Store(trainer);
  const double interval = every_.value_or(kCheckpointSeconds), written = Seconds();
  next_at_ = written + std::max(interval, kLeastWriteRatio * (written - now));
}

std::optional<double> Checkpointer::StoreLast(Trainer* trainer, double fraction) {
  const double now = Seconds();
  // Who goes on from a checkpoint had some, and would lose what was done since.
  const bool is_wanted = Wanted(fraction, now) || (begun_ > 0 && !every_);
  if (is_wanted && now - stored_at_ > kFresh) Store(trainer);
  return stored_;
}

void Checkpointer::Store(Trainer* trainer) {
  announce_(true);
  std::string reason;
  const auto wait = ShortenWait(db_, kWaitMilliseconds);
  try {
    if (!StoreCheckpoint(db_, head_, trainer)) reason = "the workers have not come to rest";
  } catch (const SqlError& error) {
    reason = error.primary_code() == SQLITE_BUSY ? "the database is in use" : error.what();
  } catch (const FormatError& error) {  // somebody has put a trigger on a table, for example
    reason = error.what();
  }
  if (reason.empty()) {
    stored_ = static_cast<double>(trainer->state().position) / static_cast<double>(head_.sentences);
    stored_at_ = Seconds();
  } else {
    warn_("no checkpoint stored: " + reason);
  }
  announce_(false);
}

Checkpoint FindCheckpoint(sqlite3* db, TrainRequest* request) {
  RankGroup* const ranks = request->ranks;
  if (ranks->IsFirst()) {
    Checkpoint c = FindHere(db, request);
    ranks->GatherFirst({request->table, request->column, request->where,
                        ConfigJson(request->settings.config()), c.choices,
                        std::to_string(c.position),
                        std::to_string(request->settings.config().tokenizer_version)});
    return c;
  }
  const std::vector<std::string> first = ranks->GatherFirst({});
  request->table = first[0];
  request->column = first[1];
  request->where = first[2];
  Config config = ParseConfig(db, first[3]);
  config.tokenizer_version = std::stoi(first[6]);
  config.workers = request->settings.config().workers;
  request->settings = Settings(config);
  Checkpoint c;
  c.choices = first[4];
  c.position = std::stoull(first[5]);
  return c;
}

int64_t HashOfAllTexts(RankGroup* ranks, int64_t mine) {
  if (ranks->IsAlone()) return mine;
  TextsHash all;
  for (const uint64_t hash : ranks->Gather(static_cast<uint64_t>(mine))) {
    all.Add(std::to_string(hash));
  }
  return all.Value();
}

std::vector<Choice> ParseChoices(sqlite3* db, const std::string& json) {
  // A number as it is written, as in ParseConfig.
  Statement each(db,
                 "SELECT key, iif(json_type(value, '$.value') = 'text', value ->> '$.value', "
                 "?1 -> (fullkey || '.value')), value ->> '$.reason' "
                 "FROM temp.json_each(?1)",
                 json);
  std::vector<Choice> choices;
  while (each.Step()) {
    if (const Parameter* parameter = FindParameter(each.Text(0))) {
      choices.push_back({parameter->name, std::string(each.Text(1)), std::string(each.Text(2))});
    }
  }
  return choices;
}

void CheckSameCorpus(const Checkpoint& then, const Checkpoint& now, const std::string& table) {
  if (then.texts != now.texts || then.texts_hash != now.texts_hash) {
    // How texts are hashed depends on how many processes there are.
    const std::string perhaps =
        then.texts != now.texts
            ? ""
            : ", or it was a training of another number of processes (s2v-mpi), with which it can be resumed";
    throw InvalidArgument(
        "table '" + table + "' has changed since the training of '" + FullName(then) +
        "' stopped (" + std::to_string(then.texts) + " texts then, " + std::to_string(now.texts) +
        " now; their contents or their order differ" + perhaps + "): train afresh without resume");
  }
  if (then.tokenizer_version != now.tokenizer_version || then.words != now.words ||
      then.ngrams != now.ngrams || then.targets != now.targets || then.sentences != now.sentences) {
    throw InvalidArgument("the unfinished training of '" + FullName(then) +
                          "' is of another version of s2v, which counts words differently; train "
                          "afresh without resume");
  }
}

}  // namespace s2v
