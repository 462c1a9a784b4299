#!/usr/bin/env python3
"""From what length on documents are found better by parts: whole documents; a table with a row for each part, a document as good as
its best one; and an index with passages, which does that by itself.

    tests/bench/search_parts.py [--keep FOLDER] [--sentences N] [--questions N] [--words LIST]

Documents are sentences of S2V_DATA/corpus/wiki-1m.txt (default ../shared/data), joined up to 1,000, 10,000, ... words. A question is a
sentence of one, in other words: of those of four letters and more that the model knows each second one is replaced by the nearest
one that begins otherwise. Prints how often the document is first, and the mean reciprocal rank among ten, of each of the three with parts of 200 words,
by words, by meaning and by both, and the median of the processor time of a question; how long each index took to make, and how large it is. Then the same of the
collection `time` of S2V_DATA/ir, whose news have 464 words, by its own judgements: nDCG@10.
Environment: S2V_DATA, S2V_EXTENSION (default build/s2v).
"""
import argparse
import math
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description="From what length on documents are found better by parts.")
parser.add_argument("--keep", metavar="FOLDER")
parser.add_argument("--sentences", type=int, default=200000)
parser.add_argument("--questions", type=int, default=300)
parser.add_argument("--words", default="1000,10000,100000", help="of a document, about; commas between")
arguments = parser.parse_args()
data = os.environ.get("S2V_DATA", "../shared/data")
if not os.path.isdir(data):
    sys.exit(f"no folder '{data}': set S2V_DATA")
temporary = tempfile.TemporaryDirectory()
folder = arguments.keep or temporary.name
PART = 200
KINDS = {"whole": "_search", "parts": "_part_search", "passages": "_passage_search"}  # and the names of the indexes
chance = random.Random(1)


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(os.environ.get("S2V_EXTENSION", "build/s2v"))
    return db


def parts_of(text):
    words = text.split()
    return [" ".join(words[at:at + PART]) for at in range(0, len(words), PART)]


def fill(db, name, documents):
    """Tables NAME of whole documents and NAME_part, with their indexes, and that of passages."""
    db.execute("BEGIN")
    db.execute(f"CREATE TABLE {name}(id INTEGER PRIMARY KEY, body TEXT)")
    db.execute(f"CREATE TABLE {name}_part(id INTEGER PRIMARY KEY, doc INTEGER, body TEXT)")
    for doc, text in documents:
        db.execute(f"INSERT INTO {name} VALUES(?, ?)", (doc, text))
        db.executemany(f"INSERT INTO {name}_part(doc, body) VALUES(?, ?)", [(doc, part) for part in parts_of(text)])
    db.execute("COMMIT")
    for kind, index in KINDS.items():
        table, option = name + ("_part" if kind == "parts" else ""), f", passages = {PART}" if kind == "passages" else ""
        began = time.process_time()
        db.execute(f"CREATE VIRTUAL TABLE {name}{index} USING s2v_index({table}, body, model = trained{option})")
        seconds = time.process_time() - began
        size, = db.execute("SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name GLOB ?", (f"{name}{index}_*",)).fetchone()
        print(f"{name}, {kind}: made in {seconds:.1f} s, {size / 1e6:.1f} MB", flush=True)


def ranking(db, name, kind, question, by):
    """Documents, the best first, at most ten."""
    if kind != "parts":
        return [row for row, in db.execute(f"SELECT rowid FROM {name}{KINDS[kind]}(?, 10, ?) ORDER BY score DESC", (question, by))]
    rows = db.execute(f"SELECT p.doc FROM {name}{KINDS[kind]}(?, 200, ?) AS s JOIN {name}_part AS p ON p.id = s.rowid "
                      "GROUP BY p.doc ORDER BY max(s.score) DESC LIMIT 10", (question, by))
    return [doc for doc, in rows]


def reworded(db, sentence):
    words, count = [], 0
    for token, known in db.execute("SELECT token, known FROM s2v_tokens(?, 'trained') WHERE n = 1", (sentence,)):
        count += known and len(token) > 3
        near = []
        if known and len(token) > 3 and count % 2 == 0:
            near = [word for word, in db.execute("SELECT word FROM s2v_nearest_words(?, 5, 'trained')", (token,))
                    if word[:4] != token[:4] and word.isalpha()]
        words.append(near[0] if near else token)
    return " ".join(words)


