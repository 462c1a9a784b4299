#include "core/search/word_scores.h"

#include <set>
#include <unordered_map>

#include "core/search/fusion.h"

namespace s2v::search {
namespace {

// What a doubtful choice counts of an occurrence, and so many terms later: rows that have only it
// follow those of the other choices.
constexpr double kDoubtfulTimes = 0.1, kDoubtfulTerms = 100;
// The same of another form of a word: rows with it follow those that have the word as it was asked
// for.
constexpr double kOtherFormTimes = 0.8, kOtherFormTerms = 4, kLooseTimes = 0.3, kLooseTerms = 20;
// What words count beside what has them together: 18 V is not worth three words beside drill.
constexpr double kOfTogetherWeight = 0.5;

}  // namespace

WordScores::WordScores(std::span<const Phrase> phrases, size_t words,
                       std::optional<size_t> title_terms, size_t more_terms)
    : phrases_(phrases.begin(), phrases.end()),
      question_words_(words),
      title_terms_(title_terms),
      more_terms_(more_terms) {
  for (size_t i = 0; i < phrases_.size(); i++) {
    const size_t choice = phrases_[i].choice;
    const bool is_further_choice = choice > 0 && i > 0 && phrases_[i - 1].choice == choice;
    if (!is_further_choice) words_.push_back({.begin = i, .end = i});
    words_.back().end++;
    if (!is_further_choice) title_words_ += phrases_[i].is_of_titles;
    word_of_.push_back(words_.size() - 1);
  }
  uint64_t last = 0;
  for (const bool are_common : {false, true}) {
    if (asked_words_ > 0) break;
    for (Word& word : words_) {
      const Phrase& phrase = phrases_[word.begin];
      if (!phrase.is_of_titles || phrase.is_repeated || phrase.is_common != are_common) continue;
      const bool is_new = asked_words_ == 0 || phrase.asked == 0 || phrase.asked != last;
      asked_words_ += is_new;
      word.asked = asked_words_;
      last = phrase.asked;
    }
  }
  for (size_t i = 0; i < phrases_.size(); i++) {
    std::vector<size_t>& words_of_it = stands_for_.emplace_back();
    for (const uint64_t term : phrases_[i].joins) {
      for (size_t other = 0; other < phrases_.size(); other++) {
        if (phrases_[other].term != term || !phrases_[other].joins.empty()) continue;
        if (std::count(words_of_it.begin(), words_of_it.end(), word_of_[other]) == 0)
          words_of_it.push_back(word_of_[other]);
      }
    }
    for (const size_t word : words_of_it) words_[word].stand_ins.push_back(i);
  }
}

void WordScores::WeighWords() {
  std::set<uint64_t> halves;
  for (size_t i = 0; i < phrases_.size(); i++) {
    if (words_[word_of_[i]].rows > 0)
      halves.insert(phrases_[i].halves.begin(), phrases_[i].halves.end());
  }
  for (Word& word : words_) {
    const Phrase& phrase = phrases_[word.begin];
    const bool is_half =
        phrase.choice == 0 && phrase.halves.empty() && halves.contains(phrase.term);
    word.weight = phrase.weight * (is_half ? kOfTogetherWeight : 1);
  }
}

// A name that rows have and its pieces are worth as much together as the name.
void WordScores::ShareNames() {
  struct Name {
    double own = 0, of_pieces = 0;
  };
  std::unordered_map<uint64_t, Name> names;
  for (const Word& word : words_) {
    const uint64_t name = phrases_[word.begin].name;
    if (name != 0) names[name].of_pieces += word.share;
  }
  for (const Word& word : words_) {
    const auto name = names.find(phrases_[word.begin].term);
    if (name != names.end()) name->second.own += word.share;
  }
  for (Word& word : words_) {
    const Phrase& phrase = phrases_[word.begin];
    const auto name = names.find(phrase.name != 0 ? phrase.name : phrase.term);
    if (name == names.end() || name->second.own == 0) continue;
    word.share *= name->second.own / (name->second.own + name->second.of_pieces);
  }
}

void WordScores::SetTotals(double rows, double words, const LanguageRows& own,
                           double counted_texts) {
  rows_ = rows = std::max(0.0, rows);
  mean_size_ = std::max(1.0, words) / std::max(1.0, rows);
  const double own_rows = rows * own.share;
  own_mean_size_ = mean_size_ * own.size;
  length_share_ = LengthShare(question_words_, own_mean_size_);
  const bool knows_bursts = counted_texts <= 2 * rows && rows <= 2 * counted_texts;
  WeighWords();
  double value_of_all = 0;
  for (Word& word : words_) {
    const Phrase& phrase = phrases_[word.begin];
    // A row that has several choices, or what joins the word as well, was counted for each.
    word.rows = std::min(rows, word.rows);
    const auto idf = [&](double all, double with_it) {
      return word.weight * InverseRows(all, std::min(all, with_it));
    };
    word.doubtful = {idf(rows, word.rows), idf(own_rows, word.rows)};
    // How rare ins* is, in of many rows, its stem, does not tell.
    const double with_it = word.sure_rows > 0 ? std::min(rows, word.sure_rows) : word.rows;
    word.sure = {idf(rows, with_it), idf(own_rows, with_it)};
    if (phrase.frequency > 0 && knows_bursts) {
      word.sure.words *= Burst(phrase.frequency * words, rows, with_it);
    }
    word.share = phrase.is_repeated || !phrase.joins.empty()
                     ? 0
                     : word.weight * WordValue(own_rows, with_it);
    if (phrase.is_question) word.sure.bm25 = word.doubtful.bm25 = 0;
    // Its words count where a row has it.
    if (!stands_for_[word.begin].empty()) word.sure = {};
  }
  ShareNames();
  for (const Word& word : words_) value_of_all += word.share;
  for (Word& word : words_) word.share = value_of_all > 0 ? word.share / value_of_all : 0;
  is_ready_ = true;
}

WordScores::Gathered WordScores::Gather(const Word& word, std::span<const Occurrence> found) const {
  Gathered gathered;
  bool has_whole = false, has_sure = false;
  for (size_t i = word.begin; i < word.end; i++)
    has_sure |= found[i].times > 0 && !phrases_[i].is_doubtful;
  for (size_t i = word.begin; i < word.end; i++) {
    Occurrence one = found[i];
    if (phrases_[i].is_doubtful) {
      if (has_sure) continue;
      gathered.is_doubtful |= one.times > 0;
      one.times *= kDoubtfulTimes;
      one.before += kDoubtfulTerms;
      one.in_title &= phrases_[i].is_whole;
    }
    if (one.is_found) {
      gathered.before = gathered.is_found ? std::min(gathered.before, one.before) : one.before;
      gathered.is_found = true;
    }
    gathered.times += one.times;
    // Where a choice is the word as it was written, none that is only its beginning makes a title.
    has_whole |= phrases_[i].is_whole;
    if (phrases_[i].is_whole || !has_whole) gathered.in_title |= one.in_title;
  }
  if (gathered.times > 0 && !gathered.is_doubtful) return gathered;
  for (const size_t i : word.stand_ins) {
    const bool is_loose = phrases_[i].is_loose;
    const double times = (is_loose ? kLooseTimes : kOtherFormTimes) * found[i].times;
    if (times <= gathered.times) continue;
    gathered = {};  // in_title: a title with it has fewer words than the question
    gathered.is_found = true;
    gathered.times = times;
    gathered.is_doubtful = phrases_[i].is_other_form;
    gathered.may_be_version = phrases_[i].may_be_version;
    gathered.before = found[i].before + (is_loose ? kLooseTerms : kOtherFormTerms);
  }
  return gathered;
}

double WordScores::MostBm25(std::span<const Occurrence> found) const {
  double most = 0;
  for (const Word& word : words_) {
    const Gathered one = Gather(word, found);
    if (one.times > 0)
      most += WeightsOf(word, one).bm25 * TimesInRow(one.times, 0, mean_size_, kFts5LengthShare);
  }
  return most;
}

Match WordScores::Score(int64_t rowid, std::span<const Occurrence> found,
                        const RowSize& size) const {
  Match match = {.rowid = rowid};
  size_t in_title = 0, matched = 0, last_matched = 0;
  bool is_first = false;
  for (const Word& word : words_) {
    const Gathered one = Gather(word, found);
    in_title += one.in_title && phrases_[word.begin].is_of_titles;
    is_first |= one.in_title && one.before == 0;
    if (one.times <= 0) continue;
    const bool is_asked = word.asked != 0 && !one.may_be_version;
    matched += is_asked && word.asked != last_matched;
    if (is_asked) last_matched = word.asked;
    match.bm25 +=
        WeightsOf(word, one).bm25 * TimesInRow(one.times, size.words, mean_size_, kFts5LengthShare);
    match.words += WeightsOf(word, one).words *
                   TimesInRow(one.times, size.words, own_mean_size_, length_share_);
    match.opening += word.share * OpeningShare(one.before);
  }
  if (asked_words_ > 0)
    match.matched = static_cast<double>(matched) / static_cast<double>(asked_words_);
  match.has_all_words = asked_words_ > 1 && matched == asked_words_;
  if (asked_words_ > 1) match.opening += kAllWords * std::pow(match.matched, kAllWordsPower);
  const bool has_all = title_terms_ && in_title == title_words_;
  match.is_title = has_all && size.title_terms == *title_terms_;
  match.begins_title = has_all && is_first && size.title_terms > *title_terms_ &&
                       size.title_terms <= *title_terms_ + more_terms_;
  return match;
}

}  // namespace s2v::search
