-- s2v_index on a column of vectors, anyone's.
CREATE TABLE points(id INTEGER PRIMARY KEY, v BLOB, name TEXT);
INSERT INTO points SELECT value, s2v_from_json(json_array(cos(value * 0.1), sin(value * 0.1), 0, 0)), 'point ' || value FROM
  (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30) SELECT value FROM n);
INSERT INTO points VALUES(100, NULL, 'null'), (101, x'', 'empty'), (102, zeroblob(16), 'zero'), (103, x'0000c07f00000000000000000000000000', 'long'),
  (104, x'0000c07f000000000000000000000000', 'nan'), (105, 'text', 'text'), (106, 7, 'number'), (107, s2v_from_json('[2,0,0,0]'), 'of length 2');
CREATE VIRTUAL TABLE near USING s2v_index(points, v);
SELECT 'nearest', rowid, round(score, 4), round(similarity, 4), bm25 FROM near(s2v_from_json('[1,0,0,0]'), 4);
SELECT 'another length', count(*) FROM near(s2v_from_json('[1,0,0]'), 4);
SELECT 'a text', count(*) FROM near('point', 4);
SELECT 'zero', count(*) FROM near(zeroblob(16), 4);
SELECT 'words', count(*) FROM near(s2v_from_json('[1,0,0,0]'), 4, 'words');
SELECT 'filter', group_concat(rowid) FROM near(s2v_from_json('[1,0,0,0]'), 3) WHERE rowid IN (SELECT id FROM points WHERE id > 4);
INSERT INTO near(near) VALUES('integrity-check');
UPDATE points SET v = s2v_from_json('[0,0,1,0]') WHERE id = 107;
INSERT INTO points VALUES(108, s2v_from_json('[0,0,3,0.1]'), 'new');
SELECT 'followed', group_concat(rowid) FROM near(s2v_from_json('[0,0,1,0]'), 2);
INSERT INTO near(near) VALUES('sync');
SELECT 'followed', group_concat(rowid) FROM near(s2v_from_json('[0,0,1,0]'), 2);
DELETE FROM points WHERE id >= 107;
INSERT INTO near(near) VALUES('sync');
INSERT INTO near(near) VALUES('integrity-check');
SELECT 'gone', max(similarity) < 0.1 FROM near(s2v_from_json('[0,0,1,0]'), 2);
SELECT 'tables that are there', s2v_train('nope', 'name');
CREATE TABLE near_notes_log(x);
CREATE VIRTUAL TABLE nope_search USING s2v_index(nope, v);
DROP TABLE near_notes_log;
-- With words; the dimension is that of the first vector, however late it comes.
CREATE TABLE late(id INTEGER PRIMARY KEY, v BLOB, name TEXT, more TEXT);
CREATE VIRTUAL TABLE late_search USING s2v_index(late, v, words = name more);
SELECT 'empty', count(*) FROM late_search(s2v_from_json('[1,0]'), 4);
INSERT INTO late VALUES(1, NULL, 'red fox', 'tree'), (2, s2v_from_json('[1,1]'), 'harbour', 'fox');
SELECT 'by words', group_concat(rowid) FROM (SELECT rowid FROM late_search('fox', 4, 'words') ORDER BY rowid);
SELECT 'by a vector', group_concat(rowid) FROM late_search(s2v_from_json('[1,0]'), 4);
INSERT INTO late_search(late_search) VALUES('sync');
SELECT 'by words, no model', rowid, similarity, bm25 > 0, corrections, s2v_snippet(late_search, -1, '[', ']', '', 9) FROM late_search('harbuor', 4, 'words');
SELECT 'fts5, no model', rowid FROM late_search('harb* AND fox', 4, 'fts5');
SELECT 'by both, no model', rowid FROM late_search('harbour', 4);
INSERT INTO late_search(late_search) VALUES('sync');
SELECT 'by a vector', group_concat(rowid) FROM late_search(s2v_from_json('[1,0]'), 4);
INSERT INTO late_search(late_search) VALUES('integrity-check');
-- The space of deleted rows is used again; lists split and empty.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
INSERT INTO points(id, v) SELECT 1000 + i, s2v_from_json(json_array(cos(i), sin(i), cos(i * 0.7), sin(i * 0.3))) FROM n;
SELECT 'many', count(*) FROM near(s2v_from_json('[1,0,1,0]'), 10);
SELECT 'taken in', s2v_sync('near') ->> '$.pending', (SELECT count(*) > 1 FROM near_list);
INSERT INTO near(near) VALUES('integrity-check');
DELETE FROM points WHERE id > 1000;
INSERT INTO near(near) VALUES('sync');
INSERT INTO near(near) VALUES('integrity-check');
SELECT 'few blocks', count(*) < 5 FROM near_block;
SELECT 'nearest', rowid FROM near(s2v_from_json('[1,0,0,0]'), 2);
