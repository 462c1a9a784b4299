#!/bin/bash
# What training by several ranks costs: a measured pair of runs, and what follows for larger ones.
#
#   tests/bench/mpi_model.sh DB TABLE COLUMN EPOCHS [OPTION...]     OPTION: of s2v-mpi train, --dimension 100
#
# Trains copies of DB with one rank and with two of one worker each, and prints words/s, bytes exchanged a token, what the
# model says of the second run, and efficiency (words/s against that many times one worker's) for 8, 32 and 128 ranks of
# 16 workers at 10 and 100 Gbit/s.
#
# Two ranks: a round takes as long as its work, or as its sums where these take longer, and what of the sums needs the
# processors is added to the work. So a quarter of the epochs, whose work is little, may take as long as half of them.
# From half to all of them the time grows at least as it grew from a quarter to half, and at most by all of the work:
# the middle is foretold. Work is the tokens of a rank by the words/s of one rank, which are those between a quarter and
# all of its epochs; what else it takes is its start: memory that is touched first, the first rounds.
#
# More ranks of 16 workers, as if nothing were hidden behind the work: of a round
#   work      tokens of a rank / (workers * words/s of one worker)
#   handling  bytes that a rank sums * seconds a byte / workers: rows are compared, rounded, added and moved. Seconds a byte
#             are those that two ranks on one machine need for half of the epochs beyond start and work
#   sums      2 (N - 1) / N * bytes * 1.05 / bandwidth: each rank sends parts to all, then sums to all; 5 % are headers
#   waiting   6 latencies: half a millisecond more made a round of docs/mpi.md's 2.6 ms longer
#
# Environment: S2V_MPI  the program                                              (default build/s2v-mpi)
#              MPIRUN   how the two ranks of the measured run are started        (default mpirun --oversubscribe)
# With a network that is made for it:
#   tests/bench/slow_network.sh 1 0.5 tests/bench/mpi_model.sh DB TABLE COLUMN EPOCHS
set -euo pipefail
if [ $# -lt 4 ]; then
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 2
fi
db=$1 table=$2 column=$3 epochs=$4
shift 4
if [ "$epochs" -lt 4 ]; then
  echo "EPOCHS must be 4 or more: a quarter and half of them are trained too" >&2
  exit 2
fi
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
quarter=$((epochs / 4)) half=$((epochs / 2))
near='mpirun --oversubscribe' far=${MPIRUN:-mpirun --oversubscribe}
awk -v one_all="$(run "$near" 1 "$epochs" "$@")" -v one_quarter="$(run "$near" 1 $quarter "$@")" \
  -v near_half="$(run "$near" 2 $half "$@")" -v two_quarter="$(run "$far" 2 $quarter "$@")" \
  -v two_half="$(run "$far" 2 $half "$@")" -v two_all="$(run "$far" 2 "$epochs" "$@")" '
  function work(run) { return run[2] / 2 / rate }
  function within(low, x, high) { return x < low ? low : x > high ? high : x }
  BEGIN {
    split(one_all, one); split(one_quarter, part); split(near_half, near)
    split(two_quarter, quarter); split(two_half, half); split(two_all, all)
    rate = (one[2] - part[2]) / (one[1] - part[1])
    start = one[1] - one[2] / rate
    token = all[3] / (all[2] / 2)
    a_byte = within(0, near[1] - start - work(near), near[1]) / near[3]
    printf "1 rank: %.0f words/s, and %.1f s beside them\n", rate, start
    printf "2 ranks: %.0f words/s, %.1f bytes a token in %d rounds, %.2f ns a byte\n", all[2] / all[1], token, all[4], a_byte * 1e9
    grows = within(0, (half[1] - quarter[1]) / (work(half) - work(quarter)), 1)
    more = work(all) - work(half)
    least = half[1] + grows * more
    most = half[1] + more
    foretold = (least + most) / 2
    printf "a quarter of the epochs %.1f s, half %.1f s; foretold for all %.1f s (%.1f to %.1f), measured %.1f s (%+.0f %%)\n",
      quarter[1], half[1], foretold, least, most, all[1], 100 * (foretold / all[1] - 1)
    split("8 32 128", ranks, " ")
    print "\n| ranks of 16 workers | 10 Gbit/s, 50 us | 100 Gbit/s, 5 us |\n|---|---|---|"
    for (i = 1; i <= 3; i++) {
      printf "| %d |", ranks[i]
      for (fast = 0; fast < 2; fast++) {
        tokens = 16 * 131072
        its_work = tokens / (16 * rate)
        sums = 2 * (ranks[i] - 1) / ranks[i] * tokens * token * 1.05 * 8 / (fast ? 100e9 : 10e9)
        waiting = 6 * (fast ? 5e-6 : 50e-6)
        printf " %.2f |", its_work / (its_work + tokens * token * a_byte / 16 + sums + waiting)
      }
      print ""
    }
  }'
