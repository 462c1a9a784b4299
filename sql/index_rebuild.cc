#include "sql/index_rebuild.h"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <span>

#include "core/config.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text/passages.h"
#include "core/vocab/hash.h"
#include "sql/index_limits.h"
#include "sql/index_model.h"
#include "sql/index_objects.h"
#include "sql/index_objects_check.h"
#include "sql/index_row_writer.h"
#include "sql/model_loader.h"
#include "sql/model_store.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

using search::CodeSpace;
using search::Lists;

// Rows that one thread takes; fewer of long texts, which take eight times their bytes.
constexpr size_t kBatchRows = 2000, kMostBatchBytes = size_t{1} << 22;
// Texts that are held at once of those that centres are made from.
constexpr size_t kSampleBytes = size_t{1} << 25;
// To rebuild an index, a smaller model is held in memory; with a larger one, a single thread embeds
// row by row.
constexpr uint64_t kMostModelBytes = uint64_t{1} << 30;
// of a smaller table: to load the model would take longer than to embed
constexpr int64_t kFewRows = 5000;
// Bytes of memory in which FTS5 collects words before it writes: by default, and while an index is
// rebuilt.
constexpr int kHashBytes = 1 << 20, kRebuildHashBytes = 1 << 25;

using Batch = std::vector<SourceRow>;
struct EncodedBatch {
  std::vector<IndexRowWriter::NewEntry> rows;  // for the numbers of terms: their places in `terms`
  // so that the thread that writes looks each of them up once
  WordTable terms;
};

// Makes what the index stores of a row. Several threads may call it if is_parallel().
class IndexRowEncoder {
 public:
  IndexRowEncoder(sqlite3* db, const IndexDefinition& index, IndexSource* source, int64_t rows)
      : index_(index), source_(source) {
    if (index.of_vectors || rows < kFewRows) return;
    const ModelInfo& info = source->embedder().Model().info();
    const auto features = static_cast<uint64_t>(info.words + info.ngrams + info.targets);
    if (features * index.dimension * sizeof(float) > kMostModelBytes) return;
    model_ = LoadModel(db, {info.schema, info.name});
    shape_ = source->embedder().Shape();
  }

  bool is_parallel() const { return index_.of_vectors || model_.has_value(); }

  // Unit vectors [rows that have one, dimension], and for each row whether it has.
  std::vector<float> Vectors(std::span<const SourceRow> batch,
                             std::vector<bool>* has_vector) const {
    std::optional<ModelFeatures> features;
    std::optional<Embedder> embedder;
    if (model_) {
      features.emplace(*model_);
      embedder.emplace(shape_, &*features);
    }
    std::vector<float> vectors(batch.size() * index_.dimension);
    size_t have = 0;
    for (const SourceRow& row : batch) {
      const bool has =
          ReadVector(row, embedder ? &*embedder : nullptr, &vectors[have * index_.dimension]);
      has_vector->push_back(has);
      have += has ? 1 : 0;
    }
    vectors.resize(have * index_.dimension);
    return vectors;
  }

  // cutter: nullptr where there are no words.
  EncodedBatch Encode(const Batch& batch, const CodeSpace& space, const Lists& lists,
                      const TermCutter* cutter) const {
    std::vector<bool> has_vector;
    const std::vector<float> vectors = Vectors(batch, &has_vector);
    const std::vector<size_t> nearest = lists.Nearest(vectors);
    std::vector<float> x(space.width());
    EncodedBatch encoded;
    encoded.rows.resize(batch.size());
    RowTerms terms;
    size_t at = 0;
    for (size_t r = 0; r < batch.size(); r++) {
      const SourceRow& row = batch[r];
      IndexRowWriter::NewEntry& to = encoded.rows[r];
      to.rowid = row.rowid;
      to.hash = row.Hash();
      if (cutter != nullptr) row.Cut(*cutter, &terms);
      to.terms.columns = terms.columns;
      for (size_t i = 0; i < terms.size(); i++) {
        to.terms.numbers.push_back(encoded.terms.Insert(terms[i], HashWord(terms[i])));
      }
      if (!has_vector[r]) continue;
      const float* vector = &vectors[at * index_.dimension];
      space.Rotate(vector, x.data());
      to.list = lists.id(nearest[at]);
      to.code = search::MakeCode(space, x.data(), lists.centre(nearest[at]));
      if (!index_.of_vectors) to.vector = RowVectorBytes(row.rowid, vector, index_.dimension);
      at++;
    }
    return encoded;
  }

