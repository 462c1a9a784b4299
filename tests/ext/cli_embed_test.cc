// `s2v embed`, to the bit as SQL, and reading where nothing can be written.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/process.h"

namespace s2v::testing {
namespace {

TEST_CASE("s2v embed agrees with s2v_embed to the bit, in every format, for odd input") {
  const TestFile file;
  file.Trained({"--ngram-order", "2", "--recipe", "paper"});
  {
    Database writer(file.path());
    writer.Exec("SELECT s2v_train('docs', 'body', '{\"model\":\"other\",\"dimension\":3}')");
  }
  const Database db(file.path());
  std::string long_line;
  while (long_line.size() < 300000)
    long_line += "w" + std::to_string(long_line.size() % 70) + " x ";
  const std::vector<std::string> texts = {
      "w1 w2 w3", "W1, w2!",        "",        "unknown",   std::string("w1\0w2", 5), "w4\r",
      " \t",      "w5 \xff\xfe w6", long_line, "wörter w7", std::string(200000, 'z'), "w8 w9"};
  std::string input;
  for (const std::string& text : texts) input += text + (text.size() % 2 ? "\r\n" : "\n");
  input.pop_back();  // the last newline is missing
  for (const bool raw : {false, true}) {
    for (const std::string model : {"", "other"}) {
      CAPTURE(raw);
      CAPTURE(model);
      const std::string embed = "s2v_embed(?1, " + (model.empty() ? "NULL" : "'" + model + "'") +
                                (raw ? ", 'raw')" : ")");
      std::string json, tsv, bytes;
      for (const std::string& text : texts) {
        const std::string vector = FromSql(db, embed, text);
        std::string numbers = FromSql(db, "s2v_to_json(" + embed + ")", text);
        json += (numbers.empty() ? "null" : numbers) + "\n";
        if (!numbers.empty()) numbers = numbers.substr(1, numbers.size() - 2);
        for (char& c : numbers) c = c == ',' ? '\t' : c;
        tsv += numbers + "\n";
        bytes += vector.empty() ? std::string(model.empty() ? 48 : 12, '\0') : vector;
      }
      Arguments arguments = {"embed", file.path()};
      if (!model.empty()) arguments.insert(arguments.end(), {"--model", model});
      if (raw) arguments.push_back("--raw");
      const Outcome as_json = Run(arguments).Input(input).Done();
      CHECK(as_json.code == 0);
      CHECK(as_json.error.empty());
      CHECK((as_json.out == json));
      arguments.insert(arguments.end(), {"--format", "tsv"});
      CHECK((Run(arguments).Input(input).Done().out == tsv));
      arguments.back() = "raw";
      const Outcome as_bytes = Run(arguments).Input(input).Done();
      CHECK(as_bytes.code == 0);
      CHECK((as_bytes.out == bytes));
      CHECK(as_bytes.error == "s2v: 4 of 12 texts have no known feature: zeros stand for them\n");
    }
  }
  WriteFile(file.folder() + "/in", input);
  // A named pipe is read to its end, whenever somebody begins to write.
  const std::string pipe = file.folder() + "/pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ofstream(pipe) << "w1 w2 w3\n";
  });
  const std::string of_pipe = Run({"embed", file.path(), "--input", pipe}).Done().out;
  writer.join();
  CHECK(of_pipe == Run({"embed", file.path()}).Input("w1 w2 w3\n").Done().out);
  CHECK(Run({"embed", file.path(), "--input", file.folder() + "/in"}).Done().out ==
        Run({"embed", file.path()}).Input(input).Done().out);
  CHECK(Run({"embed", file.path()}).Done().out.empty());
  CHECK(Lines(Run({"embed", file.path()}).Input("\n\n").Done().out).size() == 2);
  for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"}) {
    const Outcome outcome = Run({"embed", file.path()}).Input(mark + "w").Done();
    CHECK(outcome.code == 1);
    CHECK(Contains(outcome.error, "the input is UTF-16"));
  }
}

