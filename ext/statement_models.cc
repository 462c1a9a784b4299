#include "ext/statement_models.h"

namespace s2v {
namespace {

// Any number that no other extension is likely to use.
constexpr int kSlot = -732176;

}  // namespace

OpenModel::OpenModel(sqlite3* db, const std::string& wanted_name, uint64_t at_generation)
    : wanted(wanted_name),
      generation(at_generation),
      reader(db, wanted_name.empty() ? ModelName{} : ParseModelName(wanted_name)),
      embedder(reader.info().shape, &reader, simd::BestKernels()),
      embedding(reader.info().shape.dimension),
      last_(reader.info().shape.dimension) {}

const std::vector<float>* OpenModel::EmbedUnit(std::string_view text) {
  if (last_text_ != text) {
    last_text_.reset();  // in case that what follows throws
    last_found_ = embedder.EmbedUnit(text, last_.data());
    last_text_ = text;
  }
  return last_found_ ? &last_ : nullptr;
}

StatementModels::Lease::Lease(const Call& call)
    : call_(call),
      models_(static_cast<StatementModels*>(sqlite3_get_auxdata(call.context, kSlot))) {
  if (models_ != nullptr) return;
  auto models = std::make_unique<StatementModels>();
  models_ = models.get();
  // SQLite owns it from here, and may delete it at once.
  sqlite3_set_auxdata(call.context, kSlot, models.release(),
                      [](void* p) { delete static_cast<StatementModels*>(p); });
  if (sqlite3_get_auxdata(call.context, kSlot) != models_) {
    own_ = std::make_unique<StatementModels>();
    models_ = own_.get();
  }
}

OpenModel& StatementModels::Lease::Get(std::string_view name) {
  const uint64_t generation = call_.connection().generation;
  for (std::unique_ptr<OpenModel>& open : models_->open_) {
    if (open->wanted != name) continue;
    if (open->generation != generation) {
      auto again =
          std::make_unique<OpenModel>(call_.connection().db, std::string(name), generation);
      if (again->reader.info().hash != open->reader.info().hash) {
        throw InvalidArgument("model '" + again->reader.info().name +
                              "' was replaced while this statement was running; run it again");
      }
      open = std::move(again);
    }
    return *open;
  }
  models_->open_.push_back(
      std::make_unique<OpenModel>(call_.connection().db, std::string(name), generation));
  return *models_->open_.back();
}

}  // namespace s2v
