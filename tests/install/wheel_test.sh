#!/usr/bin/env bash
# wheel_test.sh BUILD VERSION: the Python wheel in an empty environment, without a network.
. "$(dirname "$0")/common.sh"
python=$(command -v /usr/bin/python3 python3 | head -n 1)
"${python:-false}" -c 'import ensurepip, sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null ||
  skip 'there is no python3 with venv whose sqlite3 module loads extensions'
make_package wheel || exit $?
"$python" -m venv environment
environment/bin/pip install --quiet --no-index --disable-pip-version-check "$packages/sqlite_s2v-$version"-*.whl
installed=$(realpath environment/lib/python3*/site-packages/sqlite_s2v)
old_enough "$installed/s2v.so" "$installed/s2v"
for file in LICENSE NOTICES; do [ -f "$installed-$version.dist-info/licenses/$file" ] || fail "the wheel lacks $file"; done

cat >quickstart.py <<'END'
import sqlite3, sqlite_s2v

def refused(db):
    try:
        db.load_extension(sqlite_s2v.loadable_path())
    except sqlite3.OperationalError as error:
        return "not authorized" in str(error)

db = sqlite3.connect("remarks.db")
db.enable_load_extension(False)  # where SQLite is built to allow them
assert refused(db)
sqlite_s2v.load(db)
assert refused(db), "load leaves extensions allowed"
found = [db.execute(statement).fetchone() for statement in open("quickstart.sql").read().split(";\n")]
db.commit()
assert found[-1] is None and found[-2] == ("1,1,1",), found

by_hand = sqlite3.connect("remarks.db")
by_hand.enable_load_extension(True)
sqlite_s2v.load(by_hand)
by_hand.load_extension(sqlite_s2v.loadable_path())
assert by_hand.execute("SELECT count(*) FROM remark_search('meat', 3)").fetchone() == (3,)
END
environment/bin/python quickstart.py
environment/bin/python -m sqlite_s2v --version | grep "^s2v $version "
environment/bin/python -m sqlite_s2v models remarks.db | grep -q remark
! environment/bin/python -m sqlite_s2v models no_such.db 2>message
grep -q "^s2v: no file 'no_such.db'" message

# The same bytes again, whenever it is made.
before=$(sha256sum "$packages/sqlite_s2v-$version"-*.whl)
make_package wheel >/dev/null
[ "$before" = "$(sha256sum "$packages/sqlite_s2v-$version"-*.whl)" ] || fail 'the wheel differs when it is made again'
environment/bin/pip uninstall --quiet --yes sqlite-s2v
[ ! -e "$installed" ] || fail 'files are left behind'