def train(db, table):
    if not db.execute("SELECT count(*) FROM s2v_models").fetchone()[0]:
        db.execute("SELECT s2v_train(?, 'body', '{\"model\": \"trained\", \"epochs\": 5, \"tokenizer\": \"english\"}')", (table,))


def joined_documents():
    with open(f"{data}/corpus/wiki-1m.txt", encoding="utf-8") as lines:
        sentences = [line.strip() for _, line in zip(range(arguments.sentences), lines)]
    db = connect(f"{folder}/joined.db")
    if not db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'sentence'").fetchone()[0]:
        db.execute("CREATE TABLE sentence(id INTEGER PRIMARY KEY, body TEXT)")
        db.execute("BEGIN")
        db.executemany("INSERT INTO sentence(body) VALUES(?)", [(s,) for s in sentences])
        db.execute("COMMIT")
    train(db, "sentence")
    asked = [i for i in chance.sample(range(len(sentences)), 2 * arguments.questions) if 10 <= len(sentences[i].split()) <= 30]
    asked = [(i, reworded(db, sentences[i])) for i in asked[:arguments.questions]]
    print("words of a document | documents | by | " + " | ".join(f"{kind}: first, MRR, ms" for kind in KINDS))
    for size in map(int, arguments.words.split(",")):
        of, documents, text, words = [], [], [], 0
        for sentence in sentences:
            of.append(len(documents) + 1)
            text.append(sentence)
            words += len(sentence.split())
            if words >= size:
                documents.append((len(documents) + 1, " ".join(text)))
                text, words = [], 0
        if text:
            documents.append((len(documents) + 1, " ".join(text)))
        if not db.execute("SELECT count(*) FROM sqlite_schema WHERE name = ?", (f"d{size}",)).fetchone()[0]:
            fill(db, f"d{size}", documents)
        for by in ("words", "meaning", "both"):
            found = []
            for kind in KINDS:
                ranks, seconds = [], []
                for sentence, question in asked:
                    began = time.process_time()
                    answers = ranking(db, f"d{size}", kind, question, by)
                    seconds.append(time.process_time() - began)
                    ranks.append(answers.index(of[sentence]) + 1 if of[sentence] in answers else math.inf)
                found.append(f"{100 * sum(r == 1 for r in ranks) / len(ranks):.1f}, {100 * sum(1 / r for r in ranks) / len(ranks):.1f}, "
                             f"{1000 * statistics.median(seconds):.1f}")
            print(f"{size:,} | {len(documents):,} | {by} | " + " | ".join(found), flush=True)


def time_collection():
    read = lambda name: [line.rstrip("\n").split("\t") for line in open(f"{data}/ir/time/{name}.tsv", encoding="utf-8")]
    db = connect(f"{folder}/time.db")
    ids = {name: i + 1 for i, (name, _) in enumerate(read("docs"))}
    if not db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'raw'").fetchone()[0]:
        db.execute("CREATE TABLE raw(id INTEGER PRIMARY KEY, body TEXT)")
        db.executemany("INSERT INTO raw VALUES(?, ?)", [(ids[name], text) for name, text in read("docs")])
        db.execute("SELECT s2v_train('raw', 'body', '{\"model\": \"trained\"}')")
        fill(db, "d", [(ids[name], text) for name, text in read("docs")])
    judged = {}
    for question, doc, grade in read("qrels"):
        judged.setdefault(question, {})[ids.get(doc)] = float(grade)
    for by in ("words", "meaning", "both"):
        means = []
        for kind in KINDS:
            gains = []
            for question, text in read("queries"):
                grades = {doc: grade for doc, grade in judged.get(question, {}).items() if grade > 0}
                if not grades:
                    continue
                dcg = lambda values: sum(v / math.log2(i + 2) for i, v in enumerate(values))
                found = dcg([grades.get(doc, 0) for doc in ranking(db, "d", kind, text, by)])
                gains.append(found / dcg(sorted(grades.values(), reverse=True)[:10]))
            means.append(100 * sum(gains) / len(gains))
        print(f"time, nDCG@10 | {len(ids)} | {by} | " + " | ".join(f"{mean:.1f}" for mean in means), flush=True)


joined_documents()
time_collection()
