#include "core/train/row_exchange.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/parallel.h"
#include "core/train/sampling.h"

namespace s2v {
namespace {

// A row is sent after a rank has touched it about so often.
constexpr double kTouches = 256;
// A row takes the whole sum of its moves on all ranks if these are of at most so many touches
// together; of more, a smaller share. With 64 here, eight ranks lose two points on STS 2014; whole
// sums of 256 touches diverge.
constexpr double kWhole = 16;
// Each row is sent at least so often in the training. With 4, eight ranks lose half a point on STS
// 2014.
constexpr double kLeastTimes = 8;
// A row that all ranks together touch less than kWhole times until it is sent may wait longer, but
// is sent so often: its moves are summed whole, however late.
constexpr double kLeastTimesOfRare = 2;
// Where all rows are summed, so many at a time: sums that are on their way take memory.
constexpr uint64_t kRowsAtATime = 1 << 14;

// How often a token touches each row on average: the source rows, then the target rows.
std::vector<double> TouchRates(const Config& config, const Corpus& corpus) {
  const Vocabulary& words = corpus.vocabulary;
  const std::vector<float> context = ContextProbabilities(words, config);
  std::vector<double> rates;
  for (uint32_t id = 0; id < words.size(); id++) {
    rates.push_back(words.Frequency(id) * (context.empty() ? 1 : context[id]));
  }
  for (const uint32_t count : corpus.ngram_counts) {
    rates.push_back(count / static_cast<double>(words.token_count));
  }
  const uint32_t target_words = TargetWords(words, config);
  const std::vector<float> keep =
      KeepProbabilities(words, target_words, config.subsampling_threshold);
  double targets = 0, roots = 0;
  for (uint32_t id = 0; id < target_words; id++) {
    targets += words.Frequency(id) * keep[id];
    roots += std::sqrt(static_cast<double>(words.counts[id]));
  }
  const double draws = targets * static_cast<double>(config.negatives) /
                       static_cast<double>(config.recipe.negative_reuse);
  for (uint32_t id = 0; id < target_words; id++) {
    rates.push_back(words.Frequency(id) * keep[id] +
                    draws * std::sqrt(static_cast<double>(words.counts[id])) / roots);
  }
  return rates;
}

// visit(begin, end) for parts of n rows, each on a thread.
template <typename Visit>
void InThreads(size_t workers, size_t n, Visit visit) {
  constexpr size_t kRowsOfAThread = 256;
  const size_t parts = std::clamp<size_t>(n / kRowsOfAThread, 1, workers);
  RunParallel(parts, workers,
              [&](size_t part) { visit(n * part / parts, n * (part + 1) / parts); });
}

// difference = a - b, rounded. Returns whether any number of it is not 0.
bool Subtract(const float* __restrict a, const float* __restrict b, uint32_t n,
              Bfloat16* __restrict difference) {
  uint32_t bits = 0;
  for (uint32_t d = 0; d < n; d++) {
    difference[d] = Bfloat16(a[d] - b[d]);
    bits |= difference[d].bits;
  }
  return (bits & 0x7fff) != 0;
}

// Moves the base by a share of the sum. The row keeps the distance from the base that was not sent:
// what it has moved since then, and what rounding took.
void MoveBase(const Bfloat16* __restrict sum, float share, const Bfloat16* __restrict sent,
              uint32_t n, float* __restrict base, float* __restrict row) {
  for (uint32_t d = 0; d < n; d++) {
    const float since = row[d] - base[d] - static_cast<float>(sent[d]);
    base[d] += share * static_cast<float>(sum[d]);
    row[d] = base[d] + since;
  }
}

}  // namespace

RowExchange::RowExchange(RankGroup* ranks, const Config& config, const Corpus& corpus,
                         double round_tokens, uint64_t rounds)
    : ranks_(ranks),
      dimension_(static_cast<uint32_t>(config.dimension)),
      workers_(WorkerCount(config)) {
  const auto level_of = [](double ratio) { return std::max(0.0, std::floor(std::log2(ratio))); };
  const double most = level_of(static_cast<double>(rounds) / kLeastTimes);
  const double most_of_rare = level_of(static_cast<double>(rounds) / kLeastTimesOfRare);
  for (const double rate : TouchRates(config, corpus)) {
    const double touches = std::max(rate * round_tokens, 1e-30);
    const double rare = std::min(level_of(kWhole / (touches * ranks->size())), most_of_rare);
    const double level = std::min(level_of(kTouches / touches), std::max(most, rare));
    level_.push_back(static_cast<uint8_t>(level));
    whole_.push_back(static_cast<float>(kWhole / std::ldexp(touches, level_.back())));
  }
}

RowExchange::~RowExchange() {
  if (summing_.valid()) summing_.wait();
}

float* RowExchange::RowOf(uint64_t row, TrainingState* state) const {
  const uint64_t sources = state->source.rows();
  return row < sources ? state->source[row] : state->target[row - sources];
}

void RowExchange::Round(std::vector<uint32_t>* votes, TrainingState* state) {
  if (base_.rows() == 0) {
    base_ = Matrix(level_.size(), dimension_);
    for (uint64_t row = 0; row < base_.rows(); row++) {
      std::memcpy(base_[row], RowOf(row, state), dimension_ * sizeof(float));
    }
    std::fill(votes->begin(), votes->end(), 0);
    return;
  }
  round_++;
  End(state);
  votes_.swap(*votes);
  Begin(0, base_.rows(), false, state);
  votes->resize(votes_.size());
}

void RowExchange::All(TrainingState* state) {
  if (base_.rows() == 0) return;
  End(state);
  std::vector<uint32_t> votes;  // those of the last round are kept for the next one
  votes.swap(votes_);
  for (uint64_t row = 0; row < base_.rows(); row += kRowsAtATime) {
    Begin(row, std::min(row + kRowsAtATime, base_.rows()), true, state);
    End(state);
  }
  for (uint64_t row = 0; row < base_.rows(); row++) {  // without what rounding took
    std::memcpy(RowOf(row, state), base_[row], dimension_ * sizeof(float));
  }
  votes.swap(votes_);
  ShareLosses(state);
}

void RowExchange::ShareLosses(TrainingState* state) {
  constexpr size_t kBytes = sizeof(StepLoss);
  std::vector<StepLoss>& losses = state->losses;
  const auto all = ranks_->Gather(
      std::string(reinterpret_cast<const char*>(losses.data()), losses.size() * kBytes));
  std::fill(losses.begin(), losses.end(), StepLoss());
  if (ranks_->rank() != 0) return;
  for (const std::string& bytes : all) {
    for (size_t i = 0; i < losses.size(); i++) {
      StepLoss loss;
      std::memcpy(&loss, bytes.data() + i * kBytes, kBytes);
      losses[i].loss += loss.loss;
      losses[i].targets += loss.targets;
    }
  }
}

// Rows first .. last-1, those that are due or all.
void RowExchange::Begin(uint64_t first, uint64_t last, bool all, TrainingState* state) {
  due_.clear();
  for (uint64_t row = first; row < last; row++) {
    // Rows of a level take turns.
    if (all || ((row + round_) & ((uint64_t{1} << level_[row]) - 1)) == 0) due_.push_back(row);
  }
  moved_.resize(due_.size());
  mine_.resize(std::max(mine_.size(), due_.size() * dimension_));
  InThreads(workers_, due_.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      moved_[i] = Subtract(RowOf(due_[i], state), base_[due_[i]], dimension_, MineOf(i));
    }
  });
  summing_ = std::async(std::launch::async, [this] { SumMoves(); });
}

