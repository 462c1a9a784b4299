#include "ext/statement_models.h"

namespace s2v {

OpenModel::OpenModel(const SharedConnection& connection, const std::string& name)
    : reader(connection->db, name.empty() ? ModelName{} : ParseModelName(name), &connection->files),
      info(reader.info()),
      connection_(connection),
      generation_(connection->generation),
      embedder_(info.shape, &reader),
      embedding_(info.shape.dimension) {}

const std::vector<float>* OpenModel::Embed(std::string_view text, bool raw) {
  if (last_text_ != text || last_raw_ != raw) {
    last_text_.reset();  // in case that what follows throws
    last_raw_ = raw;
    last_found_ = raw ? embedder_.Embed(text, embedding_.data()) > 0
                      : embedder_.EmbedUnit(text, embedding_.data());
    last_text_ = text;
  }
  return last_found_ ? &embedding_ : nullptr;
}

std::shared_ptr<StatementModels> StatementModels::Of(const Call& call) {
  constexpr int kSlot = -732176;  // any number that no other extension is likely to use
  using Models = std::shared_ptr<StatementModels>;
  if (const void* kept = sqlite3_get_auxdata(call.context, kSlot)) {
    return *static_cast<const Models*>(kept);
  }
  auto models = std::make_shared<StatementModels>(call.connection());
  // SQLite owns this copy from here, and may delete it at once.
  sqlite3_set_auxdata(call.context, kSlot, new Models(models),
                      [](void* p) { delete static_cast<Models*>(p); });
  return models;
}

OpenModel& StatementModels::Get(std::string_view name) {
  const std::string wanted(name);
  auto& open = open_[wanted];
  if (open != nullptr && !open->IsStale()) return *open;
  auto model = std::make_unique<OpenModel>(connection_, wanted);
  if (open != nullptr && model->info.hash != open->info.hash) {
    throw InvalidArgument("model '" + model->info.name +
                          "' was replaced while this statement was running; run it again");
  }
  open = std::move(model);
  return *open;
}

OpenModel* ModelRows::Open(size_t texts, size_t i) {
  const std::string_view name = ModelArgument(arguments[i]);
  for (size_t text = 0; text < texts; text++) {
    if (IsNull(arguments[text])) return nullptr;
  }
  return model_ = &models_.Get(name);
}

OpenModel& ModelRows::Model() {
  if (model_->IsStale()) {
    throw InvalidArgument(
        "a model was stored or dropped while this statement was running; run it again");
  }
  return *model_;
}

}  // namespace s2v
