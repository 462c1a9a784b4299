-- Reciprocal rank fusion of FTS5 and s2v_cosine, the recipe of examples/search.sql, on vectors and texts whose ranks can
-- be seen: by words 3, 1, 2 (the shorter text is the better match), by meaning 4, 2, 1, 3.
CREATE TABLE remark(id INTEGER PRIMARY KEY, body TEXT, embedding BLOB);
INSERT INTO remark VALUES
  (1, 'fish and hay and a road', s2v_from_json('[1,2]')),
  (2, 'some more words about the fish and the hay and the very long road', s2v_from_json('[2,1]')),
  (3, 'fish', s2v_from_json('[-1,1]')),
  (4, 'a boat', s2v_from_json('[5,0]')),
  (5, 'a boat without a vector', NULL);
CREATE VIRTUAL TABLE remark_words USING fts5(body, content = 'remark', content_rowid = 'id');
INSERT INTO remark_words(remark_words) VALUES('rebuild');
CREATE TEMP TABLE q(text, vector);
INSERT INTO q VALUES('fish', s2v_from_json('[1,0]'));
CREATE TEMP VIEW by_words AS
  SELECT id, row_number() OVER (ORDER BY rank) AS place FROM (
    SELECT rowid AS id, rank FROM remark_words
    WHERE remark_words MATCH (SELECT '"' || replace(replace(text, '"', '""'), ' ', '" OR "') || '"' FROM q)
    ORDER BY rank LIMIT 50);
CREATE TEMP VIEW by_meaning AS
  SELECT id, row_number() OVER (ORDER BY similarity DESC) AS place FROM (
    SELECT id, s2v_cosine(embedding, (SELECT vector FROM q)) AS similarity FROM remark
    WHERE embedding IS NOT NULL ORDER BY similarity DESC LIMIT 50);
CREATE TEMP VIEW by_both AS
  SELECT id, sum(1.0 / (60 + place)) AS score FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning)
  GROUP BY id ORDER BY score DESC, id LIMIT 10;
SELECT 'by words', group_concat(id, ' ') FROM (SELECT id FROM by_words ORDER BY place);
SELECT 'by meaning', group_concat(id, ' ') FROM (SELECT id FROM by_meaning ORDER BY place);
SELECT 'by both', id, round(score, 6) FROM by_both;
SELECT 'worked out by hand', group_concat(abs(score - CASE id WHEN 1 THEN 1.0 / 62 + 1.0 / 63
  WHEN 2 THEN 1.0 / 63 + 1.0 / 62 WHEN 3 THEN 1.0 / 61 + 1.0 / 64 WHEN 4 THEN 1.0 / 61 END) < 1e-12, ' ') FROM by_both;
-- Whatever a user types is words, never the syntax of FTS5.
UPDATE q SET text = 'hay  "road" AND (NEAR fish* - ^boat:';
SELECT 'syntax', group_concat(id, ' ') FROM (SELECT id FROM by_words ORDER BY id);
UPDATE q SET text = '';
SELECT 'no words', (SELECT count(*) FROM by_words), (SELECT group_concat(id, ' ') FROM by_both);
UPDATE q SET text = 'unheard-of';
SELECT 'unknown words', (SELECT count(*) FROM by_words), (SELECT group_concat(id, ' ') FROM by_both);
UPDATE q SET vector = NULL, text = 'fish';
SELECT 'no vector', (SELECT group_concat(id, ' ') FROM by_words);
-- The recipe as it stands in the example, with a bound text, and by words that no row has.
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.dimension') FROM tiny;
ALTER TABLE docs ADD COLUMN embedding BLOB;
UPDATE docs SET embedding = s2v_embed(body);
CREATE VIRTUAL TABLE docs_words USING fts5(body, content = 'docs', content_rowid = 'id');
INSERT INTO docs_words(docs_words) VALUES('rebuild');
.parameter init
.parameter set :text "'fox under harbour'"
WITH by_words(id, place) AS (
  SELECT id, row_number() OVER (ORDER BY rank) FROM (
    SELECT rowid AS id, rank FROM docs_words
    WHERE docs_words MATCH '"' || replace(replace(:text, '"', '""'), ' ', '" OR "') || '"'
    ORDER BY rank LIMIT 50)
), by_meaning(id, place) AS (
  SELECT id, row_number() OVER (ORDER BY similarity DESC) FROM (
    SELECT id, s2v_cosine(embedding, :text) AS similarity FROM docs
    WHERE embedding IS NOT NULL ORDER BY similarity DESC LIMIT 50)
), by_both AS (
  SELECT id, sum(1.0 / (60 + place)) AS score
  FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning) GROUP BY id ORDER BY score DESC, id LIMIT 10
)
SELECT 'the example', count(*), min(body LIKE '%fox%'), max(score) <= 2.0 / 61 FROM by_both JOIN docs USING (id);
