#include "ext/statement_models.h"

#include <algorithm>

namespace s2v {
namespace {

// Any number that no other extension is likely to use.
constexpr int kSlot = -732176;

}  // namespace

OpenModel::OpenModel(Connection* connection, const std::string& wanted_name)
    : wanted(wanted_name),
      generation(connection->generation),
      reader(connection->db, wanted_name.empty() ? ModelName{} : ParseModelName(wanted_name),
             &connection->files),
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

OpenModel& StatementModels::Get(Connection* connection, std::string_view name) {
  const auto open = std::find_if(open_.begin(), open_.end(),
                                 [&](const auto& model) { return model->wanted == name; });
  if (open != open_.end() && (*open)->generation == connection->generation) return **open;
  auto model = std::make_unique<OpenModel>(connection, std::string(name));
  if (open == open_.end()) {
    open_.push_back(std::move(model));
    return *open_.back();
  }
  if (model->reader.info().hash != (*open)->reader.info().hash) {
    throw InvalidArgument("model '" + model->reader.info().name +
                          "' was replaced while this statement was running; run it again");
  }
  *open = std::move(model);
  return **open;
}

}  // namespace s2v
