-- An existing table gets embeddings, and they stay in step with its text and with the model.
--
--   sqlite3 -bail -cmd '.load ./build/s2v' :memory: '.read examples/embedding_column.sql'
--
-- Three ways; take one:
--   a column and triggers    stored, portable, stale after retraining until it is filled again; a second column
--                            says which model made each, so that only what is stale is filled again
--   a VIRTUAL column         nothing stored, computed at each read, never stale
--   a STORED column          like the first, without triggers; only in a new table
-- Whoever writes to a table with such a trigger or column must have loaded s2v.

CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO note(body) VALUES
  ('the cat eats some fish'), ('a dog wants fresh meat'), ('my horse smells dry hay'),
  ('the car crosses the road'), ('a bus follows this street'), ('my truck blocks that bridge');
.print 'trained: words, dimension'
SELECT json_extract(summary, '$.words'), json_extract(summary, '$.dimension') FROM (
  SELECT s2v_train('note', 'body', json_object('dimension', 100, 'min_count', 1, 'min_target_count', 1)) AS summary);

-- 1. A column, filled once, and beside it the model that made it. A BLOB does not tell: vectors of two models with the
--    same dimension can be compared, and the number means nothing.
ALTER TABLE note ADD COLUMN embedding BLOB;
ALTER TABLE note ADD COLUMN embedding_model TEXT;
UPDATE note SET embedding = s2v_embed(body), embedding_model = s2v_model_hash();

-- 2. Triggers keep it in step. Here id is INTEGER PRIMARY KEY; any unique column will do.
CREATE TRIGGER note_embedding_insert AFTER INSERT ON note BEGIN
  UPDATE note SET embedding = s2v_embed(new.body), embedding_model = s2v_model_hash() WHERE id = new.id;
END;
CREATE TRIGGER note_embedding_update AFTER UPDATE OF body ON note BEGIN
  UPDATE note SET embedding = s2v_embed(new.body), embedding_model = s2v_model_hash() WHERE id = new.id;
END;
INSERT INTO note(body) VALUES ('a cat on the road'), ('entirely unheard-of vocabulary'), (NULL);
UPDATE note SET body = 'my horse eats dry hay' WHERE id = 3;
.print 'rows that are out of step: 0 is right'
SELECT count(*) FROM note WHERE embedding IS NOT s2v_embed(body);

-- 3. A text without a known word has no embedding. NULL sorts below every number, so it comes last here, and
--    would come first with ORDER BY s2v_distance(...): add WHERE embedding IS NOT NULL there.
.print 'id, has an embedding, similarity'
SELECT id, embedding IS NOT NULL, round(s2v_cosine(embedding, 'the cat wants some fish'), 2) AS similarity
FROM note ORDER BY similarity DESC;
--    A question without a known word is near to no row. The condition outside the LIMIT says so: no rows, and not the
--    first ones of the table. s2v_tokens shows what is known of a question.
.print 'answers to a question that is not understood: 0 is right'
SELECT count(*) FROM (SELECT s2v_cosine(embedding, 'entirely unheard-of') AS similarity FROM note
                      ORDER BY similarity DESC LIMIT 3) WHERE similarity IS NOT NULL;
SELECT token, known FROM s2v_tokens('unheard-of fish');

-- 4. A column that stores nothing. It is computed when it is read.
ALTER TABLE note ADD COLUMN live_embedding BLOB AS (s2v_embed(body)) VIRTUAL;

-- 5. After retraining, stored embeddings belong to a model that is gone: fill them again, those that are stale. That
--    may be done in steps; a search meanwhile leaves the others out. The live column follows by itself.
SELECT s2v_train('note', 'body', json_object('dimension', 24, 'min_count', 1, 'min_target_count', 1)) IS NOT NULL;
.print 'rows of another model, after retraining, after a first step and at the end: 9, 5, 0 are right'
SELECT count(*) FROM note WHERE embedding_model IS NOT s2v_model_hash();
UPDATE note SET embedding = s2v_embed(body), embedding_model = s2v_model_hash()
WHERE id IN (SELECT id FROM note WHERE embedding_model IS NOT s2v_model_hash() LIMIT 4);
SELECT count(*) FROM note WHERE embedding_model IS NOT s2v_model_hash();
.print 'the nearest of those that can be compared'
SELECT id, round(s2v_cosine(embedding, 'the cat wants some fish'), 2) AS similarity
FROM note WHERE embedding_model = s2v_model_hash() ORDER BY similarity DESC LIMIT 1;
UPDATE note SET embedding = s2v_embed(body), embedding_model = s2v_model_hash()
WHERE embedding_model IS NOT s2v_model_hash();
SELECT count(*) FROM note WHERE embedding_model IS NOT s2v_model_hash();
.print 'rows that are out of step: 0 is right'
SELECT count(*) FROM note WHERE embedding IS NOT live_embedding;
-- The same model, trained again, has the same hash: nothing is stale.
-- Make no index on s2v_embed(...) or on live_embedding: each training would have to rebuild it, row by row. One on
-- embedding_model is fine.
.print 'bytes of a stored and of a live embedding'
SELECT length(embedding), length(live_embedding) FROM note WHERE id = 1;
.print 'end of embedding_column.sql'
