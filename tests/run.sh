#!/usr/bin/env bash
# Builds and runs every test: unit, store and surface tests, golden SQL, the layer rule, the examples,
# interoperation with other programs.
#
#   ./tests/run.sh
#
# Installs the Debian packages that are missing first. Can be run again; the build is reused. For a choice of
# tests: ctest --test-dir build --output-on-failure -R sql_
set -eu
cd "$(dirname "$0")/.."
. examples/setup.sh

start_step 'Debian packages'
# Behind those of the build: programs that load the extension in the tests.
# shellcheck disable=SC2086  # a list
install_packages $BUILD_PACKAGES python3 php-cli php-sqlite3
start_step 'Build everything (some minutes, the first time), and get other programs that s2v is tested with (npm)'
tests/interop/fetch.sh &
# shellcheck disable=SC2119  # no argument: all targets
build_targets
wait
start_step 'Run the tests'
# One more than there are processors, since some tests wait most of their time.
ctest --test-dir build --parallel $(($(nproc) + 1)) --output-on-failure --no-tests=error </dev/null
