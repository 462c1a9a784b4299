#include "core/embed/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vocab/hash.h"

namespace s2v {
namespace {

constexpr double kUnknownPenalty = 10;

}  // namespace

void TextCutter::Cut(std::string_view text, Tokens* tokens) {
  if (tokenizer_.pieces() == PieceKind::kNone) return tokenizer_.Tokenize(text, tokens);
  tokenizer_.Tokenize(text, &words_);
  tokens->Clear();
  for (size_t i = 0; i < words_.size(); i++) {
    source_->BeginBatch();
    if (tokenizer_.pieces() == PieceKind::kWordPiece) {
      CutWord(words_[i], tokens);
    } else {
      CutUnigrams(words_[i], tokens);
    }
  }
}

bool FindCharacterRow(const Tokenizer& tokenizer, std::string_view word, uint64_t bucket_count,
                      FeatureSource* source, std::span<float> row) {
  if (tokenizer.characters().most == 0) return false;
  std::fill(row.begin(), row.end(), 0.0f);
  std::vector<float> part(row.size());
  int ngrams = 0;
  ForEachCharacterNgram(word, tokenizer.characters(), [&](uint32_t hash) {
    source->BeginBatch();
    const Feature ngram = source->Ngram(hash % bucket_count);
    ngrams++;
    if (ngram.row == nullptr) return;
    DecodeRow(source->element(), ngram.row, static_cast<uint32_t>(row.size()), part.data());
    for (size_t i = 0; i < row.size(); i++) row[i] += part[i];
  });
  for (float& value : row) value /= static_cast<float>(std::max(ngrams, 1));
  return ngrams > 0;
}

void TextCutter::AddUnknown(std::string_view token, Tokens* tokens) const {
  const std::string_view piece = tokenizer_.unknown_piece();
  tokens->Add(piece.empty() ? token : piece);
}

void TextCutter::CutWord(std::string_view word, Tokens* tokens) {
  FindCharacters(word, &ends_);
  const size_t characters = ends_.size() - 1;
  path_.clear();
  for (size_t from = 0; from < characters && characters <= kMostWordCharacters;) {
    size_t to = characters;
    for (; to > from; to--) {
      probe_.assign(from > 0 ? "##" : "");
      probe_.append(word, ends_[from], ends_[to] - ends_[from]);
      if (source_->Word(probe_, HashWord(probe_)).row != nullptr) break;
    }
    if (to == from) break;
    path_.push_back(to);
    from = to;
  }
  if (path_.empty() || path_.back() != characters) return AddUnknown(word, tokens);
  size_t from = 0;
  for (const size_t to : path_) {
    if (from > 0) tokens->bytes().append("##");
    tokens->Add(word.substr(ends_[from], ends_[to] - ends_[from]));
    from = to;
  }
}

void TextCutter::FindPieces(std::string_view word, size_t from) {
  const size_t last = std::min(from + kMostPieceCharacters, ends_.size() - 1);
  asked_.clear();
  for (size_t to = from + 1; to <= last; to++) {
    const std::string_view piece = word.substr(ends_[from], ends_[to] - ends_[from]);
    asked_.push_back({piece, HashWord(piece)});
  }
  found_.assign(asked_.size(), {});
  source_->BeginBatch();
  source_->FindWords(asked_, found_.data());
}

void TextCutter::CutUnigrams(std::string_view word, Tokens* tokens) {
  FindCharacters(word, &ends_);
  const size_t characters = ends_.size() - 1;
  const float least = std::max(source_->LeastFrequency(), std::numeric_limits<float>::min());
  const double unknown = std::log(static_cast<double>(least)) - kUnknownPenalty;
  best_.assign(characters + 1, {-std::numeric_limits<double>::infinity(), 0, false});
  best_[0].score = 0;
  const auto offer = [&](size_t from, size_t to, double score, bool is_known) {
    if (score > best_[to].score) best_[to] = {score, from, is_known};
  };
  for (size_t from = 0; from < characters; from++) {
    FindPieces(word, from);
    for (size_t i = 0; i < found_.size(); i++) {
      if (found_[i].row == nullptr) continue;
      offer(from, from + 1 + i,
            best_[from].score + std::log(static_cast<double>(found_[i].frequency)), true);
    }
    if (found_[0].row == nullptr) offer(from, from + 1, best_[from].score + unknown, false);
  }
  path_.clear();
  for (size_t at = characters; at > 0; at = best_[at].from) {
    // Neighbouring unknown characters are one token.
    if (path_.empty() || best_[at].is_known || best_[path_.back()].is_known) path_.push_back(at);
  }
  size_t from = 0;
  for (; !path_.empty(); path_.pop_back()) {
    const size_t to = path_.back();
    const std::string_view piece = word.substr(ends_[from], ends_[to] - ends_[from]);
    if (best_[to].is_known) {
      tokens->Add(piece);
    } else {
      AddUnknown(piece, tokens);
    }
    from = to;
  }
}

}  // namespace s2v
