#!/usr/bin/env python3
"""A model and an index travel with what copies SQLite's files: replication_test.py SHELL EXTENSION [TEST...]

Each test makes a copy while other processes write to the database, then asks of the copy: is the file whole, does the
index say what its table says, are its answers those of an index made new, is every row of the models there.
Needs a Python whose sqlite3 module loads extensions (else skipped: 77). What else is missing is said and left out:
sqlite3_rsync (S2V_SQLITE3_RSYNC names it), a libsqlite3 with the session extension.
"""
import contextlib, ctypes, ctypes.util, os, random, shutil, sqlite3, subprocess, sys, tempfile, time

if not hasattr(sqlite3.Connection, 'enable_load_extension'):
    if os.access('/usr/bin/python3', os.X_OK) and sys.executable != '/usr/bin/python3':
        os.execv('/usr/bin/python3', ['/usr/bin/python3', *sys.argv])
    print('skipped: the sqlite3 module of this Python loads no extensions')
    sys.exit(77)
SHELL, EXTENSION = sys.argv[1], os.path.splitext(os.path.abspath(sys.argv[2]))[0]
SETUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../docs/setup.sql')
QUESTIONS = ['early snow in the mountains', 'which lenders follow the key rate?', 'a late goal decides the final',
             'bread with butter and red wine', 'das Parlament beschließt', 'rain on the coast and roast chicken']
SMALL = '{"dimension": 32, "epochs": 3, "workers": 1%s}'


def connect(path, extension=True):
    db = sqlite3.connect(path, timeout=60, isolation_level=None, uri=True)
    if extension:
        db.enable_load_extension(True)
        db.load_extension(EXTENSION)
    return db


def command(db, word, index='docs_search'):
    db.execute(f'INSERT INTO {index}({index}) VALUES(?)', (word,))


def answers(db, index):
    return [[(rowid, round(score, 6)) for rowid, score in
             db.execute(f'SELECT rowid, score FROM {index}(?, 10, ?) ORDER BY score DESC, rowid', (question, ranking))]
            for question in QUESTIONS for ranking in ('both', 'meaning', 'words')]


def check_copy(path, rebuilt=False):
    """The copy is whole, and answers as an index made new does."""
    with contextlib.closing(connect(path)) as db:
        assert db.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
        command(db, 'integrity-check')
        for name, words in db.execute('SELECT name, words FROM s2v_models').fetchall():
            assert db.execute('SELECT count(*) FROM s2v_words(?)', (name,)).fetchone() == (words,)
        assert (db.execute('SELECT s2v_model_hash()').fetchone() == MODEL) != rebuilt
        command(db, 'optimize')  # takes out what REPLACE has removed unseen, which else counts when words are weighed
        db.execute("UPDATE docs SET body = body || ' and later' WHERE id % 40 = 3")
        before = answers(db, 'docs_search')
        command(db, 'sync')
        after = answers(db, 'docs_search')
        db.execute('CREATE VIRTUAL TABLE fresh USING s2v_index(docs, body)')
        # Vectors in the index are rounded, those of rows in the log are not; and by meaning, of ten rows one that is
        # hardly better than the next may be missed.
        for waiting, taken, fresh in zip(before, after, answers(db, 'fresh')):
            assert 0 < len(waiting) == len(taken) == len(fresh)
            for other, most in (waiting, 0.002), (fresh, 0.02):
                assert all(abs(a - b) < most for (_, a), (_, b) in zip(other, taken)), (other, taken)
        assert answers(db, 'fresh')[2::3] == after[2::3]  # by words
        db.execute('DROP TABLE fresh')
        return db.execute('SELECT count(*), total(id) FROM docs').fetchone()


# ---- other processes, begun with start() ----

def until_stopped(path):
    """At least once; not beyond the test's own end."""
    parent = os.getppid()
    yield
    while not os.path.exists(path + '.stop') and os.getppid() == parent:
        yield


def write(path):
    """A program without the extension. One row has the word zyxomma, whenever one looks."""
    db = connect(path, extension=False)
    db.execute('PRAGMA wal_autocheckpoint = 100')
    rng = random.Random(1)
    for _ in until_stopped(path):
        bodies = [body for body, in db.execute("SELECT body FROM docs WHERE title IS NOT 'the mark' ORDER BY random() LIMIT 3")]
        db.execute('BEGIN IMMEDIATE')
        db.execute('INSERT OR REPLACE INTO docs(id, body) VALUES(?, ?)', (rng.randrange(1, 2000), bodies[0] + ' ' + bodies[1]))
        db.execute('UPDATE docs SET body = ? WHERE id % 97 = ?', (bodies[2], rng.randrange(97)))
        db.execute('DELETE FROM docs WHERE id % 199 = ?', (rng.randrange(199),))
        db.execute("DELETE FROM docs WHERE title = 'the mark'")  # the row with the word is a new one each time
        db.execute("INSERT INTO docs(title, body) VALUES('the mark', 'zyxomma ' || ?)", (bodies[0],))
        db.execute('COMMIT')
        time.sleep(0.002)


