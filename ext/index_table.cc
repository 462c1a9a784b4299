// s2v_index: the rows of a table found by meaning and by words.
//
//   CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, title, body);    -- texts
//   CREATE VIRTUAL TABLE docs_near USING s2v_index(docs, embedding);        -- BLOBs of float32
//   SELECT rowid, score FROM docs_search('rate cuts hit lenders', 10);
//   SELECT rowid, score FROM docs_search WHERE docs_search MATCH 'rate cuts'
//   AND rowid IN (SELECT id FROM docs WHERE lang = 'de') ORDER BY score DESC LIMIT 10 OFFSET 20;
//   INSERT INTO docs_search(docs_search) VALUES('rebuild');
//
// Options, behind the columns: model = name, words = on | off | names of columns, tokenize = 'as
// FTS5 has it', weight = number, weights = 'numbers', filter = 'names of columns'
// (ext/index_filters.h), passages = number (sql/index_parts.h). Made in the database of the table,
// and filled at once; from then on it follows the table by itself (sql/index_definition.h).
//
// score       what rows are ordered by
// similarity  the cosine of the question and the row, NULL where one of them has no vector
// bm25        FTS5's with the sign turned, so that more is better, of words, their parts and
//             numbers that stand together; NULL where no word matches
// docs_search hidden: the question, a text or a vector (BLOB); of a row what s2v_snippet and
//             s2v_highlight want to know
// k           hidden: how many rows. Without it LIMIT and OFFSET say (ext/index_ask.cc), where SQLite
//             passes them on; without these the rows come as they are asked for, 1000 at most
// rank_by     hidden: 'both', 'meaning' or 'words', or 'fts5': words, asked for in FTS5's syntax;
//             NULL: both where there are words and a text
// max_similar hidden: leaves out rows more similar than that to a better one (sql/index_search.h);
//             NULL: none
// by_bm25, by_opening, by_meaning, by_feedback
//             hidden: what the score is the sum of, of a question ranked by 'both'; else NULL
// pending     hidden: changes of the table that the index had not taken in, a row as often as it
//             changed
// corrections hidden: words of the question that no row has, and as what they were read:
//             'mananger → manager'; else NULL
// matched     hidden: of the question's different words that are looked for, the share that the row
//             has, 0 to 1; NULL by meaning
// rank        hidden: the score with the sign turned, so that ORDER BY rank does what it does with
//             FTS5
// then a column for each filter: what the table has in the row
// passage, passage_at, passage_column
//             hidden, with passages: the text of the row's best part, the character of its column,
//             from 1 on, where it begins, and this column's name
//
// The rows come by falling score, of equal ones by rowid; what is found where a statement reads on
// beyond the first hundred has at most the score of the row before. rowid IN (...) and conditions
// on filters are heeded before rows are ranked, all others after. A question that is NULL, or of
// which nothing is known, has no rows.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "core/text/utf8.h"
#include "ext/arguments.h"
#include "ext/functions.h"
#include "ext/index_ask.h"
#include "ext/index_commands.h"
#include "ext/index_cursor.h"
#include "ext/index_filters.h"
#include "ext/index_plan.h"
#include "sql/index_objects.h"
#include "sql/index_rebuild.h"
#include "sql/index_search.h"
#include "sql/index_templates.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

// Of IndexColumn, behind the question.
constexpr char kOwnColumns[] =
    " HIDDEN, score REAL, similarity REAL, bm25 REAL, k HIDDEN, rank_by HIDDEN, max_similar HIDDEN, "
    "by_bm25 HIDDEN, by_opening HIDDEN, by_meaning HIDDEN, by_feedback HIDDEN, pending HIDDEN, corrections HIDDEN, "
    "matched HIDDEN, rank HIDDEN";
// Behind the filters.
constexpr char kPassageColumns[] = ", passage HIDDEN, passage_at HIDDEN, passage_column HIDDEN";