 private:
  // embedder: nullptr where there is no model in memory. False where the row has no vector.
  bool ReadVector(const SourceRow& row, Embedder* embedder, float* vector) const {
    if (index_.of_vectors) return UnitVector(row.vector, index_.dimension, vector);
    if (embedder != nullptr) return embedder->EmbedUnit(row.text, vector);
    const float* found = source_->embedder().Vector(row);
    if (found != nullptr) std::copy_n(found, index_.dimension, vector);
    return found != nullptr;
  }

  const IndexDefinition& index_;
  IndexSource* source_;
  std::optional<Model> model_;
  EmbeddingShape shape_;
};

// Cuts all rows, of an index with passages. Returns how many parts they have, whose ids begin with
// 1.
int64_t FillParts(sqlite3* db, const IndexDefinition& index, IndexSource* source) {
  Statement table(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid));
  SourceRow row;
  RowParts parts;
  int64_t next = 1;
  while (table.Step()) {
    ReadSourceRow(index, table, &row);
    source->CutParts(row, &parts);
    source->ids().Put(row.rowid, {next, parts.size(), row.Hash()});
    next += static_cast<int64_t>(parts.size());
  }
  return next - 1;
}

// Reads the table's rows in their order: its parts, where there are passages.
class TableReader {
 public:
  TableReader(sqlite3* db, const IndexDefinition& index, IndexSource* source)
      : index_(index),
        source_(source),
        table_(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid)) {}
  bool Read(SourceRow* row) {
    if (at_ == parts_.size()) {
      if (!table_.Step()) return false;
      ReadSourceRow(index_, table_, row);
      if (index_.passages == 0) return true;
      source_->CutParts(*row, &parts_);
      at_ = 0;
    }
    parts_.Make(at_++, row);
    row->rowid = ++id_;
    return true;
  }

 private:
  const IndexDefinition& index_;
  IndexSource* source_;
  Statement table_;
  RowParts parts_;
  size_t at_ = 0;
  int64_t id_ = 0;
};

// Makes the centres of lists for a table of `rows` rows, from some that are drawn at random.
void MakeLists(sqlite3* db, const IndexDefinition& index, const IndexRowEncoder& encoder,
               int64_t rows, IndexSource* source, IndexRowWriter* writer) {
  std::vector<float> sample;
  const uint64_t wanted = search::SampleRows(static_cast<uint64_t>(rows), writer->space());
  if (wanted > 0) {
    const size_t workers = encoder.is_parallel() ? WorkerCount(Config()) : 1;
    sample.reserve(wanted * index.dimension);
    Batch drawn_rows;
    size_t bytes = 0;
    const auto embed = [&] {
      std::vector<std::vector<float>> vectors(workers);
      RunParallel(workers, workers, [&](size_t i) {
        const size_t begin = i * drawn_rows.size() / workers,
                     end = (i + 1) * drawn_rows.size() / workers;
        std::vector<bool> has_vector;
        vectors[i] =
            encoder.Vectors(std::span(drawn_rows).subspan(begin, end - begin), &has_vector);
      });
      for (const std::vector<float>& part : vectors)
        sample.insert(sample.end(), part.begin(), part.end());
      drawn_rows.clear();
      bytes = 0;
    };
    Random random(index.seed);
    Statement table(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid));
    uint64_t drawn = 0;
    // Each set of so many rows is as likely as another, whatever gaps their rowids have. Parts have
    // the ids 1 to `rows`.
    for (int64_t number = 1; drawn < wanted && (index.passages > 0 || table.Step()); number++) {
      const double share =
          static_cast<double>(wanted - drawn) / static_cast<double>(rows - number + 1);
      if (static_cast<double>(random.Next() >> 11) * 0x1p-53 >= share) continue;
      drawn++;
      if (index.passages == 0) {
        ReadSourceRow(index, table, &drawn_rows.emplace_back());
      } else if (const SourceRow* part = source->Row(number)) {
        drawn_rows.push_back(*part);
      } else {
        continue;
      }
      bytes += drawn_rows.back().Bytes();
      if (bytes >= kSampleBytes) embed();
    }
    embed();
  }
  const size_t width = writer->space().width();
  const std::vector<float> centres = search::MakeCentres(
      writer->space(), sample, static_cast<uint64_t>(rows), index.seed, WorkerCount(Config()));
  const size_t count = centres.size() / width;
  for (size_t at = 0; at < count; at++) {
    writer->AddList(Lists::IdOf(at, count), std::span(centres).subspan(at * width, width));
  }
}

