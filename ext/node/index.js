// Loads the extension s2v into a connection of better-sqlite3, node:sqlite or bun:sqlite.
'use strict';
const path = require('node:path');

const getLoadablePath = () => path.join(__dirname, 's2v.so');

function load(db) {
  try {
    db.loadExtension(getLoadablePath());
  } catch (error) {
    if (!db.enableLoadExtension || error.code !== 'ERR_INVALID_STATE') throw error;
    db.enableLoadExtension(true);
    try {
      db.loadExtension(getLoadablePath());
    } finally {
      db.enableLoadExtension(false);
    }
  }
}

exports.getLoadablePath = getLoadablePath;
exports.load = load;
