#!/usr/bin/env bash
# Ctrl-C on Windows, typed into a console's window: Wine hands it to a program only there, so a display in memory (Xvfb) has one.
# Run by tests/platforms.sh, within xvfb-run.
set -u
cd "$(dirname "$0")/../.." || exit
program='Z:'$PWD/build-windows-x64/s2v.exe
export WINEPREFIX=${WINEPREFIX:-$PWD/build-wine} WINEDEBUG=-all WINEPATH='Z:'$PWD/build-windows-x64/libraries/bin
status=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
check() {  # check WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] && return
  printf 'windows: console: %s: expected\n%s\nbut got\n%s\n' "$1" "$2" "$3"
  status=1
}
sql() { sqlite3 -batch stop.db "$1"; }

# interrupted ARGUMENT...: trains in a window, types Ctrl-C there, returns the exit code
interrupted() {
  local attempt
  timeout 120 /usr/lib/wine/wine64 wineconsole "$program" train stop.db --table docs --column body --model docs --epochs 100000 \
    --dimension 100 --min-count 1 --min-target-count 1 "$@" &
  local process=$!
  # The window may come late, and a former one may still be there. A second Ctrl-C within the five seconds would not wait for a checkpoint.
  for attempt in $(seq 10); do
    sleep 6
    kill -0 $process 2>/dev/null || break
    xdotool windowfocus "$(xdotool search --name 's2v.exe' 2>/dev/null | tail -n 1)" 2>/dev/null && xdotool key ctrl+c
  done
  wait $process
}

sqlite3 -batch stop.db <"$OLDPWD/tests/sql_scripts/setup.inc" >/dev/null
sql 'INSERT INTO docs(body) SELECT docs.body FROM docs, docs AS times'  # a training without end
interrupted
check 'exit code' 130 $?
check 'tables of a model' 0 "$(sql "SELECT count(*) FROM sqlite_schema WHERE name LIKE 's2v%'")"
interrupted --checkpoint-every 3600
check 'exit code where there are checkpoints' 130 $?
check 'the checkpoint that Ctrl-C stored' 1 "$(sql 'SELECT count(*) FROM s2v_checkpoint')"
check 'the file is whole' ok "$(sql 'PRAGMA integrity_check')"
exit $status
