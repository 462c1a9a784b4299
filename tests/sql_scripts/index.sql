-- s2v_index on texts: each way to ask, each command, what the schema may do to it.
.read setup.inc
INSERT INTO docs(id, body) VALUES(1000, 'quarks and gluons'), (1001, NULL), (1002, ''), (1003, 'zzz yyy');
ALTER TABLE docs ADD COLUMN lang TEXT;
UPDATE docs SET lang = iif(id % 2, 'de', 'en');
CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body);
SELECT 'nothing is left behind', count(*) FROM sqlite_schema WHERE name LIKE 'docs_search%';
SELECT 'trained', json_extract(s2v_train('docs', 'body', json_set(options, '$.where', 'id < 1001')), '$.model') FROM tiny;
CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body);
-- As a function, with k.
SELECT 'rows', count(*), min(d.body LIKE '%red fox%'), min(s.bm25 > 0), min(s.similarity BETWEEN -1 AND 1)
FROM docs_search('a red fox', 10) AS s JOIN docs AS d ON d.id = s.rowid;
SELECT 'falling', (SELECT group_concat(rowid) FROM docs_search('a red fox', 50)) =
  (SELECT group_concat(rowid) FROM (SELECT rowid FROM docs_search('a red fox', 50) ORDER BY score + 0 DESC, rowid));
-- With MATCH, LIMIT and OFFSET: the same rows.
SELECT 'as with FTS5', (SELECT group_concat(rowid) FROM (SELECT rowid FROM docs_search WHERE docs_search MATCH 'red fox' ORDER BY rank LIMIT 3)) =
  (SELECT group_concat(rowid) FROM docs_search('red fox', 3)), (SELECT max(rank + score) FROM docs_search('red fox', 3));
EXPLAIN QUERY PLAN SELECT rowid FROM docs_search('fox', 5) ORDER BY rank;
SELECT 'limit', (SELECT group_concat(rowid) FROM (SELECT rowid FROM docs_search WHERE docs_search MATCH 'red fox' ORDER BY score DESC LIMIT 3 OFFSET 2)) =
  (SELECT group_concat(rowid) FROM (SELECT rowid FROM docs_search('red fox', 5) LIMIT 3 OFFSET 2));
SELECT 'limit without k', count(*) FROM (SELECT 1 FROM docs_search('red fox') LIMIT 7);
SELECT 'neither k nor limit', count(*) > 60 FROM docs_search WHERE docs_search MATCH 'red fox';
SELECT 'k = 0', count(*) FROM docs_search('red fox', 0);
-- The question from another table's column; a text, a number, a vector.
CREATE TABLE questions(id INTEGER PRIMARY KEY, body);
INSERT INTO questions(body) VALUES('red fox'), ('heavy rain'), (NULL), (17), (s2v_embed('striker'));
SELECT q.id, count(s.rowid), min(d.body LIKE '%fox%'), min(d.body LIKE '%rain%'), min(d.body LIKE '%striker%')
FROM questions AS q LEFT JOIN docs_search(q.body, 5) AS s LEFT JOIN docs AS d ON d.id = s.rowid GROUP BY q.id;
-- A row like a row, and near-duplicate pairs.
SELECT 'like row 2', s.rowid, s.similarity > 0.999 FROM docs AS d, docs_search(d.body, 1, 'meaning') AS s WHERE d.id = 2;
SELECT 'pairs', count(*) > 50, min(a.body = b.body) FROM docs AS a, docs_search(a.body, 30, 'meaning') AS s JOIN docs AS b ON b.id = s.rowid
WHERE s.similarity > 0.9999 AND s.rowid > a.id;
-- By words, by meaning, by both.
SELECT 'words', count(*), min(score = bm25) FROM docs_search('fox crowd', 100, 'words');
SELECT 'meaning', count(*), min(score = similarity), count(bm25) FROM docs_search('fox crowd', 100, 'meaning');
SELECT 'both', count(*) > 40, count(bm25) FROM docs_search('fox crowd', 100, 'both');
SELECT 'rank_by', count(*) FROM docs_search WHERE docs_search MATCH 'fox' AND k = 5 AND rank_by = 'words';
-- Without repeats: a row for each of the texts, filled up with the next ones.
SELECT 'max_similar', count(*), count(DISTINCT body), max(body = 'a red fox sleeps under the old tree') FROM docs_search('a red fox', 4, NULL, 0.999) AS s JOIN docs AS d ON d.id = s.rowid;
SELECT 'the best ones', (SELECT group_concat(rowid) FROM docs_search('a red fox', 3, 'meaning', 0.5)) = (SELECT group_concat(rowid) FROM (SELECT rowid FROM docs_search WHERE docs_search MATCH 'a red fox' AND rank_by = 'meaning' AND max_similar = 0.5 ORDER BY score DESC LIMIT 3));
SELECT 'by words', count(*) = count(DISTINCT body) FROM docs_search('fox crowd', 100, 'words', 0.999) AS s JOIN docs AS d ON d.id = s.rowid;
SELECT 'no k', count(*) = count(DISTINCT body) FROM docs_search AS s JOIN docs AS d ON d.id = s.rowid WHERE docs_search MATCH 'fox crowd' AND max_similar = 0.999;
SELECT 'all', count(*) > 70 FROM docs_search('fox crowd', 100, NULL, NULL);
SELECT count(*) FROM docs_search('fox', 5, NULL, 1.5);
SELECT count(*) FROM docs_search('fox', 5, NULL, 'much');
-- What a score is the sum of.
SELECT 'adds up', count(*), min(abs(by_bm25 + by_opening + by_meaning + by_feedback - score) < 1e-9), max(by_bm25), max(by_opening) > 0 FROM docs_search('a red fox', 20);
SELECT 'of one nothing', count(by_bm25), count(by_meaning) FROM docs_search('a red fox', 20, 'words');
-- How many of the words a row has.
SELECT 'matched', (SELECT count(*) > 0 AND min(d.body LIKE '%fox%sleeps%') FROM docs_search('the sleeping fox sleeps', 100, 'words') AS s JOIN docs AS d ON d.id = s.rowid WHERE matched > 0.6),
  (SELECT min(matched = 0.5) FROM docs_search('the fox striker', 5, 'words')), (SELECT count(*) > 0 AND min(matched = 0) FROM docs_search('fox', 100) WHERE bm25 IS NULL),
  (SELECT count(matched) FROM docs_search('fox', 5, 'meaning')), (SELECT count(*) FROM docs_search('fox qwertz', 100) WHERE matched = 1);
