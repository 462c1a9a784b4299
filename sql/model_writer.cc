// The stored form is in sql/schema.sql.
#include "sql/model_writer.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>

#include "core/error.h"
#include "core/model/element.h"
#include "sql/checkpoint_store.h"
#include "sql/index_rebuild.h"
#include "sql/json.h"
#include "sql/model_format.h"
#include "sql/model_reader.h"

namespace s2v {
namespace {

// Only float32 models keep target rows: what another element rounds away would be missing when
// training goes on.
uint64_t StoredTargets(const Model& model) {
  return model.config.element == ElementName(Element::kFloat32) ? model.target.rows() : 0;
}

// A program may have a hex() of its own.
std::string Hex(std::span<const unsigned char> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : bytes) hex.append({kDigits[byte >> 4], kDigits[byte & 15]});
  return hex;
}

void CheckFinite(const Matrix& matrix) {
  for (uint64_t row = 0; row < matrix.rows(); row++) {
    if (!IsRow(Element::kFloat32, matrix[row], matrix.dimension())) {
      throw InvalidArgument("training diverged: an embedding is not finite; lower learning_rate");
    }
  }
}

// Fills the tables of one model.
class ModelWriter {
 public:
  ModelWriter(sqlite3* db, const std::string& schema, const Model& model, const SourceRows& rows)
      : db_(db),
        schema_(schema),
        prefix_(QuoteName(schema) + "."),
        model_(model),
        source_(rows),
        element_(ParseElement(model.config.element)),
        encoded_(RowBytes(element_, Dimension()), 0) {}

  int64_t Write(const std::string& corpus) {
    parameters_ = ConfigJson(model_.config);
    hash_ = Hash();
    std::memcpy(&seed_, hash_.digest, sizeof(seed_));
    id_ =
        1 + SelectInt(db_, "SELECT max(id) FROM " + prefix_ + "s2v_model WHERE id BETWEEN 1 AND ?1",
                      kMaxModelId);
    if (id_ > kMaxModelId) throw InvalidArgument("no model id is left in this database");
    DeleteModelRows(db_, schema_, id_);  // of a model whose s2v_model row is lost
    WriteModel(corpus);
    WriteWords();
    WriteNgrams();
    WriteTargets();
    WriteWordDirectory();
    if (!model_.ngram_buckets.empty()) WriteNgramDirectory();
    return id_;
  }

 private:
  bool HasBursts() const { return !model_.word_bursts.empty(); }
  // The version since which texts are embedded as with this model; 0: from the first on.
  int EmbeddingVersion() const {
    if (HasBursts()) return kBurstsVersion;
    return model_.favours_opening ? kOpeningVersion : 0;
  }
  uint32_t Dimension() const { return static_cast<uint32_t>(model_.config.dimension); }
  Statement Insert(const std::string& sql) const {
    return Statement(db_, "INSERT INTO " + prefix_ + sql);
  }
  // As it is stored; valid until the next call.
  std::string_view Encoded(const float* row) {
    EncodeRow(element_, row, Dimension(), encoded_.data());
    return encoded_;
  }

  XXH128_canonical_t Hash() {
    const Vocabulary& vocabulary = model_.vocabulary;
    Checksum hash(0);
    hash.AddText(parameters_);
    if (EmbeddingVersion() > 0) hash.Add(static_cast<uint64_t>(EmbeddingVersion()));
    hash.Add(vocabulary.token_count);
    for (uint32_t id = 0; id < vocabulary.size(); id++) {
      hash.AddText(vocabulary.words[id]);
      hash.Add(vocabulary.counts[id]);
      hash.Add(Encoded(source_(id)));
      if (HasBursts()) hash.Add(&model_.word_bursts[id], sizeof(float));
    }
    for (size_t i = 0; i < model_.ngram_buckets.size(); i++) {
      hash.Add(&model_.ngram_buckets[i], sizeof(uint32_t));
      hash.Add(uint64_t{model_.ngram_counts[i]});
      hash.Add(Encoded(source_(vocabulary.size() + i)));
    }
    for (uint64_t i = 0; i < StoredTargets(model_); i++) hash.Add(Encoded(model_.target[i]));
    return hash.Value128();
  }

  void WriteModel(const std::string& corpus) {
    const int compatible = EmbeddingVersion() > 0  ? EmbeddingVersion()
                           : model_.id_buckets > 0 ? kIdsVersion
                                                   : kBaseVersion;
    const int version =
        std::max(compatible, model_.vocabulary.forms.empty() ? kBaseVersion : kFormsVersion);
    const EmbeddingShape shape = ShapeOf(model_);
    const Tokenizer& tokenizer = *shape.tokenizer;
    Statement insert =
        Insert(std::string("s2v_model(id, name, is_default, checksum, ") + kCheckedColumns +
               ") VALUES(?1, NULL, 0, ?2, " + CheckedParameters(kCheckedColumns) + ")");
    RunChecked(&insert, id_, version, compatible, model_.config.dimension, model_.config.element,
               tokenizer.name(), tokenizer.version(), model_.config.ngram_order,
               model_.vocabulary.size(), model_.ngram_buckets.size(), StoredTargets(model_),
               NumberText(static_cast<double>(shape.smoothing)),
               NumberText(static_cast<double>(shape.unknown_norm)), model_.vocabulary.token_count,
               model_.text_count, model_.sentence_count, corpus, parameters_, model_.choices,
               JsonList(model_.epoch_losses, [](double loss) { return RoundedText(loss, 6); }),
               S2V_VERSION, SelectText(db_, "SELECT datetime('now')"), Hex(hash_.digest));
  }

