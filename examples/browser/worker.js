// The database of index.html: SQLite with sqlite-s2v (s2v.js, s2v.wasm), in a thread of its own. The file is in the browser's
// storage or this worker's memory (storage.js), and goes nowhere else. Each message {id, do: NAME, ...} is answered by one
// {id, did: NAME, ...} or {id, error}; training sends {progress} besides. A map is made in slices, between which questions are answered.
'use strict';
importScripts('s2v.js', 'storage.js', 'map.js');
const ready = new Promise(resolve => { Module.onRuntimeInitialized = resolve; }).then(mountStorage);
const path = '/db/database.db';
const kText = 3, kBlob = 4, kNull = 5;  // SQLITE_TEXT and so on
const kMapRows = 2000;
const kWarmQuestions = 24, kWarmSeconds = 4;  // at most
let db = 0;

// ---- SQLite's C interface ----

function check(code) {
  if (code !== 0 && code !== 100 && code !== 101) throw Error(UTF8ToString(Module._sqlite3_errmsg(db)));
  return code;
}
function newText(text) {
  const size = lengthBytesUTF8(text) + 1, place = Module._malloc(size);
  stringToUTF8(text, place, size);
  return place;
}
// Calls use(statement, bind, step) with a prepared statement.
function prepare(sql, use) {
  const text = newText(sql), place = Module._malloc(4);
  try {
    check(Module._sqlite3_prepare_v2(db, text, -1, place, 0));
    const statement = HEAPU32[place >> 2];
    const bind = (value, at) => {
      const bytes = newText(value);
      check(Module._sqlite3_bind_text(statement, at + 1, bytes, -1, -1));  // -1: SQLite copies
      Module._free(bytes);
    };
    try {
      return use(statement, bind, () => check(Module._sqlite3_step(statement)) === 100);
    } finally {
      Module._sqlite3_finalize(statement);
    }
  } finally {
    Module._free(text);
    Module._free(place);
  }
}
function columnValue(statement, i) {
  const type = Module._sqlite3_column_type(statement, i);
  if (type === kNull) return null;
  if (type < kText) return Module._sqlite3_column_double(statement, i);
  if (type === kText) return UTF8ToString(Module._sqlite3_column_text(statement, i));
  const place = Module._sqlite3_column_blob(statement, i);
  return HEAPU8.slice(place, place + Module._sqlite3_column_bytes(statement, i));
}
// All rows as objects.
function select(sql, ...values) {
  return prepare(sql, (statement, bind, step) => {
    values.forEach(bind);
    const rows = [];
    while (step()) {
      const row = {};
      for (let i = 0; i < Module._sqlite3_column_count(statement); i++) {
        row[UTF8ToString(Module._sqlite3_column_name(statement, i))] = columnValue(statement, i);
      }
      rows.push(row);
    }
    return rows;
  });
}
const name = text => '"' + text.replaceAll('"', '""') + '"';

// A new connection to the file, which is made of the bytes where there are any; with the functions of s2v, and one that tells the
// page of progress.
function open(bytes) {
  close();
  if (bytes) {
    remove();
    try {
      FS.writeFile(path, bytes);
    } catch {
      remove();
      throw Error('the browser has no room for it');
    }
  }
  const file = newText(path), place = Module._malloc(4), tell = newText('show_progress');
  const code = Module._sqlite3_open(file, place);
  db = HEAPU32[place >> 2];
  check(code);
  check(Module._sqlite3_s2v_init(db, 0, 0));
  const progress = addFunction((context, count, values) => {
    const at = i => HEAPU32[(values >> 2) + i];
    postMessage({progress: UTF8ToString(Module._sqlite3_value_text(at(0))), fraction: Module._sqlite3_value_double(at(1))});
  }, 'viii');
  check(Module._sqlite3_create_function_v2(db, tell, 2, 1, 0, progress, 0, 0, 0));
  [file, place, tell].forEach(Module._free);
  select('PRAGMA cache_size = -65536');  // 64 MB: the file may be in a storage that is slower than memory
}
function close() {
  if (db) Module._sqlite3_close(db);
  db = 0;
}
function remove() {
  for (const old of [path + '-journal', path]) if (FS.analyzePath(old).exists) FS.unlink(old);
}

