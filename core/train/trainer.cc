#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include "core/embed/embedder.h"
#include "core/error.h"
#include "core/model/feature.h"
#include "core/model/feature_source.h"
#include "core/parallel.h"
#include "core/train/bursts.h"
#include "core/train/halves.h"
#include "core/train/rare_words.h"
#include "core/train/sentence_planner.h"
#include "core/train/step_prefetch.h"
#include "core/train/whitening.h"

namespace s2v {
namespace {

// A worker takes so many sentences at a time. Random numbers belong to such a chunk, so that they
// do not depend on which worker takes it. A chunk begins with a new pool of negative samples, so it
// must not be short.
constexpr uint64_t kChunkSentences = 256;
// The loss is measured on one sentence in kLossEvery, since its logarithms cost some percent; in a
// small corpus on all.
constexpr uint64_t kLossEvery = 16;
constexpr uint64_t kSmallCorpusSentences = 10000;

// Fills the source row of a feature before training with uniform random numbers; row: a word's id,
// then n-grams. A word's numbers have the variance that gives rows of length initial_norm; for 0
// they are in [-1/h, 1/h], as in the paper's program. An n-gram's are in [-1/h, 1/h], so that it
// adds little but what training finds in it.
void FillSourceRow(const Config& config, const Vocabulary& vocabulary, uint64_t row,
                   Matrix* source) {
  const uint32_t dimension = source->dimension();
  const float small = 1 / static_cast<float>(dimension);
  if (row >= vocabulary.size()) {
    FillUniform(Mix64(static_cast<uint64_t>(config.seed)) + row, small, (*source)[row], dimension);
    return;
  }
  const auto norm = static_cast<float>(config.initial_norm);
  FillUniform(vocabulary.words.hash(static_cast<uint32_t>(row)),
              norm > 0 ? WidthOfLength(norm, dimension) : small, (*source)[row], dimension);
}

const Config& Validated(const Config& config) {
  ValidateConfig(config);
  return config;
}

}  // namespace

// What a worker needs from sentence to sentence.
struct Trainer::Worker {
  explicit Worker(const Trainer& trainer)
      : planner(trainer.config_, trainer.corpus_.vocabulary.size(), trainer.keep_,
                trainer.context_keep_, trainer.negatives_),
        step(simd::BestKernels(), trainer.source_.stride(), trainer.config_.l1,
             trainer.config_.recipe.step_bound) {}

