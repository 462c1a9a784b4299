#!/usr/bin/env bash
# exports.sh S2V.SO: the extension exports its three entries and nothing else, so that no name of it meets one of
# the program that loads it, and needs no library but the C library and its mathematics, of glibc 2.34 or of musl.
set -eu
library=$1
exports=$(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | tr '\n' ' ')
expected='sqlite3_extension_init sqlite3_s2v_init sqlite3_sv_init '
[ "$exports" = "$expected" ] || { echo "exported: $exports"; exit 1; }
needed=$(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(libc|libm|libdl|ld-linux[a-z0-9-]*)\.so\.' || true)
[ -z "$needed" ] || { echo "needed: $needed"; exit 1; }

[ "$(od -An -tu2 -j 18 -N 2 "$library" | tr -d ' ')" = 62 ] || exit 0  # the rest: x86-64
! grep -q 'NEEDED.*ld-linux' <<<"$(objdump -p "$library")" || { echo 'needs the loader of glibc'; exit 1; }
symbols=$(readelf -W --dyn-syms "$library" | awk '$7 == "UND" && $5 != "WEAK" && $8 { print $8 }')
newest=$(grep -oE 'GLIBC_2\.[0-9]+' <<<"$symbols" | sort -Vu | tail -n 1)
[ "${newest#GLIBC_2.}" -le 34 ] || { echo "needs $newest"; exit 1; }
# Of the names that begin with two underscores, those that musl has too (ext/install/other_libc.c).
strange=$(sed 's/@.*//' <<<"$symbols" | grep '^_' |
  grep -vxE '__(assert_fail|cxa_atexit|cxa_finalize|errno_location|stack_chk_fail|tls_get_addr)' || true)
[ -z "$strange" ] || { echo "musl may lack: $strange"; exit 1; }
# Where musl is installed: all of them.
musl=/usr/lib/x86_64-linux-musl/libc.so
[ -f $musl ] || exit 0
lacking=$(comm -23 <(sed 's/@.*//' <<<"$symbols" | sort -u) <(nm -D --defined-only $musl | awk '{ print $3 }' | sort -u))
[ -z "$lacking" ] || { echo "musl lacks: $lacking"; exit 1; }
