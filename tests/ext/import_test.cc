// s2v import and s2v export: what they read and write, equal to what the formats' own rules give,
// and what becomes of files that are cut off, lie, or are damaged.
#include <sys/resource.h>

#include <cmath>
#include <map>

#include "core/error.h"
#include "core/random.h"
#include "ext/import/byte_file.h"
#include "ext/import/vector_file.h"
#include "tests/support/failing_memory.h"
#include "tests/support/process.h"

namespace s2v::testing {
namespace {

template <typename T>
void Append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// The i-th number of row r of a made matrix.
float Made(uint64_t r, uint64_t i) {
  return static_cast<float>(static_cast<int64_t>((r * 37 + i * 11) % 41) - 20) / 8;
}

constexpr uint32_t kDimension = 3;
void AppendRow(std::string* bytes, uint64_t r) {
  for (uint64_t i = 0; i < kDimension; i++) Append(bytes, Made(r, i));
}
const std::vector<std::string> kTextWords = {"the", "red", "fox", "s\xc3\xa9"};

// A .bin of fastText or sent2vec (ext/import/vector_file.h): the rows of words and buckets are
// Made.
struct TrainedFileBytes {
  int32_t model = 4, order = 1, buckets = 0, least_characters = 0, most_characters = 0,
          version = 11;
  std::vector<std::string> words = {"<PLACEHOLDER>", "the", "red", "</s>", "fox"};

  std::string Bytes() const {
    std::string bytes;
    const auto count = static_cast<int32_t>(words.size());
    for (const int32_t number :
         {793712314, version, static_cast<int32_t>(kDimension), 5, 5, 1, 10, order, 2, model,
          buckets, least_characters, most_characters, 100}) {
      Append(&bytes, number);
    }
    Append(&bytes, 1e-4);
    for (const int32_t number : {count, count, 0}) Append(&bytes, number);
    Append(&bytes, int64_t{40});
    Append(&bytes, int64_t{-1});
    for (int32_t i = 0; i < count; i++) {
      bytes += words[static_cast<size_t>(i)] + '\0';
      Append(&bytes, int64_t{i == 0 ? 0 : 10 - i});
      bytes += '\0';
    }
    const int64_t rows = count + buckets;
    for (const int64_t matrix_rows : {rows, int64_t{1}}) {
      bytes += '\0';
      Append(&bytes, matrix_rows);
      Append(&bytes, int64_t{kDimension});
      for (int64_t r = 0; r < matrix_rows; r++) AppendRow(&bytes, static_cast<uint64_t>(r));
    }
    return bytes;
  }
};

std::string Word2vecBytes() {
  std::string bytes = "4 3\n";
  for (size_t r = 0; r < kTextWords.size(); r++) {
    bytes += kTextWords[r] + " ";
    AppendRow(&bytes, r);
    bytes += "\n";
  }
  return bytes;
}

std::string VecBytes(bool with_head) {
  std::string bytes = with_head ? "4 3\n" : "";
  for (size_t r = 0; r < kTextWords.size(); r++) {
    bytes += kTextWords[r];
    for (uint64_t i = 0; i < kDimension; i++) bytes += " " + std::to_string(Made(r, i));
    bytes += with_head ? " \n" : "\n";
  }
  return bytes;
}

// One of two files of a static model of four pieces, by name.
constexpr char kTokenizerJson[] =
    R"({"added_tokens":[{"id":0,"content":"[UNK]","special":true}],"normalizer":{"type":"BertNormalizer",)"
    R"("clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},)"
    R"("pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]",)"
    R"("continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"fox":1,"##es":2,"red":3}}})";
std::string TensorBytes(const std::string& name = "embeddings") {
  const std::string head =
      "{\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[0,48]}}";
  std::string bytes;
  Append(&bytes, uint64_t{head.size()});
  bytes += head;
  for (uint64_t r = 0; r < 4; r++) AppendRow(&bytes, r);
  return bytes;
}

// Every file that the tests damage, by the name that it has. A static model has a whole one beside
// it.
std::map<std::string, std::string> AllFormats() {
  const TrainedFileBytes bigrams{.order = 2, .buckets = 7},
      characters{.model = 2, .buckets = 11, .least_characters = 2, .most_characters = 3};
  return {{"vec", VecBytes(true)},
          {"word2vec", Word2vecBytes()},
          {"sent2vec", bigrams.Bytes()},
          {"fasttext", characters.Bytes()},
          {"model.safetensors", TensorBytes()},
          {"tokenizer.json", kTokenizerJson}};
}

