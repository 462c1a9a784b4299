#include "core/text/text_format.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "core/error.h"
#include "core/text/markup.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// Of two formats that a table may be of the one with more texts, then the first one. Shares:
// chosen, not measured; most rows of a forum have no mark of Markdown, and its rules do nothing to
// them.
constexpr TextFormat kFormats[] = {
    {"json", 1, MakePlainJson, IsWrittenAsJson, "are JSON", 0.5},
    {"html", 2, MakePlainHtml, IsWrittenAsHtml, "have tags of HTML", 0.3},
    {"markdown", 3, MakePlainMarkdown, IsWrittenAsMarkdown,
     "have headings, links or ** of Markdown", 0.2},
};

// A profile behind a format. version: of the format's rules.
class FormatTokenizer : public Tokenizer {
 public:
  FormatTokenizer(const TextFormat& format, int version, const Tokenizer& plain,
                  const Tokenizer& newest_plain)
      : Tokenizer(std::string(format.name) + ":" + plain.name(), version << 28 | plain.version()),
        format_(format),
        format_version_(version),
        plain_(plain) {
    // There were models of every pair of rules. All of the plain profile stand under the format's
    // present ones first.
    if (plain.former() != nullptr) {
      former_ = std::make_unique<FormatTokenizer>(format, version, *plain.former(), newest_plain);
    } else if (version > 1) {
      former_ = std::make_unique<FormatTokenizer>(format, version - 1, newest_plain, newest_plain);
    }
  }

  std::string_view PlainText(std::string_view text, std::string* scratch) const override {
    format_.make_plain(text, format_version_, scratch);
    return *scratch;
  }
  const Tokenizer& plain() const override { return plain_; }
  ReadingRules reading() const override { return plain_.reading(); }
  void Tokenize(std::string_view text, Tokens* tokens) const override {
    std::string scratch;
    plain_.Tokenize(PlainText(text, &scratch), tokens);
  }
  void CutTerms(std::string_view text, bool with_parts, Tokens* terms) const override {
    std::string scratch;
    plain_.CutTerms(PlainText(text, &scratch), with_parts, terms);
  }

 private:
  const TextFormat& format_;
  const int format_version_;
  const Tokenizer& plain_;
};

}  // namespace

const TextFormat* FindTextFormat(std::string_view name) {
  return FindNamed(name, kFormats, &TextFormat::name);
}

ProfileName SplitProfileName(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon != name.npos) return {name.substr(0, colon), name.substr(colon + 1)};
  if (FindTextFormat(name) != nullptr) return {name, ""};
  return {"", name};
}

const Tokenizer* FindFormatTokenizer(std::string_view name) {
  const ProfileName parts = SplitProfileName(name);
  const std::string_view profile = parts.profile.empty() ? kNeutralTokenizer : parts.profile;
  const TextFormat* format = FindTextFormat(parts.format);
  if (format == nullptr || !SplitProfileName(profile).format.empty()) return nullptr;
  const Tokenizer* plain = FindTokenizer(profile);
  if (plain == nullptr) return nullptr;
  // Never destroyed, as all tokenizers.
  static auto& mutex = *new std::mutex;
  static auto& made = *new std::map<std::pair<const TextFormat*, const Tokenizer*>,
                                    std::unique_ptr<const Tokenizer>>;
  const std::lock_guard lock(mutex);
  auto& one = made[{format, plain}];
  if (!one) one = std::make_unique<FormatTokenizer>(*format, format->version, *plain, *plain);
  return one.get();
}

LanguageGuess GuessProfile(const std::vector<std::string>& texts, std::string_view format_name) {
  // So much of a text is looked at for its language, and where texts are few all that is given of
  // them.
  constexpr size_t kTextBytes = 1000, kManyTexts = 200;
  const size_t most_bytes = texts.size() < kManyTexts ? std::string_view::npos : kTextBytes;
  const TextFormat* format = FindTextFormat(format_name);
  std::string reason;
  size_t most = 0;
  for (const TextFormat& one : kFormats) {
    if (!format_name.empty()) break;
    const auto count =
        static_cast<size_t>(std::count_if(texts.begin(), texts.end(), one.is_written_so));
    if (static_cast<double>(count) < one.least_share * static_cast<double>(texts.size()) ||
        count <= most)
      continue;
    most = count;
    format = &one;
    reason = std::to_string(count) + " of " + std::to_string(texts.size()) + " texts " +
             std::string(one.sign) + "; ";
  }
  LanguageDetector detector;
  std::string plain;
  for (const std::string& text : texts) {
    if (format != nullptr) format->make_plain(text, format->version, &plain);
    detector.Add(std::string_view(format == nullptr ? text : plain).substr(0, most_bytes));
  }
  LanguageGuess guess = detector.Guess();
  if (format == nullptr) return guess;
  return {std::string(format->name) + ":" + guess.tokenizer, reason + guess.reason};
}

}  // namespace s2v
