#include "sql/convert_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/model/feature.h"
#include "core/model/feature_choice.h"
#include "sql/corpus_origin.h"
#include "sql/innocuous.h"
#include "sql/json.h"
#include "sql/model_loader.h"
#include "sql/model_lock.h"
#include "sql/model_reader.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

constexpr uint64_t kRowsPerReport = 1024;
constexpr uint64_t kMostTexts = 1000000;  // of a table, for the sample

class ConvertJob : ModelJob {
 public:
  ConvertJob(sqlite3* db, const ConvertRequest& request, const TrainObserver& observer)
      : ModelJob(db, observer), request_(request) {}

  ConvertResult Run() {
    ModelName name = ParseModelName(request_.name);
    if (request_.max_features && *request_.max_features == 0) {
      throw InvalidArgument("max_features: at least 1 feature must be kept");
    }
    result_.former = ModelReader(db_, From()).info();
    if (name.schema.empty()) name.schema = result_.former.schema;
    CheckWritable(db_, name.schema);
    const std::vector<std::string> texts = SampleTexts();

    undo_.emplace(db_);
    LockForSaving(db_, name.schema);
    // Again under the lock: it may have been replaced meanwhile.
    result_.former = ModelReader(db_, From()).info();
    const ModelInfo& former = result_.former;
    const std::vector<float> before = Embeddings({former.schema, former.name}, texts);
    const Model model = Load();
    rows_ = 0;
    all_ = 2 * model.source.rows();
    const auto row = [&](uint64_t i) {
      CountRow();
      return model.source[i];
    };
    result_.model = Save({name, CorpusJson()}, model, 0, row);
    result_.drift = CompareEmbeddings(before, Embeddings(name, texts), former.shape.dimension);
    Release(name.schema);
    result_.seconds = Lap();
    return result_;
  }

 private:
  ModelName From() const {
    return request_.model.empty() ? ModelName{} : ParseModelName(request_.model);
  }

  // A sample of the table that the model was trained on; nothing where there is no such table. The
  // expression that chose its rows is not run: the file that holds the model may be of a stranger.
  std::vector<std::string> SampleTexts() {
    const CorpusOrigin origin = ParseCorpusOrigin(db_, result_.former.corpus);
    for (const std::string& table : {result_.former.schema + "." + origin.table, origin.table}) {
      try {
        CheckStoredTable(db_, table);
        SentenceTable sentences(db_, table, origin.column, "");
        TextSample sample;
        progress_.texts = 0;
        while (progress_.texts < kMostTexts && sentences.Next()) {
          sample.Add(sentences.text());
          if (++progress_.texts % kRowsPerReport == 0) Report();
        }
        return sample.texts();
      } catch (const InvalidArgument&) {
        // No such table or column.
      } catch (const SqlError& error) {
        // SQLITE_ERROR: a view of a table that is gone
        if (error.primary_code() != SQLITE_ERROR) throw;
      }
    }
    return {};
  }

  std::vector<float> Embeddings(const ModelName& name, const std::vector<std::string>& texts) {
    ModelReader reader(db_, name);
    return EmbedAll(texts, reader.info().shape, &reader);
  }

  void CountRow() {
    if (++rows_ % kRowsPerReport != 0) return;
    progress_.fraction = static_cast<double>(rows_) / static_cast<double>(all_);
    Report();
  }

  // Which features are kept. A feature is as useful as the length that it adds, in all, to the sums
  // of eq. 2 over the texts of the training. Counts alone judge n-grams too high, whose vectors are
  // short: measured on 9,416 words and 27,938 bigrams of which 15,000 features are kept, STS 2014
  // falls by 5.6 points by counts, and not at all by this.
  std::vector<bool> Choose() {
    std::vector<double> usefulness;  // of each word by id, then each n-gram
    const ModelInfo& info = result_.former;
    for (const auto kind : {FeatureScan::kWords, FeatureScan::kNgrams}) {
      FeatureScan scan(db_, info, kind);
      for (StoredFeature stored; scan.Next(&stored);) {
        const float frequency = static_cast<float>(stored.count) / static_cast<float>(info.tokens);
        const float square =
            simd::BestKernels().dot(stored.vector, stored.vector, info.shape.dimension);
        const float length = std::min(std::sqrt(square), std::numeric_limits<float>::max());
        usefulness.push_back(static_cast<double>(stored.count) *
                             FeatureWeight(info.shape.smoothing, frequency) * length);
        CountRow();
      }
    }
    return MostUseful(usefulness, *request_.max_features);
  }

  Model Load() {
    const ModelInfo& info = result_.former;
    progress_.texts = 0;
    all_ = static_cast<uint64_t>(info.words + info.ngrams) * (request_.max_features ? 2 : 1);
    if (request_.max_features && info.shape.id_buckets > 0) {
      throw InvalidArgument("max_features: the n-grams of model '" + info.name +
                            "', an imported one, go by the numbers of its words, so none can be "
                            "left out; import it again with fewer words");
    }
    Model model = LoadSource(db_, info, request_.max_features ? Choose() : std::vector<bool>(),
                             [this] { CountRow(); });
    model.config.element = ElementName(request_.element);
    return model;
  }

  // The former model's origin, and beside it which model this one was converted from.
  std::string CorpusJson() {
    const ModelInfo& former = result_.former;
    return SelectText(db_,
                      "SELECT json_set(?1, '$.converted', "
                      "json_object('hash', ?2, 'words', ?3, 'ngrams', ?4))",
                      former.corpus, former.hash, former.words, former.ngrams);
  }

  const ConvertRequest& request_;
  // that were read, and will be, in all passes of loading or of storing
  uint64_t rows_ = 0, all_ = 0;
  ConvertResult result_;
};

}  // namespace

uint64_t VectorBytes(const ModelInfo& info) {
  return static_cast<uint64_t>(info.words + info.ngrams + info.targets) *
         RowBytes(info.element, info.shape.dimension);
}

std::string ConvertResult::Json() const {
  JsonObject json;
  json.Add("model", model.name).Add("schema", model.schema).Add("hash", model.hash);
  json.Add("element", ElementName(model.element)).Add("dimension", model.shape.dimension);
  json.Add("words", model.words).Add("ngrams", model.ngrams);
  json.Add("former_words", former.words).Add("former_ngrams", former.ngrams);
  json.Add("vector_bytes", VectorBytes(model)).Add("former_vector_bytes", VectorBytes(former));
  json.Add("sampled", drift.texts);
  json.AddJson("mean_cosine", drift.texts > 0 ? FixedText(drift.cosine, 6) : "null");
  return json.AddJson("seconds", FixedText(seconds, 3)).Text();
}

ConvertResult ConvertModel(sqlite3* db, const ConvertRequest& request,
                           const TrainObserver& observer) {
  return ConvertJob(db, request, observer).Run();
}

}  // namespace s2v
