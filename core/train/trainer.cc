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

class Training {
 public:
  Training(const Config& config, Corpus* corpus)
      : config_(config),
        corpus_(*corpus),
        target_words_(
            corpus->vocabulary.PrefixWithCount(static_cast<uint64_t>(config.min_target_count))),
        keep_(KeepProbabilities(corpus->vocabulary, target_words_, config.subsampling_threshold)),
        negatives_(corpus->vocabulary, target_words_),
        kernels_(*simd::FindKernels(config.kernel)),
        total_(corpus->sentences() * static_cast<uint64_t>(config.epochs)),
        epoch_loss_(static_cast<size_t>(config.epochs)) {
    const auto dimension = static_cast<uint32_t>(config.dimension);
    source_ = Matrix(corpus->vocabulary.size() + corpus->ngram_buckets.size(), dimension);
    target_ = Matrix(target_words_, dimension);
  }

  void Run(const ProgressObserver& observer) {
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
        if (!wanted) stop_ = true;
      }
      if (!wanted && !error_) error_ = std::make_exception_ptr(Interrupted());
    } catch (...) {  // a thread that could not start, or an observer that threw
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
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
    for (const StepLoss& loss : epoch_loss_) {
      model.epoch_losses.push_back(
          loss.targets == 0 ? 0 : loss.loss / static_cast<double>(loss.targets));
    }
    return model;
  }

 private:
  // Words: uniform with the variance that gives rows of length initial_norm, or in [-1/h, 1/h] (the
  // paper's program) for 0. N-grams: in [-1/h, 1/h], so that they add only what training finds in
  // them. All workers help, and none goes on before all rows are filled.
  void FillSourceRows() {
    constexpr uint64_t kRowsAtATime = 4096;
    const uint32_t dimension = source_.dimension();
    const auto norm = static_cast<float>(config_.initial_norm);
    const float small = 1 / static_cast<float>(dimension);
    const float word_width = norm > 0 ? WidthOfLength(norm, dimension) : small;
    const Vocabulary& vocabulary = corpus_.vocabulary;
    const uint64_t seed = Mix64(static_cast<uint64_t>(config_.seed));
    for (;;) {
      const uint64_t begin = next_row_.fetch_add(kRowsAtATime);
      if (begin >= source_.rows()) break;
      const uint64_t end = std::min(begin + kRowsAtATime, source_.rows());
      for (uint64_t row = begin; row < end; row++) {
        if (row < vocabulary.size()) {
          FillUniform(vocabulary.words.hash(static_cast<uint32_t>(row)), word_width, source_[row],
                      dimension);
        } else {
          FillUniform(seed + row, small, source_[row], dimension);
        }
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
      stop_ = true;
    }
    running_--;
    ended_.notify_one();
  }

  // The plans of one sentence: one for sent2vec, one for each prediction for the others.
  struct Plans {
    std::vector<StepPlan> plans;
    size_t count = 0;
  };

  // What a worker needs from sentence to sentence.
  struct Worker {
    explicit Worker(const Training& training)
        : windowed(training.config_.objective != "sent2vec"),
          planner(training.config_, training.corpus_, training.keep_, training.negatives_),
          window_planner(training.config_, training.keep_, training.negatives_),
          step(training.kernels_, training.source_.stride(), training.config_.l1) {}

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
    uint64_t tokens = 0;
    const auto plan = [&](uint64_t i) {
      if (i / sentences != planned_epoch) {
        planned_epoch = i / sentences;
        order = Permutation(static_cast<uint64_t>(config_.seed) + planned_epoch, sentences);
      }
      corpus_.Read(order[i % sentences], &worker->sentence);
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
                                NumberText(config_.source_rate) + "; lower one of them");
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
    epoch_loss_[epoch].loss += loss->loss;
    epoch_loss_[epoch].targets += loss->targets;
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
  Corpus& corpus_;
  const uint32_t target_words_;
  const std::vector<float> keep_;
  const NegativeSampler negatives_;
  const simd::Kernels& kernels_;
  const uint64_t total_;  // sentences of all epochs
  Matrix source_, target_;

  std::atomic<uint64_t> next_row_{0}, filled_rows_{0};
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> tokens_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards all below
  std::condition_variable ended_;
  size_t running_ = 0;
  std::exception_ptr error_;
  std::vector<StepLoss> epoch_loss_;  // [epochs]
  StepLoss recent_;                   // since the last progress report
  double last_loss_ = 0;
};

}  // namespace

uint64_t MatrixBytes(const Config& config, const Corpus& corpus) {
  const auto dimension = static_cast<uint32_t>(config.dimension);
  const uint32_t target_words =
      corpus.vocabulary.PrefixWithCount(static_cast<uint64_t>(config.min_target_count));
  return Matrix::Bytes(corpus.vocabulary.size() + corpus.ngram_buckets.size(), dimension) +
         Matrix::Bytes(target_words, dimension);
}

Model Train(const Config& config, Corpus corpus, const ProgressObserver& observer) {
  ValidateConfig(config);
  Training training(config, &corpus);
  training.Run(observer);
  return training.Finish();
}

}  // namespace s2v
