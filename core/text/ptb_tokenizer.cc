// The profile `ptb`, version 1: texts cut as the authors of Sent2Vec prepared them for their
// published models of Wikipedia and the Toronto books, with the Stanford tokenizer, as for the Penn
// Treebank. Written from the description of that tokenizer; docs/import-export.md lists what
// differs. Bytes that are no UTF-8 are U+FFFD. Gives lower case, and cuts what is longer than 1,000
// characters, a word of several runs of letters (rule 3) only where one of them ends or is cut, at
// 2,001 characters at most.
//
//  1. White space separates.
//  2. http://, https:// or www. at the beginning of a token: to the white space, without closing
//     punctuation, <url>; @ and a name: <user>.
//  3. A word is letters, digits, marks and _, and between two of these - ' . & / @ ; , and :
//     between digits. A / is written \/. A . at its end belongs to an abbreviation: one letter,
//     letters with . between them, or of a list.
//  4. don't -> do n't; 's 'm 'd 'll 're 've and the ' of a plural are apart; cannot -> can not,
//     gonna -> gon na, gotta -> got ta, wanna -> wan na, gimme -> gim me, lemme -> lem me, 'tis ->
//     't is, 'twas -> 't was.
//  5. " and typographic quotes are `` where they open (at a beginning, behind an opening bracket,
//     quote or dash), else ''; ' is ` or '. Two - or more, and dashes: --. Two . or more, and
//     U+2026: ... . Runs of ! and ?: one token. All other characters are tokens.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/point_text.h"
#include "core/text/tokenizer.h"

namespace s2v {
namespace {

class PtbCutter {
 public:
  PtbCutter(const PointText& points, Tokens* tokens) : p_(points), tokens_(tokens) {}

  void Cut() {
    for (size_t at = 0; at < p_.size();) {
      if (IsBlankPoint(p_[at])) {
        begin_ = ++at;
      } else {
        at = Next(at);
      }
    }
  }

 private:
  static constexpr int32_t kEllipsis = 0x2026;
  static bool IsDash(int32_t c) { return c == 0x2013 || c == 0x2014; }
  static bool IsApostrophe(int32_t c) { return c == '\'' || c == 0x2019; }

  // Where the token that begins at `at` ends.
  size_t Next(size_t at) {
    const int32_t c = p_[at];
    if (p_.StartsWith(at, "http://") || p_.StartsWith(at, "https://") ||
        p_.StartsWith(at, "www.")) {
      const size_t end = p_.Run(at, [](int32_t d) { return !IsBlankPoint(d); });
      tokens_->Add("<url>");
      return p_.Trim(at + 4, end, Among(".,;:!?'\")]}>"));
    }
    if (c == '@' && IsWordPoint(p_[at + 1])) {
      tokens_->Add("<user>");
      return p_.Run(at + 1, IsWordPoint);
    }
    if (IsWordPoint(c)) return Word(at);
    if (IsApostrophe(c) && (p_.StartsWith(at + 1, "tis") || p_.StartsWith(at + 1, "twas")) &&
        !IsWordPoint(p_[at + (p_.StartsWith(at + 1, "tis") ? 4 : 5)])) {
      tokens_->Add("'t");
      return Plain(at + 2, p_.Run(at + 2, IsWordPoint));
    }
    if (c == '"' || c == 0x201C || c == 0x201D || c == 0xAB || c == 0xBB) {
      const bool opens = c == 0x201C || c == 0xAB || (c == '"' && Opens(at));
      return Single(opens ? "``" : "''", at + 1);
    }
    if (IsApostrophe(c) || c == 0x2018 || c == '`') {
      return Single(c == 0x2018 || c == '`' || (c == '\'' && Opens(at)) ? "`" : "'", at + 1);
    }
    if (IsDash(c) || (c == '-' && p_[at + 1] == '-')) {
      return Single("--", p_.Run(at, [](int32_t d) { return d == '-' || IsDash(d); }));
    }
    if (c == kEllipsis || (c == '.' && p_[at + 1] == '.')) {
      return Single("...", p_.Run(at, [](int32_t d) { return d == '.' || d == kEllipsis; }));
    }
    if (c == '!' || c == '?') return Plain(at, p_.Run(at, Among("!?")));
    return Plain(at, at + 1);
  }
  bool Opens(size_t at) const {
    return at == begin_ || IsIn(p_[at - 1], "([{<`\"-") || IsDash(p_[at - 1]);
  }
  size_t Single(std::string_view token, size_t end) {
    tokens_->Add(token);
    return end;
  }
  size_t Plain(size_t from, size_t end) { return Single(p_.Lower(from, end), end); }

  size_t Word(size_t at) {
    size_t end = at;
    for (;;) {
      end = p_.Run(end, IsWordPoint);
      const int32_t c = p_[end];
      const bool joins = IsIn(c, "-'.&/@") || c == 0x2019 ||
                         (IsIn(c, ",:") && IsDigitPoint(p_[end - 1]) && IsDigitPoint(p_[end + 1]));
      if (!joins || !IsWordPoint(p_[end + 1]) || end - at > kMostRun) break;
      end++;
    }
    std::string word = p_.Lower(at, end);
    ReplaceAll("/", "\\/", &word);
    ReplaceAll("\u2019", "'", &word);
    if (p_[end] == '.' && p_[end + 1] != '.' && IsAbbreviation(word))
      return Single(word + ".", end + 1);
    SplitContraction(word);
    if (IsApostrophe(p_[end]) && word.ends_with('s') && !IsWordPoint(p_[end + 1]))
      return Single("'", end + 1);
    return end;
  }

  static bool IsAbbreviation(std::string_view word) {
    static constexpr std::string_view kList[] = {
        "adm",  "apr", "assn", "aug", "ave",  "bldg", "blvd", "bros", "capt", "cmdr", "co",  "col",
        "corp", "dec", "dept", "dr",  "etc",  "feb",  "fig",  "ft",   "gen",  "gov",  "hon", "inc",
        "jan",  "jr",  "lt",   "ltd", "maj",  "mr",   "mrs",  "ms",   "mt",   "nov",  "oct", "ph.d",
        "prof", "rep", "rev",  "sen", "sept", "sgt",  "sr",   "st",   "univ", "vs"};
    if (std::find(std::begin(kList), std::end(kList), word) != std::end(kList)) return true;
    for (size_t i = 0; i < word.size(); i++) {
      if (i % 2 == 0 ? !IsAsciiLetter(static_cast<unsigned char>(word[i])) : word[i] != '.')
        return false;
    }
    return word.size() % 2 == 1;
  }

  void SplitContraction(std::string_view word) {
    size_t second = word.size();
    for (const std::string_view pair : {"cannot", "gonna", "gotta", "wanna", "gimme", "lemme"}) {
      if (word == pair) second = 3;
    }
    for (const std::string_view end : {"n't", "'s", "'m", "'d", "'ll", "'re", "'ve"}) {
      if (word.size() > end.size() && word.ends_with(end)) second = word.size() - end.size();
    }
    tokens_->Add(word.substr(0, second));
    tokens_->Add(word.substr(second));
  }

  const PointText& p_;
  Tokens* const tokens_;
  size_t begin_ = 0;  // behind the last white space
};

}  // namespace

void CutPtb(std::string_view text, Tokens* tokens) {
  tokens->Clear();
  const PointText points(DecodePoints(text));
  PtbCutter(points, tokens).Cut();
}

}  // namespace s2v