  // Of ?1 key, ?2 bytes, ?3 checksum, ?4 count, ?5 word, which the caller binds, and ?7 burst, as
  // far as the table has them.
  void InsertRow(Statement* insert, uint64_t index, std::string_view bytes,
                 std::optional<uint64_t> count = std::nullopt, std::string_view word = {},
                 std::optional<float> burst = std::nullopt) {
    Checksum checksum(seed_ ^ index);
    checksum.Add(bytes);
    if (count) {
      checksum.Add(*count);
      insert->Bind(4, *count);
    }
    checksum.Add(word);
    if (burst) {
      checksum.Add(&*burst, sizeof(float));
      insert->Bind(7, double{*burst});
    }
    insert->Run(RowKey(id_, index), Blob{bytes}, checksum.Value());
  }

  void WriteWords() {
    Statement insert = Insert(
        "s2v_word(key, vector, checksum, count, word, form, burst) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    Statement echo(db_, "SELECT ?1");
    const Tokenizer& tokenizer = TokenizerOf(model_.config);
    const std::vector<std::string>& forms = model_.vocabulary.forms;
    Tokens tokens;
    for (uint32_t id = 0; id < model_.vocabulary.size(); id++) {
      const std::string_view word = model_.vocabulary.words[id];
      // Not every word comes back from a database in UTF-16 as the same bytes.
      if (echo.Find(word) && echo.Text(0) == word) {
        insert.Bind(5, word);
      } else {
        insert.Bind(5, Blob{word});
      }
      // Not every form makes the word outside its text: a part of a longer word may not.
      if (!forms.empty() && !forms[id].empty() && MakesWord(tokenizer, forms[id], word, &tokens)) {
        insert.Bind(6, std::string_view(forms[id]));
      } else {
        insert.Bind(6, nullptr);
      }
      const auto burst = HasBursts() ? std::optional(model_.word_bursts[id]) : std::nullopt;
      InsertRow(&insert, id, Encoded(source_(id)), model_.vocabulary.counts[id], word, burst);
    }
  }

  void WriteNgrams() {
    Statement insert = Insert("s2v_ngram(key, vector, checksum, count) VALUES(?1, ?2, ?3, ?4)");
    for (size_t i = 0; i < model_.ngram_buckets.size(); i++) {
      InsertRow(&insert, model_.ngram_buckets[i], Encoded(source_(model_.vocabulary.size() + i)),
                model_.ngram_counts[i]);
    }
  }

  void WriteTargets() {
    Statement insert = Insert("s2v_target(key, vector, checksum) VALUES(?1, ?2, ?3)");
    for (uint64_t id = 0; id < StoredTargets(model_); id++) {
      InsertRow(&insert, id, Encoded(model_.target[id]));
    }
  }

  // Writes blocks of entries that are in the order of their blocks, from a key on. append(entry,
  // &numbers).
  template <typename BlockOf, typename Append>
  void WriteBlocks(uint64_t first, uint64_t blocks, size_t entries, BlockOf block_of,
                   Append append) {
    Statement insert = Insert("s2v_directory(key, entries, checksum) VALUES(?1, ?2, ?3)");
    std::vector<uint32_t> numbers;
    size_t entry = 0;
    for (uint64_t block = 0; block < blocks; block++) {
      numbers.clear();
      for (; entry < entries && block_of(entry) == block; entry++) append(entry, &numbers);
      const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()),
                                   numbers.size() * sizeof(uint32_t));
      if (bytes.size() > kMostBlockBytes) {
        throw InvalidArgument("too many words of the texts have nearly the same hash");
      }
      InsertRow(&insert, first + block, bytes);
    }
  }

  void WriteWordDirectory() {
    const int bits = WordBlockBits(model_.vocabulary.size());
    std::vector<std::tuple<uint64_t, uint32_t, uint32_t>> order;  // block, low half of the hash, id
    for (uint32_t id = 0; id < model_.vocabulary.size(); id++) {
      const uint64_t hash = model_.vocabulary.words.hash(id);
      order.emplace_back(WordBlock(hash, bits), static_cast<uint32_t>(hash), id);
    }
    std::sort(order.begin(), order.end());
    WriteBlocks(
        0, uint64_t{1} << bits, order.size(), [&](size_t i) { return std::get<0>(order[i]); },
        [&](size_t i, std::vector<uint32_t>* numbers) {
          numbers->insert(numbers->end(), {std::get<1>(order[i]), std::get<2>(order[i])});
        });
  }