// ---- CSV ----

// Calls row(fields) for each line: quotes as in RFC 4180; fields are parted by what the first line has most of.
function readCsv(text, row) {
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const [mark] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  const field = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${mark}\\r\\n]*))(${mark}|\\r?\\n|\\r|$)`, 'y');
  for (let fields = []; field.lastIndex < text.length;) {
    const found = field.exec(text);
    if (!found) throw Error(`the CSV has a quote that does not fit, at character ${field.lastIndex}`);
    fields.push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    if (found[3] === mark && field.lastIndex < text.length) continue;
    if (fields.length > 1 || fields[0] !== '') row(fields);
    fields = [];
  }
}
// Columns of the header's names, each once; no column has the key's name, or one that the rowid has.
function parseCsv(text) {
  let columns = null;
  const rows = [];
  readCsv(text, fields => columns ? rows.push(fields) : (columns = fields.map((f, i) => f || 'column ' + (i + 1))));
  if (!columns) throw Error('the file is empty');
  const taken = new Set(['rowid', '_rowid_', 'oid']);
  columns = columns.map(column => {
    let one = column;
    for (let n = 2; taken.has(one.toLowerCase()); n++) one = column + ' ' + n;
    taken.add(one.toLowerCase());
    return one;
  });
  const key = ['id', 'key', 'row', 'number of the row'].find(one => !taken.has(one));
  if (!key) throw Error('no name is left for the key: rename the column "number of the row"');
  return {columns, rows, key};
}
function importCsv({columns, rows, key}) {
  select('BEGIN');
  select(`CREATE TABLE rows(${name(key)} INTEGER PRIMARY KEY, ${columns.map(name).join(', ')})`);
  prepare(`INSERT INTO rows(${columns.map(name).join(', ')}) VALUES(${columns.map(() => '?').join(', ')})`,
          (statement, bind, step) => {
    for (const fields of rows) {
      columns.forEach((_, i) => bind(fields[i] ?? '', i));
      step();
      Module._sqlite3_reset(statement);
    }
  });
  select('COMMIT');
}

// ---- what the page asks for ----

// The columns that have texts, and the index that there is already.
function look() {
  const columns = select(`SELECT t.name AS "table", c.name AS "column"
                          FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
                          WHERE t.schema = 'main' AND t.type = 'table' AND NOT t.wr AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                            AND t.name NOT LIKE 's2v\\_%' ESCAPE '\\' AND c.type NOT LIKE '%INT%'`);
  for (const one of columns) {
    Object.assign(one, select(`SELECT avg(length(v)) AS length, max(v) AS sample FROM
                               (SELECT ${name(one.column)} AS v FROM ${name(one.table)} LIMIT 100) WHERE typeof(v) = 'text'`)[0]);
  }
  const index = findIndex();
  warmUp(index);
  return {columns: columns.filter(one => one.length), index};
}
function findIndex() {
  const sql = select(`SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING s2v_index(%'`)[0];
  const found = sql && /s2v_index\s*\(\s*("(?:[^"]|"")*"|\w+)\s*,\s*("(?:[^"]|"")*"|\w+)/i.exec(sql.sql);
  const plain = text => text[0] === '"' ? text.slice(1, -1).replaceAll('""', '"') : text;
  return found ? {name: sql.name, table: plain(found[1]), column: plain(found[2])} : null;
}

const ask = (index, question) =>
  select(`SELECT d.*, d.${name(index.column)} AS "found text", s.score AS "found score"
          FROM ${name(index.name)}(?, 20) AS s JOIN ${name(index.table)} AS d ON d.rowid = s.rowid ORDER BY s.score DESC`, question);
// A browser compiles what it has seen run: the first question took 226 ms, where those after a dozen took 12. So some are asked
// before a person does, of words that the rows have; what an index and its table need is in memory then, too.
function warmUp(index) {
  if (!index) return;
  const start = performance.now();
  const texts = select(`SELECT ${name(index.column)} AS text FROM ${name(index.table)}
                        WHERE typeof(${name(index.column)}) = 'text' AND ${name(index.column)} <> '' LIMIT 1000`);
  for (let i = 0; i < kWarmQuestions && texts.length && performance.now() - start < 1000 * kWarmSeconds; i++) {
    const words = texts[i * 41 % texts.length].text.split(/\s+/, 6);
    ask(index, words.slice(0, 1 + i % 6).join(' '));
  }
}

const acts = {
  // What is there from the last time, where anything is.
  async begin() {
    const {kept, why} = await ready;
    if (!FS.analyzePath(path).exists) return {kept, why, columns: null};
    open();
    return {kept, why, ...look()};
  },
  open({bytes}) {
    const isDatabase = new TextDecoder().decode(bytes.subarray(0, 15)) === 'SQLite format 3';
    if (isDatabase) bytes[18] = bytes[19] = 1;  // a rollback journal: WAL's needs memory that processes share
    // Before the database that was kept is gone.
    const csv = isDatabase ? null : parseCsv(new TextDecoder().decode(bytes));
    open(isDatabase ? bytes : new Uint8Array());
    if (csv) importCsv(csv);
    return look();
  },
  train({table, column}) {
    const start = performance.now();
    const index = table + '_search';
    select(`SELECT s2v_train(?, ?, json_object('progress', 'SELECT show_progress(:phase, :fraction)', 'default', json('true')))`,
           table, column);
    const trained = performance.now();
    postMessage({progress: 'index', fraction: 0});
    if (select('SELECT 1 FROM sqlite_schema WHERE name = ?', index).length) {
      select(`INSERT INTO ${name(index)}(${name(index)}) VALUES('rebuild')`);
    } else {
      select(`CREATE VIRTUAL TABLE ${name(index)} USING s2v_index(${name(table)}, ${name(column)})`);
    }
    const made = {name: index, table, column}, indexed = performance.now();
    warmUp(made);
    return {index: made, trainSeconds: (trained - start) / 1000, indexSeconds: (indexed - trained) / 1000};
  },
  ask({index, text}) {
    const start = performance.now();
    const rows = ask(index, text);
    return {rows, milliseconds: performance.now() - start};
  },
  // Some of the rows, on a plane: the same ones each time.
  async map({index}) {
    const rows = select(`SELECT rowid AS id, substr(${name(index.column)}, 1, 400) AS text, s2v_embed(${name(index.column)}) AS vector
                         FROM ${name(index.table)} WHERE rowid IN (SELECT rowid FROM ${name(index.table)}
                         ORDER BY (rowid * 2654435761) % 4294967296, rowid LIMIT ${kMapRows})`).filter(row => row.vector);
    const places = await makeMap(rows.map(({vector}) => new Float32Array(vector.buffer)), () => new Promise(resolve => setTimeout(resolve)));
    return {points: rows.map(({id, text}, i) => ({id, text, ...places[i]})),
            groups: describeGroups(places, rows.map(row => row.text))};
  },
  save() {
    return {bytes: FS.readFile(path)};
  },
  forget() {
    close();
    remove();
    return {};
  },
};

onmessage = async ({data: {id, do: act, ...values}}) => {
  await ready;
  try {
    const answer = await acts[act](values);
    postMessage({id, did: act, ...answer}, answer.bytes ? [answer.bytes.buffer] : []);
  } catch (error) {
    postMessage({id, error: error.message});
  }
};
