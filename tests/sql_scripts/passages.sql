-- s2v_snippet and s2v_highlight: the passage that answers, and the question's words marked.
.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE TABLE pages(id INTEGER PRIMARY KEY, title, body);
INSERT INTO pages VALUES
  (1, 'Rates', 'The treasury was slow. It waited for weeks. Then the central bank cut its key rate; lenders'' rates followed. A <b>bold</b> move & more. Others waited until the end of the year, when all was quiet.'),
  (2, 'C++ & .NET', 'The C++ language, camelCase in snake_case, and C#. Don’t stop at 1,000.'),
  (3, '東京', '私は東京都に住んでいます。天気がいいです。'), (4, 'Türen', 'Die Haustür ist zu, das Haus ist groß. Straßen und Häuser.'),
  (5, NULL, x'00'), (6, '한국', '서울에서 살아요. 부산에 가요.'), (7, 17, '...!?'), (8, 'invalid', CAST(x'63617465ff6761746520c3' AS TEXT)),
  (11, 'choices', 'Of alpha, alphabet, alphanumeric and alphas. Here is the alphabet.'),
  (9, 'soft', 'the har' || char(173) || 'bour, the Cafe' || char(769) || ', the café');
CREATE VIRTUAL TABLE find USING s2v_index(pages, title, body, tokenize = 's2v german+english parts');
CREATE VIRTUAL TABLE porter USING s2v_index(pages, title, body, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE trigram USING s2v_index(pages, body, tokenize = 'trigram');
CREATE VIRTUAL TABLE near USING s2v_index(pages, body, words = off);
.mode list
SELECT 'passage', s2v_snippet(find, -1, '[', ']', '...', 8) FROM find('key rates cut', 1);
SELECT 'column', s2v_snippet(find, 'TITLE', '[', ']', '...', 8), s2v_snippet(find, 0) FROM find('key rates cut', 1);
SELECT 'as some drivers bind numbers', s2v_snippet(find, 1.0, '[', ']', '...', 3.0) FROM find('key rates cut', 1);
SELECT 'defaults', s2v_snippet(find) FROM find('lender bold', 1);
SELECT 'all of it', s2v_highlight(find, 1, '[', ']') FROM find('key rates cut', 1);
SELECT 'HTML', s2v_highlight(find, 'body', '<i>', '</i>', 'html') FROM find('bold', 1);
SELECT 'names', s2v_highlight(find, 0, '[', ']'), s2v_highlight(find, 1, '[', ']') FROM find('C++ name .NET c# case don''t 1,000', 1, 'words');
SELECT 'pairs', s2v_highlight(find, 0, '[', ']'), s2v_highlight(find, 1, '[', ']') FROM find('東京都の天気', 1, 'words');
SELECT 'one character', s2v_highlight(find, 0, '[', ']'), s2v_highlight(find, 1, '[', ']') FROM find('京', 1, 'words');
SELECT 'compounds', s2v_highlight(find, 1, '[', ']') FROM find('Haus Strasse', 1, 'words');
SELECT 'Hangul', s2v_highlight(find, 1, '[', ']') FROM find('서울', 1, 'words');
SELECT 'soft hyphen, accents', s2v_highlight(find, 1, '[', ']') = 'the [har' || char(173) || 'bour], the [Cafe' || char(769) || '], the [café]' FROM find('harbour café', 1, 'words');
SELECT 'not UTF-8', hex(s2v_highlight(find, 1, '[', ']')) FROM find('gates', 1, 'words');
SELECT 'FTS5''s', s2v_highlight(porter, 1, '[', ']'), s2v_snippet(porter, 1, '[', ']', '~', 4) FROM porter('lender cutting', 1, 'words');
SELECT 'trigrams', s2v_highlight(trigram, 'body', '[', ']') FROM trigram('lender', 1, 'words');
SELECT 'a vector, no words', s2v_snippet(find, 1, '[', ']', '~', 3) GLOB '*~*', instr(s2v_snippet(find, 1, '[', ']', '~', 3), '[') FROM find(s2v_embed('the bank'), 10) WHERE rowid = 1;
SELECT 'words = off', s2v_snippet(near, 0, '[', ']', '~', 3) GLOB '*~*', instr(s2v_highlight(near, 0, '[', ']'), '[') FROM near('the bank', 10) WHERE rowid = 1;
SELECT 'by meaning', s2v_highlight(find, 0, '[', ']') FROM find('rates of the bank', 10, 'meaning') WHERE rowid = 1;
SELECT 'less what is left out', s2v_highlight(find, 1, '[', ']') FROM find('rate -"bank rate" -title:year', 10, 'meaning') WHERE rowid = 1;
SELECT 'corrected', s2v_highlight(find, 1, '[', ']'), corrections FROM find('Straaßen Haaus', 10) WHERE rowid = 4;
SELECT 'beginning', s2v_highlight(find, 1, '[', ']') FROM find('bank fol*', 10, 'meaning') WHERE rowid = 1;
SELECT 'its choices count once', s2v_snippet(find, 1, '[', ']', '~', 3) FROM find('the alph*', 1, 'words');
SELECT 'no text, no words', s2v_highlight(find, 0, '[', ']'), s2v_snippet(find, 1) FROM find('17', 1, 'words');
-- The row is told through sorters and subqueries.
SELECT 'sorted', rowid, s2v_snippet(f, 0) = coalesce('<b>' || title || '</b>', 'x') FROM (SELECT find AS f, rowid FROM find('rates invalid', 2, 'words') ORDER BY rowid DESC LIMIT 9) JOIN pages ON id = rowid;
SELECT 'two questions', group_concat(s2v_highlight(a.find, 0, '[', ']') || s2v_highlight(b.find, 0, '(', ')')) FROM find('invalid', 1, 'words') AS a, find('rates', 1, 'words') AS b;
SELECT 'NULL', s2v_snippet(NULL), s2v_highlight(NULL, 0, '', ''), s2v_snippet(find, NULL), s2v_highlight(find, 0, NULL, '') FROM find('rates', 1);
-- A text of a megabyte.
INSERT INTO pages(id, title, body) SELECT 10, replace(hex(zeroblob(500000)), '00', '. '), replace(hex(zeroblob(100000)), '00', 'some words ') || 'gluon ' || replace(hex(zeroblob(500000)), '0', 'y');
SELECT 'huge', length(s2v_snippet(find, 'body', '[', ']', '~', 5)), s2v_snippet(find, 1, '[', ']', '~', 5) LIKE '%[gluon]%', length(s2v_highlight(find, 1, '[', ']')), length(s2v_snippet(find, 0, '', '', '~', 5)) FROM find('gluon', 1, 'words');
-- Refused.
SELECT s2v_snippet(1);
SELECT s2v_snippet('rates') FROM find('rates', 1);
SELECT s2v_snippet(x'00');
SELECT s2v_snippet(find, 2) FROM find('rates', 1);
SELECT s2v_highlight(find, -1, '', '') FROM find('rates', 1);
SELECT s2v_snippet(find, 'nothing') FROM find('rates', 1);
SELECT s2v_snippet(find, 1.5) FROM find('rates', 1);
SELECT s2v_snippet(find, 1, '[', ']', '~', 0) FROM find('rates', 1);
SELECT s2v_snippet(find, 1, '[', ']', '~', 1001) FROM find('rates', 1);
SELECT s2v_snippet(find, 1, '[', ']', '~', 'many') FROM find('rates', 1);
SELECT s2v_highlight(find, 1, x'00', ']') FROM find('rates', 1);
SELECT s2v_highlight(find, 1, '[', ']', 'xml') FROM find('rates', 1);
.limit length 3000000
SELECT length(s2v_highlight(find, 1, replace(hex(zeroblob(5000)), '0', '['), ']')) FROM find('some', 1, 'words');
SELECT length(s2v_highlight(find, 1, '[', ']', 'html')) FROM find('gluon', 1, 'words');
.limit length 1000000000
CREATE TABLE vectors(id INTEGER PRIMARY KEY, v BLOB);
INSERT INTO vectors VALUES(1, s2v_embed('the bank'));
CREATE VIRTUAL TABLE of_vectors USING s2v_index(vectors, v);
SELECT s2v_snippet(of_vectors, 0) FROM of_vectors(s2v_embed('the bank'), 1);
SELECT s2v_snippet(of_vectors) IS NULL FROM of_vectors(s2v_embed('the bank'), 1);
