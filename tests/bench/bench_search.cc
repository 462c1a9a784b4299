// s2v_index over a table of real sentences, beside other extensions' indexes on the same vectors.
//
// The model is trained on the whole corpus with every default. The corpus's first --rows lines are
// the table, 1,000 of its last ones the questions: rows of the same kind that are not in the table.
// Beyond the corpus's length further rows are made of two halves of sentences drawn at random, and
// there only the index of texts is measured, with 200 questions: the vectors of ten million rows
// would take 16 GB. What a statement finds is compared with the exact answer, found by comparing
// all vectors in memory. All statements run on one connection, one thread, in turn, with all pages
// in the operating system's memory. Rivals are given by the paths of their extensions (npm pack
// sqlite-vec-linux-x64, @sqliteai/sqlite-vector-linux-x86_64, @1yefuwang1/vectorlite-linux-x64).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "core/random.h"
#include "core/search/search.h"
#include "core/simd/kernels.h"
#include "core/text/utf8.h"
#include "sql/index_summary.h"
#include "tests/bench/bench.h"
#include "tests/bench/database.h"

namespace s2v::bench {
namespace {

// of many: where the table is larger than the corpus
constexpr size_t kQuestions = 1000, kQuestionsOfMany = 200;

struct Question {
  std::string text, words;  // words: three of its words
  std::string vector;
  std::vector<int64_t> nearest;  // 100, exact
};

std::string ThreeWords(const std::string& text, Random* random) {
  std::vector<std::string> words;
  for (const std::string_view word : SplitAt(text, ' ')) {
    if (word.size() > 3 && std::all_of(word.begin(), word.end(), IsAsciiLetter))
      words.emplace_back(word);
  }
  std::string three;
  for (int i = 0; i < 3 && !words.empty(); i++) {
    const size_t at = random->Next() % words.size();
    three += (three.empty() ? "" : " ") + words[at];
    words.erase(words.begin() + static_cast<ptrdiff_t>(at));
  }
  return three;
}

double Timed(const std::function<void()>& work) {
  const double start = Seconds();
  work();
  return Seconds() - start;
}

class Contest {
 public:
  Contest(const Options& options, int64_t rows) : options_(options), rows_(rows), db_(Path()) {
    sqlite3_enable_load_extension(db_.get(), 1);
    Execute(db_.get(), "PRAGMA mmap_size = 8000000000; PRAGMA synchronous = OFF");
    ReadCorpus();
  }
  ~Contest() { std::filesystem::remove(Path()); }

  void Run() {
    Prepare();
    FindExact();
    if (is_large_) return RunOfTexts();
    Build();
    Ask("s2v_index(docs, embedding), top 10", "SELECT rowid FROM near(?1, 10)", 10);
    Ask("s2v_index(docs, embedding), top 100", "SELECT rowid FROM near(?1, 100)", 100);
    Ask("s2v_index(docs, body, words = off), top 10", "SELECT rowid FROM likeness(?1, 10)", 10);
    for (const auto& [name, filter] :
         {std::pair{"50 %", "id % 2 = 0"}, {"1 %", "id % 100 = 7"}, {"0.01 %", "id % 10000 = 7"}}) {
      Filtered(name, filter);
    }
    WordsAndMeaning();
    Rivals();
    Writing();
    FirstQuestion();
  }

 private:
  void RunOfTexts() {
    BuildOfTexts();
    Ask("s2v_index(docs, body, words = off), top 10", "SELECT rowid FROM likeness(?1, 10)", 10);
    FirstQuestion("likeness");
    Insertion();
    const double bytes =
        static_cast<double>(SummarizeIndex(db_.get(), "main", "likeness").vector_bytes);
    Say("size of the index", {bytes / static_cast<double>(rows_)}, "bytes a row");
    Say("size of the file", {static_cast<double>(std::filesystem::file_size(Path())) / 1e9}, "GB");
  }

  std::string Path() const { return TemporaryFolder() + "/search.db"; }

  void Say(const std::string& what, const std::vector<double>& values, const char* unit) {
    Report(options_, "search", what + " rows=" + std::to_string(rows_), values, unit);
  }

  void ReadCorpus() {
    std::ifstream file(options_.corpus);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    Random random(7);
    Fill(db_.get(), "corpus", lines);
    for (size_t i = 0; i < kQuestions && i < lines.size(); i++) {
      const std::string& line = lines[lines.size() - 1 - i];
      questions_.push_back({line, ThreeWords(line, &random), {}, {}});
    }
    lines.resize(lines.size() - questions_.size());
    is_large_ = static_cast<size_t>(rows_) > lines.size();
    if (is_large_) questions_.resize(kQuestionsOfMany);
    lines.reserve(static_cast<size_t>(rows_));
    for (const size_t real = lines.size(); lines.size() < static_cast<size_t>(rows_);) {
      const std::string& a = lines[random.Next() % real];
      const std::string& b = lines[random.Next() % real];
      const size_t end = a.find(' ', a.size() / 2), begin = b.find(' ', b.size() / 2);
      lines.push_back(a.substr(0, end) + (begin == b.npos ? " " + b : b.substr(begin)));
    }
    lines.resize(static_cast<size_t>(rows_));
    Fill(db_.get(), "docs", lines);
  }

