#include "core/eval/held_out_loss.h"

#include "core/error.h"
#include "core/train/planners.h"

namespace s2v {
namespace {

constexpr uint64_t kSeed = 1;

// What the planners need of a corpus: the features, not the sentences.
Corpus FeaturesOf(const Model& model) {
  Corpus corpus;
  corpus.vocabulary = model.vocabulary;
  corpus.ngram_buckets = model.ngram_buckets;
  return corpus;
}

}  // namespace

StepLoss HeldOutLoss(const Model& model, std::span<const std::string> texts) {
  Config config = model.config;
  config.negative_reuse = 1;  // independent samples measure best
  const Corpus corpus = FeaturesOf(model);
  const auto target_words = static_cast<uint32_t>(model.target.rows());
  const std::vector<float> keep =
      KeepProbabilities(corpus.vocabulary, target_words, config.subsampling_threshold);
  const std::vector<float> context_keep = ContextProbabilities(corpus.vocabulary, config);
  const NegativeSampler negatives(corpus.vocabulary, target_words);
  SentencePlanner planner(config, corpus, keep, context_keep, negatives);
  WindowPlanner window_planner(config, keep, negatives);
  SgdStep step(simd::BestKernels(), model.source.stride(), 0);
  Random random(kSeed);
  std::vector<StepPlan> plans(1);
  StepLoss loss;
  const auto add = [&](Sentence* sentence) {
    size_t count = 0;
    if (config.ngram_order > 1) FindNgramRows(corpus, config, sentence);
    if (IsWindowed(config)) {
      window_planner.Plan(sentence->words, &random, &plans, &count);
    } else {
      planner.Plan(*sentence, &random, &plans[count++]);
    }
    for (size_t i = 0; i < count; i++) {
      if (!step.Measure(plans[i], model.source, model.target, &loss)) {
        throw InvalidArgument("a score of the held-out texts is not finite");
      }
    }
  };

  const Tokenizer& tokenizer = *FindTokenizer(config.tokenizer);
  Tokens tokens;
  Sentence sentence;
  for (const std::string& text : texts) {
    tokenizer.Tokenize(text, &tokens);
    ForEachPiece(tokens.size(), MaxSentenceTokens(config), [&](size_t begin, size_t end) {
      sentence.words.clear();
      size_t known = 0;
      for (size_t i = begin; i < end; i++) {
        sentence.words.push_back(corpus.vocabulary.words.Find(tokens[i], HashWord(tokens[i])));
        known += sentence.words.back() != kUnknownWord;
      }
      if (known >= 2) add(&sentence);
    });
  }
  return loss;
}

}  // namespace s2v
