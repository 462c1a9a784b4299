// SQL values as typed arguments, and answers as SQL values. nullptr is an argument that was left
// out; errors say which argument is wrong and what was expected.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/numbers.h"
#include "core/text/utf8.h"
#include "sql/statement.h"

namespace s2v {

struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using Value = std::unique_ptr<sqlite3_value, FreeValue>;
// nullptr of nullptr.
inline Value Copy(const sqlite3_value* value) {
  Value copy(sqlite3_value_dup(value));
  if (copy == nullptr && value != nullptr) throw std::bad_alloc();
  return copy;
}

inline bool IsNull(sqlite3_value* value) {
  return value == nullptr || sqlite3_value_type(value) == SQLITE_NULL;
}

inline const char* TypeName(sqlite3_value* value) {
  static_assert(SQLITE_INTEGER == 1 && SQLITE_NULL == 5);
  constexpr const char* kNames[] = {"an integer", "a real number", "a text", "a BLOB", "NULL"};
  return kNames[sqlite3_value_type(value) - 1];
}

[[noreturn]] inline void ThrowType(const char* name, sqlite3_value* value,
                                   const std::string& expected) {
  throw InvalidArgument(std::string(name) + " is " + TypeName(value) + "; " + expected +
                        " is expected");
}

// UTF-8; numbers as SQLite writes them. REQUIRES: not NULL.
inline std::string_view TextArgument(sqlite3_value* value, const char* name) {
  if (sqlite3_value_type(value) == SQLITE_BLOB) {
    throw InvalidArgument(std::string(name) + " is a BLOB; a text is expected (CAST it AS TEXT)");
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) throw std::bad_alloc();
  return {text, static_cast<size_t>(sqlite3_value_bytes(value))};
}

// A number, or a text that is one, blanks around it aside. Nothing for all else.
// sqlite3_value_numeric_type says so too, but of a copy (sqlite3_value_dup) SQLite 3.53 reads it
// through a null pointer.
inline std::optional<double> NumberArgument(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return sqlite3_value_double(value);
  if (type != SQLITE_TEXT) return std::nullopt;
  double number = 0;
  return ParseNumber(Trimmed(TextArgument(value, "a number")), &number) ? std::optional(number)
                                                                        : std::nullopt;
}

// An integer, or a number or text that is one: drivers of languages that have one kind of number
// bind 10 as 10.0, and '10' is what forms send. Nothing for all else.
inline std::optional<int64_t> IntegerArgument(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  int64_t whole = 0;
  if (type == SQLITE_INTEGER) return sqlite3_value_int64(value);
  if (type == SQLITE_TEXT && ParseNumber(TextArgument(value, "a number"), &whole)) return whole;
  const std::optional<double> number = NumberArgument(value);
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63
  const bool is_integer =
      number && *number >= -kBeyond && *number < kBeyond && *number == std::floor(*number);
  return is_integer ? std::optional(static_cast<int64_t>(*number)) : std::nullopt;
}

// How many rows; all where it is left out or NULL.
inline uint64_t CountArgument(sqlite3_value* value) {
  if (IsNull(value)) return UINT64_MAX;
  const std::optional<int64_t> k = IntegerArgument(value);
  if (!k) ThrowType("k", value, "an integer");
  if (*k < 0) throw InvalidArgument("k is " + std::to_string(*k) + "; 0 or more is expected");
  return static_cast<uint64_t>(*k);
}

// A model's name, "" (the default model) where it is left out or NULL.
inline std::string_view ModelArgument(sqlite3_value* value) {
  if (IsNull(value)) return {};
  const std::string_view name = TextArgument(value, "model");
  if (name.empty()) throw InvalidArgument("model is empty; NULL means the default model");
  return name;
}

// The bytes of a vector: a whole number of floats, in place, perhaps unaligned. REQUIRES: a BLOB.
inline std::string_view VectorArgument(sqlite3_value* value, const char* name) {
  const auto* data = static_cast<const char*>(sqlite3_value_blob(value));
  const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
  if (size % sizeof(float) != 0) {
    throw InvalidArgument(std::string(name) + " has " + std::to_string(size) +
                          " bytes; a vector has 4 for each dimension");
  }
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

// What to add to an error about two dimensions of which one is that of the other's vector in
// float64.
inline std::string Float64Hint(size_t a, size_t b) {
  if (a != 2 * b && b != 2 * a) return "";
  return "; the longer one may be of float64: store it as float32";
}

[[noreturn]] inline void ThrowNotFinite(const std::string& name, const char* why_not = "") {
  throw InvalidArgument(name + " has a value that is not finite (NaN or infinity)" + why_not);
}

// A copy of a vector; what is not finite is an error. REQUIRES: a BLOB.
inline std::vector<float> FiniteVectorArgument(sqlite3_value* value, const char* name,
                                               const char* why_not = "") {
  const std::string_view bytes = VectorArgument(value, name);
  std::vector<float> vector(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(vector.data(), bytes.data(), bytes.size());
  for (const float number : vector) {
    if (!std::isfinite(number)) ThrowNotFinite(name, why_not);
  }
  return vector;
}

inline void Result(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}
inline void Result(sqlite3_context* context, std::integral auto number) {
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(number));
}
inline void Result(sqlite3_context* context, double number) {
  sqlite3_result_double(context, number);
}
// A BLOB, as embeddings are.
inline void Result(sqlite3_context* context, std::span<const float> vector) {
  // Without a place it would be NULL.
  sqlite3_result_blob64(context, vector.empty() ? "" : static_cast<const void*>(vector.data()),
                        vector.size_bytes(), SQLITE_TRANSIENT);
}
// Nothing is NULL.
template <typename T>
void Result(sqlite3_context* context, const std::optional<T>& value) {
  if (value) Result(context, *value);
}

}  // namespace s2v