// Encodes all rows of the table on all processors, and adds them in their order.
void EncodeTable(sqlite3* db, const IndexDefinition& index, IndexSource* source, int64_t rows,
                 IndexRowWriter* writer, const IndexProgress& progress) {
  const IndexRowEncoder encoder(db, index, source, rows);
  MakeLists(db, index, encoder, rows, source, writer);
  TableReader table(db, index, source);
  const bool is_parallel =
      kHasThreads && encoder.is_parallel() && (!index.words || writer->cutter()->is_parallel());
  const size_t threads = is_parallel ? WorkerCount(Config()) : 0;
  writer->lists().PrepareNearest();
  const Lists lists = writer->lists();  // threads look at it while the writer's counts change
  std::deque<std::future<EncodedBatch>> running;
  const auto take_one = [&] {
    EncodedBatch encoded = running.front().get();
    running.pop_front();
    const std::vector<int64_t> numbers =
        index.words ? writer->terms().Numbers(encoded.terms) : std::vector<int64_t>();
    for (IndexRowWriter::NewEntry& row : encoded.rows) {
      for (int64_t& number : row.terms.numbers) number = numbers[static_cast<size_t>(number)];
      writer->Add(row);
    }
  };
  uint64_t done = 0;
  for (bool has_more = true; has_more;) {
    Batch batch;
    for (size_t bytes = 0; batch.size() < kBatchRows && bytes < kMostBatchBytes &&
                           (has_more = table.Read(&batch.emplace_back()));)
      bytes += batch.back().Bytes();
    if (!has_more) batch.pop_back();
    if (batch.empty()) break;
    done += batch.size();
    // Each thread has a cutter of its own. It is made on this thread, since FTS5 may be called to
    // make it.
    std::shared_ptr<TermCutter> cutter;
    if (index.words) cutter = std::make_shared<TermCutter>(db, index);
    running.push_back(std::async(threads > 0 ? std::launch::async : std::launch::deferred,
                                 [&, cutter, batch = std::move(batch)] {
                                   return encoder.Encode(batch, writer->space(), lists,
                                                         cutter.get());
                                 }));
    // More than there are threads, so that none waits while this one writes.
    while (running.size() > threads + 2) take_one();
    if (progress) progress(done, static_cast<uint64_t>(rows));
  }
  while (!running.empty()) take_one();
}

}  // namespace

