#!/usr/bin/env bash
# A reverse dictionary in one command: describe a word, get the word.
#
#   ./examples/quickstart.sh
#
# Installs the Debian packages that are missing, builds build/s2v.so and build/s2v, reads the 117,659 entries of
# WordNet into dictionary.db, trains a model on their glosses, makes an index that finds them by meaning and by
# words, and asks three questions through the stock sqlite3 shell.
#
# Can be run again, also after an interruption: each step is left out where its result is there. To begin
# from nothing, delete dictionary.db. S2V_QUICKSTART_DB=path puts the database elsewhere; a database that
# this script did not make is never touched.
set -eu -o pipefail
database=dictionary.db
[ -z "${S2V_QUICKSTART_DB:-}" ] || database=$(realpath -m "$S2V_QUICKSTART_DB")
cd "$(dirname "$0")/.."
. examples/setup.sh

wordnet=/usr/share/wordnet
mark=1395807825  # PRAGMA application_id of our database: 'S2VQ'

# sql OPTION... STATEMENT: in the stock shell, without anyone's .sqliterc; stops at the first error
sql() { sqlite3 -batch -bail -init /dev/null "${@:1:$#-1}" "$database" "${@: -1}"; }
s2v_sql() { sql -cmd '.load ./build/s2v' "$@"; }

# show_sql TEXT: prints it, a line below the other, as it is about to run
show_sql() { printf '%s\n' "$1" | sed 's/^/   /'; }

check_database() {
  [ -s "$database" ] || return 0
  local found
  found=$(sql "SELECT application_id FROM pragma_application_id" 2>&1) || found="not a database"
  [ "$found" = $mark ] && return 0
  [ "$found" = 0 ] && [ "$(sql 'SELECT count(*) FROM sqlite_schema')" = 0 ] && return 0
  stop "$database is there, and this script did not make it." \
    'Name another file: S2V_QUICKSTART_DB=/tmp/dictionary.db ./examples/quickstart.sh'
}

read_wordnet() {
  if [ "$(sql "SELECT count(*) FROM sqlite_schema WHERE name = 'dictionary'")" = 1 ]; then
    say 'The table dictionary is there already.'
    return
  fi
  [ -r $wordnet/data.noun ] || stop "$wordnet/data.noun is missing; it comes with the package wordnet-base."
  local statements="BEGIN;
CREATE TABLE dictionary(synset TEXT PRIMARY KEY, pos TEXT, words TEXT, gloss TEXT);
.import --ascii \"|awk -f examples/wordnet.awk $wordnet/data.*\" dictionary
COMMIT;"
  show_sql "$statements"
  printf '%s\n' "PRAGMA application_id = $mark;" "$statements" |
    sqlite3 -batch -bail -init /dev/null "$database"
  local rows
  rows=$(sql 'SELECT count(*) FROM dictionary')
  if [ "$rows" -eq 0 ]; then
    sql 'DROP TABLE dictionary'
    stop "no entry was read from $wordnet/data.*"
  fi
  say "$rows entries."
}

trained_now=no

train() {
  if [ "$(s2v_sql "SELECT count(*) FROM s2v_models WHERE name = 'dictionary'")" = 1 ]; then
    say 'The model is there already.'
    return
  fi
  local -a command=(build/s2v train "$database" --table dictionary --column gloss)
  say "\$ ${command[*]}"
  # Its progress line comes on standard error, where that is a terminal.
  "${command[@]}" </dev/null | sed 's/^/   /'
  trained_now=yes
}

make_index() {
  if [ "$(sql "SELECT count(*) FROM sqlite_schema WHERE name = 'dictionary_search'")" = 0 ]; then
    local statement='CREATE VIRTUAL TABLE dictionary_search USING s2v_index(dictionary, gloss);'
  elif [ $trained_now = yes ]; then
    local statement="INSERT INTO dictionary_search(dictionary_search) VALUES('rebuild');"
  else
    say 'The index is there already.'
    return
  fi
  show_sql "$statement"
  s2v_sql "$statement"
  build/s2v index show "$database" | sed 's/^/   /'
}

ask() {
  local query="SELECT d.words, d.gloss, round(s.score, 2) AS score FROM dictionary_search('$1', 5) AS s
JOIN dictionary AS d ON d.rowid = s.rowid ORDER BY s.score DESC;"
  printf '\n   Question: %s\n\n' "$1"
  show_sql "$query"
  s2v_sql -cmd '.mode box --wrap 46 --wordwrap on' "$query"
}

echo "Quickstart of sqlite-s2v: a reverse dictionary in $database"
start_step 'Debian packages'
# shellcheck disable=SC2086  # a list
install_packages $BUILD_PACKAGES wordnet-base
check_database
start_step 'Build build/s2v.so and build/s2v (a minute, the first time)'
build_targets s2v_extension s2v
start_step "Read WordNet into $database"
read_wordnet
start_step 'Train a model on the column gloss'
train
start_step 'Make an index that finds glosses by meaning and by words'
make_index
start_step 'Ask'
ask 'a person who repairs shoes'
ask 'fear of being in closed spaces'
ask 'a device for measuring temperature'

cat <<END

Done in $SECONDS s. To go on by hand:

   sqlite3 -cmd '.load ./build/s2v' -cmd '.mode box --wrap 60' $(printf %q "$database")

   SELECT d.words, d.gloss, s.score FROM dictionary_search('unable to sleep', 5) AS s
   JOIN dictionary AS d ON d.rowid = s.rowid;

   SELECT name, dim, words, tokens, parameters FROM s2v_models;

Or from the terminal:

   build/s2v search $(printf %q "$database") dictionary_search 'unable to sleep' --columns words,gloss

Model and index are in $database itself: copy that file and build/s2v.so, nothing else is needed. The index follows
whatever is written to the table. README.md shows your own table; docs/ is the manual; build/s2v --help the program.
END
