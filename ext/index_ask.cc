#include "ext/index_ask.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ext/functions.h"
#include "ext/index_plan.h"
#include "sql/index_search.h"
#include "sql/sentence_table.h"

namespace s2v {
namespace {

// Without k, kFirstCount rows are searched; if the statement reads on, kMostCount.
constexpr uint64_t kFirstCount = 100, kMostCount = 1000;

void RankingArgument(sqlite3_value* value, IndexQuestion* question) {
  constexpr std::string_view kNames[] = {"both", "meaning", "words", "fts5"};
  const std::string_view name = TextArgument(value, "rank_by");
  CheckKnown("rank_by", name, kNames);
  question->is_fts5 = name == "fts5";
  const bool by_words = name == "words" || question->is_fts5;
  question->ranking = name == "both" ? Ranking::kBoth
                      : by_words     ? Ranking::kWords
                                     : Ranking::kMeaning;
}

double MaxSimilarArgument(sqlite3_value* value) {
  const std::optional<double> number = NumberArgument(value);
  if (!number) ThrowType("max_similar", value, "a number");
  const double similarity = *number;
  if (!(similarity >= -1 && similarity <= 1)) {
    throw InvalidArgument("max_similar is a similarity, from -1 to 1, as 0.95");
  }
  return similarity;
}

// Of a list, those that are in among; nullptr: all of them.
search::RowSet RowsArgument(sqlite3_value* value, const search::RowSet* among = nullptr) {
  search::RowSetBuilder rows;
  ForEachListed(value, [&](sqlite3_value* row) {
    const auto rowid = IntegerArgument(row);
    if (rowid && (among == nullptr || among->Contains(*rowid))) rows.Add(*rowid);
  });
  return rows.Finish();
}

// False where the question is NULL.
bool QuestionArgument(sqlite3_value* value, IndexQuestion* question) {
  if (IsNull(value)) return false;
  if (sqlite3_value_type(value) != SQLITE_BLOB) {
    question->text = TextArgument(value, "the question");
    return true;
  }
  question->vector = FiniteVectorArgument(value, "the question");
  return !question->vector.empty();
}

// The rows of any of the sets.
search::RowSet RowsOfAny(const std::vector<search::RowSet>& sets) {
  search::RowSetBuilder rows;
  for (const search::RowSet& set : sets) {
    for (const int64_t rowid : set.Rowids()) rows.Add(rowid);
  }
  return rows.Finish();
}

int64_t CountOf(const search::RowSet& set, const std::vector<IndexAnswer>& answers) {
  return std::count_if(answers.begin(), answers.end(),
                       [&](const IndexAnswer& answer) { return set.Contains(answer.rowid); });
}

// The answers to a question for the rows of any meaning that conditions may have: more are asked
// for until there are k of each meaning, or as many as it has. SQLite keeps those of the right one.
template <typename Ask>
IndexResult UntilEachMeaningHasK(IndexResult result, const IndexQuestion& question,
                                 std::span<const search::RowSet> meanings, const Ask& ask) {
  IndexQuestion more = question;
  for (const search::RowSet& meaning : meanings) {
    // Fewer than its rows, where some have neither words nor a vector.
    IndexQuestion of_meaning = question;
    of_meaning.allowed = &meaning;
    const auto most = static_cast<int64_t>(ask(of_meaning).answers.size());
    while (CountOf(meaning, result.answers) < most && result.answers.size() == more.k) {
      more.k *= 2;
      result = ask(more);
    }
  }
  return result;
}

// conditions: on filters, with their values; nullptr: none, or heeded before.
IndexResult Search(IndexTable& table, IndexCursor* cursor, const char* conditions = nullptr,
                   sqlite3_value** values = nullptr) {
  cursor->snippets.reset();
  IndexMemory* memory = table.memory();
  const IndexTurn turn(memory, &table.statements);
  cursor->index = OpenIndex(table.db(), table.schema, table.name, memory);
  if (cursor->index.words) RegisterMatchFunction(table.connection.get());
  IndexQuestion& question = cursor->question;
  std::vector<search::RowSet>& allowed = cursor->allowed;
  if (conditions != nullptr) {
    allowed = RowsThatMeet(&table.statements, table.db(), cursor->index, conditions, values,
                           allowed.empty() ? nullptr : &allowed[0]);
  }
  // The best of all meanings, by one scale.
  if (conditions != nullptr && allowed.size() > 1) allowed.push_back(RowsOfAny(allowed));
  question.allowed = allowed.empty() ? nullptr : &allowed.back();
  IndexResult result = SearchIndex(table.db(), cursor->index, memory, question);
  if (allowed.size() < 2 || result.answers.size() < question.k) return result;
  const auto ask = [&](const IndexQuestion& another) {
    // the question before may have taken rows in
    cursor->index = OpenIndex(table.db(), table.schema, table.name, memory);
    return SearchIndex(table.db(), cursor->index, memory, another);
  };
  return UntilEachMeaningHasK(std::move(result), question,
                              std::span(allowed).first(allowed.size() - 1), ask);
}

// Which rows are found, and their order where they are nearly as similar, depends a little on how
// many are looked for. So the pages that are read with OFFSET are pages of one answer: of
// kFirstCount rows, or of that doubled until it suffices.
void AskForPage(uint64_t limit, uint64_t offset, IndexQuestion* question) {
  question->k = limit + offset;
  question->ranked = kFirstCount;
  while (question->ranked < question->k && question->ranked <= UINT64_MAX / 2)
    question->ranked *= 2;
}

}  // namespace

std::string AskedWith(const IndexTable& table, int plan, std::string_view conditions,
                      std::span<sqlite3_value*> values) {
  const bool has_list = (plan & kHasRows) != 0 || conditions.find("(?)") != conditions.npos;
  if (has_list || sqlite3_txn_state(table.db(), nullptr) == SQLITE_TXN_WRITE) return "";
  std::string asked;
  const auto add = [&](std::string_view bytes) {
    asked += std::to_string(bytes.size()) + ':';
    asked += bytes;
  };
  const auto add_number = [&](auto number) {
    add({reinterpret_cast<const char*>(&number), sizeof(number)});
  };
  add_number(sqlite3_total_changes64(table.db()));
  add_number(table.connection->generation);
  add_number(plan);
  add(conditions);
  for (sqlite3_value* value : values) {
    const int type = sqlite3_value_type(value);
    add_number(type);
    if (type == SQLITE_INTEGER) add_number(sqlite3_value_int64(value));
    if (type == SQLITE_FLOAT) add_number(sqlite3_value_double(value));
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
      const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      if (bytes == nullptr && size > 0) throw std::bad_alloc();
      add({bytes, size});
    }
  }
  return asked;
}

