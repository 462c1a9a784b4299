# shellcheck shell=bash disable=SC2154  # sourced
# Shared by grid.sh and search_quality.sh, which source it with $s2v set.

# import DB TEXT: makes docs(id INTEGER PRIMARY KEY, body TEXT), a row for each line.
import() {
  sqlite3 "$1" 'CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT); CREATE TABLE line(body TEXT);' \
    '.mode ascii' '.separator "\037" "\n"' ".import '$2' line" \
    'INSERT INTO docs(body) SELECT body FROM line; DROP TABLE line; VACUUM;'
}

# timed COMMAND...: its seconds instead of its output; fails where it fails.
timed() {
  local start
  start=$(date +%s.%N)
  "$@" > /dev/null || return
  echo "$(date +%s.%N) $start" | awk '{ printf "%.2f", $1 - $2 }'
}

# query SQL: of the JSON lines that it is given, which are in line(j).
query() {
  sqlite3 :memory: 'CREATE TABLE line(j TEXT);' '.mode ascii' '.separator "\037" "\n"' \
    '.import /dev/stdin line' '.mode list' "$1"
}
