#!/usr/bin/env bash
# Builds s2v for other platforms and tests it, as far as this machine has their compilers and emulators; what it has
# not is skipped, and said. Then a database that each platform makes is opened by every other.
#
#   tests/platforms.sh                    # all
#   tests/platforms.sh windows-x64        # some; this machine's own build is always there (build/)
#
# ext/platforms/README.md names the Debian packages. Half an hour, most of it the emulator's.
set -u
cd "$(dirname "$0")/.." || exit
passed=0 failed=0 skipped=0
made=()  # platforms whose extension is there
version=$(sed -n 's/^project(sqlite_s2v VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
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
extension() {
  case $1 in
    native | linux-musl) echo "$PWD/build/s2v" ;;  # one file for both C libraries
    *) echo "$PWD/build-$1/s2v" ;;
  esac
}

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

# packages PLATFORM: made of its build, then installed into an empty folder and used
packages() {
  local status=0
  tests/install/cross_test.sh "build-$1" "$version" >"$work/packages.log" 2>&1 || status=$?
  grep '^skipped: ' "$work/packages.log"
  case $status in
    0) pass "$1: packages: $(sed -n 's/^packages: //p' "$work/packages.log")" ;;
    *) tail -n 30 "$work/packages.log" && fail "$1: packages" ;;
  esac
}

linux() {  # linux PLATFORM COMPILER EMULATOR
  build "$@" || return
  if [ "$1" = linux-arm64 ]; then
    # Of ext those that need neither a program of the same system beside them nor hundreds of runs, as the tests of
    # faults do; those also know SQLite 3.40's ways, and this is a newer one.
    in_emulator "$1" '^(core_|sql_|example_static_link|ext_(index|concurrency|connection|corruption|cosine|import|report)$)'
  else
    in_emulator "$1" '^(core_|example_static_link)'
    golden "$1"
  fi
  tests/exports.sh "build-$1/s2v.so" || fail "$1: what the extension asks for"
  packages "$1"
}

# The extension of this machine's own build in a shell that is linked with musl, and the program where there is no C library.
musl() {
  local shell=build-linux-musl/emulated/sqlite3 sources=build-sources/sqlite
  command -v musl-gcc >/dev/null || { skip 'linux-musl: not installed: musl-gcc (musl-tools)' && return; }
  [ -f build/s2v.so ] || { skip 'linux-musl: build/s2v.so is not there' && return; }
  mkdir -p "${shell%/*}" && ext/platforms/get_sources.sh build-sources || { fail 'linux-musl: sources' && return; }
  [ -x $shell ] || musl-gcc -O1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB \
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_SECURE_DELETE \
    -DSQLITE_USE_URI -I $sources $sources/sqlite3.c $sources/shell.c -o $shell || { fail 'linux-musl: the shell' && return; }
  made+=(linux-musl)
  tests/exports.sh build/s2v.so || fail 'linux-musl: what the extension asks for'
  # In the process itself: musl, and nothing of glibc.
  # shellcheck disable=SC2016  # for the shell below the shell
  case $(printf '.load %s\n.shell grep -c linux-musl/libc.so /proc/$PPID/maps\n.shell grep -c linux-gnu /proc/$PPID/maps\n' \
    "$(extension linux-musl)" | $shell -batch 2>/dev/null | tr '\n' ' ') in
    [1-9]*' 0 ') pass 'linux-musl: no glibc in the process' ;;
    *) fail 'linux-musl: glibc in the process' ;;
  esac
  golden linux-musl
  mkdir -p "$work/root/tmp"
  cp build/s2v "$work/root/"
  if [ "$(id -u)" -ne 0 ]; then
    skip 'linux-musl: the program in an empty root, for which one has to be root'
  elif chroot "$work/root" /s2v --version | grep -q '^s2v '; then
    pass 'linux-musl: the program in an empty root'
  else
    fail 'linux-musl: the program in an empty root'
  fi
}

