# shellcheck shell=bash
# Set-up that the tests of the packages share: common.sh BUILD VERSION. Each test makes its package (status 77 where a
# tool is missing), installs the packed file into an empty folder, away from the build, and uses what is there.
set -eu
tests=$(realpath "$(dirname "$0")")
source=$(realpath "$tests/../..")
build=$(realpath "$1") version=$2
packages=$build/packages
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make_package() { "$source/ext/install/packages.sh" "$build" "$version" "$1"; }
skip() { echo "skipped: $1" && exit 77; }
fail() { echo "$1" && exit 1; }
# old_enough FILE...: compiled files need no glibc above 2.34 and no other library
old_enough() {
  local file needed
  for file; do
    needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | grep -vE '^(libc|libm|libdl|ld-linux[a-z0-9-]*)\.so\.' || true)
    [ -z "$needed" ] || fail "$file needs $needed"
    needed=$(readelf -W --dyn-syms "$file" | grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -n 1 || true)
    needed=${needed:-GLIBC_2.0}  # of a program that has its C library in it
    [ "${needed#GLIBC_2.}" -le 34 ] || fail "$file needs $needed"
  done
}
# What a package is asked, on any connection: 54 remarks are searched.
cat >"$folder/quickstart.sql" <<'END'
CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO remark(body) WITH who(w) AS (VALUES('the cat'), ('a dog'), ('my horse')), eats(v) AS (VALUES('eats'), ('smells'), ('wants')),
  food(o) AS (VALUES('some fish'), ('fresh meat'), ('dry hay')) SELECT w || ' ' || v || ' ' || o FROM who, eats, food;
INSERT INTO remark(body) WITH what(w) AS (VALUES('the car'), ('a bus'), ('my truck')), goes(v) AS (VALUES('crosses'), ('follows'), ('blocks')),
  road(o) AS (VALUES('the road'), ('this street'), ('that bridge')) SELECT w || ' ' || v || ' ' || o FROM what, goes, road;
SELECT s2v_train('remark', 'body', '{"dimension": 50, "epochs": 20, "learning_rate": 0.1, "workers": 1}') IS NOT NULL;
CREATE VIRTUAL TABLE remark_search USING s2v_index(remark, body);
SELECT group_concat(rowid <= 27) FROM remark_search('fresh fish for my dog', 3);
END
cd "$folder"
