#include "sql/index_marked_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/search/fusion.h"
#include "core/text/spelled_names.h"
#include "core/text/utf8.h"
#include "core/text/word_places.h"
#include "core/vocab/hash.h"

namespace s2v {
namespace {

// What the words of a phrase are worth at least, together: more than a similarity makes up for.
constexpr double kLeastOfPhrase = 0.5;
constexpr size_t kMostPhraseWords = 128;  // as the index looks for phrases
constexpr size_t kWholeLetters = 5;       // of a part of four letters, with its mark
// So many words of texts are remembered for the next rows.
constexpr size_t kMostKnownWords = 100000;

// Places whose terms follow one another: not of what is within the one before, or has none.
std::vector<size_t> InSequence(const std::vector<MarkedWords::Place>& places) {
  std::vector<size_t> sequence;
  for (size_t i = 0; i < places.size(); i++) {
    const bool is_within = !sequence.empty() && places[i].end <= places[sequence.back()].end;
    if (!is_within && !places[i].found.has_no_term) sequence.push_back(i);
  }
  return sequence;
}
// The word of the question that it is, not only a part of.
std::optional<size_t> WordAt(const MarkedWords::Place& place) {
  return place.found.is_part ? std::nullopt : place.found.word;
}

}  // namespace

MarkedWords::MarkedWords(sqlite3* db, const IndexDefinition& index, const IndexQuestion& question,
                         const IndexResult& result) {
  if (!index.words || !question.text) return;
  cutter_.emplace(db, index);
  AddAsked(result.words_query);
  // Where only common words were asked for, they are marked.
  if (asked_.empty()) AddAsked(MakeWordsQuery(db, index, result.text, result.choices));
  const size_t looked_for = asked_.size();
  std::set<std::string_view> met;
  for (const std::string& words : result.phrases) {
    if (!met.insert(words).second) continue;
    AddAsked(MakeWordsQuery(db, index, words));
    // Terms of trigram with a blank are none of the question's, which is cut at blanks.
    RowTerms terms;
    if (!cutter_->is_ours()) cutter_->AddColumn(words, &terms);
    for (size_t i = 0; i < terms.size(); i++) {
      if (by_term_.emplace(HashWord(terms[i]), asked_.size()).second) asked_.emplace_back();
    }
  }
  for (size_t i = looked_for; i < asked_.size(); i++) asked_[i].is_left_out = true;
  if (cutter_->is_ours()) AddWordsOf(result.text);
  double sum = 0;
  for (const AskedWord& word : asked_) sum += word.value;
  for (AskedWord& word : asked_)
    word.value = sum > 0 ? word.value / sum : 1 / static_cast<double>(asked_.size());
  AddPhrases(result);
  // A single character of a script without blanks, which may begin a word, is found within runs as
  // well.
  for (const WordChoices& choices : result.choices) {
    for (const WordChoices::Term& one : choices.terms) {
      const Found found = FindTerm(one.term);
      if (found.word) asked_[*found.word].is_of_phrases = false;
      if (IsPart(one.term) && found.word) by_part_[HashWord(one.term)].push_back(*found.word);
    }
  }
}

void MarkedWords::AddAsked(const WordsQuery& query) {
  size_t choice = 0;
  for (const WordsPhrase& phrase : query.phrases) {
    if (phrase.is_part || phrase.is_repeated) continue;
    if (phrase.terms.size() > 1 && phrase.choice > 0) continue;  // so is each of them alone
    // What stands together is asked for word by word as well.
    const auto is_asked = [&](uint64_t term) {
      const auto word = by_term_.find(term);
      return word != by_term_.end() && !asked_[word->second].is_left_out;
    };
    if (phrase.terms.size() > 1 &&
        std::all_of(phrase.terms.begin(), phrase.terms.end(), is_asked)) {
      for (const uint64_t term : phrase.terms)
        asked_[by_term_[term]].value += phrase.share / static_cast<double>(phrase.terms.size());
      continue;
    }
    std::optional<size_t> word;
    const auto joined = std::find_if(phrase.joins.begin(), phrase.joins.end(), is_asked);
    if (phrase.is_other_form && joined != phrase.joins.end()) word = by_term_[*joined];
    if (!phrase.joins.empty() && phrase.terms.size() > 1) {
      AddForm(phrase.terms, word ? asked_[*word].value : phrase.share);
      continue;
    }
    if (!word) {
      if (phrase.choice == 0 || phrase.choice != choice) asked_.push_back({.value = phrase.share});
      choice = phrase.choice;
      word = asked_.size() - 1;
    }
    // That of 50 x 70 stands elsewhere too.
    static const uint64_t kSigns[] = {HashWord("x"), HashWord("\u00D7")};
    for (const uint64_t term : phrase.terms) {
      const bool is_sign = phrase.terms.size() > 1 && (term == kSigns[0] || term == kSigns[1]);
      if (!is_sign && !is_asked(term)) by_term_[term] = *word;
    }
  }
}

void MarkedWords::AddForm(const std::vector<uint64_t>& terms, double value) {
  std::vector<std::optional<size_t>> words;
  for (const uint64_t term : terms) {
    const auto [at, is_new] = by_term_.emplace(term, asked_.size());
    if (is_new)
      asked_.push_back({.value = value / static_cast<double>(terms.size()), .is_left_out = true});
    words.push_back(at->second);
  }
  phrases_.push_back(std::move(words));
}

void MarkedWords::AddWordsOf(std::string_view question) {
  const bool has_languages = own().name().find('+') != std::string::npos;
  std::vector<bool> is_merged(asked_.size());
  for (const WordPlace& word : FindWords(question, cutter_->reading())) {
    const std::string_view text = question.substr(word.begin, word.end - word.begin);
    // In a script without blanks, a longer run is found by its pairs, which are terms.
    if (word.is_run && CharacterPlaces(text).size() > 2) continue;
    own().CutTerms(text, cutter_->with_parts(), &tokens_);
    std::optional<size_t> word_of;
    size_t parts = 0;
    for (size_t i = 0; i < tokens_.size(); i++) {
      parts += IsPart(tokens_[i]);
      const std::optional<size_t> stem = FindTerm(tokens_[i]).word;
      if (!word_of) word_of = stem;
      if (!stem || stem == word_of || !has_languages || is_merged[*stem]) continue;
      // Its stem in another language. One that no row has is worth nothing; of two the commoner one
      // tells how rare the word is.
      AskedWord& one = asked_[*word_of];
      const double other = std::exchange(asked_[*stem].value, 0.0);
      one.value =
          one.value > 0 && other > 0 ? std::min(one.value, other) : std::max(one.value, other);
      is_merged[*stem] = true;
      by_term_[HashWord(tokens_[i])] = *word_of;
    }
    if (!word_of || asked_[*word_of].parts > 0) continue;
    for (size_t i = 0; i < tokens_.size(); i++) {
      // Beside the others, the word with its accents: a compound cannot have that.
      const bool is_accented = parts > 1 && tokens_[i].starts_with(std::string{kPartMark, '<'}) &&
                               tokens_[i].ends_with('>') &&
                               CharacterCount(tokens_[i]) > kWholeLetters;
      if (!IsPart(tokens_[i]) || is_accented) continue;
      asked_[*word_of].parts++;
      by_part_[HashWord(tokens_[i])].push_back(*word_of);
    }
  }
}

void MarkedWords::AddPhrases(const IndexResult& result) {
  const size_t forms = phrases_.size();
  for (const std::string& words : result.phrases) {
    const std::vector<Place> places = PlacesOf(words);
    std::vector<std::optional<size_t>> phrase;
    for (const size_t i : InSequence(places)) {
      if (phrase.size() < kMostPhraseWords) phrase.push_back(WordAt(places[i]));
    }
    if (phrase.size() > 1) phrases_.push_back(std::move(phrase));
  }
  if (phrases_.empty()) return;
  std::vector<int> outside(asked_.size());  // of phrases
  for (const Place& place : PlacesOf(result.text)) {
    if (const auto word = WordAt(place)) outside[*word]++;
  }
  for (const auto& phrase : std::span(phrases_).subspan(forms)) {
    for (const auto& word : phrase) {
      if (!word) continue;
      AskedWord& asked = asked_[*word];
      asked.is_of_phrases = --outside[*word] <= 0;
      asked.value = std::max(asked.value, kLeastOfPhrase / static_cast<double>(phrase.size()));
    }
  }
  std::sort(phrases_.begin(), phrases_.end());
  phrases_.erase(std::unique(phrases_.begin(), phrases_.end()), phrases_.end());
}

MarkedWords::Found MarkedWords::FindTerm(std::string_view term) const {
  const auto found = by_term_.find(HashWord(term));
  return found == by_term_.end() ? Found{} : Found{found->second, false};
}

MarkedWords::Found MarkedWords::FindWord(std::string_view word) {
  if (known_.size() == kMostKnownWords) known_.clear();
  const auto [known, is_new] = known_.try_emplace(HashWord(word));
  if (!is_new) return known->second;
  own().CutTerms(word, cutter_->with_parts(), &tokens_);
  Found found;
  found.has_no_term = tokens_.size() == 0;
  std::map<size_t, size_t> parts;  // how many the word has of each word of the question
  for (size_t i = 0; i < tokens_.size() && !found.word; i++) {
    if (!IsPart(tokens_[i])) {
      found = FindTerm(tokens_[i]);
    } else if (const auto of = by_part_.find(HashWord(tokens_[i])); of != by_part_.end()) {
      for (const size_t asked : of->second) parts[asked]++;
    }
  }
  for (const auto& [asked, count] : parts) {  // of several the first
    const bool is_most = count * 2 > asked_[asked].parts;
    if (!found.word && is_most) found = {asked, /*is_part=*/true};
  }
  return known->second = found;
}

// A tokenizer cuts a run into characters, into pairs of them, or leaves it whole.
void MarkedWords::AddRun(std::string_view run, size_t begin, std::vector<Place>* places) {
  const std::vector<size_t> at = CharacterPlaces(run);
  const size_t count = at.size() - 1;
  own().CutTerms(run, /*with_parts=*/false, &tokens_);
  const size_t terms = std::min(tokens_.size(), count), size = count - terms + 1;
  for (size_t i = 0; i < count; i++) {
    if (i < terms) places->push_back({begin + at[i], begin + at[i + size], FindTerm(tokens_[i])});
    if (by_part_.empty()) continue;
    const std::string part = kPartMark + std::string(run.substr(at[i], at[i + 1] - at[i]));
    const auto of = by_part_.find(HashWord(part));
    if (of == by_part_.end()) continue;
    places->push_back({begin + at[i], begin + at[i + 1], {of->second[0], /*is_part=*/true}});
  }
}

// Of two words with a hyphen between them, which may be a word of the question together, as e-mail
// is email: one place.
void MarkedWords::FindJoined(std::string_view text, std::vector<Place>* places) {
  for (size_t i = 1; i < places->size(); i++) {
    Place &first = (*places)[i - 1], &second = (*places)[i];
    if (first.found.word || second.found.word) continue;
    const auto is_joined = [&](size_t at) {  // to the word before it
      const size_t before = (*places)[at - 1].end;
      return IsHyphen(text.substr(before, (*places)[at].begin - before));
    };
    if (!is_joined(i) || (i > 1 && is_joined(i - 1)) ||
        (i + 1 < places->size() && is_joined(i + 1)))
      continue;
    first.found = FindWord(text.substr(first.begin, second.end - first.begin));
    if (first.found.word) first.end = second.end;
  }
}

std::vector<MarkedWords::Place> MarkedWords::PlacesOf(std::string_view text) {
  std::vector<Place> places;
  if (cutter_ && !cutter_->is_ours()) {
    RowTerms terms;
    std::vector<WordPlace> at;
    cutter_->AddColumn(text, &terms, /*is_question=*/false, &at);
    for (size_t i = 0; i < at.size(); i++) {
      places.push_back({at[i].begin, at[i].end, FindTerm(terms[i])});
    }
    return places;
  }
  for (const WordPlace& word :
       FindWords(text, cutter_ ? cutter_->reading()
                               : ReadingRules{.parts_scripts = true, .parts_times = true})) {
    const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
    if (word.is_run && cutter_) {
      AddRun(bytes, word.begin, &places);
    } else {
      places.push_back({word.begin, word.end, asked_.empty() ? Found{} : FindWord(bytes)});
    }
  }
  if (cutter_ && cutter_->is_english() && !asked_.empty()) FindJoined(text, &places);
  return places;
}

bool MarkedWords::MarkPhrases(std::vector<Place>* places) const {
  if (phrases_.empty()) return false;
  const std::vector<size_t> sequence = InSequence(*places);
  const auto is_word = [&](const auto& word, size_t i) { return word == WordAt((*places)[i]); };
  bool has_phrase = false;
  for (size_t at = 0; at < sequence.size(); at++) {
    for (const auto& phrase : phrases_) {
      if (phrase.size() > sequence.size() - at ||
          !std::equal(phrase.begin(), phrase.end(), &sequence[at], is_word))
        continue;
      has_phrase = true;
      for (size_t i = sequence[at]; i <= sequence[at + phrase.size() - 1]; i++) {
        (*places)[i].is_in_phrase = true;
        (*places)[i].continues_phrase |= i > sequence[at];
      }
    }
  }
  return has_phrase;
}

void MarkedWords::LeaveOut(bool has_phrase, std::vector<Place>* places) const {
  for (Place& place : *places) {
    if (!place.found.word || place.is_in_phrase) continue;
    const AskedWord& word = asked_[*place.found.word];
    if (word.is_left_out || (word.is_of_phrases && has_phrase)) place.found = {};
  }
}

}  // namespace s2v