size_t RowExchange::MovedBefore(size_t i) const {
  const auto begin = ranks_moved_.begin(), end = begin + static_cast<std::ptrdiff_t>(i);
  return i - static_cast<size_t>(std::count(begin, end, 0u));
}

void RowExchange::SumMoves() {
  ranks_moved_ = moved_;
  ranks_moved_.insert(ranks_moved_.end(), votes_.begin(), votes_.end());
  ranks_->Sum(ranks_moved_);
  std::copy(ranks_moved_.begin() + static_cast<std::ptrdiff_t>(due_.size()), ranks_moved_.end(),
            votes_.begin());
  sum_.resize(MovedBefore(due_.size()) * dimension_);
  Bfloat16* sum = sum_.data();
  for (size_t i = 0; i < due_.size(); i++) {
    if (ranks_moved_[i] > 0) sum = std::copy(MineOf(i), MineOf(i + 1), sum);
  }
  ranks_->Sum(sum_);
  bytes_ += 4 * ranks_moved_.size() + 2 * sum_.size();
}

void RowExchange::End(TrainingState* state) {
  if (!summing_.valid()) return;
  summing_.get();
  InThreads(workers_, due_.size(), [&](size_t begin, size_t end) {
    const Bfloat16* sum = sum_.data() + MovedBefore(begin) * dimension_;
    for (size_t i = begin; i < end; i++) {
      if (ranks_moved_[i] == 0) continue;
      const auto ranks = static_cast<float>(ranks_moved_[i]);
      const float share = std::clamp(whole_[due_[i]] / ranks, 1 / ranks, 1.0f);
      MoveBase(sum, share, MineOf(i), dimension_, base_[due_[i]], RowOf(due_[i], state));
      sum += dimension_;
    }
  });
}

}  // namespace s2v
