#!/usr/bin/env python3
"""Python's sqlite3 module: calls.py EXTENSION. What it runs, and why, is said in drivers.sh."""
import json, os, sqlite3, sys

if not hasattr(sqlite3.Connection, 'enable_load_extension'):
    print('skipped: the sqlite3 module of this Python loads no extensions')
    sys.exit(77)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.json'), encoding='utf-8') as file:
    CALLS = json.load(file)


def text_of(value):
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return 'NULL' if value is None else str(value)


def run(db, call, number):
    def bound(value):
        if isinstance(value, dict):
            return run(db, value, number)
        return number(value) if isinstance(value, int) else value
    row = db.execute(call['sql'], [bound(value) for value in call.get('values', [])]).fetchone()
    return row and row[0]


for number in int, float, str:
    db = sqlite3.connect(':memory:', isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(os.path.splitext(os.path.abspath(sys.argv[1]))[0])
    for call in CALLS:
        try:
            got = text_of(run(db, call, number))
        except sqlite3.Error as error:
            got = str(error)
        if got != call.get('expect', 'NULL'):
            sys.exit(f"Python, numbers bound as {number.__name__}: {call} gives {got}")
print(f'Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}: {len(CALLS)} calls, numbers as int, float and str')
