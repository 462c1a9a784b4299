#!/usr/bin/env bash
# Gets what the tests of interoperation need into build/interop, with npm: sqlite-vec, two SQLite modules for Node, and
# Node 24 and Bun, which bring SQLite modules of their own (330 MB).
#
#   tests/interop/fetch.sh
#
# Where npm or its registry is missing it says so and succeeds: those tests are then skipped. No package runs a
# script of its own; only better-sqlite3's program is asked for, compiled, and where that cannot be downloaded it is
# left out (S2V_COMPILE=1 compiles it, which takes a minute). What is there already is not fetched again.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=build/interop
say() { printf '   %s\n' "$1"; }
quiet() { "$@" >>"$folder/fetch.log" 2>&1 </dev/null; }

if ! command -v npm >/dev/null; then
  say 'There is no npm: the tests with sqlite-vec and Node are skipped.'
  exit 0
fi
mkdir -p $folder
: >$folder/fetch.log
if ! cmp -s tests/interop/package.json $folder/fetched.json; then
  cp tests/interop/package.json $folder/package.json
  if ! quiet timeout 60 npm install --prefix $folder --ignore-scripts --no-package-lock --no-audit --no-fund \
    --fetch-retries=0 --fetch-timeout=10000; then
    say "npm could not install them ($folder/fetch.log): the tests with sqlite-vec and Node are skipped or use what is there."
    exit 0
  fi
  cp tests/interop/package.json $folder/fetched.json
fi
better=$folder/node_modules/better-sqlite3
if ! [ -f $better/build/Release/better_sqlite3.node ]; then
  (cd $better && timeout 20 ../.bin/prebuild-install) >>$folder/fetch.log 2>&1 </dev/null ||
    { [ "${S2V_COMPILE:-}" = 1 ] && quiet npm rebuild --prefix $folder --ignore-scripts=false better-sqlite3; } ||
    say 'better-sqlite3 has no compiled program here; Node is tested with the other modules (S2V_COMPILE=1 compiles it).'
fi
say 'sqlite-vec, modules for Node, Node 24 and Bun are there.'
