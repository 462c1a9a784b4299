"""Sentence embeddings and search inside SQLite.

    import sqlite3, sqlite_s2v

    db = sqlite3.connect("news.db")
    sqlite_s2v.load(db)
    db.execute("SELECT s2v_train('docs', 'body')")

The command line: python -m sqlite_s2v --help
"""
import os
import sqlite3

__all__ = ["load", "loadable_path"]
_FOLDER = os.path.dirname(os.path.abspath(__file__))


def loadable_path():
    """The path of the extension, as sqlite3.Connection.load_extension takes it."""
    return os.path.join(_FOLDER, "s2v.dll" if os.name == "nt" else "s2v.so")


def load(connection):
    """Gives a connection the functions and tables of s2v. Whether it may load others stays as it is."""
    if not hasattr(connection, "enable_load_extension"):
        raise RuntimeError("the sqlite3 module of this Python was built without enable_load_extension: "
                           "use a Python that has it, such as Debian's /usr/bin/python3")
    try:
        connection.load_extension(loadable_path())
    except sqlite3.OperationalError as error:
        if "not authorized" not in str(error):
            raise
        connection.enable_load_extension(True)
        try:
            connection.load_extension(loadable_path())
        finally:
            connection.enable_load_extension(False)