void RebuildIndex(sqlite3* db, const IndexDefinition& given, IndexMemory* memory,
                  const IndexProgress& progress) {
  IndexDefinition index = given;
  memory->stamp = 0;
  if (!HasRowidName(db, index)) index.rowid = FreeRowidName(db, index.schema, index.table);
  if (index.version < kIndexVersion || index.logs_all != HasGeneratedColumn(db, index) ||
      !FindChangedTrigger(db, index, nullptr, /*accepts_former=*/false).empty()) {
    RemakeIndexObjects(db, &index);
  }
  for (const char* part : {"list", "block", "entry", "log"})
    Execute(db, "DELETE FROM " + index.Object(part));
  if (index.passages > 0) Execute(db, "DELETE FROM " + index.Object("part"));
  if (index.words) {
    Execute(db, "DELETE FROM " + index.Object("term"));
    ExecuteFts(db, index, "delete-all");
  }
  // Not 1, with which a log that somebody emptied would begin.
  index.taken = static_cast<int64_t>(index.seed % (uint64_t{1} << 40)) + 1000;
  index.terms = 0;
  index.swept = INT64_MIN;
  index.passage_rules = kPassageRules;
  Execute(db, "INSERT INTO " + index.Object("log") + " VALUES(?1, 0)", index.taken);
  index.dimension = 0;       // an index of vectors takes that of the first one
  index.model_hash.clear();  // the default model of now
  IndexSource source(db, index);
  const int64_t rows = SelectInt(db, "SELECT count(*) FROM " + index.Source());
  try {
    index.dimension = source.embedder().Dimension();
    index.model_hash = HashOfModel(index, &source.embedder());
  } catch (const InvalidArgument&) {
    if (!given.AwaitsModel() && (rows > 0 || !given.model_hash.empty())) throw;
  }
  index.stamp = RandomStamp();
  ChooseTokenize(db, &index, &source.embedder());
  StoreVectorKind(db, index);
  StoreProgress(db, index);
  if (rows == 0) return;
  IndexRowWriter writer(db, &index, memory);
  if (index.words) ExecuteFts(db, index, "hashsize", kRebuildHashBytes);
  if (index.dimension == 0) {  // there are words at most
    Statement table(db, SelectSource(index) + " ORDER BY " + QuoteName(index.rowid));
    while (table.Step()) writer.TakeIn(table.Int(0), &source);
  } else {
    const int64_t parts = index.passages > 0 ? FillParts(db, index, &source) : rows;
    EncodeTable(db, index, &source, parts, &writer, progress);
  }
  writer.Finish(kForever);
  if (index.words) ExecuteFts(db, index, "hashsize", kHashBytes);
}

void RebuildStaleIndexes(sqlite3* db, const std::string& schema, const std::string& model_hash) {
  for (const std::string& name : ListIndexes(db, schema)) {
    IndexMemory memory;
    IndexDefinition index;
    bool is_stale = false;
    // What is wrong with an index that need not be made anew, or that nobody can ask, whoever asks
    // it is told.
    const auto needs_it = [&] {
      return !model_hash.empty() && index.stamp != 0 && !index.AwaitsModel();
    };
    try {
      index = OpenIndex(db, schema, name, &memory);
      IndexDefinition anew = index;
      anew.model_hash.clear();  // by the default model of now
      if (index.of_vectors || (model_hash.empty() && !index.AwaitsModel())) continue;
      IndexSource source(db, anew);
      const ModelInfo& now = source.embedder().Model().info();
      // The same model again may have been made by newer rules of its tokenizer.
      const Tokenizer& tokenizer = *now.shape.tokenizer;
      const bool has_other_rules = index.tokenize == AutomaticTokenize(tokenizer.name()) &&
                                   index.tokenizer_version != tokenizer.version();
      is_stale = (now.hash != index.model_hash || has_other_rules) &&
                 (index.AwaitsModel() || now.hash == model_hash);
    } catch (const InvalidArgument&) {
      if (needs_it()) throw;
    } catch (const FormatError&) {
      if (needs_it()) throw;
    } catch (const SqlError& error) {  // its tables are other ones, or it is no index of ours
      if (error.primary_code() != SQLITE_ERROR || needs_it()) throw;
    }
    if (!is_stale) continue;
    Savepoint savepoint(db);
    RebuildIndex(db, index, &memory);
    savepoint.Release();
  }
}

}  // namespace s2v