// Reads a file of AllFormats that now holds these bytes; "" or the error.
std::string ReadError(const Folder& folder, const std::string& name, const std::string& bytes) {
  const bool is_static = Contains(name, ".");
  if (is_static) {
    WriteFile(folder.File("model.safetensors"), TensorBytes());
    WriteFile(folder.File("tokenizer.json"), kTokenizerJson);
  }
  WriteFile(folder.File(name), bytes);
  const std::string path = is_static ? folder.File("") : folder.File(name);
  const std::string format = is_static ? "model2vec" : name;
  try {
    Database db(":memory:");
    const auto file = OpenVectorFile(db.get(), path, format);
    Vocabulary vocabulary;
    file->ReadWords(1000000, &vocabulary, [](double) {});
    for (uint64_t i = 0; i < vocabulary.size() + file->bucket_count; i++) {
      const float* row = file->Row(i);
      for (uint32_t k = 0; k < file->dimension; k++) REQUIRE(std::isfinite(row[k]));
    }
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

std::vector<double> NumbersOf(std::string json) {
  std::vector<double> numbers;
  for (char& c : json) {
    if (c == '[' || c == ',' || c == ']') c = ' ';
  }
  std::istringstream in(json);
  for (double number; in >> number;) numbers.push_back(number);
  return numbers;
}

// The raw embedding by a model 'm'.
std::vector<double> RawOf(Database* db, const std::string& text) {
  return NumbersOf(db->Text("SELECT s2v_to_json(s2v_embed('" + text + "', 'm', 'raw'))"));
}
// That it is the mean of these rows of the made matrix.
void CheckMeanOf(Database* db, const std::string& text, const std::vector<uint64_t>& rows) {
  INFO(text);
  const std::vector<double> found = RawOf(db, text);
  REQUIRE(found.size() == kDimension);
  for (uint64_t i = 0; i < kDimension; i++) {
    double sum = 0;
    for (const uint64_t row : rows) sum += static_cast<double>(Made(row, i));
    CHECK(found[i] == doctest::Approx(sum / static_cast<double>(rows.size())).epsilon(1e-6));
  }
}

// A database with one imported model 'm'.
class Imported {
 public:
  explicit Imported(const std::string& bytes, const Arguments& more = {}) {
    { Database(path()).Exec("CREATE TABLE t(x)"); }
    WriteFile(folder_.File("vectors"), bytes);
    const Arguments arguments = {"import", path(), folder_.File("vectors"), "--model", "m"};
    outcome_ = s2v::testing::Run(arguments + more).Done();
  }
  std::string path() const { return folder_.File("a.db"); }
  const Outcome& outcome() const { return outcome_; }
  const Folder& folder() const { return folder_; }
  std::vector<double> Raw(const std::string& text) const {
    Database db(path());
    return RawOf(&db, text);
  }
  void CheckMean(const std::string& text, const std::vector<uint64_t>& rows) const {
    Database db(path());
    CheckMeanOf(&db, text, rows);
  }

 private:
  const Folder folder_;
  Outcome outcome_;
};

TEST_CASE("text and binary word vectors are imported as they are, whatever recognises them") {
  for (const auto& [bytes, format] : {std::pair{VecBytes(true), "vec"},
                                      {VecBytes(false), "vec"},
                                      {Word2vecBytes(), "word2vec"}}) {
    const Imported model(bytes, {"--json"});
    REQUIRE(model.outcome().code == 0);
    CHECK(Contains(
        model.outcome().out,
        "\"format\":\"" + std::string(format) +
            "\",\"dimension\":3,\"words\":4,\"skipped\":0,\"ngrams\":0,\"tokenizer\":\"unicode\",\"reachable\":4,"));
    model.CheckMean("The FOX", {0, 2});
    model.CheckMean("red unknown s\xc3\xa9", {1, 3});
    Database db(model.path());
    CHECK(db.Text("SELECT word FROM s2v_nearest_words('red', 1, 'm')") == "red");
    CHECK(db.Text("SELECT corpus FROM s2v_models") ==
          "{\"imported\":{\"file\":\"vectors\",\"format\":\"" + std::string(format) + "\"}}");
    CHECK(Contains(db.Error("SELECT s2v_update('m')"),
                   "does not tell which table it was trained on, as imported ones do not"));
  }
}

TEST_CASE(
    "a model of the authors' program embeds by its rule: ids of words, n-grams across unknown words") {
  TrainedFileBytes file;
  const Imported words(file.Bytes());
  REQUIRE(words.outcome().code == 0);
  words.CheckMean("the fox the", {1, 4, 1});
  CHECK(Database(words.path()).Text("SELECT version || ' ' || compatible_version FROM s2v_model") ==
        "2 2");
  file.order = 3;
  file.buckets = 7;
  const Imported ngrams(file.Bytes());
  REQUIRE(ngrams.outcome().code == 0);
  const auto bucket = [](std::vector<uint64_t> ids) {
    uint64_t hash = ids[0];
    for (size_t i = 1; i < ids.size(); i++) hash = hash * 116049371 + ids[i];
    return 5 + hash % 7;
  };
  ngrams.CheckMean("red", {2});
  ngrams.CheckMean("the unknown red", {1, 2, bucket({1, 2})});
  ngrams.CheckMean("the red fox", {1, 2, 4, bucket({1, 2}), bucket({2, 4}), bucket({1, 2, 4})});
  Database db(ngrams.path());
  CHECK(db.Text("SELECT version || ' ' || compatible_version FROM s2v_model") == "3 3");
  CHECK(
      db.Text(
          "SELECT group_concat(token || ':' || known, ',') FROM s2v_tokens('the unknown red', 'm')") ==
      "the:1,unknown:0,red:1,the red:1");
  // What their program uses in training alone is nowhere near.
  CHECK(
      db.Text(
          "SELECT group_concat(word, ' ') FROM (SELECT word FROM s2v_nearest_words('red', 10, 'm') ORDER BY word)") ==
      "fox red the");
  CHECK(Contains(db.Error("SELECT s2v_convert('m', 'n', 'int8', 3)"),
                 "go by the numbers of its words"));
  db.Exec("SELECT s2v_convert('m', 'm', 'int8')");
  const std::vector<double> exact = RawOf(&db, "the red fox");
  CHECK(exact[0] ==
        doctest::Approx((Made(1, 0) + Made(2, 0) + Made(4, 0) + Made(bucket({1, 2}), 0) +
                         Made(bucket({2, 4}), 0) + Made(bucket({1, 2, 4}), 0)) /
                        6)
            .epsilon(0.02));
}

TEST_CASE("a word of fastText is the mean of its row and those of its characters' n-grams") {
  const TrainedFileBytes file{.model = 2,
                              .buckets = 11,
                              .least_characters = 2,
                              .most_characters = 3,
                              .version = 12,
                              .words = {"</s>", "\xc3\xa9t"}};
  const Imported model(file.Bytes());
  REQUIRE(model.outcome().code == 0);
  std::vector<uint64_t> rows = {1};
  const auto row_of = [](const std::string& ngram) -> uint64_t {
    uint32_t hash = 2166136261u;
    for (const char c : ngram)
      hash = (hash ^ static_cast<uint32_t>(static_cast<signed char>(c))) * 16777619u;
    return 2 + hash % 11;
  };
  for (const char* ngram : {"<\xc3\xa9", "<\xc3\xa9t", "\xc3\xa9t", "\xc3\xa9t>", "t>"})
    rows.push_back(row_of(ngram));
  model.CheckMean("\xc3\xa9t", rows);
  // Another word is the mean of its n-grams' rows; beside a known one both count the same.
  Database db(model.path());
  CHECK(db.Text("SELECT tokenizer || ' ' || version FROM s2v_model") ==
        "characters(2,3,unicode) 3");
  // Its index cuts words as the profile within does.
  const Imported german(file.Bytes(), {"--tokenizer", "html:german"});
  Database index(german.path());
  index.Exec(
      "INSERT INTO t VALUES('<b>die</b> Häuser'); CREATE VIRTUAL TABLE s USING s2v_index(t, x)");
  CHECK(Contains(index.Text("SELECT value FROM s_config WHERE name = 'tokenize'"), "html:german"));
  CHECK(Contains(
      index.Error("SELECT s2v_train('t', 'x', '{\"tokenizer\":\"characters(2,3,html:german)\"}')"),
      "no tokenizer"));
  model.CheckMean("ab", {row_of("<a"), row_of("<ab"), row_of("ab"), row_of("ab>"), row_of("b>")});
  CHECK(
      db.Text(
          "SELECT group_concat(token || known || (weight IS NOT NULL)) FROM s2v_tokens('ab \xc3\xa9t', 'm')") ==
      "ab11,\xc3\xa9t11");
  const std::vector<double> both = model.Raw("ab \xc3\xa9t"), made = model.Raw("ab"),
                            known = model.Raw("\xc3\xa9t");
  for (size_t i = 0; i < kDimension; i++)
    CHECK(both[i] == doctest::Approx((made[i] + known[i]) / 2));
  CHECK(
      db.Int(
          "SELECT abs(sum(share) - s2v_cosine('ab x', '\xc3\xa9t ab')) < 1e-6 FROM s2v_explain('ab x', '\xc3\xa9t ab', 'm')") ==
      1);
}

TEST_CASE("the first words alone, as int8, with weights by their counts") {
  const TrainedFileBytes file{.order = 2, .buckets = 7};
  const Imported model(file.Bytes(),
                       {"--max-words", "3", "--element", "int8", "--smoothing", "0.01"});
  REQUIRE(model.outcome().code == 0);
  CHECK(Contains(model.outcome().out,
                 "model 'm', the default: 3 words, 7 buckets of n-grams, dimension 3"));
  CHECK(Contains(model.outcome().error,
                 "sent2vec: about 3 words of dimension 3, 7 buckets of n-grams; about "));
  Database db(model.path());
  CHECK(db.Text("SELECT group_concat(word) FROM s2v_words('m')") == "<PLACEHOLDER>,the,red");
  CHECK(db.Text("SELECT element || ' ' || round(smoothing, 6) || ' ' || tokens FROM s2v_model") ==
        "int8 0.01 40");
}

TEST_CASE("words that cannot be found are left out, and said") {
  const Imported model("5 2\nred 1 2\nnew york 3 4\nred 5 6\nFox 7 8\n" + std::string(65537, 'x') +
                       " 9 9\n");
  CHECK(model.outcome().code == 0);
  CHECK(Contains(
      model.outcome().out,
      "3 words were left out: met before, with a blank, of more than 65536 bytes, or special ones\n"));
  CHECK(Contains(model.outcome().out,
                 "of its words, 1 are what the tokenizer 'unicode' makes of them\n"));
  CHECK(Database(model.path()).Text("SELECT s2v_to_json(s2v_embed('red', 'm', 'raw'))") == "[1,2]");
}

TEST_CASE("what is exported is imported again as it was") {
  const TestFile file;
  file.Trained({"--ngram-order", "2"});
  const std::string db_path = file.path();
  Database db(db_path);
  const auto write = [&](const std::string& name, const std::string& format) {
    return Run({"export", db_path, "docs", file.folder() + "/" + name, "--format", format}).Done();
  };
  const char kRows[] = "SELECT group_concat(word || hex(vector)) FROM s2v_words('";
  const std::string rows = db.Text(std::string(kRows) + "docs')");
  for (const std::string format : {"vec", "word2vec"}) {
    const std::string path = file.folder() + "/" + format;
    const Outcome written = write(format, format);
    CHECK(written.code == 0);
    CHECK(Contains(written.error, "': 60 words of dimension 12\n"));
    CHECK(Contains(written.error, " n-grams have no place in it\n"));
    CHECK(Run({"import", db_path, path, "--model", format, "--quiet"}).Done().code == 0);
    CHECK(db.Text(kRows + format + "')") == rows);
  }
  REQUIRE(write("json", "json").code == 0);
  const std::string json = ReadFile(file.folder() + "/json");
  CHECK(
      FromSql(
          db,
          "(SELECT group_concat((value ->> 'word') || hex(s2v_from_json(value -> 'vector'))) FROM json_each(?1, '$.words'))",
          json) == rows);
  CHECK(FromSql(db, "(SELECT group_concat(value ->> 'count') FROM json_each(?1, '$.words'))",
                json) == db.Text("SELECT group_concat(count) FROM s2v_words('docs')"));

  REQUIRE(write("model.safetensors", "safetensors").code == 0);
  // Again, but no other one beside it.
  CHECK(write("model.safetensors", "safetensors").code == 0);
  const Outcome beside = write("other.safetensors", "safetensors");
  CHECK(beside.code == 1);
  CHECK(Contains(beside.error, "tokenizer.json' is there already"));
  const std::string tensors = ReadFile(file.folder() + "/model.safetensors");
  uint64_t head = 0;
  std::memcpy(&head, tensors.data(), sizeof(head));
  REQUIRE(head % 8 == 0);
  const std::string head_json = tensors.substr(8, head);
  CHECK(FromSql(db, "?1 ->> '$.embeddings.shape[0]'", head_json) == "60");
  CHECK(FromSql(db, "?1 ->> '$.embeddings.data_offsets[1]'", head_json) ==
        std::to_string(60 * 12 * 4));
  CHECK(tensors.size() == 8 + head + 60 * 12 * 4);
  const std::string tokenizer = ReadFile(file.folder() + "/tokenizer.json");
  CHECK(FromSql(db, "(SELECT group_concat(key) FROM json_each(?1, '$.model.vocab') ORDER BY value)",
                tokenizer) == db.Text("SELECT group_concat(word) FROM s2v_words('docs')"));
  float first = 0;
  std::memcpy(&first, tensors.data() + 8 + head, sizeof(first));
  CHECK(first == static_cast<float>(NumbersOf(
                     db.Text("SELECT s2v_to_json(vector) FROM s2v_words('docs') LIMIT 1"))[0]));
}

TEST_CASE("every format has bytes that the tests damage") {
  const auto bytes = AllFormats();
  for (const VectorFormat& format : VectorFormats()) {
    CAPTURE(std::string(format.name));
    // whose file is model.safetensors
    CHECK((bytes.contains(std::string(format.name)) || format.name == "model2vec"));
  }
}

TEST_CASE(
    "text may begin with a byte order mark and have tabs; what is no text, and lines that the first one does not tell of, are refused") {
  const Folder folder;
  const std::string rows = "harbour 0.1 0.2\nstorm -0.5 0.25\nsnow 0.5 0.5\n",
                    mark = "\xEF\xBB\xBF";
  std::string tabs = rows;
  std::replace(tabs.begin(), tabs.end(), ' ', '\t');
  for (const std::string& bytes :
       {mark + "3 2\n" + rows, mark + rows, "3\t2\n" + tabs, "3\t2\r\n" + rows}) {
    CAPTURE(bytes);
    const Imported model(bytes);
    CHECK(model.outcome().code == 0);
    CHECK(Database(model.path()).Text("SELECT group_concat(word) FROM s2v_words('m')") ==
          "harbour,storm,snow");
  }
  std::string many = "20000\t3\n";
  for (int i = 0; i < 20000; i++)
    many += "word" + std::to_string(i) + "\t0.123456789012345678\t0.123456789012345678\t-0.5\n";
  CHECK(Imported(many).outcome().code == 0);
  CHECK(Contains(ReadError(folder, "vec", "-3 2\n" + rows),
                 "byte 5: 3 of 4 lines have more than a word and 1 numbers"));
  CHECK(Contains(ReadError(folder, "vec", "0.1 0.2\n" + rows), "lines have more than"));
  CHECK(Contains(ReadError(folder, "auto", "2 2\nsnow 0,5 2\nrain 1 2\n"),
                 "a finite number expected"));
  CHECK(Contains(ReadError(folder, "word2vec", Word2vecBytes() + Word2vecBytes()),
                 "more than the 4 words of the first line"));
  const std::pair<std::string, const char*> others[] = {
      {"\x1F\x8B\x08 2\n" + rows, "byte 0: the file is packed: gunzip it first"},
      {"\xFF\xFE" + rows, "byte 0: the file is UTF-16, UTF-8 is expected: iconv"}};
  for (const auto& [bytes, error] : others)
    CHECK(Contains(ReadError(folder, "auto", bytes), error));
}

TEST_CASE("a file that is cut off anywhere is refused, with the byte, and leaves nothing behind") {
  const Folder folder;
  for (const auto& file : AllFormats()) {
    const auto& format = file.first;
    const auto& bytes = file.second;
    for (size_t size = 0; size < bytes.size(); size++) {
      // Without its line ends a line of numbers may be whole.
      if (format == "word2vec" && size + 1 == bytes.size()) continue;
      const std::string error = ReadError(folder, format, bytes.substr(0, size));
      INFO(format, " cut to ", size, ": ", error);
      CHECK(Contains(error, "': byte "));
    }
    CHECK(ReadError(folder, format, bytes) == "");
    if (Contains(format, ".")) continue;
    const Imported cut(bytes.substr(0, bytes.size() - 5));
    CHECK(cut.outcome().code == 1);
    CHECK(Contains(cut.outcome().error, "': byte "));
    CHECK(Database(cut.path()).Count("sqlite_schema WHERE name LIKE 's2v%'") == 0);
  }
}

TEST_CASE("a bad number in the last row undoes what was stored") {
  std::string bytes = Word2vecBytes();
  const float nan = NAN;
  bytes.replace(bytes.size() - 5, 4, reinterpret_cast<const char*>(&nan), 4);
  const Imported model(bytes);
  CHECK(model.outcome().code == 1);
  CHECK(Contains(model.outcome().error,
                 "byte " + std::to_string(bytes.size() - 5) + ": a number that is not finite"));
  CHECK(Database(model.path()).Count("sqlite_schema WHERE name LIKE 's2v%'") == 0);
  const Imported text("2 2\nred 1 2\nfox 1 inf\n");
  CHECK(Contains(text.outcome().error, "byte 18: a finite number expected"));
  const Imported large("2 2\nred 1 2\nfox 1 1e400\n");
  CHECK(Contains(large.outcome().error, "byte 18: a finite number expected"));
}

// Of this process and what it starts.
class AddressSpace {
 public:
  explicit AddressSpace(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &former_);
    const struct rlimit limit = {bytes, former_.rlim_max};
    if (!kSanitized) setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpace() { setrlimit(RLIMIT_AS, &former_); }

 private:
  struct rlimit former_ {};
};

TEST_CASE("sizes that a file claims take no memory") {
  struct Case {
    std::string bytes, message;
  };
  std::vector<Case> cases = {
      {"9000000000 4096\nred 1", "byte 0: 9000000000 words, more than the file has room for"},
      {"2000000000 300\nw 1 2\n", "byte 0: 2000000000 words, more than the file has room for"},
      {"5 99999\nred 1\n", "byte 0: vectors of dimension 99999, where 1 to 4096 can be"}};
  const TrainedFileBytes file{.order = 2, .buckets = 7};
  const auto with = [&](size_t place, auto value, const std::string& message) {
    std::string bytes = file.Bytes();
    bytes.replace(place, sizeof(value), reinterpret_cast<const char*>(&value), sizeof(value));
    cases.push_back({bytes, message});
  };
  size_t matrix = 92;
  for (const std::string& word : file.words) matrix += word.size() + 10;
  with(8, int32_t{-1}, "byte 8: vectors of dimension");
  with(28, int32_t{17}, "byte 28: n-grams of up to 17 words");
  with(40, int32_t{2000000000},
       "byte " + std::to_string(matrix + 1) + ": 12 rows, where at least 2000000005 are expected");
  with(64, int32_t{2000000000}, "byte 64: 2000000000 entries, more than the file has room for");
  with(68, int32_t{6}, "byte 68: more words than entries");
  with(84, int64_t{5}, "byte 84: a pruned dictionary");
  with(matrix, int8_t{1}, "a quantised matrix, which is not read");
  with(matrix + 1, int64_t{1} << 61,
       "byte " + std::to_string(matrix + 1) +
           ": 2305843009213693952 rows, more than the file has room for");
  with(matrix + 9, int64_t{4}, "4 columns, where 3 are expected");
  for (const Case& c : cases) {
    const AddressSpace limit(rlim_t{700} << 20);
    const Imported model(c.bytes);
    INFO(model.outcome().error);
    CHECK(model.outcome().code == 1);
    CHECK(Contains(model.outcome().error, "': byte "));
    CHECK(Contains(model.outcome().error, c.message));
  }
}

// A static model in a folder, and s2v_import of it into a database in memory.
class StaticModel {
 public:
  explicit StaticModel(const std::string& tokenizer = kTokenizerJson,
                       const std::string& tensors = TensorBytes()) {
    WriteFile(folder_.File("model.safetensors"), tensors);
    WriteFile(folder_.File("tokenizer.json"), tokenizer);
  }
  std::string Import(const std::string& more = "") const {
    return "SELECT s2v_import('" + folder_.File("") + "', 'm'" + more + ")";
  }
  std::string Error() { return db.Error(Import()); }
  Database db;

 private:
  const Folder folder_;
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a static model embeds the mean of its pieces' rows, in SQL alone") {
  StaticModel model;
  const std::string summary = model.db.Text(model.Import());
  CHECK(Contains(summary,
                 R"x("format":"model2vec","dimension":3,"words":3,"skipped":1,"ngrams":0,)x"
                 R"x("tokenizer":"wordpiece(clean,han,accents,lower)","reachable":3,)x"));
  CHECK(
      model.db.Text(
          "SELECT group_concat(token || ':' || known, ' ') FROM s2v_tokens('Red FOXES, foxy', 'm')") ==
      "red:1 fox:1 ##es:1 ,:0 foxy:0");
  CheckMeanOf(&model.db, "Red FOXES", {1, 2, 3});
  CHECK(model.db.Int("SELECT s2v_embed('foxy', 'm') IS NULL") == 1);
  // The index cuts its texts the same way; what trains does not take such a profile.
  model.db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); INSERT INTO docs VALUES (1, 'red'), (2, 'foxes')");
  model.db.Exec("CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body, model = 'm')");
  CHECK(model.db.Int("SELECT rowid FROM docs_search('some foxes', 1)") == 2);
  CHECK(Contains(
      model.db.Error("SELECT s2v_train('docs', 'body', '{\"tokenizer\":\"wordpiece(lower)\"}')"),
      "no tokenizer 'wordpiece(lower)'"));
}

TEST_CASE("an unknown word of StaticEmbedding counts as the unknown piece") {
  StaticModel model(kTokenizerJson, TensorBytes("embedding.weight"));
  model.db.Exec(model.Import());
  CheckMeanOf(&model.db, "foxy red", {0, 3});
}

TEST_CASE("what of a static model is not read is said, and nothing is stored") {
  const auto json = [](const std::string& from, const std::string& to) {
    return Replaced(kTokenizerJson, from, to);
  };
  std::string many = "{\"type\":\"Strip\"}";
  for (int i = 0; i < 100; i++) many += ",{\"type\":\"Strip\"}";
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const std::pair<std::string, std::string> tokenizers[] = {
      {"", "malformed JSON"},
      {"[]", "a model of type '' behind the pre-tokeniser ''"},
      {deep, "JSON"},
      {json("\"WordPiece\"", "\"BPE\""),
       "a model of type 'BPE' behind the pre-tokeniser 'BertPreTokenizer', which is not read"},
      {json("BertPreTokenizer", "ByteLevel"), "behind the pre-tokeniser 'ByteLevel'"},
      {json("\"BertNormalizer\"", "\"ByteLevel\""), "a normaliser 'ByteLevel'"},
      {json("{\"type\":\"BertNormalizer\"",
            "{\"type\":\"Sequence\",\"normalizers\":[" + many + "]"),
       "so many normalisers, which"},
      {json("\"##\"", "\"@@\""), "another prefix than ##"},
      {json("\"red\":3", "\"red\":4"), "piece 'red' has number 4 of 4"},
      {json("\"red\":3", "\"red\":-1"), "a piece whose number is none"},
      {json("\"red\":3", "\"red\":\"3\""), "a piece whose number is none"},
      {json("{\"[UNK]\":0,\"fox\":1,\"##es\":2,\"red\":3}", "{}"), "has no words"},
      {json("{\"type\":\"BertPreTokenizer\"},\"model\":{\"type\":\"WordPiece\"",
            "{\"type\":\"Metaspace\",\"replacement\":\"_\"},\"model\":{\"type\":\"Unigram\""),
       "another mark than U+2581"},
  };
  for (const auto& [tokenizer, message] : tokenizers) {
    StaticModel model(tokenizer);
    const std::string error = model.Error();
    INFO(error);
    CHECK(Contains(error, message));
    CHECK(model.db.Count("sqlite_schema") == 0);
  }
  StaticModel large(std::string((32 << 20) + 1, ' '));
  CHECK(Contains(large.Error(), "/tokenizer.json': byte 33554432: more than 32 MB of JSON"));
  const auto head = [](const std::string& from, const std::string& to) {
    return Replaced(TensorBytes(), from, to);
  };
  const std::pair<std::string, std::string> tensors[] = {
      {head("embeddings", "embeddingz"), "byte 8: no tensor 'embeddings'"},
      {head("F32", "F8_"), "byte 8: tensor 'embeddings' of type 'F8_'"},
      {head("[4,3]", "[3,4]"), "piece 'red' has number 3 of 3"},
      {head("[4,3]", "[4,0]"), "byte 8: vectors of dimension 0"},
      {head("[4,3]", "[9,3]"), "byte 8: tensor 'embeddings' has not the bytes of its shape"},
      {head("[4,3]", "[12]"), "byte 8: tensor 'embeddings' has an impossible shape"},
      {head("[0,48]", "[0,96]"), "the end, where tensor 'embeddings' is expected to end at byte"},
      {head("[0,48]", "[-8,4]"), "byte 8: tensor 'embeddings' has an impossible shape"},
      {std::string(8, '\xff'), "byte 0: a head of 18446744073709551615 bytes"},
  };
  for (const auto& [bytes, message] : tensors) {
    StaticModel model(kTokenizerJson, bytes);
    const std::string error = model.Error();
    INFO(error);
    CHECK(Contains(error, message));
    CHECK(model.db.Count("sqlite_schema") == 0);
  }
}

TEST_CASE(
    "s2v_import says what is wrong with its arguments, and may be called by the application alone") {
  StaticModel model;
  Database& db = model.db;
  const std::pair<std::string, std::string> cases[] = {
      {"SELECT s2v_import(NULL, 'm')", "a file and a name are needed"},
      {"SELECT s2v_import('a.vec', NULL)", "a file and a name are needed"},
      {"SELECT s2v_import('', 'm')", "cannot read ''"},
      {"SELECT s2v_import('/dev/null', 'm')", "'/dev/null' is not a file"},
      {"SELECT s2v_import(x'61', 'm')", "path is a BLOB"},
      {"SELECT s2v_import('a' || char(0), 'm')", "U+0000"},
      {"SELECT s2v_import(cast(x'ff' AS TEXT), 'm')", "cannot read '"},
      {"SELECT s2v_import(printf('%.*c', 100000, 'a'), 'm')", "File name too long"},
      {"SELECT s2v_import('/no/such.vec', 'm')", "cannot read '/no/such.vec': No such file"},
      {"SELECT s2v_import('a.vec', '')", "a model's name is empty"},
      {"SELECT s2v_import('a.vec', 'nope.m')", "cannot read"},
      {model.Import(", 'x'"), "options are not a JSON object"},
      {model.Import(R"(, '{"form":1}')"),
       "no option 'form'; there are format, element, tokenizer, max_words, smoothing"},
      {model.Import(R"(, '{"format":"onnx"}')"), "no format 'onnx'"},
      {model.Import(R"(, '{"max_words":"many"}')"),
       "max_words: a whole number expected, not 'many'"},
      {model.Import(R"(, '{"max_words":0}')"), "max_words: 1 or more expected"},
      {model.Import(R"(, '{"smoothing":2}')"), "smoothing: from 1e-9 to 1 expected"},
      {model.Import(R"(, '{"element":"int4"}')"), "no element 'int4'"},
      {model.Import(R"(, '{"tokenizer":"unicode"}')"),
       "tokenizer: the file has its own, wordpiece("},
      {model.Import(R"x(, '{"tokenizer":"wordpiece(lower)"}')x"),
       "no tokenizer 'wordpiece(lower)'"},
  };
  for (const auto& one : cases) {
    const auto& sql = one.first;
    const auto& message = one.second;
    const std::string error = db.Error(sql);
    INFO(sql, ": ", error);
    CHECK(Contains(error, message));
  }
  db.Exec("CREATE VIEW reads AS " + model.Import());
  CHECK(Contains(db.Error("SELECT * FROM reads"), "unsafe use of s2v_import"));
  db.Exec("DROP VIEW reads");
  CHECK(db.Count("sqlite_schema") == 0);
  db.Exec("ATTACH ':memory:' AS aux");
  db.Exec(Replaced(model.Import(R"(, '{"element":"int8","max_words":2}')"), "'m'", "'aux.m'"));
  CHECK(db.Text("SELECT schema || ' ' || words || ' ' || element FROM s2v_models") == "aux 2 int8");
}

TEST_CASE("an import that is interrupted, or finds no memory, leaves nothing behind") {
  std::string bytes = "60000 2\n";
  for (int i = 0; i < 60000; i++) bytes += "w" + std::to_string(i) + " 1 2\n";
  const Folder folder;
  WriteFile(folder.File("a.vec"), bytes);
  Database db;
  int left = 40;
  sqlite3_progress_handler(
      db.get(), 100, [](void* count) { return static_cast<int>(--*static_cast<int*>(count) < 0); },
      &left);
  CHECK(
      Contains(db.Error("SELECT s2v_import('" + folder.File("a.vec") + "', 'm')"), "interrupted"));
  sqlite3_progress_handler(db.get(), 0, nullptr, nullptr);
  CHECK(db.Count("sqlite_schema") == 0);
  const StaticModel model;
  const std::string sql = model.Import();
  int64_t n = 1;
  for (bool fired = true; fired; n++) {
    Database fresh;
    MemoryFault fault(n, false);
    const int code = sqlite3_exec(fresh.get(), sql.c_str(), nullptr, nullptr, nullptr);
    fault.Stop();
    fired = fault.Fired();
    CAPTURE(n);
    // SQLite survives some failures.
    CHECK((code == SQLITE_OK || code == SQLITE_NOMEM));
    // The summary is written once the model is stored.
    const bool stored = fresh.Count("sqlite_schema") != 0;
    CHECK((stored || code == SQLITE_NOMEM));
    if (stored) CHECK(fresh.Int("SELECT s2v_embed('foxes') IS NOT NULL") == 1);
  }
  CHECK(n > 300);
}

TEST_CASE("damaged files are refused or read, never more") {
  const Folder folder;
  Random random(1);
  for (const auto& [format, bytes] : AllFormats()) {
    for (int round = 0; round < 2000; round++) {
      std::string damaged = bytes;
      for (uint64_t n = 1 + random.Next() % 3; n > 0; n--) {
        damaged[random.Next() % damaged.size()] =
            static_cast<char>(random.Next() % 4 == 0 ? 0xff : random.Next());
      }
      const std::string error = ReadError(folder, format, damaged);
      INFO(error);
      CHECK((error.empty() || Contains(error, "': byte ")));
    }
  }
}

#ifndef _WIN32
TEST_CASE(
    "an export writes what a link leads to, keeps its permissions, and leaves a device what it is") {
  const TestFile file;
  file.Trained();
  const std::filesystem::path real = file.folder() + "/real", link = file.folder() + "/link";
  WriteFile(real.string(), "before");
  std::filesystem::permissions(
      real, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink(real, link);
  const auto write = [&](const std::string& path) {
    return Run({"export", file.path(), "docs", path, "--format", "vec", "--quiet"}).Done().code;
  };
  CHECK(write(link.string()) == 0);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(ReadFile(real.string()).starts_with("60 12\n"));
  CHECK(std::filesystem::status(real).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(write("/dev/null") == 0);
  CHECK(std::filesystem::is_character_file("/dev/null"));
}
#endif

TEST_CASE("s2v import and s2v export refuse what cannot be") {
  const TestFile file;
  file.Trained();
  const std::string hash = file.Hash(), db = file.path(), vectors = file.folder() + "/a.vec";
  WriteFile(vectors, VecBytes(true));
  std::vector<Refusal> refusals = {
      {{"import", db}, 2, "FILE is required"},
      {{"import", db, vectors}, 2, "--model is required"},
      {{"import", db, vectors, "--model", "a", "--format", "onnx"},
       2,
       "no format 'onnx'; there are auto, " + NamesOf(VectorFormats(), &VectorFormat::name)},
      {{"import", db, vectors, "--model", "a", "--max-words", "0"},
       2,
       "max_words: 1 or more expected"},
      {{"import", db, vectors, "--model", "a", "--smoothing", "0.01"}, 1, "the file has no counts"},
      {{"import", db, vectors, "--model", "a", "--tokenizer", "penn"}, 2, "no tokenizer 'penn'"},
      {{"import", db, vectors, "--model", "a", "--format", "sent2vec"},
       1,
       "byte 0: not a .bin of fastText or sent2vec"},
      {{"import", db, file.folder(), "--model", "a"}, 1, "/model.safetensors': No such file"},
      {{"import", db, vectors + "x", "--model", "a"}, 1, "cannot read"},
      {{"import", db + "x", vectors, "--model", "a"}, 1, "a database is never created"},
      {{"export", db, "docs", vectors},
       2,
       "--format is required, one of vec, word2vec, json, safetensors"},
      {{"export", db, "docs", vectors, "--format", "x"},
       2,
       "no format 'x'; there are vec, word2vec, json, safetensors"},
      {{"export", db, "nope", vectors, "--format", "vec"}, 1, "no model 'nope'"},
      {{"export", db, "docs", file.folder() + "/no/a.vec", "--format", "vec"}, 1, "cannot write"},
      {{"export", db, "docs", db, "--format", "vec"}, 2, "is the database itself"},
      {{"export", db, "docs", file.folder() + "/link", "--format", "json"},
       2,
       "is the database itself"},
      {{"export", db, "docs", db + "-wal", "--format", "vec"}, 2, "has a part of it"},
      {{"export", db, "docs",
        file.folder() + "/../" + std::filesystem::path(file.folder()).filename().string() + "/" +
            std::filesystem::path(db).filename().string() + "-journal",
        "--format", "vec"},
       2,
       "has a part of it"},
      {{"report", db, "-o", db + "-wal"}, 2, "has a part of it"},
  };
  std::error_code none;
  std::filesystem::create_symlink(db, file.folder() + "/link", none);
  if (none) {  // no links here
    std::erase_if(refusals, [](const Refusal& refusal) {
      return refusal.arguments.size() > 3 && refusal.arguments[3].ends_with("/link");
    });
  }
  CheckRefusals(refusals);
  file.CheckWhole(hash);
  CHECK(ReadFile(vectors) == VecBytes(true));
}

}  // namespace
}  // namespace s2v::testing
