-- An index with passages: a row is found by its best part, which it shows.
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, body TEXT, year INTEGER);
INSERT INTO book(title, body, year) VALUES
  ('Foxes', 'Heavy rain fell on the harbour. The crowd sang again today. A red fox slept under the old tree. The lenders followed the bank and its rate. Boats sank.', 1999),
  ('Crowds', 'The striker scored twice. The crowd sang. Then heavy rain fell, and it fell for weeks on the harbour and on the boats.', 2020),
  ('Short', 'A red tree', 2021), (NULL, NULL, NULL), ('東京の本', '私は東京都に住んでいます。天気がいいです。明日は大阪に行きます。', 2022);
CREATE VIRTUAL TABLE find USING s2v_index(book, title, body, passages = 8, filter = year, tokenize = 's2v english');
.mode list
SELECT 'a part', s.rowid, passage_at, '"' || passage || '"' FROM find('red fox', 1, 'words') AS s;
SELECT 'each row once', rowid, passage FROM find('rain crowd', 9, 'words');
SELECT 'as substr counts', substr(b.body, passage_at, length(passage)) = passage FROM find('大阪', 1, 'words') AS s JOIN book AS b ON b.id = s.rowid;
SELECT 'snippet', s2v_snippet(find, -1, '[', ']', '...', 4) FROM find('red fox', 1, 'words');
SELECT 'highlight', s2v_highlight(find, 'title', '[', ']'), s2v_highlight(find, 'body', '[', ']') FROM find('fox', 1, 'words');
SELECT 'a title counts for each part', rowid, passage FROM find('crowds boats', 1, 'words');
SELECT 'demanded in any part', rowid FROM find('"the harbour" "red fox"', 9);
SELECT 'excluded from the row', group_concat(rowid) FROM find('rain -fox', 9, 'words');
SELECT 'as FTS5 has it', group_concat(rowid) FROM find('(rain AND boat) NOT fox', 9, 'fts5');
SELECT 'a phrase is in one part', count(*) FROM find('NEAR(harbour fox, 50)', 9, 'fts5');
SELECT 'filtered', rowid FROM find('rain red', 9, 'words') WHERE year > 2000 ORDER BY rowid;
SELECT 'some rows', rowid FROM find('red', 9, 'words') WHERE rowid IN (3, 4);
SELECT 'by meaning, every row with a vector', count(*), count(DISTINCT rowid) FROM find('heavy rain', 99, 'meaning');
UPDATE book SET body = 'A zebra' WHERE id = 1;
DELETE FROM book WHERE id = 3;
INSERT INTO book(body) VALUES('A fox. ' || (SELECT group_concat(body, '. ') FROM docs) || ' zebra');
SELECT 'rows that wait', rowid, substr(passage, -5) FROM find('zebra', 9, 'words') ORDER BY rowid;
INSERT INTO find(find) VALUES('sync');
SELECT 'taken in', s.rowid, substr(passage, -5), parts FROM find('zebra', 9, 'words') AS s JOIN find_part AS p ON p.row = s.rowid ORDER BY s.rowid;
INSERT INTO find(find) VALUES('integrity-check');
SELECT 'tables', group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name LIKE 'find\_%' ESCAPE '\' AND type = 'table' AND name NOT LIKE 'find\_fts\_%' ESCAPE '\' ORDER BY name);
CREATE VIRTUAL TABLE bad USING s2v_index(book, body, passages = 0);
CREATE VIRTUAL TABLE bad USING s2v_index(book, body, passages = many);
CREATE VIRTUAL TABLE bad USING s2v_index(book, body, passages = 100001);
ALTER TABLE book ADD COLUMN v BLOB;
UPDATE book SET v = s2v_embed('rain');
CREATE VIRTUAL TABLE bad USING s2v_index(book, v, passages = 200);
DROP TABLE find;
SELECT 'nothing stays', count(*) FROM sqlite_schema WHERE name LIKE '%find%';
