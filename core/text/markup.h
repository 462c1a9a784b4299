// What the formats of text (core/text/text_format.h) are made of, and share: the tags and entities of
// HTML, which Markdown and JSON have too.
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace s2v {

// As TextFormat has them. html_text.cc, markdown_text.cc, json_text.cc
void MakePlainHtml(std::string_view text, int version, std::string* plain);
bool IsWrittenAsHtml(std::string_view text);
void MakePlainMarkdown(std::string_view text, int version, std::string* plain);
bool IsWrittenAsMarkdown(std::string_view text);
void MakePlainJson(std::string_view text, int version, std::string* plain);
bool IsWrittenAsJson(std::string_view text);

// The tags and entities of a text, one after the other.
class HtmlReader {
 public:
  // is_former: by the rules of version 1.
  HtmlReader(std::string_view text, bool is_former) : text_(text), is_former_(is_former) {}
  // Of a text with a tag, a comment or the like at `at`: appends what stands for it, and returns
  // the place behind it; 0 where there is none. Places must not fall.
  size_t TakeTag(size_t at, std::string* plain);
  // The same of an entity.
  size_t TakeEntity(size_t at, std::string* plain) const;

 private:
  size_t TagEnd(size_t at);
  size_t Find(std::string_view what, size_t at, bool* is_there) const;

  std::string_view text_;
  bool is_former_;
  // Whether, as far as is known, there is one behind the place that was reached.
  bool has_end_ = true, has_comment_end_ = true, has_cdata_end_ = true, quotes_close_ = true;
};
// A line's end, unless there is one.
void EndLine(std::string* plain);

}  // namespace s2v