def maintain(path):
    """A program that takes the log in, and trains another model again and again."""
    db = connect(path)
    for _ in until_stopped(path):
        command(db, 'sync')
        db.execute("SELECT s2v_train('docs', 'body', ?)", (SMALL % ', "model": "other"',)).fetchone()
        command(db, random.choice(['optimize', 'rebuild']))


def read(path):
    """Asks, and finds what the table says in the same transaction."""
    db = connect(path)
    for _ in range(30):
        db.execute('BEGIN')
        mark = db.execute("SELECT id FROM docs WHERE title = 'the mark'").fetchall()
        assert len(mark) == 1 and db.execute("SELECT rowid FROM docs_search('zyxomma', 3, 'words')").fetchall() == mark
        rows = db.execute('SELECT s.rowid, d.id FROM docs_search(?, 20) AS s LEFT JOIN docs AS d ON d.id = s.rowid',
                          (random.choice(QUESTIONS),)).fetchall()
        assert len(rows) == 20 and all(rowid == there for rowid, there in rows)
        db.execute('COMMIT')


def start(role, path):
    return subprocess.Popen([sys.executable, os.path.abspath(__file__), SHELL, EXTENSION + '.so', role.__name__, path])


def stop(path):
    open(path + '.stop', 'w').close()


@contextlib.contextmanager
def written_to(path):
    """Two processes write meanwhile, until stop() or the end; both succeed."""
    processes = [start(write, path), start(maintain, path)]
    with contextlib.closing(connect(path, extension=False)) as db:
        while db.execute("SELECT count(*) FROM docs WHERE title = 'the mark'").fetchone() == (0,) and processes[0].poll() is None:
            time.sleep(0.01)
    try:
        yield
        assert all(process.poll() is None for process in processes) or os.path.exists(path + '.stop')
    finally:
        stop(path)
    assert [process.wait() for process in processes] == [0, 0]


# ---- the tests ----

def copies_of_a_file_that_is_written_to(source):
    """.backup, VACUUM INTO, .dump, sqlite3_rsync."""
    rsync = os.environ.get('S2V_SQLITE3_RSYNC') or shutil.which('sqlite3_rsync')
    shell = [SHELL, '-batch', '-bail', '-init', '/dev/null', '-cmd', '.timeout 60000']
    copies = ['shell.db', 'steps.db', 'whole.db', 'vacuumed.db', 'dumped.db']
    with written_to(source), contextlib.closing(connect(source, extension=False)) as db:
        with contextlib.closing(sqlite3.connect('whole.db')) as copy:
            db.backup(copy)
        db.execute("VACUUM INTO 'vacuumed.db'")
        text = subprocess.run([*shell, source, '.dump'], check=True, capture_output=True).stdout
        if rsync:
            shutil.copy('../made.db', 'replica.db')
            for copy in ('replica.db', 'new.db'):
                subprocess.run([rsync, source, copy], check=True)
                copies.append(copy)
        # A backup in steps begins again whenever another process has written, so it ends when that pauses.
        by_shell = subprocess.Popen([*shell, source, '.backup shell.db'])
        steps = []
        def after_a_step(status, left, pages):
            steps.append(left)
            if len(steps) == 100:
                stop(source)
        with contextlib.closing(sqlite3.connect('steps.db')) as copy:
            db.backup(copy, pages=7, sleep=0.001, progress=after_a_step)
        stop(source)
        assert by_shell.wait() == 0
    subprocess.run([*shell, '-cmd', '.dbconfig defensive off', 'dumped.db'], check=True, input=text, stdout=subprocess.DEVNULL)
    for copy in copies:
        check_copy(copy)
    return None if rsync else 'all but sqlite3_rsync, which is not there'


def a_backup_by_the_connection_that_writes(source):
    with contextlib.closing(connect(source)) as db, contextlib.closing(sqlite3.connect('own.db')) as copy:
        def between_steps(status, left, all_pages):
            db.execute('UPDATE docs SET body = body || ? WHERE id % 50 = ?', (' and snow', left % 50))
            command(db, 'sync')
        db.backup(copy, pages=20, progress=between_steps)
        here = db.execute('SELECT count(*), total(id) FROM docs').fetchone()
    assert check_copy('own.db') == here


