-- Search by words, by meaning, and by both: FTS5, s2v_cosine, and their scores added up.
--
--   sqlite3 -bail -cmd '.load ./build/s2v' :memory: '.read examples/search.sql'
--
-- Words find what is named, embeddings find what is near. To add them, both are brought to one scale: BM25 is divided
-- by the best of the question; the similarity is measured from the mean row (0) to the mean of the ten best (1), and
-- counts a quarter. docs/search.md says when that is better than words alone.

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

CREATE VIRTUAL TABLE remark_words USING fts5(body, content = 'remark', content_rowid = 'id', tokenize = 'porter unicode61');
INSERT INTO remark_words(remark_words) VALUES('rebuild');

SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20, 'learning_rate', 0.1,
                 'subsampling_threshold', 1, 'workers', 1)) IS NOT NULL;
UPDATE remark SET embedding = s2v_embed(body);

-- The question, as an application binds it. Its words, each in quotes, are what FTS5 looks for: whatever a user types is
-- words, never FTS5's syntax.
.parameter init
.parameter set :text "'Fresh fish for my dog?'"
CREATE TEMP TABLE question(text, words);
INSERT INTO question
  SELECT :text, ifnull(group_concat('"' || replace(token, '"', '') || '"', ' OR '), '""') FROM s2v_tokens(:text);

.mode column
.print 'What is understood of it:'
SELECT token, known FROM s2v_tokens(:text);

.print
.print 'By words:'
SELECT body, round(-rank, 3) AS bm25 FROM remark_words
WHERE remark_words MATCH (SELECT words FROM question) ORDER BY rank LIMIT 5;

.print
.print 'By meaning (a question of unknown words has no similarity, and no rows):'
SELECT * FROM (
  SELECT body, s2v_cosine(embedding, :text) AS similarity FROM remark ORDER BY similarity DESC LIMIT 5
) WHERE similarity IS NOT NULL;

.print
.print 'By both:'
-- The recipe. tests/sql_scripts/hybrid.sql holds it to numbers worked out by hand.
WITH words AS (
  SELECT rowid AS id, -bm25(remark_words) AS bm25 FROM remark_words
  WHERE remark_words MATCH (SELECT words FROM question)
), meaning AS MATERIALIZED (
  SELECT id, s2v_cosine(embedding, :text) AS similarity FROM remark
), scale AS (
  SELECT (SELECT max(bm25) FROM words) AS best_bm25, (SELECT avg(similarity) FROM meaning) AS mean,
         (SELECT avg(similarity) FROM (SELECT similarity FROM meaning ORDER BY similarity DESC LIMIT 10)) AS best
)
SELECT body, round(ifnull(bm25 / best_bm25, 0) + ifnull(0.25 * (similarity - mean) / (best - mean), 0), 3) AS score,
       round(similarity, 3) AS similarity, round(bm25, 3) AS bm25
FROM meaning LEFT JOIN words USING (id) JOIN scale JOIN remark USING (id)
WHERE bm25 IS NOT NULL OR similarity IS NOT NULL ORDER BY score DESC, id LIMIT 5;
.print 'end of search.sql'
