// s2v_embed(text [, model [, 'raw']]) -> BLOB: the embedding of a text; never a vector without a direction.
// s2v_model_hash([model]) -> TEXT: what the model holds. Stored beside an embedding it tells which model made it; a BLOB cannot.
// s2v_cosine(a, b [, model]), s2v_distance(a, b [, model]) -> similarity in [-1, 1], larger is nearer; 1 - that. Each
// side is a vector or a text, which is embedded.
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
  bool raw = false;
  if (call.count > 2 && !IsNull(call.values[2])) {
    if (TextArgument(call.values[2], "the third argument") != "raw") {
      throw InvalidArgument("the third argument can be 'raw' only");
    }
    raw = true;
  }
  const std::string_view model_name = ModelArgument(call.count > 1 ? call.values[1] : nullptr);
  if (IsNull(call.values[0])) return;
  const std::string_view text = TextArgument(call.values[0], "text");

  StatementModels::Lease models(call);
  OpenModel& model = models.Get(model_name);
  float* embedding = model.embedding.data();
  const uint32_t dimension = model.reader.info().shape.dimension;
  const bool found =
      raw ? model.embedder.Embed(text, embedding) > 0 : model.embedder.EmbedUnit(text, embedding);
  if (!found) return;
  sqlite3_result_blob64(call.context, embedding, dimension * sizeof(float), SQLITE_TRANSIENT);
}

void ModelHash(const Call& call) {
  StatementModels::Lease models(call);
  const std::string& hash =
      models.Get(ModelArgument(call.count > 0 ? call.values[0] : nullptr)).reader.info().hash;
  ResultText(call.context, hash);
}

namespace {

// A side that SQLite says is the same for every row of the statement, kept as auxiliary data of its
// argument. SQLite drops such data at the end of a call whose argument is not constant.
struct ConstantSide {
  std::vector<float> vector;         // empty: has no direction
  double quick_square = 0;           // of its length; 0 where the quick sums do not do
  std::optional<std::string> model;  // of a text, as the SQL named it

  // The model may come from a column.
  bool IsFor(const Call& call) const {
    return call.count < 3 || !model || *model == ModelArgument(call.values[2]);
  }
};
// Auxiliary data of an argument that has not been seen twice yet.
ConstantSide first_seen;

void DeleteConstant(void* p) {
  if (p != &first_seen) delete static_cast<ConstantSide*>(p);
}

struct Side {
  const char* name;  // for messages
  std::string_view bytes;
  const ConstantSide* constant = nullptr;
  std::vector<float> owned;

  size_t dimension() const { return bytes.size() / sizeof(float); }
};

std::string_view Bytes(const std::vector<float>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)};
}

// The model that texts are embedded with.
std::string_view ModelOf(const Call& call) {
  return ModelArgument(call.count > 2 ? call.values[2] : nullptr);
}

void ReadSide(sqlite3_value* value, const Call& call, Side* side) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_BLOB) {
    side->bytes = VectorArgument(value, side->name);
  } else if (type == SQLITE_TEXT) {
    StatementModels::Lease models(call);
    OpenModel& model = models.Get(ModelOf(call));
    if (const auto* embedding = model.EmbedUnit(TextArgument(value, side->name))) {
      side->owned = *embedding;
    }
    side->bytes = Bytes(side->owned);
  } else {
    throw InvalidArgument(std::string(side->name) + " is " + TypeName(value) +
                          "; a vector (BLOB) or a text is expected");
  }
}

bool QuickDoes(double square) {
  return square >= simd::kQuickLeast && square <= simd::kQuickMost;
}

// 0 where the quick sums do not do.
double QuickSquare(std::string_view bytes) {
  double sums[2];
  simd::BestKernels().quick_dot_and_norm(sums, bytes.data(), bytes.data(),
                                         bytes.size() / sizeof(float));
  return QuickDoes(sums[1]) ? sums[1] : 0;
}

void Keep(const Call& call, int index, Side* side) {
  auto constant = std::make_unique<ConstantSide>();
  constant->vector.resize(side->dimension());
  if (!side->bytes.empty()) {
    std::memcpy(constant->vector.data(), side->bytes.data(), side->bytes.size());
  }
  constant->quick_square = QuickSquare(side->bytes);
  if (sqlite3_value_type(call.values[index]) == SQLITE_TEXT) constant->model = ModelOf(call);
  sqlite3_set_auxdata(call.context, index, constant.release(), DeleteConstant);
}

