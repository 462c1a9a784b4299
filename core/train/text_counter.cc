#include "core/train/text_counter.h"

#include <algorithm>
#include <cstring>

namespace s2v {
namespace {

// What a batch holds: enough that handing it over costs nothing, few enough that a worker's lie in
// its cache.
constexpr size_t kBatchBytes = size_t{1} << 17;
constexpr size_t kBatchTexts = 4096;

}  // namespace

TextCounter::TextCounter(const Tokenizer& tokenizer, size_t workers, uint64_t word_bytes,
                         size_t max_sentence_tokens, BlockStore* blocks)
    : tokenizer_(tokenizer), max_sentence_tokens_(max_sentence_tokens), blocks_(blocks) {
  for (size_t i = 0; i < workers; i++) {
    workers_.push_back(std::make_unique<Worker>(word_bytes / workers));
  }
}

TextCounter::~TextCounter() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.clear();  // a thread counts what waits before it stops
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TextCounter::Add(std::string_view text) {
  text_count_++;
  filling_.bytes += text;
  filling_.ends.push_back(filling_.bytes.size());
  if (filling_.bytes.size() >= kBatchBytes || filling_.ends.size() >= kBatchTexts) Send(true);
}

void TextCounter::BeginNew() {
  if (!filling_.ends.empty()) Send(false);  // no batch holds both
  first_new_batch_ = next_number_;
}

void TextCounter::Send(bool more_follows) {
  filling_.number = next_number_++;
  if (workers_.size() > 1 && more_follows && threads_.empty()) {
    for (uint32_t i = 0; i < workers_.size(); i++) {
      threads_.emplace_back([this, i] { Work(i); });
    }
  }
  std::unique_lock<std::mutex> lock(mutex_);
  if (threads_.empty()) {
    lock.unlock();
    Count(filling_, 0);
  } else {
    // Two batches for each worker may wait, so that no worker waits for texts.
    changed_.wait(lock, [this] { return error_ || waiting_.size() < 2 * threads_.size(); });
    if (error_) std::rethrow_exception(error_);
    waiting_.push_back(std::move(filling_));
    changed_.notify_all();
  }
  filling_.bytes.clear();
  filling_.ends.clear();
}

void TextCounter::Work(uint32_t worker) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Batch batch = std::move(waiting_.front());
    waiting_.pop_front();
    counting_++;
    lock.unlock();
    std::exception_ptr error;
    try {
      Count(batch, worker);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    counting_--;
    if (error && !error_) {
      error_ = error;
      waiting_.clear();
    }
    changed_.notify_all();
  }
}

void TextCounter::Count(const Batch& batch, uint32_t worker) {
  Worker& w = *workers_[worker];
  uint64_t position = batch.number << 32;
  size_t begin = 0, used = 0;
  for (const size_t end : batch.ends) {
    tokenizer_.Tokenize(std::string_view(batch.bytes).substr(begin, end - begin), &w.tokens);
    begin = end;
    const size_t size = w.tokens.size();
    size_t form = 0;
    const size_t most = (size + size / max_sentence_tokens_ + 1) * kMaxVarintBytes;
    if (w.encoded.size() < used + most) w.encoded.resize(2 * (used + most));
    char* out = w.encoded.data() + used;
    ForEachPiece(size, max_sentence_tokens_, [&](size_t piece_begin, size_t piece_end) {
      out = WriteVarint(static_cast<uint32_t>(piece_end - piece_begin), out);
      for (size_t i = piece_begin; i < piece_end; i++) {
        const std::string_view word = w.tokens[i];
        const uint32_t id = w.counter.Add(word, HashWord(word), 1, position + i);
        out = WriteVarint(id, out);
        if (form < w.tokens.forms().size() && w.tokens.forms()[form].token == i) {
          w.CountForm(w.tokens.form_at(form++), id);
        }
      }
    });
    used = static_cast<size_t>(out - w.encoded.data());
    position += size;
  }
  token_count_ += position - (batch.number << 32);
  const uint32_t block = blocks_->Add(std::string_view(w.encoded).substr(0, used));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (done_.size() <= batch.number) done_.resize(batch.number + 1);
  done_[batch.number] = {worker, block};
}

