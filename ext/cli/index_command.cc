// s2v index show DB                              the indexes of a database
// s2v index create DB NAME TABLE COLUMN...       makes one
// s2v index rebuild|sync|optimize|check DB NAME  what INSERT INTO NAME(NAME) VALUES('...') does
// s2v search DB NAME "words of a question"       the rows that answer it
#include <algorithm>
#include <memory>

#include "core/config.h"
#include "core/error.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "ext/functions.h"
#include "sql/index_check.h"
#include "sql/json.h"

namespace s2v {
namespace {

struct IndexCommandOptions {
  std::string path, name, table;
  std::vector<std::string> columns;
  std::string model, words, tokenize, weight;
  bool quiet = false, json = false;
};

struct SearchCommandOptions {
  std::string path, name, question, columns, rank_by;
  int64_t limit = 10;
  bool json = false;
};

constexpr const char* kSchema = "main";

// Throws UsageError where there is no such index, naming those that there are.
void CheckName(sqlite3* db, const std::string& name) {
  const std::vector<std::string> names = ListIndexes(db, kSchema);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string known;
  for (const std::string& other : names) known += (known.empty() ? "; there are " : ", ") + other;
  throw UsageError("no index '" + name + "'" +
                   (known.empty() ? "; make one with s2v index create" : known));
}

// Runs SQL that makes or changes an index, with its progress, until it is done or Ctrl-C.
void RunWithProgress(sqlite3* db, const std::string& sql, bool quiet) {
  StopOnSignal stop(db);
  StatusLine line(!quiet);
  SetIndexProgress([&](uint64_t done, uint64_t total) {
    line.Show(
        "indexing  " +
        PercentText(static_cast<double>(done) / static_cast<double>(std::max<uint64_t>(total, 1))) +
        "  " + std::to_string(done) + " of " + std::to_string(total) + " rows");
    if (StopRequested()) throw Interrupted();
  });
  try {
    stop.Run([&] { Execute(db, sql); });
  } catch (...) {
    SetIndexProgress({});
    throw;
  }
  SetIndexProgress({});
}

std::string Columns(const IndexDefinition& index) {
  std::string columns;
  for (const std::string& column : index.columns) columns += (columns.empty() ? "" : ", ") + column;
  return columns;
}

void Show(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kRead);
  const std::vector<std::string> names = ListIndexes(db.get(), kSchema);
  if (names.empty()) {
    std::fprintf(stderr, "s2v: no indexes in '%s'; make one with s2v index create\n",
                 options.path.c_str());
    return;
  }
  TextTable table({"name", "table", "columns", "rows>", "pending>", "lists>", "dim>", "vectors>",
                   "words>", "model", "hash"});
  std::string problems;
  for (const std::string& name : names) {
    const IndexSummary s = SummarizeIndex(db.get(), kSchema, name);
    const IndexDefinition& index = s.index;
    if (!s.problem.empty()) problems += "s2v: " + s.problem + "\n";
    if (options.json) {
      const auto text = [](const std::string& value) {
        return value.empty() ? std::nullopt : std::optional(value);
      };
      WriteOutput(JsonObject()
                      .Add("name", name)
                      .Add("table", index.table)
                      .Add("columns", Columns(index))
                      .Add("rows", s.rows)
                      .Add("pending", s.pending)
                      .Add("lists", s.lists)
                      .Add("dimension", index.dimension)
                      .Add("vector_bytes", s.vector_bytes)
                      .Add("word_bytes", s.word_bytes)
                      .Add("tokenize", index.words ? std::optional(index.tokenize) : std::nullopt)
                      .Add("model", text(index.model))
                      .Add("model_hash", text(index.model_hash))
                      .Add("problem", text(s.problem))
                      .Text() +
                  "\n");
    } else {
      table.AddRow({name, index.table, Columns(index), std::to_string(s.rows),
                    std::to_string(s.pending), std::to_string(s.lists),
                    std::to_string(index.dimension), BytesText(s.vector_bytes),
                    BytesText(s.word_bytes),
                    index.of_vectors && index.model.empty() ? "-"
                    : index.model.empty()                   ? "(default)"
                                                            : index.model,
                    index.model_hash});
    }
  }
  if (!options.json) WriteOutput(table.Text());
  std::fprintf(stderr, "%s", problems.c_str());
}

void Create(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kWrite);
  std::string sql = "CREATE VIRTUAL TABLE " + QuoteName(options.name) + " USING s2v_index(" +
                    QuoteName(options.table);
  for (const std::string& column : options.columns) sql += ", " + QuoteName(column);
  if (!options.model.empty()) sql += ", model = " + QuoteName(options.model);
  if (!options.words.empty()) sql += ", words = " + options.words;
  if (!options.tokenize.empty()) sql += ", tokenize = " + QuoteName(options.tokenize, '\'');
  if (!options.weight.empty()) sql += ", weight = " + options.weight;
  RunWithProgress(db.get(), sql + ")", options.quiet);
  if (options.quiet) return;
  const IndexSummary s = SummarizeIndex(db.get(), kSchema, options.name);
  std::fprintf(
      stderr,
      "index '%s': %llu rows of %s (%s), vectors %s, words %s\nask it: s2v search %s %s 'some words'\n",
      options.name.c_str(), static_cast<unsigned long long>(s.rows), s.index.table.c_str(),
      Columns(s.index).c_str(), BytesText(s.vector_bytes).c_str(), BytesText(s.word_bytes).c_str(),
      options.path.c_str(), options.name.c_str());
}