void LoadSides(const Call& call, Side* sides) {
  const ConstantSide* kept[2];
  for (int i = 0; i < 2; i++) {
    kept[i] = static_cast<const ConstantSide*>(sqlite3_get_auxdata(call.context, i));
  }
  // In later rows of a statement a side without data is not constant: not worth asking again.
  const bool first_row = kept[0] == nullptr && kept[1] == nullptr;
  for (int i = 0; i < 2; i++) {
    Side& side = sides[i];
    if (kept[i] != nullptr && kept[i] != &first_seen && kept[i]->IsFor(call)) {
      side.constant = kept[i];
      side.bytes = Bytes(side.constant->vector);
      continue;
    }
    ReadSide(call.values[i], call, &side);
    const bool text = sqlite3_value_type(call.values[i]) == SQLITE_TEXT;
    if (kept[i] != nullptr || (first_row && text)) {
      Keep(call, i, &side);
    } else if (first_row) {
      sqlite3_set_auxdata(call.context, i, &first_seen, DeleteConstant);
    }
  }
}

double CosineFrom(double dot, double square_a, double square_b) {
  // The product of two squares of float vectors is far from overflowing in double, and the root of
  // x * x is x: what rounding leaves of a vector and itself is 1.
  return std::clamp(dot / std::sqrt(square_a * square_b), -1.0, 1.0);
}

// What a search spends its time in: one side is known, the other is a BLOB of its size. Asks SQLite
// for nothing else. False where that is not so, and where the quick sums do not do.
bool SearchCosine(const Call& call, double* cosine) {
  for (int i = 1; i >= 0; i--) {
    const auto* known = static_cast<const ConstantSide*>(sqlite3_get_auxdata(call.context, i));
    if (known == nullptr || known->quick_square == 0 || !known->IsFor(call)) continue;
    sqlite3_value* other = call.values[1 - i];
    if (sqlite3_value_type(other) != SQLITE_BLOB) return false;
    const void* vector = sqlite3_value_blob(other);
    const size_t n = known->vector.size();
    if (vector == nullptr || static_cast<size_t>(sqlite3_value_bytes(other)) != n * sizeof(float)) {
      return false;
    }
    double sums[2];
    simd::BestKernels().quick_dot_and_norm(sums, known->vector.data(), vector, n);
    if (!QuickDoes(sums[1])) return false;
    *cosine = CosineFrom(sums[0], known->quick_square, sums[1]);
    return true;
  }
  return false;
}

// Nothing where a side has no direction.
std::optional<double> CosineOf(const Call& call) {
  double found = 0;
  if (SearchCosine(call, &found)) return found;
  if (IsNull(call.values[0]) || IsNull(call.values[1])) return std::nullopt;
  Side sides[2] = {{"the first argument", {}, nullptr, {}},
                   {"the second argument", {}, nullptr, {}}};
  LoadSides(call, sides);
  Side& a = sides[0];
  Side& b = sides[1];
  if (a.bytes.empty() || b.bytes.empty()) return std::nullopt;
  if (a.dimension() != b.dimension()) {
    throw InvalidArgument("the first argument has " + std::to_string(a.dimension()) +
                          " dimensions, the second " + std::to_string(b.dimension()) +
                          "; vectors of one model are expected" +
                          Float64Hint(a.dimension(), b.dimension()));
  }
  const simd::Kernels& k = simd::BestKernels();
  const double square_a = a.constant != nullptr ? a.constant->quick_square : QuickSquare(a.bytes);
  if (square_a > 0) {
    double quick[2];
    k.quick_dot_and_norm(quick, a.bytes.data(), b.bytes.data(), a.dimension());
    if (QuickDoes(quick[1])) return CosineFrom(quick[0], square_a, quick[1]);
  }
  double to_a[2], to_b[2];  // a.b and the square
  k.dot_and_norm(to_a, b.bytes.data(), a.bytes.data(), a.dimension());
  k.dot_and_norm(to_b, a.bytes.data(), b.bytes.data(), a.dimension());
  // Finite floats cannot make these sums overflow, so one that is not finite has such an input.
  if (!std::isfinite(to_a[1])) ThrowNotFinite(a.name);
  if (!std::isfinite(to_b[1])) ThrowNotFinite(b.name);
  if (!(to_a[1] > 0) || !(to_b[1] > 0)) return std::nullopt;
  return CosineFrom(to_a[0], to_a[1], to_b[1]);
}

}  // namespace

void Cosine(const Call& call) {
  if (const auto cosine = CosineOf(call)) sqlite3_result_double(call.context, *cosine);
}

void Distance(const Call& call) {
  if (const auto cosine = CosineOf(call)) sqlite3_result_double(call.context, 1 - *cosine);
}

}  // namespace s2v
