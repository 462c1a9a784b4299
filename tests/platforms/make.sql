-- A database with texts, a model, an index, and what they answer here: check.sql compares it elsewhere.
.read setup.inc
SELECT s2v_train('docs', 'body', options) IS NOT NULL AS trained FROM tiny;
CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body);
CREATE TABLE here(question TEXT, vector BLOB, answers TEXT, hash TEXT);
INSERT INTO here
SELECT value, s2v_embed(value),
       (SELECT group_concat(rowid || ' ' || round(score, 4)) FROM (SELECT rowid, * FROM docs_search(value, 10))),
       s2v_model_hash()
FROM json_each('["red fox", "the bank cuts its rate", "heavy rain again", "unheard crowd", "der rote Fuchs schläft"]');