void TextCounter::Worker::CountForm(std::string_view word, uint32_t id) {
  form = word;
  form.append(reinterpret_cast<const char*>(&id), sizeof(id));
  forms.Add(form);
}

void TextCounter::Finish() {
  if (!filling_.ends.empty()) Send(false);
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return error_ || (waiting_.empty() && counting_ == 0); });
  if (error_) std::rethrow_exception(error_);
}

void TextCounter::Merge(WordCounter* words) {
  for (const auto& worker : workers_) {
    worker->ids.assign(worker->counter.provisional_ids(), kUnknownWord);
  }
  // A worker's words are in the order in which it met them already: the next one is the first of
  // the workers' next ones.
  std::vector<uint32_t> next(workers_.size(), 0);
  const auto place = [&](size_t w) {
    const WordCounter& counter = workers_[w]->counter;
    return next[w] < counter.size() ? counter.first(next[w]) : UINT64_MAX;
  };
  for (;;) {
    size_t earliest = 0;
    for (size_t w = 1; w < workers_.size(); w++) {
      if (place(w) < place(earliest)) earliest = w;
    }
    if (place(earliest) == UINT64_MAX) break;
    Worker& worker = *workers_[earliest];
    const uint32_t i = next[earliest]++;
    worker.ids[worker.counter.provisional(i)] =
        words->Add(worker.counter.word(i), worker.counter.hash(i), worker.counter.count(i));
  }
  uint64_t tokens = 0, dropped = 0;
  for (const auto& worker : workers_) {
    tokens += worker->counter.token_count();
    dropped += worker->counter.dropped();
    worker->counter = WordCounter(0);
  }
  words->SetTokenCount(tokens, dropped);
}

void TextCounter::Rename(std::span<const uint32_t> final_ids) {
  for (const auto& worker : workers_) {
    for (uint32_t& id : worker->ids) {
      if (id != kUnknownWord) id = final_ids[id];
    }
  }
}

void TextCounter::ChooseForms(std::span<const uint64_t> counts, Vocabulary* words) {
  struct Form {
    uint32_t id;
    std::string_view word;
    uint64_t count;
  };
  std::vector<Form> all;
  for (const auto& worker : workers_) {
    for (uint32_t i = 0; i < worker->forms.size(); i++) {
      const std::string_view bytes = worker->forms.word(i);
      uint32_t id;
      std::memcpy(&id, bytes.data() + bytes.size() - sizeof(id), sizeof(id));
      id = worker->ids[id];
      if (id == kUnknownWord) continue;
      all.push_back({id, bytes.substr(0, bytes.size() - sizeof(id)), worker->forms.count(i)});
    }
  }
  std::sort(all.begin(), all.end(), [](const Form& a, const Form& b) {
    return a.id != b.id ? a.id < b.id : a.word < b.word;
  });
  if (!all.empty()) words->forms.resize(words->size());
  for (size_t i = 0; i < all.size();) {
    const uint32_t id = all[i].id;
    uint64_t others = 0, most = 0;
    std::string_view commonest;
    while (i < all.size() && all[i].id == id) {
      const std::string_view word = all[i].word;
      uint64_t count = 0;
      for (; i < all.size() && all[i].id == id && all[i].word == word; i++) count += all[i].count;
      others += count;
      if (count > most) commonest = word;
      most = std::max(most, count);
    }
    const uint64_t as_here = counts[id] - std::min(counts[id], others);
    if (most > as_here) words->forms[id] = commonest;
  }
  for (const auto& worker : workers_) worker->forms = WordCounter(0);
}

}  // namespace s2v
