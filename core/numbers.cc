#include "core/numbers.h"

#include <algorithm>
#include <cstdint>

// libc++: reads none with a point before version 20, and writes none before 14
#ifndef __cpp_lib_to_chars
#include <locale.h>
#if __has_include(<xlocale.h>)
#include <xlocale.h>  // where macOS and FreeBSD have locale_t and what takes one
#endif

#include <cmath>
#include <cstdlib>
#endif
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <ios>
#include <locale>
#include <sstream>
#endif

namespace s2v {

#ifdef __cpp_lib_to_chars
std::from_chars_result ReadNumber(const char* from, const char* to, float* value) {
  return std::from_chars(from, to, *value);
}
std::from_chars_result ReadNumber(const char* from, const char* to, double* value) {
  return std::from_chars(from, to, *value);
}
#else
namespace {

// read: strtof_l or strtod_l, which take more than std::from_chars does, in the locale C.
template <typename T, typename Read>
std::from_chars_result ReadByC(const char* from, const char* to, T* value, Read read) {
  static const locale_t c = newlocale(LC_ALL_MASK, "C", locale_t{});
  constexpr std::string_view kMayHave = "0123456789.+-eEinfatyINFATY";
  const auto is_other = [&](char byte) { return kMayHave.find(byte) == kMayHave.npos; };
  const std::string text(from, std::find_if(from, to, is_other));
  char* end = nullptr;
  const T number = read(text.c_str(), &end, c);
  if (text.empty() || text[0] == '+' || end == text.c_str())
    return {from, std::errc::invalid_argument};
  const char* const rest = from + (end - text.c_str());
  // Written with digits, and yet no number that there is.
  const bool is_zero = number == 0 && text.find_first_of("123456789") < text.find_first_of("eE");
  if (is_zero || (std::isinf(number) && text.find_first_of("iI") == text.npos)) {
    return {rest, std::errc::result_out_of_range};
  }
  *value = number;
  return {rest, std::errc()};
}

}  // namespace

std::from_chars_result ReadNumber(const char* from, const char* to, float* value) {
  return ReadByC(from, to, value, strtof_l);
}
std::from_chars_result ReadNumber(const char* from, const char* to, double* value) {
  return ReadByC(from, to, value, strtod_l);
}
#endif

namespace {

// Of the first digit that is not 0: 0 for 0.1 to 0.999, 1 for 1 to 9.99. (A type with more room
// than double's, that would read such numbers, is not everywhere.)
int64_t PowerOfTen(std::string_view number) {
  constexpr int64_t kMost = int64_t{1} << 40;
  const size_t e = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, e);
  const size_t first = digits.find_first_of("123456789"),
               point = std::min(digits.find('.'), digits.size());
  int64_t exponent = 0;
  if (e != number.npos) {
    const size_t begin = e + (number[e + 1] == '+' ? 2 : 1);
    const char* const end = number.data() + number.size();
    if (std::from_chars(number.data() + begin, end, exponent).ec != std::errc()) exponent = kMost;
    if (exponent == kMost && number[begin] == '-') exponent = -kMost;
  }
  const auto before = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  return std::clamp(exponent, -kMost, kMost) + (first < point ? before : before + 1);
}

}  // namespace

std::from_chars_result ReadFloat(const char* from, const char* to, float* value) {
  const std::from_chars_result read = ReadNumber(from, to, value);
  if (read.ec != std::errc::result_out_of_range ||
      PowerOfTen({from, static_cast<size_t>(read.ptr - from)}) > 0)
    return read;
  *value = 0;
  return {read.ptr, std::errc()};
}

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
namespace {

std::string Printed(std::ios_base::fmtflags form, int digits, double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.setf(form, std::ios_base::floatfield);
  out.precision(digits);
  out << value;
  return out.str();
}

// Of the two ways to write the fewest digits that read back as the number, the shorter.
template <typename T>
std::string Shortest(T value) {
  for (int digits = 0;; digits++) {
    const std::string power =
        Printed(std::ios_base::scientific, digits, static_cast<double>(value));
    T same = 0;
    if (std::isfinite(value) && (!ParseNumber(power, &same) || same != value)) continue;
    if (!std::isfinite(value)) return power;
    const int exponent = std::atoi(power.c_str() + power.find('e') + 1);
    const std::string fixed =
        Printed(std::ios_base::fixed, std::max(0, digits - exponent), static_cast<double>(value));
    return fixed.size() <= power.size() ? fixed : power;
  }
}

}  // namespace

std::string NumberText(double value) {
  return Shortest(value);
}
std::string FloatText(float value) {
  return Shortest(value);
}
std::string RoundedText(double value, int significant_digits) {
  return Printed({}, significant_digits, value);
}
std::string FixedText(double value, int decimals) {
  return Printed(std::ios_base::fixed, decimals, value);
}
#else
namespace {

// form: as std::to_chars has it.
template <typename T, typename... Form>
std::string Chars(T value, Form... form) {
  char buffer[350];  // of the largest double all digits before the point
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value, form...).ptr);
}

}  // namespace

std::string NumberText(double value) {
  return Chars(value);
}
std::string FloatText(float value) {
  return Chars(value);
}
std::string RoundedText(double value, int significant_digits) {
  return Chars(value, std::chars_format::general, significant_digits);
}
std::string FixedText(double value, int decimals) {
  return Chars(value, std::chars_format::fixed, decimals);
}
#endif

}  // namespace s2v
