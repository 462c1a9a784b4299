// Included before every source: Debian 12's emscripten has a libc++ of before version 14, which
// lacks this one of C++20.
#pragma once
#include <cstddef>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
