// What an index is made of in the database: its options, its tables, and the triggers that keep it in
// step with its source. The only home of their CREATE statements.
//
//   const IndexOptions options = ParseIndexOptions({"docs", "title", "body", "model = news"});
//   CreateIndexObjects(db, "main", "docs_search", options);     // tables and triggers, all empty
//   const IndexDefinition index = ReadIndexDefinition(db, "main", "docs_search");
//
// An index N of a table T consists of
//
//   N_config(name, value)     what the index is (below)
//   N_list, N_block, N_row    the vectors: sql/index_store.h
//   N_log(id, row)            rowids of T that were inserted, changed or deleted since the vectors
//                             were brought in step; a row may be here more than once, and in vain
//   N_words                   FTS5, contentless, columns c0, c1, ...: the texts of T, always in step.
//                             Not there with words = off
//   N_old(id, c0, ...)        the texts of rows that the running statement may replace. Not there
//                             with words = off
//   N_before_insert, N_insert, N_before_update, N_update, N_delete
//                             triggers on T. They use plain SQL and FTS5 only, so that a program
//                             without this extension can write to T.
//
// Names of T and of its columns are read from the trigger N_update, whose text SQLite keeps in step
// with ALTER TABLE; nothing else stores them.
//
// Triggers. SQLite does not tell delete triggers of rows that REPLACE removes (unless
// recursive_triggers is on), and FTS5 forgets a text only if it is shown that text. So the triggers
// before a row is written put into N_old the rows that it may replace: those with its rowid, or with
// the same values in the columns of a UNIQUE index. The triggers after it take those that are gone, and
// that FTS5 still has, out of N_words. A statement that ends otherwise (IGNORE, an upsert) leaves
// them in N_old, where the next one deletes them.
//
// N_config
//   version        1
//   source         'text': columns of text, embedded with a model; 'vectors': a column of BLOBs
//   columns        how many columns of T are used. Of 'vectors' the first is the column of vectors,
//                  the others are those of words
//   words          1 if there is N_words
//   tokenize       of N_words
//   weight         of the meaning beside the words in a score; NULL: the default
//   model          the model's name as it was given; NULL: the default model
//   model_hash     of the model that made the vectors; NULL for 'vectors', and before the first row
//   dimension      of the vectors; 0 before the first one
//   seed           of the rotation of codes
//   checksum       XXH3-64, seed 0, of the values above but weight, in this order, as SQLite writes them, a zero
//                  byte behind each; of NULL the zero byte alone
//   stamp          another random number whenever N_list, N_block or N_row change: what was read under
//                  a stamp need not be read again
//
// Thread rule: as the connection's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sql/statement.h"

namespace s2v {

inline constexpr int64_t kMaxIndexDimension = 65536;
inline constexpr double kMaxIndexWeight = 1000;
// The tables that every index has.
inline constexpr const char* kIndexParts[] = {"config", "list", "block", "row", "log"};

// What CREATE VIRTUAL TABLE ... USING s2v_index(table, column, ..., name = value, ...) says.
struct IndexOptions {
  std::string table;
  std::vector<std::string> columns;
  std::string model;                      // "" for the default model
  std::optional<bool> words;              // nothing: the default, on where there is text
  std::vector<std::string> word_columns;  // words = title body: of an index of vectors
  std::string tokenize = "porter unicode61";
  std::optional<double> weight;
};
// Throws InvalidArgument for what is no option, saying which there are.
IndexOptions ParseIndexOptions(std::span<const char* const> arguments);
// Takes an SQL name, quoted in any of SQLite's four ways or not, from the front of text; of a name
// that is not quoted, what is before a blank, '=' or '.'. Leaves the blanks behind it away.
std::string TakeName(std::string_view* text);

struct IndexDefinition {
  std::string schema, name;
  std::string table, rowid;  // of the source; rowid: the name under which T has it
  std::vector<std::string> columns;
  bool of_vectors = false;
  bool words = false;
  std::string tokenize;
  std::optional<double> weight;
  std::string model;
  std::string model_hash;
  uint32_t dimension = 0;
  uint64_t seed = 0;
  int64_t stamp = 0;

  // "schema"."name_part", quoted.
  std::string Part(const char* part) const;
  // "schema"."table", quoted.
  std::string Source() const;
  // The columns of text: those that are embedded, or those of words.
  std::span<const std::string> TextColumns() const {
    return std::span(columns).subspan(of_vectors ? 1 : 0);
  }
  // The same with commas between them: as the source names them, quoted, and as N_words and N_old do.
  std::string Texts(const std::string& prefix = "") const;
  std::string WordColumns(const std::string& prefix = "") const;
};

// Makes the tables and triggers of an index in the schema. Throws InvalidArgument where the source is
// not a table with rowids, or lacks a column, saying what to do.
void CreateIndexObjects(sqlite3* db, const std::string& schema, const std::string& name,
                        const IndexOptions& options);
// Throws FormatError where the index is damaged.
IndexDefinition ReadIndexDefinition(sqlite3* db, const std::string& schema,
                                    const std::string& name);
void DropIndexObjects(sqlite3* db, const std::string& schema, const std::string& name);
void RenameIndexObjects(sqlite3* db, const std::string& schema, const std::string& from,
                        const std::string& to);
// Whether the triggers know every UNIQUE index of the source: through one that was made after them, REPLACE
// takes rows away unseen.
bool KnowsUniqueIndexes(sqlite3* db, const IndexDefinition& index);
void RemakeTriggers(sqlite3* db, const IndexDefinition& index);
// Whether SQLite shall keep others from writing to N_part. Not N_log and N_old, to which triggers
// write.
bool IsProtectedPart(const char* part);

// Stores by what the vectors are made: index's dimension and model_hash.
void StoreVectorKind(sqlite3* db, const IndexDefinition& index);
// What is kept of the vectors is to be read again.
void StoreStamp(sqlite3* db, const IndexDefinition& index, int64_t stamp);

}  // namespace s2v
