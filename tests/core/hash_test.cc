// The stored hashes, pinned: every value was recorded once with xxhsum 0.8.1 (-H3) over the bytes
// that core/vocab/hash.h specifies. A value that changes here breaks every stored model.
#include "core/vocab/hash.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace s2v {
namespace {

TEST_CASE("the hash of a word is XXH3 of its bytes") {
  CHECK(HashWord("") == 0x2d06800538d394c2u);
  CHECK(HashWord(std::string_view()) == 0x2d06800538d394c2u);
  CHECK(HashWord("a") == 0xe6c632b61e964e1fu);
  CHECK(HashWord("cat") == 0x42548a8a111c54eeu);
  CHECK(HashWord("the") == 0xcb1283631cf33d7du);
  CHECK(HashWord("sat") == 0x8dd13a8123a5862bu);
  CHECK(HashWord("\xc3\xbc"
                 "ber") == 0x8cd16ea4f1917fa7u);
  CHECK(HashWord("Stra\xc3\x9f"
                 "e") == 0x3ca977a6b5ee5d71u);
  CHECK(HashWord("\xe6\x9d\xb1\xe4\xba\xac") == 0x469b7ab5870cf9b6u);  // Tokyo
  CHECK(HashWord("\xf0\x9f\x98\x80") == 0x0b4fecf421a0808eu);          // an emoji
  CHECK(HashWord(std::string_view("naive\0x", 7)) == 0x8b9da8a7b3504942u);
  // XXH3 takes other paths from 17, 129 and 241 bytes on
  CHECK(HashWord("electroencephalographically") == 0x4d5b9935f15d0f63u);
  CHECK(HashWord(std::string(129, 'x')) == 0xe4f9742108fe27dcu);
  CHECK(HashWord(std::string(300, 'x')) == 0xa5d1b4607dc83554u);
}

TEST_CASE("the hash of an n-gram is XXH3 of its words' hashes in order") {
  const auto hash = [](const std::vector<std::string_view>& words) {
    std::vector<uint64_t> hashes;
    for (const std::string_view word : words) hashes.push_back(HashWord(word));
    return HashNgram(hashes.data(), hashes.size());
  };
  CHECK(hash({"the", "cat"}) == 0x4f37b99093953194u);
  CHECK(hash({"cat", "the"}) == 0xbf4a3ff02f8d41bfu);
  CHECK(hash({"cat", "sat"}) == 0xd33b1744e3ee1aa1u);
  CHECK(hash({"cat", "cat"}) == 0x51f4c79e953b74aeu);
  CHECK(hash({"\xc3\xbc"
              "ber",
              "\xe6\x9d\xb1\xe4\xba\xac"}) == 0x9ff9a598553caf90u);
  CHECK(hash({"the", "cat", "sat"}) == 0xec5bd548ce85f203u);
  CHECK(hash({"a", "the", "cat", "sat"}) == 0x869ac4214dc0c291u);
}

TEST_CASE("an n-gram's default bucket") {
  const uint64_t hashes[] = {HashWord("the"), HashWord("cat"), HashWord("sat")};
  CHECK(HashNgram(hashes, 2) % 2000000 == 1850516);
  CHECK(HashNgram(hashes + 1, 2) % 2000000 == 1970593);
  CHECK(HashNgram(hashes, 3) % 2000000 == 908931);
}

}  // namespace
}  // namespace s2v
