// FTS5's query syntax, as it is read for an index.
#include "core/search/fts5_query.h"

#include <doctest/doctest.h>

#include "tests/support/error_of.h"

namespace s2v {
namespace {

using search::Fts5Query;
using Kind = Fts5Query::Kind;

const std::vector<std::string> kColumns = {"title", "body"};

// As "(OR a (NOT b c))"; columns before the words, ^ and * as they are.
std::string Shown(const Fts5Query& query) {
  if (query.kind == Kind::kNothing) return "nothing";
  if (query.kind == Kind::kPhrase || query.kind == Kind::kNear) {
    std::string text = query.is_first ? "^" : "";
    for (const search::ExactWords& phrase : query.phrases) {
      text += query.kind == Kind::kNear ? " " : "";
      for (const size_t column : phrase.columns) {
        text += (column == search::kNoColumn ? "none" : std::to_string(column)) + ":";
      }
      text += phrase.words + (phrase.is_beginning ? "*" : "");
    }
    return query.kind == Kind::kNear ? "(NEAR/" + std::to_string(query.distance) + text + ")"
                                     : text;
  }
  std::string text = query.kind == Kind::kAnd ? "(AND" : query.kind == Kind::kOr ? "(OR" : "(NOT";
  for (const Fts5Query& part : query.of) text += " " + Shown(part);
  return text + ")";
}

std::string Read(std::string_view given, search::ReadQuestion* question = nullptr) {
  search::ReadQuestion own;
  return Shown(search::ReadFts5Query(given, kColumns, question == nullptr ? &own : question));
}

TEST_CASE("what binds most: words together, NOT, AND, OR") {
  CHECK(Read("a OR b AND c NOT d e") == "(OR a (AND b (NOT c (AND d e))))");
  CHECK(Read("(a OR b) AND c") == "(AND (OR a b) c)");
  CHECK(Read("a NOT b NOT c") == "(NOT (NOT a b) c)");
  CHECK(Read("a or b") == "(AND a or b)");
  CHECK(Read("\"a OR\" OR \"say \"\"no\"\"\"") == "(OR a OR say \"no\")");
  CHECK(Read("") == "nothing");
  CHECK(Read(" \t") == "nothing");
}

TEST_CASE("phrases, beginnings, first words, columns, nearness") {
  CHECK(Read("a + b *") == "a b*");
  CHECK(Read("^ \"a b\"") == "^a b");
  CHECK(Read("NEAR(a \"b c\" d*, 3)") == "(NEAR/3 a b c d*)");
  CHECK(Read("NEAR(a b)") == "(NEAR/10 a b)");
  search::ReadQuestion question;
  Read("\"a b\" OR c + d OR \"e f\" * OR NEAR(\"g h\" i) NOT \"j k\"", &question);
  CHECK(question.phrases == std::vector<std::string>{"a b", "c d"});
  CHECK(Read("NEAR AND near") == "(AND NEAR near)");
  CHECK(Read("TITLE : a body:b") == "(AND 0:a 1:b)");
  CHECK(Read("- title : (a OR b)") == "(OR 1:a 1:b)");
  CHECK(Read("{title body} : a") == "0:1:a");
  CHECK(Read("title : (a AND body : b)") == "(AND 0:a none:b)");
  CHECK(Read("title : NEAR(a b, 1)") == "(NEAR/1 0:a 0:b)");
}

TEST_CASE("what ranks is not what is excluded") {
  search::ReadQuestion question;
  Read("a NOT (b OR c) AND \"d e\" OR title : f*", &question);
  CHECK(question.text == "a d e");
  CHECK(question.beginnings == std::vector<std::string>{"f"});
}

TEST_CASE("another syntax is an error that says where") {
  const auto error = [](const std::string& given) { return test::ErrorOf([&] { Read(given); }); };
  for (const char* given : {"AND a",   "a AND",      "a OR OR b",  "NOT a",       "a NOT",
                            "(a",      "a)",         "a (b)",      "(a) b",       "\"a",
                            "a-b",     "a.b",        "^",          "*",           "a **",
                            "NEAR(",   "NEAR()",     "NEAR(a, b)", "NEAR(a, -1)", "NEAR(a AND b)",
                            "title :", "{title : a", "{} a",       ":",           "title:{body}:a",
                            "\xff",    "a \x01",     "'a'"}) {
    CAPTURE(given);
    // Bytes beyond ASCII are letters; a control character parts words as a blank does.
    const bool is_words = given[0] == '\xff' || given[std::string_view(given).size() - 1] == '\x01';
    CHECK(error(given).starts_with("FTS5's syntax: ") == !is_words);
  }
  CHECK(error("a AND").find("a word is expected at the end") != std::string::npos);
  CHECK(error("rates (b)").find("the end is expected at '(b)'") != std::string::npos);
  CHECK(error("nope : a") == "FTS5's syntax: the index has no column 'nope'");
  std::string deep(10000, '('), many;
  CHECK(error(deep).find("parentheses") != std::string::npos);
  for (int i = 0; i < 1000; i++) many += "a ";
  CHECK(error(many).find("at most 200 phrases") != std::string::npos);
  for (const char* sign : {".", "(", "*", "x "}) {
    std::string signs;
    for (int i = 0; i < 100000; i++) signs += sign;
    CHECK(error(signs).size() < 200);
  }
  CHECK(error(". " + std::string(1000000, '.')).size() < 200);
}

}  // namespace
}  // namespace s2v
