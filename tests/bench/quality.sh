#!/bin/bash
# How good embeddings of one corpus are, all ways to make them side by side: one Markdown table.
#
#   tests/bench/quality.sh CORPUS.txt NAME [REFERENCE]
#
# CORPUS.txt has a sentence a line; NAME calls the corpus in the table and the folder of the work.
# REFERENCE is the fasttext program of github.com/epfml/sent2vec; without it its row is left out.
#
# For developers, by hand: on a million sentences it takes hours. What is done is kept and skipped
# the next time, so it may be stopped and started again; to start anew, remove the folder.
#
# Environment: S2V_DATA      where eval/*.tsv are                    (required)
#              S2V           the program                             (default build/s2v)
#              S2V_QUALITY   folder of NAME/ and of the table        (default build/quality)
#              DIMENSION     of every embedding                      (default 300)
#              TRAIN_FLAGS   more flags for every `s2v train`        (default none)
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
corpus=$1 name=$2 reference=${3:-}
: "${S2V_DATA:?set S2V_DATA to the folder with eval/*.tsv}"
s2v=$(realpath "${S2V:-build/s2v}")
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"
quality=${S2V_QUALITY:-build/quality}
dimension=${DIMENSION:-300}
[ -r "$corpus" ] || { echo "cannot read '$corpus'" >&2; exit 1; }
mkdir -p "$quality/$name/results"
folder=$(realpath "$quality/$name")
table=$(realpath "$quality")/quality.md
db=$folder/corpus.db

progress() { echo "$(date +%T) $name: $*" >&2; }
# Runs a command with its output as FILE, which exists only once the command has succeeded.
keep() {
  local file=$1
  shift
  [ -e "$file" ] && return
  progress "$(basename "$file")"
  "$@" > "$file.part"
  mv "$file.part" "$file"
}

import_anew() {
  rm -f "$db"
  import "$db" "$corpus"
}
keep "$folder/import" import_anew

# ---- models: each trained once and stored ----
train() {
  local model=$1
  shift
  # shellcheck disable=SC2086
  keep "$folder/train-$model.json" "$s2v" train "$db" --table docs --column body --model "$model" \
    --dimension "$dimension" --quiet --json "$@" ${TRAIN_FLAGS:-}
}
train default --default
train paper --recipe paper --smoothing 0 --initial-norm 0 --learning-rate 0.2 --epochs 9 \
  --subsampling-threshold 1e-5 --context-threshold 0
# As the encoders of these names are made (ext/cli/encoders.cc).
train pairs --ngram-order 2
train bigrams --smoothing 0 --ngram-order 2
train bigrams-l1 --smoothing 0 --ngram-order 2 --l1 0.0005

tokens_and_reference() {
  [ -e "$folder/tokens.txt" ] || "$s2v" tokenize < "$corpus" > "$folder/tokens.txt"
  train_reference "$reference" "$folder/tokens.txt" "$folder/reference" "$dimension" 9
}
if [ -n "$reference" ]; then
  reference=$(realpath "$reference")
  keep "$folder/train-reference" tokens_and_reference
fi

# ---- figures: one file for each model and task ----
measure() {  # RESULTS MODEL ENCODERS [more flags]
  local to=$folder/results/$1 data=$S2V_DATA/eval
  local flags=(--model "$2" --encoders "$3" --json --quiet)
  shift 3
  flags+=("$@")
  keep "$to.similarity" "$s2v" eval similarity "$db" "$data"/sts14-*.tsv "$data"/sts12-*.tsv \
    "$data/sick-test.tsv" "${flags[@]}"
  keep "$to.mr" "$s2v" eval transfer "$db" "$data/mr.tsv" "${flags[@]}"
  keep "$to.subj" "$s2v" eval transfer "$db" "$data/subj.tsv" "${flags[@]}"
  keep "$to.trec" "$s2v" eval transfer "$db" "$data/trec-train.tsv" --test "$data/trec-test.tsv" \
    "${flags[@]}"
  keep "$to.self" "$s2v" eval self "$db" "${flags[@]}"
}
# Without weights the default model is what the encoder unigrams is.
measure default default model,model-raw,model+sif,tfidf
measure paper paper model
measure pairs pairs model
for model in bigrams bigrams-l1; do measure "$model" "$model" model,model+sif; done
if [ -n "$reference" ]; then
  measure reference default reference \
    --encoder-command "$(reference_encoder "$reference" "$folder/reference")"
