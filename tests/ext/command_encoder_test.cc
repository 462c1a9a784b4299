// Encoders that are commands, and `s2v tokenize`, as their users meet them.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/command.h"
#include "tests/support/database.h"

using namespace s2v::testing;

namespace {

const char kPairs[] =
    "5\tred fox\tred fox\n4\told man\told man barks\n1.5\tbig sky\tbank rate\n"
    "0\train falls\tcat sleeps\n2\tnew car hits tree\tblue sea\n3\tunheard\tred fox\n";

class EncoderFixture {
 public:
  EncoderFixture() {
    Database db(path());
    TrainTexts(&db, 200);
    db.Exec(
        "CREATE TABLE long(body); INSERT INTO long SELECT a.body || ' ' || b.body FROM docs a "
        "JOIN docs b ON b.id = a.id * 7 % 200 + 1");
    WriteFile(pairs(), kPairs);
    std::string labelled;
    for (int i = 0; i < 12; i++) labelled += "fox\tred fox\nsea\tblue sea\nfox\tfox barks\n";
    WriteFile(File("labelled.tsv"), labelled);
  }
  std::string path() const { return File("a.db"); }
  std::string pairs() const { return File("pairs.tsv"); }
  std::string File(const std::string& name) const { return folder_.File(name); }
  Outcome Eval(const Arguments& arguments, const std::string& command) const {
    return Run(Words("eval") + arguments + Arguments{"--encoder-command", command}).Done();
  }
  Outcome Similarity(const std::string& command) const {
    return Eval({"similarity", path(), pairs()}, command);
  }
  // Our own vectors, by way of a command.
  std::string Same() const {
    return "same='" S2V_COMMAND_PATH "' embed '" + path() + "' --format tsv";
  }

 private:
  const Folder folder_;
};

// The lines of one encoder's row or JSON, without its name.
std::string LinesOf(const std::string& output, const std::string& encoder) {
  std::istringstream lines(output);
  std::string found;
  const std::string head = "\"encoder\":\"" + encoder + "\"";
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(head);
    if (at == std::string::npos || Contains(line, "_loss")) continue;
    const size_t figures = std::min(line.find("\"pearson\""),
                                    std::min(line.find("\"accuracy\""), line.find("\"queries\"")));
    REQUIRE(figures != std::string::npos);
    found += line.substr(figures) + "\n";
  }
  return found;
}

TEST_CASE("a command that embeds as the model does gets the model's figures in every task") {
  const EncoderFixture fixture;
  const std::vector<Arguments> tasks = {
      {"similarity", fixture.path(), fixture.pairs(), "--json"},
      {"transfer", fixture.path(), fixture.File("labelled.tsv"), "--json"},
      {"transfer", fixture.path(), fixture.File("labelled.tsv"), "--test",
       fixture.File("labelled.tsv"), "--json"},
      {"self", fixture.path(), "--model", "docs", "--table", "long", "--column", "body", "--json"},
      {"self", fixture.path(), "--model", "docs", "--table", "long", "--column", "body", "--json",
       "--encoders", "same,model"}};
  for (const Arguments& task : tasks) {
    const Outcome outcome = fixture.Eval(task, fixture.Same());
    CAPTURE(outcome.error);
    CAPTURE(outcome.out);
    REQUIRE(outcome.code == 0);
    CHECK(!LinesOf(outcome.out, "model").empty());
    CHECK(LinesOf(outcome.out, "same") == LinesOf(outcome.out, "model"));
    CHECK(Contains(outcome.out, "\"trained_on\":null"));
  }
}

TEST_CASE("a command joins the model that eval self trains, and the order is that of --encoders") {
  const EncoderFixture fixture;
  const Outcome self =
      fixture.Eval({"self", fixture.path(), "--table", "long", "--column", "body", "--epochs", "1",
                    "--min-count", "1", "--min-target-count", "1", "--dimension", "4"},
                   fixture.Same());
  CAPTURE(self.error);
  CHECK(self.code == 0);
  CHECK(Contains(self.out, "\nsame "));
  CHECK(Contains(self.out, "held-out loss "));
  const Outcome ordered = fixture.Eval(
      {"similarity", fixture.path(), fixture.pairs(), "--encoders", "same,model"}, fixture.Same());
  CHECK(ordered.out.find("same ") < ordered.out.find("model "));
  const Outcome last = fixture.Similarity(fixture.Same());
  CHECK(last.out.find("same ") > last.out.find("model "));
  CHECK(Contains(last.out, "whether rows are in the training text of same could not be checked"));
}

