#!/usr/bin/env bash
# Runs what a page of the manual shows: run_docs.sh SHELL EXTENSION COMMAND PAGE.md
#
# A page's fenced blocks are run in order, each in a process of its own, in a new folder that holds build/s2v.so,
# build/s2v (also as s2v in PATH), and news.db, which tests/docs/setup.sql fills. A block fails where its process does.
#
#   sql      the stock shell, on news.db, with the extension loaded, .mode column
#   sh       bash
#   python   a python3 whose sqlite3 module can load extensions; skipped where there is none
#   output   what the block before printed, compared without blanks at the ends of lines
#
# Words behind the language: "fails" is a block that has to fail; "no-run" is not run, and the line before the block says
# why. Other languages are not run. Links to files have to lead somewhere.
set -u
shell=$1 extension=$(realpath "$2") command=$(realpath "$3")
page=$(realpath "$4")
setup=$(realpath "$(dirname "$0")/setup.sql")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build" && ln -s "$extension" "$folder/build/s2v.so" && ln -s "$command" "$folder/build/s2v" &&
  cd "$folder" && "$shell" -batch -bail -init /dev/null news.db ".read '$setup'" || exit 1
export PATH=$folder/build:$PATH
sql() { "$shell" -batch -bail -init /dev/null -cmd '.load ./build/s2v' "$@"; }
python=$(command -v /usr/bin/python3 python3 | head -n 1)
"${python:-false}" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null || python=''

# Each block becomes a file NUMBER.block: its info, the line where it begins, then its text.
awk '/^```/ { if (open) { close(file); open = 0 } else { open = 1; file = sprintf("%04d.block", ++n)
              print substr($0, 4) > file; print NR > file } next }
     open { print > file }' "$page"

ran=0 skipped=0 failed=0
for block in *.block; do
  [ -f "$block" ] || break
  { read -r language words && read -r line; } <"$block"
  tail -n +3 "$block" >text
  if [ "$language" = output ]; then
    # Newer shells name a file and a line in an error's first line.
    sed -E 's/^(Runtime|Parse) error near line [0-9]+: /Error: /; s/^Error: near line [0-9]+: /Error: /; s/ \([0-9]+\)$//; s/ +$//' printed >actual
    if [ -n "$before" ] && ! diff -u text actual; then
      echo "$(basename "$page"):$line: the output differs"
      failed=$((failed + 1))
    fi
    continue
  fi
  before=$language
  [[ $words == *no-run* ]] && language=none
  case $language in
    sql) sql -cmd '.mode column' news.db <text >printed 2>&1 ;;
    sh) bash -eu -o pipefail text >printed 2>&1 </dev/null ;;
    python) [ -n "$python" ] && "$python" text >printed 2>&1 ;;
    *) false ;;
  esac
  status=$?
  if [[ $language != @(sql|sh|python) ]] || { [ "$language" = python ] && [ -z "$python" ]; }; then
    before='' skipped=$((skipped + 1))
  elif [ $status -ne 0 ] && [[ $words != *fails* ]] || { [ $status -eq 0 ] && [[ $words == *fails* ]]; }; then
    echo "$(basename "$page"):$line: status $status"
    cat text printed
    failed=$((failed + 1))
  else
    ran=$((ran + 1))
  fi
done
for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c 3-); do
  [ -e "$(dirname "$page")/$link" ] || { echo "$(basename "$page"): no file $link"; failed=$((failed + 1)); }
done
echo "$(basename "$page"): $ran blocks ran, $skipped were skipped, $failed failed"
[ $failed -eq 0 ] && [ $((ran + skipped)) -gt 0 ]