void Run(const IndexCommandOptions& options, const char* command) {
  const Database db(options.path, Database::kWrite);
  CheckName(db.get(), options.name);
  const std::string name = QuoteName(options.name);
  RunWithProgress(db.get(), "INSERT INTO " + name + "(" + name + ") VALUES('" + command + "')",
                  options.quiet);
}

void Check(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kWrite);
  CheckName(db.get(), options.name);
  IndexMemory memory;
  const IndexDefinition index = OpenIndex(db.get(), kSchema, options.name, &memory);
  const IndexReport report = InspectIndex(db.get(), index, &memory);
  const auto count = [](uint64_t n) { return std::to_string(n); };
  if (!options.quiet) {
    WriteOutput(count(report.table_rows) + " rows in '" + index.table + "': " + count(report.rows) +
                " with a vector, " + count(report.left_out) + " without, " + count(report.pending) +
                " changed since the last sync\n");
  }
  for (const std::string& example : report.examples) WriteOutput(example + "\n");
  FlushOutput();
  if (report.differences > 0)
    throw FormatError(count(report.differences) + " differences; s2v index rebuild mends them");
}

void Search(const SearchCommandOptions& options) {
  if (options.limit < 1) throw UsageError("--limit: 1 or more expected");
  const Database db(options.path, Database::kRead);
  CheckName(db.get(), options.name);
  IndexMemory memory;
  const IndexDefinition index = OpenIndex(db.get(), kSchema, options.name, &memory);
  std::vector<std::string> columns(index.TextColumns().begin(), index.TextColumns().end());
  if (!options.columns.empty()) columns = Split(options.columns, ',');
  std::string sql = "SELECT s.rowid, s.score, s.similarity, s.bm25";
  for (const std::string& column : columns) sql += ", d." + QuoteName(column);
  const std::string id = QuoteName(index.rowid);
  Statement select(db.get(), sql + " FROM " + QuoteName(options.name) +
                                 "(?1, ?2, ?3) AS s LEFT JOIN " + index.Source() + " AS d ON d." +
                                 id + " = s.rowid ORDER BY s.score DESC");
  select.Bind(1, std::string_view(options.question));
  select.Bind(2, options.limit);
  if (!options.rank_by.empty()) select.Bind(3, std::string_view(options.rank_by));
  std::vector<std::string> header = {"rowid>", "score>", "similarity>", "bm25>"};
  header.insert(header.end(), columns.begin(), columns.end());
  TextTable table(header);
  bool found = false;
  while (select.Step()) {
    found = true;
    const auto number = [&](int i) {
      return select.Type(i) == SQLITE_NULL ? std::string() : Format("%.3f", select.Double(i));
    };
    if (options.json) {
      JsonObject line;
      line.Add("rowid", select.Int(0));
      int at = 1;
      for (const char* name : {"score", "similarity", "bm25"}) {
        line.Add(name,
                 select.Type(at) == SQLITE_NULL ? std::nullopt : std::optional(select.Double(at)));
        at++;
      }
      for (const std::string& column : columns) {
        line.Add(column,
                 select.Type(at) == SQLITE_NULL ? std::nullopt : std::optional(select.Text(at)));
        at++;
      }
      WriteOutput(line.Text() + "\n");
      continue;
    }
    std::vector<std::string> cells = {std::to_string(select.Int(0)), number(1), number(2),
                                      number(3)};
    constexpr size_t kWidth = 60;
    for (size_t i = 0; i < columns.size(); i++) {
      std::string text(select.Text(static_cast<int>(i) + 4));
      if (text.size() > kWidth) {
        size_t end = kWidth;
        while (end > 0 && (text[end] & 0xc0) == 0x80) end--;  // between characters
        text = text.substr(0, end) + "...";
      }
      cells.push_back(text);
    }
    table.AddRow(cells);
  }
  if (!options.json && found) WriteOutput(table.Text());
  if (!found)
    std::fprintf(
        stderr,
        "s2v: nothing found: no word of the question is known; s2v_tokens('...') in SQL says which are\n");
}

}  // namespace

