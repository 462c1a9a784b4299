#!/usr/bin/env bash
# Makes the packages: packages.sh BUILD VERSION [KIND...], all of deb, wheel and npm where none is named.
#
# BUILD is a finished build; the packages are put into BUILD/packages. A kind whose tool is missing is left out, with a
# word, and the status is 77 then. Nothing is fetched. npm works for cross builds too: of its two packages the one with
# the extension is for the platform of the build, and the other, which chooses among those, is the same from each.
set -eu
source=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1") version=$2
shift 2
[ $# -gt 0 ] || set -- deb wheel npm
packages=$build/packages
mkdir -p "$packages"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# missing TOOL: whether it is, saying so
missing() {
  command -v "$1" >/dev/null && return 1
  echo "no $kind: there is no $1"
  status=77
}
# stripped NAME FOLDER: a copy of a program of the build
stripped() {
  mkdir -p "$2"
  strip -o "$2/$1" "$build/$1"
  chmod 755 "$2/$1"
}

# npm_platform: what Node calls the platform of the build, in os and cpu; file: its extension; strip: the program for it
npm_platform() {
  os=linux file=s2v.so triple=x86_64-linux-gnu
  if [ -f "$build/s2v.dll" ]; then
    os=win32 cpu=x64 file=s2v.dll triple=x86_64-w64-mingw32
  else
    case $(od -An -tu2 -j 18 -N 2 "$build/s2v.so" | tr -d ' ') in  # the machine in ELF's header
      62) cpu=x64 ;;
      183) cpu=arm64 triple=aarch64-linux-gnu ;;
      *) echo 'packages.sh: an npm package for this processor is not known' >&2 && exit 2 ;;
    esac
  fi
  strip=$(command -v "$triple-strip" || command -v strip)
}
# npm_pack FOLDER
npm_pack() {
  cp "$source/../LICENSE" "$1"
  (cd "$1" && npm pack --silent --offline --pack-destination "$packages" >"$work/npm.log")
}

for kind; do
  case $kind in
    deb)
      missing cpack || missing dpkg-shlibdeps || (cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" >cpack.log ||
        { cat cpack.log >&2 && exit 1; })
      rm -rf "$packages/_CPack_Packages"
      ;;
    wheel)
      missing python3 && continue
      stripped s2v.so "$work/wheel/sqlite_s2v"
      stripped s2v "$work/wheel/sqlite_s2v"
      cp "$source"/python/sqlite_s2v/*.py "$work/wheel/sqlite_s2v"
      cp "$source/../README.md" "$source/../LICENSE" "$work/wheel"
      rm -f "$packages"/*.whl  # its name says more than the version
      python3 "$source/python/make_wheel.py" "$version" "$work/wheel" "$packages"
      ;;
    npm)
      missing npm || missing node && continue
      npm_platform
      mkdir -p "$work/npm" "$work/platform"
      cp "$source"/node/* "$work/npm"
      sed -i "s/\"0\.0\.0\"/\"$version\"/" "$work/npm/package.json"
      npm_pack "$work/npm"
      "$strip" -o "$work/platform/$file" "$build/$file"
      chmod 755 "$work/platform/$file"
      cat >"$work/platform/package.json" <<END
{
  "name": "sqlite-s2v-$os-$cpu",
  "version": "$version",
  "description": "The extension of sqlite-s2v for $os on $cpu",
  "license": "MIT",
  "files": ["$file"],
  "os": ["$os"],
  "cpu": ["$cpu"]$([ $os != linux ] || printf ',\n  "libc": ["glibc"]')
}
END
      npm_pack "$work/platform"
      ;;
    *) echo "packages.sh: unknown kind '$kind'" >&2 && exit 2 ;;
  esac
done
ls -l "$packages"
exit $status
