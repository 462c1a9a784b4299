// Static embeddings of pieces: model.safetensors and tokenizer.json of model2vec and of
// sentence-transformers' StaticEmbedding.
//
// model.safetensors: the size of its head as uint64, the head, which is JSON, and the tensors'
// bytes; the head says of each tensor its dtype, shape and, counted from the head's end,
// data_offsets. Read are
//
//   embeddings          [rows, dimension]  model2vec: unknown words count nothing
//   embedding.weight    [rows, dimension]  StaticEmbedding: they count as the unknown piece
//   weights, mapping    [pieces]           of models with fewer rows than pieces: the row of piece i is
//                                          weights[i] * embeddings[mapping[i]]
//
// A text's embedding is the mean of the rows of its pieces (eq. 2 with these for R(S)). Of
// tokenizer.json the normaliser, the pre-tokeniser and the vocabulary become a profile
// (core/text/subword_tokenizer.h) and words; what they do not cover is refused. The frequency of a
// piece of `unigram` is e to the power of its score, and pieces are stored by it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "core/embed/pieces.h"
#include "core/numbers.h"
#include "core/text/subword_tokenizer.h"
#include "core/text/utf8.h"
#include "ext/import/vector_file.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

// SQLite takes up to 13 times as much memory to read it.
constexpr uint64_t kMostTokenizerBytes = uint64_t{32} << 20;
constexpr uint64_t kProbabilityUnit = uint64_t{1} << 60;  // of the counts of pieces with scores
constexpr double kLeastScore = -30;                       // so that counts tell scores apart

float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const float size = exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                     : exponent == 0
                         ? std::ldexp(static_cast<float>(fraction), -24)
                         : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

// JSON of a file, read by SQLite.
class JsonText {
 public:
  JsonText(sqlite3* db, const ByteFile& file, std::string_view json)
      : db_(db), file_(file), json_(json) {}
  // Runs SQL over ?1, this JSON; visit(row) for each row.
  template <typename Visit>
  void ForEach(const std::string& sql, const Visit& visit) const {
    try {
      Statement rows(db_, sql, json_);
      while (rows.Step()) visit(rows);
    } catch (const SqlError& error) {
      if (error.primary_code() != SQLITE_ERROR) throw;
      file_.Fail(0, error.what());
    }
  }
  // A member by its path ('$.model.type') as text, "" where it is null or absent; true is 1.
  std::string Get(const std::string& path) const {
    std::string value;
    ForEach("SELECT ifnull(?1 ->> '" + path + "', '')",
            [&](const Statement& row) { value = row.Text(0); });
    return value;
  }
  [[noreturn]] void Refuse(const std::string& what) const {
    file_.Fail(0, what + ", which is not read");
  }
  JsonText Part(std::string_view json) const { return {db_, file_, json}; }

 private:
  sqlite3* const db_;
  const ByteFile& file_;
  const std::string_view json_;
};

// The rules of a profile from tokenizer.json.
class RuleReader {
 public:
  std::string Read(const JsonText& json, bool counts_unknown) {
    const std::string type = json.Get("$.model.type");
    const std::string before = PreTokenizers(json);
    Normalize(json, json.Get("$.normalizer"), 0);
    if (decomposed_ && (rules_ & kAccentsRule) == 0) json.Refuse("a normaliser that decomposes");
    if (spaced_marks_.size() == 32) rules_ |= kPunctuationRule;
    if (spaced_marks_.size() % 32 != 0) json.Refuse("a normaliser that replaces some characters");
    if (counts_unknown) rules_ |= kUnknownRule;
    if (type == "WordLevel" && before == "WhitespaceSplit" && (rules_ & ~kUnknownRule) == 0)
      return "whitespace";
    if (type == "WordPiece" && before == "BertPreTokenizer") {
      if (json.Get("$.model.continuing_subword_prefix") != "##" ||
          json.Get("$.model.max_input_chars_per_word") != std::to_string(kMostWordCharacters)) {
        json.Refuse("WordPiece with another prefix than ## or words of other than 100 characters");
      }
      return SubwordName(PieceKind::kWordPiece, rules_);
    }
    if (type == "Unigram" && (before == "Metaspace" || before == "WhitespaceSplit Metaspace")) {
      if (json.Get("$.model.byte_fallback") == "1")
        json.Refuse("Unigram with bytes for unknown characters");
      if (before != "Metaspace") rules_ |= kWordsRule;
      return SubwordName(PieceKind::kUnigram, rules_);
    }
    json.Refuse("a model of type '" + type + "' behind the pre-tokeniser '" + before + "'");
  }

