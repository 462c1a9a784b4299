#include "sql/index_answer_rows.h"

#include <utility>
#include <vector>

namespace s2v {

void AnswerRows::Find(size_t changed, QuestionText* text) {
  choice_ = {.allowed = given_};
  if (are_cut_ && given_ != nullptr) {
    if (!parts_ || changed_ != changed) parts_.emplace(pending_.PartsOf(given_->Rowids()));
    changed_ = changed;
    choice_.allowed = &*parts_;
  }
  if (text == nullptr || !text->asks_exactly()) return;
  exact_ = text->FindExact();
  if (exact_.excluded) {
    choice_.excluded = &*exact_.excluded;
    std::vector<int64_t> left_out = pending_.rows().Rowids();
    for (const int64_t rowid : exact_.excluded->Rowids()) left_out.push_back(rowid);
    choice_.left_out = &left_out_.emplace(std::move(left_out));
  }
  if (!exact_.required) return;
  std::vector<int64_t> allowed = exact_.required->Rowids();
  std::erase_if(allowed, [&](int64_t rowid) { return !choice_.Contains(rowid); });
  choice_.allowed = &exact_.required.emplace(std::move(allowed));
}

}  // namespace s2v
