#include "core/text/word_spellings.h"

#include <doctest/doctest.h>

#include <utility>

namespace s2v {
namespace {

TEST_CASE("inflections of a word are told from other words with its stem") {
  constexpr std::pair<const char*, const char*> kInflections[] = {
      {"company", "companies"},    {"companies", "company's"},
      {"shoe", "shoes"},           {"run", "running"},
      {"bake", "baking"},          {"baked", "bakes"},
      {"study", "studying"},       {"stopped", "stops"},
      {"lens", "lenses"},          {"ski", "skiing"},
      {"universe", "universe"},    {"café", "cafe"},
      {"install", "installation"}, {"configure", "configurations"},
      {"happy", "happiness"},      {"translate", "translations"},
      {"develop", "development"}};
  for (const auto& pair : kInflections) {
    const char *const a = pair.first, *const b = pair.second;
    CAPTURE(a);
    CAPTURE(b);
    CHECK(AreInflections(a, b, /*is_english=*/true));
    CHECK(AreInflections(b, a, /*is_english=*/true));
  }
  constexpr std::pair<const char*, const char*> kOthers[] = {
      {"universe", "university"}, {"general", "generate"},   {"local", "locale"},
      {"locals", "locale"},       {"organ", "organization"}, {"general", "generation"}};
  for (const auto& pair : kOthers) {
    const char *const a = pair.first, *const b = pair.second;
    CAPTURE(a);
    CAPTURE(b);
    CHECK_FALSE(AreInflections(a, b, /*is_english=*/true));
    CHECK_FALSE(AreInflections(b, a, /*is_english=*/true));
  }
  CHECK(AreInflections("casa", "casas", /*is_english=*/false));
  CHECK(AreInflections("evler", "evlerimizde", /*is_english=*/false));
  CHECK(AreInflections("universidad", "universidades", /*is_english=*/false));
  CHECK_FALSE(AreInflections("universo", "universidad", /*is_english=*/false));
  CHECK_FALSE(AreInflections("universi", "università", /*is_english=*/false));
}

}  // namespace
}  // namespace s2v
