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
  explicit Table(const RegisteredTable& registered_table)
      : sqlite3_vtab(), registered(registered_table) {}
  // A copy: the module may be registered again, which deletes the former's data.
  const RegisteredTable registered;
};

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(std::unique_ptr<TableRows> table_rows)
      : sqlite3_vtab_cursor(), rows(std::move(table_rows)) {}
  TableArguments arguments;  // before rows, which may refer to them
  std::unique_ptr<TableRows> rows;
  bool at_end = true;
  sqlite3_int64 row = 0;  // from 1
};

const TableFunction& FunctionOf(const sqlite3_vtab* table) {
  return static_cast<const Table*>(table)->registered.function;
}

template <typename Body>
int TableMethod(sqlite3_vtab* table, Body body) {
  return GuardedMethod(table, FunctionOf(table).name, body);
}

// s2v_words(model), with [] around what may be left out.
std::string Signature(const TableFunction& function) {
  std::string signature = std::string(function.name) + "(";
  std::string closing = ")";
  for (size_t i = 0; i < function.arguments.size(); i++) {
    const TableArgument& argument = function.arguments[i];
    if (!argument.required) {
      signature += i == 0 ? "[" : " [";
      closing.insert(0, "]");
    }
    signature += (i == 0 ? "" : ", ") + std::string(argument.name);
  }
  return signature + closing;
}

std::string Declaration(const TableFunction& function) {
  std::string declaration = std::string("CREATE TABLE x(") + function.columns;
  for (const TableArgument& argument : function.arguments) {
    declaration += std::string(", ") + argument.name + " HIDDEN";
  }
  return declaration + ")";
}

int Connect(sqlite3* db, void* data, int, const char* const*, sqlite3_vtab** table, char**) {
  const auto& registered = *static_cast<const RegisteredTable*>(data);
  return GuardedMethod(static_cast<char**>(nullptr), registered.function.name, [&] {
    auto created = std::make_unique<Table>(registered);
    int code = sqlite3_declare_vtab(db, Declaration(registered.function).c_str());
    if (code == SQLITE_OK) code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    if (code != SQLITE_OK) ThrowSqlError(db, code);
    *table = created.release();
  });
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

constexpr double kLookupCost = 10;
// Of a plan without a required argument: SQLite asks for such while it looks at each part of an OR;
// where it is left out indeed, xFilter says so.
constexpr double kNever = 1e99;

// Which constraint gives the value of each argument and, last, of the lookup.
struct Given {
  std::array<int, kMaxTableArguments + 1> constraint;
  unsigned unusable = 0;  // bits of arguments
};

Given Choose(const TableFunction& function, sqlite3_index_info* info) {
  Given given;
  given.constraint.fill(-1);
  for (int i = 0; i < info->nConstraint; i++) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    int slot = constraint.iColumn - function.ColumnCount();
    if (slot >= 0) {
      if (!constraint.usable) given.unusable |= 1u << slot;
    } else if (constraint.iColumn == function.lookup_column &&
               sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0) {
      slot = kLookup;
    } else {
      continue;
    }
    if (constraint.usable && given.constraint[slot] < 0) given.constraint[slot] = i;
  }
  return given;
}