fi

# ---- the table ----
{
  cat << 'SQL'
CREATE TABLE line(j TEXT);
CREATE TABLE result(model, encoder, file, p, s, accuracy, mrr);
CREATE TABLE label(model, encoder, label);
INSERT INTO label VALUES
  ('default', 'model', 'model (default)'), ('default', 'model-raw', 'model-raw = unigrams'),
  ('default', 'model+sif', 'unigrams+sif'), ('pairs', 'model', 'model (default), with bigrams'), ('paper', 'model', 'paper''s settings'),
  ('default', 'tfidf', 'tfidf'),
  ('bigrams', 'model', 'bigrams'), ('bigrams', 'model+sif', 'bigrams+sif'),
  ('bigrams-l1', 'model', 'bigrams-l1'), ('bigrams-l1', 'model+sif', 'bigrams-l1+sif'),
  ('default', 'bm25', 'bm25'), ('reference', 'reference', 'reference, paper''s settings');
.mode ascii
.separator "\037" "\n"
SQL
  for file in "$folder"/results/*.{similarity,mr,subj,trec,self}; do
    model=$(basename "${file%.*}")
    echo ".import '$file' line"
    echo "INSERT INTO result SELECT '$model', j ->> 'encoder', coalesce(j ->> 'file', j ->> 'task'),
      j ->> 'pearson', j ->> 'spearman', j ->> 'accuracy', j ->> 'mean_reciprocal_rank'
      FROM line WHERE j ->> 'average' IS NULL AND NOT (j ->> 'task' = 'self' AND j ->> 'queries' IS NULL);
    DELETE FROM line;"
  done
  cat << 'SQL'
.mode list
.headers off
CREATE VIEW cell AS
  SELECT model, encoder, file,
    iif(p IS NULL, '-', format('%.1f', 100 * p)) || '/' || iif(s IS NULL, '-', format('%.1f', 100 * s)) ps,
    coalesce(format('%.1f', 100 * coalesce(accuracy, mrr)), '-') share
  FROM result
  UNION ALL
  SELECT model, encoder, substr(file, 1, 5) || '-mean', format('%.1f/%.1f', 100 * avg(p), 100 * avg(s)), '-'
  FROM result WHERE file LIKE 'sts1%' GROUP BY model, encoder, substr(file, 1, 5);
SQL
  columns=(sts14-deft-forum sts14-deft-news sts14-headlines sts14-images sts14-onwn
    sts14-tweet-news sts14-mean sts12-mean sick-test mr subj trec-train self)
  printf "SELECT '| encoder "
  printf '| %s ' "${columns[@]}"
  printf "|';\nSELECT '|---"
  printf '|---%.0s' "${columns[@]}"
  printf "|';\nSELECT '| ' || label"
  for column in "${columns[@]}"; do
    case $column in
      s*-*) value="ps" ;;
      *) value=share ;;
    esac
    printf " || ' | ' || coalesce((SELECT %s FROM cell c WHERE c.model = l.model AND c.encoder = l.encoder AND file = '%s'), '-')" \
      "$value" "$column"
  done
  echo " || ' |' FROM label l WHERE EXISTS (SELECT 1 FROM result r WHERE r.model = l.model AND r.encoder = l.encoder) ORDER BY l.rowid;"
} > "$folder/table.sql"
{
  echo
  echo "## $name, dimension $dimension, $("$s2v" --version), $(date +%F)"
  echo
  echo "$(sqlite3 "$db" 'SELECT count(*) FROM docs') lines. Similarity: Pearson/Spearman x 100; mr, subj, trec: accuracy;"
  echo "self: mean reciprocal rank x 100 of a row's second half, among a sample of rows that were trained on."
  echo
  sqlite3 :memory: < "$folder/table.sql"
} | tee -a "$table"
progress "appended to $table"