 private:
  // Their types, with blanks between them; takes what a Metaspace says.
  std::string PreTokenizers(const JsonText& json) {
    std::string types;
    json.ForEach(
        "SELECT value ->> 'type', value FROM temp.json_each(iif(?1 ->> '$.pre_tokenizer.type' = 'Sequence', "
        "?1 -> '$.pre_tokenizer.pretokenizers', json_array(?1 -> '$.pre_tokenizer'))) WHERE type = 'object'",
        [&](const Statement& row) {
          types += (types.empty() ? "" : " ") + std::string(row.Text(0));
          if (row.Text(0) == "Metaspace") Metaspace(json.Part(row.Text(1)), types);
        });
    return types;
  }

  void Metaspace(const JsonText& json, const std::string& types) {
    if (json.Get("$.replacement") != "\xe2\x96\x81")
      json.Refuse("Metaspace with another mark than U+2581");
    const std::string scheme = json.Get("$.prepend_scheme");
    if (scheme == "never" || json.Get("$.add_prefix_space") == "0") {
      rules_ |= kBareRule;
    } else if (scheme == "first" && types != "Metaspace") {
      json.Refuse("Metaspace that marks the first word only");
    }
    if (json.Get("$.split") == "0") rules_ |= kWholeRule;
  }

  // In the order of the profile's rules; accents and lower, and squeeze and strip, in any.
  void Take(uint32_t rule, const JsonText& json) {
    if (rule < (highest_ == kLowerRule || highest_ == kStripRule ? highest_ / 2 : highest_)) {
      json.Refuse("normalisers in this order");
    }
    highest_ = std::max(highest_, rule);
    rules_ |= rule;
  }

  void Normalize(const JsonText& json, const std::string& normalizer, int depth) {
    constexpr int kMost = 100;  // Take refuses all but a few; a Strip may be said again
    if (normalizer.empty()) return;
    if (++normalizers_ > kMost) json.Refuse("so many normalisers");
    const JsonText one = json.Part(normalizer);
    const std::string type = one.Get("$.type");
    if (type == "Sequence" && depth < 4) {
      std::vector<std::string> all;
      one.ForEach("SELECT value FROM temp.json_each(?1, '$.normalizers')",
                  [&](const Statement& row) { all.emplace_back(row.Text(0)); });
      for (const std::string& next : all) Normalize(json, next, depth + 1);
    } else if (type == "BertNormalizer") {
      const bool lower = one.Get("$.lowercase") == "1";
      const std::string accents = one.Get("$.strip_accents");
      if (one.Get("$.clean_text") == "1") Take(kCleanRule, one);
      if (one.Get("$.handle_chinese_chars") == "1") Take(kHanRule, one);
      if (accents.empty() ? lower : accents == "1") Take(kAccentsRule, one);
      if (lower) Take(kLowerRule, one);
    } else if (type == "Precompiled") {
      Take(kNmtRule, one);
      Take(kNfkcRule, one);
    } else if (type == "Nmt") {
      Take(kNmtRule, one);
    } else if (type == "NFKC" || type == "NFKD" || type == "NFD") {
      if (type != "NFD") Take(kNfkcRule, one);
      decomposed_ = type != "NFKC";
    } else if (type == "Lowercase") {
      Take(kLowerRule, one);
    } else if (type == "StripAccents" && decomposed_) {
      Take(kAccentsRule, one);
    } else if (type == "Strip") {
      if (one.Get("$.strip_right") == "1") Take(kStripRule, one);
    } else if (type == "Replace") {
      Replace(one);
    } else {
      json.Refuse("a normaliser '" + type + "'");
    }
  }

