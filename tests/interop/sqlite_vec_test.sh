#!/usr/bin/env bash
# examples/sqlite_vec.sql in the stock shell with both extensions: sqlite_vec_test.sh SHELL EXTENSION FOLDER
#
# FOLDER is where tests/interop/fetch.sh puts things; S2V_SQLITE_VEC=path/of/vec0.so names another sqlite-vec. Skipped
# (77) where there is none for this machine.
set -u
shell=$1 extension=${2%.so} folder=$3
script=$(dirname "$0")/../../examples/sqlite_vec.sql
machine=$(uname -m)
case $machine in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; esac
vec=${S2V_SQLITE_VEC:-$folder/node_modules/sqlite-vec-linux-$machine/vec0.so}
if ! [ -f "$vec" ]; then
  echo 'skipped: there is no sqlite-vec (tests/interop/fetch.sh gets it, S2V_SQLITE_VEC names it)'
  exit 77
fi
# .load takes no blanks in a path but in quotes
output=$("$shell" -batch -bail -init /dev/null -cmd ".load '$extension'" -cmd ".load '${vec%.so}'" :memory: \
  ".read '$script'" 2>&1)
status=$?
printf '%s\n' "$output"
if [ $status -ne 0 ] || ! grep -q '^end of sqlite_vec.sql$' <<<"$output"; then
  echo 'sqlite_vec.sql did not come to its end'
  exit 1
fi
if grep -q '|' <<<"$(grep -v '|1$' <<<"$output")"; then
  echo 'a check of sqlite_vec.sql is not 1'
  exit 1
fi
