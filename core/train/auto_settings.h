// Settings that follow from the shape of a corpus, for those parameters that the user left open.
//
//   const std::vector<Choice> choices = ChooseSettings(builder.shape(), &settings);
//   builder.Configure(settings.config());
//
// Parameter::automatic (core/config.cc) says which parameters can be chosen, and their rules in
// words; auto_settings.cc has the rules.
#ifndef S2V_CORE_TRAIN_AUTO_SETTINGS_H_
#define S2V_CORE_TRAIN_AUTO_SETTINGS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"

namespace s2v {

// What is known of a corpus once it has been counted, before its vocabulary is cut.
struct CorpusShape {
  uint64_t texts = 0;
  uint64_t tokens = 0;
  uint64_t distinct_words = 0;
};

// The reason of a choice that does not depend on the corpus.
inline constexpr std::string_view kConstantRule = "the same for every corpus";

struct Choice {
  std::string_view parameter;
  std::string value;  // as SetParameter takes it
  std::string reason;
};

// Chooses every automatic parameter (Settings::IsAutomatic), in the order of Parameters().
std::vector<Choice> ChooseSettings(const CorpusShape& shape, Settings* settings);
// {"epochs":{"value":10,"reason":"..."}, ...}
std::string ChoicesJson(const std::vector<Choice>& choices);

}  // namespace s2v

#endif  // S2V_CORE_TRAIN_AUTO_SETTINGS_H_
