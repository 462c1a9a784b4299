// A training by several ranks, threads here, through TrainTable: on one file, each with a
// connection.
#include <doctest/doctest.h>

#include <mutex>
#include <set>
#include <string>

#include "sql/train_table.h"
#include "tests/support/database.h"
#include "tests/support/thread_ranks.h"

namespace s2v {
namespace {

using namespace testing;

TrainRequest Request(RankGroup* ranks) {
  TrainRequest request;
  request.table = "docs";
  request.column = "body";
  request.ranks = ranks;
  request.part = {ranks->rank(), ranks->size()};
  Config c;
  c.dimension = 16;
  c.epochs = 30;
  c.min_count = c.min_target_count = 1;
  c.workers = 1;
  request.settings = Settings(c);
  return request;
}

// The message that all ranks get.
std::string SharedErrorOf(uint32_t size, const std::function<void(RankGroup*)>& work) {
  std::mutex mutex;
  std::multiset<std::string> messages;
  RunRanks(size, [&](RankGroup* ranks) {
    try {
      work(ranks);
    } catch (const SharedError& error) {
      const std::lock_guard<std::mutex> lock(mutex);
      messages.insert(error.what());
    }
  });
  REQUIRE(messages.size() == size);
  REQUIRE(messages.count(*messages.begin()) == size);
  return *messages.begin();
}

TEST_CASE("ranks train one model on the parts of a table, and rank 0 stores it") {
  const TempFile file;
  {
    Database db(file.path());
    FillTexts(&db, "docs", 1000);
    db.Exec(
        "DELETE FROM docs WHERE rowid BETWEEN 100 AND 300; INSERT INTO docs(body) VALUES(NULL)");
  }
  std::string hashes[2];
  for (std::string& hash : hashes) {
    RunRanks(3, [&](RankGroup* ranks) {
      Database db(file.path(), ranks->rank() == 0 ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
      const TrainResult result = TrainTable(db.get(), Request(ranks), GoOn);
      if (ranks->rank() != 0) return;
      hash = result.model.hash;
      CHECK(result.model.texts == 799);
      CHECK(result.rounds > 100);
    });
  }
  CHECK(hashes[0] == hashes[1]);
  Database db(file.path());
  CHECK(db.Count("s2v_models") == 1);
  CHECK(db.Text("SELECT words FROM s2v_models") != "0");
  RunRanks(1, [&](RankGroup* alone) {
    TrainRequest request = Request(alone);
    request.model = "alone";
    request.ranks = Alone();
    request.part = {};
    TrainTable(db.get(), request, GoOn);
  });
  CHECK(db.Text("SELECT count(DISTINCT words || ' ' || tokens) FROM s2v_models") == "1");
}

TEST_CASE("ranks that were started with different requests are refused, with what differs") {
  CHECK(
      SharedErrorOf(3,
                    [](RankGroup* ranks) {
                      TrainRequest request = Request(ranks);
                      if (ranks->rank() == 2) request.settings.Set("dimension", "17");
                      CheckAlike(request);
                    }) ==
      "rank 2 was started with dimension '17', rank 0 with dimension '16': start all with the same "
      "program and options");
  CHECK(Contains(SharedErrorOf(2,
                               [](RankGroup* ranks) {
                                 TrainRequest request = Request(ranks);
                                 if (ranks->rank() == 1)
                                   request.settings.Set("tokenizer", "whitespace");
                                 CheckAlike(request);
                               }),
                 "tokenizer"));
  CHECK(Contains(SharedErrorOf(2,
                               [](RankGroup* ranks) {
                                 TrainRequest request = Request(ranks);
                                 if (ranks->rank() == 1) request.where = "rowid > 5";
                                 CheckAlike(request);
                               }),
                 "rank 1 was started with where 'rowid > 5', rank 0 with where ''"));
  RunRanks(2, [](RankGroup* ranks) {  // but for the number of threads, which may differ
    TrainRequest request = Request(ranks);
    request.settings.Set("workers", std::to_string(1 + ranks->rank()));
    CheckAlike(request);
  });
}

TEST_CASE("a part of a table without rows is an error on all ranks") {
  const TempFile file;
  {
    Database db(file.path());
    FillTexts(&db, "docs", 2);
  }
  CHECK(SharedErrorOf(4, [&](RankGroup* ranks) {
          Database db(file.path());
          TrainTable(db.get(), Request(ranks), GoOn);
        }) == "rank 0 has no texts: start fewer ranks, or give it some");
}

TEST_CASE("the parts of a table follow each other, and have each row once") {
  Database db;
  db.Exec(
      "CREATE TABLE docs(id INTEGER PRIMARY KEY, body); INSERT INTO docs VALUES "
      "(-9223372036854775807, 'a'), (-5, 'b'), (0, 'c'), (7, 'd'), (9223372036854775807, 'e')");
  for (const uint32_t parts : {1u, 2u, 3u, 7u}) {
    std::string texts;
    for (uint32_t number = 0; number < parts; number++) {
      SentenceTable table(db.get(), "docs", "body", "id <> 7", {number, parts});
      while (table.Next()) texts += table.text();
    }
    CHECK(texts == "abce");
  }
  db.Exec("CREATE VIEW v AS SELECT * FROM docs");
  CHECK_THROWS_WITH_AS(
      SentenceTable(db.get(), "v", "body", "", {0, 2}),
      "'v' has no rowids to be read in parts, as a view has none: train on a table",
      InvalidArgument);
}

TEST_CASE("a stopped training of ranks goes on where its checkpoint is") {
  const TempFile file;
  {
    Database db(file.path());
    FillTexts(&db, "docs", 1000);
  }
  const auto train = [&](bool resume, bool stop) {
    RunRanks(2, [&](RankGroup* ranks) {
      Database db(file.path());
      TrainRequest request = Request(ranks);
      if (resume) {
        request.table = request.column = "";
        request.settings = Settings();
        request.settings.Set("workers", "1");
      }
      request.resume = resume;
      request.checkpoint_every = 1000;
      const auto observe = [&](const TrainProgress& p) {
        return !stop || ranks->rank() == 0 || p.phase != TrainProgress::kTraining ||
               p.fraction < 0.3;
      };
      if (stop) {
        CHECK_THROWS_AS(TrainTable(db.get(), request, observe), Interrupted);
        return;
      }
      const TrainResult result = TrainTable(db.get(), request, observe);
      if (ranks->rank() > 0) return;
      CHECK(result.resumed_at > 0.2);
      CHECK(result.model.texts == 1000);
    });
  };
  train(false, true);
  {
    Database db(file.path());
    CHECK(db.Count("s2v_checkpoint WHERE complete") == 1);
    CHECK(db.Text("SELECT position > 0.25 * sentences FROM s2v_checkpoint") == "1");
  }
  train(true, false);
  Database db(file.path());
  CHECK(db.Text("SELECT name FROM s2v_models") == "docs");
  CHECK(db.Count("s2v_checkpoint") == 0);
}

}  // namespace
}  // namespace s2v
