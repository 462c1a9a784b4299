-- What a question may say to s2v_index: exact words, words not yet written to their end, words spelled wrong.
.read setup.inc
CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
INSERT INTO notes VALUES
  (1, 'Rates', 'the bank cuts its rate and lenders follow'),
  (2, 'Lenders', 'the bank has a rate that cuts nobody'),
  (3, 'Foxes', 'a red fox sleeps under the old tree'),
  (4, 'Rain', 'heavy rain falls on the harbour, the manager says'),
  (5, 'Hunting', 'the red deer and the fox sleep; C++ and a well-known URL, http://example.org/fox'),
  (6, 'Café', 'Überraschung im Garten');
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE VIRTUAL TABLE s USING s2v_index(notes, title, body);
CREATE TEMP TABLE asked(question);
INSERT INTO asked VALUES
  -- Exact words.
  ('"cuts its rate"'), ('"its cuts rate"'), ('"red fox"'), ('fox -red'), ('fox -deer'), ('fox NOT deer'), ('fox -"red deer"'),
  ('bank title:lenders'), ('bank title:"lenders"'), ('TITLE:rain body:rain'), ('bank -title:lenders'), ('body:fox -body:deer'),
  ('bank "rate" -nobody'), ('-fox'), ('"red fox" "old tree" -deer'), ('bank -xylophone'), ('bank "xylophone"'),
  -- None of it is such.
  ('bank "'), ('"" bank'), ('bank " "'), ('bank foo:bar'), ('bank title:'), ('bank -'), ('bank -- -5 +3'), ('NOT bank'), ('BANK NOT LENDERS'),
  ('well-known'), ('C++'), ('http://example.org/fox'), ('24" fox'), ('fox 😀'), ('bank AND ( NEAR'), ('What is a "red bank"?'), ('Say "no" to -fox.'),
  ('*'), ('bank *'), ('**'), (CAST(x'666f7820ff22' AS TEXT)),
  -- Beginnings.
  ('fo*'), ('sle*'), ('red sle*'), ('bank lend*'), ('title:lend*'), ('fox -dee*'), ('s*'), ('"red fox" sl*'), ('Über*'), ('caf*'), ('xyz*'),
  ('fox?*'), ('sleepin*'), ('mananger*'),
  -- Typing.
  ('mananger'), ('the mnaager of the harbuor'), ('lendrs'), ('manager'), ('qqqqqqqq'), ('fxo'), ('harbours'), ('Ueberrashung'), ('Überraschnug');
.mode list
SELECT question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM s(question, 10, 'words') ORDER BY rowid)) AS words,
  (SELECT count(*) FROM s(question, 10)) AS both, (SELECT count(*) FROM s(question, 10, 'meaning')) AS meaning,
  (SELECT corrections FROM s(question, 1)) AS corrections FROM asked;
SELECT 'exact words leave rows out of the meaning too', count(*) FROM s('red fox -tree', 10, 'meaning') WHERE rowid = 3;
SELECT 'rows given beside', group_concat(rowid) FROM s('"red fox"', 10) WHERE rowid IN (1, 3, 5);
SELECT 'rows given and left out', count(*) FROM s('"red fox" -tree', 10) WHERE rowid IN (3);
-- Rows that wait, changed and new ones.
UPDATE notes SET body = 'the striker scores' WHERE id = 3;
INSERT INTO notes VALUES(7, 'New', 'a red fox and a zebra');
SELECT 'waiting', group_concat(rowid) FROM s('"red fox"', 10);
SELECT 'waiting, left out', count(*) FROM s('fox -zebra', 10) WHERE rowid = 7;
SELECT 'a word of waiting rows is right', corrections IS NULL FROM s('zebra', 1);
SELECT 'read as a word of waiting rows', corrections, rowid FROM s('zbera', 1, 'words');
INSERT INTO notes VALUES(8, 'New', 'A Rhinoceros; RHINOCEROS'), (9, 'New', 'rhinoceros rhombus');
SELECT 'with two errors', corrections, (SELECT group_concat(rowid) FROM (SELECT rowid FROM s('rhiniceross', 9, 'words') ORDER BY rowid)) FROM s('rhiniceross', 1);
SELECT 'begun', (SELECT group_concat(rowid) FROM (SELECT rowid FROM s('rhi*', 9, 'words') ORDER BY rowid)), (SELECT rowid FROM s('rhombus*', 1, 'words'));
-- A word that waiting rows have lost is none.
BEGIN;
UPDATE notes SET body = 'rain falls' WHERE id = 4;
SELECT 'lost', (SELECT corrections FROM s('mananger', 1)) IS NULL;
ROLLBACK;
DELETE FROM notes WHERE id IN (8, 9);
SELECT 'after sync', s2v_sync('s') ->> '$.pending', (SELECT group_concat(rowid) FROM s('"red fox"', 10)), (SELECT count(*) FROM s('zeb*', 10, 'words'));
-- Beginnings of what is not of letters alone, in each tokenizer; of words that only waiting rows have.
CREATE TABLE codes(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO codes VALUES(1, 'a fox in 2024-01'), (2, 'a fox in 20245'), (3, 'a fox, covid19a'), (4, 'a fox, covid-1999'), (5, '私は東京都に住む fox');
CREATE VIRTUAL TABLE c USING s2v_index(codes, body);
CREATE VIRTUAL TABLE cu USING s2v_index(codes, body, tokenize = 'unicode61');
CREATE VIRTUAL TABLE cg USING s2v_index(codes, body, tokenize = 'trigram');
DELETE FROM asked;
INSERT INTO asked VALUES ('2024*'), ('body:2024*'), ('fox -body:2024*'), ('body:covid19*'), ('fox -covid19*'), ('body:covid-19*'), ('fox -covid-19*'),
  ('body:東京*'), ('body:東京都に*'), ('fox -東京*'), ('body:zebr*'), ('fox -zebr*'), ('zebr*');
BEGIN;
INSERT INTO codes VALUES(6, 'a fox and zebras');
SELECT question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM c(question, 10, 'words') ORDER BY rowid)) AS own,
  (SELECT group_concat(rowid) FROM (SELECT rowid FROM cu(question, 10, 'words') ORDER BY rowid)) AS unicode61,
  (SELECT group_concat(rowid) FROM (SELECT rowid FROM cg(question, 10, 'words') ORDER BY rowid)) AS trigram FROM asked;
