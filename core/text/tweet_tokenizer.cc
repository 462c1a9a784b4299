// The profile `tweet`, version 1: texts cut as the authors of Sent2Vec prepared them for their
// published models of tweets, with NLTK's TweetTokenizer. Written from the description of that
// tokenizer; docs/import-export.md lists what differs. Bytes that are no UTF-8 are U+FFFD. Gives
// lower case, and cuts what is longer than 1,000 characters.
//
// The first that fits, from left to right:
//  1. &amp; &lt; &gt; &quot; &nbsp; and &#N; are their characters; of a character that is no ASCII
//     letter or digit, four or more in a row are three.
//  2. a URL, with http(s):, a path or a bare domain; a telephone number; a smiley; <tag>; an arrow;
//     @name; #name; an address with @; emoji joined by U+200D or with a tone of skin; a flag
//  3. letters with ' - _ between them; two numbers with , / . : - between them; letters, digits and
//     _; dots; any character
//  4. In each token, http://..., https://... and www.... become <url>, and @... becomes <user>.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/point_text.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

// Each Match function returns where its pattern, beginning at `at`, ends; or `at` where it does not
// match.
class TweetCutter {
 public:
  TweetCutter(const PointText& points, Tokens* tokens) : p_(points), tokens_(tokens) {}

  void Cut() {
    for (size_t at = 0; at < p_.size();) {
      if (IsBlankPoint(p_[at])) {
        at++;
        continue;
      }
      const size_t end = Match(at);
      for (size_t from = at; from < end;) {  // a telephone number may have spaces
        const size_t to = p_.Run(from, [](int32_t c) { return !IsBlankPoint(c); });
        Fold(p_.Lower(from, std::min(to, end)));
        from = p_.Run(to, IsBlankPoint);
      }
      at = end;
    }
  }

 private:
  static bool IsHost(int32_t c) { return IsAsciiDigit(c) || IsAsciiLetter(c); }
  static bool IsName(int32_t c) { return IsWordPoint(c) || c == '-'; }

  size_t Match(size_t at) const {
    using Matcher = size_t (TweetCutter::*)(size_t) const;
    static constexpr Matcher kMatchers[] = {
        &TweetCutter::Address, &TweetCutter::Domain, &TweetCutter::Telephone,
        &TweetCutter::Smiley,  &TweetCutter::Marked, &TweetCutter::Mail,
        &TweetCutter::Emoji,   &TweetCutter::Word,   &TweetCutter::Number};
    for (const Matcher matcher : kMatchers) {
      const size_t end = (this->*matcher)(at);
      if (end > at) return end;
    }
    if (IsWordPoint(p_[at])) return p_.Run(at, IsWordPoint);
    if (p_[at] == '.') return p_.Run(at, Among("."));
    return at + 1;
  }