  void Replace(const JsonText& json) {
    const std::string mark = json.Get("$.pattern.String"), pattern = json.Get("$.pattern.Regex"),
                      content = json.Get("$.content");
    if ((pattern == " {2,}" || (pattern == "\\s+" && !spaced_marks_.empty())) &&
        (content == " " || content == "\xe2\x96\x81")) {
      Take(kSqueezeRule, json);
    } else if (mark.size() == 1 && std::ispunct(static_cast<unsigned char>(mark[0])) != 0 &&
               content == " " + mark + " " && highest_ <= kPunctuationRule) {
      highest_ = kPunctuationRule;
      spaced_marks_.insert(mark[0]);
    } else {
      json.Refuse("a replacement of '" + mark + pattern + "' by '" + content + "'");
    }
  }

  uint32_t rules_ = 0, highest_ = 0;
  int normalizers_ = 0;
  bool decomposed_ = false;
  std::set<char> spaced_marks_;
};

std::string TensorsPath(const std::string& path) {
  if (path.ends_with(".safetensors")) return path;
  const std::string nested = path + "/0_StaticEmbedding/model.safetensors";
  std::error_code ignored;
  return std::filesystem::exists(PathOf(nested), ignored) ? nested : path + "/model.safetensors";
}

struct Tensor {
  std::string type;
  size_t number_bytes = 0;
  uint64_t begin = 0, rows = 0, columns = 1;
};

struct Piece {
  std::string word;
  uint64_t id = 0;
  double score = 0;
};

class StaticModel : public VectorFile {
 public:
  StaticModel(sqlite3* db, const std::string& path)
      : VectorFile(TensorsPath(path)),
        db_(db),
        tokenizer_path_(TextOf(PathOf(TensorsPath(path)).replace_filename("tokenizer.json"))) {
    format = "model2vec";
    ReadHead();
    if (!embeddings_) file_.Fail(8, "no tensor 'embeddings' or 'embedding.weight'");
    words = mapping_ ? mapping_->rows : embeddings_->rows;
    if (weights_ && weights_->rows != words)
      file_.Fail(8, "as many weights as pieces are expected");
  }

