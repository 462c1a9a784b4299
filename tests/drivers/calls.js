// A SQLite module of JavaScript: calls.js EXTENSION MODULE. What it runs, and why, is said in drivers.sh.
'use strict';
const path = require('node:path');
const calls = require('./calls.json');
const [, , extension, name] = process.argv;

function open() {
  if (name === 'better-sqlite3') return new (require(name))(':memory:');
  if (name === 'bun:sqlite') return new (require(name).Database)(':memory:');
  const database = new (require(name).DatabaseSync)(':memory:', {allowExtension: true});
  database.enableLoadExtension(true);
  return database;
}

function run(db, call, number) {
  const values = (call.values ?? []).map((value) => {
    if (value !== null && typeof value === 'object') return run(db, value, number);
    return typeof value === 'number' ? number(value) : value;
  });
  const statement = db.prepare(call.sql);
  // better-sqlite3 refuses get() of what gives no rows.
  if (statement.reader === false) return statement.run(...values) && null;
  return Object.values(statement.get(...values) ?? [null])[0];
}

try {
  open();
} catch (error) {
  console.log(`skipped: ${name}: ${error.message.split('\n')[0]}`);
  process.exit(77);
}
for (const number of [Number, BigInt, String]) {
  const db = open();
  db.loadExtension(path.resolve(extension).replace(/\.so$/, ''));
  for (const call of calls) {
    let got;
    try {
      got = String(run(db, call, number) ?? 'NULL');
    } catch (error) {
      got = error.message;
    }
    if (got !== (call.expect ?? 'NULL')) {
      console.log(`${name}, numbers bound as ${number.name}: ${JSON.stringify(call)} gives ${got}`);
      process.exit(1);
    }
  }
}
const runtime = process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.versions.node}`;
console.log(`${runtime}, ${name}: ${calls.length} calls, numbers as Number, BigInt and String`);
