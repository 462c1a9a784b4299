// What an index is made of in the database, and what is read of it before anything else.
//
//   const IndexDefinition index = ReadIndexDefinition(db, "main", "docs_search");
//
// An index N of a table T consists of
//
//   N_config(name, value)     what the index is (below)
//   N_part                    with passages: the parts of rows, which are then what the others have in place of rows: sql/index_parts.h
//   N_entry, N_list, N_block  what is known of each row, and the codes of its vector: sql/index_store.h
//   N_log(id, row)            rowids of T that were inserted, changed or deleted, in this order; a row may be
//                             here more than once, or not have changed
//   N_term, N_fts             the words of the rows: sql/index_terms.h. Not there with words = off
//   N_insert, N_update, N_delete
//                             triggers on T that write to N_log and to nothing else, so that a program
//                             without this extension can write to T, whatever it trusts
//
// The log says which rows to look at again, never what was in them: taking a row in means asking T
// what it says now. So its order and its repetitions cannot put an index wrong, nor can triggers of
// others; rows that change are logged before they do, since OR FAIL keeps what a later trigger's
// failure left. SQLite tells no trigger of rows that REPLACE removes (unless recursive_triggers is
// on): such a row stays in the index until it would be in an answer, or until a slice of
// sql/index_sync.h comes by, and is then taken out. A row that INSERT OR FAIL left while another's
// trigger failed before ours is found by such a slice too, or as the table's last one.
//
// Names of T and of its columns are read from the head of the trigger N_update, whose text SQLite
// keeps in step with ALTER TABLE; nothing else stores them. It logs where bytes or types differ,
// whatever the columns' collations are, which a program that writes may not know; formerly it
// compared as these do (sql/index_templates.cc), and 'rebuild' makes it anew. Filters are named
// there behind "OR 0 AND", so that SQLite never evaluates them.
//
// A file may be a stranger's. The text of each of these objects is known here, FTS5's own tables
// included; one that differs, or on which something else hangs, is an error before anything is read
// from it (sql/index_objects_check.h).
//
// N_config
//   version        2; 3 with passages
//   source         'text': columns of text, embedded with a model; 'vectors': a column of BLOBs
//   columns        how many columns of T are used. Of 'vectors' the first is the column of vectors,
//                  the others are those of words
//   words          1 if there are N_term and N_fts
//   tokenize       what cuts the words (sql/index_term_cutter.h)
//   tokenizer_version  of our tokenizer, of which all rows are cut by the same rules. No such row: by the oldest that are known
//   passages       words of a part of a row; no such row: rows are not cut
//   passage_rules  by which they are cut (core/text/passages.h); no such row: the first ones
//   weight         of the meaning beside the words in a score; NULL: the default
//   weights        of the columns of text in bm25, with commas between them; NULL or no such row: all alike
//   model          the model's name as it was given; NULL: the default model, or what was it when the vectors were made
//   model_hash     of the model that made the vectors; no such row where there was no model yet: then there
//                  are words alone until a model is stored, whose transaction makes the index anew. For 'vectors' of the model of their
//                  dimension that embedded texts when the index was made; no such row where there was none, or a former version made it
//   dimension      of the vectors; 0 before the first one
//   seed           of the rotation of codes
//   checksum       XXH3-64, seed 0, of the values above but tokenizer_version, passages, passage_rules, weight and weights, in this order, and of passages behind
//                  them where there is such a row; as SQLite writes them, a zero byte behind each; of NULL the zero byte alone
//   stamp          another random number whenever N_list, N_block or N_entry change: what was read under
//                  a stamp need not be read again
//   taken          the id in N_log of the last row that was taken in. That row of N_log stays, so that a log that
//                  somebody emptied is noticed
//   terms          rows of N_term
//   swept          the id in N_entry, with passages the row in N_part, up to which slices have looked for rows that are gone from T; the smallest int64: from the first on
//   progress       XXH3-64, seed 0, of stamp, taken, terms and swept as int64
//
// Version 1 had N_row, N_words and N_old in place of N_entry, N_term and N_fts. It is not read any
// more.
//
// Thread rule: as the connection's.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sql/schema_rows.h"
#include "sql/statement.h"

