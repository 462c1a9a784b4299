// s2v_to_json(vector) -> text: a JSON array of the shortest numbers that read back as the same
// floats. s2v_from_json(text) -> BLOB: float32 little-endian; a strict reader of a JSON array of
// numbers. Each reads what the other writes, the vector without numbers, x'' and [], too.
#include <vector>

#include "ext/functions.h"
#include "sql/json.h"

namespace s2v {
namespace {

constexpr unsigned kJsonSubtype = 'J';  // SQLite's own mark of JSON text

// Reads '[' number (',' number)* ']' with JSON's white space.
class VectorParser {
 public:
  explicit VectorParser(std::string_view text) : text_(text) {}

  std::vector<float> Parse() {
    std::vector<float> vector;
    Expect('[', "a JSON array of numbers");
    const bool is_empty = Accept(']');
    if (!is_empty) {
      do {
        vector.push_back(Number());
      } while (Accept(','));
      Expect(']', "',' or ']'");
    }
    SkipSpace();
    if (at_ != text_.size()) Fail("the end");
    return vector;
  }

 private:
  [[noreturn]] void Fail(const char* expected) const {
    throw InvalidArgument(std::string(expected) + " expected at byte " + std::to_string(at_ + 1));
  }
  // Moves behind the next character, if it is one of these.
  bool Take(std::string_view one_of) {
    if (at_ == text_.size() || one_of.find(text_[at_]) == one_of.npos) return false;
    at_++;
    return true;
  }
  void SkipSpace() {
    while (Take(" \t\n\r")) {
    }
  }
  bool Accept(char c) {
    SkipSpace();
    return Take({&c, 1});
  }
  void Expect(char c, const char* expected) {
    if (!Accept(c)) Fail(expected);
  }
  bool Digits() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') at_++;
    return at_ > begin;
  }

  // -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  float Number() {
    SkipSpace();
    const size_t begin = at_;
    Take("-");
    const size_t integer = at_;
    if (!Digits()) Fail("a number");
    if (text_[integer] == '0' && at_ > integer + 1) {
      at_ = integer + 1;
      Fail("no digit after a leading 0");
    }
    if (Take(".") && !Digits()) Fail("a digit");
    if (Take("eE")) {
      Take("+-");
      if (!Digits()) Fail("a digit");
    }
    float value = 0;
    const char* end = text_.data() + at_;
    if (ReadFloat(text_.data() + begin, end, &value).ec == std::errc()) return value;
    at_ = begin;
    Fail("a number below 3.4e38");
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

void ToJson(const Call& call) {
  if (IsNull(call[0])) return;
  if (sqlite3_value_type(call[0]) != SQLITE_BLOB) {
    ThrowType("the argument", call[0], "a vector (BLOB)");
  }
  const std::vector<float> vector =
      FiniteVectorArgument(call[0], "the vector", ", which JSON cannot hold");
  Result(call.context, JsonList(vector, FloatText));
  sqlite3_result_subtype(call.context, kJsonSubtype);
}

void FromJson(const Call& call) {
  if (IsNull(call[0])) return;
  Result(call.context, VectorParser(TextArgument(call[0], "the JSON text")).Parse());
}

}  // namespace s2v
