#!/bin/bash
# What training by several ranks costs: a measured pair of runs, and what follows for larger ones.
#
#   tests/bench/mpi_model.sh DB TABLE COLUMN EPOCHS [OPTION...]     OPTION: of s2v-mpi train, --dimension 100
#
# Trains copies of DB with one rank and with two of one worker each, and prints words/s, bytes exchanged a token, what the
# model says of the second run, and efficiency (words/s against that many times one worker's) for 8, 32 and 128 ranks of
# 16 workers at 10 and 100 Gbit/s.
#
# The model: a training takes
#   start     what one rank's time has beside its words: memory that is touched first, the first rounds
#   work      tokens of a rank / (workers * words/s of one worker)
#   handling  bytes that a rank sums * seconds a byte / workers: rows are compared, rounded, added and moved
# and, on a network, with next to nothing of it hidden behind the work (docs/mpi.md):
#   sums      2 (N - 1) / N * bytes * 1.05 / bandwidth                                     (a ring; 5 % are headers)
#   waiting   of a round, for messages: 12 (N - 1) latencies, or, of a network that is measured, what is left of a short run
# Start and words/s are of one rank with all and with a quarter of the epochs. Seconds a byte are those that two ranks with a quarter of
# the epochs need beyond start and work, on one machine; the waiting is what they need on the network beyond that and their sums.
#
# Environment: S2V_MPI     the program                                              (default build/s2v-mpi)
#              MPIRUN      how the two ranks of the measured run are started        (default mpirun --oversubscribe)
#              GBIT, MILLISECONDS   of the network between these two                (default: none, one machine)
# With a network that is made for it:
#   GBIT=1 MILLISECONDS=0.5 tests/bench/slow_network.sh 1 0.5 tests/bench/mpi_model.sh DB TABLE COLUMN EPOCHS
set -euo pipefail
if [ $# -lt 4 ]; then
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 2
fi
db=$1 table=$2 column=$3 epochs=$4
shift 4
s2v_mpi=$(realpath "${S2V_MPI:-build/s2v-mpi}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run MPIRUN RANKS EPOCHS OPTION...: seconds, tokens of all epochs, bytes of a rank, rounds
  local mpirun=$1 ranks=$2 epochs=$3
  shift 3
  cp "$db" "$work/copy.db"
  $mpirun -n "$ranks" "$s2v_mpi" train "$work/copy.db" --table "$table" --column "$column" --workers 1 \
    --epochs "$epochs" --json "$@" >"$work/json"
  sqlite3 "$work/copy.db" ".mode list" ".separator ' '" \
    "SELECT j ->> 'train_seconds', (j ->> 'tokens') * $epochs, j ->> 'exchanged_bytes', j ->> 'rounds'
     FROM (SELECT readfile('$work/json') AS j)"
}
part=$((epochs < 4 ? 1 : epochs / 4))
local_run='mpirun --oversubscribe'
one=$(run "$local_run" 1 "$epochs" "$@")
short=$(run "$local_run" 1 $part "$@")
few=$(run "$local_run" 2 $part "$@")
far=$few
[ -z "${MPIRUN:-}" ] || far=$(run "$MPIRUN" 2 $part "$@")
two=$(run "${MPIRUN:-$local_run}" 2 "$epochs" "$@")
awk -v one="$one" -v short="$short" -v few="$few" -v far="$far" -v two="$two" -v gbit="${GBIT:-0}" -v ms="${MILLISECONDS:-0}" '
  function larger(a, b) { return a > b ? a : b }
  function sums(ranks, bytes, gbits) {
    return gbits == 0 ? 0 : 2 * (ranks - 1) / ranks * bytes * 1.05 * 8 / (gbits * 1e9)
  }
  BEGIN {
    split(one, a); split(short, s); split(few, f); split(far, n); split(two, b)
    rate = a[1] > s[1] ? (a[2] - s[2]) / (a[1] - s[1]) : a[2] / a[1]
    start = larger(0, a[1] - a[2] / rate)
    token = b[3] / (b[2] / 2)
    a_byte = larger(0, f[1] - start - f[2] / 2 / rate) / f[3]
    a_round = larger(0, n[1] - f[1] - sums(2, n[3], gbit)) / n[4]
    printf "1 rank: %.0f words/s, and %.1f s beside them\n", rate, start
    printf "2 ranks: %.0f words/s, %.1f bytes a token in %d rounds, %.2f ns a byte\n", b[2] / b[1], token, b[4], a_byte * 1e9
    if (gbit > 0) printf "a round waits %.1f ms, which are %.0f latencies\n", a_round * 1e3, (ms > 0 ? a_round * 1e3 / ms : 0)
    predicted = start + b[2] / 2 / rate + a_byte * b[3] + sums(2, b[3], gbit) + a_round * b[4]
    printf "predicted for 2 ranks: %.1f s, measured %.1f s (%+.0f %%)\n", predicted, b[1], 100 * (predicted / b[1] - 1)
    split("8 32 128", ranks, " ")
    print "\n| ranks of 16 workers | 10 Gbit/s, 50 us | 100 Gbit/s, 5 us |\n|---|---|---|"
    for (i = 1; i <= 3; i++) {
      printf "| %d |", ranks[i]
      for (fast = 0; fast < 2; fast++) {
        tokens = 16 * 131072
        work = tokens / (16 * rate)
        sent = sums(ranks[i], tokens * token, fast ? 100 : 10) + 12 * (ranks[i] - 1) * (fast ? 5e-6 : 50e-6)
        printf " %.2f |", work / (tokens * token * a_byte / 16 + work + sent)
      }
      print ""
    }
  }'
