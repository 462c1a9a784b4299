#!/usr/bin/env bash
# What is Windows' own, with s2v.exe under wine: names beyond the code page, line ends, locks between processes,
# SQLite's mapped files. Run by tests/platforms.sh.
set -u
cd "$(dirname "$0")/../.." || exit
build=$PWD/build-windows-x64
export WINEPREFIX=${WINEPREFIX:-$PWD/build-wine}
status=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
s2v() { "$build/emulated/s2v" "$@"; }
# sqlite DATABASE LINE...: the name goes to the shell as text, since its arguments are of the code page
sqlite() {
  { printf '.open "%s"\n' "$1" && printf '%s;\n' "${@:2}"; } | sed 's/^\(\..*\);$/\1/' | shell
}
shell() { "$build/emulated/sqlite3" -batch 2>&1 | tr -d '\r'; }
check() {  # check WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] && return
  printf 'windows: %s: expected\n%s\nbut got\n%s\n' "$1" "$2" "$3"
  status=1
}

cp tests/sql_scripts/setup.inc "$folder/"
cd "$folder" || exit 1
mkdir 'Ordner ж漢'
name='Ordner ж漢/Fuchs ü.db'
sqlite "$name" '.read setup.inc' >/dev/null
train=(--column body --model docs --dimension 8 --min-count 1 --min-target-count 1 --workers 2 --quiet)
s2v train "$name" --table docs "${train[@]}"
check 'exit code of a training in a folder with such a name' 0 $?
check 'its model' '1' "$(sqlite "$name" 'SELECT count(*) FROM s2v_model')"
s2v train 'fehlt ж.db' --table docs "${train[@]}" >out 2>&1
check 'exit code without a file' 1 $?
check 'the name in a message' 1 "$(grep -c "no file 'fehlt ж.db'" out)"

# Line ends: read with either, written as '\n' alone.
printf 'red fox\r\nheavy rain\r\n' >crlf.txt
printf 'red fox\nheavy rain\n' >lf.txt
s2v embed "$name" <crlf.txt >crlf.out
s2v embed "$name" <lf.txt >lf.out
check 'lines' 2 "$(wc -l <lf.out | tr -d ' ')"
check 'carriage returns in the output' 0 "$(grep -c "$(printf '\r')" lf.out)"
check 'the same of both line ends' '' "$(diff crlf.out lf.out)"

# A file that is exported and imported, by names beyond the code page.
s2v export "$name" docs 'Wörter ж.vec' --format vec --quiet
check 'exit code of an export' 0 $?
s2v import "$name" 'Wörter ж.vec' --model imported --quiet
check 'exit code of an import' 0 $?
check 'models' 2 "$(sqlite "$name" 'SELECT count(*) FROM s2v_model')"

# Texts that find no place in memory go to a temporary file, which is gone afterwards.
sqlite "$name" 'CREATE TABLE many(body); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
  INSERT INTO many SELECT body FROM n JOIN docs ON docs.id = i % 80 + 1'
s2v train "$name" --table many --column body --model many --dimension 8 --epochs 1 --quiet --memory 8
check 'exit code with a limit of memory' 0 $?
check 'temporary files that are left' '' "$(find "$WINEPREFIX/drive_c" -iname 's2v*.tmp')"

# Another process holds the write lock: the training waits for it, and is then told.
check 'locked' 'locked' "$( { printf '.open "%s"\nBEGIN IMMEDIATE;\n' "$name"; sleep 3; printf "SELECT 'locked';\nCOMMIT;\n"; } | shell &
  sleep 1; s2v train "$name" --table docs "${train[@]}" || echo failed; wait)"
check 'the file is whole' ok "$(sqlite "$name" 'PRAGMA integrity_check')"

# Mapped files.
check 'mapped' "$(printf '1000000\n1')" "$(sqlite "$name" ".load $build/s2v" 'PRAGMA mmap_size = 1000000' \
  "SELECT length(s2v_embed('red fox', 'docs')) = 32")"
exit $status
