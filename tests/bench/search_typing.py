#!/usr/bin/env python3
"""How well questions are answered that are typed wrong, or not yet to their end.

    tests/bench/search_typing.py [--keep FOLDER] [--collections LIST] [--seed N]

From the judged questions of S2V_DATA/ir (default ../shared/data), as many of each collection, 200 in all:

    wrong       one word of each has an error: two letters exchanged, one left out, put in or replaced, each as often; of
                words from eight letters on each fourth has two errors. Words of four letters and more, but for common ones
    unfinished  the last word is cut to half its letters, at least two, and a * put behind it
    cut         the same without that word
    both        of a last word of six letters and more three quarters, with an error behind the first letter, and *; of others half

Prints nDCG@10 of each beside that of the questions as they are. --keep: databases stay there and are used again.
Environment: S2V_DATA, S2V (default build/s2v).
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

COUNT = 200
COMMON = set("""about after also been before being between could does doing each from give have having here into like made make
many more most much need other over should some such than that their them then there these they this those through under want
were what when where which while will with would your please tell find articles information""".split())

parser = argparse.ArgumentParser(description="How well questions are answered that are typed wrong.")
parser.add_argument("--keep", metavar="FOLDER")
parser.add_argument("--collections", default="", help="commas between (default: all)")
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
data = os.environ.get("S2V_DATA", "../shared/data") + "/ir"
program = os.environ.get("S2V", "build/s2v")
if not os.path.isdir(data):
    sys.exit(f"no folder '{data}': set S2V_DATA")
temporary = tempfile.TemporaryDirectory()
folder = arguments.keep or temporary.name
chance = random.Random(arguments.seed)


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def database(name):
    path = f"{folder}/{name}.db"
    if not os.path.exists(path):
        run("sqlite3", path, "CREATE TABLE docs(id TEXT PRIMARY KEY, body TEXT)", ".mode ascii",
            '.separator "\\t" "\\n"', f".import '{data}/{name}/docs.tsv' docs")
        run(program, "train", path, "--table", "docs", "--column", "body", "--quiet")
        run(program, "index", "create", path, "docs_search", "docs", "body", "--quiet")
    return path


def one_error(word):
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    at = chance.randrange(len(word))
    kind = chance.randrange(4)
    if kind == 0:
        places = [i for i in range(len(word) - 1) if word[i] != word[i + 1]]
        at = chance.choice(places)
        return word[:at] + word[at + 1] + word[at] + word[at + 2:]
    return word[:at] + ["", letter + word[at], letter][kind - 1] + word[at + 1:]


def misspelled(question):
    words = [m for m in re.finditer(r"(?<![\w-])[A-Za-z]{4,}(?![\w-])", question)
             if m[0].lower() not in COMMON and len(set(m[0].lower())) > 1]
    if not words:
        return None
    word = chance.choice(words)
    errors = 2 if len(word[0]) >= 8 and chance.randrange(4) == 0 else 1
    wrong = word[0]
    while wrong.lower() == word[0].lower():
        wrong = word[0]
        for _ in range(errors):
            wrong = one_error(wrong)
    return question[:word.start()] + wrong + question[word.end():]


def unfinished(question):
    last = re.search(r"([A-Za-z]{4,})\W*$", question)
    if not last or " " not in question.strip():
        return None
    return question[:last.start()], last[1][:max(2, (len(last[1]) + 1) // 2)]


def wrong_unfinished(question):
    before, beginning = unfinished(question)
    word = re.search(r"([A-Za-z]{4,})\W*$", question)[1]
    if len(word) < 6:
        return before + beginning + "*"
    typed = word[:(3 * len(word) + 3) // 4]
    wrong = typed
    while wrong == typed or wrong[0] != typed[0]:
        wrong = one_error(typed)
    return before + wrong + "*"


def ndcg(name, questions):
    path = f"{temporary.name}/queries.tsv"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{id}\t{text}\n" for id, text in questions)
    lines = run(program, "eval", "search", database(name), "--index", "docs_search", "--table", "docs", "--column", "body",
                "--id", "id", "--queries", path, "--judgements", f"{data}/{name}/qrels.tsv", "--json", "--quiet")
    return next(float(line["ndcg_at_10"]) for line in map(json.loads, lines.splitlines()) if line["search"] == "index")


names = arguments.collections.split(",") if arguments.collections else sorted(os.listdir(data))
rows = []
for number, name in enumerate(names):
    with open(f"{data}/{name}/queries.tsv", encoding="utf-8") as file:
        questions = [line.rstrip("\n").split("\t", 1) for line in file]
    with open(f"{data}/{name}/qrels.tsv", encoding="utf-8") as file:
        judged = {re.split(r"\s+", line)[0] for line in file}
    questions = [q for q in questions if q[0] in judged and misspelled(q[1]) and unfinished(q[1])]
    chance.shuffle(questions)
    questions = questions[:COUNT // len(names) + (number < COUNT % len(names))]
    cut = {id: unfinished(text) for id, text in questions}
    variants = {
        "as they are": questions,
        "wrong": [(id, misspelled(text)) for id, text in questions],
        "unfinished": [(id, "".join(cut[id]) + "*") for id, _ in questions],
        "cut": [(id, cut[id][0]) for id, _ in questions],
        "both": [(id, wrong_unfinished(text)) for id, text in questions],
    }
    rows.append((len(questions), {label: ndcg(name, q) for label, q in variants.items()}))
    print(f"{name:14}", len(questions), {k: round(100 * v, 1) for k, v in rows[-1][1].items()}, flush=True)
total = sum(count for count, _ in rows)
means = {label: sum(count * row[label] for count, row in rows) / total for label in rows[0][1]}
print(f"{total} questions, nDCG@10 x 100 and its share of that of the questions as they are:")
for label, mean in means.items():
    print(f"  {label:12} {100 * mean:5.1f}  {mean / means['as they are']:.3f}")
