// Results that the paper printed, to be shown beside one's own: of other corpora and sizes, so a
// scale, not a comparison.
#ifndef S2V_EXT_CLI_PUBLISHED_H_
#define S2V_EXT_CLI_PUBLISHED_H_

#include <string>

namespace s2v {

// A heading with the source and an aligned table; or JSON lines, marked "published".
std::string PublishedSimilarity(bool json);
std::string PublishedTransfer(bool json);

}  // namespace s2v

#endif  // S2V_EXT_CLI_PUBLISHED_H_
