-- Search by meaning and by words in one table.
--
--   sqlite3 -bail -cmd '.load ./build/s2v' :memory: '.read examples/search.sql'
--
-- Words find what is named, embeddings find what is near. s2v_index keeps both for a table, in step with it, and adds
-- their scores. docs/search.md has every way to ask, and when words alone are better.

CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT);
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

SELECT s2v_train('remark', 'body', json_object('dimension', 100, 'epochs', 20, 'learning_rate', 0.1,
                 'subsampling_threshold', 1, 'workers', 1)) IS NOT NULL;
CREATE VIRTUAL TABLE remark_search USING s2v_index(remark, body);

-- The question, as an application binds it. Whatever a user types is a question.
.parameter init
.parameter set :text "'Fresh fish for my dog?'"
.mode column
.print 'By both:'
SELECT body, score, similarity, bm25 FROM remark_search(:text, 5) JOIN remark ON id = remark_search.rowid;

.print
.print 'By meaning, and by words:'
SELECT body, similarity FROM remark_search(:text, 3, 'meaning') JOIN remark ON id = remark_search.rowid;
SELECT body, bm25 FROM remark_search(:text, 3, 'words') JOIN remark ON id = remark_search.rowid;

.print
.print 'Among some rows only:'
SELECT body, score FROM remark_search JOIN remark ON id = remark_search.rowid
WHERE remark_search MATCH :text AND remark_search.rowid IN (SELECT id FROM remark WHERE body LIKE '%horse%')
ORDER BY score DESC LIMIT 3;

.print
.print 'Conditions on columns that are named as filters:'
ALTER TABLE remark ADD COLUMN year INTEGER;
UPDATE remark SET year = 2000 + id % 25;
CREATE VIRTUAL TABLE remark_filtered USING s2v_index(remark, body, filter = 'year');
SELECT body, score, remark_filtered.year FROM remark_filtered(:text, 3) JOIN remark ON id = remark_filtered.rowid
WHERE remark_filtered.year >= 2020;

.print
.print 'The table changes, and so do the answers:'
INSERT INTO remark(body) VALUES ('fresh fish for my dog');
SELECT body, round(similarity, 3) AS similarity FROM remark_search(:text, 1) JOIN remark ON id = remark_search.rowid;

.print
.print 'A question of which nothing is known has no answers; what is known of a question:'
SELECT count(*) AS answers FROM remark_search('xylophone zeppelin', 5);
SELECT token, known FROM s2v_tokens('xylophone for my dog');
.print 'end of search.sql'