-- Filters before ranking, thresholds after.
SELECT 'filter', count(*), min(lang) FROM docs_search AS s JOIN docs AS d ON d.id = s.rowid
WHERE s.docs_search MATCH 'red fox' AND k = 10 AND s.rowid IN (SELECT id FROM docs WHERE lang = 'de');
SELECT 'filter with a list', group_concat(rowid) FROM docs_search('red fox', 10, 'meaning') WHERE rowid IN (1, 2, 'x', NULL, 99999);
SELECT 'filter of nothing', count(*) FROM docs_search('red fox', 10) WHERE rowid IN (SELECT 1 WHERE 0);
SELECT 'threshold', count(*) > 0, min(similarity) > 0.5 FROM docs_search('red fox', 50) WHERE similarity > 0.5;
-- Texts that are no queries of FTS5, of no known word, or nothing.
SELECT 'syntax', count(*) > 0 FROM docs_search('"fox AND (NOT * NEAR( ^ col:', 5);
SELECT 'emoji', count(*) FROM docs_search('🦊', 5);
SELECT 'unknown', count(*) FROM docs_search('qwertz asdf', 5);
SELECT 'unknown by each', (SELECT count(*) FROM docs_search('qwertz', 5, 'words')), (SELECT count(*) FROM docs_search('qwertz', 5, 'meaning'));
SELECT 'empty', (SELECT count(*) FROM docs_search('', 5)), (SELECT count(*) FROM docs_search(NULL, 5)), (SELECT count(*) FROM docs_search(x'', 5));
SELECT 'a word of a text without known words', group_concat(rowid), max(similarity) FROM docs_search('yyy', 5);
SELECT 'a long question', count(*) FROM docs_search((SELECT group_concat('fox' || id || ' rain', ' ') FROM docs), 5);
-- Plans.
EXPLAIN QUERY PLAN SELECT rowid FROM docs_search('fox', 5) ORDER BY score DESC;
EXPLAIN QUERY PLAN SELECT rowid FROM docs_search('fox', 5) WHERE rowid IN (1, 2) ORDER BY score DESC, rowid;
-- Refusals.
SELECT count(*) FROM docs_search;
SELECT count(*) FROM docs_search('fox', -1);
SELECT count(*) FROM docs_search('fox', 'many');
SELECT count(*) FROM docs_search('fox', 5, 'luck');
SELECT count(*) FROM docs_search(x'0011', 5);
SELECT count(*) FROM docs_search(x'0000803f', 5);
SELECT count(*) FROM docs_search(x'0000c07f', 5);
SELECT count(*) FROM docs_search(s2v_embed('fox'), 5, 'words');
INSERT INTO docs_search(docs_search) VALUES('nonsense');
INSERT INTO docs_search(rowid, score) VALUES(1, 2);
UPDATE docs_search SET score = 1 WHERE docs_search MATCH 'fox';
-- Always in step.
INSERT INTO docs(id, body) VALUES(2000, 'a blue whale sleeps under the harbour');
SELECT 'inserted', rowid FROM docs_search('blue whale', 1);
UPDATE docs SET body = 'the whale was a red fox' WHERE id = 2000;
SELECT 'updated', (SELECT count(*) FROM docs_search('blue', 9, 'words')), (SELECT max(rowid) FROM docs_search('whale fox', 1));
BEGIN;
DELETE FROM docs WHERE id = 2000;
SELECT 'deleted', count(*) FROM docs_search('whale', 9, 'words');
ROLLBACK;
SELECT 'rolled back', rowid FROM docs_search('whale', 1);
REPLACE INTO docs(id, body) VALUES(2000, 'the green parrot');
INSERT INTO docs(id, body) VALUES(2000, 'nothing') ON CONFLICT(id) DO UPDATE SET body = body || ' and the green parrot';
INSERT OR IGNORE INTO docs(id, body) VALUES(2000, 'whale');
SELECT 'replaced', (SELECT count(*) FROM docs_search('whale', 9, 'words')), (SELECT rowid FROM docs_search('parrot', 1));
UPDATE docs SET id = 3000 WHERE id = 2000;
SELECT 'moved', rowid FROM docs_search('parrot', 1);
INSERT INTO docs_search(docs_search) VALUES('integrity-check');
SELECT 'pending', pending > 0 FROM docs_search('parrot', 1);
INSERT INTO docs_search(docs_search) VALUES('sync');
SELECT 'synchronised', pending FROM docs_search('parrot', 1);
UPDATE docs SET body = body || ' again' WHERE id = 3000;
SELECT 'by a function', s2v_sync('docs_search') ->> '$.rows', s2v_sync('docs_search') ->> '$.pending';
INSERT INTO docs_search(docs_search) VALUES('optimize');
INSERT INTO docs_search(docs_search) VALUES('integrity-check');
SELECT 'moved', rowid FROM docs_search('parrot', 1);
-- A model that is gone.
SELECT 'trained again', json_extract(s2v_train('docs', 'body', json_set(options, '$.epochs', 5)), '$.model') FROM tiny;
SELECT 'asked', count(*) FROM docs_search('fox', 5);
SELECT 'by words', count(*) FROM docs_search('fox', 5, 'words');
INSERT INTO docs_search(docs_search) VALUES('sync');
INSERT INTO docs_search(docs_search) VALUES('rebuild');
SELECT 'rebuilt', count(*) FROM docs_search('fox', 5);
SELECT 'with the training', json_extract(s2v_train('docs', 'body', json_set(options, '$.epochs', 4, '$.rebuild_indexes', json('true'))), '$.model') FROM tiny;
SELECT 'rebuilt', count(*) FROM docs_search('fox', 5);
-- Changes of the schema.
ALTER TABLE docs RENAME TO papers;
ALTER TABLE papers RENAME COLUMN body TO abstract;
INSERT INTO papers(id, abstract) VALUES(4000, 'a purple fox');
SELECT 'renamed table', rowid FROM docs_search('purple', 1);
ALTER TABLE docs_search RENAME TO found;
UPDATE papers SET abstract = 'an orange fox' WHERE id = 4000;
SELECT 'renamed index', rowid FROM found('orange', 1);
SELECT 'old names', count(*) FROM sqlite_schema WHERE name LIKE 'docs_search%';
VACUUM;
SELECT 'vacuumed', rowid FROM found('orange', 1);
INSERT INTO found(found) VALUES('integrity-check');
CREATE VIEW asked AS SELECT rowid AS id, score FROM found('red fox', 3);
CREATE VIEW matched AS SELECT rowid AS id FROM found WHERE found MATCH 'red fox' AND k = 3;
PRAGMA trusted_schema = 1;  -- newer shells begin without
SELECT 'in a view', count(*) FROM matched;
PRAGMA trusted_schema = 0;
SELECT 'in a view', count(*) FROM asked;
PRAGMA trusted_schema = 1;
ATTACH 'other.db' AS other;
CREATE TABLE other.notes(id INTEGER PRIMARY KEY, body TEXT, v BLOB);
INSERT INTO other.notes SELECT id, abstract, NULL FROM papers WHERE id < 50;
CREATE VIRTUAL TABLE other.notes_search USING s2v_index(notes, body, model = "main.docs");
SELECT 'attached', count(*) FROM notes_search('rain', 4);
DETACH other;
.shell sqlite3 test.db "INSERT INTO papers(id, abstract) VALUES(5000, 'written without the extension')"
SELECT 'another program', rowid FROM found('extension', 1);
DROP TABLE found;
SELECT 'dropped', count(*) FROM sqlite_schema WHERE name LIKE 'found%' OR type = 'trigger';
PRAGMA integrity_check;
