#include "core/train/row_exchange.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/train/sampling.h"

namespace s2v {
namespace {

// How often a row is touched on a rank until it is sent.
constexpr double kTouches = 16;
// A row is sent in one of 2^kMostLevel rounds at least.
constexpr double kMostLevel = 6;
// Rows that are summed at a time where all are: what is on its way takes memory.
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

}  // namespace

RowExchange::RowExchange(RankGroup* ranks, const Config& config, const Corpus& corpus,
                         double round_tokens)
    : ranks_(ranks), dimension_(static_cast<uint32_t>(config.dimension)) {
  for (const double rate : TouchRates(config, corpus)) {
    const double touches = rate * round_tokens;
    const double level = std::floor(std::log2(kTouches / std::max(touches, 1e-30)));
    level_.push_back(static_cast<uint8_t>(std::clamp(level, 0.0, kMostLevel)));
  }
}

RowExchange::~RowExchange() {
  if (summing_.valid()) summing_.wait();
}

float* RowExchange::BaseOf(uint64_t row) {
  const uint64_t sources = base_source_.rows();
  return row < sources ? base_source_[row] : base_target_[row - sources];
}

float* RowExchange::RowOf(uint64_t row, TrainingState* state) const {
  const uint64_t sources = base_source_.rows();
  return row < sources ? state->source[row] : state->target[row - sources];
}

void RowExchange::Round(std::vector<uint32_t>* votes, TrainingState* state) {
  if (base_source_.rows() == 0) {
    base_source_ = Matrix(state->source.rows(), dimension_);
    base_target_ = Matrix(state->target.rows(), dimension_);
    for (uint64_t row = 0; row < Rows(); row++) {
      std::memcpy(BaseOf(row), RowOf(row, state), dimension_ * sizeof(float));
    }
    std::fill(votes->begin(), votes->end(), 0);
    return;
  }
  round_++;
  End(state);
  batch_.votes.swap(*votes);
  Begin(0, Rows(), false, state);
  votes->resize(batch_.votes.size());
}

void RowExchange::All(TrainingState* state) {
  if (base_source_.rows() == 0) return;
  End(state);
  std::vector<uint32_t> votes;  // those of the last round are told in the next one
  votes.swap(batch_.votes);
  for (uint64_t row = 0; row < Rows(); row += kRowsAtATime) {
    Begin(row, std::min(row + kRowsAtATime, Rows()), true, state);
    End(state);
  }
  votes.swap(batch_.votes);
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
  moved_.clear();
  batch_.mine.clear();
  for (uint64_t row = first; row < last; row++) {
    // Rows of a level take turns.
    if (!all && ((row + round_) & ((1u << level_[row]) - 1)) != 0) continue;
    due_.push_back(row);
    const float* const now = RowOf(row, state);
    const float* const base = BaseOf(row);
    const bool moved = std::memcmp(now, base, dimension_ * sizeof(float)) != 0;
    moved_.push_back(moved);
    if (!moved) continue;
    const size_t at = batch_.mine.size();
    batch_.mine.resize(at + dimension_);
    for (uint32_t d = 0; d < dimension_; d++) batch_.mine[at + d] = now[d] - base[d];
  }
  summing_ = std::async(std::launch::async, [this] { SumBatch(); });
}

void RowExchange::SumBatch() {
  std::vector<uint32_t> ranks = moved_;
  ranks.insert(ranks.end(), batch_.votes.begin(), batch_.votes.end());
  ranks_->Sum(ranks);
  std::copy(ranks.end() - static_cast<std::ptrdiff_t>(batch_.votes.size()), ranks.end(),
            batch_.votes.begin());
  batch_.rows.clear();
  batch_.sum.clear();
  std::vector<float> mine;
  mine.swap(batch_.mine);
  const float* next = mine.data();
  for (size_t i = 0; i < due_.size(); i++) {
    if (ranks[i] == 0) continue;
    batch_.rows.push_back(due_[i]);
    batch_.sum.resize(batch_.sum.size() + dimension_);
    if (moved_[i] == 0) continue;
    std::copy(next, next + dimension_, batch_.sum.end() - dimension_);
    next += dimension_;
  }
  batch_.mine = batch_.sum;
  ranks_->Sum(batch_.sum);
  bytes_ += 4 * (ranks.size() + batch_.sum.size());
}

void RowExchange::End(TrainingState* state) {
  if (!summing_.valid()) return;
  summing_.get();
  for (size_t i = 0; i < batch_.rows.size(); i++) {
    const uint64_t row = batch_.rows[i];
    float* const base = BaseOf(row);
    float* const now = RowOf(row, state);
    const float* const mine = &batch_.mine[i * dimension_];
    const float* const sum = &batch_.sum[i * dimension_];
    for (uint32_t d = 0; d < dimension_; d++) {
      const float since = now[d] - base[d] - mine[d];  // exactly 0 where the row has stood still
      base[d] += sum[d];
      now[d] = base[d] + since;
    }
  }
}

}  // namespace s2v