# This machine's own, by another compiler and another C++ library.
clang() {
  command -v clang++ >/dev/null && [ -d /usr/lib/llvm-14/include/c++/v1 ] || { skip 'clang: not installed: clang, libc++-14-dev, libc++abi-14-dev' && return; }
  if ! { cmake --preset clang >/dev/null && cmake --build build-clang --parallel "$(nproc)"; } >"$work/build.log" 2>&1; then
    tail -n 30 "$work/build.log"
    fail 'clang: build'
    return
  fi
  if grep -E 'warning:' "$work/build.log"; then fail 'clang: warnings'; else pass 'clang: no warning'; fi
  in_emulator clang '^(core_|sql_|ext_|example_static_link|fuzz)' '^ext_(fault|index_fault)$'
  made+=(clang)
  mkdir -p build-clang/emulated && ln -sf "$(command -v sqlite3)" build-clang/emulated/sqlite3
}

windows() {
  build windows-x64 x86_64-w64-mingw32-g++-posix wine64 || return
  build-windows-x64/emulated/sqlite3 -version >/dev/null 2>&1  # Wine speaks of its set-up at its first start
  golden windows-x64
  if tests/platforms/windows.sh; then pass 'windows-x64: files, paths, line ends, locks'; else fail 'windows-x64: windows.sh'; fi
  if ! command -v xvfb-run >/dev/null || ! command -v xdotool >/dev/null; then
    skip 'windows-x64: Ctrl-C: not installed: xvfb, xauth or xdotool'
  elif xvfb-run -a tests/platforms/windows_console.sh; then
    pass 'windows-x64: Ctrl-C'
  else
    fail 'windows-x64: windows_console.sh'
  fi
  packages windows-x64
}

wasm() {
  command -v chromium >/dev/null && command -v node >/dev/null || { skip 'wasm: not installed: chromium or node' && return; }
  # The extension of this machine's own build reads what the page saves.
  [ -f build/s2v.so ] || { skip 'wasm: build/s2v.so is not there' && return; }
  build wasm emcc node s2v_browser || return
  unset 'made[-1]'  # the page has no shell
  # What a static server serves is what the zip has.
  local size zip=build-wasm/packages/sqlite-s2v-$version-browser.zip
  if ext/install/packages.sh build-wasm "$version" zip >"$work/packages.log" && (cd "$work" && cmake -E tar xf "$OLDPWD/$zip"); then
    pass "wasm: packages: zip, $(stat -c %s "$zip") bytes"
  else
    tail -n 30 "$work/packages.log"
    fail 'wasm: packages'
    return
  fi
  if node tests/platforms/browser.mjs chromium "$PWD/build/s2v" "$work/sqlite-s2v-$version-browser"; then pass 'wasm: the page in Chromium'; else fail 'wasm: the page'; fi
  size=$(gzip -9c build-wasm/browser/s2v.wasm | wc -c)
  if [ "$size" -le 1600000 ]; then pass "wasm: $size bytes by gzip"; else fail "wasm: $size bytes by gzip, at most 1600000"; fi
}

[ $# -gt 0 ] || set -- linux-arm64 clang linux-armhf windows-x64 wasm linux-musl
# As many side by side as there are processors: an emulator's last test leaves the others idle.
[ $# -eq 1 ] || ext/platforms/get_sources.sh build-sources
for platform in "$@"; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  (
    work=$work/$platform
    mkdir "$work"
    case $platform in
      linux-arm64) linux linux-arm64 aarch64-linux-gnu-g++ qemu-aarch64 ;;
      linux-armhf) linux linux-armhf arm-linux-gnueabihf-g++ qemu-arm ;;
      linux-musl) musl ;;
      clang) clang ;;
      windows-x64) windows ;;
      wasm) wasm ;;
      *) fail "$platform: no such platform" ;;
    esac
    echo "$passed $failed $skipped ${made[*]}" >"$work/counts"
  ) &
done
wait
for platform in "$@"; do
  read -r more_passed more_failed more_skipped more_made <"$work/$platform/counts"
  passed=$((passed + more_passed)) failed=$((failed + more_failed)) skipped=$((skipped + more_skipped))
  read -r -a more_made <<<"$more_made"
  made+=("${more_made[@]}")
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
