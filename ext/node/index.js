// Loads the extension s2v into a connection of better-sqlite3, node:sqlite or bun:sqlite. The extension itself is in a
// package for each platform, sqlite-s2v-linux-x64 and so on, of which npm installs the one that fits.
'use strict';
const {optionalDependencies, version} = require('./package.json');

const FILES = {win32: 's2v.dll', darwin: 's2v.dylib'};

function getLoadablePath() {
  const name = `sqlite-s2v-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/${FILES[process.platform] || 's2v.so'}`);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    const packages = Object.keys(optionalDependencies);
    throw new Error(packages.includes(name) ?
        `sqlite-s2v: the package ${name} is not installed. npm leaves it out with --omit=optional; ` +
            `a node_modules of another platform lacks it too. Try: npm install ${name}@${version}` :
        `sqlite-s2v: there is no package ${name}; there are ${packages.join(', ')}`);
  }
}

function load(db) {
  const file = getLoadablePath();
  try {
    db.loadExtension(file);
  } catch (error) {
    if (!db.enableLoadExtension || error.code !== 'ERR_INVALID_STATE') throw error;
    db.enableLoadExtension(true);
    try {
      db.loadExtension(file);
    } finally {
      db.enableLoadExtension(false);
    }
  }
}

exports.getLoadablePath = getLoadablePath;
exports.load = load;
