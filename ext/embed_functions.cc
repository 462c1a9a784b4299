// s2v_embed(text [, model [, 'raw']]) -> BLOB: the embedding of a text; never a vector without a
// direction. s2v_model_hash([model]) -> TEXT: what the model holds. Stored beside an embedding it
// tells which model made it; a BLOB cannot. s2v_cosine(a, b [, model]), s2v_distance(a, b [,
// model]) -> similarity in [-1, 1], larger is nearer; 1 - that. Each side is a vector or a text,
// which is embedded.
//
// A side that is constant in the statement is embedded, checked and measured once; the other side's
// BLOB is read in place. Right to 1e-6 at any length and scale: vectors of ordinary size take the
// quick sums in float (core/simd/kernels.h), all others sums in double.
//
// INVARIANT: the result is a function of the two vectors' bits (and the kernel) alone, whichever
// side is constant, first or repeated; the function is registered as deterministic, and indexes on
// it are checked for that. A vector and itself have the cosine 1.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "ext/functions.h"
#include "ext/statement_models.h"

namespace s2v {

void Embed(const Call& call) {
  const bool raw = !IsNull(call[2]);
  if (raw && TextArgument(call[2], "the third argument") != "raw") {
    throw InvalidArgument("the third argument can be 'raw' only: s2v_embed(text, model, 'raw')");
  }
  const std::string_view model = ModelArgument(call[1]);
  if (IsNull(call[0])) return;
  const std::string_view text = TextArgument(call[0], "text");
  const auto models = StatementModels::Of(call);
  if (const auto* embedding = models->Get(model).Embed(text, raw)) Result(call.context, *embedding);
}

void ModelHash(const Call& call) {
  Result(call.context, StatementModels::Of(call)->Get(ModelArgument(call[0])).info.hash);
}

namespace {

// A side that SQLite says is the same for every row of the statement is kept as auxiliary data of
// its argument. SQLite drops such data at the end of a call whose argument is not constant.
struct Side {
  std::string_view bytes;     // empty: the side has no direction
  std::vector<float> vector;  // holds bytes, unless SQLite does
  // The square of a kept side's length; 0 where the quick sums are not exact enough.
  double quick_square = 0;
  std::optional<std::string> model;  // of a text, as the SQL named it

  size_t dimension() const { return bytes.size() / sizeof(float); }
  // The model may come from a column.
  bool IsFor(const Call& call) const { return !model || *model == ModelArgument(call[2]); }
};
constexpr const char* kSideNames[] = {"the first argument", "the second argument"};
// Auxiliary data of an argument that has not been seen twice yet.
Side first_seen;

void DeleteSide(void* p) {
  if (p != &first_seen) delete static_cast<Side*>(p);
}

std::string_view Bytes(const std::vector<float>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)};
}

void ReadSide(const Call& call, int i, Side* side) {
  const int type = sqlite3_value_type(call[i]);
  if (type == SQLITE_BLOB) {
    side->bytes = VectorArgument(call[i], kSideNames[i]);
  } else if (type == SQLITE_TEXT) {
    side->model = ModelArgument(call[2]);
    const auto models = StatementModels::Of(call);
    const auto* embedding = models->Get(*side->model).Embed(TextArgument(call[i], kSideNames[i]));
    if (embedding != nullptr) side->vector = *embedding;
    side->bytes = Bytes(side->vector);
  } else {
    ThrowType(kSideNames[i], call[i], "a vector (BLOB) or a text");
  }
}

bool QuickDoes(double square) {
  return square >= simd::kQuickLeast && square <= simd::kQuickMost;
}

// 0 where the quick sums are not exact enough.
double QuickSquare(std::string_view bytes) {
  double sums[2];
  simd::BestKernels().quick_dot_and_norm(sums, bytes.data(), bytes.data(),
                                         bytes.size() / sizeof(float));
  return QuickDoes(sums[1]) ? sums[1] : 0;
}