TEST_CASE("a command gets each text once, as a line, and no blank ones") {
  const EncoderFixture fixture;
  WriteFile(fixture.pairs(),
            "1\ta b\tc\x01\x7f"
            "d\n2\t \tc\n3\ta b\t\n4\t\xff\xfe\tc\n");
  const Outcome outcome =
      fixture.Similarity("x=tee '" + fixture.File("seen") + "' | awk '{ print NR, 1 }'");
  CAPTURE(outcome.error);
  CHECK(outcome.code == 0);
  CHECK(ReadFile(fixture.File("seen")) == "a b\nc  d\nc\n\xff\xfe\n");
  CHECK(Contains(outcome.out, "\nx "));
}

TEST_CASE("zeros and an empty line say that a text is unknown") {
  const EncoderFixture fixture;
  // 10 distinct texts; the first two lines are unknown.
  const Outcome outcome = fixture.Similarity(
      "x=awk 'NR == 1 { print \"\" } NR == 2 { print \"0 -0 0e5 1e-999\" } "
      "NR > 2 { print \" 1\\t\" NR \" 2  -3e2 \" }'");
  CAPTURE(outcome.error);
  CHECK(outcome.code == 0);
  // red fox in two pairs, old man in one.
  CHECK(Contains(outcome.out.substr(outcome.out.find("\nx ")), " 3\n"));
  const Outcome nothing = fixture.Similarity("x=sed 's/.*//'");
  CHECK(nothing.code == 0);
  CHECK(Contains(nothing.out.substr(nothing.out.find("\nx ")), "-/-        6\n"));
  CHECK(fixture.Eval({"transfer", fixture.path(), fixture.File("labelled.tsv")}, "x=sed 's/.*//'")
            .code == 0);
}

TEST_CASE("a command may write before it reads, and more than a pipe holds") {
  const EncoderFixture fixture;
  std::string labelled;
  for (int i = 0; i < 3000; i++) {
    labelled += (i % 2 ? "a\t" : "b\t") + std::string(200, 'x') + std::to_string(i) + "\n";
  }
  WriteFile(fixture.File("labelled.tsv"), labelled);
  const Outcome outcome = fixture.Eval(
      {"transfer", fixture.path(), fixture.File("labelled.tsv"), "--test",
       fixture.File("labelled.tsv")},
      "x=yes \"$(seq -s ' ' 100)\" | head -n 3000; cat > '" + fixture.File("seen") + "'");
  CAPTURE(outcome.error);
  CHECK(outcome.code == 0);
  CHECK(ReadFile(fixture.File("seen")).size() > 600000);
}

TEST_CASE("what is wrong with a command's output is said") {
  const EncoderFixture fixture;
  struct Case {
    std::string command, message;
  };
  const std::vector<Case> cases = {
      {"x=exit 3", "encoder-command x: it failed with exit code 3 ('exit 3')"},
      {"x=awk '{ print 1 }'; exit 1", "x: it failed with exit code 1"},
      {"x=kill -9 $$", "x: it was ended by signal 9"},
      {"x=/no/such/program", "x: it failed with exit code 127"},
      {"x=true", "x: it wrote 0 lines for 10 texts; one for each line of its input is expected"},
      {"x=head -n 4 | awk '{ print 1 }'", "x: it wrote 4 lines for 10 texts"},
      {"x=yes 1", "x: it writes more lines than the 10 of its input"},
      {"x=awk '{ print NR < 4 ? \"1 2 3\" : \"1 2\" }'",
       "x: line 4 of its output has 2 numbers, a line before it has 3"},
      {"x=cat", "x: line 1 of its output has 'red', which is not a number"},
      {"x=awk '{ print \"1 nan\" }'", "has 'nan', which is not a number"},
      {"x=awk '{ print \"1e39\" }'", "has '1e39', which is not a number"},
      {"x=awk '{ print \"1e999\" }'", "has '1e999', which is not a number"},
      {"x=awk '{ print \"1,2\" }'", "has '1,2', which is not a number"},
      {"x=printf '1 \\0'", "x: line 1 of its output has "},
  };
  for (const Case& c : cases) {
    const Outcome outcome = fixture.Similarity(c.command);
    CAPTURE(outcome.error);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(Contains(outcome.error, c.message));
  }
}