COMMIT;
-- Much that is said exactly, without a blank.
SELECT 'exact', count(*) FROM s(replace(hex(zeroblob(100000)), '00', '("fox"'), 10, 'words');
SELECT 'long phrase', count(*) FROM s('fox -' || replace(hex(zeroblob(200000)), '00', 'aa,'), 10, 'words');
-- A long text is a text; a huge question; NULL.
SELECT 'many words', count(*) > 0, max(corrections IS NULL) FROM s('one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen -bank "fox" mnaager', 10, 'words');
SELECT 'huge', count(*) > 0 FROM s(replace(hex(zeroblob(20000)), '0', '"fox" -b* title:mnaager '), 10);
SELECT 'null', count(*) FROM s(NULL, 10);
-- An index of other tokenizers, and one without words, where all is text.
CREATE VIRTUAL TABLE p USING s2v_index(notes, title, body, tokenize = 's2v english+neutral parts');
CREATE VIRTUAL TABLE u USING s2v_index(notes, title, body, tokenize = 'unicode61');
CREATE VIRTUAL TABLE g USING s2v_index(notes, title, body, tokenize = 'trigram');
CREATE VIRTUAL TABLE m USING s2v_index(notes, title, body, words = off);
SELECT 'parts', (SELECT group_concat(rowid) FROM p('"bank cuts"', 9)), (SELECT group_concat(rowid) FROM p('"bank cut"', 9)),
  (SELECT count(*) FROM p('bank -lenders', 9) WHERE rowid = 1), (SELECT count(*) FROM p('-lender bank', 9) WHERE rowid = 1), (SELECT corrections FROM p('mnaager', 1));
SELECT 'unicode61', (SELECT group_concat(rowid) FROM u('"bank cuts"', 9)), (SELECT count(*) FROM u('man*', 9, 'words')), (SELECT corrections FROM u('mnaager', 1));
SELECT 'trigram', (SELECT group_concat(rowid) FROM g('"ank cut"', 9)), (SELECT corrections FROM g('mnaager', 1)), (SELECT count(*) FROM g('manag*', 9, 'words')) > 0;
SELECT 'a word of many trigrams', count(*) FROM g((WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT group_concat(char(1024 + i * i % 29989), '') FROM n), 10);
SELECT 'the same trigrams often', count(*) FROM g(replace(hex(zeroblob(500)), '0', 'manager'), 10, 'words');
SELECT 'no words', (SELECT count(*) FROM m('fox -fox', 9)) = (SELECT count(*) FROM m('fox', 9));
-- An integer is one however it is bound: REAL, text.
SELECT 'k', (SELECT count(*) FROM s('bank', 2.0)), (SELECT count(*) FROM s('bank', '2')), (SELECT count(*) FROM s('bank', '2.0'));
SELECT count(*) FROM s('bank', 2.5);
SELECT count(*) FROM s('bank', 'two');
SELECT count(*) FROM s('bank', 1e300);
SELECT count(*) FROM s('bank', -1.0);
SELECT 'rowids', group_concat(rowid) FROM s('bank', 10) WHERE rowid IN (1.0, '2', 3.5);
SELECT 'nearest words', count(*) FROM s2v_nearest_words('rain', 2.0);
SELECT 'cache_mb', s2v_config('cache_mb', 64.0), s2v_config('cache_mb', '65');
SELECT 'option', json_extract(s2v_train('docs', 'body', json_set(options, '$.dimension', 6.0, '$.epochs', 2.0)), '$.dimension') FROM tiny;
SELECT json_extract(s2v_train('docs', 'body', json_set(options, '$.dimension', 6.5)), '$.dimension') FROM tiny;