void Ask(IndexTable& table, IndexCursor* cursor, int plan, const char* conditions,
         sqlite3_value** values) {
  cursor->Begin();
  if (!table.lost_filters.empty()) {
    throw InvalidArgument(
        table.lost_filters +
        ": a filter has come to be called as a column of the index itself; give that column of the table another "
        "name (" +
        RebuildHint(table.name) + ", if it was one of the rowid); or DROP TABLE " +
        QuoteName(table.name) + ", and CREATE VIRTUAL TABLE anew");
  }
  if ((plan & kHasQuestion) == 0) {
    throw InvalidArgument(
        "a question is missing: " + table.name + "('some words', 10), or WHERE " + table.name +
        " MATCH 'some words'; all rows are in the table that it searches: read, change and delete "
        "them there, and the index follows");
  }
  const auto next = [&](int bit) { return (plan & bit) != 0 ? *values++ : nullptr; };
  sqlite3_value* const asked = next(kHasQuestion);
  sqlite3_value* const count = next(kHasCount);
  sqlite3_value* const rank_by = next(kHasRankBy);
  sqlite3_value* const rows = next(kHasRows);
  sqlite3_value* const limit = next(kHasLimit);
  sqlite3_value* const offset = next(kHasOffset);
  sqlite3_value* const max_similar = next(kHasMaxSimilar);
  const std::span more_rows(values, static_cast<size_t>(plan / kOneMoreRows));
  values += more_rows.size();
  IndexQuestion& question = cursor->question;
  cursor->may_grow = IsNull(count);
  if (!IsNull(count)) {
    question.k = CountArgument(count);
  } else if (limit != nullptr && sqlite3_value_int64(limit) >= 0) {
    question.k = static_cast<uint64_t>(sqlite3_value_int64(limit));
    if (offset != nullptr) {
      AskForPage(question.k,
                 static_cast<uint64_t>(std::max<sqlite3_int64>(sqlite3_value_int64(offset), 0)),
                 &question);
    }
  } else {
    question.k = kFirstCount;
  }
  cursor->count = Copy(count);
  cursor->rank_by = Copy(rank_by);
  cursor->max_similar = Copy(max_similar);
  if (!IsNull(rank_by)) RankingArgument(rank_by, &question);
  if (!IsNull(max_similar)) question.max_similar = MaxSimilarArgument(max_similar);
  cursor->allowed.clear();
  if (rows != nullptr) cursor->allowed.push_back(RowsArgument(rows));
  for (sqlite3_value* more : more_rows)
    cursor->allowed[0] = RowsArgument(more, &cursor->allowed[0]);
  if (!QuestionArgument(asked, &question)) return;
  cursor->result = Search(table, cursor, (plan & kHasFilters) != 0 ? conditions : nullptr, values);
}

void Grow(IndexTable& table, IndexCursor* cursor) {
  cursor->may_grow = false;
  std::vector<IndexAnswer>& answers = cursor->result.answers;
  if (answers.size() < cursor->question.k) return;
  const std::vector<std::string> indexes = ListIndexes(table.db(), table.schema);
  if (std::find(indexes.begin(), indexes.end(), table.name) == indexes.end())
    throw InvalidArgument("'" + table.name +
                          "' was renamed while its rows were read; ask by the new name");
  cursor->question.k = std::max(kMostCount, 2 * cursor->question.k);
  std::set<int64_t> given;
  for (const IndexAnswer& answer : answers) given.insert(answer.rowid);
  std::vector<IndexAnswer> found = Search(table, cursor).answers;
  // There may be others now, where the statement changes what it reads.
  const size_t most = std::max<size_t>(kMostCount, found.size()), before = answers.size();
  const IndexAnswer last = answers.back();
  const auto comes_before = [](const IndexAnswer& a, const IndexAnswer& b) {
    return a.score != b.score ? a.score > b.score : a.rowid < b.rowid;
  };
  for (IndexAnswer& answer : found) {
    if (answers.size() == most) break;
    if (given.contains(answer.rowid)) continue;
    // Who looks further may find a row that is a little better than the last one before. Rows come
    // by falling score, equal ones by rowid.
    if (!comes_before(last, answer)) answer.score = std::nextafter(last.score, -HUGE_VAL);
    answers.push_back(answer);
  }
  std::sort(answers.begin() + static_cast<ptrdiff_t>(before), answers.end(), comes_before);
}

}  // namespace s2v