  // The rest of a URL behind its beginning: without blanks, without brackets but a closed ( ),
  // without punctuation at its end.
  size_t Body(size_t at, size_t from) const {
    size_t end = from;
    while (end < from + kMostRun && p_[end] != 0 && !IsBlankPoint(p_[end]) &&
           !IsIn(p_[end], "<>{}[])")) {
      if (p_[end] == '(') {
        const size_t close = p_.Run(end, [](int32_t c) { return c != ')' && !IsBlankPoint(c); });
        if (p_[close] != ')') break;
        end = close;
      }
      end++;
    }
    end = p_.Trim(from, end, [](int32_t c) {
      return IsIn(c, "`!([]{};:'\".,<>?") || c == 0xAB || c == 0xBB || (c >= 0x2018 && c <= 0x201D);
    });
    return end > from + 1 ? end : at;
  }
  size_t Address(size_t at) const {
    if (p_.StartsWith(at, "http:") || p_.StartsWith(at, "https:")) {
      const size_t from = at + (p_[at + 4] == ':' ? 5 : 6);
      if (p_[from] == '/' || IsHost(p_[from]) || p_[from] == '%') return Body(at, from + 1);
    }
    const size_t end = p_.Run(at, [](int32_t c) { return IsHost(c) || c == '.' || c == '-'; });
    const size_t top = p_.Trim(at, end, IsAsciiLetter);
    const bool is_path =
        p_[end] == '/' && top > at + 1 && p_[top - 1] == '.' && end - top >= 2 && end - top <= 13;
    return is_path ? Body(at, end + 1) : at;
  }
  size_t Domain(size_t at) const {
    if (at > 0 && p_[at - 1] == '@') return at;
    size_t best = at;
    for (size_t from = at; from < at + kMostRun;) {
      const size_t end = p_.Run(from, IsHost);
      if (end == from) break;
      const size_t letters = p_.Run(from, IsAsciiLetter);
      if (from > at && p_[from - 1] == '.' && letters == end && end - from >= 2 &&
          end - from <= 13 && !IsWordPoint(p_[end]) && p_[end] != '@') {
        best = end + (p_[end] == '/' && p_[end + 1] != '@' ? 1 : 0);
      }
      if (p_[end] != '.' && p_[end] != '-') break;
      from = end + 1;
    }
    return best;
  }
  // (+1) (234) 567 8901, with or without what stands before 567.
  size_t Telephone(size_t at) const {
    const auto gap = [&](size_t i) { return p_.Run(i, Among(" *-.)")); };
    const auto digits = [&](size_t i, size_t count) {
      return p_.Run(i, IsAsciiDigit) >= i + count;
    };
    for (const bool country : {true, false}) {
      size_t i = at;
      if (country) {
        i += p_[i] == '+' ? 1 : 0;
        if (p_[i] != '0' && p_[i] != '1') continue;
        i = gap(i + 1);
      }
      for (const bool area : {true, false}) {
        size_t from = i;
        if (area) {
          from += p_[from] == '(' ? 1 : 0;
          if (!digits(from, 3)) continue;
          from = gap(from + 3);
        }
        if (digits(from, 3) && digits(gap(from + 3), 4)) return gap(from + 3) + 4;
      }
    }
    return at;
  }
  size_t Smiley(size_t at) const {
    const auto is_eye = Among(":;=8"), is_hat = Among("<>");
    const auto is_nose = Among("-oO*'"), is_mouth = Among(")]([dDpP/:}{@|\\");
    const size_t eyes = at + (is_hat(p_[at]) ? 1 : 0);
    if (is_eye(p_[eyes]) && is_nose(p_[eyes + 1]) && is_mouth(p_[eyes + 2])) return eyes + 3;
    if (is_eye(p_[eyes]) && is_mouth(p_[eyes + 1])) return eyes + 2;
    size_t end = at;
    if (is_mouth(p_[at]) && is_nose(p_[at + 1]) && is_eye(p_[at + 2])) end = at + 3;
    if (is_mouth(p_[at]) && end == at && is_eye(p_[at + 1])) end = at + 2;
    if (end > at) return end + (is_hat(p_[end]) ? 1 : 0);
    if (p_.StartsWith(at, "<3")) return at + 2;
    return p_.StartsWith(at, "</3") ? at + 3 : at;
  }
  // <tag> --> <-- @name #name
  size_t Marked(size_t at) const {
    const auto is_dash = Among("-");
    if (p_[at] == '<') {
      const size_t end = p_.Run(at + 1, [](int32_t c) { return c != '>' && !IsBlankPoint(c); });
      if (p_[end] == '>' && end > at + 1) return end + 1;
      const size_t arrow = p_.Run(at + 1, is_dash);
      return arrow > at + 1 ? arrow : at;
    }
    if (p_[at] == '-') {
      const size_t end = p_.Run(at, is_dash);
      return p_[end] == '>' ? end + 1 : at;
    }
    if (p_[at] == '@') return IsWordPoint(p_[at + 1]) ? p_.Run(at + 1, IsWordPoint) : at;
    if (p_[at] != '#') return at;
    const size_t name = p_.Run(at, Among("#"));
    if (!IsWordPoint(p_[name])) return at;
    const size_t end = p_.Trim(name, p_.Run(name, [](int32_t c) { return IsName(c) || c == '\''; }),
                               [](int32_t c) { return !IsWordPoint(c); });
    return end >= name + 2 ? end : at;
  }
  size_t Mail(size_t at) const {
    const size_t sign = p_.Run(at, [](int32_t c) { return IsName(c) || c == '.' || c == '+'; });
    const size_t host = p_.Run(sign + 1, IsName);
    if (sign == at || p_[sign] != '@' || host == sign + 1 || p_[host] != '.') return at;
    size_t end = host + 1, names = 0;
    while (IsName(p_[end]) ||
           (p_[end] == '.' && names > 0 && p_[end - 1] != '.' && IsName(p_[end + 1]))) {
      names += p_[end++] != '.';
    }
    return names >= 2 ? end : at;
  }
  size_t Emoji(size_t at) const {
    const auto is_tone = [](int32_t c) { return c >= 0x1F3FB && c <= 0x1F3FF; };
    const auto is_flag = [](int32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; };
    if (is_flag(p_[at]) && is_flag(p_[at + 1])) return at + 2;
    size_t end = at + 1 + (is_tone(p_[at + 1]) ? 1 : 0);
    while (p_[end] == 0x200D && p_[end + 1] != 0) end += 2 + (is_tone(p_[end + 2]) ? 1 : 0);
    return end > at + 1 ? end : at;
  }
  size_t Word(size_t at) const {
    if (!IsLetterPoint(p_[at])) return at;
    const size_t end =
        p_.Trim(at, p_.Run(at, [](int32_t c) { return IsLetterPoint(c) || IsIn(c, "'-_"); }),
                [](int32_t c) { return !IsLetterPoint(c); });
    return end >= at + 3 ? end : at;
  }
  size_t Number(size_t at) const {
    const size_t from = at + (IsIn(p_[at], "+-") ? 1 : 0), sign = p_.Run(from, IsDigitPoint);
    if (sign == from || !IsIn(p_[sign], ",/.:-")) return at;
    const size_t end = p_.Run(sign + 1, IsDigitPoint);
    return end == sign + 1 ? at : end + (IsIn(p_[end], "+-") ? 1 : 0);
  }

