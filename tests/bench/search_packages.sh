#!/bin/bash
# Short questions on a noisy table: 60 questions of two to five words, as people type them, to the names and descriptions
# of Debian's packages. Their judgements stand in packages/qrels.tsv, by name.
#
#   tests/bench/search_packages.sh [OPTION...]
#
#   OPTION...   for the training, as `s2v train` takes them
#
# Judged once, without knowing which search had found a row, in Debian 12: of each question the eight best rows by FTS5's porter, by
# the index and by its meaning alone; 2 what is wanted, 1 a part of it or of use for it, 0 neither. Five questions
# have no answer among them. What a later search finds that nobody judged counts as wrong.
#
# Needs apt-cache and its lists (apt-get update). Environment: S2V   the program (default build/s2v)
set -euo pipefail

command -v apt-cache > /dev/null || { echo "no apt-cache: skipped" >&2; exit 77; }
folder=$(dirname "$0")/packages
s2v=$(realpath "${S2V:-build/s2v}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A package may be there in several versions; the first one counts.
apt-cache dumpavail | awk '
  /^Package: / { name = $2 }
  /^Description: / && !(name in met) { met[name]; print name "\t" name ": " substr($0, 14) }' > "$work/docs.tsv"
[ -s "$work/docs.tsv" ] || { echo "apt-cache knows no packages: skipped" >&2; exit 77; }
sqlite3 "$work/p.db" 'CREATE TABLE docs(id TEXT PRIMARY KEY, body TEXT);' '.mode ascii' \
  '.separator "\t" "\n"' ".import '$work/docs.tsv' docs"
"$s2v" train "$work/p.db" --table docs --column body --quiet "$@"
"$s2v" index create "$work/p.db" docs_search docs body --quiet
"$s2v" eval search "$work/p.db" --index docs_search --table docs --column body --id id \
  --queries "$folder/queries.tsv" --judgements "$folder/qrels.tsv" --quiet
