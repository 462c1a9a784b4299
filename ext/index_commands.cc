#include "ext/index_commands.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "ext/functions.h"
#include "sql/index_check.h"
#include "sql/index_rebuild.h"
#include "sql/index_summary.h"
#include "sql/index_sync.h"
#include "sql/json.h"
#include "sql/model_store.h"
#include "sql/progress_statement.h"
#include "sql/system/clock.h"

namespace s2v {
namespace {

// Finds an index by name or schema.name, in temp first, as SQL does. Throws InvalidArgument where
// there is none, naming those that exist.
ModelName FindIndex(sqlite3* db, const std::string& given) {
  std::vector<std::string> all, schemas = Schemas(db);
  std::stable_partition(schemas.begin(), schemas.end(),
                        [](const std::string& schema) { return schema == "temp"; });
  for (const std::string& schema : schemas) {
    for (const std::string& name : ListIndexes(db, schema)) {
      for (const std::string& text : {name, schema + "." + name}) {
        if (sqlite3_stricmp(text.c_str(), given.c_str()) == 0) return {schema, name};
      }
      all.push_back(schema == "main" ? name : schema + "." + name);
    }
  }
  throw InvalidArgument("no index '" + given + "'" +
                        (all.empty()
                             ? "; CREATE VIRTUAL TABLE ... USING s2v_index(table, column) makes one"
                             : "; there are " + NamesOf(all)));
}

}  // namespace

const std::shared_ptr<IndexMemory>& MemoryOf(Connection& connection, const std::string& schema,
                                             const std::string& name) {
  auto& memory = connection.indexes[schema + '\0' + name];
  if (memory == nullptr) {
    memory = std::make_shared<IndexMemory>();
    memory->files.ShareSchemas(connection.files);
  }
  return memory;
}

IndexTurn::IndexTurn(IndexMemory* memory, StatementCache* statements) : memory_(memory) {
  if (memory->is_in_use) ThrowMalformed("an index that reads itself");
  memory->is_in_use = true;
  memory->files.statements = statements;
}

IndexTurn::~IndexTurn() {
  memory_->is_in_use = false;
  memory_->files.statements = nullptr;
}

IndexProgress& IndexProgressOfAll() {
  // never destroyed: nothing of ours runs when the process ends
  static auto* progress = new IndexProgress();
  return *progress;
}

void RunIndexCommand(sqlite3* db, const std::string& schema, const std::string& name,
                     IndexMemory* memory, std::string_view command) {
  constexpr std::string_view kCommands[] = {"rebuild", "sync", "optimize", "integrity-check"};
  CheckKnown("command", command, kCommands);
  const IndexTurn turn(memory);
  const IndexDefinition index =
      OpenIndex(db, schema, name, memory, /*for_rebuild=*/command == "rebuild");
  if (command == "rebuild") {
    RebuildIndex(db, index, memory, IndexProgressOfAll());
  } else if (command == "sync") {
    SyncIndex(db, index, memory, IndexProgressOfAll());
  } else if (command == "optimize") {
    OptimizeIndex(db, index, memory);
  } else {
    CheckIndex(db, index);
  }
}

// s2v_sync(index [, options]); the option is progress, a statement with the parameters below.
void Sync(const Call& call) {
  constexpr std::string_view kNames[] = {":phase", ":rows", ":total", ":fraction", ":seconds"};
  if (IsNull(call[0])) throw InvalidArgument("the index's name is NULL");
  sqlite3* db = call.db();
  const ModelName index = FindIndex(db, std::string(TextArgument(call[0], "index")));
  std::optional<ProgressStatement> statement;
  if (const std::string progress = ProgressOption(call, 1); !progress.empty())
    statement.emplace(db, progress, kNames);
  // Shared, since the statement of progress may drop the index.
  const std::shared_ptr<IndexMemory> memory =
      MemoryOf(*call.connection(), index.schema, index.name);
  // Between slices the index is whole: the statement of progress may ask it.
  std::optional<IndexTurn> turn(memory.get());
  const double began = Seconds();
  const uint64_t rows =
      SyncInSlices(db, index.schema, index.name, memory.get(), [&](uint64_t done, uint64_t total) {
        if (IndexProgressOfAll()) IndexProgressOfAll()(done, total);
        if (!statement) return;
        turn.reset();
        statement->Report("syncing",
                          {{":rows", static_cast<int64_t>(done)},
                           {":total", static_cast<int64_t>(total)},
                           {":fraction", static_cast<double>(done) /
                                             static_cast<double>(std::max<uint64_t>(total, 1))}});
        const std::vector<std::string> left = ListIndexes(db, index.schema);
        if (std::count(left.begin(), left.end(), index.name) == 0) {
          throw InvalidArgument("the statement of progress has dropped the index '" + index.name +
                                "'");
        }
        turn.emplace(memory.get());
      });
  const uint64_t pending = CountPending(db, ReadIndexDefinition(db, index.schema, index.name));
  JsonObject json;
  json.Add("index", index.name).Add("schema", index.schema).Add("rows", rows);
  json.Add("pending", pending).AddJson("seconds", FixedText(Seconds() - began, 3));
  Result(call.context, json.Text());
}

}  // namespace s2v