  // Rule 4.
  void Fold(std::string token) {
    for (const std::string_view begin : {"www.", "http://", "https://"}) {
      const size_t at = token.find(begin);
      if (at != std::string::npos && at + begin.size() < token.size())
        token.replace(at, std::string::npos, "<url>");
    }
    const size_t at = token.find('@');
    if (at != std::string::npos && at + 1 < token.size())
      token.replace(at, std::string::npos, "<user>");
    tokens_->Add(token);
  }

  const PointText& p_;
  Tokens* const tokens_;
};

// Rule 1 of tweet.
std::vector<int32_t> Tidy(const std::vector<int32_t>& points) {
  static constexpr std::pair<std::string_view, int32_t> kNamed[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&nbsp;", 0xA0}};
  std::vector<int32_t> tidy;
  tidy.reserve(points.size());
  const PointText p(points);
  for (size_t at = 0; at < p.size();) {
    int32_t c = p[at];
    size_t end = at + 1;
    for (const auto& [name, character] : kNamed) {
      if (c != '&' || !p.StartsWith(at, name)) continue;
      c = character;
      end = at + name.size();
    }
    if (c == '&' && p[at + 1] == '#') {
      const size_t last = p.Run(at + 2, IsAsciiDigit);
      int32_t number = 0;
      for (size_t i = at + 2; i < last && number <= 0x10FFFF; i++)
        number = number * 10 + (p[i] - '0');
      if (p[last] == ';' && number > 0 && number <= 0x10FFFF &&
          (number < 0xD800 || number > 0xDFFF)) {
        c = number;
        end = last + 1;
      }
    }
    const size_t n = tidy.size();
    const bool is_fourth = n >= 3 && tidy[n - 1] == c && tidy[n - 2] == c && tidy[n - 3] == c;
    if (!is_fourth || IsAsciiDigit(c) || IsAsciiLetter(c)) tidy.push_back(c);
    at = end;
  }
  return tidy;
}

}  // namespace

void CutTweet(std::string_view text, Tokens* tokens) {
  tokens->Clear();
  const PointText points(Tidy(DecodePoints(text)));
  TweetCutter(points, tokens).Cut();
}

}  // namespace s2v
