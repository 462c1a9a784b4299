#!/bin/bash
# The grid behind `auto`: tables of several sizes, the settings that are chosen beside others, one
# changed at a time. Prints a Markdown table for each size, the choice first.
#
#   tests/bench/grid.sh CORPUS.txt NAME FOLDER
#
# CORPUS.txt has a sentence a line; NAME calls it. For developers: a size of 100,000 rows takes
# about ten minutes. What is in FOLDER already is not made again.
#
# Environment: S2V_DATA    where eval/*.tsv are             (required)
#              S2V         the program                      (default build/s2v)
#              ROWS        sizes; a size beyond the corpus is all of it
#                                                           (default "1000 10000 100000")
#              GRID        flags that are tried, one choice a line (default: see below)
set -euo pipefail

if [ $# -ne 3 ]; then
  sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
corpus=$1 name=$2 folder=$3
: "${S2V_DATA:?set S2V_DATA to the folder with eval/*.tsv}"
s2v=$(realpath "${S2V:-build/s2v}")
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"
grid=${GRID:-'--learning-rate 0.05
--learning-rate 0.1
--learning-rate 0.25
--learning-rate 0.5
--epochs 3
--epochs 20
--dimension 100
--dimension 600
--subsampling-threshold 1e-5
--subsampling-threshold 1e-3
--context-threshold 0 --initial-norm 20
--context-threshold 3e-4 --initial-norm 10
--min-count 1 --min-target-count 1
--min-count 2 --min-target-count 2
--ngram-order 2'}
mkdir -p "$folder"

figures() {  # DB MODEL ENCODERS: "encoder sts14 sts12 sick self", Pearson and reciprocal rank x 100
  {
    "$s2v" eval similarity "$1" "$S2V_DATA"/eval/sts1*.tsv "$S2V_DATA/eval/sick-trial.tsv" \
      --model "$2" --encoders "$3" --json --quiet
    "$s2v" eval self "$1" --model "$2" --encoders "$3" --json --quiet
  } | query "
    WITH figure(encoder, task, x) AS (
      SELECT j ->> 'encoder', substr(coalesce(j ->> 'file', j ->> 'task'), 1, 5),
        100 * coalesce(j ->> 'pearson', j ->> 'mean_reciprocal_rank')
      FROM line WHERE j ->> 'average' IS NULL)
    SELECT encoder || format(' | %.1f | %.1f | %.1f | %.1f', avg(x) FILTER (WHERE task = 'sts14'),
      avg(x) FILTER (WHERE task = 'sts12'), avg(x) FILTER (WHERE task = 'sick-'),
      avg(x) FILTER (WHERE task = 'self'))
    FROM figure WHERE encoder IN ('model', 'tfidf') GROUP BY encoder;"
}

for rows in ${ROWS:-1000 10000 100000}; do
  part=$folder/$name-$rows
  if [ ! -e "$part.db" ]; then
    # The same random rows every time.
    shuf -n "$rows" --random-source=<(yes) "$corpus" > "$part.txt"
    import "$part.db" "$part.txt"
  fi
  printf '\n## %s, %s rows\n\n| settings | STS14 | STS12 | SICK trial | self | seconds |\n|---|---|---|---|---|---|\n' \
    "$name" "$(wc -l < "$part.txt")"
  printf '%s\n' '' "$grid" | while IFS= read -r flags; do
    file="$part${flags// /_}.row"
    if [ ! -e "$file" ]; then
      encoders=model
      if [ -z "$flags" ]; then encoders=model,tfidf; fi
      # shellcheck disable=SC2086  # a list
      seconds=$(timed "$s2v" train "$part.db" --table docs --column body --model m --quiet $flags)
      figures "$part.db" m "$encoders" | while IFS= read -r line; do
        case $line in
          model*) echo "| ${flags:-auto}${line#model} | $seconds |" ;;
          *) echo "| TF-IDF${line#tfidf} | |" ;;
        esac
      done > "$file.part"
      mv "$file.part" "$file"
    fi
    cat "$file"
  done
done
