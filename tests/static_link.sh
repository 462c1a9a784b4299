#!/usr/bin/env bash
# static_link.sh BUILD: the command by which docs/programs.md links the static library into a C program works as it is
# written. Run in the project's folder.
set -eu
build=$(realpath "$1")
command=$(grep -E '^cc .*libs2v\.a' docs/programs.md)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$PWD/ext" "$PWD/examples" "$folder"
ln -s "$build" "$folder/build"
cd "$folder"
bash -euc "$command"
./static_link