void Keep(const Call& call, int i, const Side& side) {
  auto kept = std::make_unique<Side>(side);
  kept->vector.resize(side.dimension());
  if (!side.bytes.empty()) {
    std::memcpy(kept->vector.data(), side.bytes.data(), side.bytes.size());
  }
  kept->bytes = Bytes(kept->vector);
  kept->quick_square = QuickSquare(side.bytes);
  sqlite3_set_auxdata(call.context, i, kept.release(), DeleteSide);
}

// Sets each of sides to what is kept of it, or else to what is read now, in read. What SQLite has
// as the data of a side, and what is done:
//   nothing, in the first row   marks it with first_seen; keeps a text at once
//   the mark                    the side is constant: keeps it
//   a kept side                 uses it; keeps it anew where its text is for another model now
//   nothing, in a later row     the side is not constant: keeps nothing
// To keep a BLOB is to copy and to measure it, which would be in vain for one row or for a column.
void LoadSides(const Call& call, Side* read, const Side** sides) {
  for (int i = 0; i < 2; i++) {
    sides[i] = static_cast<const Side*>(sqlite3_get_auxdata(call.context, i));
  }
  const bool first_row = sides[0] == nullptr && sides[1] == nullptr;
  for (int i = 0; i < 2; i++) {
    const Side* kept = sides[i];
    if (kept != nullptr && kept != &first_seen && kept->IsFor(call)) continue;
    ReadSide(call, i, &read[i]);
    sides[i] = &read[i];
    if (kept != nullptr || (first_row && read[i].model)) {
      Keep(call, i, read[i]);
    } else if (first_row) {
      sqlite3_set_auxdata(call.context, i, &first_seen, DeleteSide);
    }
  }
}

double CosineFrom(double dot, double square_a, double square_b) {
  // The product of two squares of float vectors is far from overflowing in double, and the root of
  // x * x is x: what rounding leaves of a vector and itself is 1.
  return std::clamp(dot / std::sqrt(square_a * square_b), -1.0, 1.0);
}

// Nothing where a side has no direction.
std::optional<double> CosineOf(const Call& call) {
  if (IsNull(call[0]) || IsNull(call[1])) return std::nullopt;
  Side read[2];
  const Side* sides[2];
  LoadSides(call, read, sides);
  const Side &a = *sides[0], &b = *sides[1];
  const size_t n = a.dimension();
  if (n == 0 || b.dimension() == 0) return std::nullopt;
  if (n != b.dimension()) {
    throw InvalidArgument("the first argument has " + std::to_string(n) +
                          " dimensions, the second " + std::to_string(b.dimension()) +
                          "; vectors of one model are expected" + Float64Hint(n, b.dimension()));
  }
  const simd::Kernels& k = simd::BestKernels();
  // A search spends its time here: one side is kept, and its square is known.
  const auto& [known, other] = b.quick_square > 0 ? std::tie(b, a) : std::tie(a, b);
  const double square = known.quick_square > 0 ? known.quick_square : QuickSquare(known.bytes);
  if (square > 0) {
    double quick[2];
    k.quick_dot_and_norm(quick, known.bytes.data(), other.bytes.data(), n);
    if (QuickDoes(quick[1])) return CosineFrom(quick[0], square, quick[1]);
  }
  double to_a[2], to_b[2];  // a.b and the square
  k.dot_and_norm(to_a, b.bytes.data(), a.bytes.data(), n);
  k.dot_and_norm(to_b, a.bytes.data(), b.bytes.data(), n);
  // Finite floats cannot make these sums overflow, so one that is not finite has such an input.
  if (!std::isfinite(to_a[1])) ThrowNotFinite(kSideNames[0]);
  if (!std::isfinite(to_b[1])) ThrowNotFinite(kSideNames[1]);
  if (!(to_a[1] > 0) || !(to_b[1] > 0)) return std::nullopt;
  return CosineFrom(to_a[0], to_a[1], to_b[1]);
}

}  // namespace

void Cosine(const Call& call) {
  Result(call.context, CosineOf(call));
}

void Distance(const Call& call) {
  if (const auto cosine = CosineOf(call)) Result(call.context, 1 - *cosine);
}

}  // namespace s2v
