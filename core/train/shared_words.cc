#include "core/train/shared_words.h"

#include <algorithm>

namespace s2v {
namespace {

// A word on its way between ranks: count, place, size, bytes.
struct CountedWord {
  uint64_t count, place;
  std::string_view word;
};

void Write(const CountedWord& w, std::string* out) {
  const uint64_t head[] = {w.count, w.place, w.word.size()};
  out->append(reinterpret_cast<const char*>(head), sizeof(head));
  out->append(w.word);
}

template <typename Visit>
void ForEachWord(std::string_view bytes, Visit visit) {
  uint64_t head[3];
  while (!bytes.empty()) {
    std::memcpy(head, bytes.data(), sizeof(head));
    visit(CountedWord{head[0], head[1], bytes.substr(sizeof(head), head[2])});
    bytes.remove_prefix(sizeof(head) + head[2]);
  }
}

}  // namespace

SharedWords::SharedWords(RankGroup* ranks, const WordCounter& mine, uint64_t word_bytes)
    : ranks_(ranks), part_(word_bytes), tokens_(ranks->Total(mine.token_count())) {
  std::vector<std::string> to(ranks->size());
  const uint64_t first_place = uint64_t{ranks->rank()} << 32;
  for (uint32_t i = 0; i < mine.size(); i++) {
    const uint64_t owner = ((mine.hash(i) >> 32) * ranks->size()) >> 32;
    Write({mine.count(i), first_place | i, mine.word(i)}, &to[owner]);
  }
  std::vector<std::string> from = ranks->Exchange(to);
  to.clear();
  for (std::string& bytes : from) {  // in the order of ranks, so that a word's first place stays
    ForEachWord(bytes, [&](const CountedWord& w) {
      part_.Add(w.word, HashWord(w.word), w.count, w.place);
    });
    bytes = std::string();
  }
  distinct_words_ = ranks->Total(part_.size());
  dropped_ = ranks->Total(mine.dropped() + part_.dropped());
}

Vocabulary SharedWords::Select(uint64_t min_count, uint32_t max_vocabulary, const WordCounter& mine,
                               std::vector<uint32_t>* final_ids) {
  std::vector<uint32_t> ids;
  part_.Select(min_count, max_vocabulary, &ids);
  std::string chosen;
  for (uint32_t i = 0; i < part_.size(); i++) {
    if (ids[part_.provisional(i)] == kUnknownWord) continue;
    Write({part_.count(i), part_.first(i), part_.word(i)}, &chosen);
  }
  part_ = WordCounter(0);
  const std::vector<std::string> all = ranks_->Gather(chosen);
  std::vector<CountedWord> words;
  for (const std::string& bytes : all) {
    ForEachWord(bytes, [&](const CountedWord& w) { words.push_back(w); });
  }
  std::sort(words.begin(), words.end(),
            [](const CountedWord& a, const CountedWord& b) { return a.place < b.place; });
  WordCounter together(UINT64_MAX);
  for (const CountedWord& w : words) together.Add(w.word, HashWord(w.word), w.count);
  together.SetTokenCount(tokens_, 0);
  Vocabulary vocabulary = together.Select(min_count, max_vocabulary, &ids);
  final_ids->assign(mine.provisional_ids(), kUnknownWord);
  for (uint32_t i = 0; i < mine.size(); i++) {
    (*final_ids)[mine.provisional(i)] = vocabulary.words.Find(mine.word(i), mine.hash(i));
  }
  return vocabulary;
}

}  // namespace s2v
