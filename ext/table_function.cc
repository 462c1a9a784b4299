#include "ext/table_function.h"

#include <string>

namespace s2v {
namespace {

// The user data of a module.
struct RegisteredTable {
  const TableFunction& function;
  SharedConnection connection;
};

struct Table : sqlite3_vtab {
  // A copy: the module may be registered again, which deletes the former's data.
  const RegisteredTable registered;
};

const TableFunction& FunctionOf(const sqlite3_vtab* table) {
  return static_cast<const Table*>(table)->registered.function;
}

template <typename Body>
int TableMethod(sqlite3_vtab* table, Body body) {
  return GuardedMethod(&table->zErrMsg, FunctionOf(table).name, body);
}

// s2v_explain(a, b [, model]), with [] around what may be left out.
std::string Signature(const TableFunction& function) {
  std::string signature = function.name, closing = ")";
  for (int i = 0; i < function.ArgumentCount(); i++) {
    const bool required = i < function.required;
    signature += std::string(i == 0 ? "(" : required ? ", " : " [, ") + function.arguments[i];
    if (!required) closing.insert(0, "]");
  }
  return signature + closing;
}

int Connect(sqlite3* db, void* data, int, const char* const*, sqlite3_vtab** table,
            char** message) {
  const auto& registered = *static_cast<const RegisteredTable*>(data);
  const TableFunction& function = registered.function;
  return GuardedMethod(message, function.name, [&] {
    std::string columns = function.columns;
    for (int i = 0; i < function.ArgumentCount(); i++) {
      columns += std::string(", ") + function.arguments[i] + " HIDDEN";
    }
    DeclareTable(db, columns);
    *table = new Table{{}, registered};
  });
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

constexpr double kLookupCost = 10;
// The cost of a plan without a required argument. SQLite asks for such plans while it looks at each
// part of an OR; if the argument is really left out, xFilter says so.
constexpr double kNever = 1e99;

bool IsComparison(int op) {
  return op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE ||
         op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE ||
         op == SQLITE_INDEX_CONSTRAINT_NE || op == SQLITE_INDEX_CONSTRAINT_LIKE ||
         op == SQLITE_INDEX_CONSTRAINT_GLOB;
}

int BestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
  const TableFunction& function = FunctionOf(table);
  // Which constraint gives the value of each argument and, last, of the lookup. -1: none.
  std::array<int, kMaxTableArguments + 1> given;
  given.fill(-1);
  unsigned unusable = 0;  // bits of arguments
  for (int i = 0; i < info->nConstraint; i++) {
    const auto& constraint = info->aConstraint[i];
    int slot = constraint.iColumn - function.ColumnCount();
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) {
      if (slot < 0 || !IsComparison(constraint.op)) continue;
      // SQLite would compare it with NULL, and there would be no rows.
      return TableMethod(table, [&] {
        throw InvalidArgument(std::string(function.arguments[slot]) + " is given with =");
      });
    }
    if (slot >= 0) {
      if (!constraint.usable) unusable |= 1u << slot;
    } else if (function.lookup_column >= 0 && constraint.iColumn == function.lookup_column &&
               sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0) {
      slot = kLookup;
    } else {
      continue;
    }
    if (constraint.usable && given[slot] < 0) given[slot] = i;
  }
  int values = 0;
  info->idxNum = 0;
  for (int slot = 0; slot <= kLookup; slot++) {
    if (given[slot] < 0) {
      if ((unusable & (1u << slot)) != 0) return SQLITE_CONSTRAINT;
      continue;
    }
    auto& usage = info->aConstraintUsage[given[slot]];
    usage.argvIndex = ++values;
    // SQLite must not check an argument as a condition on rows. A lookup is one, which it may check
    // again.
    usage.omit = slot != kLookup;
    info->idxNum |= 1 << slot;
  }
  const int required = (1 << function.required) - 1;
  const bool lookup = given[kLookup] >= 0, runs = (info->idxNum & required) == required;
  static char scan_name[] = "scan", lookup_name[] = "lookup";
  info->idxStr = lookup ? lookup_name : scan_name;
  info->estimatedCost = !runs ? kNever : lookup ? kLookupCost : function.cost;
  info->estimatedRows = lookup ? 1 : static_cast<sqlite3_int64>(function.expected_rows);
  if (lookup) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
  info->orderByConsumed = info->nOrderBy == 1 && function.descending_column >= 0 &&
                          info->aOrderBy[0].iColumn == function.descending_column &&
                          info->aOrderBy[0].desc != 0;
  return SQLITE_OK;
}

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return TableMethod(table, [&] {
    const RegisteredTable& registered = static_cast<Table*>(table)->registered;
    *cursor = registered.function.rows(registered.connection).release();
  });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<TableRows*>(cursor);
  return SQLITE_OK;
}

void Advance(TableRows* rows) {
  rows->at_end = true;  // also where Next throws
  rows->at_end = !rows->Next();
  rows->rowid++;
}

int Filter(sqlite3_vtab_cursor* cursor, int plan, const char*, int, sqlite3_value** values) {
  return TableMethod(cursor->pVtab, [&] {
    auto* rows = static_cast<TableRows*>(cursor);
    rows->at_end = true;
    rows->rowid = 0;
    const TableFunction& function = FunctionOf(cursor->pVtab);
    for (int i = 0; i < function.required; i++) {
      if ((plan & (1 << i)) != 0) continue;
      throw InvalidArgument(std::string(function.arguments[i]) +
                            " is missing: " + Signature(function));
    }
    rows->arguments.Take(plan, values);
    rows->Begin();
    Advance(rows);
  });
}

int Next(sqlite3_vtab_cursor* cursor) {
  return TableMethod(cursor->pVtab, [&] { Advance(static_cast<TableRows*>(cursor)); });
}

int Eof(sqlite3_vtab_cursor* cursor) {
  return static_cast<TableRows*>(cursor)->at_end;
}

int ColumnValue(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
  return TableMethod(cursor->pVtab, [&] {
    auto* rows = static_cast<TableRows*>(cursor);
    const int argument = column - FunctionOf(cursor->pVtab).ColumnCount();
    if (argument < 0) {
      rows->Column(column, context);
    } else if (sqlite3_value* value = rows->arguments[static_cast<size_t>(argument)]) {
      sqlite3_result_value(context, value);
    }
  });
}

int Rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* rowid) {
  *rowid = static_cast<TableRows*>(cursor)->rowid;
  return SQLITE_OK;
}

constexpr sqlite3_module kModule = [] {
  sqlite3_module m{};
  m.xConnect = Connect;  // no xCreate: eponymous only
  m.xBestIndex = BestIndex;
  m.xDisconnect = Disconnect;
  m.xOpen = Open;
  m.xClose = Close;
  m.xFilter = Filter;
  m.xNext = Next;
  m.xEof = Eof;
  m.xColumn = ColumnValue;
  m.xRowid = Rowid;
  return m;
}();

}  // namespace

void TableArguments::Take(int plan, sqlite3_value** values) {
  for (size_t slot = 0; slot < values_.size(); slot++) {
    values_[slot].reset();
    if ((plan & (1 << slot)) != 0) values_[slot] = Copy(*values++);
  }
}

int RegisterTableFunction(const TableFunction& table, const SharedConnection& connection) {
  // SQLite deletes it, also where the registration fails.
  return sqlite3_create_module_v2(connection->db, table.name, &kModule,
                                  new RegisteredTable{table, connection},
                                  [](void* p) { delete static_cast<RegisteredTable*>(p); });
}

}  // namespace s2v
