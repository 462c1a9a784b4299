#!/usr/bin/env bash
# Builds for another platform: build.sh PLATFORM [TARGET...]
#
#   ext/platforms/build.sh linux-arm64                       # everything, tests too, in build-linux-arm64/
#   ext/platforms/build.sh windows-x64 s2v_extension s2v
#
# PLATFORM: a preset of CMakePresets.json with a toolchain file PLATFORM.cmake here. Its compiler has to be installed
# (README.md); the libraries are compiled from sources, once.
set -eu
cd "$(dirname "$0")/../.."
platform=$1
shift
build=build-$platform
libraries=$build/libraries
toolchain=$PWD/ext/platforms/$platform.cmake
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # emscripten's own modules, for a Node that is not Debian's

if [ ! -f "$libraries/include/sqlite3.h" ]; then
  ext/platforms/get_sources.sh build-sources
  cmake -S ext/platforms/libraries -B "$build-libraries" -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
    -DS2V_SOURCES="$PWD/build-sources" -DCMAKE_INSTALL_PREFIX="$PWD/$libraries" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
  cmake --build "$build-libraries" --parallel "$(nproc)"
  cmake --install "$build-libraries" >/dev/null
fi
cmake --preset "$platform" >/dev/null
cmake --build "$build" --parallel "$(nproc)" ${1:+--target "$@"}
