#!/usr/bin/env python3
"""An index under load by several processes: index_load.py writer|tenants|readers EXTENSION CORPUS

writer    A program without the extension inserts, beside another that asks while a million rows wait in the log (--rows): how long
          an insert waits, in both journal modes. With busy_timeout 0 it tries again each half millisecond.
tenants   A thousand small indexes in one file: opening it, one question to each, memory.
readers   Questions/s of 16 processes against those of one.

Needs a Python whose sqlite3 module loads extensions. Prints, asserts nothing.
"""
import argparse, multiprocessing, os, resource, sqlite3, statistics, tempfile, time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('what', choices=['writer', 'tenants', 'readers'])
parser.add_argument('extension')
parser.add_argument('corpus', help='a sentence a line')
parser.add_argument('--rows', type=int, default=0, help='default: 1,000,000 that wait; 200,000 for readers')
parser.add_argument('--seconds', type=float, default=20)
options = parser.parse_args()
EXTENSION = os.path.splitext(os.path.abspath(options.extension))[0]
LINES = [line.rstrip('\n') for line in open(options.corpus, encoding='utf-8', newline='\n')]
QUESTIONS = [' '.join(line.split()[3:8]) for line in LINES[-500:]]


def connect(path, extension=True):
    db = sqlite3.connect(path, isolation_level=None, timeout=0 if not extension else 5)
    if extension:
        db.enable_load_extension(True)
        db.load_extension(EXTENSION)
    return db


def make(path, rows, mode='wal'):
    db = connect(path)
    db.execute(f'PRAGMA journal_mode = {mode}')
    db.execute('CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT)')
    db.execute('BEGIN')
    db.executemany('INSERT INTO docs(body) VALUES(?)', ((LINES[i % len(LINES)],) for i in range(rows)))
    db.execute('COMMIT')
    db.execute("SELECT s2v_train('docs', 'body', '{\"epochs\": 2}')").fetchone()
    db.execute('CREATE VIRTUAL TABLE s USING s2v_index(docs, body)')
    return db


def insert(path, stop, answer):
    db = connect(path, extension=False)
    waits = []
    while not stop.is_set():
        began = time.perf_counter()
        while True:
            try:
                db.execute("INSERT INTO docs(body) VALUES('a row that is written beside questions')")
                break
            except sqlite3.OperationalError:
                time.sleep(0.0005)
        waits.append(1e3 * (time.perf_counter() - began))
        time.sleep(0.005)
    answer.put(sorted(waits))


def writer():
    for mode in ('wal', 'delete'):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + '/w.db'
            db = make(path, 20000, mode)
            rows = options.rows or 1000000
            db.execute('BEGIN')
            db.executemany('INSERT INTO docs(body) VALUES(?)', ((LINES[i % len(LINES)],) for i in range(rows)))
            db.execute('COMMIT')
            stop, answer = multiprocessing.Event(), multiprocessing.Queue()
            process = multiprocessing.Process(target=insert, args=(path, stop, answer))
            process.start()
            asked, began = [], time.time()
            while time.time() - began < options.seconds:
                start = time.perf_counter()
                pending = db.execute('SELECT pending FROM s(?, 10)', (QUESTIONS[len(asked) % len(QUESTIONS)],)).fetchone()
                asked.append(1e3 * (time.perf_counter() - start))
                time.sleep(0.002)
            stop.set()
            waits = answer.get()
            process.join()
            print(f'{mode}: {len(asked)} questions, median {statistics.median(asked):.1f} ms, longest {max(asked):.1f}; {pending[0]} changes wait still; '
                  f'{len(waits)} inserts waited {statistics.median(waits):.2f} ms, 99 % below {waits[int(len(waits) * .99)]:.1f}, '
                  f'longest {waits[-1]:.1f}; {sum(wait > 50 for wait in waits)} above 50 ms', flush=True)


def tenants():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/t.db'
        db = make(path, 5000)
        db.execute('BEGIN')
        for tenant in range(1000):
            db.execute(f'CREATE TABLE t{tenant}(id INTEGER PRIMARY KEY, body TEXT)')
            db.execute(f'INSERT INTO t{tenant}(body) SELECT body FROM docs WHERE id > ? LIMIT 20', (tenant * 4,))
            db.execute(f'CREATE VIRTUAL TABLE s{tenant} USING s2v_index(t{tenant}, body, model = docs)')
        db.execute('COMMIT')
        db.close()
        began = time.perf_counter()
        db = connect(path)
        db.execute('SELECT count(*) FROM sqlite_schema').fetchone()
        print(f'opened in {1e3 * (time.perf_counter() - began):.1f} ms, {os.path.getsize(path) / 1e6:.0f} MB')
        for name in ('first', 'second'):
            asked = []
            for tenant in range(1000):
                start = time.perf_counter()
                db.execute(f'SELECT rowid FROM s{tenant}(?, 5)', (QUESTIONS[tenant % len(QUESTIONS)],)).fetchall()
                asked.append(1e3 * (time.perf_counter() - start))
            print(f'{name} question to each: median {statistics.median(asked):.2f} ms, longest {max(asked):.2f}; '
                  f'memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB')


def ask(path, seconds, answer):
    db = connect(path)
    done, began = 0, time.time()
    while time.time() - began < seconds:
        db.execute('SELECT rowid FROM s(?, 10)', (QUESTIONS[done % len(QUESTIONS)],)).fetchall()
        done += 1
    answer.put(done / seconds)


def readers():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/r.db'
        make(path, options.rows or 200000).close()
        for count in (1, 16):
            answer = multiprocessing.Queue()
            processes = [multiprocessing.Process(target=ask, args=(path, options.seconds, answer)) for _ in range(count)]
            for process in processes:
                process.start()
            rates = [answer.get() for _ in processes]
            for process in processes:
                process.join()
            print(f'{count} processes on {os.cpu_count()} processors: {sum(rates):.0f} questions/s', flush=True)


{'writer': writer, 'tenants': tenants, 'readers': readers}[options.what]()
