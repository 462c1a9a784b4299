#include "sql/index_options.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text/utf8.h"
#include "sql/index_definition.h"
#include "sql/sql_tokens.h"

namespace s2v {
namespace {

constexpr std::string_view kOptions[] = {"model",   "words",  "tokenize", "weight",
                                         "weights", "filter", "passages"};

std::string OneName(std::string_view text, const char* what) {
  std::string_view rest = text;
  std::string name = TakeName(&rest);
  if (!rest.empty() || name.empty()) {
    throw InvalidArgument(std::string(what) +
                          ": one name is expected, without that of its database, and in quotes if "
                          "it has blanks or signs, not " +
                          std::string(text));
  }
  return name;
}

// Names with commas or blanks between them.
std::vector<std::string> NamesIn(std::string_view text, const char* option) {
  std::vector<std::string> names;
  while (!text.empty()) {
    names.push_back(TakeName(&text));
    if (names.back().empty()) break;
    if (text.starts_with(',')) text = Trimmed(text.substr(1));
  }
  if (names.empty() || names.back().empty()) {
    throw InvalidArgument(std::string(option) + " names of columns expected");
  }
  return names;
}

void SetOption(const std::string& name, std::string_view value, IndexOptions* options) {
  // A value of words and filter is names; of the others one, which may be quoted.
  if (name == "words") {
    if (value == "on" || value == "off") {
      options->words = value == "on";
      return;
    }
    // In quotes they are several where there is a comma, else the name of one.
    const bool has_several = value.starts_with('\'') && value.find(',') != value.npos;
    options->word_columns =
        NamesIn(has_several ? OneName(value, "words") : value, "words: on, off or");
    options->words = true;
    return;
  }
  if (name == "filter") {
    options->filters =
        NamesIn(value.starts_with('\'') ? OneName(value, "filter") : value, "filter:");
    return;
  }
  const std::string text = BeginsQuoted(value) ? OneName(value, name.c_str()) : std::string(value);
  if (name == "model") {
    options->model = text;
  } else if (name == "tokenize") {
    options->tokenize = text;
  } else if (name == "passages") {
    if (!ParseNumber(text, &options->passages) || options->passages < 1 ||
        options->passages > kMostPassageWords) {
      throw InvalidArgument("passages: the words of a passage are expected, from 1 to " +
                            std::to_string(kMostPassageWords) + ", as 200, not " + text);
    }
  } else if (name == "weights") {
    options->weights = ParseWeights(text);
  } else {
    CheckKnown("option", name, kOptions);
    double weight = 0;
    if (!ParseNumber(text, &weight) || !(weight >= 0) || weight > kMaxIndexWeight) {
      throw InvalidArgument("weight: a number from 0 to 1000 expected, not " + text);
    }
    options->weight = weight;
  }
}

}  // namespace

std::vector<double> ParseWeights(std::string_view text) {
  std::vector<double> weights;
  for (size_t end = 0; end != text.npos; text.remove_prefix(std::min(end + 1, text.size()))) {
    end = text.find(',');
    double& weight = weights.emplace_back();
    const std::string one(Trimmed(text.substr(0, end)));
    if (!ParseNumber(one, &weight) || !(weight >= 0) || weight > kMaxIndexWeight) {
      throw InvalidArgument(
          "weights: a number from 0 to 1000 for each column is expected, as '4,1', not '" + one +
          "'");
    }
  }
  return weights;
}

std::string TakeName(std::string_view* text) {
  std::string name;
  const std::string_view whole = *text;
  if (BeginsQuoted(whole)) {
    if (!TakeQuoted(text, &name))
      throw InvalidArgument("a quote is not closed: " + std::string(whole));
  } else {
    name = text->substr(0, text->find_first_of(" \t\r\n=.,"));
    text->remove_prefix(name.size());
  }
  *text = Trimmed(*text);
  return name;
}

IndexOptions ParseIndexOptions(std::span<const char* const> arguments) {
  IndexOptions options;
  std::set<std::string> given;
  std::string last;  // option
  for (const char* argument : arguments) {
    std::string_view rest = Trimmed(argument);
    const std::string_view whole = rest;
    const std::string name = TakeName(&rest);
    if (!rest.starts_with('=')) {
      const std::string one = OneName(
          whole, given.empty() && options.table.empty() ? "the first argument" : "a column");
      if (options.table.empty()) {
        options.table = one;
      } else if (last == "filter" || last == "weights" || last == "words") {
        // As a column it would be searched.
        throw InvalidArgument("'" + one + "' stands behind " + last +
                              ": several are given in quotes, as " + last + " = 'a,b'");
      } else {
        options.columns.push_back(one);
      }
      continue;
    }
    const std::string option = LowerAscii(name);
    if (!given.insert(option).second) {
      throw InvalidArgument("option '" + option + "' is given twice");
    }
    SetOption(option, Trimmed(rest.substr(1)), &options);
    last = option;
  }
  if (options.columns.empty()) {
    throw InvalidArgument(
        "a table and a column are needed: USING s2v_index(docs, body); options, as name = "
        "value, are " +
        NamesOf(kOptions));
  }
  return options;
}

}  // namespace s2v
