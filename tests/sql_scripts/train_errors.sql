.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE TEMP TABLE a AS SELECT s2v_embed('red fox') AS v, hash FROM s2v_models;
CREATE TABLE empty(body); CREATE TABLE one(body); INSERT INTO one VALUES('a single row of words');
CREATE TABLE equal(body); INSERT INTO equal SELECT 'all rows are the same' FROM docs;
CREATE TABLE word(body); INSERT INTO word SELECT 'word' FROM docs;
CREATE TABLE nulls(body); INSERT INTO nulls SELECT NULL FROM docs;
CREATE TABLE blobs(body); INSERT INTO blobs SELECT CAST(body AS BLOB) FROM docs;
CREATE TABLE mixed(body); INSERT INTO mixed SELECT body FROM docs UNION ALL SELECT NULL UNION ALL SELECT x'00' UNION ALL SELECT 12.5;
CREATE TABLE numbers(body); INSERT INTO numbers SELECT (id % 7) || ' ' || (id % 5) FROM docs;
CREATE TABLE plain_numbers(body); INSERT INTO plain_numbers SELECT id % 7 FROM docs;
-- Names.
SELECT 1, s2v_train('nothing', 'body');
SELECT 2, s2v_train('docs', 'nothing');
SELECT 3, s2v_train(NULL, 'body');
SELECT 4, s2v_train('docs', NULL);
SELECT 5, s2v_train(x'64', 'body');
SELECT 6, s2v_train('', 'body');
SELECT 7, s2v_train('docs', '');
SELECT 8, s2v_train('docs', 'body; DROP TABLE docs');
SELECT 9, s2v_train('a.b.c', 'body');
-- Options.
SELECT 10, s2v_train('docs', 'body', 'not JSON');
SELECT 11, s2v_train('docs', 'body', '[1]');
SELECT 12, s2v_train('docs', 'body', '');
SELECT 13, s2v_train('docs', 'body', x'7b7d');
SELECT 14, s2v_train('docs', 'body', '{"dimension":{}}');
SELECT 15, s2v_train('docs', 'body', '{"dimension":[1]}');
SELECT 17, s2v_train('docs', 'body', '{"dimension":0}');
SELECT 18, s2v_train('docs', 'body', '{"dimension":1.5}');
SELECT 19, s2v_train('docs', 'body', '{"dimension":"many"}');
SELECT 20, s2v_train('docs', 'body', '{"dimension":1e30}');
SELECT 21, s2v_train('docs', 'body', '{"learning_rate":-1}');
SELECT 22, s2v_train('docs', 'body', '{"learning_rate":"nan"}');
SELECT 23, s2v_train('docs', 'body', '{"recipe":"slow"}');
SELECT 24, s2v_train('docs', 'body', '{"default":"maybe"}');
SELECT 25, s2v_train('docs', 'body', '{"model":""}');
SELECT 26, s2v_train('docs', 'body', '{"model":"."}');
SELECT 27, s2v_train('docs', 'body', '{"model":"a.b.c"}');
SELECT 28, s2v_train('docs', 'body', '{"model":"nowhere.m"}');
SELECT 29, s2v_train('docs', 'body', '{"where":"missing = 1"}');
SELECT 30, s2v_train('docs', 'body', '{"where":"1) UNION SELECT name FROM sqlite_schema WHERE (1"}');
SELECT 31, s2v_train('docs', 'body', '{"where":"1; DROP TABLE docs"}');
SELECT 32, s2v_train('docs', 'body', json_object('model', replace(hex(zeroblob(128)), '00', 'mm')));
SELECT 33, s2v_train('docs', 'body', '{"tokenizer":"nothing"}');
-- Tables that teach nothing.
SELECT 40, s2v_train('empty', 'body');
SELECT 41, s2v_train('one', 'body', '{"min_count":5}');
SELECT 42, s2v_train('word', 'body', options) FROM tiny;
SELECT 43, s2v_train('nulls', 'body');
SELECT 44, s2v_train('blobs', 'body');
SELECT 45, s2v_train('plain_numbers', 'body', options) FROM tiny;
SELECT 46, s2v_train('docs', 'body', json_set(options, '$.min_target_count', 1000)) FROM tiny;
SELECT 47, s2v_train('docs', 'body', json_set(options, '$.where', '0')) FROM tiny;
-- Diverging: the error names the learning rate.
SELECT 48, s2v_train('docs', 'body', json_set(options, '$.learning_rate', 100, '$.epochs', 200)) FROM tiny;
SELECT 'the former model is unchanged', count(*) = 1, max(s.hash = a.hash), max(s2v_embed('red fox') = v) FROM s2v_models s, a;
SELECT 'no table is left', count(*) FROM docs;
-- Tables that teach something.
SELECT 'one row', json_extract(s2v_train('one', 'body', options), '$.texts', '$.words') FROM tiny;
SELECT 'equal rows', json_extract(s2v_train('equal', 'body', options), '$.texts', '$.words') FROM tiny;
SELECT 'mixed', json_extract(s2v_train('mixed', 'body', options), '$.texts', '$.skipped') FROM tiny;
SELECT 'numbers in text', json_extract(s2v_train('numbers', 'body', options), '$.words') FROM tiny;
SELECT 'NULL options', json_extract(s2v_train('docs', 'body', NULL), '$.dimension') > 0;
SELECT 'a null option is not given', json_extract(s2v_train('one', 'body', json_set(options, '$.model', NULL)), '$.model') FROM tiny;
SELECT 'numbers as texts', json_extract(s2v_train('one', 'body', json_set(options, '$.dimension', '16')), '$.dimension') FROM tiny;
SELECT 'where', json_extract(s2v_train('docs', 'body', json_set(options, '$.where', 'id <= 40 AND body LIKE ''%a%'' -- comment')), '$.texts') FROM tiny;
-- Names of every kind.
CREATE TABLE "my ""odd"" table"("the body's" TEXT); INSERT INTO "my ""odd"" table" SELECT body FROM docs;
SELECT 'quotes and spaces', json_extract(s2v_train('my "odd" table', 'the body''s', options), '$.model', '$.texts') FROM tiny;
CREATE TABLE "with.dot"(body); INSERT INTO "with.dot" SELECT body FROM docs;
SELECT 'a dot: name the model', s2v_train('with.dot', 'body', options) FROM tiny;
SELECT 'named', json_extract(s2v_train('with.dot', 'body', json_set(options, '$.model', 'dotted')), '$.model', '$.schema') FROM tiny;
CREATE VIEW seen AS SELECT upper(body) AS loud FROM docs WHERE id < 20;
SELECT 'view', json_extract(s2v_train('seen', 'loud', options), '$.model', '$.texts') FROM tiny;
CREATE TABLE keyed(k TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID; INSERT INTO keyed SELECT id, body FROM docs;
SELECT 'WITHOUT ROWID', json_extract(s2v_train('keyed', 'body', options), '$.texts') FROM tiny;
CREATE VIRTUAL TABLE full USING fts5(body); INSERT INTO full SELECT body FROM docs;
SELECT 'FTS5', json_extract(s2v_train('full', 'body', options), '$.texts') FROM tiny;
SELECT 'FTS5 where', json_extract(s2v_train('full', 'body', json_set(options, '$.where', 'full MATCH ''fox''')), '$.texts') FROM tiny;
CREATE TEMP TABLE passing AS SELECT body FROM docs;
SELECT 'a TEMP table', json_extract(s2v_train('passing', 'body', options), '$.schema', '$.model') FROM tiny;
-- Inside statements that write.
CREATE TABLE log(summary);
INSERT INTO log SELECT s2v_train('docs', 'body', options) FROM tiny;
SELECT 'too many arguments is SQLite''s own error', count(*) FROM pragma_function_list WHERE name = 's2v_train' AND narg > 3;
