-- Search by words, by meaning, and by both: FTS5, s2v_cosine, and their ranks added up.
--
--   sqlite3 -bail -cmd '.load ./build/s2v' :memory: '.read examples/search.sql'
--
-- Words find what is named, embeddings find what is near; reciprocal rank fusion (Cormack, Clarke,
-- Buettcher, SIGIR 2009) needs no common scale: a row's score is the sum of 1 / (60 + its rank).

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

CREATE VIRTUAL TABLE remark_words USING fts5(body, content = 'remark', content_rowid = 'id');
INSERT INTO remark_words(remark_words) VALUES('rebuild');

SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20, 'learning_rate', 0.1,
                 'subsampling_threshold', 1, 'workers', 1)) IS NOT NULL;
UPDATE remark SET embedding = s2v_embed(body);

-- The question, as an application binds it; the words of it that FTS5 looks for are made in the statement.
.parameter init
.parameter set :text "'fresh fish for my dog'"

.mode column
.print 'By words:'
SELECT body FROM remark_words
WHERE remark_words MATCH '"' || replace(replace(:text, '"', '""'), ' ', '" OR "') || '"' ORDER BY rank LIMIT 5;

.print
.print 'By meaning:'
SELECT body, round(s2v_cosine(embedding, :text), 3) AS similarity FROM remark
ORDER BY s2v_cosine(embedding, :text) DESC LIMIT 5;

.print
.print 'By both:'
-- The recipe. Each list is cut to its best 50 before it is numbered; a row that is in one list only has that list's
-- share. tests/sql_scripts/hybrid.sql holds it to numbers worked out by hand.
WITH by_words(id, place) AS (
  SELECT id, row_number() OVER (ORDER BY rank) FROM (
    SELECT rowid AS id, rank FROM remark_words
    WHERE remark_words MATCH '"' || replace(replace(:text, '"', '""'), ' ', '" OR "') || '"'
    ORDER BY rank LIMIT 50)
), by_meaning(id, place) AS (
  SELECT id, row_number() OVER (ORDER BY similarity DESC) FROM (
    SELECT id, s2v_cosine(embedding, :text) AS similarity FROM remark
    WHERE embedding IS NOT NULL ORDER BY similarity DESC LIMIT 50)
)
SELECT body, round(sum(1.0 / (60 + place)), 4) AS score
FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning) JOIN remark USING (id)
GROUP BY id ORDER BY score DESC, id LIMIT 5;
.print 'end of search.sql'
