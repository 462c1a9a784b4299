// In a program whose locale writes 0,5 for 0.5, as a GTK or Qt host in Germany does.
#include <stdlib.h>

#include <clocale>
#include <filesystem>

#include "tests/support/database.h"

namespace s2v::testing {
namespace {

// A locale with a decimal comma while it lives: one that is installed, or one that localedef makes
// in a folder of its own. taken: whether there is any.
class CommaLocale {
 public:
  CommaLocale() {
    if (Take()) return;
    const std::string command =
        "localedef -i de_DE -f UTF-8 '" + folder_.path() + "/de_DE.UTF-8' 2>/dev/null";
    std::filesystem::create_directory(folder_.path());
    if (std::system(command.c_str()) != 0) return;
    setenv("LOCPATH", folder_.path().c_str(), 1);
    Take();
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_.path());
  }
  bool taken() const { return taken_; }

 private:
  bool Take() {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"}) {
      if (std::setlocale(LC_ALL, name) != nullptr)
        taken_ = *std::localeconv()->decimal_point == ',';
      if (taken_) return true;
    }
    return false;
  }
  const TempFile folder_;
  bool taken_ = false;
};

TEST_CASE("in a locale with decimal commas models are stored, updated and converted as elsewhere") {
  const std::string options = "\"context_threshold\":0.05,\"epochs\":3";
  Database elsewhere;
  TrainTexts(&elsewhere, 60, options);

  const CommaLocale locale;
  if (!locale.taken()) {
    MESSAGE("skipped: no locale with a decimal comma, and no localedef to make one");
    return;
  }
  Database db;
  FillTexts(&db, "docs", 60);
  const std::string trained = db.Text(TrainSql("docs", options));
  CHECK(db.Int("SELECT json_valid('" + trained + "')") == 1);
  const std::string stored = "SELECT hash || losses || parameters FROM s2v_models";
  CHECK(db.Text(stored) == elsewhere.Text(stored));

  db.Exec("INSERT INTO docs(body) VALUES('red fox and blue sea'), ('old man and red fox')");
  for (const char* sql :
       {"SELECT s2v_update('docs', '{\"learning_rate\":0.25,\"replay\":0.5,\"workers\":1}')",
        "SELECT s2v_convert('docs', 'small', 'int8')", "SELECT s2v_debug()",
        "SELECT s2v_to_json(s2v_embed('red fox'))"}) {
    INFO(sql);
    const std::string answer = db.Text(sql);
    CHECK(db.Int("SELECT json_valid('" + answer + "')") == 1);
  }
  CHECK(db.Text("SELECT corpus -> '$.updates[0].learning_rate' FROM s2v_models "
                "WHERE name = 'docs'") == "0.05");
  CHECK(Contains(db.Error(TrainSql("docs", "\"checkpoint_every\":-0.5")), "not '-0.5'"));
  CHECK(db.Text("SELECT s2v_to_json(s2v_from_json('[0.5,-2.25e-1]'))") == "[0.5,-0.225]");
}

}  // namespace
}  // namespace s2v::testing
