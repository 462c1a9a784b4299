// s2v_version() -> text, such as '0.1.0'.
// s2v_debug() -> JSON: versions, compiler, and the instruction set in use.
#include "core/config.h"
#include "core/simd/kernels.h"
#include "ext/functions.h"
#include "ext/results.h"
#include "sql/model_format.h"

namespace s2v {

void Version(const Call& call) {
  sqlite3_result_text(call.context, S2V_VERSION, -1, SQLITE_STATIC);
}

void Debug(const Call& call) {
  std::string available;
  for (const simd::Kernels* kernels : simd::AvailableKernels()) {
    available += (available.empty() ? "" : ",") + JsonString(kernels->name);
  }
#ifdef NDEBUG
  const char* build = "release";
#else
  const char* build = "debug";
#endif
#ifdef SQLITE_CORE
  const char* linking = "static";
#else
  const char* linking = "loadable";
#endif
  const std::string json =
      "{\"version\":" + JsonString(S2V_VERSION) + ",\"format\":" + std::to_string(kFormatVersion) +
      ",\"sqlite\":" + JsonString(sqlite3_libversion()) +
      ",\"sqlite_headers\":" + JsonString(SQLITE_VERSION) +
      ",\"compiler\":" + JsonString(__VERSION__) + ",\"build\":" + JsonString(build) +
      ",\"linking\":" + JsonString(linking) +
      ",\"kernel\":" + JsonString(simd::BestKernels().name) + ",\"kernels\":[" + available + "]}";
  ResultText(call.context, json);
}

}  // namespace s2v
