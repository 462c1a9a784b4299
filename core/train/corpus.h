// A corpus as the trainer wants it: sentences as word ids, and which n-gram buckets get a row.
//
//   CorpusBuilder builder(config);
//   while (...) builder.Add(text);          // one pass over the text: tokenizes and counts
//   Corpus corpus = builder.Finish();       // one pass over the ids: drops, renames, counts
//   n-grams
#ifndef S2V_CORE_TRAIN_CORPUS_H_
#define S2V_CORE_TRAIN_CORPUS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "core/model/model.h"
#include "core/text/tokenizer.h"
#include "core/vocab/hash.h"
#include "core/vocab/vocabulary.h"

namespace s2v {

// Marks a bucket without a row.
inline constexpr uint32_t kNoRow = 0xffffffffu;

// A row of text longer than this many tokens is trained as several sentences, so that the scratch
// memory of a step is bounded and a context stays a context.
inline constexpr size_t kMaxSentenceTokens = 1000;

struct Corpus {
  Vocabulary vocabulary;
  // Sentences of at least two known words, end to end; unknown words stay as kUnknownWord, since an
  // n-gram does not reach across one.
  std::vector<uint32_t> tokens;
  std::vector<uint64_t> sentence_ends;  // [sentences], in tokens
  uint64_t text_count = 0;              // texts added, trained on or not
  uint64_t first_new_sentence = 0;      // those before it were added before CorpusBuilder::BeginNew

  // Row of a bucket's n-grams, counted from 0, or kNoRow. Empty for ngram_order 1.
  std::vector<uint32_t> bucket_rows;    // [bucket_count]
  std::vector<uint32_t> ngram_buckets;  // [n-gram rows], rising
  std::vector<uint32_t> ngram_counts;   // [n-gram rows], saturating

  uint64_t sentences() const { return sentence_ends.size(); }
  std::span<const uint32_t> Sentence(uint64_t i) const {
    const uint64_t begin = i == 0 ? 0 : sentence_ends[i - 1];
    return {tokens.data() + begin, sentence_ends[i] - begin};
  }
};

// Calls visit(start, n, hash) for every n-gram of the sentence, 2 <= n <= order: words start ..
// start+n-1, none of them unknown. hash_of(id) gives a word's hash; word_hashes is scratch.
template <typename HashOf, typename Visit>
void ForEachNgram(std::span<const uint32_t> sentence, size_t order, HashOf hash_of,
                  std::vector<uint64_t>* word_hashes, Visit visit) {
  word_hashes->resize(sentence.size());
  size_t known = 0;  // length of the run of known words that ends here
  for (size_t end = 0; end < sentence.size(); end++) {
    if (sentence[end] == kUnknownWord) {
      known = 0;
      continue;
    }
    (*word_hashes)[end] = hash_of(sentence[end]);
    known++;
    for (size_t n = 2; n <= order && n <= known; n++) {
      const size_t start = end + 1 - n;
      visit(start, n, HashNgram(word_hashes->data() + start, n));
    }
  }
}

class CorpusBuilder {
 public:
  // Throws InvalidArgument for a configuration that cannot be.
  explicit CorpusBuilder(const Config& config);
  // The corpus goes on where that of a model ended: its words and n-grams keep their counts there
  // at least, whatever is added, so they stay in it as far as max_vocabulary lets them. REQUIRES:
  // config is that of the model; before Add.
  void ContinueFrom(const Model& model);
  // The texts that follow are new.
  void BeginNew();
  void Add(std::string_view text);
  uint64_t text_count() const { return text_count_; }
  uint64_t token_count() const { return counter_.token_count(); }
  // Throws InvalidArgument where there is nothing to learn from, saying why.
  Corpus Finish();

 private:
  void CountNgrams(Corpus* corpus) const;
  const Config config_;
  const Tokenizer* tokenizer_;
  WordCounter counter_;
  Tokens scratch_;
  std::vector<uint32_t> tokens_;  // provisional ids
  std::vector<uint64_t> ends_;
  uint64_t text_count_ = 0;
  uint64_t ends_before_new_ = 0;                              // of ends_
  std::vector<uint32_t> expected_buckets_, expected_ngrams_;  // n-grams of a model: counts
};

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_CORPUS_H_
