-- s2v_index of several columns: their weights, and titles that are the question.
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE TABLE pages(id INTEGER PRIMARY KEY, title, body);
INSERT INTO pages(title, body) SELECT 'about ' || iif(id % 2, 'rain', 'boats'), body FROM docs;
INSERT INTO pages VALUES(100, 'harbour', 'where boats sleep under the old tree and the crowd sings, and nobody says what it is'),
  (101, 'the old harbour master', 'harbour harbour harbour'), (102, NULL, 'harbour'), (103, 'harbour harbour', 'boats');
CREATE VIRTUAL TABLE plain USING s2v_index(pages, title, body);
CREATE VIRTUAL TABLE weighted USING s2v_index(pages, title, body, weights = '8, 0.5');
CREATE VIRTUAL TABLE only_body USING s2v_index(pages, title, body, weights = '0,1');
CREATE VIRTUAL TABLE one USING s2v_index(pages, body, weights = 2);
SELECT 'stored', value FROM weighted_config WHERE name = 'weights' UNION ALL SELECT 'default', count(*) FROM plain_config WHERE name = 'weights';
SELECT 'the title first', rowid, by_opening > 3 FROM plain('Harbour', 1);
SELECT 'two words', rowid FROM plain('harbour harbour', 1);
SELECT 'more words', rowid <> 100 FROM plain('harbour boats', 1);
SELECT 'as words', (SELECT rowid FROM plain('harbour', 2, 'words') WHERE rowid <> 102 LIMIT 1);
SELECT 'titles weigh', (SELECT bm25 FROM weighted('master', 1, 'words')) > (SELECT bm25 FROM plain('master', 1, 'words'));
SELECT 'titles count nothing', (SELECT count(*) FROM only_body('rain', 100, 'words') WHERE bm25 > 0) < (SELECT count(*) FROM plain('rain', 100, 'words'));
-- Rows that wait have the same scores as those of the index.
INSERT INTO pages VALUES(200, 'quarks', 'harbour rain rain'), (201, 'rain', 'quarks quarks quarks');
SELECT 'a new title first', rowid FROM weighted('quarks', 1);
CREATE TABLE before AS SELECT rowid AS id, bm25 FROM weighted('quarks rain', 50, 'words');
INSERT INTO weighted(weighted) VALUES('sync');
SELECT 'the same', count(*) = (SELECT count(*) FROM before), max(abs(w.bm25 - b.bm25)) < 1e-9 FROM weighted('quarks rain', 50, 'words') AS w JOIN before AS b ON b.id = w.rowid;
SELECT 'still first', rowid FROM weighted('quarks', 1);
INSERT INTO weighted(weighted) VALUES('rebuild');
INSERT INTO weighted(weighted) VALUES('integrity-check');
-- A name that is typed comes first, written to its end or not; where it is a word as it stands, no longer one is meant.
INSERT INTO pages VALUES(300, 'guitar', 'strings'), (301, 'guitarist', 'guitar guitar guitarist guitars guitar'), (302, 'guitar picks', 'guitar guitar guitar guitars');
SELECT 'typed', rowid FROM plain('guitar*', 1);
SELECT 'typed so far', rowid FROM plain('guitari*', 1);
SELECT 'typed, two words', rowid FROM plain('guitar pic*', 1);
INSERT INTO plain(plain) VALUES('sync');
SELECT 'typed', rowid, by_opening > 3 FROM plain('guitar*', 1);
SELECT 'typed so far', rowid, by_opening > 3 FROM plain('guitari*', 1);
SELECT 'typed, two words', rowid, by_opening > 3 FROM plain('guitar pic*', 1);
SELECT 'kept', value FROM weighted_config WHERE name = 'weights';
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = '1');
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = '1,2,3');
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = '1,-2');
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = '1,heavy');
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = '1,1e9');
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, body, weights = 'nan,1');
