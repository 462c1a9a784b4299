#include "sql/index_alike_terms.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/vocab/hash.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

// So many terms that begin alike, of those that came first, are compared by how common they are.
constexpr size_t kMostTermsCompared = 200;
// So many terms that begin alike are read for the shortest; of so many of these it is asked whether
// rows have them behind another one.
constexpr size_t kMostTermsRead = 5000, kMostAsked = 400;
// Of a word so many: of 400, search as one types took up to 17 ms more in 200,000 rows, and found
// hardly more.
constexpr size_t kMostAskedOfWord = 100;
// So many rows are counted of words that the model has not met, of one and in all; to look for a
// word costs as much as some rows.
constexpr int64_t kMostRowsOfOne = 500, kMostRowsOfAll = 4000, kLeastCost = 50;

// Terms from begin on and before end that only rows which wait have.
std::vector<std::string> WaitingBetween(IndexVocabulary* vocabulary, std::string_view begin,
                                        std::string_view end) {
  std::set<std::string> terms;
  vocabulary->pending().ForEachTerm([&](std::string_view term, uint64_t /*hash*/) {
    if (term >= begin && term < end && !vocabulary->HasNumber(term)) terms.emplace(term);
    return terms.size() < kMostTermsCompared;
  });
  return {terms.begin(), terms.end()};
}

// Of how many terms it may be asked whether rows have them behind this one: FTS5 goes through its
// rows each time.
size_t MostAsked(IndexVocabulary* vocabulary, const std::string& before) {
  constexpr int64_t kFewRows = 2000;
  constexpr double kRowsGoneThrough = 2e6, kLeastAsked = 16;
  if (vocabulary->CountRowsWith({before}, kFewRows) < kFewRows) return kMostAsked;
  const double asked = kRowsGoneThrough / vocabulary->CountRows();
  return static_cast<size_t>(std::clamp(asked, kLeastAsked, 1.0 * kMostAsked));
}

// AddTermsBehind, which asks of so many terms.
void AddAsked(IndexVocabulary* vocabulary, const std::string& before, std::string_view beginning,
              size_t asked, size_t most, std::vector<std::string>* terms) {
  const std::set<std::string> waiting = vocabulary->WaitingBehind(before, beginning);
  std::vector<std::string> some =
      ShortestBetween(vocabulary, beginning, std::string(beginning) + '\xff', kMostAsked);
  some.insert(some.end(), waiting.begin(), waiting.end());
  std::sort(some.begin(), some.end(), [](const std::string& one, const std::string& other) {
    return std::pair(one.size(), std::string_view(one)) <
           std::pair(other.size(), std::string_view(other));
  });
  if (some.size() > asked) some.resize(asked);
  for (std::string& term : some) {
    if (terms->size() >= most) break;
    if (!HasTerm(*terms, term) && (waiting.contains(term) || vocabulary->IsIndexed({before, term})))
      terms->push_back(std::move(term));
  }
}

}  // namespace

void PutCommonestFirst(IndexVocabulary* vocabulary, std::vector<std::string>* terms) {
  const TermCutter& cutter = vocabulary->cutter();
  ModelReader* model = cutter.is_ours() ? vocabulary->Model() : nullptr;
  const bool is_known =
      model != nullptr && model->info().shape.tokenizer->plain().name() == cutter.plain()->name();
  const double words = is_known ? static_cast<double>(model->info().tokens) : 0;
  std::vector<std::pair<double, std::string>> order;  // times, less than 0; term
  int64_t counted = 0;
  for (std::string& term : *terms) {
    double times = is_known ? words * model->Word(term, HashWord(term)).frequency : 0;
    if (times == 0 && counted < kMostRowsOfAll) {
      const int64_t rows = vocabulary->CountRowsWith({term}, kMostRowsOfOne);
      times = static_cast<double>(rows);
      counted += std::max(rows, kLeastCost);
    }
    order.emplace_back(-times, std::move(term));
  }
  std::sort(order.begin(), order.end());
  terms->clear();
  for (auto& [times, term] : order) terms->push_back(std::move(term));
}

void AddTermsBetween(IndexVocabulary* vocabulary, std::string_view begin, std::string_view end,
                     size_t most, const AcceptTerm& accept, std::vector<std::string>* terms) {
  // Terms are numbered in the order in which they came.
  Statement select =
      vocabulary->SelectTerms("term >= ?1 AND term < ?2 AND id > ?3 ORDER BY id LIMIT ?4");
  std::vector<std::string> some = WaitingBetween(vocabulary, begin, end);
  size_t with_rows = 0;
  // more where few have rows, since each time all that begin so are read
  size_t at_once = std::max(most, kMostTermsCompared);
  int64_t last = 0;
  for (bool is_end = false; with_rows < most && !is_end; some.clear(), at_once *= 4) {
    size_t found = 0;
    for (bool has_one = select.Find(Blob{begin}, Blob{end}, last, at_once); has_one;
         has_one = select.Step(), found++) {
      some.emplace_back(select.Blob(0));
      last = select.Int(1);
    }
    is_end = found < at_once;
    PutCommonestFirst(vocabulary, &some);
    for (std::string& term : some) {
      if (with_rows == most) break;
      if (HasTerm(*terms, term)) {
        with_rows++;
        continue;
      }
      const TermChoice choice = vocabulary->HasRows(term) ? accept(term) : TermChoice::kNo;
      if (choice == TermChoice::kNoMore) return;
      if (choice == TermChoice::kNo) continue;
      with_rows++;
      terms->push_back(std::move(term));
    }
  }
}

void AddTermsFrom(IndexVocabulary* vocabulary, std::string_view beginning, size_t most,
                  const AcceptTerm& accept, std::vector<std::string>* terms) {
  AddTermsBetween(vocabulary, beginning, std::string(beginning) + '\xff', most, accept, terms);
}

std::vector<std::string> ShortestBetween(IndexVocabulary* vocabulary, std::string_view begin,
                                         std::string_view end, size_t most) {
  Statement select = vocabulary->SelectTerms("term >= ?1 AND term < ?2 LIMIT ?3");
  std::vector<std::string> terms;
  for (bool found = select.Find(Blob{begin}, Blob{end}, kMostTermsRead); found;
       found = select.Step())
    terms.emplace_back(select.Blob(0));
  std::stable_sort(
      terms.begin(), terms.end(),
      [](const std::string& one, const std::string& other) { return one.size() < other.size(); });
  if (terms.size() > most) terms.resize(most);
  return terms;
}

void AddTermsBehind(IndexVocabulary* vocabulary, const std::string& before,
                    std::string_view beginning, size_t most, std::vector<std::string>* terms) {
  AddAsked(vocabulary, before, beginning, MostAsked(vocabulary, before), most, terms);
}

void AddTermsBehindWord(IndexVocabulary* vocabulary, const std::string& before,
                        std::string_view beginning, size_t most, std::vector<std::string>* terms) {
  if (MostAsked(vocabulary, before) >= kMostAskedOfWord)
    AddAsked(vocabulary, before, beginning, kMostAskedOfWord, most, terms);
}

}  // namespace s2v
