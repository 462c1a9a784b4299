#!/usr/bin/env python3
"""A search box over a real table, in the browser: results as you type, by meaning and by words; the passage that answers,
with the words that were found; misspelled words forgiven; one kind of rows alone.

    python3 examples/search_box.py                 # then open http://127.0.0.1:8765

The table is what this machine has: the descriptions of Debian's packages (apt-cache; the long ones where apt keeps
them, Acquire::Languages), else WordNet's dictionary (package wordnet-base). The first start reads it into a database,
trains a model and makes an index; after that it is ready at once. Nothing but Python's standard library and s2v.so.
Ends with status 77 where this Python's sqlite3 module cannot load extensions (Debian's /usr/bin/python3 can).
"""
import argparse
import glob
import html
import http.server
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser(description="A search box over a real table, in the browser.")
parser.add_argument("--database", default="search_box.db", help="is made where it is missing (default: %(default)s)")
parser.add_argument("--extension", default=os.path.join(here, "..", "build", "s2v.so"), help="default: build/s2v.so")
parser.add_argument("--port", type=int, default=8765, help="0: any that is free (default: %(default)s)")
arguments = parser.parse_args()


def stop(message, status=1):
    print("search_box:", message, file=sys.stderr)
    sys.exit(status)


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", errors="replace").stdout


def stanzas(text):
    """The records of a file as dpkg and apt write them; lines that continue a field begin with a blank."""
    for stanza in text.split("\n\n"):
        yield dict(re.findall(r"^([\w-]+): (.*(?:\n .*)*)", stanza, re.M))


def debian_packages():
    """Rows of title, kind, text."""
    if not shutil.which("apt-cache"):
        return []
    names = output("apt-get", "indextargets", "-o", "Acquire::Languages=en", "--format", "$(FILENAME)",
                   "Created-By: Translations").split()
    long_texts = {s["Description-md5"]: s["Description-en"] for name in names
                  for s in stanzas(output("/usr/lib/apt/apt-helper", "cat-file", name)) if "Description-en" in s}
    packages = {}  # the first version of each
    for s in stanzas(output("apt-cache", "dumpavail")):
        text = long_texts.get(s.get("Description-md5")) or s.get("Description")
        if text:
            summary, _, rest = text.partition("\n ")
            rest = re.sub(r"\n (?! )", " ", rest.replace("\n .\n ", "\n\n"))  # lines that begin with two blanks stay lines
            packages.setdefault(s["Package"], (s["Package"], s.get("Section", ""), f"{summary}\n{rest}".strip()))
    return list(packages.values())


def wordnet():
    """The same of a dictionary."""
    files = sorted(glob.glob("/usr/share/wordnet/data.*"))
    lines = output("awk", "-f", os.path.join(here, "wordnet.awk"), *files).split("\x1e") if files else []
    return [(words, kind, gloss) for _, kind, words, gloss in (line.split("\x1f") for line in lines if "\x1f" in line)]


def show_progress(phase, fraction, seconds):
    end = "\r" if sys.stdout.isatty() else "\n"
    print(f"  {phase} {100 * (fraction or 0):3.0f} %, {seconds or 0:.0f} s  ", end=end, flush=True)


def open_database():
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        stop(f"the sqlite3 module of {sys.executable} cannot load extensions; try /usr/bin/python3", 77)
    if not os.path.exists(arguments.extension):
        stop(f"there is no {os.path.relpath(arguments.extension)}; to build it:\n"
             "  cmake --preset release && cmake --build build --target s2v_extension")
    # One connection for all, with a lock; it writes nothing but in make_database.
    db = sqlite3.connect(arguments.database, isolation_level=None, check_same_thread=False)
    db.enable_load_extension(True)
    db.load_extension(os.path.splitext(os.path.abspath(arguments.extension))[0])
    db.enable_load_extension(False)
    return db


