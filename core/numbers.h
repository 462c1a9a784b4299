// Numbers as text, whatever the locale of the program; numbers.cc has what old C++ libraries lack
// for it.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace s2v {

// As std::from_chars.
std::from_chars_result ReadNumber(const char* from, const char* to, float* value);
std::from_chars_result ReadNumber(const char* from, const char* to, double* value);
// The same, but that what is too near 0 for a float is 0, so that out of range is what is too
// large.
std::from_chars_result ReadFloat(const char* from, const char* to, float* value);

// Whether all of text is a number, an integer to this base.
template <typename T>
bool ParseNumber(std::string_view text, T* value, int base = 10) {
  const char *const from = text.data(), *const to = from + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) {
    result = ReadNumber(from, to, value);
  } else {
    result = std::from_chars(from, to, *value, base);
  }
  return result.ec == std::errc() && result.ptr == to;
}

// The shortest that reads back as the same number; rounded to significant digits; with a fixed
// number of decimals.
std::string NumberText(double value);
std::string FloatText(float value);
std::string RoundedText(double value, int significant_digits);
std::string FixedText(double value, int decimals);

}  // namespace s2v