  SentencePlanner planner;
  SgdStep step;
  Sentence sentence;
  StepPlan plans[2];  // of this sentence and of the next one, whose rows are on their way
};

Trainer::Trainer(const Config& config, Corpus corpus)
    : config_(Validated(config)),
      corpus_(std::move(corpus)),
      target_words_(TargetWords(corpus_.vocabulary, config)),
      keep_(KeepProbabilities(corpus_.vocabulary, target_words_, config.subsampling_threshold)),
      context_keep_(ContextProbabilities(corpus_.vocabulary, config)),
      negatives_(corpus_.vocabulary, target_words_),
      total_(corpus_.sentences() * static_cast<uint64_t>(config.epochs)) {
  rounds_.sentences = rounds_.total = total_;
  rounds_.chunk = kChunkSentences;
}

void Trainer::TakeRounds(Rounds rounds) {
  rounds_ = std::move(rounds);
}

void Trainer::StartFrom(TrainingState state) {
  const auto dimension = static_cast<uint32_t>(config_.dimension);
  const uint64_t next = Own(state.position);
  // without other ranks, a training stops between two chunks
  const bool by_itself = rounds_.total == total_;
  if (state.source.rows() != SourceRows() || state.target.rows() != target_words_ ||
      state.source.dimension() != dimension || state.target.dimension() != dimension ||
      state.losses.size() != static_cast<size_t>(config_.epochs) ||
      state.position > rounds_.total || (by_itself && next != state.position)) {
    throw InvalidArgument("the state of a training does not belong to this corpus");
  }
  state_ = std::move(state);
  next_ = next;
  round_end_ = state_.position;
  tokens_ = state_.tokens;
}

void Trainer::Run(const ProgressObserver& observer) {
  if (state_.losses.empty()) {  // at the beginning
    const auto dimension = static_cast<uint32_t>(config_.dimension);
    state_.source = Matrix(SourceRows(), dimension);
    state_.target = Matrix(target_words_, dimension);
    state_.losses.resize(static_cast<size_t>(config_.epochs));
    constexpr uint64_t kRowsOfPart = 4096;
    const uint64_t rows = SourceRows();
    RunParallel((rows + kRowsOfPart - 1) / kRowsOfPart, WorkerCount(config_), [&](size_t part) {
      const uint64_t end = std::min((part + 1) * kRowsOfPart, rows);
      for (uint64_t row = part * kRowsOfPart; row < end; row++) {
        FillSourceRow(config_, corpus_.vocabulary, row, &source_);
      }
    });
  }
  if (!IsLastRound()) {  // it is, where a training that had stopped at its end is resumed
    if (!rounds_.between(&state_)) throw Interrupted();
    BeginRound();
  }
  if (!kHasThreads) {
    RunHere(observer);
    return;
  }
  const size_t workers =
      std::min<size_t>(WorkerCount(config_), (total_ + rounds_.chunk - 1) / rounds_.chunk);
  std::vector<std::thread> threads;
  running_ = workers;
  try {
    for (size_t i = 0; i < workers; i++) threads.emplace_back([this] { Work(); });
    bool wanted = true;
    std::unique_lock<std::mutex> lock(mutex_);
    while (running_ > 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(100),
                      [&] { return running_ == 0 || (wanted && RoundIsOver()); });
      if (!wanted) continue;
      const bool round_is_over = RoundIsOver();
      const Progress progress = Now();
      lock.unlock();
      wanted = observer(progress) && (!round_is_over || rounds_.between(&state_));
      lock.lock();
      if (!wanted) Stop();
      if (wanted && round_is_over) BeginRound();
    }
    if (!wanted && !error_) error_ = std::make_exception_ptr(Interrupted());
  } catch (...) {  // a thread that could not start, or an observer that threw
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::current_exception();
    Stop();
  }
  for (std::thread& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
  rounds_.between(&state_);
}

void Trainer::RunHere(const ProgressObserver& observer) {
  Worker worker(*this);
  for (uint64_t begin; (begin = next_) < total_;) {
    RunChunk(begin, std::min(begin + rounds_.chunk, total_), &worker);
    next_ = begin + rounds_.chunk;
    if (!observer(Now())) throw Interrupted();
  }
}

bool Trainer::Pause(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  rest_at_ = 0;
  const bool at_rest =
      ended_.wait_for(lock, patience, [this] { return resting_ == running_ || error_; });
  if (!at_rest || error_) {
    lock.unlock();
    EndPause();
    return false;
  }
  if (IsLastRound()) {  // of other rounds `between` has made the state
    // All chunks that were taken are done.
    state_.position = std::min(next_.load(), total_);
    state_.tokens = tokens_;
  }
  return true;
}

void Trainer::EndPause() {
  const std::lock_guard<std::mutex> lock(mutex_);
  rest_at_ = Own(round_end_);
  may_go_on_.notify_all();
}

Model Trainer::Finish(const Tick& tick) {
  Model model;
  model.config = config_;
  model.vocabulary = std::move(corpus_.vocabulary);
  model.ngram_buckets = std::move(corpus_.ngram_buckets);
  model.ngram_counts = std::move(corpus_.ngram_counts);
  model.source = std::move(source_);
  model.target = std::move(target_);
  model.text_count = corpus_.text_count;
  model.sentence_count = corpus_.sentences() + corpus_.other_sentences;
  for (const StepLoss& loss : state_.losses) {
    model.epoch_losses.push_back(loss.targets == 0 ? 0
                                                   : loss.loss / static_cast<double>(loss.targets));
  }
  model.favours_opening = config_.smoothing > 0;
  Whiten(&model);
  TurnRareWords(corpus_, rounds_.sum, tick, &model);
  FavourHalves(corpus_, rounds_.sum, tick, &model);
  FindBursts(corpus_, rounds_.sum, tick, &model);
  return model;
}

void Trainer::Work() {
  std::exception_ptr error;
  try {
    Worker worker(*this);
    for (uint64_t begin = 0; Take(&begin);) {
      RunChunk(begin, std::min(begin + rounds_.chunk, total_), &worker);
    }
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (error && !error_) {
    error_ = error;
    Stop();
  }
  running_--;
  ended_.notify_one();
}

bool Trainer::Take(uint64_t* begin) {
  while (!stop_.load(std::memory_order_relaxed)) {
    *begin = next_.load(std::memory_order_relaxed);
    while (*begin < rest_at_.load(std::memory_order_relaxed)) {
      if (next_.compare_exchange_weak(*begin, *begin + rounds_.chunk)) return true;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    resting_++;
    ended_.notify_one();
    may_go_on_.wait(lock, [this] { return stop_ || next_ < rest_at_ || AllAreDone(); });
    resting_--;
    if (AllAreDone()) return false;
  }
  return false;
}

uint64_t Trainer::Own(uint64_t position) const {
  if (position >= rounds_.total) return total_;
  const double part = static_cast<double>(position) / static_cast<double>(rounds_.total);
  const auto own = static_cast<uint64_t>(std::llround(part * static_cast<double>(total_)));
  return own / rounds_.chunk * rounds_.chunk;
}

void Trainer::BeginRound() {
  round_end_ = std::min(round_end_ + rounds_.sentences, rounds_.total);
  state_.position = round_end_;
  rest_at_ = Own(round_end_);
  may_go_on_.notify_all();
}

void Trainer::Stop() {
  stop_ = true;
  may_go_on_.notify_all();
}

void Trainer::RunChunk(uint64_t begin, uint64_t end, Worker* worker) {
  worker->planner.Restart();
  // The complement of the seed, so that these are not the random numbers of the rows.
  Random random(Mix64(~static_cast<uint64_t>(config_.seed)) ^ (rounds_.before + begin));
  const uint64_t sentences = corpus_.sentences();
  const auto place = [&](uint64_t i) {
    const uint64_t epoch = i / sentences;
    return SentenceOrder(static_cast<uint64_t>(config_.seed) + epoch, sentences)[i % sentences];
  };
  uint64_t tokens = 0;
  // The places of the next two sentences to be planned: the first is being prefetched, of the
  // second the entry that says where it is.
  uint64_t places[2] = {place(begin), begin + 1 < end ? place(begin + 1) : 0};
  const auto plan = [&](uint64_t i) {
    corpus_.Read(places[0], &worker->sentence);
    places[0] = places[1];
    if (i + 1 < end) corpus_.Prefetch(places[0]);
    if (i + 2 < end) {
      places[1] = place(i + 2);
      corpus_.PrefetchPlace(places[1]);
    }
    StepPlan* next = &worker->plans[i % 2];
    worker->planner.Plan(worker->sentence, &random, next);
    StepPrefetch::Ahead(*next, source_, target_);
    const std::vector<uint32_t>& words = worker->sentence.words;
    tokens +=
        words.size() - static_cast<size_t>(std::count(words.begin(), words.end(), kUnknownWord));
  };

  const uint64_t loss_every = sentences <= kSmallCorpusSentences ? 1 : kLossEvery;
  StepLoss loss;
  plan(begin);
  for (uint64_t i = begin; i < end && !stop_.load(std::memory_order_relaxed); i++) {
    if (i + 1 < end) plan(i + 1);
    const double rate = LearningRate(i);
    if (!worker->step.Apply(
            worker->plans[i % 2], static_cast<float>(rate * config_.recipe.source_rate),
            static_cast<float>(rate), &source_, &target_, i % loss_every == 0 ? &loss : nullptr)) {
      throw InvalidArgument("training diverged: a score is not finite at learning_rate " +
                            NumberText(config_.learning_rate) + "; lower it" +
                            (config_.recipe.step_bound == 0 ? ", or take recipe fast" : ""));
    }
    if ((i + 1) % sentences == 0 || i + 1 == end) AddLoss(i / sentences, &loss);
  }
  tokens_.fetch_add(tokens, std::memory_order_relaxed);
}

double Trainer::LearningRate(uint64_t i) const {
  return config_.learning_rate * (1 - static_cast<double>(i) / static_cast<double>(total_));
}

void Trainer::AddLoss(uint64_t epoch, StepLoss* loss) {
  const std::lock_guard<std::mutex> lock(mutex_);
  state_.losses[epoch].loss += loss->loss;
  state_.losses[epoch].targets += loss->targets;
  recent_.loss += loss->loss;
  recent_.targets += loss->targets;
  *loss = StepLoss();
}

Progress Trainer::Now() {
  Progress progress;
  const uint64_t done = std::min(next_.load(std::memory_order_relaxed), total_);
  progress.fraction = static_cast<double>(done) / static_cast<double>(total_);
  progress.tokens = tokens_.load(std::memory_order_relaxed);
  progress.learning_rate = LearningRate(done);
  if (recent_.targets > 0) last_loss_ = recent_.loss / static_cast<double>(recent_.targets);
  recent_ = StepLoss();
  progress.loss = last_loss_;
  return progress;
}

Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer) {
  Trainer trainer(config, std::move(corpus));
  Progress last;
  trainer.Run([&](const Progress& progress) {
    last = progress;
    return observer(progress);
  });
  return trainer.Finish([&] {
    if (!observer(last)) throw Interrupted();
  });
}

void KeepForReplay(uint64_t old_sentences, uint64_t seed, Corpus* corpus) {
  const uint64_t old = corpus->first_new_sentence;
  if (old_sentences >= old) return;
  const Permutation order(seed, old);
  corpus->replayed.clear();
  for (uint64_t i = 0; i < old_sentences; i++) corpus->replayed.push_back(order[i]);
  // In their order, since neighbours in the store are near in memory.
  std::sort(corpus->replayed.begin(), corpus->replayed.end());
  corpus->left_out = old - old_sentences;
  corpus->first_new_sentence = old_sentences;
}

TrainingState StateOf(const Model& model, const Config& config, const Corpus& corpus) {
  const Vocabulary& words = corpus.vocabulary;
  const auto dimension = static_cast<uint32_t>(config.dimension);
  TrainingState state;
  state.losses.resize(static_cast<size_t>(config.epochs));
  state.source = Matrix(words.size() + corpus.ngram_buckets.size(), dimension);
  state.target = Matrix(TargetWords(words, config), dimension);
  const auto take = [&](const Feature& before, uint64_t row) {
    if (before.row == nullptr) return FillSourceRow(config, words, row, &state.source);
    std::memcpy(state.source[row], before.row, dimension * sizeof(float));
  };
  ModelFeatures before(model);
  for (uint32_t id = 0; id < words.size(); id++) {
    const Feature word = before.Word(words.words[id], words.words.hash(id));
    take(word, id);
    if (word.row != nullptr && word.id < model.target.rows() && id < state.target.rows()) {
      std::memcpy(state.target[id], model.target[word.id], dimension * sizeof(float));
    }
  }
  for (size_t i = 0; i < corpus.ngram_buckets.size(); i++) {
    take(before.Ngram(corpus.ngram_buckets[i]), words.size() + i);
  }
  return state;
}

}  // namespace s2v
