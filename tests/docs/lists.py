#!/usr/bin/env python3
"""What the pages list is what there is: lists.py EXTENSION PROGRAM, in the project's folder.

Functions, tables, formats, options, languages and commands are asked of the built extension and program; a page that lacks one, or
names one that does not exist, is printed, with exit code 1. So is a link to a section that its page does not have.
"""
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

INNOCUOUS = 0x200000
status = 0


def text_of(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def first_cells(page):
    """What stands in backticks in the first cells of the tables of a page."""
    rows = re.findall(r"^\| (.*?) \|", text_of(page), flags=re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row)]


def compare(where, listed, there):
    global status
    for name in sorted(set(there) - set(listed)):
        print(f"{where}: {name} is missing")
        status = 1
    for name in sorted(set(listed) - set(there)):
        print(f"{where}: {name} does not exist")
        status = 1
    if not there:
        print(f"{where}: there is nothing to compare with")
        status = 1


def sections(page):
    """The anchors of a page's headings; lines of examples are none."""
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def check_sections(page):
    global status
    for link, section in re.findall(r"\]\(([^)#: ]*)#([^)]+)\)", text_of(page)):
        if section not in sections(page.parent / link if link else page):
            print(f"{page}: no section {link}#{section}")
            status = 1


def s2v_names(page):
    return {match[1] for code in first_cells(page) if (match := re.match(r"(s2v_\w+)", code))}


def forms(page, name):
    """The numbers of arguments with which a page shows a function."""
    calls = [match[1] for code in first_cells(page) if (match := re.fullmatch(name + r"\((.*)\)", code))]
    return {len(call.split(",")) if call.strip() else 0 for call in calls}


def error_of(db, sql):
    try:
        db.execute(sql).fetchall()
    except sqlite3.Error as error:
        return str(error)
    return ""


def known_names(message):
    """Of "no format 'x'; there are a, b"."""
    return re.split(r", ", message.partition("; there are ")[2])


def main(extension, program):
    db = sqlite3.connect(":memory:")
    db.enable_load_extension(True)
    db.load_extension(extension)

    functions = db.execute("SELECT name, narg, flags FROM pragma_function_list WHERE name GLOB 's2v_*'").fetchall()
    names = {name for name, _, _ in functions}
    tables = {name for (name,) in db.execute("SELECT name FROM pragma_module_list WHERE name GLOB 's2v_*'")}
    compare("README.md, the table of functions", s2v_names("README.md"), names | tables)
    compare("docs/sql.md", s2v_names("docs/sql.md"), names | tables - {"s2v_index"})
    for name in sorted(names - {"s2v_snippet", "s2v_highlight"}):  # whose arguments are left out from the end
        compare(f"docs/sql.md, numbers of arguments of {name}", map(str, forms("docs/sql.md", name)),
                {str(count) for of, count, _ in functions if of == name})
    exceptions = re.search(r"for SQL that the application runs itself: (.*?)\.\s+The others are innocuous", text_of("docs/sql.md"), flags=re.DOTALL)
    compare("docs/sql.md, what is not innocuous", re.findall(r"`(\w+)`", exceptions[1]),
            {name for name, _, flags in functions if not flags & INNOCUOUS})

    formats = known_names(error_of(db, """SELECT s2v_import('x', 'm', '{"format":"?"}')"""))
    table = text_of("docs/import-export.md").split("| `--format` | files |")[1].split("\n\n")[0]
    compare("docs/import-export.md, formats", re.findall(r"^\| `(\w+)`", table, flags=re.MULTILINE), set(formats) - {"auto"})
    compare("docs/command-line.md, formats of import",
            re.search(r"s2v import .*?--format ([\w\\|]+)", text_of("docs/command-line.md"))[1].split(r"\|"), formats)

    db.execute("CREATE TABLE docs(id INTEGER PRIMARY KEY, body)")
    db.execute("INSERT INTO docs(body) VALUES('red fox'), ('red sea')")
    tokenizers = known_names(error_of(db, """SELECT s2v_train('docs', 'body', '{"tokenizer":"?"}')"""))
    languages = re.search(r"Languages with stems: (.*?)\.", text_of("docs/languages.md"), flags=re.DOTALL)[1]
    compare("docs/languages.md, languages with stems", re.findall(r"\w+", languages.lower().replace("and\n", "")),
            set(tokenizers[tokenizers.index("neutral") + 1:]) - {"html", "markdown", "json"} | {"english"})

    without = re.search(r"Yiddish\. (.*?)are known by their common words", text_of("docs/languages.md"), flags=re.DOTALL)[1]
    compare("docs/languages.md, languages without stems", set(re.findall(r"\w+", without.lower())) - {"and"},
            re.findall(r'^    {"(\w+)", Script::\w+, false', text_of("core/text/languages.cc"), flags=re.MULTILINE))

    options = error_of(db, "CREATE VIRTUAL TABLE x USING s2v_index(docs, body, x = 1)")
    compare("docs/search.md, options of s2v_index",
            {match[1] for code in first_cells("docs/search.md") if (match := re.search(r"(?:^|, )(\w+) = ", code))},
            known_names(options))

    commands = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  (\w+) {2,}", commands.split("Subcommands:")[1], flags=re.MULTILINE)
    compare("docs/command-line.md, commands", re.findall(r"^\| `s2v (\w+)", text_of("docs/command-line.md"), flags=re.MULTILINE),
            commands)
    presets = subprocess.run([program, "train", "--help"], capture_output=True, text=True, check=True).stdout
    presets = re.search(r"--preset.*?\((.*?)\)", presets, flags=re.DOTALL)[1]
    table = text_of("docs/parameters.md").split("| preset |")[1].split("\n\n")[0]
    compare("docs/parameters.md, presets", re.findall(r"^\| `?([\w-]+)`? \|", table, flags=re.MULTILINE)[0:],
            re.split(r",\s+", presets))

    for page in [Path("README.md"), *Path("docs").glob("*.md")]:
        check_sections(page)

    scripts = re.findall(r"^\| ([\w, ]+) \|", text_of("tests/sql_scripts/README.md").split("| script | shows |")[1], flags=re.MULTILINE)
    compare("tests/sql_scripts/README.md", ", ".join(scripts).split(", "), {path.stem for path in Path("tests/sql_scripts").glob("*.sql")})
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