TEST_CASE(
    "s2v embed serves as a coprocess, holds no lock while it waits, and never mixes two models") {
  const TestFile file;
  file.Trained();
  int in[2], out[2], error[2];
  REQUIRE(pipe2(in, O_CLOEXEC) == 0);
  REQUIRE(pipe2(out, O_CLOEXEC) == 0);
  REQUIRE(pipe2(error, O_CLOEXEC) == 0);
  const pid_t child = Start({"embed", file.path()}, in[0], out[1], error[1]);
  for (const int end : {in[0], out[1], error[1]}) close(end);
  char bytes[4096];
  const auto ask = [&] {
    REQUIRE(write(in[1], "w1 w2\n", 6) == 6);
    return read(out[0], bytes, sizeof(bytes));
  };
  Database db(file.path());
  const std::string expected = db.Text("SELECT s2v_to_json(s2v_embed('w1 w2'))") + "\n";
  for (int i = 0; i < 3; i++) {
    const ssize_t size = ask();
    REQUIRE(size > 0);
    CHECK(std::string(bytes, static_cast<size_t>(size)) == expected);
    db.Exec("INSERT INTO docs(body) VALUES('new')");  // a reader's lock would refuse the commit
  }
  file.Trained();
  CHECK(ask() == 0);
  const ssize_t size = read(error[0], bytes, sizeof(bytes));
  CHECK(Contains(std::string_view(bytes, static_cast<size_t>(size)),
                 "model 'docs' was replaced meanwhile"));
  CHECK(WaitFor(child) == 1);
  for (const int end : {in[1], out[0], error[0]}) close(end);
}

TEST_CASE("reading works on a file and in a folder that cannot be written; writing says why not") {
  const std::string expected = [] {
    const TestFile file;
    file.Trained();
    return Run({"embed", file.path()}).Input("w1 w2").Done().out;
  }();
  for (const bool wal : {false, true}) {
    CAPTURE(wal);
    const TestFile file;
    file.Trained();
    if (wal) Database(file.path()).Exec("PRAGMA journal_mode = wal");
    chmod(file.path().c_str(), 0444);
    chmod(file.folder().c_str(), 0555);
    const Outcome embed = Run({"embed", file.path()}).Input("w1 w2").AsNobody().Done();
    if (embed.code >= 126) {
      MESSAGE("not tested: user nobody cannot run " S2V_COMMAND_PATH);
      return;
    }
    CHECK(embed.error == "");
    CHECK(embed.code == 0);
    CHECK(embed.out == expected);
    CHECK(Run({"models", file.path()}).AsNobody().Done().code == 0);
    const Outcome train = Run(file.Train()).AsNobody().Done();
    CHECK(train.code == 1);
    CHECK(Contains(train.error, "cannot write '" + file.path() + "': Permission denied"));
    chmod(file.path().c_str(), 0666);
    const Outcome drop = Run({"drop", file.path(), "docs"}).AsNobody().Done();
    CHECK(drop.code == 1);
    CHECK(Contains(drop.error,
                   "cannot write folder '" + file.folder() + "', where SQLite keeps the journal"));
    chmod(file.path().c_str(), 0);
    const Outcome secret = Run({"models", file.path()}).AsNobody().Done();
    CHECK(secret.code == 1);
    CHECK(Contains(secret.error, "cannot read '" + file.path() + "': Permission denied"));
    chmod(file.folder().c_str(), 0700);
    chmod(file.path().c_str(), 0600);
  }
}

TEST_CASE("what somebody was writing when he was killed is rolled back, not read") {
  TempFile file, copy;
  Database db(file.path());
  db.Exec("PRAGMA cache_size = 2; CREATE TABLE docs(id INTEGER PRIMARY KEY, body)");
  FillTexts(&db, "texts", 300);
  Train(&db, "texts");
  db.Exec(
      "INSERT INTO docs(body) SELECT 'kept ' || hex(zeroblob(1000)) FROM texts; BEGIN; UPDATE docs SET body = 'never committed' || body");
  for (const char* suffix : {"", "-journal"})
    std::filesystem::copy(file.path() + suffix, copy.path() + suffix,
                          std::filesystem::copy_options::overwrite_existing);
  REQUIRE(std::filesystem::file_size(copy.path() + "-journal") > 0);
  db.Exec("ROLLBACK");
  const auto outcome = Run({"models", copy.path()}).Done();
  CHECK(outcome.code == 0);
  CHECK(Contains(outcome.out, "texts"));
  CHECK(!std::filesystem::exists(copy.path() + "-journal"));
  CHECK(Database(copy.path()).Count("docs WHERE body LIKE 'never%'") == 0);
}

TEST_CASE("a -wal file that cannot be read is not passed over") {
  const TestFile file;
  Database db(file.path());
  db.Exec("PRAGMA journal_mode = wal; SELECT count(*) FROM docs");
  file.Trained();  // stays in the -wal file while db is open
  REQUIRE(std::filesystem::file_size(file.path() + "-wal") > 0);
  const Folder copy;
  for (const char* suffix : {"", "-wal"}) {
    WriteFile(copy.File(std::string("b.db") + suffix), ReadFile(file.path() + suffix));
  }
  chmod(copy.path().c_str(), 0555);
  const Outcome outcome = Run({"models", copy.File("b.db")}).AsNobody().Done();
  if (outcome.code >= 126) return;
  CHECK(outcome.code == 1);
  CHECK(Contains(outcome.error, "(-journal, -wal) need recovery or write permission"));
}

}  // namespace
}  // namespace s2v::testing
