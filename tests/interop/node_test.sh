#!/usr/bin/env bash
# examples/node_search.js on each SQLite module for Node that is there: node_test.sh EXTENSION FOLDER
#
# FOLDER is where tests/interop/fetch.sh puts things. Skipped (77) where there is no Node or no module.
set -u
extension=$1
export NODE_PATH=$2/node_modules
script=$(dirname "$0")/../../examples/node_search.js
if ! command -v node >/dev/null; then
  echo 'skipped: there is no node'
  exit 77
fi
ran=0
for module in better-sqlite3 node:sqlite @photostructure/sqlite; do
  S2V_NODE_SQLITE=$module node "$script" "$extension"
  status=$?
  if [ $status -eq 0 ]; then
    ran=$((ran + 1))
  elif [ $status -ne 77 ]; then
    echo "$module: status $status"
    exit 1
  fi
done
if [ $ran -eq 0 ]; then
  echo "skipped: there is no SQLite module for Node (tests/interop/fetch.sh gets one)"
  exit 77
fi
