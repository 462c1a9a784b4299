-- FTS5 and s2v_cosine added by score, the recipe of examples/search.sql, on rows whose scores can be worked out by hand:
-- ten rows of similarity 1, nine of 0 and one without a vector, so the mean is 10/19 and the mean of the ten best is 1.
-- A row of similarity 1 gets 0.25 for it, one of 0 gets 0.25 * (0 - 10/19) / (1 - 10/19) = -0.2778.
-- The two texts with fish are equally long: each is the best by words and gets 1.
CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT, embedding BLOB);
INSERT INTO remark SELECT value, 'a boat', CASE WHEN value <= 10 THEN s2v_from_json('[2,0]') WHEN value < 20 THEN s2v_from_json('[0,1]') END
FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]');
UPDATE remark SET body = 'some fish' WHERE id IN (4, 17);
CREATE VIRTUAL TABLE remark_words USING fts5(body, content = 'remark', content_rowid = 'id');
INSERT INTO remark_words(remark_words) VALUES('rebuild');
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.dimension') FROM tiny;
CREATE TEMP TABLE q(text, vector);
INSERT INTO q VALUES('fish', s2v_from_json('[1,0]'));
CREATE TEMP VIEW question AS
  SELECT (SELECT ifnull(group_concat('"' || replace(token, '"', '') || '"', ' OR '), '""') FROM s2v_tokens(q.text)) AS words, vector FROM q;
CREATE TEMP VIEW by_both AS
  WITH words AS (
    SELECT rowid AS id, -bm25(remark_words) AS bm25 FROM remark_words
    WHERE remark_words MATCH (SELECT words FROM question)
  ), meaning AS MATERIALIZED (
    SELECT id, s2v_cosine(embedding, (SELECT vector FROM question)) AS similarity FROM remark
  ), scale AS (
    SELECT (SELECT max(bm25) FROM words) AS best_bm25, (SELECT avg(similarity) FROM meaning) AS mean,
           (SELECT avg(similarity) FROM (SELECT similarity FROM meaning ORDER BY similarity DESC LIMIT 10)) AS best
  )
  SELECT id, ifnull(bm25 / best_bm25, 0) + ifnull(0.25 * (similarity - mean) / (best - mean), 0) AS score
  FROM meaning LEFT JOIN words USING (id) JOIN scale
  WHERE bm25 IS NOT NULL OR similarity IS NOT NULL ORDER BY score DESC, id LIMIT 20;
SELECT 'by both', group_concat(id, ' ') FROM by_both;
SELECT 'worked out by hand', min(abs(score - CASE id WHEN 4 THEN 1.25 WHEN 17 THEN 1 - 0.25 * 10 / 9
  ELSE iif(id <= 10, 0.25, -0.25 * 10 / 9) END) < 1e-9) FROM by_both;
-- Whatever a user types is words, never the syntax of FTS5.
UPDATE q SET text = 'boat  "road" AND (NEAR fish* - ^boat: "';
SELECT 'syntax', count(*) FROM by_both;
UPDATE q SET text = '';
SELECT 'no words', group_concat(id, ' ') FROM by_both;
UPDATE q SET text = 'unheard-of';
SELECT 'unknown words', group_concat(id, ' ') FROM by_both;
UPDATE q SET vector = NULL, text = 'fish';
SELECT 'no vector', group_concat(id, ' ') FROM by_both;
UPDATE q SET text = 'unheard-of';
SELECT 'nothing understood', count(*) FROM by_both;
