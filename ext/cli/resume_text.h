// How a training that was stopped goes on, as it is told after Ctrl-C and by `s2v models`.
#ifndef S2V_EXT_CLI_RESUME_TEXT_H_
#define S2V_EXT_CLI_RESUME_TEXT_H_

#include <string>

namespace s2v {

// "43 %", rounded down: what is not done is not told.
std::string PercentText(double fraction);
// "s2v train news.db --resume --model news", quoted for a shell.
std::string ResumeText(const std::string& path, const std::string& model);

}  // namespace s2v

#endif  // S2V_EXT_CLI_RESUME_TEXT_H_