def the_log_of_writes_is_shipped(source):
    """As Litestream works: a read transaction keeps the log from being begun anew; the file is copied while others write
    and checkpoint; then the log's bytes as they come. Any beginning of them is a state that there was."""
    reader = connect(source, extension=False)
    reader.execute('PRAGMA user_version = 1')  # the log is not empty
    reader.execute('BEGIN')
    reader.execute('SELECT count(*) FROM sqlite_schema').fetchone()
    lengths = []
    with written_to(source):
        with open(source, 'rb') as file, open('shipped.db', 'wb') as copy:
            while piece := file.read(4096 * 8):
                copy.write(piece)
                time.sleep(0.001)
        shipped = open('shipped.wal', 'wb')
        log = open(source + '-wal', 'rb')
        while shipped.tell() < 3 * 2**20:
            shipped.write(log.read(65536))
            lengths.append(shipped.tell())
            time.sleep(0.01)
    shipped.write(log.read())
    shipped.close()
    log = open('shipped.wal', 'rb').read()
    states = set()
    for length in [*random.Random(1).sample(lengths[2:], 5), len(log)]:
        shutil.copy('shipped.db', 'restored.db')
        with open('restored.db-wal', 'wb') as copy:
            copy.write(log[:length])  # may end within a transaction, which is not there then
        states.add(check_copy('restored.db'))
    assert len(states) > 1
    assert check_copy('restored.db') == connect(source).execute('SELECT count(*), total(id) FROM docs').fetchone()


def many_processes_read_while_others_write(source):
    with written_to(source):
        readers = [start(read, source) for _ in range(6)]
        assert [process.wait() for process in readers] == [0] * 6
    check_copy(source)


def a_replica_is_read_without_being_written(source):
    """With many rows in the log a search takes them in, unless the connection only reads."""
    with contextlib.closing(connect(source, extension=False)) as db:
        db.execute("UPDATE docs SET body = body || ' at noon'")
        db.execute('PRAGMA journal_mode = delete')
    before = open(source, 'rb').read()
    with contextlib.closing(connect(f'file:{source}?mode=ro')) as db:
        assert all(answers(db, 'docs_search'))
    assert open(source, 'rb').read() == before
    check_copy(source)
    assert open(source, 'rb').read() != before


# ---- changesets ----

class Session:
    """A connection of libsqlite3 itself: Python's module has no sessions."""
    library = None
    FILTER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
    CONFLICT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)

    def __init__(self, path, extension=False, triggers=True):
        self.db = ctypes.c_void_p()
        self.call('sqlite3_open', path.encode(), ctypes.byref(self.db))
        if extension:
            self.call('sqlite3_enable_load_extension', self.db, 1)
            self.call('sqlite3_load_extension', self.db, EXTENSION.encode(), None, None)
        if not triggers:
            self.call('sqlite3_db_config', self.db, 1003, 0, None)  # SQLITE_DBCONFIG_ENABLE_TRIGGER

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        assert code == 0, f'{name}: {code} {self.message()}'

    def message(self):
        self.library.sqlite3_errmsg.restype = ctypes.c_char_p
        return self.library.sqlite3_errmsg(self.db)

    def run(self, sql):
        self.call('sqlite3_exec', self.db, sql.encode(), None, None, None)

    def changes(self, sql, tables=(None,)):
        """The changeset of what the SQL does to these tables; None: to all."""
        session, size, bytes_ = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_void_p()
        self.call('sqlite3session_create', self.db, b'main', ctypes.byref(session))
        for table in tables:
            self.call('sqlite3session_attach', session, table)
        self.run(sql)
        self.call('sqlite3session_changeset', session, ctypes.byref(size), ctypes.byref(bytes_))
        self.library.sqlite3session_delete(session)
        changeset = ctypes.string_at(bytes_, size.value)
        self.library.sqlite3_free(bytes_)
        return changeset

    def apply(self, changeset, takes=lambda table: True):
        """How many conflicts there were; a change that meets one is left out."""
        conflicts = []
        self.call('sqlite3changeset_apply', self.db, len(changeset), changeset,
                  self.FILTER(lambda _, table: takes(table.decode())),
                  self.CONFLICT(lambda _, kind, change: conflicts.append(kind) or 0), None)
        return len(conflicts)

    def close(self):
        self.call('sqlite3_close', self.db)


def find_sessions():
    name = ctypes.util.find_library('sqlite3')
    library = ctypes.CDLL(name) if name else None
    if library is None or not hasattr(library, 'sqlite3session_create'):
        return 'left out: there is no libsqlite3 with the session extension'
    library.sqlite3session_delete.restype = None
    library.sqlite3_free.restype = None
    library.sqlite3_close.argtypes = [ctypes.c_void_p]
    library.sqlite3changeset_apply.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, Session.FILTER, Session.CONFLICT, ctypes.c_void_p]
    Session.library = library
    return None


