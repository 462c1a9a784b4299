#!/usr/bin/env bash
# Training by several processes: mpi_test.sh S2V_MPI S2V SQLITE3
#
# Two ranks against one process, the same bytes each time, a file for each rank, a killed rank and what it leaves, Ctrl-C,
# a full disk, and what is refused. Skipped (77) where there is no mpirun or s2v-mpi was not built.
set -eu
s2v_mpi=$1 s2v=$2 sqlite3=$3
if ! command -v mpirun >/dev/null || [ ! -x "$s2v_mpi" ]; then
  echo 'skipped: there is no Open MPI (libopenmpi-dev, openmpi-bin), so s2v-mpi was not built'
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1  # other tests run beside this one
export OMPI_MCA_orte_abort_print_stack=0 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

fail() {
  printf 'failed: %s\n' "$1"
  [ ! -s error ] || cat error
  exit 1
}
expect() { # expect WHAT PATTERN: in the file error
  grep -q -- "$2" error || fail "$1: '$2' was not said"
}
ask() { "$sqlite3" "$1" "$2"; }
ranks() { # ranks N ARGUMENT...
  local n=$1
  shift
  mpirun -n "$n" "$s2v_mpi" train "$@" --workers 1 2>error
}

# Texts of two topics: a word of one is near to the others of it.
ask texts.db "CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000),
    w(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM w WHERE k < 7)
  INSERT INTO docs SELECT i, (SELECT group_concat(CASE WHEN k < 4 THEN 'f' ELSE char(97 + i % 2) END ||
    ((i * 7919 + k * 104729) * 48271 % 2147483647 / 1000 % 20), ' ') FROM w) FROM n;"
settings=(--dimension 16 --min-count 1 --min-target-count 1 --tokenizer whitespace --quiet)
train=(--table docs --column body "${settings[@]}" --epochs 12)

"$s2v" train texts.db "${train[@]}" --workers 1 --model one
for model in two again; do ranks 2 texts.db "${train[@]}" --model $model || fail "two ranks"; done
ranks 4 texts.db "${train[@]}" --model four || fail 'four ranks'
[ "$(ask texts.db "SELECT count(DISTINCT words || ' ' || tokens || ' ' || texts) FROM s2v_model")" = 1 ] ||
  fail 'words, tokens and texts are not those of one process'
hash() { "$s2v" models texts.db --json | grep "\"$1\"" | grep -o '"hash":"[0-9a-f]*"'; }
[ "$(hash two)" = "$(hash again)" ] && [ -n "$(hash two)" ] || fail 'two trainings by two ranks differ'
printf '1\ta1 a2 a3\ta7 a9 a11\n0\ta1 a2 a3\tb7 b9 b11\n1\tb4 b2\tb6 b8\n0\ta4 a2\tb6 b8\n' >pairs.tsv
for model in one two four; do
  "$s2v" eval similarity texts.db pairs.tsv --model $model --encoders model --json --quiet >scores
  grep -Eq '"pearson":(1|0\.[789])' scores || fail "model $model does not tell the topics apart: $(cat scores)"
done

# A file for each rank; rank 0 stores.
for rank in 0 1; do
  ask part-$rank.db "ATTACH 'texts.db' AS t; CREATE TABLE docs(body TEXT);
    INSERT INTO docs SELECT body FROM t.docs WHERE (id > 2000) = $rank ORDER BY id;"
done
ranks 2 part-%r.db "${train[@]}" || fail 'a file for each rank'
[ "$(ask part-0.db 'SELECT texts FROM s2v_model')" = 4000 ] || fail 'not all files were read'
[ "$(ask part-1.db "SELECT count(*) FROM sqlite_schema WHERE name LIKE 's2v%'")" = 0 ] || fail 'rank 1 wrote'

# Refused, saying which.
mpirun -n 1 "$s2v_mpi" train texts.db "${train[@]}" : -n 1 "$s2v_mpi" train texts.db "${train[@]}" --seed 2 2>error &&
  fail 'different parameters were taken'
