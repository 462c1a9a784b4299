#!/usr/bin/env bash
# exports.sh S2V.SO: the extension exports its three entries and nothing else, so that no name of it meets one of
# the program that loads it, calls none of them by its name, so that two builds of it can be in one process, and needs no library but the C library and its mathematics, of glibc 2.34 or later or of musl.
# It may be of another processor.
set -eu
library=$1
# symbols PATTERN: name and binding of the dynamic ones whose section fits
symbols() { readelf -W --dyn-syms "$library" | awk -v section="$1" '$1 ~ /^[0-9]+:$/ && $5 != "LOCAL" && $8 && $7 ~ section { print $8, $5 }'; }
exports=$(symbols '^[0-9]+$' | cut -d ' ' -f 1 | LC_ALL=C sort | tr '\n' ' ')
expected='sqlite3_extension_init sqlite3_s2v_init sqlite3_sv_init '
[ "$exports" = "$expected" ] || { echo "exported: $exports"; exit 1; }
called=$(readelf -W -r "$library" | grep -oE 'sqlite3_\w+_init' | sort -u || true)
[ -z "$called" ] || { echo "called by its name, which may be another library's: $called"; exit 1; }
libraries=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p')
needed=$(grep -vE '^(libc|libm|libdl|ld-linux[a-z0-9-]*)\.so\.' <<<"$libraries" || true)
[ -z "$needed" ] || { echo "needed: $needed"; exit 1; }
wanted=$(symbols '^UND$' | sed -n 's/ GLOBAL$//p')
newest=$(grep -oE 'GLIBC_2\.[0-9]+' <<<"$wanted" | sort -Vu | tail -n 1)
[ "${newest#GLIBC_2.}" -le 34 ] || { echo "needs $newest"; exit 1; }

# musl (ext/install/other_libc.c): on 64-bit processors no loader of glibc's, and of the names that begin with an
# underscore those alone that musl has; where it is installed for this processor, it has them all.
machine=$(readelf -h "$library" | sed -n 's/.*Machine: *//p')
case $machine in *X86-64) musl=/usr/lib/x86_64-linux-musl/libc.so ;; AArch64) musl=none ;; *) exit 0 ;; esac
! grep -q '^ld-linux' <<<"$libraries" || { echo 'needs the loader of glibc'; exit 1; }
strange=$(sed 's/@.*//' <<<"$wanted" | grep '^_' |
  grep -vxE '__(assert_fail|cxa_atexit|cxa_finalize|errno_location|stack_chk_fail|tls_get_addr)' || true)
[ -z "$strange" ] || { echo "musl may lack: $strange"; exit 1; }
[ -f $musl ] || exit 0
lacking=$(comm -23 <(sed 's/@.*//' <<<"$wanted" | sort -u) <(nm -D --defined-only $musl | awk '{ print $3 }' | sort -u))
[ -z "$lacking" ] || { echo "musl lacks: $lacking"; exit 1; }
