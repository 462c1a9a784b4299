#!/usr/bin/env python3
"""sqlite-s2v from Python, with nothing but the standard library.

    python3 examples/python_search.py [path of s2v.so]

Shows: loading the extension, training, an index, searching by text, and reading an embedding as numbers. Ends with
status 77 where this Python's sqlite3 module cannot load extensions (Debian's /usr/bin/python3 can).
"""
import array
import os
import sqlite3
import sys

default_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "s2v.so")
path = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else default_path)

db = sqlite3.connect(":memory:")
if not hasattr(db, "enable_load_extension"):
    print("skipped: the sqlite3 module of", sys.executable, "cannot load extensions")
    sys.exit(77)
db.enable_load_extension(True)
db.load_extension(os.path.splitext(path)[0])
db.enable_load_extension(False)

# 54 remarks: too few to learn a language from, enough to learn which words keep which company.
remarks = [
    f"{who} {does} {what}"
    for subjects, verbs, objects in [
        (["the cat", "a dog", "my horse"], ["eats", "smells", "wants"],
         ["some fish", "fresh meat", "dry hay"]),
        (["the car", "a bus", "my truck"], ["crosses", "follows", "blocks"],
         ["the road", "this street", "that bridge"]),
    ]
    for who in subjects for does in verbs for what in objects
]
db.execute("CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT)")
db.executemany("INSERT INTO remark(body) VALUES(?)", [(remark,) for remark in remarks])
db.commit()  # s2v_train holds no lock while it trains, unless a transaction is open

summary, = db.execute(
    """SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20,
                        'learning_rate', 0.1, 'subsampling_threshold', 1, 'workers', 1))""").fetchone()
print("trained:", summary)

db.execute("CREATE VIRTUAL TABLE remark_search USING s2v_index(remark, body)")

question = "fresh fish for my dog"
print(f"found for {question!r}:")
nearest = db.execute(
    """SELECT s.score, r.id, r.body FROM remark_search(?, 3) AS s JOIN remark AS r ON r.id = s.rowid""",
    (question,)).fetchall()
for score, _, body in nearest:
    print(f"  {score:.3f}  {body}")

# A vector is float32, little-endian, nothing else; numpy.frombuffer(blob, "<f4") reads the same.
blob, = db.execute("SELECT s2v_embed(?)", (question,)).fetchone()
vector = array.array("f", blob)
if sys.byteorder == "big":
    vector.byteswap()
length = sum(x * x for x in vector) ** 0.5
print(f"its embedding: {len(vector)} numbers, length {length:.4f}")

db.close()
sys.exit(0 if all(key <= 27 for _, key, _ in nearest) and abs(length - 1) < 1e-4 else 1)
