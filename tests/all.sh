#!/usr/bin/env bash
# What takes too long for tests/run.sh: for a night, or before a release.
#
#   tests/all.sh [PART ...] [--fuzz SECONDS] [--kills N] [--schemas N] [--jobs N] [--seed N]
#
# Parts, one after the other, all of them where none is named:
#
#   tidy      clang-tidy with .clang-tidy over core, sql, ext and tests: no warning
#   cppcheck  its errors and its warnings: none
#   kills     processes that are killed while they write to an index: 200 of each kind
#   schemas   500 random tables with indexes, changed and asked, against the same index made anew
#   asan      every test with the address and the undefined behaviour sanitizer, but for drivers and what the extension exports
#   fuzz      ten minutes of each fuzzer with the same
#   tsan      every unit, store and surface test with the thread sanitizer
#   faults    each allocation of each statement of the fault tests fails in turn, not a sample of them
#   mutants   changes of one operator or constant, which the tests must notice (tests/mutate.py)
#
# Each part writes build-all/PART.log, and a summary ends the run: what passed, in how many seconds, what was counted.
# Fails if a part did. Needs what tests/run.sh installs, and Debian's clang, clang-tidy and cppcheck.
set -u
cd "$(dirname "$0")/.." || exit 1

fuzz=600 kills=200 schemas=500 jobs=$(nproc) seed=$(date +%s)
parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --fuzz) fuzz=$2 && shift ;;
    --kills) kills=$2 && shift ;;
    --schemas) schemas=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    --seed) seed=$2 && shift ;;
    -*) sed -n '2,/^set/ s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) parts+=("$1") ;;
  esac
  shift
done
[ ${#parts[@]} -gt 0 ] || parts=(tidy cppcheck kills schemas asan fuzz tsan faults mutants)

build() { # build PRESET
  cmake --preset "$1" && cmake --build --preset "$1" --parallel "$jobs"
}
tests() { # tests FOLDER ARGUMENT...: a choice of the unit, store and surface tests
  local folder=$1
  shift
  "$folder/tests/s2v_tests" --minimal "$@"
}

part_tidy() {
  # A file at a time, and with Clang's own flags.
  cmake --preset clang -B build-all/tidy -DCMAKE_UNITY_BUILD=OFF || return
  # A warning leaves its return value 0; grep's own output would go to the file that it reads, which it refuses.
  run-clang-tidy -p build-all/tidy -j "$jobs" -quiet "$PWD/(core|sql|ext|tests)/.*\.cc$" &&
    ! grep -qE '(warning|error): ' build-all/tidy.log
}

# What cppcheck 2.10 takes wrongly: vector types and their places, size_t{...} in an index, a string that lives to the end of its
# statement, "throw;" in a function for catch clauses, conditions that a call has made sure of by throwing or returning, and a buffer
# that is filled before it is read.
kMisread=(internalAstError unknownMacro
  'invalidPointerCast:core/simd/*' 'uninitvar:core/simd/*' 'legacyUninitvar:core/simd/*' 'constStatement:core/eval/*'
  'danglingTemporaryLifetime:core/search/lists.cc' 'rethrowNoCurrentException:ext/boundary.h'
  'nullPointerRedundantCheck:core/settings.cc' 'nullPointerRedundantCheck:sql/index_embedder.cc'
  'containerOutOfBounds:sql/index_words_query.cc' 'uninitMemberVar:ext/cli/line_reader.h')

part_cppcheck() {
  cppcheck --quiet --std=c++20 --language=c++ -j "$jobs" --enable=warning,performance,portability --inline-suppr \
    "${kMisread[@]/#/--suppress=}" --error-exitcode=1 -I . -DS2V_VERSION='"0"' core sql ext
}

part_kills() { build release && S2V_KILLS=$kills tests build --test-case='killed*'; }

part_schemas() { build release && S2V_SEED=$seed S2V_SCHEMAS=$schemas tests build --source-file='*index_right_test.cc'; }

# A sanitizer's own memory and speed are not what is tested; times of a test are those of a busy machine.
# Where a shell, Python or Node loads the extension the sanitizer has to be loaded first, and that program's own leaks do not count.
part_asan() {
  local golden loaded options=detect_stack_use_after_return=1
  golden=$(basename -s .sql tests/sql_scripts/*.sql | paste -sd '|')
  loaded="^(sql_($golden)|docs_.*|example_.*|interop_.*|exports)$"
  build asan &&
    ASAN_OPTIONS=$options ctest --preset asan -j "$jobs" --timeout 7200 --no-tests=error -E "$loaded" &&
    LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=$options:detect_leaks=0 \
      ctest --preset asan -j "$jobs" --timeout 7200 --no-tests=error -R "$loaded" -E '^(interop_drivers|exports)$'
}

part_fuzz() {
  build asan && build-asan/tests/s2v_fuzz --seconds "$fuzz" --seed "$seed" &&
    build-asan/tests/s2v_fuzz_texts --seconds "$fuzz" --seed "$seed"
}

part_tsan() { build tsan && tests build-tsan; }

part_faults() { build release && S2V_ALL_FAULTS=1 tests build --source-file='*fault_test.cc'; }

part_mutants() { build release && tests/mutate.py --jobs "$jobs"; }

mkdir -p build-all
{
  git log -1 --format='commit %h, %cs' 2>/dev/null || true
  printf 'seed %s, %s processors, %s\n' "$seed" "$jobs" "$(c++ --version | head -1)"
} | tee build-all/summary
failed=0
for part in "${parts[@]}"; do
  declare -F "part_$part" >/dev/null || { echo "no part '$part'" >&2 && exit 2; }
  start=$SECONDS result=passed
  "part_$part" >"build-all/$part.log" 2>&1 </dev/null || { result=FAILED && failed=1; }
  # The last line that counts something: of doctest, ctest, a fuzzer, the mutations.
  counted=$(grep -aE 'test cases:|assertions:|tests passed|executions|mutations|warnings generated' "build-all/$part.log" | tail -2 |
    sed 's/\x1b\[[0-9;]*m//g; s/  */ /g' | paste -sd ' ')
  printf '%-9s %-7s %6d s  %s\n' "$part" $result $((SECONDS - start)) "$counted" | tee -a build-all/summary
  [ $result = passed ] || tail -n 20 "build-all/$part.log"
done
exit $failed
