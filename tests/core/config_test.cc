#include "core/config.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/simd/kernels.h"
#include "core/text/tokenizer.h"
#include "tests/support/error_of.h"

namespace s2v {
namespace {

using test::ErrorOf;

std::string ErrorOfSetting(std::string_view name, std::string_view value) {
  return ErrorOf([&] {
    Config config;
    SetParameter(&config, name, value);
  });
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool IsNumber(const Parameter& p) {
  return std::holds_alternative<int64_t Config::*>(p.member) ||
         std::holds_alternative<double Config::*>(p.member);
}

TEST_CASE("the paper's hyper-parameters have the project's names") {
  for (const char* name : {"dimension", "epochs", "learning_rate", "subsampling_threshold",
                           "min_count", "min_target_count", "max_vocabulary", "ngram_order",
                           "ngram_dropout", "negatives", "l1", "workers", "seed", "tokenizer"}) {
    CAPTURE(std::string(name));
    CHECK(FindParameter(name) != nullptr);
  }
}

TEST_CASE("every parameter is found by its name, has help and a flag") {
  std::set<std::string> flags;
  for (const Parameter& p : Parameters()) {
    CAPTURE(std::string(p.name));
    CHECK(FindParameter(p.name) == &p);
    CHECK(!p.help.empty());
    const std::string flag = ParameterFlag(p);
    CHECK(!Has(flag, "_"));
    CHECK(flag.size() == p.name.size());
    CHECK(flags.insert(flag).second);
  }
  CHECK(ParameterFlag(*FindParameter("min_target_count")) == "min-target-count");
  CHECK(FindParameter("min-count") == nullptr);
  CHECK(FindParameter("") == nullptr);
  CHECK(FindParameter("Dimension") == nullptr);
}

TEST_CASE("every parameter survives ParameterText and SetParameter") {
  Random random(1);
  for (const Parameter& p : Parameters()) {
    CAPTURE(std::string(p.name));
    std::vector<std::string> values = {ParameterText(Config(), p)};
    if (std::holds_alternative<std::string Config::*>(p.member)) {
      values.insert(values.end(), {"", "whitespace", "any thing \" \\ \xc3\xbc"});
    } else if (!IsNumber(p)) {
      values = {"fast", "paper"};
    } else {
      values.push_back(NumberText(p.min));
      values.push_back(NumberText(p.max));
      if (std::holds_alternative<double Config::*>(p.member)) {
        for (int i = 0; i < 100; i++) {
          const double u = static_cast<double>(random.Next() >> 11) * 0x1p-53;
          values.push_back(NumberText(p.min + (p.max - p.min) * u * u * u));
        }
      }
    }
    for (const std::string& value : values) {
      CAPTURE(value);
      Config config;
      REQUIRE_NOTHROW(SetParameter(&config, p.name, value));
      const std::string text = ParameterText(config, p);
      Config again;
      REQUIRE_NOTHROW(SetParameter(&again, p.name, text));
      CHECK(ConfigJson(again) == ConfigJson(config));
      CHECK(ParameterText(again, p) == text);
      if (!IsNumber(p)) CHECK(text == value);
    }
  }
}

TEST_CASE("setting one parameter leaves the others alone") {
  for (const Parameter& p : Parameters()) {
    Config config;
    const bool is_recipe = std::holds_alternative<Recipe Config::*>(p.member);
    SetParameter(&config, p.name, IsNumber(p) ? NumberText(p.max) : is_recipe ? "paper" : "other");
    for (const Parameter& q : Parameters()) {
      CAPTURE(std::string(p.name));
      CAPTURE(std::string(q.name));
      CHECK((ParameterText(config, q) == ParameterText(Config(), q)) == (&p != &q));
    }
  }
}

TEST_CASE("the defaults are in range") {
  for (const Parameter& p : Parameters()) {
    CAPTURE(std::string(p.name));
    CHECK(ErrorOfSetting(p.name, ParameterText(Config(), p)) == "");
  }
  CHECK_NOTHROW(ValidateConfig(Config()));
}

TEST_CASE("numbers out of range are refused with the range") {
  for (const Parameter& p : Parameters()) {
    if (!IsNumber(p)) continue;
    CAPTURE(std::string(p.name));
    CHECK(ErrorOfSetting(p.name, NumberText(p.min)) == "");
    CHECK(ErrorOfSetting(p.name, NumberText(p.max)) == "");
    const bool whole = std::holds_alternative<int64_t Config::*>(p.member);
    const auto bound = [&](double number) {
      return whole ? std::to_string(static_cast<int64_t>(number)) : NumberText(number);
    };
    std::vector<std::string> bad = {NumberText(whole ? p.min - 1 : std::nextafter(p.min, -1)),
                                    "-1",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "1e300",
                                    "",
                                    " 1",
                                    "1 ",
                                    "0x10",
                                    "one",
                                    "1,5",
                                    "99999999999999999999"};
    bad.push_back(NumberText(whole ? p.max + 2 : std::nextafter(p.max, p.max + 1)));
    if (whole) bad.push_back("2.5");
    for (const std::string& value : bad) {
      CAPTURE(value);
      const std::string message = ErrorOfSetting(p.name, value);
      CHECK(message == std::string(p.name) + ": " + (whole ? "a whole number" : "a number") +
                           " from " + bound(p.min) + " to " + bound(p.max) + " expected, not '" +
                           value + "'");
    }
  }
}

TEST_CASE("a refused value changes nothing") {
  Config config;
  config.dimension = 7;
  CHECK_THROWS_AS(SetParameter(&config, "dimension", "0"), InvalidArgument);
  CHECK_THROWS_AS(SetParameter(&config, "dimension", "12abc"), InvalidArgument);
  CHECK(config.dimension == 7);
}

TEST_CASE("whole numbers may be written as people and JSON write them") {
  Config config;
  SetParameter(&config, "max_vocabulary", "2e6");
  CHECK(config.max_vocabulary == 2000000);
  SetParameter(&config, "dimension", "64.0");
  CHECK(config.dimension == 64);
  SetParameter(&config, "seed", "9007199254740991");
  CHECK(config.seed == 9007199254740991);
  CHECK(Has(ErrorOfSetting("seed", "9007199254740993"), "to 9007199254740991 expected"));
  SetParameter(&config, "learning_rate", "1");
  CHECK(config.learning_rate == 1);
}

TEST_CASE("the messages say what to do instead") {
  const std::string message = ErrorOfSetting("dimensions", "3");
  CHECK(Has(message, "no parameter 'dimensions'; there are "));
  for (const Parameter& p : Parameters()) CHECK(Has(message, p.name));
  CHECK(Has(ErrorOfSetting("", "3"), "no parameter ''"));
}

TEST_CASE("an unknown element is named with the known ones") {
  Config config;
  for (const char* element : {"float32", "int8"}) {
    config.element = element;
    CHECK_NOTHROW(ValidateConfig(config));
  }
  config.element = "int4";
  CHECK_THROWS_WITH_AS(ValidateConfig(config), "no element 'int4'; there are float32, int8",
                       InvalidArgument);
}

TEST_CASE("an unknown tokenizer is named with the known ones") {
  Config config;
  config.tokenizer = "klingon";
  const std::string message = ErrorOf([&] { ValidateConfig(config); });
  CHECK(Has(message, "'klingon'"));
  for (const Tokenizer* tokenizer : AllTokenizers()) {
    CHECK(Has(message, tokenizer->name()));
    Config valid;
    valid.tokenizer = tokenizer->name();
    CHECK_NOTHROW(ValidateConfig(valid));
  }
}

TEST_CASE("an unknown recipe is refused with those there are") {
  CHECK(ErrorOfSetting("recipe", "slow") == "no recipe 'slow'; there are fast, paper");
}

TEST_CASE("the configuration is a JSON object of all parameters in order, with only texts quoted") {
  Config config;
  config.l1 = 0.25;
  config.negatives = 3;
  config.tokenizer = "a\"b";
  const std::string json = ConfigJson(config);
  std::string expected;
  for (const Parameter& p : Parameters()) {
    const bool text = !IsNumber(p);
    const std::string value = ParameterText(config, p);
    expected += (expected.empty() ? "{\"" : ",\"") + std::string(p.name) +
                "\":" + (text ? JsonString(value) : value);
  }
  CHECK(json == expected + "}");
  CHECK(Has(json, R"("dimension":400,)"));
  CHECK(Has(json, R"("l1":0.25,)"));
  CHECK(Has(json, R"("negatives":3,)"));
  CHECK(Has(json, R"("tokenizer":"a\"b"})"));
}

// The rows of the first table of docs/parameters.md, each as its cells: name, default, range,
// meaning.
std::vector<std::vector<std::string>> DocumentedParameters() {
  std::ifstream page("docs/parameters.md");
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(page, line) && !line.starts_with("| parameter |")) {
  }
  std::getline(page, line);  // |---|
  while (std::getline(page, line) && line.starts_with("| `")) {
    rows.emplace_back();
    for (size_t begin = 2; begin < line.size();) {
      const size_t end = line.find(" | ", begin);
      rows.back().push_back(line.substr(begin, end - begin));
      begin = end == std::string::npos ? end : end + 3;
    }
  }
  return rows;
}

TEST_CASE("docs/parameters.md lists every parameter in order, with its default and its range") {
  const auto rows = DocumentedParameters();
  const auto number = [](const std::string& text) { return NumberText(std::stod(text)); };
  CHECK(rows.size() == Parameters().size());
  for (size_t i = 0; i < std::min(rows.size(), Parameters().size()); i++) {
    const Parameter& p = Parameters()[i];
    CAPTURE(std::string(p.name));
    REQUIRE(rows[i].size() == 4);
    const std::string& default_value = rows[i][1];
    const std::string& range = rows[i][2];
    CHECK(rows[i][0] == "`" + std::string(p.name) + "`");
    if (!p.automatic.empty()) {
      CHECK(default_value == "auto: " + std::string(p.automatic));
    } else if (IsNumber(p)) {
      CHECK(number(default_value) == NumberText(std::stod(ParameterText(Config(), p))));
    } else {
      CHECK(default_value == ParameterText(Config(), p));
    }
    if (IsNumber(p) && range.starts_with("at least ")) {
      CHECK(number(range.substr(9)) == NumberText(p.min));
      CHECK(p.max == 0x1p53 - 1);
    } else if (IsNumber(p)) {
      const size_t to = range.find(" to ");
      REQUIRE(to != std::string::npos);
      CHECK(number(range.substr(0, to)) == NumberText(p.min));
      CHECK(number(range.substr(to + 4)) == NumberText(p.max));
    } else {
      std::istringstream values(range);
      for (std::string value; std::getline(values >> std::ws, value, ',');) {
        Config config;
        SetParameter(&config, p.name, value);
        CHECK_NOTHROW(ValidateConfig(config));
      }
      if (p.name != "tokenizer") continue;
      for (const Tokenizer* tokenizer : AllTokenizers()) CHECK(Has(range, tokenizer->name()));
    }
  }
}

TEST_CASE("JSON strings escape what JSON forbids and nothing else") {
  CHECK(JsonString("") == "\"\"");
  CHECK(JsonString("plain / text") == "\"plain / text\"");
  CHECK(JsonString("\"\\") == "\"\\\"\\\\\"");
  CHECK(JsonString(std::string_view("\0\x01\n\t\x1f", 5)) ==
        "\"\\u0000\\u0001\\u000a\\u0009\\u001f\"");
  CHECK(JsonString("\x7f\xc3\xbc\xf0\x9f\x98\x80") == "\"\x7f\xc3\xbc\xf0\x9f\x98\x80\"");
}

TEST_CASE("numbers have the shortest text that reads back") {
  CHECK(NumberText(0.1) == "0.1");
  CHECK(NumberText(1) == "1");
  CHECK(NumberText(0.05) == "0.05");
  CHECK(NumberText(-2.5) == "-2.5");
  CHECK(NumberText(1e-4) == "1e-04");  // as std::to_chars has it
  CHECK(NumberText(0) == "0");
  Random random(5);
  for (int i = 0; i < 10000; i++) {
    const double value = std::ldexp(static_cast<double>(random.Next() >> 11),
                                    static_cast<int>(random.Below(2000)) - 1070);
    const std::string text = NumberText(value);
    char* end = nullptr;
    REQUIRE(std::strtod(text.c_str(), &end) == value);
    REQUIRE(*end == '\0');
    REQUIRE(text.size() <= 24);
  }
  CHECK(NumberText(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  CHECK(NumberText(std::numeric_limits<double>::denorm_min()) == "5e-324");
}

}  // namespace
}  // namespace s2v
