#include "sql/train_ranks.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// Of a worker; fewer where there would be less than kLeastRounds.
constexpr double kRoundTokens = 131072;
constexpr double kLeastRounds = 256;
// Sentences that a worker takes at a time: several in a round.
constexpr uint64_t kMostChunk = 256, kLeastChunk = 16;

std::string Join(const std::vector<std::string>& fields) {
  std::string joined;
  for (const std::string& field : fields) joined += field + '\0';
  return joined;
}

std::vector<std::string> Split(const std::string& joined) {
  std::vector<std::string> fields;
  for (size_t begin = 0, end; begin < joined.size(); begin = end + 1) {
    end = joined.find('\0', begin);
    fields.push_back(joined.substr(begin, end - begin));
  }
  return fields;
}

Rounds MakeRounds(RankGroup* ranks, const Config& config, const Corpus& corpus) {
  const auto epochs = static_cast<uint64_t>(config.epochs);
  const double sentences = static_cast<double>(corpus.sentences() + corpus.other_sentences);
  const double a_sentence = static_cast<double>(corpus.known_tokens) / sentences;
  const auto of_tokens = [&](double tokens) {
    const double most = static_cast<double>(epochs) * sentences / kLeastRounds;
    return static_cast<uint64_t>(std::max(1.0, std::min(tokens / a_sentence, most)));
  };
  const std::vector<uint64_t> workers = ranks->Gather(WorkerCount(config));
  const double tokens = kRoundTokens * ranks->size();
  Rounds rounds;
  rounds.total = (corpus.sentences() + corpus.other_sentences) * epochs;
  rounds.sentences =
      of_tokens(tokens * static_cast<double>(*std::max_element(workers.begin(), workers.end())));
  // Whatever the number of workers, which may differ when a training is resumed.
  rounds.chunk = std::clamp(of_tokens(tokens) / ranks->size() / 4, kLeastChunk, kMostChunk);
  const std::vector<uint64_t> own = ranks->Gather(corpus.sentences());
  rounds.before = epochs * std::accumulate(own.begin(), own.begin() + ranks->rank(), uint64_t{0});
  return rounds;
}

// Of a round, on one rank.
double TokensOfRound(RankGroup* ranks, const Rounds& rounds, const Corpus& corpus) {
  const auto sentences = static_cast<double>(corpus.sentences() + corpus.other_sentences);
  return static_cast<double>(rounds.sentences) * static_cast<double>(corpus.known_tokens) /
         sentences / ranks->size();
}

// Rank 0's rows, on all ranks.
void ShareRows(RankGroup* ranks, Matrix* matrix) {
  constexpr uint64_t kRowsAtATime = uint64_t{1} << 14;
  for (uint64_t row = 0; row < matrix->rows(); row += kRowsAtATime) {
    char* const at = reinterpret_cast<char*>((*matrix)[row]);
    const size_t size =
        std::min(kRowsAtATime, matrix->rows() - row) * matrix->stride() * sizeof(float);
    const std::string rows = ranks->Gather(ranks->rank() == 0 ? std::string(at, size) : "")[0];
    std::memcpy(at, rows.data(), size);
  }
}

}  // namespace

void CheckAlike(const TrainRequest& request) {
  RankGroup* const ranks = request.ranks;
  const Settings& settings = request.settings;
  std::vector<std::string> fields = {
      "version",
      S2V_VERSION,
      "tokenizer version",
      std::to_string(FindTokenizer(settings.config().tokenizer)->version()),
      "table",
      request.table,
      "column",
      request.column,
      "where",
      request.where,
      "model",
      request.model,
      "resume",
      request.resume ? "on" : "off"};
  for (const Parameter& p : Parameters()) {
    if (p.name == "workers") continue;
    fields.emplace_back(p.name);
    fields.push_back(settings.IsAutomatic(p) ? "auto" : ParameterText(settings.config(), p));
  }
  const std::vector<std::string> all = ranks->Gather(Join(fields));
  const std::vector<std::string> first = Split(all[0]);
  for (size_t rank = 1; rank < all.size(); rank++) {
    const std::vector<std::string> other = Split(all[rank]);
    for (size_t i = 0; i + 1 < std::min(first.size(), other.size()); i += 2) {
      if (first[i] == other[i] && first[i + 1] == other[i + 1]) continue;
      throw SharedError("rank " + std::to_string(rank) + " was started with " + other[i] + " '" +
                        other[i + 1] + "', rank 0 with " + first[i] + " '" + first[i + 1] +
                        "': start all with the same program and options");
    }
  }
}

Checkpoint FindSharedCheckpoint(sqlite3* db, TrainRequest* request) {
  Checkpoint c;
  std::vector<std::string> fields;
  const bool has_it = request->ranks->rank() == 0;
  if (has_it) {
    c = FindCheckpoint(db, request);
    fields = {request->table, request->column,
              request->where, ConfigJson(request->settings.config()),
              c.choices,      std::to_string(c.position)};
  }
  fields = Split(request->ranks->Gather(Join(fields))[0]);
  if (has_it) return c;
  const int64_t workers = request->settings.config().workers;
  request->table = fields[0];
  request->column = fields[1];
  request->where = fields[2];
  Config config = ParseConfig(db, fields[3]);
  config.workers = workers;
  request->settings = Settings(config);
  c.choices = fields[4];
  c.position = std::stoull(fields[5]);
  return c;
}

int64_t SharedTextsHash(RankGroup* ranks, int64_t mine) {
  TextsHash all;
  for (const uint64_t hash : ranks->Gather(static_cast<uint64_t>(mine))) {
    all.Add(std::to_string(hash));
  }
  return all.Value();
}

void ShareState(RankGroup* ranks, TrainingState* state) {
  ShareRows(ranks, &state->source);
  ShareRows(ranks, &state->target);
}

RankRounds::RankRounds(RankGroup* ranks, const Config& config, const Corpus& corpus)
    : ranks_(ranks),
      rounds_(MakeRounds(ranks, config, corpus)),
      exchange_(ranks, config, corpus, TokensOfRound(ranks, rounds_, corpus),
                rounds_.total / rounds_.sentences) {}

void RankRounds::Join(Trainer* trainer, std::function<Wish()> wish,
                      std::function<bool(bool)> grant) {
  wish_ = std::move(wish);
  grant_ = std::move(grant);
  rounds_.between = [this](TrainingState* state) { return Between(state); };
  trainer->TakeRounds(rounds_);
}

bool RankRounds::Between(TrainingState* state) {
  const Wish wish = wish_();
  if (!begun_) {  // tokens: of a checkpoint, maybe; later sums may be on their way
    begun_ = true;
    const std::vector<uint64_t> tokens = ranks_->Gather(wish.tokens);
    tokens_ = std::accumulate(tokens.begin(), tokens.end(), uint64_t{0});
    told_tokens_ = wish.tokens;
  }
  const bool last = state->position == rounds_.total;
  std::vector<uint32_t> votes = {wish.stop, wish.checkpoint,
                                 static_cast<uint32_t>(wish.tokens - told_tokens_)};
  told_tokens_ = wish.tokens;
  if (!last) exchange_.Round(&votes, state);
  const bool stop = votes[0] > 0;
  tokens_ += votes[2];
  state->tokens = tokens_;
  if (!last && !stop && votes[1] == 0) return true;
  exchange_.All(state);
  return last || grant_(stop);
}

}  // namespace s2v
