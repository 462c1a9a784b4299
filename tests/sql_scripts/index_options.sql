-- s2v_index: what it is made of, and what it refuses.
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE VIEW v AS SELECT * FROM docs;
CREATE TABLE keyed(id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5(body);
CREATE VIRTUAL TABLE x USING s2v_index();
CREATE VIRTUAL TABLE x USING s2v_index(docs);
CREATE VIRTUAL TABLE x USING s2v_index(nowhere, body);
CREATE VIRTUAL TABLE x USING s2v_index(docs, nothing);
CREATE VIRTUAL TABLE x USING s2v_index(v, body);
CREATE VIRTUAL TABLE x USING s2v_index(keyed, body);
CREATE VIRTUAL TABLE x USING s2v_index(fts, body);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, colour = red);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, model = nobody);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, weight = heavy);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, weight = nan);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, weight = 1, weight = 2);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, words = body);
CREATE VIRTUAL TABLE x USING s2v_index(docs, body, tokenize = nonsense);
CREATE VIRTUAL TABLE score USING s2v_index(docs, body);
SELECT 'nothing is left behind', count(*) FROM sqlite_schema WHERE name LIKE 'x%' OR name LIKE 'score%' OR type = 'trigger';
-- Names that need quotes; several columns; a table without an INTEGER PRIMARY KEY.
CREATE TABLE "my ""docs"""("the body" TEXT, "order" TEXT, rowid TEXT);
INSERT INTO "my ""docs"""("the body", "order") SELECT body, 'harbour' FROM docs;
CREATE VIRTUAL TABLE "my search" USING s2v_index("my ""docs""", [the body], 'order', model = "docs", tokenize = 'unicode61', weight = 0.75);
SELECT 'quoted', count(*) FROM "my search"('harbour', 3) WHERE bm25 > 0;
SELECT name, value FROM "my search_config" WHERE name NOT IN ('seed', 'stamp', 'taken', 'progress', 'model_hash', 'checksum') ORDER BY name;
UPDATE "my ""docs""" SET "order" = 'fox' WHERE _rowid_ = 7;
SELECT 'followed', count(*) FROM "my search"('harbour', 1000, 'words'), docs WHERE docs.id = 1;
INSERT INTO "my search"("my search") VALUES('integrity-check');
-- Names that look like keys of the triggers' templates.
CREATE TABLE "{table}"(id INTEGER PRIMARY KEY, "{words}" TEXT UNIQUE);
CREATE VIRTUAL TABLE "{log}" USING s2v_index("{table}", [{words}]);
INSERT INTO "{table}" VALUES(1, 'red fox');
REPLACE INTO "{table}" VALUES(2, 'red fox');
SELECT 'braces', group_concat(rowid) FROM "{log}"('fox', 3, 'words');
-- Columns of words with commas between them, or blanks.
CREATE TABLE vectors(x BLOB, title TEXT, "a body" TEXT);
CREATE VIRTUAL TABLE commas USING s2v_index(vectors, x, words = 'title, "a body"');
CREATE VIRTUAL TABLE blanks USING s2v_index(vectors, x, words = title 'a body');
CREATE VIRTUAL TABLE behind USING s2v_index(vectors, title, filter = title, "a body");
SELECT count(*) FROM blanks('[0.5, -1e3]', 5);
SELECT 'columns', group_concat(name) FROM pragma_table_info('commas_fts') WHERE name NOT LIKE '%parts%';
SELECT 'columns', group_concat(name) FROM pragma_table_info('blanks_fts') WHERE name NOT LIKE '%parts%';
-- Without words; with words of a UNIQUE column that REPLACE removes.
CREATE VIRTUAL TABLE near USING s2v_index(docs, body, words = off);
SELECT 'meaning', count(*), count(bm25) FROM near('fox', 5);
SELECT count(*) FROM near('fox', 5, 'words');
CREATE TABLE pages(url TEXT UNIQUE, body TEXT);
CREATE VIRTUAL TABLE pages_search USING s2v_index(pages, body);
INSERT INTO pages VALUES('a', 'red fox'), ('b', 'old tree'), ('c', 'the bank');
REPLACE INTO pages VALUES('b', 'the harbour');
UPDATE OR REPLACE pages SET url = 'a' WHERE url = 'c';
SELECT 'unique', group_concat(rowid) FROM (SELECT rowid FROM pages_search('fox tree harbour bank', 10, 'words') ORDER BY rowid);
INSERT INTO pages_search(pages_search) VALUES('integrity-check');
INSERT INTO pages_search(pages_search) VALUES('sync');
INSERT INTO pages_search(pages_search) VALUES('integrity-check');
-- VACUUM numbers the rows of a table without an INTEGER PRIMARY KEY anew.
CREATE TABLE loose(body TEXT);
INSERT INTO loose SELECT body FROM docs;
CREATE VIRTUAL TABLE loose_search USING s2v_index(loose, body);
CREATE VIRTUAL TABLE loose_near USING s2v_index(loose, body, words = off);
INSERT INTO loose VALUES('a red fox');
DELETE FROM loose WHERE rowid < 5 OR rowid > 70;
SELECT 'followed', count(*), (SELECT count(*) FROM loose_near('fox', 3)) FROM loose_search('fox', 3);
INSERT INTO loose_near(loose_near) VALUES('sync');
VACUUM;
SELECT count(*) FROM loose_search('fox', 3);
SELECT count(*) FROM loose_near('fox', 3);
INSERT INTO loose_search(loose_search) VALUES('rebuild');
INSERT INTO loose_search(loose_search) VALUES('integrity-check');
SELECT 'rebuilt', count(*) FROM loose_search('fox', 3);
-- A table that is dropped takes its triggers along.
DROP TABLE pages;
SELECT count(*) FROM pages_search('fox', 5);
DROP TABLE pages_search;
SELECT 'dropped', count(*) FROM sqlite_schema WHERE name LIKE 'pages%';
