#!/usr/bin/env bash
# headers.sh COMPILER BUILD: each header of core, sql and ext compiles by itself. One with a .cc of its name is that
# file's first include, so it is compiled by the build; the others are compiled here. Run in the project's folder.
set -eu
compiler=$1 build=$2
status=0 alone=()
for header in $(find core sql ext -name '*.h' ! -path ext/s2v.h); do
  source=${header%.h}.cc
  if [ ! -f "$source" ]; then
    alone+=("$header")
  elif [ "$(grep -m 1 '^#include' "$source")" != "#include \"$header\"" ]; then
    echo "$source: its first include is not $header"
    status=1
  fi
done
printf '%s\n' "${alone[@]}" | xargs -P "$(nproc)" -I {} \
  "$compiler" -std=c++20 -fsyntax-only -w -I. -I"$build/generated" -x c++ {} || status=1
"$compiler" -x c -fsyntax-only -I. ext/s2v.h || status=1
exit $status
