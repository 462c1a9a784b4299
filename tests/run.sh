#!/usr/bin/env bash
# Builds and runs every test: unit, store and surface tests, golden SQL, the layer rule, the examples,
# interoperation with other programs.
#
#   ./tests/run.sh
#
# Installs the Debian packages that are missing first. Can be run again; the build is reused. For a choice of
# tests: ctest --test-dir build --output-on-failure -R sql_
#
# Tests of what is missing here (a browser, Open MPI, fastText, npm) are skipped. With CI=true what Debian and npm's registry
# have is installed, and what is skipped all the same is a failure, but for what they do not have: $may_be_skipped.
set -eu
cd "$(dirname "$0")/.."
. examples/setup.sh

start_step 'Debian packages'
# Behind those of the build: programs that load the extension in the tests.
packages="$BUILD_PACKAGES python3 php-cli php-sqlite3"
if [ "${CI:-}" = true ]; then
  packages+=' ruby-sqlite3 libopenmpi-dev openmpi-bin chromium fasttext snowball-data locales python3-venv pkg-config dpkg-dev man-db'
  command -v npm >/dev/null || packages+=' npm ca-certificates'
fi
# shellcheck disable=SC2086  # a list
install_packages $packages
start_step 'Build everything (some minutes, the first time), and get other programs that s2v is tested with (npm)'
tests/interop/fetch.sh &
# shellcheck disable=SC2119  # no argument: all targets
build_targets
wait
start_step 'Run the tests'
# One more than there are processors, since some tests wait most of their time.
ctest --test-dir build --parallel $(($(nproc) + 1)) --output-on-failure --no-tests=error </dev/null
[ "${CI:-}" = true ] || exit 0
# The authors' program; compiled parts that only their own sites have; a newer SQLite's program; what the system's Node is too
# old for, which runs in Node 24 too.
may_be_skipped='S2V_SENT2VEC|better-sqlite3|sqlite3_rsync|no node:sqlite|No such built-in module: node:sqlite'
if grep -E '(^|: )(skipped|left out): ' build/Testing/Temporary/LastTest.log | grep -vE "$may_be_skipped"; then
  stop 'these were skipped, and need not be'
fi
