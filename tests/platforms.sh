#!/usr/bin/env bash
# Builds s2v for other platforms and tests it, as far as this machine has their compilers and emulators; what it has
# not is skipped, and said. Then a database that each platform makes is opened by every other.
#
#   tests/platforms.sh                    # all
#   tests/platforms.sh windows-x64        # some; this machine's own build is always there (build/)
#
# ext/platforms/README.md names the Debian packages. Half an hour, most of it the emulator's.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0 skipped=0
made=()  # platforms whose extension is there
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEPREFIX=${WINEPREFIX:-$PWD/build-wine}

pass() { passed=$((passed + 1)) && echo "passed: $*"; }
fail() { failed=$((failed + 1)) && echo "FAILED: $*"; }
skip() { skipped=$((skipped + 1)) && echo "skipped: $*"; }

# shell PLATFORM ARGUMENT...: its sqlite3
shell() {
  local platform=$1
  shift
  if [ "$platform" = native ]; then sqlite3 "$@"; else "build-$platform/emulated/sqlite3" "$@"; fi
}
extension() { if [ "$1" = native ]; then echo "$PWD/build/s2v"; else echo "$PWD/build-$1/s2v"; fi; }

# build PLATFORM COMPILER EMULATOR [TARGET]: false where it is not there or fails
build() {
  local missing=''
  command -v "$2" >/dev/null || missing=$2
  command -v "$3" >/dev/null || [ -x "/usr/lib/wine/$3" ] || missing="$missing $3"
  if [ -n "$missing" ]; then
    skip "$1: not installed: $missing (ext/platforms/README.md)"
    return 1
  fi
  if ! ext/platforms/build.sh "$1" "${@:4}" >"$work/build.log" 2>&1; then
    tail -n 30 "$work/build.log"
    fail "$1: build"
    return 1
  fi
  made+=("$1")
}

# in_emulator PLATFORM TESTS: a choice of ctest's
in_emulator() {
  if ctest --test-dir "build-$1" --parallel "$(nproc)" --output-on-failure --no-tests=error -R "$2" -E "${3:-^$}" \
    </dev/null >"$work/ctest.log" 2>&1; then
    pass "$1: $(sed -n 's/.* tests failed out of \([0-9]*\)$/\1 tests/p' "$work/ctest.log")"
  else
    tail -n 60 "$work/ctest.log"
    fail "$1: tests"
  fi
}

# golden PLATFORM: every golden SQL script
golden() {
  local script count=0
  for script in tests/sql_scripts/*.sql; do
    if tests/sql_scripts/run_script.sh "$PWD/build-$1/emulated/sqlite3" "$(extension "$1")" "$PWD/$script"; then
      count=$((count + 1))
    else
      fail "$1: $script"
    fi
  done
  pass "$1: $count golden SQL scripts"
}

linux() {  # linux PLATFORM COMPILER EMULATOR
  build "$@" || return
  # Of ext those that need neither a program of the same system beside them nor hundreds of runs, as the tests of
  # faults do; those also know SQLite 3.40's ways, and this is a newer one.
  in_emulator "$1" '^(core_|sql_|example_static_link|ext_(index|concurrency|connection|corruption|cosine|import|report)$)'
}

windows() {
  build windows-x64 x86_64-w64-mingw32-g++-posix wine64 || return
  build-windows-x64/emulated/sqlite3 -version >/dev/null 2>&1  # Wine speaks of its set-up at its first start
  golden windows-x64
  if tests/platforms/windows.sh; then pass 'windows-x64: files, paths, line ends, locks'; else fail 'windows-x64: windows.sh'; fi
}

wasm() {
  command -v chromium >/dev/null && command -v node >/dev/null || { skip 'wasm: not installed: chromium or node' && return; }
  # The extension of this machine's own build reads what the page saves.
  [ -f build/s2v.so ] || { skip 'wasm: build/s2v.so is not there' && return; }
  build wasm emcc node s2v_browser || return
  unset 'made[-1]'  # the page has no shell
  if node tests/platforms/browser.mjs chromium "$PWD/build/s2v"; then pass 'wasm: the page in Chromium'; else fail 'wasm: the page'; fi
}

[ $# -gt 0 ] || set -- linux-arm64 linux-armhf windows-x64 wasm
for platform in "$@"; do
  case $platform in
    linux-arm64) linux linux-arm64 aarch64-linux-gnu-g++ qemu-aarch64 ;;
    linux-armhf) linux linux-armhf arm-linux-gnueabihf-g++ qemu-arm ;;
    windows-x64) windows ;;
    wasm) wasm ;;
    *) fail "$platform: no such platform" ;;
  esac
done

# The same file everywhere.
[ -f build/s2v.so ] && made+=(native)
for maker in "${made[@]}"; do
  cp tests/sql_scripts/setup.inc "$work/"
  rm -f "$work/made.db"
  if ! { printf '.load %s\n.bail on\n' "$(extension "$maker")"; sed "s#setup.inc#$work/setup.inc#" tests/platforms/make.sql; } |
    shell "$maker" -batch "$work/made.db" >"$work/out" 2>&1; then
    cat "$work/out"
    fail "$maker makes a database"
    continue
  fi
  for reader in "${made[@]}"; do
    cp "$work/made.db" "$work/read.db"
    { printf '.load %s\n' "$(extension "$reader")"; cat tests/platforms/check.sql; } |
      shell "$reader" -batch "$work/read.db" 2>&1 | tr -d '\r' >"$work/out"
    if diff -u tests/platforms/check.expected "$work/out"; then
      pass "a database of $maker, on $reader"
    else
      fail "a database of $maker, on $reader"
    fi
  done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