namespace s2v {

inline constexpr int64_t kMaxIndexDimension = 65536;
inline constexpr int64_t kMaxIndexTerms = int64_t{1} << 40;
inline constexpr int64_t kIndexVersion = 2, kPassagesVersion = 3;
inline constexpr int64_t kMostPassageWords = 100000;

// How far something is that may take long: rows that are done, of how many.
using IndexProgress = std::function<void(uint64_t done, uint64_t total)>;

// What the head of N_update says.
struct IndexSourceNames {
  std::string table, rowid;  // rowid: the name under which T has it
  std::vector<std::string> columns;
  std::vector<std::string> filters;  // columns that conditions may name (ext/index_filters.h)
  bool logs_all = false;  // every UPDATE of a row, since columns are generated (HasGeneratedColumn)
};

struct IndexDefinition : IndexSourceNames {
  std::string schema, name;
  bool of_vectors = false;
  bool words = false;
  std::string tokenize;
  int64_t tokenizer_version = 0;  // 0: not stored
  std::optional<double> weight;
  std::vector<double> weights;  // of TextColumns(); empty: all alike
  std::string model;
  std::string model_hash;
  uint32_t dimension = 0;
  uint64_t seed = 0;
  int64_t passages = 0;  // words of a part of a row; 0: rows are not cut
  int64_t passage_rules = 1;
  int64_t version = kIndexVersion;
  int64_t stamp = 0, taken = 0, terms = 0, swept = 0;

  // An index of texts that was made before there was a model.
  bool AwaitsModel() const { return !of_vectors && model_hash.empty() && stamp != 0; }
  // One of its own: "schema"."name_object", quoted.
  std::string Object(const char* object) const;
  // "name_fts", quoted: the column of N_fts that has FTS5's commands, and is asked by MATCH.
  std::string FtsName() const;
  // The rows of N_fts that match ?1, from FROM on.
  std::string FtsMatches() const {
    return " FROM " + Object("fts") + " WHERE " + FtsName() + " MATCH ?1";
  }
  // "schema"."table", quoted.
  std::string Source() const;
  // The columns of text: those that are embedded, or those of words.
  std::span<const std::string> TextColumns() const {
    return std::span(columns).subspan(of_vectors ? 1 : 0);
  }
  // Of several columns of text the first one is the title.
  bool HasTitles() const { return TextColumns().size() > 1; }
  // Whether words are their trigrams.
  bool HasTrigrams() const { return tokenize.find("trigram") != std::string::npos; }
  double ColumnWeight(size_t column) const { return column < weights.size() ? weights[column] : 1; }
  // As version 1 named the columns of text in N_words.
  std::string WordColumns() const;
  // As N_fts names them: for each column its words and their parts.
  std::string TermColumns() const;
};

// In what follows rows are those of the schema where they were read, else nullptr.

// Throws InvalidArgument unless it is a table that triggers can follow, saying what to do. rowid:
// FreeRowidName of it.
void CheckIndexSource(sqlite3* db, const std::string& schema, const std::string& table,
                      const std::string& rowid);
// Throws InvalidArgument where the trigger is gone, FormatError where it is not of an index.
IndexSourceNames ReadIndexSource(sqlite3* db, const std::string& schema, const std::string& name,
                                 const SchemaRows* rows = nullptr);
// Throws FormatError where the index is damaged, InvalidArgument where a newer version made it, or
// its trigger is gone. An index of a former version is read as far as RemakeIndexObjects needs.
// source: as ReadIndexSource gave it for this schema, where it was read before.
IndexDefinition ReadIndexDefinition(sqlite3* db, const std::string& schema, const std::string& name,
                                    const IndexSourceNames* source = nullptr,
                                    StatementCache* statements = nullptr,
                                    const SchemaRows* rows = nullptr);
// The names of the indexes of a schema.
std::vector<std::string> ListIndexes(sqlite3* db, const std::string& schema);
// Whether the table's rowids are an INTEGER PRIMARY KEY, which nothing changes unasked.
bool HasIntegerKey(sqlite3* db, const IndexDefinition& index);
// Whether one of the columns is generated: what it becomes a BEFORE trigger is not told, where the
// columns that it is made of are not in the trigger.
bool HasGeneratedColumn(sqlite3* db, const IndexDefinition& index);
// Whether the column of an index of vectors is a virtual one that s2v_embed computes whenever it is
// read: by the model of that moment.
bool IsEmbeddedAtReading(sqlite3* db, const IndexDefinition& index);
// Whether the table still calls its rowid so: a column that is added or renamed may take the name.
bool HasRowidName(sqlite3* db, const IndexDefinition& index);
// "INSERT INTO s(s) VALUES('rebuild') makes it anew", for errors.
std::string RebuildHint(const std::string& index);
inline std::string RebuildHint(const IndexDefinition& index) {
  return RebuildHint(index.name);
}
// "DROP TABLE s and create the index again", for errors.
std::string DropHint(const std::string& index);
// Throws FormatError: of the row with this key of one of the index's tables.
[[noreturn]] void ThrowDamaged(const IndexDefinition& index, const char* object, int64_t key);
// Throws FormatError: somebody took entries out of N_log.
[[noreturn]] void ThrowLogLacks(const IndexDefinition& index);
// Stores by what vectors, words and parts are made: dimension, model_hash, tokenize,
// tokenizer_version and passage_rules.
void StoreVectorKind(sqlite3* db, const IndexDefinition& index);
// Stores how far the index is: stamp, taken, terms and swept.
void StoreProgress(sqlite3* db, const IndexDefinition& index);

}  // namespace s2v