expect 'different parameters' "rank 1 was started with seed '2', rank 0 with seed '1'"
ranks 3 texts.db "${train[@]}" --where 'id < 1000' && fail 'ranks without rows were taken'
expect 'ranks without rows' 'rank 1 has no texts'
ranks 2 part-1%r.db "${train[@]}" && fail 'a missing file was taken'
expect 'a missing file' "no file 'part-10.db'"
ranks 2 texts.db "${train[@]}" --negatives many && fail 'a wrong value was taken'
expect 'a wrong value' 'negatives: a whole number'
# The memory of the machine is for both: one rank alone would have enough of it.
wide=(texts.db --table docs --column body --model wide --dimension 4000 --epochs 1 --min-count 1 --min-target-count 1 --tokenizer whitespace --quiet)
ranks 1 "${wide[@]}" --memory 10 || fail 'a rank that has the machine for itself'
ranks 2 "${wide[@]}" --memory 10 && fail 'two ranks took the memory of two machines'
expect 'memory of a machine' 'training needs about [0-9]* MB, and memory_limit allows 5 MB'

# A full disk at rank 0, where no file may grow beyond this one: an error that ends both, and the model of before stays.
ask texts.db "VACUUM INTO 'full.db'"
ask full.db 'CREATE TABLE filler(f); INSERT INTO filler VALUES (zeroblob(50000000))'  # MPI has large files of its own
large=(train full.db --table docs --column body "${settings[@]}" --epochs 1 --ngram-order 3 --model two)
mpirun -n 1 bash -c 'trap "" XFSZ; ulimit -f "$0"; exec "$@"' $(($(stat -c %s full.db) / 1024)) "$s2v_mpi" "${large[@]}" : \
  -n 1 "$s2v_mpi" "${large[@]}" 2>error && fail 'a full disk was not seen'
expect 'a full disk' 'disk I/O error\|disk is full'
[ "$(ask full.db 'SELECT hash FROM s2v_model')" = "$(ask texts.db 'SELECT hash FROM s2v_model')" ] ||
  fail 'a full disk changed the models'
[ "$(ask full.db 'PRAGMA integrity_check')" = ok ] || fail 'a full disk damaged the database'

# A killed rank: all end, the checkpoint stays and is gone on from.
ask texts.db 'CREATE TABLE log(phase)'
long=(--table docs --column body "${settings[@]}" --model long --epochs 20000 --checkpoint-every 0.5
  --progress 'INSERT INTO log VALUES(:phase)')
checkpoint() { # its position, 0 where there is none
  local position
  position=$(ask texts.db "SELECT position FROM s2v_checkpoint WHERE complete AND name = 'long'" 2>/dev/null) || true
  echo "${position:-0}"
}
start_long() { # returns when there is a checkpoint, or a later one
  local before
  before=$(checkpoint)
  mpirun -n 2 "$s2v_mpi" train "$@" --workers 1 2>error &
  job=$!
  for _ in $(seq 600); do
    [ "$(checkpoint)" -gt "$before" ] && return
    kill -0 $job 2>/dev/null || fail 'ended before the first checkpoint'
    sleep 0.1
  done
  fail 'no checkpoint in a minute'
}
start_long texts.db "${long[@]}"
kill -9 "$(pgrep -P $job | tail -1)"
wait $job && fail 'a killed rank was not seen'
expect 'a killed rank' 'exited on signal 9'
[ "$(checkpoint)" -gt 0 ] || fail 'the checkpoint of a killed training is gone'
[ "$(ask texts.db 'PRAGMA integrity_check')" = ok ] || fail 'the database is damaged'

# Ctrl-C, which mpirun makes a SIGTERM: the same.
start_long texts.db --resume --model long --quiet --checkpoint-every 0.5
kill -TERM $job
wait $job && fail 'Ctrl-C was not seen'
[ "$(checkpoint)" -gt 0 ] || fail 'the checkpoint of a stopped training is gone'
expect 'how to go on' 'go on with: mpirun -n 2 s2v-mpi train texts.db --resume --model long'
[ "$(ask texts.db "SELECT count(*) FROM s2v_model WHERE name = 'long'")" = 0 ] || fail 'half a model was stored'
[ "$(ask texts.db 'SELECT count(*) > 0 FROM log')" = 1 ] || fail 'the statement of progress was not run'
ranks 3 texts.db --resume --model long --quiet && fail 'another number of ranks was taken'
expect 'another number of ranks' 'or it was a training of another number of processes (s2v-mpi)'
ask texts.db "UPDATE docs SET body = 'changed' WHERE id = 5"
ranks 2 texts.db --resume --model long --quiet && fail 'changed texts were taken'
expect 'changed texts' 'has changed since'
echo 'mpi: all passed'
