#include "sql/index_titles.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text/languages.h"
#include "core/text/letters.h"
#include "core/text/plain_letters.h"
#include "core/text/utf8.h"
#include "core/text/word_spellings.h"

namespace s2v {
namespace {

using search::TitleLikeness;

std::string PlainOf(std::string_view letter) {
  return WithoutAccents(letter, /*keeps_nukta=*/false, /*has_all_forms=*/true);
}

enum class Accents { kSame, kOther, kUnclear };
// kSame: the title is what was typed, but for capitals and the like. kOther: letters have other
// accents, as in Bàn for bán, and none has one that the other lacks, where it may have been left
// out. In French both événement and évènement are right, so e may have any.
Accents CompareAccents(const Tokens& asked, const Tokens& has) {
  if (asked.size() != has.size()) return Accents::kUnclear;
  bool are_same = true, have_others = false;
  for (size_t i = 0; i < asked.size(); i++) {
    if (asked[i] == has[i]) continue;
    are_same = false;
    const std::vector<int32_t> a = DecodePoints(WithCedillas(asked[i])),
                               b = DecodePoints(WithCedillas(has[i]));
    if (a.size() != b.size()) return Accents::kUnclear;
    for (size_t letter = 0; letter < a.size(); letter++) {
      if (a[letter] == b[letter]) continue;
      const std::string one = EncodePoints({a[letter]}), other = EncodePoints({b[letter]});
      const std::string plain = PlainOf(one);
      const bool is_left_out = one == plain || other == plain;
      if (is_left_out || plain == "e" || plain != PlainOf(other)) return Accents::kUnclear;
      have_others = true;
    }
  }
  return are_same ? Accents::kSame : have_others ? Accents::kOther : Accents::kUnclear;
}

}  // namespace

TitleComparer::TitleComparer(sqlite3* db, const IndexDefinition& index, const QuestionText& asked,
                             std::vector<uint64_t> left_out)
    : asked_(asked),
      left_out_(std::move(left_out)),
      cutter_(db, index),
      typed_(SmallLetters(asked.as_typed())) {
  cutter_.AddColumn(typed_, &terms_);
  FindTokenizer("unicode")->Tokenize(typed_, &words_);
  asked_cut_.KeepForms();
  if (cutter_.is_ours()) cutter_.own()->CutTerms(typed_, /*with_parts=*/false, &asked_cut_);
}

bool TitleComparer::HasOtherWords(std::string_view title) const {
  if (!cutter_.is_ours()) return false;
  Tokens cut;
  cut.KeepForms();
  cutter_.own()->CutTerms(title, /*with_parts=*/false, &cut);
  const bool is_english = cutter_.is_english() || !cutter_.has_stems();
  bool have_other = false;
  for (size_t i = 0; i < asked_cut_.size(); i++) {
    const std::string_view asked = asked_cut_.form(i);
    if (IsCommonWord(asked)) continue;
    for (size_t at = 0; at < cut.size(); at++) {
      if (cut[at] != asked_cut_[i]) continue;
      const bool is_begun = asked_.is_unfinished() && cut.form(at).starts_with(asked);
      if (is_begun || AreInflections(asked, cut.form(at), is_english)) return false;
      have_other = true;
    }
  }
  return have_other;
}

TitleLikeness TitleComparer::LikenessOf(std::string_view title) const {
  if (title == asked_.as_typed()) return TitleLikeness::kSame;
  const std::string text = SmallLetters(title);
  Tokens words;
  FindTokenizer("unicode")->Tokenize(text, &words);
  const Accents accents = CompareAccents(words_, words);
  if (accents != Accents::kUnclear)
    return accents == Accents::kSame ? TitleLikeness::kButForCapitals : TitleLikeness::kOther;
  RowTerms terms;
  cutter_.AddColumn(text, &terms);
  if (terms.bytes == terms_.bytes && terms.ends == terms_.ends) return TitleLikeness::kSameWords;
  const std::vector<uint64_t> has = HashesOf(terms);
  const auto is_there = [&](uint64_t term) { return std::count(has.begin(), has.end(), term) > 0; };
  if (!std::all_of(left_out_.begin(), left_out_.end(), is_there)) return TitleLikeness::kOther;
  if (HasOtherWords(text)) return TitleLikeness::kOther;
  return asked_.is_unfinished() && text.starts_with(typed_) ? TitleLikeness::kBegins
                                                            : TitleLikeness::kUnknown;
}

}  // namespace s2v
