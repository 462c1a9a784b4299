// A statement of the user's that is told how far a training is, by parameters of these names:
//
//   :phase           'reading', 'training' or 'storing'
//   :fraction        of the training, 0 to 1
//   :loss            recent mean of a target, NULL until there is one
//   :learning_rate   now, NULL while reading
//   :tokens          reading: read so far; then known words passed so far, all epochs
//   :seconds         since the beginning
//
// It runs at each new phase, and then once a second. Outside a transaction what it writes is committed at once,
// for other connections to read.
#ifndef S2V_SQL_PROGRESS_STATEMENT_H_
#define S2V_SQL_PROGRESS_STATEMENT_H_

#include <string>

#include "sql/statement.h"

namespace s2v {

struct TrainProgress;

class ProgressStatement {
 public:
  // Throws InvalidArgument where sql is not one statement with such parameters.
  ProgressStatement(sqlite3* db, const std::string& sql);
  // Throws SqlError and InvalidArgument, saying that it was this statement; Interrupted.
  void Report(const TrainProgress& progress);

 private:
  sqlite3* db_;
  Statement statement_;
  double began_, last_ = 0;
  int last_phase_ = -1;
};

}  // namespace s2v

#endif  // S2V_SQL_PROGRESS_STATEMENT_H_
