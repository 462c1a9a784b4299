// s2v_version(), s2v_debug(), and the settings and counts of the process's cache of rows:
//
//   SELECT s2v_config('cache_mb', 64), s2v_config('cache_bytes'), s2v_config();
#include <string>
#include <string_view>

#include "core/config.h"
#include "core/simd/kernels.h"
#include "ext/functions.h"
#include "sql/json.h"
#include "sql/model_format.h"
#include "sql/row_cache.h"

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
  if (const Setting* setting = FindNamed(name, kSettings, &Setting::name)) return *setting;
  throw InvalidArgument("no setting '" + std::string(name) + "': name one of " +
                        NamesOf(kSettings, &Setting::name));
}

}  // namespace

void ReadConfig(const Call& call) {
  if (call.count == 1) {
    if (!IsNull(call[0])) Result(call.context, FindSetting(call[0]).read());
    return;
  }
  JsonObject json;
  for (const Setting& setting : kSettings) json.Add(setting.name, setting.read());
  Result(call.context, json.Text());
}

void SetConfig(const Call& call) {
  if (IsNull(call[0]) || IsNull(call[1])) return;
  const Setting& setting = FindSetting(call[0]);
  const std::string name(setting.name);
  if (name != "cache_mb") throw InvalidArgument(name + " can be read only");
  constexpr int64_t kMost = RowCache::kMaxBytes >> kMegabyteBits;
  const std::string range =
      "; an integer from 0 to " + std::to_string(kMost) + " is expected (megabytes)";
  const std::optional<int64_t> megabytes = IntegerArgument(call[1]);
  if (!megabytes) throw InvalidArgument(name + " is " + TypeName(call[1]) + range);
  if (*megabytes < 0 || *megabytes > kMost) {
    throw InvalidArgument(name + " is " + std::to_string(*megabytes) + range);
  }
  RowCache::SetBudget(static_cast<uint64_t>(*megabytes) << kMegabyteBits);
  Result(call.context, setting.read());
}

void Version(const Call& call) {
  Result(call.context, S2V_VERSION);
}

void Debug(const Call& call) {
#ifdef NDEBUG
  const char* build = "release";
#else
  const char* build = "debug";
#endif
  JsonObject json;
  json.Add("version", S2V_VERSION).Add("format", kFormatVersion);
  json.Add("sqlite", sqlite3_libversion()).Add("sqlite_headers", SQLITE_VERSION);
  json.Add("compiler", __VERSION__).Add("build", build);
  json.Add("linking", call.connection()->linking).Add("kernel", simd::BestKernels().name);
  json.AddJson("kernels", JsonList(simd::AvailableKernels(), [](const simd::Kernels* kernels) {
                 return JsonString(kernels->name);
               }));
  Result(call.context, json.Text());
}

}  // namespace s2v
