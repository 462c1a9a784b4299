#!/bin/bash
# What training by several ranks costs: a measured pair of runs, and what follows for larger ones.
#
#   tests/bench/mpi_model.sh DB TABLE COLUMN [OPTION...]     OPTION: of s2v-mpi train, --epochs 5
#
# Trains copies of DB with one rank and with two of one worker each, and prints words/s, bytes exchanged a token, what the
# model says of the second run, and efficiency (words/s against that many times one worker's) for 8, 32 and 128 ranks of
# 16 workers at 10 and 100 Gbit/s.
#
# The model: a rank needs, for the tokens of a round,
#   work      tokens / (workers * words/s of one worker)
#   exchange  2 (N - 1) / N * bytes * 1.05 / bandwidth + 2 (N - 1) * latency        (a ring; 5 % are headers)
# and, as sums are formed while the next round goes on, the longer one of both. Between ranks of one machine the exchange
# takes processor time instead: the bytes divided by what memory gives.
#
# Environment: S2V_MPI     the program                             (default build/s2v-mpi)
#              GBIT        of the network between the two ranks    (default: memory, 20)
#              MPIRUN      how ranks are started                   (default mpirun --oversubscribe)
set -euo pipefail
if [ $# -lt 3 ]; then
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
db=$1 table=$2 column=$3
shift 3
s2v_mpi=$(realpath "${S2V_MPI:-build/s2v-mpi}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run RANKS OPTION...: seconds, tokens of all epochs, bytes of a rank, rounds
  local ranks=$1
  shift
  cp "$db" "$work/copy.db"
  ${MPIRUN:-mpirun --oversubscribe} -n "$ranks" "$s2v_mpi" train "$work/copy.db" --table "$table" --column "$column" \
    --workers 1 --model measured --json "$@" >"$work/json"
  sqlite3 "$work/copy.db" ".mode list" ".separator ' '" \
    "SELECT j ->> 'train_seconds', (j ->> 'tokens') * (SELECT parameters ->> 'epochs' FROM s2v_model WHERE name = 'measured'),
       j ->> 'exchanged_bytes', j ->> 'rounds' FROM (SELECT readfile('$work/json') AS j)"
}
one=$(run 1 "$@") two=$(run 2 "$@")
awk -v one="$one" -v two="$two" -v gbit="${GBIT:-20}" '
  function larger(a, b) { return a > b ? a : b }
  function exchange(ranks, bytes, gbits, latency) {
    return 2 * (ranks - 1) / ranks * bytes * 1.05 * 8 / (gbits * 1e9) + 2 * (ranks - 1) * latency
  }
  BEGIN {
    split(one, a); split(two, b)
    rate = a[2] / a[1]
    token = b[3] / (b[2] / 2)
    printf "1 rank: %.0f words/s\n2 ranks: %.0f words/s, %.1f bytes a token in %d rounds\n", rate, b[2] / b[1], token, b[4]
    predicted = larger(a[1] / 2, exchange(2, b[3], gbit, 0))
    if (gbit == 20) predicted = a[1] / 2 + exchange(2, b[3], gbit, 0)
    printf "predicted for 2 ranks: %.1f s, measured %.1f s (%+.0f %%)\n", predicted, b[1], 100 * (predicted / b[1] - 1)
    split("8 32 128", ranks, " ")
    print "\n| ranks of 16 workers | 10 Gbit/s, 50 us | 100 Gbit/s, 5 us |\n|---|---|---|"
    for (i = 1; i <= 3; i++) {
      printf "| %d |", ranks[i]
      for (fast = 0; fast < 2; fast++) {
        tokens = 16 * 32768
        work = tokens / (16 * rate)
        sent = exchange(ranks[i], tokens * token, fast ? 100 : 10, fast ? 5e-6 : 50e-6)
        printf " %.2f |", work / larger(work, sent)
      }
      print ""
    }
  }'
