// The stems of English words: M. F. Porter's rules ("An algorithm for suffix stripping", Program
// 14(3), 1980) with the two changes that he made later (bli, logi), applied until nothing changes.
// So a stem is its own stem, and cutting tokens again gives the same. FTS5's tokenizer `porter` does
// the same once.
#pragma once

#include <cstddef>

namespace s2v {

bool IsEnglishLetter(char c);  // a to z

// Cuts 's off the end of a token, and makes its stem of what is left where that is 64 letters a-z at
// most, in place. Returns the new size, never above `size`; of fewer than 3 letters all stay.
size_t StemEnglish(char* token, size_t size);

}  // namespace s2v
