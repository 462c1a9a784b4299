#!/bin/bash
# What a second of training is worth, beside the reference program: STS 2014 (mean of Pearson over
# the six files) against seconds from the table, or text file, to the stored model. Writes
# curve.csv and curve.svg.
#
#   tests/bench/curve.sh CORPUS.txt REFERENCE FOLDER
#
# CORPUS.txt has a sentence a line; REFERENCE is the fasttext program of github.com/epfml/sent2vec,
# with the paper's settings for words alone. Both use all processors. For developers, on a quiet
# machine: 200,000 lines take ten minutes.
#
# Environment: S2V_DATA    where eval/*.tsv are      (required)
#              S2V         the program               (default build/s2v)
#              EPOCHS      of s2v                    (default "1 2 3 5 10")
#              REFERENCE_EPOCHS                      (default "1 3 9")
set -euo pipefail

if [ $# -ne 3 ]; then
  sed -n '2,16s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
corpus=$1 reference=$(realpath "$2") folder=$3
: "${S2V_DATA:?set S2V_DATA to the folder with eval/*.tsv}"
s2v=$(realpath "${S2V:-build/s2v}")
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"
mkdir -p "$folder"
db=$folder/corpus.db csv=$folder/curve.csv
rm -f "$db"
import "$db" "$corpus"
"$s2v" tokenize < "$corpus" > "$folder/tokens.txt"

score() {  # ENCODER [more flags]
  "$s2v" eval similarity "$db" "$S2V_DATA"/eval/sts14-*.tsv --encoders "$@" --json --quiet |
    query "SELECT format('%.2f', 100 * avg(j ->> 'pearson')) FROM line
           WHERE j ->> 'average' IS NULL AND j ->> 'file' LIKE 'sts14%';"
}

echo 'program,epochs,seconds,score' > "$csv"
for epochs in ${EPOCHS:-1 2 3 5 10}; do
  seconds=$(timed "$s2v" train "$db" --table docs --column body --model "m$epochs" --epochs "$epochs" --quiet)
  echo "s2v,$epochs,$seconds,$(score model --model "m$epochs")" | tee -a "$csv"
  echo "s2v raw,$epochs,$seconds,$(score model-raw --model "m$epochs")" | tee -a "$csv"
done
for epochs in ${REFERENCE_EPOCHS:-1 3 9}; do
  seconds=$(timed train_reference "$reference" "$folder/tokens.txt" "$folder/reference" 300 "$epochs")
  echo "reference,$epochs,$seconds,$(score reference \
    --encoder-command "$(reference_encoder "$reference" "$folder/reference")")" | tee -a "$csv"
done

# Seconds on a logarithmic axis from 1 to 1000, the score from 0 to 80.
awk -F, '
  function x(seconds) { return 60 + 230 * log(seconds) / log(10) }
  function y(score) { return 330 - 4 * score }
  BEGIN {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 380\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#555\">"
    for (s = 0; s <= 80; s += 20)
      printf "<path d=\"M60 %d H750\" stroke=\"#9994\"/><text x=\"52\" y=\"%d\" text-anchor=\"end\">%d</text>\n", y(s), y(s) + 5, s
    for (t = 1; t <= 1000; t *= 10)
      printf "<path d=\"M%d 10 V330\" stroke=\"#9994\"/><text x=\"%d\" y=\"350\" text-anchor=\"middle\">%d</text>\n", x(t), x(t), t
    print "<text x=\"405\" y=\"372\" text-anchor=\"middle\">seconds from the text to the stored model</text>"
    print "<text x=\"66\" y=\"24\">STS 2014, Pearson \303\227 100</text>"
    color["s2v"] = "#1f77b4"; color["s2v raw"] = "#2ca02c"; color["reference"] = "#d62728"
  }
  NR > 1 {
    points[$1] = points[$1] " " x($3) "," y($4)
    dots[$1] = dots[$1] sprintf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s epochs: %s s, %s</title></circle>", x($3), y($4), $2, $3, $4)
    last[$1] = sprintf("<text x=\"%.1f\" y=\"%.1f\">%s</text>", x($3) + 8, y($4) + 5, $1)
  }
  END {
    for (name in points)
      printf "<g fill=\"%s\"><polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%s%s</g>\n", color[name], points[name], color[name], dots[name], last[name]
    print "</svg>"
  }' "$csv" > "$folder/curve.svg"
echo "wrote $csv and $folder/curve.svg" >&2