// SQLITE_OK or SQLITE_CONSTRAINT: no such plan.
int Plan(const TableFunction& function, sqlite3_index_info* info) {
  const Given given = Choose(function, info);
  double cost = function.cost;
  int values = 0;
  info->idxNum = 0;
  const auto take = [&](size_t slot) {
    if (given.constraint[slot] < 0) return false;
    auto& usage = info->aConstraintUsage[given.constraint[slot]];
    usage.argvIndex = ++values;
    // An argument is no condition; a lookup is, and SQLite may check it again.
    usage.omit = slot != kLookup;
    info->idxNum |= 1 << slot;
    return true;
  };
  for (size_t i = 0; i < function.arguments.size(); i++) {
    if (take(i)) continue;
    if ((given.unusable & (1u << i)) != 0) return SQLITE_CONSTRAINT;
    if (function.arguments[i].required) cost = kNever;
  }
  const bool lookup = take(kLookup);
  static char scan_name[] = "scan", lookup_name[] = "lookup";
  info->idxStr = lookup ? lookup_name : scan_name;
  info->estimatedCost = lookup && cost < kNever ? kLookupCost : cost;
  info->estimatedRows = lookup ? 1 : static_cast<sqlite3_int64>(function.expected_rows);
  if (lookup) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
  info->orderByConsumed = info->nOrderBy == 1 && function.descending_column >= 0 &&
                          info->aOrderBy[0].iColumn == function.descending_column &&
                          info->aOrderBy[0].desc != 0;
  return SQLITE_OK;
}

int BestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
  int plan = SQLITE_OK;
  const int code = TableMethod(table, [&] { plan = Plan(FunctionOf(table), info); });
  return code == SQLITE_OK ? plan : code;
}

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return TableMethod(table, [&] {
    const RegisteredTable& registered = static_cast<Table*>(table)->registered;
    *cursor = std::make_unique<Cursor>(registered.function.rows(registered.connection)).release();
  });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

void Advance(Cursor* cursor) {
  cursor->at_end = true;  // also where Next throws
  cursor->at_end = !cursor->rows->Next();
  cursor->row++;
}

int Filter(sqlite3_vtab_cursor* base, int plan, const char*, int, sqlite3_value** values) {
  return TableMethod(base->pVtab, [&] {
    auto* cursor = static_cast<Cursor*>(base);
    cursor->at_end = true;
    cursor->row = 0;
    const TableFunction& function = FunctionOf(base->pVtab);
    for (size_t i = 0; i < function.arguments.size(); i++) {
      const TableArgument& argument = function.arguments[i];
      if (!argument.required || (plan & (1 << i)) != 0) continue;
      throw InvalidArgument(std::string(argument.name) + " is missing: " + Signature(function));
    }
    cursor->arguments.Take(plan, values);
    cursor->rows->Begin(cursor->arguments);
    Advance(cursor);
  });
}

int Next(sqlite3_vtab_cursor* base) {
  return TableMethod(base->pVtab, [&] { Advance(static_cast<Cursor*>(base)); });
}

int Eof(sqlite3_vtab_cursor* cursor) {
  return static_cast<Cursor*>(cursor)->at_end;
}

int ColumnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  return TableMethod(base->pVtab, [&] {
    auto* cursor = static_cast<Cursor*>(base);
    const int argument = column - FunctionOf(base->pVtab).ColumnCount();
    if (argument < 0) {
      cursor->rows->Column(column, context);
    } else if (sqlite3_value* value = cursor->arguments[static_cast<size_t>(argument)]) {
      sqlite3_result_value(context, value);
    }
  });
}

int Rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* rowid) {
  *rowid = static_cast<Cursor*>(cursor)->row;
  return SQLITE_OK;
}

const sqlite3_module* Module() {
  static const sqlite3_module module = [] {
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
  return &module;
}

}  // namespace

void TableArguments::Take(int plan, sqlite3_value** values) {
  for (size_t slot = 0; slot < values_.size(); slot++) {
    values_[slot].reset();
    if ((plan & (1 << slot)) == 0) continue;
    values_[slot].reset(sqlite3_value_dup(*values++));
    if (values_[slot] == nullptr) throw std::bad_alloc();
  }
}

int RegisterTableFunction(const TableFunction& table, const SharedConnection& connection) {
  // SQLite deletes it, also where the registration fails.
  return sqlite3_create_module_v2(connection->db, table.name, Module(),
                                  new RegisteredTable{table, connection},
                                  [](void* p) { delete static_cast<RegisteredTable*>(p); });
}

}  // namespace s2v
