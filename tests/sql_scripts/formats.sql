-- Columns of HTML, Markdown and JSON: what a training, an embedding, an index's words and snippets take for text.
.read setup.inc
CREATE TABLE pages(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
INSERT INTO pages SELECT id, 'page ' || id, '<div class="article"><p>' || replace(body, 'fox', '<b>f&#111;x</b>') || ' &amp; all of it is in the news</p><script>var harbour;</script></div>' FROM docs;
CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO notes SELECT id, '## A note' || char(10) || body || ', and it is [here](http://harbour.example/news)' FROM docs;
CREATE TABLE events(id INTEGER PRIMARY KEY, body TEXT);
INSERT INTO events SELECT id, json_object('harbour', body || ' and that is what it is', 'the', json_array('of', id), 'flag', json('true')) FROM docs;

-- Recognised, and told as a choice.
.mode list
SELECT json_extract(s, '$.choices.tokenizer.value'), substr(json_extract(s, '$.choices.tokenizer.reason'), 1, 40) FROM (
  SELECT s2v_train('pages', 'body', json_remove(options, '$.tokenizer')) AS s FROM tiny);
SELECT json_extract(s, '$.choices.tokenizer.value'), substr(json_extract(s, '$.choices.tokenizer.reason'), 1, 40) FROM (
  SELECT s2v_train('notes', 'body', json_remove(options, '$.tokenizer')) AS s FROM tiny);
SELECT json_extract(s, '$.choices.tokenizer.value'), substr(json_extract(s, '$.choices.tokenizer.reason'), 1, 40) FROM (
  SELECT s2v_train('events', 'body', json_remove(options, '$.tokenizer')) AS s FROM tiny);
-- No word of a tag, a key or an address is one of the model's.
SELECT name, (SELECT count(*) FROM s2v_words(name) WHERE word IN ('div', 'class', 'article', 'script', 'var', 'amp', 'b', 'http', 'exampl', 'flag', 'true')) AS markup,
  (SELECT count(*) FROM s2v_words(name) WHERE word IN ('fox', 'bank')) AS words, json_extract(parameters, '$.tokenizer') AS tokenizer FROM s2v_models ORDER BY name;
SELECT group_concat(token, ' ') FROM s2v_tokens('<p title="fox">a <b>red</b>&nbsp;f&#111;x &lt;sleeps&gt;', 'pages');
SELECT s2v_embed('a red fox', 'pages') = s2v_embed('<p>a <i>red</i> f&#111;x</p>', 'pages') AS same_vector;

-- Said: the format alone, with a language, or neither.
SELECT json_extract(s2v_train('docs', 'body', json_patch(options, '{"tokenizer": "html"}')), '$.choices.tokenizer.value') FROM tiny;
SELECT json_extract(s2v_train('pages', 'body', json_patch(options, '{"tokenizer": "html:german", "model": "german"}')), '$.model') FROM tiny;
SELECT tokenizer FROM (SELECT json_extract(parameters, '$.tokenizer') AS tokenizer FROM s2v_models WHERE name = 'german');
SELECT json_extract(s2v_train('pages', 'body', json_patch(options, '{"tokenizer": "english", "model": "raw"}')), '$.model') FROM tiny;
SELECT count(*) AS words_of_tags FROM s2v_words('raw') WHERE word IN ('div', 'class', 'script');
SELECT s2v_train('pages', 'body', '{"tokenizer": "xml:english"}');
SELECT s2v_train('pages', 'body', '{"tokenizer": "html:klingon"}');

-- An index: its words, its snippets, its typing.
CREATE VIRTUAL TABLE pages_search USING s2v_index(pages, title, body, model = pages);
CREATE VIRTUAL TABLE events_search USING s2v_index(events, body, model = events);
INSERT INTO pages VALUES(1000, 'late', '<p>A zebra &lt;ate&gt; the <a href="giraffe">str<b>aw</b></a>.</p><p>It is a caf&eacute;.');
INSERT INTO events VALUES(1000, '{"giraffe": ["zebra \u003cb\u003e", {"x": "straw"}]}');
SELECT value AS tokenize FROM pages_search_config WHERE name = 'tokenize';
SELECT 'waiting', (SELECT count(*) FROM pages_search('zebra', 5, 'words')), (SELECT count(*) FROM pages_search('giraffe', 5, 'words')),
  (SELECT count(*) FROM events_search('zebra', 5, 'words')), (SELECT count(*) FROM events_search('giraffe', 5, 'words'));
INSERT INTO pages_search(pages_search) VALUES('sync');
INSERT INTO events_search(events_search) VALUES('sync');
SELECT 'taken in', (SELECT count(*) FROM pages_search('zebra', 5, 'words')), (SELECT count(*) FROM pages_search('giraffe', 5, 'words')),
  (SELECT count(*) FROM events_search('zebra', 5, 'words')), (SELECT count(*) FROM events_search('giraffe', 5, 'words'));
SELECT s2v_snippet(pages_search, 1, '[', ']', '...', 8) FROM pages_search('zebra straw', 1);
SELECT s2v_highlight(pages_search, 'body', '<b>', '</b>', 'html') FROM pages_search('cafe straw', 1);
SELECT s2v_highlight(events_search, 'body', '[', ']') FROM events_search('straw', 1);
SELECT count(*) AS found FROM pages_search('"the straw"', 5, 'words');
SELECT count(*) AS a_row_like_a_row FROM pages AS p, pages_search(p.body, 1, 'meaning') AS s WHERE p.id = 1 AND s.similarity > 0.999;
SELECT corrections FROM pages_search('giraffes zebrra', 1);
INSERT INTO pages_search(pages_search) VALUES('integrity-check');
INSERT INTO events_search(events_search) VALUES('integrity-check');