  void Prepare() {
    sqlite3* db = db_.get();
    Execute(db, "SELECT s2v_train('corpus', 'body', json_object('dimension', " +
                    std::to_string(options_.config.dimension) + "))");
    Execute(db, "DROP TABLE corpus");
    const std::string some =
        "SELECT count(s2v_embed(body)) FROM (SELECT body FROM docs LIMIT 200000)";
    Execute(db, some);  // fills the cache of the model's rows
    embed_rate_ =
        static_cast<double>(std::min<int64_t>(rows_, 200000)) / Timed([&] { Execute(db, some); });
    if (!is_large_) {
      Execute(
          db,
          "ALTER TABLE docs ADD COLUMN embedding BLOB; UPDATE docs SET embedding = s2v_embed(body)");
    }
    Statement embed(db, "SELECT s2v_embed(?1)");
    for (Question& question : questions_) {
      embed.Find(question.text);
      question.vector = embed.Blob(0);
    }
    std::erase_if(questions_, [](const Question& q) { return q.vector.empty(); });
  }

  void FindExact() {
    const size_t n = static_cast<size_t>(options_.config.dimension);
    std::vector<search::TopHits> best(questions_.size(), search::TopHits(100));
    Statement select(db_.get(), std::string("SELECT id, ") +
                                    (is_large_ ? "s2v_embed(body)" : "embedding") +
                                    " AS v FROM docs WHERE v IS NOT NULL");
    std::vector<float> v(n), q(n);
    while (select.Step()) {
      std::memcpy(v.data(), select.Blob(1).data(), n * sizeof(float));
      for (size_t i = 0; i < questions_.size(); i++) {
        const auto* vector = reinterpret_cast<const float*>(questions_[i].vector.data());
        best[i].Add({select.Int(0), simd::BestKernels().dot(vector, v.data(), n)});
      }
    }
    for (size_t i = 0; i < questions_.size(); i++) {
      for (const search::Hit& hit : best[i].Take()) questions_[i].nearest.push_back(hit.rowid);
    }
  }

  void Build() {
    sqlite3* db = db_.get();
    const auto rows = static_cast<double>(rows_);
    const double near =
        Timed([&] { Execute(db, "CREATE VIRTUAL TABLE near USING s2v_index(docs, embedding)"); });
    Say("building from embeddings", {rows / near}, "rows/s");
    BuildOfTexts();
    const double found =
        Timed([&] { Execute(db, "CREATE VIRTUAL TABLE found USING s2v_index(docs, body)"); });
    Say("building from text with words", {rows / found}, "rows/s");
    for (const char* name : {"near", "likeness"}) {
      const IndexSummary summary = SummarizeIndex(db, "main", name);
      Say(std::string("size of ") + name + " beside float32 vectors",
          {static_cast<double>(summary.vector_bytes) /
           (rows * 4 * static_cast<double>(options_.config.dimension))},
          "");
    }
  }

  void BuildOfTexts() {
    const double seconds = Timed([&] {
      Execute(db_.get(), "CREATE VIRTUAL TABLE likeness USING s2v_index(docs, body, words = off)");
    });
    Say("building from text", {static_cast<double>(rows_) / seconds}, "rows/s");
    Say("building from text, share of embedding alone (one thread)",
        {static_cast<double>(rows_) / seconds / embed_rate_}, "");
  }

  // A row of a bulk load, from the statement to the index: the trigger, and 'sync' later.
  void Insertion() {
    const double rows = 10000;
    const double written = Timed(
        [&] { Execute(db_.get(), "INSERT INTO docs(body) SELECT body FROM docs LIMIT 10000"); });
    const double synced =
        Timed([&] { Execute(db_.get(), "INSERT INTO likeness(likeness) VALUES('sync')"); });
    Say("a row that is inserted", {written * 1e6 / rows}, "us");
    Say("and taken into the index", {synced * 1e6 / rows}, "us");
  }