  void Read(uint64_t most_words) override {
    ByteFile file(tokenizer_path_);
    if (file.size() > kMostTokenizerBytes)
      file.Fail(kMostTokenizerBytes, "more than 32 MB of JSON");
    std::string bytes;
    while (bytes.size() < file.size()) {
      const size_t size = std::min<uint64_t>(ByteFile::kMostBytes, file.size() - bytes.size());
      bytes.append(file.Next(size), size);
    }
    const JsonText json(db_, file, bytes);
    tokenizer = RuleReader().Read(json, counts_unknown_);
    std::vector<Piece> pieces = Pieces(json);
    const bool has_scores = FindTokenizer(tokenizer)->pieces() == PieceKind::kUnigram;
    std::stable_sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) {
      return has_scores && a.score != b.score ? a.score > b.score : a.id < b.id;
    });
    for (const Piece& piece : pieces) {
      if (piece.id >= words) {
        file.Fail(0, "piece '" + piece.word + "' has number " + std::to_string(piece.id) + " of " +
                         std::to_string(words));
      }
      if (vocabulary_->size() >= most_words) break;
      const auto count = static_cast<uint64_t>(
          std::llround(std::exp(piece.score) * static_cast<double>(kProbabilityUnit)));
      AddWord(piece.word, has_scores ? count : 1, piece.id);
    }
    if (has_scores) vocabulary_->token_count = kProbabilityUnit;
  }

  const float* Row(uint64_t row) override {
    const uint64_t id = places_[row];
    uint64_t place = id;
    if (mapping_) {
      const double mapped = Number(*mapping_, id);
      if (!(mapped >= 0 && mapped < static_cast<double>(embeddings_->rows))) {
        file_.Fail(mapping_->begin + id * mapping_->number_bytes, "a row that is not there");
      }
      place = static_cast<uint64_t>(mapped);
    }
    const double weight = weights_ ? Number(*weights_, id) : 1;
    const uint64_t begin = embeddings_->begin + place * dimension * embeddings_->number_bytes;
    const char* bytes = file_.At(begin, dimension * embeddings_->number_bytes);
    for (uint32_t i = 0; i < dimension; i++, bytes += embeddings_->number_bytes) {
      row_[i] = static_cast<float>(weight * Decode(embeddings_->type, bytes));
      if (!std::isfinite(row_[i])) {
        file_.Fail(begin + i * embeddings_->number_bytes, "a number that is not finite");
      }
    }
    return row_.data();
  }

 private:
  static size_t NumberBytes(std::string_view type) {
    if (type == "F64" || type == "I64") return 8;
    if (type == "F32" || type == "I32") return 4;
    if (type == "F16" || type == "BF16") return 2;
    return type == "I8" ? 1 : 0;
  }
  static double Decode(std::string_view type, const char* bytes) {
    const auto as = [&](auto number) {
      std::memcpy(&number, bytes, sizeof(number));
      return number;
    };
    if (type == "F32") return static_cast<double>(as(float{}));
    if (type == "F64") return as(double{});
    if (type == "F16") return static_cast<double>(HalfToFloat(as(uint16_t{})));
    if (type == "BF16")
      return static_cast<double>(std::bit_cast<float>(uint32_t{as(uint16_t{})} << 16));
    if (type == "I64") return static_cast<double>(as(int64_t{}));
    return type == "I32" ? as(int32_t{}) : as(int8_t{});
  }
  double Number(const Tensor& tensor, uint64_t i) {
    return Decode(tensor.type,
                  file_.At(tensor.begin + i * tensor.number_bytes, tensor.number_bytes));
  }

  void ReadHead() {
    const auto size = file_.NextNumber<uint64_t>();
    if (size > std::min<uint64_t>(file_.size() - 8, ByteFile::kMostBytes)) {
      file_.Fail(0, "a head of " + std::to_string(size) + " bytes");
    }
    const std::string head(file_.Next(size), size);
    const JsonText json(db_, file_, head);
    json.ForEach(
        "SELECT key, value ->> 'dtype', json_array_length(value, '$.shape'), value ->> '$.shape[0]', "
        "value ->> '$.shape[1]', value ->> '$.data_offsets[0]', value ->> '$.data_offsets[1]' FROM temp.json_each(?1) "
        "WHERE key IN ('embeddings', 'embedding.weight', 'weights', 'mapping')",
        [&](const Statement& row) { TakeTensor(row); });
  }

  void TakeTensor(const Statement& row) {
    const std::string name(row.Text(0));
    const bool is_table = name.starts_with("embedding");
    Tensor tensor;
    tensor.type = row.Text(1);
    tensor.number_bytes = NumberBytes(tensor.type);
    if (tensor.number_bytes == 0)
      file_.Fail(8, "tensor '" + name + "' of type '" + tensor.type + "'");
    const uint64_t first = file_.position(), room = file_.size() - first;
    const auto number = [&](int column) {
      if (row.Type(column) != SQLITE_INTEGER || row.Int(column) < 0)
        file_.Fail(8, "tensor '" + name + "' has an impossible shape or place");
      return static_cast<uint64_t>(row.Int(column));
    };
    if (row.Int(2) != (is_table ? 2 : 1))
      file_.Fail(8, "tensor '" + name + "' has an impossible shape or place");
    tensor.rows = number(3);
    if (is_table) {
      SetDimension(8, number(4));
      tensor.columns = dimension;
    }
    const uint64_t begin = number(5), end = number(6);
    if (end > room) {
      file_.Fail(file_.size(), "the end, where tensor '" + name + "' is expected to end at byte " +
                                   std::to_string(first + std::min(end, UINT64_MAX - first)));
    }
    const uint64_t row_bytes = tensor.columns * tensor.number_bytes;
    if (begin > end || (end - begin) % row_bytes != 0 || (end - begin) / row_bytes != tensor.rows) {
      file_.Fail(8, "tensor '" + name + "' has not the bytes of its shape");
    }
    tensor.begin = first + begin;
    (is_table ? embeddings_ : name == "weights" ? weights_ : mapping_) = tensor;
    if (name == "embedding.weight") counts_unknown_ = true;
  }

  // Those that texts can have, and the unknown one, under the profile's name for it, where it
  // counts.
  std::vector<Piece> Pieces(const JsonText& json) {
    const Tokenizer& profile = *FindTokenizer(tokenizer);
    const bool has_scores = profile.pieces() == PieceKind::kUnigram;
    std::string unknown = json.Get("$.model.unk_token");
    std::set<std::string> special;
    json.ForEach(
        "SELECT value ->> 'content', value ->> 'special' FROM temp.json_each(?1, '$.added_tokens')",
        [&](const Statement& row) {
          if (row.Int(1) != 0) special.emplace(row.Text(0));
        });
    const std::string unknown_id = json.Get("$.model.unk_id");
    std::vector<Piece> pieces;
    const auto add = [&](std::string_view word, uint64_t id, double score) {
      const bool is_unknown = has_scores ? std::to_string(id) == unknown_id : word == unknown;
      const size_t length = CharacterCount(word);
      const size_t most = profile.pieces() == PieceKind::kNone ? word.size()
                          : has_scores                         ? kMostPieceCharacters
                                                               : kMostWordCharacters + 2;
      if (is_unknown && !profile.unknown_piece().empty()) {
        pieces.push_back({std::string(profile.unknown_piece()), id, score});
      } else if (is_unknown || length > most || special.contains(std::string(word))) {
        skipped++;
      } else {
        pieces.push_back({std::string(word), id, score});
      }
    };
    if (has_scores) {
      json.ForEach(
          "SELECT value ->> 0, value -> 1, key, json_array_length(value) FROM temp.json_each(?1, '$.model.vocab')",
          [&](const Statement& row) {
            const std::string_view text = row.Text(1);
            double score = 1;
            ReadNumber(text.data(), text.data() + text.size(), &score);
            if (row.Int(3) != 2 || !(score <= 0 && score >= kLeastScore)) {
              json.Refuse("piece " + std::to_string(row.Int(2)) +
                          " with a score that is not from -30 to 0");
            }
            add(row.Text(0), static_cast<uint64_t>(row.Int(2)), score);
          });
    } else {
      json.ForEach("SELECT key, value, type FROM temp.json_each(?1, '$.model.vocab')",
                   [&](const Statement& row) {
                     if (row.Text(2) != "integer" || row.Int(1) < 0)
                       json.Refuse("a piece whose number is none");
                     add(row.Text(0), static_cast<uint64_t>(row.Int(1)), 0);
                   });
    }
    return pieces;
  }

  sqlite3* const db_;
  std::string tokenizer_path_;
  std::optional<Tensor> embeddings_, weights_, mapping_;
  bool counts_unknown_ = false;
};

}  // namespace

std::unique_ptr<VectorFile> OpenStaticModel(sqlite3* db, const std::string& path) {
  return std::make_unique<StaticModel>(db, path);
}

}  // namespace s2v
