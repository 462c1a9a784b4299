#!/usr/bin/env bash
# Makes the packages: packages.sh BUILD VERSION [KIND...], all of deb, wheel and npm where none is named.
#
# BUILD is a finished build; the packages are put into BUILD/packages. A kind whose tool is missing is left out, with a
# word, and the status is 77 then. Nothing is fetched.
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
      stripped s2v.so "$work/npm"
      cp "$source"/node/* "$source/../LICENSE" "$work/npm"
      sed -i "s/\"version\": \"[^\"]*\"/\"version\": \"$version\"/" "$work/npm/package.json"
      (cd "$work/npm" && npm pack --silent --offline --pack-destination "$packages" >"$work/npm.log")
      ;;
    *) echo "packages.sh: unknown kind '$kind'" >&2 && exit 2 ;;
  esac
done
ls -l "$packages"
exit $status
