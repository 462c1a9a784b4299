#!/usr/bin/env bash
# Runs one golden SQL script in the stock shell: run_script.sh SHELL EXTENSION SCRIPT.sql
#
# The script works on a new database in a folder of its own (the current folder). Its output is compared with
# SCRIPT.expected, line by line. UPDATE_EXPECTED=1 writes that file instead: read the difference before you
# commit it.
set -u
shell=$1 extension=${2%.so} script=$3
expected=${script%.sql}.expected
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$script")/setup.inc" "$folder"/ && cd "$folder" || exit 1
# Errors are part of the output; the file name and line number that newer shells print are not.
{ printf '.load %s\n.bail off\n' "$extension"; cat "$script"; } |
  "$shell" -batch test.db 2>&1 | tr -d '\r' | sed -E 's/^(Runtime|Parse) error near line [0-9]+: /\1 error: /; s/^Error: near line [0-9]+: /Error: /; s/ \([0-9]+\)$//' >actual
if [ "${UPDATE_EXPECTED:-}" = 1 ]; then
  cp actual "$expected"
elif ! diff -u "$expected" actual; then
  echo "golden: $(basename "$script") differs"
  exit 1
fi
