#include "core/vocab/vocabulary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/vocab/hash.h"
#include "tests/core/synthetic_text.h"

namespace s2v {
namespace {

TEST_CASE("a word table gives dense ids in order of insertion") {
  WordTable table;
  CHECK(table.size() == 0);
  CHECK(table.Find("cat", HashWord("cat")) == kUnknownWord);
  CHECK(table.Insert("cat", HashWord("cat")) == 0);
  CHECK(table.Insert("dog", HashWord("dog")) == 1);
  CHECK(table.Insert("cat", HashWord("cat")) == 0);
  CHECK(table.size() == 2);
  CHECK(table.Find("dog", HashWord("dog")) == 1);
  CHECK(table[0] == "cat");
  CHECK(table[1] == "dog");
  CHECK(table.hash(1) == HashWord("dog"));
}

TEST_CASE("words with the same hash are kept apart") {
  WordTable table;
  for (uint32_t i = 0; i < 300; i++) CHECK(table.Insert(test::Word(i), 42) == i);
  for (uint32_t i = 0; i < 300; i++) {
    CHECK(table.Find(test::Word(i), 42) == i);
    CHECK(table.Insert(test::Word(i), 42) == i);
  }
  CHECK(table.Find("absent", 42) == kUnknownWord);
  // the table may go by the hash alone only where the bytes agree too
  CHECK(table.Find(test::Word(1), uint64_t{43} << 32) == kUnknownWord);
}

TEST_CASE("colliding words survive growing, also at the end of the table") {
  // hashes whose low bits are all ones start at the last slot, so that probing wraps around
  WordTable table;
  for (uint32_t i = 0; i < 5000; i++) {
    table.Insert(test::Word(i),
                 i % 2 == 0 ? ~uint64_t{0} - (uint64_t{i} << 32) : HashWord(test::Word(i)));
  }
  bool all = true;
  for (uint32_t i = 0; i < 5000; i++) {
    all &= table.Find(test::Word(i), i % 2 == 0 ? ~uint64_t{0} - (uint64_t{i} << 32)
                                                : HashWord(test::Word(i))) == i;
  }
  CHECK(all);
}

TEST_CASE("the empty word, NUL bytes and prefixes are words like others") {
  WordTable table;
  const std::vector<std::string> words = {"",
                                          std::string(1, '\0'),
                                          std::string(2, '\0'),
                                          "a",
                                          std::string("a\0", 2),
                                          std::string("a\0b", 3),
                                          "ab",
                                          "\xff\xfe",
                                          std::string(100000, 'x')};
  for (uint32_t i = 0; i < words.size(); i++)
    CHECK(table.Insert(words[i], HashWord(words[i])) == i);
  for (uint32_t i = 0; i < words.size(); i++) {
    CHECK(table.Find(words[i], HashWord(words[i])) == i);
    CHECK(table[i] == words[i]);
  }
}

TEST_CASE("a hundred thousand words are found again") {
  WordTable table;
  const uint32_t size = 100000;
  for (uint32_t i = 0; i < size; i++)
    REQUIRE(table.Insert(test::Word(i), HashWord(test::Word(i))) == i);
  CHECK(table.size() == size);
  bool found = true, absent = true;
  for (uint32_t i = 0; i < size; i++) {
    found &= table.Find(test::Word(i), HashWord(test::Word(i))) == i && table[i] == test::Word(i);
    const std::string other = "v" + std::to_string(i);
    absent &= table.Find(other, HashWord(other)) == kUnknownWord;
  }
  CHECK(found);
  CHECK(absent);
}

TEST_CASE("a table keeps the words that are wanted, with new ids, and can be filled again") {
  WordTable table;
  for (uint32_t i = 0; i < 2000; i++) table.Insert(test::Word(i), HashWord(test::Word(i)));
  table.KeepIf([](uint32_t id) { return id % 3 == 1; });
  REQUIRE(table.size() == 667);
  bool right = true;
  for (uint32_t id = 0; id < table.size(); id++) {
    const std::string word = test::Word(3 * id + 1);
    right &= table[id] == word && table.Find(word, HashWord(word)) == id;
  }
  CHECK(right);
  CHECK(table.Find(test::Word(5), HashWord(test::Word(5))) == kUnknownWord);
  CHECK(table.Insert(test::Word(5), HashWord(test::Word(5))) == 667);
  CHECK(table[667] == test::Word(5));
}

Vocabulary Count(const std::vector<std::string_view>& tokens, uint64_t min_count,
                 uint32_t max_vocabulary) {
  WordCounter counter(1000000);
  for (const std::string_view token : tokens) counter.Add(token);
  std::vector<uint32_t> final_ids;
  return counter.Select(min_count, max_vocabulary, &final_ids);
}

std::string WordsOf(const Vocabulary& vocabulary) {
  std::string words;
  for (uint32_t id = 0; id < vocabulary.size(); id++) {
    words += std::string(vocabulary.words[id]) + ":" + std::to_string(vocabulary.counts[id]) + " ";
  }
  return words;
}

TEST_CASE("word ids fall by count, ties by first occurrence") {
  const std::vector<std::string_view> tokens = {"d", "b", "a", "b", "c", "d", "c", "b", "e"};
  CHECK(WordsOf(Count(tokens, 1, 100)) == "b:3 d:2 c:2 a:1 e:1 ");
  CHECK(WordsOf(Count(tokens, 2, 100)) == "b:3 d:2 c:2 ");
  CHECK(WordsOf(Count(tokens, 4, 100)) == "");
  CHECK(WordsOf(Count(tokens, 1, 4)) == "b:3 d:2 c:2 a:1 ");
  CHECK(WordsOf(Count(tokens, 1, 2)) == "b:3 d:2 ");
  CHECK(WordsOf(Count({}, 1, 2)) == "");
}

TEST_CASE("words keep their hash and the frequency counts all tokens") {
  const Vocabulary vocabulary = Count({"b", "a", "b", "rare"}, 2, 100);
  CHECK(vocabulary.token_count == 4);
  REQUIRE(vocabulary.size() == 1);
  CHECK(vocabulary.words.hash(0) == HashWord("b"));
  CHECK(vocabulary.Frequency(0) == 0.5);
}

TEST_CASE("the words with a minimum count are a prefix") {
  Vocabulary vocabulary;
  for (const uint64_t count : {9, 7, 7, 3, 1}) {
    vocabulary.words.Insert(test::Word(vocabulary.size()), vocabulary.size());
    vocabulary.counts.push_back(count);
  }
  CHECK(vocabulary.PrefixWithCount(0) == 5);
  CHECK(vocabulary.PrefixWithCount(1) == 5);
  CHECK(vocabulary.PrefixWithCount(2) == 4);
  CHECK(vocabulary.PrefixWithCount(3) == 4);
  CHECK(vocabulary.PrefixWithCount(7) == 3);
  CHECK(vocabulary.PrefixWithCount(8) == 1);
  CHECK(vocabulary.PrefixWithCount(10) == 0);
  CHECK(Vocabulary().PrefixWithCount(1) == 0);
}

TEST_CASE("provisional ids are renamed to the vocabulary's") {
  WordCounter counter(1000000);
  std::vector<uint32_t> provisional;
  const std::vector<std::string> tokens = {"x", "y", "z", "y", "x", "y"};
  for (const std::string& token : tokens) provisional.push_back(counter.Add(token));
  CHECK(counter.token_count() == 6);
  CHECK(counter.provisional_ids() == 3);
  std::vector<uint32_t> final_ids;
  const Vocabulary vocabulary = counter.Select(2, 100, &final_ids);
  REQUIRE(final_ids.size() == 3);
  for (size_t i = 0; i < tokens.size(); i++) {
    const uint32_t id = final_ids[provisional[i]];
    if (tokens[i] == "z") {
      CHECK(id == kUnknownWord);
    } else {
      CHECK(vocabulary.words[id] == tokens[i]);
    }
  }
}

TEST_CASE("counting a Zipf text in bounded memory keeps the frequent words' counts") {
  const uint32_t types = 20000, max_words = 2000;
  const int tokens = 200000;
  Random random(9);
  const test::Zipf zipf(types);
  WordCounter counter(max_words * WordCounter::Bytes(test::Word(types).size()));
  std::map<std::string, uint64_t> exact;
  std::vector<std::pair<std::string, uint32_t>> given;
  uint32_t largest = 0;
  std::vector<uint32_t> final_ids;
  for (int i = 0; i < tokens; i++) {
    const std::string word = test::Word(zipf.Draw(&random));
    exact[word]++;
    given.emplace_back(word, counter.Add(word));
    if (i % 997 == 0) largest = std::max(largest, counter.Select(1, types, &final_ids).size());
  }
  REQUIRE(exact.size() > 3 * max_words);
  CHECK(largest * WordCounter::Bytes(2) <= max_words * WordCounter::Bytes(6));  // w1 to w19999
  CHECK(counter.token_count() == tokens);

  const Vocabulary vocabulary = counter.Select(1, types, &final_ids);
  CHECK(vocabulary.size() <= largest);
  CHECK(final_ids.size() == counter.provisional_ids());
  // Counts never exceed the exact ones. A word loses what it had when it fell below a pruning,
  // which for the first 20 words (each 1 in 220 tokens; the first pruning comes after some 5000
  // tokens and asks for two occurrences) never happens; the next 80 lose at most that pruning's
  // single occurrence and the next's two.
  bool at_most = true;
  for (uint32_t id = 0; id < vocabulary.size(); id++) {
    at_most &= vocabulary.counts[id] <= exact[std::string(vocabulary.words[id])];
  }
  CHECK(at_most);
  for (uint32_t rank = 0; rank < 100; rank++) {
    CAPTURE(rank);
    const uint32_t id = vocabulary.words.Find(test::Word(rank), HashWord(test::Word(rank)));
    REQUIRE(id != kUnknownWord);
    CHECK(vocabulary.counts[id] + (rank < 20 ? 0 : 3) >= exact[test::Word(rank)]);
  }
  // Each provisional id leads to its word or to none, as often as the word's count says.
  std::vector<uint64_t> occurrences(vocabulary.size());
  bool right = true;
  for (const auto& [word, provisional] : given) {
    const uint32_t id = final_ids[provisional];
    if (id == kUnknownWord) continue;
    right &= vocabulary.words[id] == word;
    occurrences[id]++;
  }
  CHECK(right);
  CHECK(occurrences == vocabulary.counts);
}

TEST_CASE("a counter of very few words holds no more and goes on counting") {
  for (uint32_t max_words = 1; max_words <= 9; max_words++) {
    CAPTURE(max_words);
    WordCounter counter(max_words * WordCounter::Bytes(test::Word(10).size()));
    std::vector<uint32_t> final_ids;
    uint32_t largest = 0;
    Random random(max_words);
    for (int i = 0; i < 2000; i++) {
      // one word is too frequent to be dropped, so that pruning must go on to make room
      counter.Add(test::Word(random.Below(8) > 0 ? 0 : random.Below(30)));
      largest = std::max(largest, counter.Select(1, 100, &final_ids).size());
    }
    CHECK(largest <= max_words);
    CHECK(counter.token_count() == 2000);
  }
}

}  // namespace
}  // namespace s2v
