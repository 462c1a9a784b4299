#!/usr/bin/env python3
"""An index under load by several processes: index_load.py writer|tenants|readers EXTENSION CORPUS

writer    A program without the extension inserts, beside another that asks while a million rows wait in the log (--rows): how long
          an insert waits, in both journal modes. With busy_timeout 0 it tries again each half millisecond.
tenants   Many small indexes in one file (--tenants), then as many FTS5 tables: making them, in one transaction and each in its own,
          opening the file, the first and second question to each in one connection, memory. Processor time.
readers   Questions/s of 16 processes against those of one.

Needs a Python whose sqlite3 module loads extensions. Prints, asserts nothing.
"""
import argparse, ctypes, multiprocessing, os, shutil, sqlite3, statistics, tempfile, time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('what', choices=['writer', 'tenants', 'readers'])
parser.add_argument('extension')
parser.add_argument('corpus', help='a sentence a line')
parser.add_argument('--rows', type=int, default=0, help='default: 1,000,000 that wait; 200,000 for readers')
parser.add_argument('--tenants', type=int, default=1000)
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


class Mallinfo(ctypes.Structure):  # of glibc from 2.33 on
    _fields_ = [(name, ctypes.c_size_t) for name in ('arena', 'ordblks', 'smblks', 'hblks', 'hblkhd', 'usmblks', 'fsmblks', 'uordblks', 'fordblks', 'keepcost')]


def memory():
    """MB that C programs have taken and not given back: what the system counts also has what they gave back."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo
    used = mallinfo()
    return (used.uordblks + used.hblkhd) / 1e6


def tenants_of(base, path, kind, transaction):
    shutil.copy(base, path)
    db = connect(path)
    db.execute('PRAGMA synchronous = OFF')
    began = time.process_time()
    if transaction == 'one':
        db.execute('BEGIN')
    for tenant in range(options.tenants):
        if transaction == 'each':
            db.execute('BEGIN')
        db.execute(f'CREATE TABLE t{tenant}(id INTEGER PRIMARY KEY, body TEXT)')
        db.execute(f'INSERT INTO t{tenant}(body) SELECT body FROM docs WHERE id > ? LIMIT 20', (tenant * 4,))
        if kind == 's2v_index':
            db.execute(f'CREATE VIRTUAL TABLE s{tenant} USING s2v_index(t{tenant}, body, model = docs)')
        else:
            db.execute(f'CREATE VIRTUAL TABLE s{tenant} USING fts5(body, content=t{tenant}, content_rowid=id)')
            db.execute(f"INSERT INTO s{tenant}(s{tenant}) VALUES('rebuild')")
        if transaction == 'each':
            db.execute('COMMIT')
    if transaction == 'one':
        db.execute('COMMIT')
    print(f'{options.tenants} of {kind} made, transaction: {transaction}: {time.process_time() - began:.2f} s', flush=True)


def tenants():
    with tempfile.TemporaryDirectory() as folder:
        base, path = folder + '/base.db', folder + '/t.db'
        make(base, 5000, 'delete').close()
        for kind in ('s2v_index', 'fts5'):
            for transaction in ('one', 'each'):  # by other processes, whose memory goes with them
                maker = multiprocessing.Process(target=tenants_of, args=(base, path, kind, transaction))
                maker.start()
                maker.join()
            used = memory()
            db = connect(path)
            began = time.process_time()
            db.execute('SELECT count(*) FROM sqlite_schema').fetchone()
            print(f'opened in {1e3 * (time.process_time() - began):.1f} ms, {os.path.getsize(path) / 1e6:.0f} MB')
            for name in ('first', 'second'):
                asked, whole = [], time.process_time()
                for tenant in range(options.tenants):
                    question = QUESTIONS[tenant % len(QUESTIONS)]
                    start = time.process_time()
                    if kind == 's2v_index':
                        db.execute(f'SELECT rowid FROM s{tenant}(?, 5)', (question,)).fetchall()
                    else:
                        words = ' OR '.join('"' + word.replace('"', '') + '"' for word in question.split())
                        db.execute(f'SELECT rowid FROM s{tenant}(?) ORDER BY rank LIMIT 5', (words,)).fetchall()
                    asked.append(1e3 * (time.process_time() - start))
                print(f'{name} question to each: {asked[0]:.2f} ms, of the others median {statistics.median(asked[1:]):.2f}, '
                      f'longest {max(asked[1:]):.2f}, all {time.process_time() - whole:.2f} s; memory {memory() - used:.1f} MB', flush=True)
            db.close()


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
