#include "core/model/model.h"

#include "core/model/element.h"

namespace s2v {

void RoundToElement(Model* model) {
  const Element element = ParseElement(model->config.element);
  if (element == Element::kFloat32) return;
  const uint32_t dimension = model->source.dimension();
  std::vector<char> bytes(RowBytes(element, dimension));
  for (uint64_t row = 0; row < model->source.rows(); row++) {
    EncodeRow(element, model->source[row], dimension, bytes.data());
    DecodeRow(element, bytes.data(), dimension, model->source[row]);
  }
}

}  // namespace s2v