template <typename Body>
int IndexMethod(sqlite3_vtab* table, Body body) {
  const std::string& name = static_cast<IndexTable*>(table)->name;
  return GuardedMethod(&table->zErrMsg, name.c_str(), [&] {
    try {
      body();
    } catch (const SqlError& error) {
      // What FTS5 says where its own tables are damaged: then it cannot be opened, or its words, or
      // what it keeps of rows, are wrong.
      const int code = error.primary_code();
      const auto says = [&](const char* what) {
        return std::strstr(error.what(), what) != nullptr;
      };
      const bool is_lost = (code == SQLITE_ERROR || code == SQLITE_CORRUPT) &&
                           (says("vtable constructor failed") || says("invalid fts5 file format"));
      // Said by SQLite alone, not by a function that the table calls, whose message names it.
      const bool is_wrong = std::strcmp(error.what(), "database disk image is malformed") == 0 &&
                            error.code() == SQLITE_CORRUPT_VTAB;
      CheckNotLost(error, name);
      if (!is_lost && !is_wrong && std::strcmp(error.what(), "constraint failed") != 0) throw;
      ThrowMalformed(name + "_fts; " + (is_lost ? DropHint(name) : RebuildHint(name)));
    }
  });
}

// Whether a column of the index itself is called so.
bool IsOwnColumn(const std::string& name, bool has_passages) {
  const std::string columns = std::string(kOwnColumns) + (has_passages ? kPassageColumns : "");
  return IsRowidName(name) || columns.find(", " + LowerAscii(name) + " ") != columns.npos;
}

// create: a filter whose name is one of our columns is refused. After ALTER TABLE there may be one;
// then the table has no filters, so that SQLite can still open it to drop it, and a question is an
// error.
// A filter whose collation the connection does not know is declared without it: whoever uses it is
// told (PlanIndex).
void Declare(IndexTable* table, bool create) {
  const std::string columns = QuoteName(table->name) + kOwnColumns,
                    more = table->has_passages ? kPassageColumns : "";
  try {
    for (const FilterColumn& filter : table->filters) {
      if (IsOwnColumn(filter.name, table->has_passages))
        throw SqlError(SQLITE_ERROR, "duplicate column name: " + filter.name);
    }
    DeclareTable(table->db(), columns + FilterDeclaration(table->filters) + more);
  } catch (const SqlError& error) {
    if (table->filters.empty()) throw;
    if (ForgetUnknownCollations(table->db(), &table->filters)) {
      if (!create) return Declare(table, create);
      for (const FilterColumn& filter : table->filters) CheckCollation(filter);
    }
    if (create) {
      throw InvalidArgument(
          std::string(error.what()) +
          ": a filter needs a name of its own; a generated column of the table can have another one");
    }
    table->filters.clear();
    table->lost_filters = error.what();
    DeclareTable(table->db(), columns + more);
  }
}

// The question is a column that has the index's name.
void CheckIndexName(const std::string& name, bool has_passages) {
  if (name.empty()) throw InvalidArgument("an index needs a name, as docs_search");
  if (!IsOwnColumn(name, has_passages)) return;
  throw InvalidArgument(
      "'" + LowerAscii(name) +
      "' is the name of one of the index's own columns; give the index another one, as docs_search");
}

// kCreate: of CREATE VIRTUAL TABLE; else of a connection that meets the table.
template <bool kCreate>
int Begin(sqlite3* db, void* data, int count, const char* const* arguments, sqlite3_vtab** table,
          char** message) {
  return GuardedMethod(message, "s2v_index", [&] {
    auto made = std::make_unique<IndexTable>();
    made->connection = *static_cast<SharedConnection*>(data);
    made->schema = arguments[1];
    made->name = arguments[2];
    const std::span given(arguments + 3, static_cast<size_t>(std::max(count - 3, 0)));
    // In a file that somebody has tampered with they may be anything, and the table can be dropped.
    IndexOptions options;
    bool may_have_filters = true;
    try {
      options = ParseIndexOptions(given);
      may_have_filters = !options.filters.empty();
    } catch (const InvalidArgument&) {
      if (kCreate) throw;
    }
    IndexSourceNames source;
    if (kCreate) {
      CheckIndexName(made->name, options.passages > 0);
      source = CreateIndexObjects(db, made->schema, made->name, options);
    }
    made->has_passages = options.passages > 0;
    if (may_have_filters) {  // without them it is declared without reading the database
      made->filters = ReadFilterColumns(db, made->schema, made->name);
      // Where the table is gone, a question with a condition is to say so.
      if (made->filters.empty()) {
        for (const std::string& column : options.filters)
          made->filters.push_back({column, "", "BINARY", ""});
      }
    }
    Declare(made.get(), kCreate);
    if (kCreate) {
      const IndexTurn turn(made->memory());
      RebuildIndex(db, ReadIndexDefinition(db, made->schema, made->name, &source), made->memory(),
                   IndexProgressOfAll());
    }
    *table = made.release();
  });
}

