// The list of kernel sets and the choice among them at run time. Compiled for the lowest CPU.
#include "core/simd/kernels.h"

#include <atomic>

namespace s2v::simd {

// The tables: one per file, each filled by S2V_KERNEL_TABLE (kernels_body.inc).
extern const Kernels kPortableKernels;  // kernels_portable.cc
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;    // kernels_avx2.cc
extern const Kernels kAvx512Kernels;  // kernels_avx512.cc
#endif

namespace {

constexpr size_t kMaxSets = 3;

// The sets that this CPU runs, slowest first.
struct SetList {
  const Kernels* sets[kMaxSets];
  size_t count = 0;

  SetList() {
    sets[count++] = &kPortableKernels;
#if defined(__x86_64__)
    // The builtin also asks whether the operating system saves the wide registers. The features are
    // those of the files' compile flags.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      sets[count++] = &kAvx2Kernels;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        sets[count++] = &kAvx512Kernels;
      }
    }
#endif
  }
};

std::atomic<const Kernels*> forced{nullptr};

const SetList& Sets() {
  static const SetList list;
  return list;
}

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
  return {Sets().sets, Sets().count};
}

}  // namespace s2v::simd
