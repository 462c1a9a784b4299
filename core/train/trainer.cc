#include "core/train/trainer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/model/initial_row.h"
#include "core/train/sgd_step.h"
#include "core/train/window_planner.h"

namespace s2v {
namespace {

// Sentences that a worker takes at a time: the unit of random numbers, so that they do not depend
// on which worker takes it. Each begins with a new pool of negative samples, so it is not short.
constexpr uint64_t kChunkSentences = 256;
// The loss is measured on every so-manieth sentence, since its logarithms would cost some percent;
// on all of a small corpus.
constexpr uint64_t kLossEvery = 16;
constexpr uint64_t kSmallCorpusSentences = 10000;

}  // namespace

class Training {
 public:
  Training(const Config& config, Corpus corpus)
      : config_(config),
        corpus_(std::move(corpus)),
        target_words_(
            corpus_.vocabulary.PrefixWithCount(static_cast<uint64_t>(config.min_target_count))),
        keep_(KeepProbabilities(corpus_.vocabulary, target_words_, config.subsampling_threshold)),
        context_keep_(ContextProbabilities(corpus_.vocabulary, config)),
        negatives_(corpus_.vocabulary, target_words_),
        kernels_(*simd::FindKernels(config.kernel)),
        total_(corpus_.sentences() * static_cast<uint64_t>(config.epochs)) {}

  void TakeUp(TrainingState state) {
    const auto dimension = static_cast<uint32_t>(config_.dimension);
    if (state.source.rows() != SourceRows() || state.target.rows() != target_words_ ||
        state.source.dimension() != dimension || state.target.dimension() != dimension ||
        state.losses.size() != static_cast<size_t>(config_.epochs) || state.position > total_ ||
        (state.position % kChunkSentences != 0 && state.position != total_)) {
      throw InvalidArgument("the state of a training does not belong to this corpus");
    }
    state_ = std::move(state);
    next_row_ = filled_rows_ = SourceRows();
    next_ = state_.position;
    tokens_ = state_.tokens;
  }

