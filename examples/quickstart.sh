#!/usr/bin/env bash
# A reverse dictionary in one command: describe a word, get the word.
#
#   ./examples/quickstart.sh
#
# Installs the Debian packages that are missing, builds build/s2v.so and build/s2v, reads the 117,659 entries of
# WordNet into dictionary.db, trains a model on their glosses, stores an embedding for each gloss, and asks
# three questions through the stock sqlite3 shell.
#
# Can be run again, also after an interruption: each step is left out where its result is there. To begin
# from nothing, delete dictionary.db. S2V_QUICKSTART_DB=path puts the database elsewhere; a database that
# this script did not make is never touched.
set -eu -o pipefail
cd "$(dirname "$0")/.."
. examples/setup.sh

database=${S2V_QUICKSTART_DB:-dictionary.db}
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

embed() {
  local statements='UPDATE dictionary SET embedding = s2v_embed(gloss);'
  if [ "$(sql "SELECT count(*) FROM pragma_table_info('dictionary') WHERE name = 'embedding'")" = 0 ]; then
    statements="ALTER TABLE dictionary ADD COLUMN embedding BLOB;
$statements"
  elif [ $trained_now = no ]; then
    say 'The column embedding is there already.'
    return
  fi
  show_sql "$statements"
  s2v_sql "BEGIN; $statements COMMIT;"
  say "$(sql 'SELECT count(embedding) FROM dictionary') embeddings;" \
    'glosses without a word that the model knows have none (NULL).'
}

ask() {
  local query="SELECT words, gloss, round(s2v_cosine(embedding, '$1'), 3) AS similarity
FROM dictionary ORDER BY s2v_cosine(embedding, '$1') DESC LIMIT 5;"
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
start_step 'Store the embedding of each gloss'
embed
start_step 'Ask'
ask 'a person who repairs shoes'
ask 'fear of being in closed spaces'
ask 'a device for measuring temperature'

cat <<END

Done in $SECONDS s. To go on by hand:

   sqlite3 -cmd '.load ./build/s2v' -cmd '.mode box --wrap 60' $database

   SELECT words, gloss FROM dictionary
   ORDER BY s2v_cosine(embedding, 'unable to sleep') DESC LIMIT 5;

   SELECT name, dim, words, tokens, parameters FROM s2v_models;

The model is in $database itself: copy that file and build/s2v.so, nothing else is needed.
README.md has every function; build/s2v --help has the command line.
END
