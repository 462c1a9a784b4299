// s2v_config() -> JSON: all of them
// s2v_config(name) -> integer
// s2v_config('cache_mb', megabytes) -> megabytes, as they are now
//
//   cache_mb      the most rows of models that the process keeps in memory, in MiB; setting it
//   empties
//                 the cache. Statements that are running keep what they have until they end.
//   cache_bytes   what the process keeps now
//   cache_hits, cache_misses
//                 words and n-grams that embedding found there, and that it had to read from a
//                 database, since the start of the process; a statement's count when it ends
//
// All are the process's, not the connection's. NULL for a NULL.
#include <string>
#include <string_view>

#include "sql/row_cache.h"
#include "ext/arguments.h"
#include "ext/functions.h"
#include "ext/results.h"

namespace s2v {
namespace {

constexpr int kMegabyteBits = 20;

struct Setting {
  std::string_view name;
  uint64_t (*read)();
};
constexpr Setting kSettings[] = {
    {"cache_mb", [] { return RowCache::Budget() >> kMegabyteBits; }},
    {"cache_bytes", [] { return RowCache::GetStatistics().bytes; }},
    {"cache_hits", [] { return RowCache::GetStatistics().hits; }},
    {"cache_misses", [] { return RowCache::GetStatistics().misses; }},
};

const Setting& FindSetting(sqlite3_value* value) {
  const std::string_view name = TextArgument(value, "the setting's name");
  std::string known;
  for (const Setting& setting : kSettings) {
    if (setting.name == name) return setting;
    known += (known.empty() ? "" : ", ") + std::string(setting.name);
  }
  throw InvalidArgument("no setting '" + std::string(name) + "': name one of " + known);
}

void ResultOf(const Call& call, const Setting& setting) {
  sqlite3_result_int64(call.context, static_cast<int64_t>(setting.read()));
}

}  // namespace

void ReadConfig(const Call& call) {
  if (call.count == 1) {
    if (!IsNull(call.values[0])) ResultOf(call, FindSetting(call.values[0]));
    return;
  }
  std::string json;
  for (const Setting& setting : kSettings) {
    json += (json.empty() ? "{\"" : ",\"") + std::string(setting.name) +
            "\":" + std::to_string(setting.read());
  }
  json += "}";
  ResultText(call.context, json);
}

void SetConfig(const Call& call) {
  if (IsNull(call.values[0]) || IsNull(call.values[1])) return;
  const Setting& setting = FindSetting(call.values[0]);
  const std::string name(setting.name);
  if (name != "cache_mb") throw InvalidArgument(name + " can be read only");
  constexpr int64_t kMost = RowCache::kMaxBytes >> kMegabyteBits;
  const std::string range =
      "; an integer from 0 to " + std::to_string(kMost) + " is expected (megabytes)";
  if (sqlite3_value_type(call.values[1]) != SQLITE_INTEGER) {
    throw InvalidArgument(name + " is " + TypeName(call.values[1]) + range);
  }
  const int64_t megabytes = sqlite3_value_int64(call.values[1]);
  if (megabytes < 0 || megabytes > kMost) {
    throw InvalidArgument(name + " is " + std::to_string(megabytes) + range);
  }
  RowCache::SetBudget(static_cast<uint64_t>(megabytes) << kMegabyteBits);
  ResultOf(call, setting);
}

}  // namespace s2v
