// The list of kernel sets and the choice among them at run time. Compiled for the lowest CPU.
#include "core/simd/kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace s2v::simd {

// The tables: one per file, each filled by S2V_KERNEL_TABLE (kernels_body.inc).
extern const Kernels kPortableKernels;  // kernels_portable.cc
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;    // kernels_avx2.cc
extern const Kernels kAvx512Kernels;  // kernels_avx512.cc
#endif

namespace {

constexpr size_t kMaxSets = 3;

#if defined(__x86_64__)
// Conversion of float16, which not every compiler's builtin knows by name. It uses the registers of
// AVX, whose saving the builtin checks.
bool HasF16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

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
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && HasF16c()) {
      sets[count++] = &kAvx2Kernels;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        sets[count++] = &kAvx512Kernels;
      }
    }
#endif
  }
};

const SetList& Sets() {
  static const SetList list;
  return list;
}

}  // namespace

const Kernels& BestKernels() {
  return *AvailableKernels().back();
}

std::span<const Kernels* const> AvailableKernels() {
  return {Sets().sets, Sets().count};
}

const Kernels* FindKernels(std::string_view name) {
  if (name == "auto") return &BestKernels();
  for (const Kernels* kernels : AvailableKernels()) {
    if (name == kernels->name) return kernels;
  }
  return nullptr;
}

std::string_view KernelNames() {
#if defined(__x86_64__)
  return "portable, avx2, avx512";
#else
  return "portable";
#endif
}

}  // namespace s2v::simd
