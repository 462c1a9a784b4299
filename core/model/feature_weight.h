// The weight of smooth inverse frequency (Arora, Liang, Ma, "A simple but tough-to-beat baseline
// for sentence embeddings", ICLR 2017): how much a feature of frequency f counts in an embedding,
// and with what probability a word stays in the contexts that are learned from.
#ifndef S2V_CORE_MODEL_FEATURE_WEIGHT_H_
#define S2V_CORE_MODEL_FEATURE_WEIGHT_H_

namespace s2v {

// a / (a + f) for a share f of all tokens; 1 where a is 0.
inline float FeatureWeight(float smoothing, float frequency) {
  return smoothing > 0 ? smoothing / (smoothing + frequency) : 1.0f;
}

}  // namespace s2v

#endif  // S2V_CORE_MODEL_FEATURE_WEIGHT_H_