  // Milliseconds and recall of a statement with the question's vector at ?1.
  void Ask(const std::string& name, const std::string& sql, size_t k,
           const std::function<bool(int64_t)>& allowed = {}) {
    Statement select;
    try {
      select = Statement(db_.get(), sql);
    } catch (const std::exception& error) {
      std::printf("search   %s: %s\n", name.c_str(), error.what());
      return;
    }
    std::vector<double> ms;
    double found = 0, all = 0;
    for (int run = 0; run <= 1; run++) {  // the first fills the caches
      ms.clear();
      found = all = 0;
      for (const Question& question : questions_) {
        select.BindBlob(1, question.vector.data(), question.vector.size());
        std::vector<int64_t> rowids;
        ms.push_back(1e3 * Timed([&] {
                       while (select.Step()) rowids.push_back(select.Int(0));
                     }));
        select.Reset();
        std::set<int64_t> exact;
        for (const int64_t id : question.nearest) {
          if (exact.size() < k && (!allowed || allowed(id))) exact.insert(id);
        }
        for (const int64_t id : rowids) found += exact.contains(id) ? 1 : 0;
        all += static_cast<double>(exact.size());
      }
    }
    Say(name, ms, "ms");
    Say(name + ": recall", {found / all}, "");
  }

  void Filtered(const std::string& name, const std::string& filter) {
    const std::string rows = "SELECT id FROM docs WHERE " + filter;
    Execute(
        db_.get(),
        "CREATE TABLE IF NOT EXISTS chosen(id INTEGER PRIMARY KEY); DELETE FROM chosen; INSERT INTO chosen " +
            rows);
    Statement numbers(db_.get(), "SELECT id FROM chosen");
    std::set<int64_t> allowed;
    while (numbers.Step()) allowed.insert(numbers.Int(0));
    const double reading = Timed([&] { Execute(db_.get(), "SELECT sum(id) FROM chosen"); });
    Say("reading a filter of " + name, {reading * 1e3}, "ms");
    // SQLite gives a virtual table the rows of IN (SELECT ...) by way of such a list.
    const double listing =
        Timed([&] { Execute(db_.get(), "SELECT -1 IN (SELECT id + 0 FROM chosen)"); });
    Say("SQLite's list of a filter of " + name, {listing * 1e3}, "ms");
    Ask("filter of " + name,
        "SELECT rowid FROM near(?1, 10) WHERE rowid IN (SELECT id FROM chosen)", 10,
        [&](int64_t id) { return allowed.contains(id); });
  }

  void WordsAndMeaning() {
    std::vector<double> words, both;
    Execute(
        db_.get(),
        "CREATE VIRTUAL TABLE words_only USING fts5(body, content='docs', content_rowid='id', tokenize='porter unicode61');"
        "INSERT INTO words_only(words_only) VALUES('rebuild')");
    Statement fts(db_.get(),
                  "SELECT rowid FROM words_only WHERE words_only MATCH ?1 ORDER BY rank LIMIT 10");
    Statement index(db_.get(), "SELECT rowid FROM found(?1, 10)");
    for (int run = 0; run <= 1; run++) {
      words.clear();
      both.clear();
      for (const Question& question : questions_) {
        std::string expression = "\"" + question.words + "\"";
        ReplaceAll(" ", "\" OR \"", &expression);
        words.push_back(1e3 * Timed([&] { fts.Run(expression); }));
        both.push_back(1e3 * Timed([&] { index.Run(question.words); }));
      }
    }
    Say("three words, FTS5 alone", words, "ms");
    Say("three words, words and meaning", both, "ms");
    std::vector<double> more;
    for (size_t i = 0; i < words.size(); i++) more.push_back(both[i] - words[i]);
    Say("three words, more than FTS5 alone", more, "ms");
  }

  bool Load(const std::string& path) {
    if (path.empty()) return false;
    char* message = nullptr;
    if (sqlite3_load_extension(db_.get(), path.c_str(), nullptr, &message) == SQLITE_OK)
      return true;
    throw std::runtime_error("cannot load " + path + ": " + (message == nullptr ? "" : message));
  }

