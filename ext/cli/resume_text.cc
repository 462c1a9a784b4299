#include "ext/cli/resume_text.h"

namespace s2v {
namespace {

// A word for a shell.
std::string ShellText(const std::string& text) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string PercentText(double fraction) {
  return std::to_string(static_cast<int>(100 * fraction)) + " %";
}

std::string ResumeText(const std::string& path, const std::string& model) {
  return "s2v train " + ShellText(path) + " --resume --model " + ShellText(model);
}

}  // namespace s2v
