// Which unfinished training a request to resume means, and that it asks for the same one.
#ifndef S2V_SQL_UNFINISHED_H_
#define S2V_SQL_UNFINISHED_H_

#include <string>
#include <vector>

#include "sql/checkpoint_store.h"
#include "sql/train_table.h"

namespace s2v {

// Finds it, and completes the request with its table, column, where, default and settings. Throws
// InvalidArgument where there is none or more than one, and where the request differs from it,
// naming what differs.
Checkpoint FindUnfinished(sqlite3* db, TrainRequest* request);

// What ChoicesJson wrote.
std::vector<Choice> ParseChoices(sqlite3* db, const std::string& json);

// Throws InvalidArgument where the texts of table are not those that the checkpoint was trained on.
// now: what a checkpoint of this training would tell.
void CheckSameCorpus(const Checkpoint& unfinished, const Checkpoint& now, const std::string& table);

}  // namespace s2v

#endif  // S2V_SQL_UNFINISHED_H_
