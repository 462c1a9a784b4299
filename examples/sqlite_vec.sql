-- Embeddings of s2v in sqlite-vec: our BLOBs are what its vec0 tables store and search.
--
--   npm install sqlite-vec
--   sqlite3 -bail -cmd '.load ./build/s2v' -cmd '.load node_modules/sqlite-vec-linux-x64/vec0' :memory: \
--     '.read examples/sqlite_vec.sql'
--
-- sqlite-vec has the table of vectors (here in chunks, which it scans faster than rows; it also has partition keys and
-- metadata columns); s2v makes the vectors. Give vec0 no NULL: it wants a vector in each row. Each check
-- prints a name and 1.

CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT, embedding BLOB);
-- 54 remarks: too few to learn a language from, enough to learn which words keep which company.
INSERT INTO remark(body)
  WITH who(w) AS (VALUES('the cat'), ('a dog'), ('my horse')),
       eats(v) AS (VALUES('eats'), ('smells'), ('wants')),
       food(o) AS (VALUES('some fish'), ('fresh meat'), ('dry hay'))
  SELECT w || ' ' || v || ' ' || o FROM who, eats, food;
INSERT INTO remark(body)
  WITH what(w) AS (VALUES('the car'), ('a bus'), ('my truck')),
       goes(v) AS (VALUES('crosses'), ('follows'), ('blocks')),
       road(o) AS (VALUES('the road'), ('this street'), ('that bridge'))
  SELECT w || ' ' || v || ' ' || o FROM what, goes, road;
SELECT 'trained', s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20, 'learning_rate', 0.1,
                            'subsampling_threshold', 1, 'workers', 1)) IS NOT NULL;
UPDATE remark SET embedding = s2v_embed(body);

-- 1. A table of each metric, filled from the column. L2 is vec0's default; embeddings have length 1, so its order is
--    that of the cosine: L2 = sqrt(2 * s2v_distance).
CREATE VIRTUAL TABLE by_cosine USING vec0(embedding float[100] distance_metric=cosine);
CREATE VIRTUAL TABLE by_l2 USING vec0(embedding float[100]);
INSERT INTO by_cosine(rowid, embedding) SELECT id, embedding FROM remark WHERE embedding IS NOT NULL;
INSERT INTO by_l2(rowid, embedding) SELECT id, embedding FROM remark WHERE embedding IS NOT NULL;

-- 2. Triggers keep it in step with the text, without a column of our own.
CREATE TRIGGER remark_vec_insert AFTER INSERT ON remark WHEN s2v_embed(new.body) IS NOT NULL BEGIN
  INSERT INTO by_cosine(rowid, embedding) VALUES (new.id, s2v_embed(new.body));
END;
CREATE TRIGGER remark_vec_delete AFTER DELETE ON remark BEGIN
  DELETE FROM by_cosine WHERE rowid = old.id;
END;
CREATE TRIGGER remark_vec_update AFTER UPDATE OF body ON remark BEGIN
  DELETE FROM by_cosine WHERE rowid = old.id;
  INSERT INTO by_cosine(rowid, embedding) SELECT new.id, s2v_embed(new.body) WHERE s2v_embed(new.body) IS NOT NULL;
END;
INSERT INTO remark(id, body) VALUES (100, 'fresh fish'), (101, 'entirely unheard-of vocabulary'), (102, NULL);
UPDATE remark SET body = 'a dog smells fresh fish' WHERE id = 1;
SELECT 'in step after INSERT and UPDATE', count(*) = 55
  AND sum(v.embedding IS s2v_embed(r.body)) = 55 FROM by_cosine AS v JOIN remark AS r ON r.id = v.rowid;
DELETE FROM remark WHERE id >= 100;
UPDATE remark SET body = 'the cat eats some fish' WHERE id = 1;
SELECT 'in step after DELETE', count(*) = 54
  AND sum(v.embedding IS r.embedding) = 54 FROM by_cosine AS v JOIN remark AS r ON r.id = v.rowid;

-- 3. Nearest rows to a text.
.print 'nearest to a text:'
SELECT body FROM by_cosine AS v JOIN remark AS r ON r.id = v.rowid
WHERE v.embedding MATCH s2v_embed('fresh fish for my dog') AND k = 3 ORDER BY distance;

-- 4. The same rows in the same order as s2v's own functions give, by either metric.
CREATE TEMP TABLE ours AS
  SELECT row_number() OVER (ORDER BY s2v_distance(embedding, 'fresh fish for my dog')) AS place, id,
         s2v_distance(embedding, 'fresh fish for my dog') AS distance FROM remark;
CREATE TEMP TABLE theirs AS
  SELECT row_number() OVER (ORDER BY distance) AS place, rowid AS id, distance FROM by_cosine
  WHERE embedding MATCH s2v_embed('fresh fish for my dog') AND k = 20;
CREATE TEMP TABLE theirs_l2 AS
  SELECT row_number() OVER (ORDER BY distance) AS place, rowid AS id, distance FROM by_l2
  WHERE embedding MATCH s2v_embed('fresh fish for my dog') AND k = 20;
SELECT 'cosine order', count(*) = 20 AND sum(ours.id = theirs.id) = 20 FROM ours JOIN theirs USING (place);
SELECT 'cosine distances', count(*) = 20 AND max(abs(ours.distance - theirs.distance)) < 1e-5
FROM ours JOIN theirs USING (id);
SELECT 'L2 order', count(*) = 20 AND sum(ours.id = theirs_l2.id) = 20 FROM ours JOIN theirs_l2 USING (place);
SELECT 'L2 distances', count(*) = 20 AND max(abs(sqrt(2 * ours.distance) - theirs_l2.distance)) < 1e-5
FROM ours JOIN theirs_l2 USING (id);

-- 5. Function by function: each reads what the other makes.
SELECT 'vec_distance_cosine', count(*) = 54 * 54 AND
  max(abs(vec_distance_cosine(a.embedding, b.embedding) - s2v_distance(a.embedding, b.embedding))) < 1e-5
FROM remark AS a, remark AS b;
SELECT 'vec_length', vec_length(s2v_embed('cat')) = 100;
SELECT 'vec_f32 and s2v_from_json', vec_f32('[1, 2.5, -3]') = s2v_from_json('[1, 2.5, -3]');
SELECT 's2v_cosine reads what vec0 stored', count(*) = 54 AND min(s2v_cosine(v.embedding, r.body)) > 0.999999
FROM by_cosine AS v JOIN remark AS r ON r.id = v.rowid;
.print 'end of sqlite_vec.sql'
