#!/usr/bin/env bash
# The static library in a program that carries its own SQLite: own_sqlite.sh BUILD [VERSION...]
#
# By hand, since it fetches: the sources of SQLite come with the npm package better-sqlite3, by default those of versions
# 7.5.2 (SQLite 3.38) and 13.2.0 (newer than Debian's).
set -eu
source=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 7.5.2 13.2.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version; do
  npm pack --silent "better-sqlite3@$version" >/dev/null
  tar -xzf "better-sqlite3-$version.tgz"
  sqlite=package/deps/sqlite3
  cc -O1 -DSQLITE_ENABLE_FTS5 -c $sqlite/sqlite3.c -o sqlite3.o
  cc -I"$source/ext" -I$sqlite "$source/examples/static_link.c" "$build/libs2v.a" sqlite3.o -lutf8proc -lstemmer -lstdc++ -lm -pthread \
    -ldl -o program
  if objdump -p program | grep -q libsqlite3; then echo 'the program asks for a SQLite beside its own' && exit 1; fi
  printf 'SQLite %s: ' "$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' $sqlite/sqlite3.h)"
  ./program | tail -n 1
  rm -rf package
done
