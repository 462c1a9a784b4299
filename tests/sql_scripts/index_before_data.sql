-- s2v_index before there is data: made by a migration, it answers by words, and by meaning once there is a model.
CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT, lang TEXT);
BEGIN;
CREATE VIRTUAL TABLE s USING s2v_index(docs, title, body, filter = 'lang');
CREATE VIRTUAL TABLE named USING s2v_index(docs, body, model = 'news');
CREATE VIRTUAL TABLE meaning USING s2v_index(docs, body, words = off);
CREATE VIRTUAL TABLE porter USING s2v_index(docs, body, tokenize = 'porter unicode61');
COMMIT;
SELECT 'made', (SELECT value FROM s_config WHERE name = 'tokenize'), (SELECT value FROM porter_config WHERE name = 'tokenize'), (SELECT count(*) FROM s_config WHERE name = 'model_hash');
SELECT 'empty', count(*) FROM s('red fox', 3);
INSERT INTO docs(title, body, lang) VALUES('Animals', 'a red fox sleeps', 'en'), ('Tiere', 'der rote Fuchs schläft', 'de'), (NULL, NULL, NULL), ('', '', 'en');
SELECT 'by words', rowid, similarity, bm25 > 0, by_meaning, lang FROM s('RED foxes', 3);
SELECT 'a title', rowid FROM s('tiere', 3);
SELECT 'exactly', rowid FROM s('"fox sleeps" -rote', 3);
SELECT 'as one types', rowid FROM s('schl*', 3);
SELECT 'a filter', count(*) FROM s('fox sleeps', 3) WHERE lang = 'de';
SELECT 'marked', s2v_snippet(s) FROM s('fox', 1);
SELECT 'by words alone', rowid FROM s('fox', 3, 'words', 0.9);
SELECT count(*) FROM s('fox', 3, 'meaning');
SELECT count(*) FROM s(x'0000803f', 3);
SELECT count(*) FROM meaning('fox', 3);
SELECT 'nothing is asked', count(*) FROM s(NULL, 3, 'meaning');
SELECT 'taken in', s2v_sync('s') ->> '$.pending', s2v_sync('named') ->> '$.pending', s2v_sync('meaning') ->> '$.pending';
INSERT INTO s(s) VALUES('optimize');
INSERT INTO s(s) VALUES('rebuild');
INSERT INTO s(s) VALUES('integrity-check');
INSERT INTO meaning(meaning) VALUES('integrity-check');
SELECT 'the same', rowid, similarity FROM s('RED foxes', 3);
-- With rows and without a model, a new one is refused: there is something to train on.
CREATE VIRTUAL TABLE late USING s2v_index(docs, body);
-- A training takes over those that use its model; one that is rolled back does not.
CREATE TEMP TABLE tiny(options);
INSERT INTO tiny VALUES(json_object('dimension', 8, 'epochs', 20, 'recipe', 'paper', 'min_count', 1, 'min_target_count', 1, 'workers', 1, 'tokenizer', 'unicode'));
INSERT INTO docs(body, lang) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
SELECT iif(i % 2, 'a red fox sleeps under the old tree', 'heavy rain falls on the harbour') || ' ' || i, 'en' FROM n;
BEGIN;
SELECT 'trained', s2v_train('docs', 'body', options) ->> '$.model' FROM tiny;
SELECT 'in the transaction', count(similarity) > 0 FROM s('fox', 3);
ROLLBACK;
SELECT 'rolled back', count(similarity) FROM s('fox', 3);
SELECT 'trained', s2v_train('docs', 'body', options) ->> '$.model' FROM tiny;
SELECT 'by meaning', count(*), count(similarity) FROM s('red fox', 5, 'meaning');
SELECT 'by both', count(similarity) = count(*), max(by_meaning) > 0 FROM s('red fox', 5);
SELECT 'without words', count(*) FROM meaning('red fox', 3);
SELECT 'its tokenizer', count(similarity) > 0 FROM porter('sleeping fox', 3);
SELECT 'no such model yet', count(similarity), count(*) > 0 FROM named('red fox', 3);
SELECT count(*) FROM named('fox', 3, 'meaning');
INSERT INTO s(s) VALUES('integrity-check');
INSERT INTO porter(porter) VALUES('integrity-check');
INSERT INTO named(named) VALUES('integrity-check');
CREATE VIRTUAL TABLE new USING s2v_index(docs, title, body, filter = 'lang');
SELECT 'as one made now', (SELECT json_group_array(rowid || ' ' || round(score, 6)) FROM s('red fox in the rain', 20)) = (SELECT json_group_array(rowid || ' ' || round(score, 6)) FROM new('red fox in the rain', 20));
-- A copy of a model under the awaited name, by conversion.
SELECT 'converted', s2v_convert('docs', 'news', 'int8') ->> '$.model';
SELECT 'by meaning', count(*) FROM named('red fox', 3, 'meaning');
INSERT INTO named(named) VALUES('integrity-check');
-- Indexes that have a model are left as they are.
SELECT 'trained again', s2v_train('docs', 'body', json_set(options, '$.epochs', 5)) ->> '$.model' FROM tiny;
SELECT count(*) FROM s('red fox', 3);
SELECT 'rebuilt', s2v_train('docs', 'body', json_set(options, '$.epochs', 6, '$.rebuild_indexes', json('true'))) ->> '$.model' FROM tiny;
SELECT 'asked', count(similarity) FROM s('red fox', 3);
-- A model that was outgrown.
SELECT 'texts', texts, rows_now FROM s2v_models WHERE name = 'docs';
INSERT INTO docs(body) SELECT body FROM docs;
SELECT 'texts', texts, rows_now FROM s2v_models WHERE name = 'docs';
SELECT 'said', s2v_update('docs', '{"workers": 1}') ->> '$.warning';
SELECT 'said once', s2v_update('docs', '{"workers": 1}') ->> '$.warning', texts, rows_now FROM s2v_models WHERE name = 'docs';
INSERT INTO docs(id, body) VALUES(-5, 'a fox with a rowid that is smaller');
SELECT s2v_update('docs');
SELECT 'told', s2v_update('docs', '{"where": "id < 0", "workers": 1}') ->> '$.new_texts';
-- Of a condition, a view, a table that is gone nothing is counted; nor does a view that reads s2v_models run.
CREATE VIEW seen AS SELECT DISTINCT body, (SELECT sum(rows_now) FROM s2v_models) AS n FROM docs;
SELECT 'trained', s2v_train('docs', 'body', json_set(options, '$.model', 'some', '$.where', 'id < 50')) ->> '$.texts' FROM tiny;
SELECT 'trained', s2v_train('seen', 'body', options) ->> '$.texts' > 0 FROM tiny;
SELECT 'not counted', name, texts > 0, rows_now FROM s2v_models WHERE name IN ('some', 'seen') ORDER BY name;
ALTER TABLE docs RENAME TO gone;
SELECT 'gone', rows_now FROM s2v_models WHERE name = 'docs';
DROP TABLE gone;
SELECT 'gone from its view', rows_now FROM s2v_models WHERE name = 'seen';