CHANGES = """
INSERT INTO docs(title, body) VALUES('new', 'early snow covers the bread of the lenders'), ('newer', 'das Parlament kocht Suppe');
UPDATE docs SET body = 'a late goal in early snow' WHERE id % 60 = 7;
UPDATE docs SET id = id + 100000 WHERE id % 90 = 11;
DELETE FROM docs WHERE id % 70 = 3;
REPLACE INTO docs(title, body) SELECT title, body || ' again' FROM docs WHERE id % 80 = 5;
INSERT INTO docs(title, body) SELECT title, body FROM docs WHERE id % 110 = 2 ON CONFLICT(title) DO UPDATE SET body = 'upserted rain';
"""


def a_changeset_of_the_table_alone(source):
    """The second database's own triggers keep its own index in step."""
    if missing := find_sessions():
        return missing
    shutil.copy(source, 'second.db')
    with contextlib.closing(connect('second.db')) as db:
        command(db, 'rebuild')  # has lists, codes and a seed of its own
    for sql in (CHANGES, 'DELETE FROM docs WHERE id % 9 = 1;' + CHANGES.replace("'new", "'newest ")):
        here, there = Session(source), Session('second.db')
        assert there.apply(here.changes(sql, [b'docs'])) == 0
        here.close()
        there.close()
        assert check_copy('second.db') == check_copy(source)


def a_changeset_of_everything_is_applied_without_triggers(source):
    """Else each change would come twice: by the changeset and by the triggers."""
    if missing := find_sessions():
        return missing
    for name, triggers, takes in (('without.db', False, lambda table: True),
                                  ('filtered.db', True, lambda table: not table.startswith('docs_search_')),
                                  ('doubled.db', True, lambda table: True)):
        shutil.copy(source, 'first.db')
        shutil.copy(source, name)
        here, there = Session('first.db', extension=True), Session(name, triggers=triggers)
        changeset = here.changes(CHANGES + "INSERT INTO docs_search(docs_search) VALUES('sync');" + CHANGES.replace("'new", "'newest "))
        conflicts = there.apply(changeset, takes)
        here.close()
        there.close()
        if name == 'doubled.db':
            assert conflicts > 0  # which tells that the triggers wrote as well
        else:
            assert conflicts == 0
            assert check_copy(name) == check_copy('first.db')


def a_changeset_of_a_new_model(source):
    """The rows of models are like any: where they have come, the index is rebuilt."""
    if missing := find_sessions():
        return missing
    shutil.copy(source, 'second.db')
    here, there = Session(source, extension=True), Session('second.db')
    tables = [b's2v_model', b's2v_word', b's2v_ngram', b's2v_target', b's2v_directory']
    changeset = here.changes("SELECT s2v_train('docs', 'body', '%s')" % (SMALL % ', "seed": 5'), tables)
    assert there.apply(changeset) == 0
    here.close()
    there.close()
    for path in ('second.db', source):
        with contextlib.closing(connect(path)) as db:
            try:
                answers(db, 'docs_search')
                raise AssertionError('an index of a model that is gone was asked')
            except sqlite3.OperationalError as error:
                assert 'model that is gone' in str(error)
            command(db, 'rebuild')
    assert check_copy('second.db', rebuilt=True) == check_copy(source, rebuilt=True)


TESTS = [copies_of_a_file_that_is_written_to, a_backup_by_the_connection_that_writes, the_log_of_writes_is_shipped,
         many_processes_read_while_others_write, a_replica_is_read_without_being_written, a_changeset_of_the_table_alone,
         a_changeset_of_everything_is_applied_without_triggers, a_changeset_of_a_new_model]


def make(path):
    db = connect(path)
    db.execute('PRAGMA journal_mode = wal')
    db.executescript(open(SETUP).read() + 'CREATE UNIQUE INDEX docs_title ON docs(title);')
    db.execute("SELECT s2v_train('docs', 'body', ?)", (SMALL % '',)).fetchone()
    db.execute('CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body)')
    db.execute('DELETE FROM docs WHERE id % 7 = 0')
    command(db, 'sync')
    db.execute("UPDATE docs SET body = 'rain and ' || body WHERE id % 31 = 0")  # waits in the log
    model = db.execute('SELECT s2v_model_hash()').fetchone()
    db.close()
    return model


if sys.argv[3:] and sys.argv[3] in ('write', 'maintain', 'read'):
    globals()[sys.argv[3]](*sys.argv[4:])
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    MODEL = make('made.db')
    for test in TESTS:
        if sys.argv[3:] and test.__name__ not in sys.argv[3:]:
            continue
        began = time.monotonic()
        os.mkdir(test.__name__)
        os.chdir(test.__name__)
        shutil.copy('../made.db', 'source.db')
        said = test(os.path.abspath('source.db'))
        os.chdir(folder)
        print(f'{test.__name__}: {time.monotonic() - began:.1f} s' + (f'; {said}' if said else ''), flush=True)
