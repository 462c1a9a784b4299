# shellcheck shell=bash disable=SC2154  # sourced
# Shared by curve.sh, grid.sh, quality.sh and search_quality.sh, which source it with $s2v set.

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

# train_reference REFERENCE TOKENS MODEL DIMENSION EPOCHS: the paper's settings for words alone.
train_reference() {
  "$1" sent2vec -input "$2" -output "$3" -dim "$4" -epoch "$5" -lr 0.2 -t 1e-5 -wordNgrams 1 \
    -minCount 5 -minCountLabel 5 -neg 10 -bucket 1 -loss ns -thread "$(nproc)" -dropoutK 0 \
    > /dev/null 2>&1
}

# reference_encoder REFERENCE MODEL: the flag of `s2v eval` for the encoder of this name.
reference_encoder() {
  echo "reference='$s2v' tokenize | '$1' print-sentence-vectors '$2.bin'"
}