void AddIndexCommand(Command* program) {
  Command app = program->AddSubcommand("index", "make, show and check indexes for searching");
  const auto options = std::make_shared<IndexCommandOptions>();
  const auto add = [&](const char* name, const char* help, auto work) {
    Command command = app.AddSubcommand(name, help);
    command.AddRequired("DB", &options->path, "the database file");
    command.SetAction([options, work] { work(*options); });
    return command;
  };
  Command show = add("show", "list the indexes: rows, changes that are pending, size, model", Show);
  show.AddFlag("--json", &options->json, "a JSON object a line");
  Command create =
      add("create", "make an index of a table, filled and kept in step from then on", Create);
  create.AddRequired("NAME", &options->name, "of the index");
  create.AddRequired("TABLE", &options->table, "whose rows are to be found");
  create.AddRequired("COLUMN", &options->columns,
                     "of texts, one or several, or of vectors (BLOBs of float32)");
  create.Add("--model", &options->model, "NAME", "that embeds texts; default: the default model");
  create.Add(
      "--words", &options->words, "on|off|COLUMNS",
      "whether rows are found by words too; of vectors: in which columns; default: on where there is text");
  create.Add("--tokenize", &options->tokenize, "TEXT",
             "FTS5's tokenizer; default: porter unicode61");
  create.Add("--weight", &options->weight, "X", "of the meaning beside the words in a score");
  create.AddFlag("--quiet", &options->quiet, "print nothing but errors");
  for (const auto& [name, command, help] :
       {std::tuple{"rebuild", "rebuild", "make an index anew, after its model was trained again"},
        std::tuple{"sync", "sync", "take changed rows in now"},
        std::tuple{"optimize", "optimize", "the same, and make its words smaller"}}) {
    Command child = add(
        name, help, [command = command](const IndexCommandOptions& given) { Run(given, command); });
    child.AddRequired("NAME", &options->name, "of the index");
    child.AddFlag("--quiet", &options->quiet, "print nothing but errors");
  }
  Command check = add("check", "compare an index with its table, row by row", Check);
  check.AddRequired("NAME", &options->name, "of the index");
  check.AddFlag("--quiet", &options->quiet, "print nothing but differences");
}

void AddSearchCommand(Command* program) {
  Command app = program->AddSubcommand("search", "find the rows that answer a question");
  SearchCommandOptions* options = app.SetAction(Search);
  app.AddRequired("DB", &options->path, "the database file");
  app.AddRequired("INDEX", &options->name, "name of the index");
  app.AddRequired("QUESTION", &options->question, "in your own words");
  app.Add("--limit", &options->limit, "N", "how many rows; default: 10");
  app.Add("--columns", &options->columns, "NAMES",
          "of the table, with commas between; default: those of text");
  app.Add("--rank-by", &options->rank_by, "both|meaning|words", "default: both");
  app.AddFlag("--json", &options->json, "a JSON object a row, texts whole");
}

}  // namespace s2v