def make_database(db):
    """Does what a former start has not done: the table, the model, the index."""
    tables = {name for name, in db.execute("SELECT name FROM sqlite_schema")}
    if tables and "entry" not in tables:
        stop(f"{arguments.database} holds something else; name another file: --database FILE")
    if not tables:
        print("reading the descriptions of Debian's packages")
        rows = debian_packages()
        if not rows:
            print("  there are none; reading WordNet")
            rows = wordnet()
        if not rows:
            stop("found neither (sudo apt-get update, or: sudo apt-get install wordnet-base)")
        db.execute("BEGIN")
        db.execute("CREATE TABLE entry(id INTEGER PRIMARY KEY, title TEXT, kind TEXT, text TEXT)")
        db.executemany("INSERT INTO entry(title, kind, text) VALUES(?, ?, ?)", rows)
        db.execute("COMMIT")
        print(f"  {len(rows):,} rows")
    if not db.execute("SELECT count(*) FROM s2v_models").fetchone()[0]:
        print("training a model on them")
        db.create_function("show_progress", 3, show_progress)
        summary, = db.execute("SELECT s2v_train('entry', 'text', json_object('progress', "
                              "'SELECT show_progress(:phase, :fraction, :seconds)'))").fetchone()
        print(f"  {json.loads(summary)['words']:,} words known       ")
    if not db.execute("SELECT 1 FROM pragma_table_xinfo('entry_search') WHERE name = 'kind'").fetchone():
        print("making the index")
        start = time.monotonic()
        db.execute("DROP TABLE IF EXISTS entry_search")  # of a former version of this program
        db.execute("CREATE VIRTUAL TABLE entry_search USING s2v_index(entry, title, text, filter = 'kind')")
        print(f"  done in {time.monotonic() - start:.0f} s")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/":
            self.send(200, "text/html", page)
        elif url.path == "/search":
            asked = dict(urllib.parse.parse_qsl(url.query))
            try:
                self.send(200, "application/json", json.dumps(search(asked.get("q", ""), asked.get("by", "both"), asked.get("kind", ""))))
            except sqlite3.Error as error:
                self.send(400, "application/json", json.dumps({"error": str(error)}))
        else:
            self.send(404, "text/plain", "no such page")

    def send(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def search(question, by, kind):
    start = time.perf_counter()
    with lock:
        # * because the last word may not be written to its end yet. Marks are two characters that no text has.
        rows = db.execute(f"""SELECT s2v_highlight(s.entry_search, 'title', char(1), char(2)), e.kind, e.text,
                                s2v_snippet(s.entry_search, 'text', char(1), char(2), '…', 40), s.score, s.similarity, s.bm25, s.corrections
                              FROM entry_search(:question || '*', 20, :by) AS s JOIN entry AS e ON e.id = s.rowid
                              {"WHERE s.kind = :kind" if kind else ""} ORDER BY s.score DESC""",
                          {"question": question, "by": by, "kind": kind}).fetchall()
    milliseconds = 1000 * (time.perf_counter() - start)
    names = ("title", "kind", "text", "snippet", "score", "similarity", "bm25")
    return {"milliseconds": milliseconds, "corrections": rows[0][-1] if rows else None,
            "rows": [dict(zip(names, row)) for row in rows]}


PAGE = r"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search</title>
<style>
  :root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1d2330; --soft: #667085; --line: #dfe3ea;
          --score: #8b95a7; --meaning: #2a78d6; --words: #e08a1e; --mark: #fdf0c8 }
  @media (prefers-color-scheme: dark) {
    :root { --page: #14171d; --card: #1d222b; --ink: #e6e9ef; --soft: #98a2b3; --line: #303744; --mark: #5a4a17 } }
  * { box-sizing: border-box }
  body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
         font: 16px/1.5 system-ui, sans-serif }
  header { position: sticky; top: 0; padding: .5rem 0; background: var(--page) }
  input { width: 100%; padding: .8rem 1.1rem; border: 1px solid var(--line); border-radius: .8rem; color: inherit;
          background: var(--card); font: 1.15rem system-ui, sans-serif; box-shadow: 0 2px 10px #0001 }
  input:focus { outline: 2px solid var(--meaning); outline-offset: -1px }
  nav { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin-top: .6rem }
  button, select { padding: .2rem .8rem; border: 1px solid var(--line); border-radius: 1rem; background: none; color: inherit;
           font: .9rem system-ui, sans-serif; cursor: pointer }
  button[aria-pressed=true] { background: var(--ink); color: var(--page); border-color: var(--ink) }
  #told { margin-left: auto; color: var(--soft); font-size: .9rem }
  article { display: grid; grid-template-columns: 1fr 12.5rem; gap: .2rem 1.5rem; margin-top: .7rem; padding: .8rem 1.1rem;
            border: 1px solid var(--line); border-radius: .8rem; background: var(--card) }
  h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere }
  h2 small { margin-left: .4rem; color: var(--soft); font-weight: normal }
  p { margin: 0; white-space: pre-line; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box;
      -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
  mark { background: var(--mark); color: inherit; border-radius: .2rem }
  dl { margin: 0; display: grid; grid-template-columns: auto 1fr 2.6rem; gap: .1rem .5rem; align-content: center;
       align-items: center; font-size: .8rem; color: var(--soft) }
  dd { margin: 0; height: .5rem; border-radius: .25rem; background: var(--line); overflow: hidden }
  dd i { display: block; height: 100%; border-radius: .25rem }
  output { text-align: right; font-variant-numeric: tabular-nums }
  article button { justify-self: start; padding: 0; border: 0; color: var(--meaning); font-size: .85rem }
  @media (max-width: 40rem) { article { grid-template-columns: 1fr; padding: .7rem .9rem } dl { margin: .3rem 0 } }
</style>
<header>
  <input id="question" type="search" placeholder="Search {count} rows: say it in your own words" autocomplete="off" autofocus>
  <nav>
    <button data-by="both">both</button><button data-by="meaning">meaning</button><button data-by="words">words</button>
    <select id="kind"><option value="">all kinds</option>{kinds}</select>
    <span id="told"></span>
  </nav>
</header>
<main></main>
<script>
const question = document.querySelector('#question'), told = document.querySelector('#told'), kind = document.querySelector('#kind');
const choices = [...document.querySelectorAll('nav button')];
let by = 'both', running = new AbortController(), timer;

// Texts come from the table and go into text nodes only, so none of them is ever read as HTML.
function add(parent, kind, text = '') {
  const child = parent.appendChild(document.createElement(kind));
  child.textContent = text;
  return child;
}
function addMarked(parent, text) {  // what is between characters 1 and 2 was found
  for (const part of (text || '').split(/(\x01[^\x02]*\x02)/))
    if (part.startsWith('\x01')) add(parent, 'mark', part.slice(1, -1));
    else parent.append(part);
}
function addBar(list, name, value, most) {
  add(list, 'dt', name);
  const bar = add(add(list, 'dd'), 'i');
  bar.className = name;
  bar.style.width = Math.max(0, Math.min(100, 100 * value / most)) + '%';
  bar.style.background = 'var(--' + name + ')';
  add(list, 'output', value === null ? '–' : value.toFixed(2));
}
function show(rows) {
  const most = name => Math.max(...rows.map(row => row[name] || 0), 1e-9);
  const main = document.querySelector('main');
  main.replaceChildren();
  for (const row of rows) {
    const article = add(main, 'article'), text = add(article, 'div'), bars = add(article, 'dl');
    const title = add(text, 'h2');
    addMarked(title, row.title);
    add(title, 'small', row.kind);
    addMarked(add(text, 'p'), row.snippet);
    addBar(bars, 'score', row.score, most('score'));
    addBar(bars, 'meaning', row.similarity, 1);
    addBar(bars, 'words', row.bm25, most('bm25'));
    add(text, 'button', 'more like this').onclick = () => { question.value = row.text; by = 'meaning'; ask(); scrollTo(0, 0); };
  }
}
async function ask() {
  for (const choice of choices) choice.setAttribute('aria-pressed', choice.dataset.by === by);
  const asked = new URLSearchParams({q: question.value, by, kind: kind.value});
  history.replaceState(null, '', location.href.split('#')[0] + '#' + asked);
  running.abort();  // an earlier answer never comes after a later one
  running = new AbortController();
  try {
    const answer = await (await fetch('search?' + asked, {signal: running.signal})).json();
    if (answer.error) throw Error(answer.error);
    show(answer.rows);
    told.textContent = question.value.trim() === '' ? '' : (answer.rows.length || 'nothing') + ' found in ' + answer.milliseconds.toFixed(1) + ' ms' + (answer.corrections ? ', ' + answer.corrections : '');
  } catch (error) {
    if (error.name !== 'AbortError') told.textContent = 'no answer: ' + error.message;
  }
}
kind.onchange = ask;
for (const choice of choices) choice.onclick = () => { by = choice.dataset.by; ask(); };
question.oninput = () => { clearTimeout(timer); timer = setTimeout(ask, 60); };
function begin() {  // a question in the address can be kept and sent
  const asked = new URLSearchParams(location.hash.slice(1));
  question.value = asked.get('q') || '';
  by = asked.get('by') || 'both';
  kind.value = asked.get('kind') || '';
  ask();
}
onhashchange = begin;
begin();
</script>
"""

signal.signal(signal.SIGINT, signal.SIG_DFL)  # at any moment: SQLite keeps whole transactions only
lock = threading.Lock()
try:
    db = open_database()
    make_database(db)
except sqlite3.Error as error:
    stop(f"{arguments.database}: {error}")
try:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
except OSError as error:
    stop(f"port {arguments.port}: {error.strerror}; name another one: --port N")
count, = db.execute("SELECT count(*) FROM entry").fetchone()
kinds = db.execute("SELECT kind, count(*) FROM entry WHERE kind <> '' GROUP BY 1 ORDER BY 2 DESC LIMIT 60").fetchall()
page = PAGE.replace("{count}", f"{count:,}").replace(
    "{kinds}", "".join(f'<option value="{html.escape(kind)}">{html.escape(kind)} ({n:,})</option>' for kind, n in kinds))
print(f"http://127.0.0.1:{server.server_port}  (Ctrl-C ends it)", flush=True)
server.serve_forever()
