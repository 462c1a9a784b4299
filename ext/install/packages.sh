#!/usr/bin/env bash
# Makes the packages: packages.sh BUILD VERSION [KIND...], deb, wheel, npm and zip where none is named.
#
# BUILD is a finished build, of this machine or a cross build; the packages are put into BUILD/packages, with SHA256SUMS. A kind
# whose tool is missing is left out, with a word, and the status is 77 then; so is, without one, a kind that the platform of the
# build has not. Nothing is fetched. Of npm's two packages one has the extension for the platform, and the other, which
# chooses among those, is the same from each build.
set -eu
source=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1") version=$2
shift 2
kinds=("$@")
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
# platform: how the zip calls it; os, cpu: how Node does; wheel: the tags of the wheel; triple: of the compiler's tools
extension=s2v.so program=s2v os=linux wheel='' cpu=''
if [ -f "$build/s2v.dll" ]; then
  platform=windows-x64 os=win32 cpu=x64 extension=s2v.dll program=s2v.exe triple=x86_64-w64-mingw32 wheel=win_amd64
elif [ -d "$build/browser" ]; then
  platform=browser
else
  # The lowest glibc is that of the newest symbol which is asked for. musl has every one that the extension needs
  # (tests/exports.sh), and the program needs none.
  glibc=manylinux_$(readelf -W --dyn-syms "$build/s2v.so" | grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -n 1 | tr '[:upper:].' '[:lower:]_')
  glibc=${glibc/glibc_/}
  case $(od -An -tu2 -j 18 -N 2 "$build/s2v.so" | tr -d ' ') in  # the machine in ELF's header
    62) platform=linux-x64 cpu=x64 triple=x86_64-linux-gnu wheel=${glibc}_x86_64.musllinux_1_2_x86_64 ;;
    183) platform=linux-arm64 cpu=arm64 triple=aarch64-linux-gnu wheel=${glibc}_aarch64.musllinux_1_2_aarch64 ;;
    40) platform=linux-armhf triple=arm-linux-gnueabihf ;;
    *) echo 'packages.sh: this processor is not known' >&2 && exit 2 ;;
  esac
fi
if [ ${#kinds[@]} -eq 0 ]; then
  kinds=(zip)
  [ -z "$wheel" ] || kinds+=(wheel npm)
  [ $os != linux ] || [ -z "$wheel" ] || kinds+=(deb)
fi
# stripped NAME FOLDER: a copy of a program of the build
stripped() {
  local strip
  strip=$(command -v "$triple-strip" || command -v strip)
  mkdir -p "$2"
  "$strip" -o "$2/$1" "$build/$1"
  chmod 755 "$2/$1"
}
# npm_pack FOLDER
npm_pack() {
  cp "$source/../LICENSE" "$1"
  (cd "$1" && npm pack --silent --offline --pack-destination "$packages" >"$work/npm.log")
}

for kind in "${kinds[@]}"; do
  case $kind in
    deb)
      missing cpack || missing dpkg-shlibdeps || (cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" >cpack.log ||
        { cat cpack.log >&2 && exit 1; })
      rm -rf "$packages/_CPack_Packages"
      ;;
    wheel)
      missing python3 && continue
      stripped $extension "$work/wheel/sqlite_s2v"
      stripped $program "$work/wheel/sqlite_s2v"
      cp "$source"/python/sqlite_s2v/*.py "$work/wheel/sqlite_s2v"
      cp "$source/../README.md" "$source/../LICENSE" "$source/install/NOTICES" "$work/wheel"
      rm -f "$packages"/*.whl  # its name says more than the version
      python3 "$source/python/make_wheel.py" "$version" "$work/wheel" "$packages" "$wheel"
      ;;
    npm)
      missing npm || missing node && continue
      mkdir -p "$work/npm"
      cp "$source"/node/* "$work/npm"
      sed -i "s/\"0\.0\.0\"/\"$version\"/" "$work/npm/package.json"
      npm_pack "$work/npm"
      stripped $extension "$work/platform"
      cp "$source/install/NOTICES" "$work/platform"
      cat >"$work/platform/package.json" <<END
{
  "name": "sqlite-s2v-$os-$cpu",
  "version": "$version",
  "description": "The extension of sqlite-s2v for $os on $cpu",
  "license": "MIT",
  "files": ["$extension", "NOTICES"],
  "os": ["$os"],
  "cpu": ["$cpu"]
}
END
      npm_pack "$work/platform"
      ;;
    zip)
      name=sqlite-s2v-$version-$platform
      if [ $platform = browser ]; then
        mkdir -p "$work/zip"
        cp -r "$build/browser" "$work/zip/$name"
      else
        stripped $extension "$work/zip/$name"
        stripped $program "$work/zip/$name"
      fi
      cp "$source/../README.md" "$source/../CHANGELOG.md" "$source/../LICENSE" "$source/install/NOTICES" "$work/zip/$name"
      (cd "$work/zip" && cmake -E tar cf "$packages/$name.zip" --format=zip "$name")
      ;;
    *) echo "packages.sh: unknown kind '$kind'" >&2 && exit 2 ;;
  esac
done
(cd "$packages" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum -- >SHA256SUMS)
ls -l "$packages"
exit $status
