#include "sql/full_text_ranks.h"

#include <memory>

#include "sql/statement.h"

namespace s2v {
namespace {

std::string AnyOf(const Tokens& tokens) {
  std::string query;
  for (size_t i = 0; i < tokens.size(); i++) {
    query += (query.empty() ? "" : " OR ") + QuoteName(tokens[i]);
  }
  return query;
}

// The rank of row own among count rows of which scores, lower is better, come from the statement;
// rows that it does not give match nothing and share the places behind.
double RankOf(Statement* select, int64_t own, size_t count) {
  std::vector<double> scores;
  std::optional<double> own_score;
  while (select->Step()) {
    scores.push_back(select->Double(1));
    if (select->Int(0) == own) own_score = scores.back();
  }
  const auto matched = static_cast<double>(scores.size());
  if (!own_score) return matched + (static_cast<double>(count) - matched + 1) / 2;
  double better = 0, equal = 0;
  for (const double score : scores) {
    better += score < *own_score;
    equal += score == *own_score;
  }
  return better + (equal + 1) / 2;
}

}  // namespace

std::optional<std::vector<double>> FullTextRanks(std::span<const std::string> queries,
                                                 std::span<const std::string> candidates,
                                                 const Tokenizer& tokenizer,
                                                 const std::function<void(size_t)>& done) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(":memory:", &opened);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> db(opened, sqlite3_close_v2);
  if (code != SQLITE_OK) ThrowSqlError(opened, code);
  Statement has_fts5(opened, "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'");
  if (!has_fts5.Step()) return std::nullopt;
  Execute(opened, "CREATE VIRTUAL TABLE half USING fts5(text)");
  Statement insert(opened, "INSERT INTO half(rowid, text) VALUES(?1, ?2)");
  Execute(opened, "BEGIN");
  for (size_t i = 0; i < candidates.size(); i++) {
    insert.Bind(1, static_cast<int64_t>(i));
    insert.Bind(2, std::string_view(candidates[i]));
    insert.Run();
  }
  Execute(opened, "COMMIT");
  Statement select(opened, "SELECT rowid, bm25(half) FROM half WHERE half MATCH ?1");
  std::vector<double> ranks;
  Tokens tokens;
  for (size_t i = 0; i < queries.size(); i++) {
    tokenizer.Tokenize(queries[i], &tokens);
    const std::string query = AnyOf(tokens);
    select.Bind(1, std::string_view(query));
    ranks.push_back(RankOf(&select, static_cast<int64_t>(i), candidates.size()));
    select.Reset();
    done(i + 1);
  }
  return ranks;
}

}  // namespace s2v
