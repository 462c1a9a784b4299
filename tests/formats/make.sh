#!/usr/bin/env bash
# A small database with a model and an index, kept as a file for each version of the stored form of either, so that every later version
# is tested to read it (tests/ext/index_right_test.cc). Run once, by the first commit that has the version:
#
#   tests/formats/make.sh sqlite3 build/s2v.so index-2
#   tests/formats/make.sh sqlite3 build/s2v.so model-6
set -eu
shell=$1 extension=$2 file=$(dirname "$0")/$3.db
options=
[ "$3" != index-3 ] || options=', passages = 2'  # the version of indexes with passages alone
tokenizer=auto
case $3 in model-*) tokenizer=english ;; esac
if [ -e "$file" ]; then
  echo "make.sh: $file exists and is kept: it is what that version wrote" >&2
  exit 1
fi
trap 'rm -f "$file"' ERR  # half a file would be kept too
"$shell" -bail -cmd ".load $extension" "$file" <<SQL
PRAGMA page_size = 512;
CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);
WITH RECURSIVE w(i, word) AS (SELECT key, value FROM json_each('["red","foxes","blue","sea","old","man","rain","falls"]')),
  n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
INSERT INTO docs SELECT n.i, (SELECT group_concat(word, ' ') FROM (SELECT word FROM w WHERE (w.i * 7 + n.i * 5) % 11 < 5 ORDER BY w.i)) FROM n;
SELECT s2v_train('docs', 'body', '{"dimension": 8, "epochs": 2, "min_count": 1, "min_target_count": 1, "workers": 1, "tokenizer": "$tokenizer"}') ->> '$.texts';
DROP TABLE s2v_target;
CREATE VIRTUAL TABLE s USING s2v_index(docs, body$options);
UPDATE docs SET body = 'red rain' WHERE id = 5;
DELETE FROM docs WHERE id = 6;
CREATE TABLE expected AS SELECT group_concat(rowid || ' ' || round(score, 2) || ' ' || round(bm25, 3), '; ') AS answers,
  (SELECT round(s2v_cosine('red fox', long), 3) || ' ' ||
   round(s2v_cosine(s2v_embed('red fox', 'docs', 'raw'), s2v_embed(long, 'docs', 'raw')), 3)
   FROM (SELECT group_concat(body, ' ') AS long FROM docs)) AS cosines
FROM s('red fox in the rain', 5);
VACUUM;
SQL
ls -l "$file"