int Disconnect(sqlite3_vtab* table) {
  sqlite3_free(table->zErrMsg);  // of xDestroy, whose message SQLite does not ask for
  delete static_cast<IndexTable*>(table);
  return SQLITE_OK;
}

int Destroy(sqlite3_vtab* base) {
  const int code = IndexMethod(base, [&] {
    auto* table = static_cast<IndexTable*>(base);
    DropIndexObjects(table->db(), table->schema, table->name);
    table->connection->indexes.erase(table->schema + '\0' + table->name);
  });
  return code == SQLITE_OK ? Disconnect(base) : code;
}

int Rename(sqlite3_vtab* base, const char* name) {
  return IndexMethod(base, [&] {
    const auto* table = static_cast<IndexTable*>(base);
    CheckIndexName(name, table->has_passages);
    for (const FilterColumn& filter : table->filters) {
      if (sqlite3_stricmp(filter.name.c_str(), name) == 0)
        throw InvalidArgument("'" + filter.name + "' is the name of a filter");
    }
    RenameIndexObjects(table->db(), table->schema, table->name, name);
  });
}

// ---- asking ----

int BestIndex(sqlite3_vtab* base, sqlite3_index_info* info) {
  bool is_possible = true;
  const int code =
      IndexMethod(base, [&] { is_possible = PlanIndex(*static_cast<IndexTable*>(base), info); });
  return is_possible ? code : SQLITE_CONSTRAINT;
}

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return IndexMethod(
      table, [&] { *cursor = new IndexCursor(static_cast<IndexTable*>(table)->connection.get()); });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<IndexCursor*>(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* base, int plan, const char* conditions, int count,
           sqlite3_value** values) {
  return IndexMethod(base->pVtab, [&] {
    const auto& table = *static_cast<IndexTable*>(base->pVtab);
    auto* cursor = static_cast<IndexCursor*>(base);
    const auto asked = [&] {
      return AskedWith(table, plan, conditions, {values, static_cast<size_t>(count)});
    };
    if (!cursor->asked.empty() && cursor->asked == asked()) {
      cursor->at = 0;
      return;
    }
    Ask(*static_cast<IndexTable*>(base->pVtab), cursor, plan, conditions, values);
    cursor->asked = asked();  // a question may have written itself
  });
}

int Next(sqlite3_vtab_cursor* base) {
  auto* cursor = static_cast<IndexCursor*>(base);
  if (++cursor->at < cursor->result.answers.size() || !cursor->may_grow) return SQLITE_OK;
  return IndexMethod(base->pVtab, [&] { Grow(*static_cast<IndexTable*>(base->pVtab), cursor); });
}

int Eof(sqlite3_vtab_cursor* base) {
  const auto* cursor = static_cast<IndexCursor*>(base);
  return cursor->at >= cursor->result.answers.size();
}

int ColumnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto* cursor = static_cast<IndexCursor*>(base);
  const IndexAnswer& answer = cursor->result.answers[cursor->at];
  if (column == kQuestion) Result(context, cursor->RowReference());
  // SQLite compares them once more where a statement asks with two of a kind, or across a view.
  if (column == kCount && cursor->count != nullptr)
    sqlite3_result_value(context, cursor->count.get());
  if (column == kRankBy && cursor->rank_by != nullptr)
    sqlite3_result_value(context, cursor->rank_by.get());
  if (column == kMaxSimilar && cursor->max_similar != nullptr)
    sqlite3_result_value(context, cursor->max_similar.get());
  if (column == kScore) Result(context, answer.score);
  if (column == kRank) Result(context, -answer.score);
  if (column == kSimilarity) Result(context, answer.similarity);
  if (column == kBm25) Result(context, answer.bm25);
  if (answer.parts) {
    if (column == kByBm25) Result(context, answer.parts->bm25);
    if (column == kByOpening) Result(context, answer.parts->opening);
    if (column == kByMeaning) Result(context, answer.parts->meaning);
    if (column == kByFeedback) Result(context, answer.parts->feedback);
  }
  if (column == kPending) Result(context, static_cast<int64_t>(cursor->result.pending));
  if (column == kCorrections && !cursor->result.corrections.empty()) {
    Result(context, std::string_view(cursor->result.corrections));
  }
  if (column == kMatched) Result(context, answer.matched);
  if (column < kFirstFilter) return SQLITE_OK;
  auto* table = static_cast<IndexTable*>(base->pVtab);
  return IndexMethod(table, [&] {
    const int number = column - kFirstFilter;
    const FilterColumn* filter = table->Filter(number);
    if (filter == nullptr) {
      // Behind the filters.
      const int place = number - static_cast<int>(table->filters.size());
      return PassageResult(static_cast<IndexCursor*>(base), static_cast<PassageColumn>(place),
                           context);
    }
    Statement select(&table->statements, table->db(),
                     "SELECT source." + QuoteName(filter->name) + " FROM " +
                         cursor->index.Source() + " AS source WHERE " +
                         QuoteName(cursor->index.rowid) + " = ?1");
    if (select.Find(answer.rowid))
      sqlite3_result_value(context, sqlite3_column_value(select.get(), 0));
  });
}

int Rowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) {
  const auto* cursor = static_cast<IndexCursor*>(base);
  *rowid = cursor->result.answers[cursor->at].rowid;
  return SQLITE_OK;
}

// ---- commands ----

// A failed command changes nothing. Of a statement of its own SQLite undoes the transaction; inside
// another one it opens no savepoint for us while a statement writes, and keeps no journal of INSERT
// ... VALUES with one row. Of INSERT ... SELECT it keeps one.
void RunWithJournal(const IndexTable& table, std::string_view command) {
  const std::string name = QuoteName(table.name);
  Statement insert(
      table.db(),
      "INSERT INTO " + QuoteName(table.schema) + "." + name + "(" + name + ") SELECT ?1", command);
  const std::unique_ptr<IndexMemory, void (*)(IndexMemory*)> inner(
      table.memory(), [](IndexMemory* memory) { memory->is_in_command = false; });
  inner->is_in_command = true;
  insert.Run();
}

bool NeedsJournal(const IndexTable& table, std::string_view command) {
  const IndexMemory& memory = *table.memory();
  return command != "integrity-check" && sqlite3_get_autocommit(table.db()) == 0 &&
         !memory.is_in_command && !memory.is_in_use;
}

// Throws InvalidArgument where a statement writes something else.
std::string CommandOf(const IndexTable& table, int count, sqlite3_value** values) {
  const bool is_insert = count > 2 && IsNull(values[0]);
  if (!is_insert || IsNull(values[2 + kQuestion])) {
    throw InvalidArgument(
        "it follows its table by itself: write to that; commands are INSERT INTO " +
        QuoteName(table.name) + "(" + QuoteName(table.name) + ") VALUES('rebuild')");
  }
  return LowerAscii(TextArgument(values[2 + kQuestion], "the command"));
}

int Update(sqlite3_vtab* base, int count, sqlite3_value** values, sqlite3_int64*) {
  const auto& table = *static_cast<IndexTable*>(base);
  std::string command;
  bool needs_journal = false;
  const int code = IndexMethod(base, [&] {
    command = CommandOf(table, count, values);
    needs_journal = NeedsJournal(table, command);
  });
  if (code != SQLITE_OK) return code;
  // The inner statement's message has the table's name.
  if (needs_journal)
    return GuardedMethod(&base->zErrMsg, nullptr, [&] { RunWithJournal(table, command); });
  return IndexMethod(base, [&] {
    RunIndexCommand(table.db(), table.schema, table.name, table.memory(), command);
  });
}

// Without a guard of boundary.h: it cannot throw.
int ShadowName(const char* part) {
  return IsProtectedObject(part);
}

constexpr sqlite3_module kModule = [] {
  sqlite3_module m{};
  m.iVersion = 3;
  m.xCreate = Begin<true>;
  m.xConnect = Begin<false>;
  m.xBestIndex = BestIndex;
  m.xDisconnect = Disconnect;
  m.xDestroy = Destroy;
  m.xOpen = Open;
  m.xClose = Close;
  m.xFilter = Filter;
  m.xNext = Next;
  m.xEof = Eof;
  m.xColumn = ColumnValue;
  m.xRowid = Rowid;
  m.xUpdate = Update;
  m.xRename = Rename;
  m.xShadowName = ShadowName;
  return m;
}();

}  // namespace

int RegisterIndexModule(sqlite3* db, const SharedConnection& connection) {
  // SQLite deletes it, also where the registration fails.
  return sqlite3_create_module_v2(db, "s2v_index", &kModule, new SharedConnection(connection),
                                  [](void* p) { delete static_cast<SharedConnection*>(p); });
}

}  // namespace s2v
