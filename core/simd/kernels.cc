// The list of kernel sets and the choice among them at run time. Compiled for the lowest CPU.
#include "core/simd/kernels.h"

#include <atomic>
#include <iterator>

namespace s2v::simd {

// The tables: one per file, each filled by S2V_KERNEL_TABLE (kernels_body.inc).
extern const Kernels kPortableKernels;  // kernels_portable.cc
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;                        // kernels_avx2.cc
extern const Kernels kAvx512Kernels, kAvx512VnniKernels;  // kernels_avx512.cc
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;  // kernels_neon.cc
#endif

namespace {

// Slowest first: a CPU runs as many as CountSets says.
const Kernels* const kSets[] = {
    &kPortableKernels,
#if defined(__x86_64__)
    &kAvx2Kernels,
    &kAvx512Kernels,
    &kAvx512VnniKernels,
#elif defined(__aarch64__)
    &kNeonKernels,
#endif
};

size_t CountSets() {
#if defined(__x86_64__)
  // The builtin also asks whether the operating system saves the wide registers. The features are
  // those of the files' compile flags.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return 2;
  return __builtin_cpu_supports("avx512vnni") ? 4 : 3;
#else
  return std::size(kSets);  // what is compiled runs
#endif
}

std::atomic<const Kernels*> forced{nullptr};

}  // namespace

const Kernels& BestKernels() {
  const Kernels* kernels = forced.load(std::memory_order_relaxed);
  return kernels != nullptr ? *kernels : *AvailableKernels().back();
}

ForcedKernels::ForcedKernels(const Kernels& kernels) {
  forced = &kernels;
}
ForcedKernels::~ForcedKernels() {
  forced = nullptr;
}

std::span<const Kernels* const> AvailableKernels() {
  static const size_t count = CountSets();
  return {kSets, count};
}

}  // namespace s2v::simd
