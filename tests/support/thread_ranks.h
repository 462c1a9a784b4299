// Ranks that are threads of this process.
//
//   RunRanks(3, [&](RankGroup* ranks) { ... });      // three threads; rethrows what rank 0, 1 ... threw
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/train/ranks.h"

namespace s2v::testing {

// What the ranks have in common.
struct Meeting {
  explicit Meeting(uint32_t size)
      : sent(size), counts(size), moves(size), barrier(static_cast<std::ptrdiff_t>(size)) {}
  std::vector<std::vector<std::string>> sent;  // [from][to]
  std::vector<std::span<uint32_t>> counts;     // [rank]
  std::vector<std::span<Bfloat16>> moves;
  std::barrier<> barrier;
};

class ThreadRank final : public RankGroup {
 public:
  ThreadRank(Meeting* meeting, uint32_t rank) : meeting_(meeting), rank_(rank) {}
  uint32_t rank() const override { return rank_; }
  uint32_t size() const override { return static_cast<uint32_t>(meeting_->sent.size()); }
  std::vector<std::string> Exchange(const std::vector<std::string>& to) override {
    meeting_->sent[rank_] = to;
    meeting_->barrier.arrive_and_wait();
    std::vector<std::string> from;
    for (uint32_t other = 0; other < size(); other++) from.push_back(meeting_->sent[other][rank_]);
    meeting_->barrier.arrive_and_wait();
    return from;
  }
  void Sum(std::span<uint32_t> values) override { SumOf(&meeting_->counts, values); }
  void Sum(std::span<Bfloat16> values) override { SumOf(&meeting_->moves, values); }

 private:
  template <typename Value>
  void SumOf(std::vector<std::span<Value>>* all, std::span<Value> values) {
    (*all)[rank_] = values;
    meeting_->barrier.arrive_and_wait();
    std::vector<Value> sum(values.size());
    for (const std::span<Value> other : *all) {
      for (size_t i = 0; i < sum.size(); i++) sum[i] += other[i];
    }
    meeting_->barrier.arrive_and_wait();
    std::copy(sum.begin(), sum.end(), values.begin());
    meeting_->barrier.arrive_and_wait();
  }
  Meeting* const meeting_;
  const uint32_t rank_;
};

// Of errors that all ranks have at the same time: otherwise the others wait for ever.
inline void RunRanks(uint32_t size, const std::function<void(RankGroup*)>& work) {
  Meeting meeting(size);
  std::vector<std::exception_ptr> errors(size);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < size; rank++) {
    threads.emplace_back([&, rank] {
      ThreadRank self(&meeting, rank);
      try {
        work(&self);
      } catch (...) {
        errors[rank] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace s2v::testing
