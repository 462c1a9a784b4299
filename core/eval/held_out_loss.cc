#include "core/eval/held_out_loss.h"

#include "core/error.h"
#include "core/train/sentence_planner.h"

namespace s2v {

StepLoss HeldOutLoss(Model* model, std::span<const std::string> texts) {
  Config config = model->config;
  config.recipe.negative_reuse = 1;  // independent samples measure best
  const Vocabulary& vocabulary = model->vocabulary;
  const auto target_words = static_cast<uint32_t>(model->target.rows());
  const std::vector<float> keep =
      KeepProbabilities(vocabulary, target_words, config.subsampling_threshold);
  const std::vector<float> context_keep = ContextProbabilities(vocabulary, config);
  const NegativeSampler negatives(vocabulary, target_words);
  SentencePlanner planner(config, vocabulary.size(), keep, context_keep, negatives);
  SgdStep step(simd::BestKernels(), model->source.stride(), 0);
  Random random(1);
  StepPlan plan;
  StepLoss loss;
  const auto add = [&](Sentence* sentence) {
    if (config.ngram_order > 1) FindNgramRows(vocabulary, model->ngram_buckets, config, sentence);
    planner.Plan(*sentence, &random, &plan);
    if (!step.Apply(plan, 0, 0, &model->source, &model->target, &loss)) {
      throw InvalidArgument("a score of the held-out texts is not finite");
    }
  };

  const Tokenizer& tokenizer = TokenizerOf(config);
  Tokens tokens;
  const auto most_words = static_cast<size_t>(config.recipe.max_sentence_words);
  Sentence sentence;
  for (const std::string& text : texts) {
    tokenizer.Tokenize(text, &tokens);
    ForEachPiece(tokens.size(), most_words, [&](size_t begin, size_t end) {
      sentence.words.clear();
      size_t known = 0;
      for (size_t i = begin; i < end; i++) {
        sentence.words.push_back(vocabulary.words.Find(tokens[i], HashWord(tokens[i])));
        known += sentence.words.back() != kUnknownWord;
      }
      if (known >= 2) add(&sentence);
    });
  }
  return loss;
}

}  // namespace s2v
