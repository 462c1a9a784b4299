#!/usr/bin/env bash
# exports.sh S2V.SO: the extension exports its three entries and nothing else, so that no name of it meets one of
# the program that loads it, and needs no library but the C library and its mathematics.
set -eu
library=$1
exports=$(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | tr '\n' ' ')
expected='sqlite3_extension_init sqlite3_s2v_init sqlite3_sv_init '
[ "$exports" = "$expected" ] || { echo "exported: $exports"; exit 1; }
needed=$(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(libc|libm|ld-linux[a-z0-9-]*)\.so\.' || true)
[ -z "$needed" ] || { echo "needed: $needed"; exit 1; }