  void Run(const ProgressObserver& observer) {
    if (state_.losses.empty()) {  // not taken up
      const auto dimension = static_cast<uint32_t>(config_.dimension);
      state_.source = Matrix(SourceRows(), dimension);
      state_.target = Matrix(target_words_, dimension);
      state_.losses.resize(static_cast<size_t>(config_.epochs));
    }
    size_t workers = static_cast<size_t>(config_.workers);
    if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
    workers = std::min<size_t>(workers, (total_ + kChunkSentences - 1) / kChunkSentences);
    std::vector<std::thread> threads;
    running_ = workers;
    try {
      for (size_t i = 0; i < workers; i++) threads.emplace_back([this] { Work(); });
      bool wanted = true;
      std::unique_lock<std::mutex> lock(mutex_);
      while (running_ > 0) {
        ended_.wait_for(lock, std::chrono::milliseconds(100));
        if (!wanted) continue;
        const Progress progress = Now();
        lock.unlock();
        wanted = observer(progress);
        lock.lock();
        if (!wanted) Stop();
      }
      if (!wanted && !error_) error_ = std::make_exception_ptr(Interrupted());
    } catch (...) {  // a thread that could not start, or an observer that threw
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
      Stop();
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

  bool Pause(std::chrono::milliseconds patience) {
    std::unique_lock<std::mutex> lock(mutex_);
    paused_ = true;
    const bool at_rest =
        ended_.wait_for(lock, patience, [this] { return resting_ == running_ || error_; });
    if (!at_rest || error_) {
      lock.unlock();
      GoOn();
      return false;
    }
    // What has been taken has been done.
    state_.position = std::min(next_.load(), total_);
    state_.tokens = tokens_;
    return true;
  }

  const TrainingState& state() const { return state_; }

  void GoOn() {
    const std::lock_guard<std::mutex> lock(mutex_);
    paused_ = false;
    may_go_on_.notify_all();
  }

  Model Finish() {
    Model model;
    model.config = config_;
    model.vocabulary = std::move(corpus_.vocabulary);
    model.ngram_buckets = std::move(corpus_.ngram_buckets);
    model.ngram_counts = std::move(corpus_.ngram_counts);
    model.source = std::move(source_);
    model.target = std::move(target_);
    model.text_count = corpus_.text_count;
    model.sentence_count = corpus_.sentences();
    for (const StepLoss& loss : state_.losses) {
      model.epoch_losses.push_back(
          loss.targets == 0 ? 0 : loss.loss / static_cast<double>(loss.targets));
    }
    return model;
  }

 private:
  uint64_t SourceRows() const { return corpus_.vocabulary.size() + corpus_.ngram_buckets.size(); }

  // All workers help, and none goes on before all rows are filled.
  void FillSourceRows() {
    constexpr uint64_t kRowsAtATime = 4096;
    for (;;) {
      const uint64_t begin = next_row_.fetch_add(kRowsAtATime);
      if (begin >= source_.rows()) break;
      const uint64_t end = std::min(begin + kRowsAtATime, source_.rows());
      for (uint64_t row = begin; row < end; row++) {
        FillSourceRow(config_, corpus_.vocabulary, row, &source_);
      }
      if (filled_rows_.fetch_add(end - begin) + end - begin == source_.rows()) {
        filled_rows_.notify_all();
      }
    }
    for (uint64_t filled; (filled = filled_rows_.load()) != source_.rows();) {
      filled_rows_.wait(filled);
    }
  }

  // The body of a worker's thread.
  void Work() {
    std::exception_ptr error;
    try {
      FillSourceRows();
      Worker worker(*this);
      while (!stop_.load(std::memory_order_relaxed)) {
        if (paused_.load(std::memory_order_relaxed)) Rest();
        const uint64_t begin = next_.fetch_add(kChunkSentences, std::memory_order_relaxed);
        if (begin >= total_) break;
        RunChunk(begin, std::min(begin + kChunkSentences, total_), &worker);
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

  // Between two chunks of a worker.
  void Rest() {
    std::unique_lock<std::mutex> lock(mutex_);
    resting_++;
    ended_.notify_one();
    may_go_on_.wait(lock, [this] { return !paused_ || stop_; });
    resting_--;
  }

  // REQUIRES: mutex_ held.
  void Stop() {
    stop_ = true;
    may_go_on_.notify_all();
  }

  // The plans of one sentence: one for sent2vec, one for each prediction for the others.
  struct Plans {
    std::vector<StepPlan> plans;
    size_t count = 0;
  };

  // What a worker needs from sentence to sentence.
  struct Worker {
    explicit Worker(const Training& training)
        : windowed(IsWindowed(training.config_)),
          planner(training.config_, training.corpus_, training.keep_, training.context_keep_,
                  training.negatives_),
          window_planner(training.config_, training.keep_, training.negatives_),
          step(training.kernels_, training.source_.stride(), training.config_.l1,
               training.config_.step_bound) {}

    void Plan(Random* random, Plans* out) {
      out->count = 0;
      if (windowed) {
        window_planner.Plan(sentence.words, random, &out->plans, &out->count);
      } else {
        out->count = 1;
        out->plans.resize(1);
        planner.Plan(sentence, random, &out->plans[0]);
      }
    }

    const bool windowed;
    SentencePlanner planner;
    WindowPlanner window_planner;
    SgdStep step;
    Sentence sentence;
    Plans plans[2];  // of this sentence and of the next one, whose rows are on their way
  };

  // Sentences begin .. end-1 of all epochs, end to end.
  void RunChunk(uint64_t begin, uint64_t end, Worker* worker) {
    worker->planner.Restart();
    worker->window_planner.Restart();
    // Apart from the random numbers of the rows.
    Random random(Mix64(~static_cast<uint64_t>(config_.seed)) ^ begin);
    const uint64_t sentences = corpus_.sentences();
    uint64_t planned_epoch = begin / sentences;
    Permutation order(static_cast<uint64_t>(config_.seed) + planned_epoch, sentences);
    const auto place = [&](uint64_t i) {
      if (i / sentences != planned_epoch) {
        planned_epoch = i / sentences;
        order = Permutation(static_cast<uint64_t>(config_.seed) + planned_epoch, sentences);
      }
      return order[i % sentences];
    };
    uint64_t tokens = 0;
    // Of the sentences that are planned next: the first is on its way, of the second where it is.
    uint64_t places[2] = {place(begin), begin + 1 < end ? place(begin + 1) : 0};
    const auto plan = [&](uint64_t i) {
      corpus_.Read(places[0], &worker->sentence);
      places[0] = places[1];
      if (i + 1 < end) corpus_.Prefetch(places[0]);
      if (i + 2 < end) {
        places[1] = place(i + 2);
        corpus_.PrefetchPlace(places[1]);
      }
      Plans* next = &worker->plans[i % 2];
      worker->Plan(&random, next);
      for (size_t p = 0; p < next->count; p++) SgdStep::Prefetch(next->plans[p], source_, target_);
      tokens += worker->sentence.words.size();
    };

    const uint64_t loss_every = sentences <= kSmallCorpusSentences ? 1 : kLossEvery;
    StepLoss loss;
    plan(begin);
    for (uint64_t i = begin; i < end && !stop_.load(std::memory_order_relaxed); i++) {
      if (i + 1 < end) plan(i + 1);
      const double rate = LearningRate(i);
      const Plans& plans = worker->plans[i % 2];
      for (size_t p = 0; p < plans.count; p++) {
        if (!worker->step.Apply(plans.plans[p], static_cast<float>(rate * config_.source_rate),
                                static_cast<float>(rate), &source_, &target_,
                                i % loss_every == 0 ? &loss : nullptr)) {
          throw InvalidArgument("training diverged: a score is not finite at learning_rate " +
                                NumberText(config_.learning_rate) + ", source_rate " +
                                NumberText(config_.source_rate) + ", step_bound " +
                                NumberText(config_.step_bound) + "; lower one of them" +
                                (config_.step_bound == 0 ? ", or set step_bound to 0.1" : ""));
        }
      }
      if ((i + 1) % sentences == 0 || i + 1 == end) AddLoss(i / sentences, &loss);
    }
    tokens_.fetch_add(tokens, std::memory_order_relaxed);
  }

  double LearningRate(uint64_t i) const {
    return config_.learning_rate * (1 - static_cast<double>(i) / static_cast<double>(total_));
  }

  void AddLoss(uint64_t epoch, StepLoss* loss) {
    const std::lock_guard<std::mutex> lock(mutex_);
    state_.losses[epoch].loss += loss->loss;
    state_.losses[epoch].targets += loss->targets;
    recent_.loss += loss->loss;
    recent_.targets += loss->targets;
    *loss = StepLoss();
  }

  // REQUIRES: mutex_ held.
  Progress Now() {
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

  const Config config_;
  Corpus corpus_;
  const uint32_t target_words_;
  const std::vector<float> keep_, context_keep_;
  const NegativeSampler negatives_;
  const simd::Kernels& kernels_;
  const uint64_t total_;  // sentences of all epochs
  TrainingState state_;   // position and tokens are those of the last pause
  Matrix& source_ = state_.source;
  Matrix& target_ = state_.target;

  std::atomic<uint64_t> next_row_{0}, filled_rows_{0};
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> tokens_{0};
  std::atomic<bool> stop_{false}, paused_{false};  // written with mutex_ held
  std::mutex mutex_;                               // guards all below, and state_.losses
  std::condition_variable ended_;                  // or come to rest
  std::condition_variable may_go_on_;
  size_t running_ = 0, resting_ = 0;
  std::exception_ptr error_;
  StepLoss recent_;  // since the last progress report
  double last_loss_ = 0;
};

// Words: uniform with the variance that gives rows of length initial_norm, or in [-1/h, 1/h] (the
// paper's program) for 0. N-grams: in [-1/h, 1/h], so that they add only what training finds in
// them.
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

uint64_t MatrixBytes(const Config& config, const Corpus& corpus) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint32_t target_words =
      corpus.vocabulary.PrefixWithCount(static_cast<uint64_t>(config.min_target_count));
  return Matrix::Bytes(corpus.vocabulary.size() + corpus.ngram_buckets.size(), dimension) +
         Matrix::Bytes(target_words, dimension);
}

Trainer::Trainer(const Config& config, Corpus corpus)
    : training_((ValidateConfig(config), std::make_unique<Training>(config, std::move(corpus)))) {}

Trainer::~Trainer() = default;

void Trainer::TakeUp(TrainingState state) {
  training_->TakeUp(std::move(state));
}

void Trainer::Run(const ProgressObserver& observer) {
  training_->Run(observer);
}

bool Trainer::Pause(std::chrono::milliseconds patience) {
  return training_->Pause(patience);
}

const TrainingState& Trainer::state() const {
  return training_->state();
}

void Trainer::GoOn() {
  training_->GoOn();
}

Model Trainer::Finish() {
  return training_->Finish();
}

Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer) {
  Trainer trainer(config, std::move(corpus));
  trainer.Run(observer);
  return trainer.Finish();
}

}  // namespace s2v