  void WriteNgramDirectory() {
    const std::vector<uint32_t>& ngrams = model_.ngram_buckets;
    const uint64_t buckets = ShapeOf(model_).bucket_count();
    const int shift = NgramBlockShift(ngrams.size(), buckets);
    WriteBlocks(
        static_cast<uint64_t>(kNgramBlocks), NgramBlockCount(shift, buckets), ngrams.size(),
        [&](size_t i) { return uint64_t{ngrams[i]} >> shift; },
        [&](size_t i, std::vector<uint32_t>* numbers) { numbers->push_back(ngrams[i]); });
  }

  sqlite3* db_;
  const std::string schema_, prefix_;
  const Model& model_;
  const SourceRows& source_;
  const Element element_;
  std::string encoded_;  // a row
  std::string parameters_;
  XXH128_canonical_t hash_{};
  uint64_t seed_ = 0;
  int64_t id_ = 0;
};

// Gives the name to the new model, taking it from a former one, which is deleted.
void Publish(sqlite3* db, const std::string& schema, const std::string& name, int64_t id,
             bool make_default) {
  const std::string table = QuoteName(schema) + ".s2v_model";
  Statement former(db, "SELECT id, is_default FROM " + table + " WHERE name = ?1", name);
  if (former.Step()) {
    const int64_t former_id = former.Int(0);
    make_default = make_default || former.Int(1) != 0;
    former.Reset();
    DeleteModelRows(db, schema, former_id);
  }
  if (SelectInt(db, "SELECT count(*) FROM " + table + " WHERE name IS NOT NULL") == 0) {
    make_default = true;
  }
  if (make_default) Execute(db, "UPDATE " + table + " SET is_default = 0 WHERE is_default");
  Execute(db, "UPDATE " + table + " SET name = ?2, is_default = ?3 WHERE id = ?1", id, name,
          make_default);
  ForgetCheckpoints(db, schema, name);
}

// SQLite takes s2v_embed for a function of its arguments, so after retraining an index on it, or on
// a generated column of it, would go on to give the former model's vectors, silently: REINDEX of
// every index of the schema whose definition, or whose table's, calls a function that reads a
// model.
void RebuildModelIndexes(sqlite3* db, const std::string& schema) {
  std::vector<std::string> indexes;
  {
    // Found by the text of the definitions: too many where a comment names one, none is missed. An
    // index of UNIQUE has no definition of its own.
    Statement select(
        db,
        "WITH object AS (SELECT type AS type, name AS name, tbl_name AS tbl_name, sql AS sql FROM " +
            SchemaTable(schema) + R"()
        SELECT i.name, i.sql, t.sql
        FROM object AS i JOIN object AS t ON t.type = 'table' AND t.name = i.tbl_name
        WHERE i.type = 'index')");
    while (select.Step()) {
      const std::string definition = LowerAscii(select.Text(1)) + LowerAscii(select.Text(2));
      const auto calls = [&](const char* name) { return definition.find(name) != definition.npos; };
      if (calls("s2v_embed") || calls("s2v_cosine") || calls("s2v_distance") ||
          calls("s2v_model_hash")) {
        indexes.emplace_back(select.Text(0));
      }
    }
  }
  for (const std::string& index : indexes) {
    Execute(db, "REINDEX " + QuoteName(schema) + "." + QuoteName(index));
  }
}

}  // namespace

ModelInfo SaveModel(sqlite3* db, const SaveRequest& request, const Model& model,
                    const KeepWaiting& keep_waiting, SourceRows rows) {
  CheckFinite(model.source);
  CheckFinite(model.target);
  if (!rows) rows = [&](uint64_t row) { return model.source[row]; };
  const std::string& name = request.name.name;
  const std::string schema = request.name.schema.empty() ? "main" : request.name.schema;
  const auto savepoint = BeginWriting(db, schema, keep_waiting);
  const std::string hash_of =
      "SELECT hash FROM " + QuoteName(schema) + ".s2v_model WHERE name = ?1";
  if (!request.former_hash.empty() && SelectText(db, hash_of, name) != request.former_hash) {
    throw InvalidArgument("model '" + name +
                          "' was replaced by another connection meanwhile: try again");
  }
  ModelWriter writer(db, schema, model, rows);
  const int64_t id = writer.Write(request.corpus);
  Publish(db, schema, name, id, request.make_default);
  RebuildModelIndexes(db, schema);
  RebuildStaleIndexes(db, schema, request.rebuild_indexes ? SelectText(db, hash_of, name) : "");
  ModelInfo info = ModelReader(db, {schema, name}).info();
  if (!savepoint->TryRelease()) ThrowLocked(SQLITE_BUSY, schema, "reading");
  return info;
}

}  // namespace s2v
