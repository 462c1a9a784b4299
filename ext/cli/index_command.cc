// s2v index show DB                              the indexes of a database
// s2v index create DB NAME TABLE COLUMN...       makes one
// s2v index rebuild|sync|optimize|check DB NAME  what the command of an index does, sync in slices
// s2v search DB NAME "words of a question"       the rows that answer it
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/error.h"
#include "core/text/word_places.h"
#include "ext/cli/command.h"
#include "ext/cli/database.h"
#include "ext/cli/progress.h"
#include "ext/cli/text.h"
#include "ext/index_commands.h"
#include "sql/index_check.h"
#include "sql/index_summary.h"
#include "sql/json.h"

namespace s2v {
namespace {

struct IndexCommandOptions {
  std::string path, command, name, table;
  std::vector<std::string> columns;
  std::string model, words, tokenize, weight, weights, passages, filter;
  bool quiet = false, json = false;
};

struct SearchCommandOptions {
  std::string path, name, question, columns, where, rank_by;
  int64_t limit = 10;
  bool json = false;
};

constexpr const char* kSchema = "main";

// Runs SQL that makes or changes an index, with its progress, until it is done or Ctrl-C.
void RunWithProgress(sqlite3* db, const std::string& sql, bool quiet) {
  StopOnSignal stop(db);
  StatusLine line(!quiet);
  const struct Reset {
    ~Reset() { IndexProgressOfAll() = {}; }
  } reset;
  IndexProgressOfAll() = [&](uint64_t done, uint64_t total) {
    const double fraction =
        static_cast<double>(done) / static_cast<double>(std::max<uint64_t>(total, 1));
    line.Show(Format("indexing  %s  %lld of %lld rows", PercentText(fraction), done, total));
    if (StopRequested()) throw Interrupted();
  };
  stop.Run([&] { Execute(db, sql); });
}

void Show(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kRead);
  const std::vector<std::string> names = ListIndexes(db.get(), kSchema);
  if (names.empty()) {
    WriteMessage("s2v: no indexes in '" + options.path + "'; make one with s2v index create\n");
    return;
  }
  TextTable table({"name", "table", "columns", "rows>", "pending>", "lists>", "dim>", "vectors>",
                   "words>", "model", "hash"});
  std::string problems;
  for (const std::string& name : names) {
    IndexSummary s;
    try {
      s = SummarizeIndex(db.get(), kSchema, name);
    } catch (const InvalidArgument& error) {
      s.problem = error.what();
    } catch (const FormatError& error) {
      s.problem = error.what();
    }
    const IndexDefinition& index = s.index;
    if (!s.problem.empty()) problems += "s2v: " + s.problem + "\n";
    if (index.name.empty() && options.json) {  // it could not be read
      WriteOutput(JsonObject().Add("name", name).Add("problem", s.problem).Text() + "\n");
    } else if (index.name.empty()) {
      std::vector<std::string> row(11, "-");
      row[0] = name;
      table.AddRow(row);
    } else if (options.json) {
      const auto text = [](const std::string& value) {
        return value.empty() ? std::nullopt : std::optional(value);
      };
      JsonObject line;
      line.Add("name", name).Add("table", index.table).Add("columns", NamesOf(index.columns));
      line.Add("rows", s.rows);
      if (index.passages > 0) line.Add("passages", index.passages).Add("parts", s.parts);
      line.Add("pending", s.pending).Add("lists", s.lists);
      line.Add("dimension", index.dimension).Add("vector_bytes", s.vector_bytes);
      line.Add("word_bytes", s.word_bytes)
          .Add("tokenize", index.words ? std::optional(index.tokenize) : std::nullopt);
      line.Add("model", text(index.model)).Add("model_hash", text(index.model_hash));
      WriteOutput(line.Add("problem", text(s.problem)).Text() + "\n");
    } else {
      table.AddRow({name, index.table, NamesOf(index.columns), std::to_string(s.rows),
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
  WriteMessage(problems);
}

void Create(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kWrite);
  std::string sql = "CREATE VIRTUAL TABLE " + QuoteName(options.name) + " USING s2v_index(" +
                    QuoteName(options.table);
  for (const std::string& given : options.columns) {
    const bool is_one = HasColumn(db.get(), kSchema, options.table.c_str(), given.c_str());
    for (const std::string& column : is_one ? std::vector{given} : Split(given, ','))
      sql += ", " + QuoteName(Trimmed(column));
  }
  if (!options.model.empty()) sql += ", model = " + QuoteName(options.model);
  const auto add = [&](const char* name, const std::string& value) {
    // Of words, which in quotes are names of columns.
    const bool is_switch = value == "on" || value == "off";
    if (!value.empty())
      sql += std::string(", ") + name + " = " + (is_switch ? value : QuoteName(value, '\''));
  };
  add("words", options.words);
  add("tokenize", options.tokenize);
  add("weight", options.weight);
  add("weights", options.weights);
  add("passages", options.passages);
  add("filter", options.filter);
  RunWithProgress(db.get(), sql + ")", options.quiet);
  if (options.quiet) return;
  const IndexSummary s = SummarizeIndex(db.get(), kSchema, options.name);
  WriteMessage(Format(
      "index '%s': %lld rows of %s (%s)%s, vectors %s, words %s\nask it: s2v search %s %s 'some words'\n",
      options.name, s.rows, s.index.table, NamesOf(s.index.columns),
      s.index.passages > 0 ? Format(" in %lld parts", s.parts) : "", BytesText(s.vector_bytes),
      BytesText(s.word_bytes), ShellText(options.path), ShellText(options.name)));
}

void Run(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kWrite);
  const std::string of = FindIndex(db.get(), options.name), name = QuoteName(of);
  // 'sync' alone lets others write meanwhile.
  RunWithProgress(db.get(),
                  options.command == "sync"
                      ? "SELECT s2v_sync(" + QuoteName(of, '\'') + ")"
                      : "INSERT INTO " + name + "(" + name + ") VALUES('" + options.command + "')",
                  options.quiet);
}

void Check(const IndexCommandOptions& options) {
  const Database db(options.path, Database::kWrite);
  IndexMemory memory;
  const IndexDefinition index =
      OpenIndex(db.get(), kSchema, FindIndex(db.get(), options.name), &memory);
  const IndexReport report = InspectIndex(db.get(), index);
  if (!options.quiet) {
    WriteOutput(Printable(Format(
        "%lld rows in '%s': %lld %swith a vector, %lld without, %lld changed since the last sync, %lld gone\n",
        report.table_rows, index.table, report.rows, index.passages > 0 ? "parts " : "",
        report.left_out, report.pending, report.gone)));
  }
  for (const std::string& example : report.examples) WriteOutput(Printable(example) + "\n");
  FlushOutput();
  if (report.differences > 0)
    throw FormatError(Format("%lld differences; s2v index rebuild mends them", report.differences));
}

// For a cell of a table.
std::string Shortened(std::string_view text) {
  const size_t end = WholeCharacters(text, 60);
  return std::string(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

// The value of a column as JSON.
std::string JsonOf(const Statement& row, int column) {
  switch (row.Type(column)) {
    case SQLITE_NULL:
      return "null";
    case SQLITE_INTEGER:
      return std::to_string(row.Int(column));
    case SQLITE_FLOAT: {
      const double number = row.Double(column);
      return std::isfinite(number) ? NumberText(number) : number > 0 ? "9e999" : "-9e999";
    }
    default:
      return JsonString(ValidUtf8(row.Text(column)));
  }
}

void Search(const SearchCommandOptions& options) {
  if (options.limit < 1) throw UsageError("--limit: 1 or more expected");
  if (!options.rank_by.empty()) {
    CheckUsage([&] {
      CheckKnown("rank-by", options.rank_by,
                 std::array<std::string_view, 4>{"both", "meaning", "words", "fts5"});
    });
  }
  const Database db(options.path, Database::kRead);
  IndexMemory memory;
  const IndexDefinition index =
      OpenIndex(db.get(), kSchema, FindIndex(db.get(), options.name), &memory);
  std::vector<std::string> columns(index.TextColumns().begin(), index.TextColumns().end());
  if (!options.columns.empty()) columns = Split(options.columns, ',');
  for (std::string& column : columns) column = Trimmed(column);
  constexpr std::string_view kOwn[] = {"rowid", "score", "similarity", "bm25"};
  const auto is_own = [&](const std::string& column) {
    return std::find(std::begin(kOwn), std::end(kOwn), column) != std::end(kOwn);
  };
  for (const std::string& column : columns)
    ColumnName(db.get(), kSchema, index.table, column, index.table);
  std::vector<std::string> header = {"rowid>", "score>", "similarity>", "bm25>"};
  header.insert(header.end(), columns.begin(), columns.end());
  TextTable table(header);
  std::string sql = "SELECT s.rowid, s.score, s.similarity, s.bm25, s.corrections";
  for (const std::string& column : columns) {
    const std::string value = "d." + QuoteName(column);
    sql += ", iif(typeof(" + value + ") = 'blob', hex(" + value + "), " + value + ")";
  }
  sql += " FROM " + QuoteName(index.name) + "(?1, ?2, nullif(?3, '')) AS s LEFT JOIN " +
         index.Source() + " AS d ON d." + QuoteName(index.rowid) + " = s.rowid";
  if (!options.where.empty()) {
    sql += " WHERE s.rowid IN (SELECT " + QuoteName(index.rowid) + " FROM " + index.Source() +
           " WHERE (" + options.where + "\n))";
  }
  sql += " ORDER BY s.score DESC";
  Statement select;
  try {
    select = Statement(db.get(), sql, options.question, options.limit, options.rank_by);
  } catch (const SqlError& error) {
    if (options.where.empty()) throw;
    throw InvalidArgument("where: " + std::string(error.what()) + " in: " + options.where);
  }
  bool found = false;
  for (; select.Step(); found = true) {
    JsonObject line;
    line.Add("rowid", select.Int(0));
    std::vector<std::string> cells = {std::to_string(select.Int(0))};
    if (!found && select.Type(4) != SQLITE_NULL) {
      WriteMessage("s2v: " + std::string(select.Text(4)) + "\n");
    }
    int at = 0;
    for (const char* name : {"score", "similarity", "bm25"}) {
      const bool known = select.Type(++at) != SQLITE_NULL;
      line.Add(name, known ? std::optional(select.Double(at)) : std::nullopt);
      cells.push_back(known ? Format("%.3f", select.Double(at)) : "");
    }
    at++;  // the corrections
    for (const std::string& column : columns) {
      line.AddJson(is_own(column) ? index.table + "." + column : column, JsonOf(select, ++at));
      cells.push_back(Shortened(select.Text(at)));
    }
    options.json ? WriteOutput(line.Text() + "\n") : table.AddRow(std::move(cells));
  }
  if (!found) {
    const std::string rows = options.where.empty() ? "no row" : "no row that meets --where";
    WriteMessage(
        "s2v: nothing found: " + rows +
        " has what the question demands, or a word of it that is known; s2v_tokens('...') in SQL "
        "says which words are, s2v index show how many rows there are\n");
  } else if (!options.json) {
    WriteOutput(table.Text());
  }
}

}  // namespace

void AddIndexCommand(Command* program) {
  Command app = program->AddSubcommand("index", "make, show and check indexes for searching");
  auto [show, shown] = app.AddSubcommand(
      "show", "list the indexes: rows, changes that are pending, size, model", Show);
  show.AddFlag("--json", &shown->json, "a JSON object a line");
  auto [create, options] = app.AddSubcommand(
      "create", "make an index of a table, filled and kept in step from then on", Create);
  create.AddRequired("NAME", &options->name, "of the index");
  create.AddRequired("TABLE", &options->table, "whose rows are to be found");
  create.AddRequired("COLUMN", &options->columns,
                     "of texts, one or several, or of vectors (BLOBs of float32)");
  create.Add("--model", &options->model, "NAME", "that embeds texts; default: the default model");
  create.Add(
      "--words", &options->words, "on|off|COLUMNS",
      "whether rows are found by words too; of vectors: in which columns, as title,body; default: on where there is text");
  create.Add(
      "--tokenize", &options->tokenize, "TEXT",
      "'s2v german', or FTS5's, as 'porter unicode61'; default: for the language of the model, else of the texts");
  create.Add(
      "--weight", &options->weight, "X",
      "of the meaning beside the words in a score; default: 0.15 for each word of the question, "
      "up to ten");
  create.Add("--weights", &options->weights, "LIST",
             "of the columns in bm25, as 4,1; default: all alike");
  create.Add(
      "--passages", &options->passages, "N",
      "cuts rows into parts of about N words and finds rows by their best part; default: whole rows");
  create.Add(
      "--filter", &options->filter, "COLUMNS",
      "of the table, with commas between, on which conditions are heeded before rows are ranked");
  create.AddFlag("--quiet", &options->quiet, "print nothing but errors");
  const auto add = [&](const char* name, const char* help, auto run, const char* printed) {
    auto [command, given] = app.AddSubcommand(name, help, run);
    given->command = name;
    command.AddRequired("NAME", &given->name, "of the index");
    command.AddFlag("--quiet", &given->quiet, std::string("print nothing but ") + printed);
  };
  add("rebuild", "make an index anew, after its model was trained again", Run, "errors");
  add("sync", "take changed rows in now", Run, "errors");
  add("optimize",
      "take changed rows in, look for rows that came or went unseen, and make its words smaller",
      Run, "errors");
  add("check", "compare an index with its table, row by row", Check, "differences");
}

void AddSearchCommand(Command* program) {
  auto [app, options] =
      program->AddSubcommand("search", "find the rows that answer a question", Search);
  app.AddRequired("INDEX", &options->name, "name of the index");
  app.AddRequired("QUESTION", &options->question, "in your own words; of several words in quotes");
  app.Add("--limit", &options->limit, "N", "how many rows; default: 10");
  app.Add("--where", &options->where, "SQL",
          "expression over the table's columns: which rows are looked for, as lang = 'de'");
  app.Add("--columns", &options->columns, "NAMES",
          "of the table, with commas between; default: those of text");
  app.Add("--rank-by", &options->rank_by, "both|meaning|words|fts5",
          "default: both, or meaning where the index has no words; fts5: words, in FTS5's syntax");
  app.AddFlag("--json", &options->json, "a JSON object a row, texts whole");
}

}  // namespace s2v