TEST_CASE("a command needs a name that is free") {
  const std::string db = "/nowhere.db", file = "/nowhere.tsv";
  for (const std::string bad : {"x", "x=", "=cat", "a,b=cat"}) {
    const Outcome outcome = Run({"eval", "similarity", db, file, "--encoder-command", bad}).Done();
    CHECK(outcome.code == 2);
    CHECK(Contains(outcome.error,
                   "encoder-command: NAME=COMMAND expected, without a comma in NAME, "
                   "not '" +
                       bad + "'"));
  }
  for (const std::string taken : {"model", "tfidf", "bigrams+sif", "again"}) {
    const Outcome outcome = Run({"eval", "similarity", db, file, "--encoder-command", "again=cat",
                                 "--encoder-command", taken + "=cat"})
                                .Done();
    CHECK(outcome.code == 2);
    CHECK(Contains(outcome.error, "there is an encoder '" + taken + "' already"));
  }
  const Outcome alone =
      Run({"eval", "self", db, "--table", "t", "--column", "c", "--encoders", "tfidf"}).Done();
  CHECK(alone.code == 2);
  CHECK(Contains(alone.error, "--encoders requires --model"));
  CHECK(Contains(Run({"eval", "self", db, "--model", "m", "--encoders", "model", "--epochs", "2"})
                     .Done()
                     .error,
                 "epochs: a stored model has its own"));
}

TEST_CASE("rivals of a stored model are measured by eval self") {
  const EncoderFixture fixture;
  const Outcome outcome = Run({"eval", "self", fixture.path(), "--model", "docs", "--table", "long",
                               "--column", "body", "--encoders", "model,tfidf,bigrams+sif",
                               "--epochs", "1", "--min-count", "1", "--min-target-count", "1"})
                              .Done();
  CAPTURE(outcome.error);
  CHECK(outcome.code == 0);
  for (const char* row : {"\nmodel ", "\ntfidf ", "\nbigrams+sif ", "\nbm25 "}) {
    CHECK(Contains(outcome.out, row));
  }
  CHECK(!Contains(outcome.out, "\nmodel-raw "));
  CHECK(Contains(outcome.out, "is made from all rows of the table, the sample's too"));
}

TEST_CASE("s2v tokenize gives the tokens of each line") {
  const std::string lines = "The Cat, sat\xff.\n\n  \t\na\xe6\x97\xa5\xe6\x9c\xac\r\nlast";
  const Outcome unicode = Run({"tokenize"}).Input(lines).Done();
  CHECK(unicode.code == 0);
  CHECK(unicode.error.empty());
  CHECK(std::count(unicode.out.begin(), unicode.out.end(), '\n') == 5);
  CHECK(Contains(unicode.out, "the cat , sat"));
  CHECK(Contains(unicode.out, "\n\n\na \xe6\x97\xa5 \xe6\x9c\xac\nlast\n"));
  const Outcome again = Run({"tokenize"}).Input(unicode.out).Done();
  CHECK(again.out == unicode.out);  // tokens are tokens
  CHECK(Run({"tokenize", "--tokenizer", "whitespace"}).Input(" A,  b \n").Done().out == "A, b\n");
  CHECK(Run({"tokenize"}).Input("").Done().out.empty());
  const Outcome wrong = Run({"tokenize", "--tokenizer", "words"}).Input("a\n").Done();
  CHECK(wrong.code == 2);
  CHECK(Contains(wrong.error, "no tokenizer 'words'; there are " +
                                  s2v::NamesOf(s2v::AllTokenizers(), &s2v::Tokenizer::name)));
  const Outcome long_line = Run({"tokenize"}).Input(std::string(300000, 'z') + "\n").Done();
  CHECK(long_line.code == 0);
  CHECK(Run({"tokenize"}).Input("a\n").Output("/dev/full").Done().code == 1);
}

}  // namespace
