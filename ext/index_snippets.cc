// s2v_snippet(docs_search [, column [, before, after [, ellipsis [, words [, escape]]]]])
// s2v_highlight(docs_search, column, before, after [, escape])
//
//   SELECT rowid, s2v_snippet(docs_search, -1, '<b>', '</b>', '...', 16)
//   FROM docs_search('rate cuts', 10);
//
// The arguments are those of FTS5's snippet() and highlight(), and escape = 'html': the text is not
// HTML but becomes it. The first one is the hidden column with the index's name
// (ext/index_cursor.h); column is a number from 0 on or a name, of a snippet -1 for the best one.
// NULL where an argument is NULL, or the row has no text there.
#include "ext/arguments.h"
#include "ext/functions.h"
#include "ext/index_cursor.h"

namespace s2v {
namespace {

constexpr const char* kDefaultBefore = "<b>";
constexpr const char* kDefaultAfter = "</b>";
constexpr const char* kDefaultEllipsis = "\u2026";

std::string_view TextOr(sqlite3_value* value, const char* name, const char* otherwise) {
  return value == nullptr ? std::string_view(otherwise) : TextArgument(value, name);
}

// A number from 0 on; -1 for any, where that is allowed.
int64_t ColumnArgument(sqlite3_value* value, const IndexDefinition& index, bool allows_any) {
  const auto columns = index.TextColumns();
  const auto count = static_cast<int64_t>(columns.size());
  if (sqlite3_value_type(value) != SQLITE_INTEGER && sqlite3_value_type(value) != SQLITE_FLOAT) {
    const std::string name(TextArgument(value, "column"));
    for (int64_t i = 0; i < count; i++) {
      if (sqlite3_stricmp(columns[static_cast<size_t>(i)].c_str(), name.c_str()) == 0) return i;
    }
  }
  if (const auto column = IntegerArgument(value)) {
    if (*column < count && (*column >= 0 || (allows_any && *column == -1))) return *column;
  }
  throw InvalidArgument(
      count == 0 ? "'" + index.name + "' has vectors and no column of text: words = body names one"
                 : "'" + index.name + "' has the columns of text " +
                       NamesOf(columns, [](const std::string& one) { return QuoteName(one); }) +
                       "; column is one of these names, or its number from 0 to " +
                       std::to_string(count - 1) + (allows_any ? ", or -1 for the best one" : ""));
}

bool EscapeArgument(sqlite3_value* value) {
  if (value == nullptr) return false;
  constexpr std::string_view kKinds[] = {"html"};
  CheckKnown("escape", TextArgument(value, "escape"), kKinds);
  return true;
}

bool HasNull(const Call& call) {
  for (int i = 0; i < call.count; i++) {
    if (IsNull(call[i])) return true;
  }
  return false;
}

// Calls use(snippets) for rows of the cursor.
template <typename Use>
void WithSnippetsOf(IndexCursor* cursor, Use use) {
  auto& table = *static_cast<IndexTable*>(cursor->pVtab);
  IndexMemory* memory = table.memory();
  const IndexTurn turn(memory, &table.statements);
  const uint64_t generation = cursor->connection->generation;
  if (cursor->snippets == nullptr || cursor->snippets_generation != generation) {
    cursor->snippets_generation = generation;
    cursor->snippets = std::make_unique<Snippets>(table.db(), cursor->index, &memory->files,
                                                  cursor->question, cursor->result);
  }
  try {
    use(cursor->snippets.get());
  } catch (const SqlError& error) {
    CheckNotLost(error, table.name);
    throw;
  }
}

// Calls use(snippets, answer, index) for the row that the first argument leads to.
template <typename Use>
void WithSnippets(const Call& call, Use use) {
  const auto [cursor, answer] =
      sqlite3_value_type(call[0]) == SQLITE_INTEGER
          ? IndexCursor::Find(*call.connection(), sqlite3_value_int64(call[0]))
          : std::pair<IndexCursor*, const IndexAnswer*>();
  if (answer == nullptr) {
    throw InvalidArgument(
        "the first argument is the hidden column with the index's name, in the query that asks it: "
        "SELECT s2v_snippet(docs_search) FROM docs_search('some words', 10)");
  }
  WithSnippetsOf(cursor, [&, answer = answer, cursor = cursor](Snippets* snippets) {
    Result(call.context, use(*snippets, *answer, cursor->index));
  });
}

}  // namespace

void PassageResult(IndexCursor* cursor, PassageColumn column, sqlite3_context* context) {
  const IndexAnswer& answer = cursor->result.answers[cursor->at];
  WithSnippetsOf(cursor, [&](Snippets* snippets) {
    const auto passage = snippets->BestPassage(answer);
    if (!passage) return;
    switch (column) {
      case PassageColumn::kPassage:
        return Result(context, passage->text);
      case PassageColumn::kAt:
        return Result(context, passage->at);
      case PassageColumn::kColumn:
        return Result(context, passage->column);
    }
  });
}

void Snippet(const Call& call) {
  if (HasNull(call)) return;
  WithSnippets(call, [&](Snippets& snippets, const IndexAnswer& answer,
                         const IndexDefinition& index) {
    const int64_t column =
        call[1] == nullptr ? Snippets::kAnyColumn : ColumnArgument(call[1], index, true);
    const auto words =
        call[5] == nullptr ? Snippets::kDefaultWords : IntegerArgument(call[5]).value_or(0);
    if (words < 1 || words > Snippets::kMostWords) {
      throw InvalidArgument("words: an integer from 1 to " + std::to_string(Snippets::kMostWords) +
                            " is expected, not " + std::string(TextArgument(call[5], "words")));
    }
    const Marks marks{TextOr(call[2], "before", kDefaultBefore),
                      TextOr(call[3], "after", kDefaultAfter), EscapeArgument(call[6])};
    return snippets.Snippet(answer, column, marks, TextOr(call[4], "ellipsis", kDefaultEllipsis),
                            static_cast<size_t>(words));
  });
}

void Highlight(const Call& call) {
  if (HasNull(call)) return;
  WithSnippets(call,
               [&](Snippets& snippets, const IndexAnswer& answer, const IndexDefinition& index) {
                 const auto column = static_cast<size_t>(ColumnArgument(call[1], index, false));
                 const Marks marks{TextArgument(call[2], "before"), TextArgument(call[3], "after"),
                                   EscapeArgument(call[4])};
                 return snippets.Highlight(answer, column, marks);
               });
}

}  // namespace s2v
