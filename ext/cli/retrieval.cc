#include "ext/cli/retrieval.h"

#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "core/eval/encoder.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

constexpr uint64_t kTableShare = 10;  // at most a tenth of the rows is held out

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

// "Wi-Fi, or wi-fi?" -> "wi" OR "fi" OR "or", and how many there are. Each word once: FTS5 counts a
// repeated one twice, and long questions then find what repeats their commonest words.
std::pair<std::string, size_t> AnyWord(std::string_view text) {
  const std::string lower = LowerAscii(text);
  std::string any;
  std::unordered_set<std::string> seen;
  for (size_t begin = 0; begin < lower.size();) {
    size_t end = begin;
    while (end < lower.size() && IsWordByte(lower[end])) end++;
    const std::string word = lower.substr(begin, end - begin);
    if (!word.empty() && seen.insert(word).second)
      any += (any.empty() ? "" : " OR ") + QuoteName(word);
    begin = end + 1;
  }
  return {any, seen.size()};
}

}  // namespace

uint64_t SplitTable(sqlite3* db, const CorpusOrigin& origin, uint64_t seed, uint64_t wanted,
                    const std::function<void(std::string_view)>& visit, StatusLine* status,
                    EvalFile* sample) {
  uint64_t texts = 0;
  ForEachText(db, origin, "counting", status, [&](std::string_view) { texts++; });
  const uint64_t size = std::min(wanted, texts / kTableShare);
  if (size == 0) {
    throw InvalidArgument("table '" + origin.table + "' has " + std::to_string(texts) +
                          " texts; at least " + std::to_string(kTableShare) + " are needed");
  }
  std::vector<uint64_t> held;
  const Permutation order(seed, texts);
  for (uint64_t i = 0; i < size; i++) held.push_back(order[i]);
  std::sort(held.begin(), held.end());
  *sample = EvalFile{"", "the sample", {}, {}, 1};
  uint64_t at = 0, next = 0;
  ForEachText(db, origin, "reading", status, [&](std::string_view text) {
    if (next == held.size() || held[next] != at++) return visit(text);
    sample->sentences.emplace_back(text);
    sample->heads.emplace_back();
    next++;
  });
  return texts;
}

HalfRetrieval::HalfRetrieval(const Tokenizer& tokenizer, std::span<const std::string> texts,
                             StatusLine* status)
    : status_(status) {
  for (const std::string& text : texts) {
    auto halves = Halves(tokenizer, text);
    if (halves.first.empty()) continue;
    firsts_.push_back(std::move(halves.first));
    seconds_.push_back(std::move(halves.second));
  }
}

void HalfRetrieval::Measure(SentenceEncoder* encoder) {
  outcomes_.push_back({encoder->name(), std::nullopt});
  if (!enough()) return;
  status_->Show("retrieval: " + encoder->name());
  std::vector<std::string_view> texts(firsts_.begin(), firsts_.end());
  texts.insert(texts.end(), seconds_.begin(), seconds_.end());
  encoder->Prepare(texts);
  std::vector<FeatureVector> queries(firsts_.size()), candidates(firsts_.size());
  for (size_t i = 0; i < firsts_.size(); i++) {
    encoder->Encode(firsts_[i], &queries[i]);
    encoder->Encode(seconds_[i], &candidates[i]);
  }
  outcomes_.back().score = ScoreRanks(CosineRanks(queries, candidates, encoder->dimension()));
}

void HalfRetrieval::MeasureModel(const EmbeddingShape& shape, FeatureSource* source) {
  for (const bool raw : {false, true}) {
    EmbeddingEncoder encoder(raw ? "model-raw" : "model", shape, source, raw);
    Measure(&encoder);
  }
}

void HalfRetrieval::MeasureFullText(sqlite3* db) {
  outcomes_.push_back({"bm25", std::nullopt});
  if (!enough() || !FullText::Available(db)) return;
  status_->Show("retrieval: bm25");
  FullText full_text(db);
  for (const std::string& text : seconds_) full_text.Add(text);
  std::vector<double> ranks;
  Scores scores;
  for (size_t i = 0; i < queries(); i++) {
    full_text.Search(firsts_[i], &scores);
    ranks.push_back(RankOf(scores, i));
    status_->Show("retrieval: bm25, " + std::to_string(i) + " rows");
  }
  outcomes_.back().score = ScoreRanks(ranks);
}

bool FullText::Available(sqlite3* db) {
  return SelectInt(db, "SELECT 1 FROM temp.pragma_module_list WHERE name = 'fts5'") == 1;
}

FullText::FullText(sqlite3* db) {
  Execute(db,
          "CREATE VIRTUAL TABLE temp.s2v_full_text USING "
          "fts5(text, content = '', tokenize = 'porter unicode61')");
  insert_ = Statement(db, "INSERT INTO temp.s2v_full_text(rowid, text) VALUES(?1, ?2)");
  select_ = Statement(
      db, "SELECT rowid, bm25(s2v_full_text) FROM temp.s2v_full_text WHERE s2v_full_text MATCH ?1");
}

void FullText::Add(std::string_view text) {
  insert_.Run(texts_++, text);
}

size_t FullText::Search(std::string_view query, Scores* scores) {
  scores->assign(static_cast<size_t>(texts_), 0.0f);
  const auto [any, words] = AnyWord(query);
  if (words == 0) return 0;  // no words are a syntax error to FTS5
  for (bool found = select_.Find(any); found; found = select_.Step()) {
    (*scores)[static_cast<size_t>(select_.Int(0))] = static_cast<float>(-select_.Double(1));
  }
  return words;
}

}  // namespace s2v