  void Rivals() {
    sqlite3* db = db_.get();
    const std::string n = std::to_string(options_.config.dimension),
                      rows = std::to_string(rows_ + 1);
    const auto build = [&](const char* name, const std::string& sql) {
      const double seconds = Timed([&] { Execute(db, sql); });
      Say(std::string(name) + ", building", {static_cast<double>(rows_) / seconds}, "rows/s");
    };
    if (Load(options_.sqlite_vec)) {
      build("sqlite-vec vec0",
            "CREATE VIRTUAL TABLE vec USING vec0(embedding float[" + n +
                "] distance_metric=cosine); INSERT INTO "
                "vec(rowid, embedding) SELECT id, embedding FROM docs WHERE embedding IS NOT NULL");
      Ask("sqlite-vec vec0, top 10", "SELECT rowid FROM vec WHERE embedding MATCH ?1 AND k = 10",
          10);
      Ask("sqlite-vec vec_distance_cosine, top 10",
          "SELECT id FROM docs WHERE embedding IS NOT NULL ORDER BY vec_distance_cosine(embedding, ?1) LIMIT 10",
          10);
      Execute(db, "DROP TABLE vec");
    }
    if (Load(options_.sqlite_vector)) {
      build("sqlite-vector",
            "SELECT vector_init('docs', 'embedding', 'type=FLOAT32,dimension=" + n +
                ",distance=COSINE'); SELECT vector_quantize('docs', 'embedding'); SELECT "
                "vector_quantize_preload('docs', 'embedding')");
      Ask("sqlite-vector quantised, preloaded, top 10",
          "SELECT rowid FROM vector_quantize_scan('docs', 'embedding', ?1, 10)", 10);
    }
    if (Load(options_.vectorlite)) {
      build(
          "vectorlite HNSW",
          "CREATE VIRTUAL TABLE hnsw USING vectorlite(v float32[" + n +
              "] cosine, hnsw(max_elements=" + rows +
              ")); INSERT INTO hnsw(rowid, v) SELECT id, embedding FROM docs WHERE embedding IS NOT NULL");
      for (const char* ef : {"50", "200"}) {
        Ask(std::string("vectorlite HNSW in memory, ef ") + ef + ", top 10",
            std::string("SELECT rowid FROM hnsw WHERE knn_search(v, knn_param(?1, 10, ") + ef +
                "))",
            10);
      }
    }
  }

  // Rows that are written: with nothing, with FTS5's own triggers, with the index's.
  void Writing() {
    sqlite3* db = db_.get();
    const std::string text = "(id INTEGER PRIMARY KEY, body TEXT)";
    Execute(db, "CREATE TABLE plain" + text + "; CREATE TABLE words" + text +
                    "; CREATE TABLE meant" + text + "; CREATE TABLE both" + text);
    Execute(
        db,
        "CREATE VIRTUAL TABLE words_fts USING fts5(body, content='words', content_rowid='id', tokenize='porter unicode61');"
        "CREATE TRIGGER words_insert AFTER INSERT ON words BEGIN INSERT INTO words_fts(rowid, body) VALUES(new.id, new.body); END;"
        "CREATE TRIGGER words_delete AFTER DELETE ON words BEGIN INSERT INTO words_fts(words_fts, rowid, body) VALUES('delete', old.id, old.body); END;"
        "CREATE VIRTUAL TABLE meant_search USING s2v_index(meant, body, words = off);"
        "CREATE VIRTUAL TABLE both_search USING s2v_index(both, body)");
    const std::string limit = " SELECT id, body FROM docs LIMIT 200000";
    std::vector<std::vector<double>> us(4);
    const char* const tables[] = {"plain", "meant", "words", "both"};
    for (int run = 0; run < options_.runs; run++) {
      for (size_t i = 0; i < 4; i++) {
        const double seconds =
            Timed([&] { Execute(db, std::string("INSERT INTO ") + tables[i] + limit); });
        us[i].push_back(seconds * 1e6 / static_cast<double>(std::min<int64_t>(rows_, 200000)));
        Execute(db, std::string("DELETE FROM ") + tables[i]);
        if (i == 1) Execute(db, "INSERT INTO meant_search(meant_search) VALUES('sync')");
        if (i == 3) Execute(db, "INSERT INTO both_search(both_search) VALUES('sync')");
      }
    }
    Say("a row of a bulk load", us[0], "us");
    Say("a row of a bulk load, index by meaning", us[1], "us");
    Say("a row of a bulk load, FTS5's own triggers", us[2], "us");
    Say("a row of a bulk load, index by words and meaning", us[3], "us");
  }

  void FirstQuestion(const std::string& index = "near") {
    std::vector<double> first, second;
    for (int run = 0; run < options_.runs; run++) {
      Database fresh(Path());
      Execute(fresh.get(), "PRAGMA mmap_size = 8000000000");
      const Question& question = questions_[static_cast<size_t>(run)];
      Statement select(fresh.get(), "SELECT rowid FROM " + index + "(?1, 10)");
      for (std::vector<double>* ms : {&first, &second}) {
        select.BindBlob(1, question.vector.data(), question.vector.size());
        ms->push_back(1e3 * Timed([&] { select.Run(); }));
      }
    }
    Say("first question of a new connection", first, "ms");
    Say("second question", second, "ms");
  }

  const Options& options_;
  int64_t rows_;
  Database db_;
  std::vector<Question> questions_;
  double embed_rate_ = 0;  // texts/s, one thread
  bool is_large_ = false;  // more rows than the corpus has
};

}  // namespace

void Search(const Options& options) {
  Contest(options, options.rows).Run();
}

}  // namespace s2v::bench
