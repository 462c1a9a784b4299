#!/usr/bin/env node
// sqlite-s2v from Node.js.
//
//     npm install better-sqlite3
//     node examples/node_search.js [path of s2v.so]
//
// Shows: loading the extension, training, an index, searching by text, and reading an embedding as numbers. Runs on
// better-sqlite3, on Node's own node:sqlite (22.13 and later), or on @photostructure/sqlite, which is node:sqlite
// for older Node: the first of them that is there, or the one that S2V_NODE_SQLITE names. Each brings a SQLite of its
// own. Ends with status 77 where there is none.
'use strict';
const path = require('node:path');

const openers = {
  'better-sqlite3': () => new (require('better-sqlite3'))(':memory:'),
  'node:sqlite': () => openSync(require('node:sqlite')),
  '@photostructure/sqlite': () => openSync(require('@photostructure/sqlite')),
};

function openSync({DatabaseSync}) {
  const database = new DatabaseSync(':memory:', {allowExtension: true});
  database.enableLoadExtension(true);
  return database;
}

function open() {
  const wanted = process.env.S2V_NODE_SQLITE;
  const names = wanted ? [wanted] : Object.keys(openers);
  for (const name of names) {
    try {
      return {name, db: openers[name]()};
    } catch (error) {
      // The package is not installed, has no binary for this machine, or this Node is too old for it.
      console.log(`${name}: ${error.message.split('\n')[0]}`);
    }
  }
  console.log(`skipped: there is no ${names.join(', no ')}`);
  process.exit(77);
}

const {name, db} = open();
const extension = path.resolve(process.argv[2] || path.join(__dirname, '..', 'build', 's2v.so'));
db.loadExtension(extension.replace(/\.so$/, ''));
const versions = db.prepare('SELECT sqlite_version() AS sqlite, s2v_version() AS s2v').get();
console.log(`${name}, SQLite ${versions.sqlite}, s2v ${versions.s2v}`);

// 54 remarks: too few to learn a language from, enough to learn which words keep which company.
db.exec('CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT)');
const insert = db.prepare('INSERT INTO remark(body) VALUES(?)');
for (const [subjects, verbs, objects] of [
  [['the cat', 'a dog', 'my horse'], ['eats', 'smells', 'wants'],
    ['some fish', 'fresh meat', 'dry hay']],
  [['the car', 'a bus', 'my truck'], ['crosses', 'follows', 'blocks'],
    ['the road', 'this street', 'that bridge']],
]) {
  for (const who of subjects) {
    for (const does of verbs) {
      for (const what of objects) insert.run(`${who} ${does} ${what}`);
    }
  }
}

const {summary} = db.prepare(
    `SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20,
                      'learning_rate', 0.1, 'subsampling_threshold', 1, 'workers', 1)) AS summary`).get();
console.log('trained:', summary);
db.exec('CREATE VIRTUAL TABLE remark_search USING s2v_index(remark, body)');

const question = 'fresh fish for my dog';
console.log(`found for '${question}':`);
const nearest = db.prepare(
    'SELECT s.score, r.id, r.body FROM remark_search(?, 3) AS s JOIN remark AS r ON r.id = s.rowid').all(question);
for (const {score, body} of nearest) console.log(`  ${score.toFixed(3)}  ${body}`);

// A vector is float32, little-endian, nothing else. The copy is aligned, which a Buffer need not be.
const blob = db.prepare('SELECT s2v_embed(?) AS v').get(question).v;
const vector = new Float32Array(new Uint8Array(blob).buffer);
const length = Math.hypot(...vector);
console.log(`its embedding: ${vector.length} numbers, length ${length.toFixed(4)}`);

// A vector made here is an argument like any other.
const {same} = db.prepare('SELECT s2v_cosine(?, ?) AS same')
    .get(new Uint8Array(vector.buffer), question);
console.log(`its cosine with itself: ${same.toFixed(6)}`);

db.close();
const right = nearest.every(({id}) => id <= 27) && Math.abs(length - 1) < 1e-4 && Math.abs(same - 1) < 1e-5;
process.exit(right ? 0 : 1);
