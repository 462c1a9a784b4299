.read setup.inc
SELECT 'without a model', * FROM s2v_tokens('red fox');
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
SELECT token, n, position, known, count, norm > 0, weight > 0 FROM s2v_tokens('Red FOX sleeps, zzz under the old ship.');
SELECT 'unknown words', group_concat(token, ' ') FROM s2v_tokens('Red FOX sleeps, zzz under the old ship.') WHERE NOT known AND n = 1;
SELECT 'how much of a text is known', avg(known) FROM s2v_tokens('the red fox zzz') WHERE n = 1;
SELECT 'texts and their rarest word', count(*), min(rarest) FROM (SELECT id, min(t.count), t.token AS rarest FROM docs, s2v_tokens(body) AS t WHERE t.n = 1 GROUP BY id);
SELECT 'counts are those of s2v_words', min(t.count = w.count AND abs(t.norm - w.norm) < 1e-6) FROM s2v_tokens('the red fox') AS t JOIN s2v_words AS w ON w.word = t.token WHERE t.n = 1;
SELECT 'the weight is a / (a + f), of a word times what bursts and rarity make of it',
  max(abs(t.weight - a / (a + 1.0 * t.count / tokens) * iif(t.n = 1, (1 + 3 / 20.0 * (w.burst - 1)) * (1 + 1 / (2.0 + t.count)), 1))) < 1e-6
  FROM (SELECT tokens, parameters ->> 'smoothing' AS a FROM s2v_models), s2v_tokens('the red fox') AS t LEFT JOIN s2v_word AS w ON w.word = t.token;
SELECT 'nothing: NULL', count(*) FROM s2v_tokens(NULL);
SELECT 'nothing: empty', count(*) FROM s2v_tokens('');
SELECT 'nothing: white space', count(*) FROM s2v_tokens('  ' || char(10));
SELECT 'a number is a text', token FROM s2v_tokens(42);
SELECT 'invalid UTF-8', count(*) > 0, sum(known) FROM s2v_tokens('red ' || CAST(x'fffe' AS TEXT) || ' fox');
SELECT 'no weights, no n-grams', json_extract(s2v_train('docs', 'body', json_set(options, '$.model', 'plain', '$.smoothing', 0, '$.ngram_order', 1)), '$.ngrams') FROM tiny;
SELECT token, n, weight FROM s2v_tokens('red fox', 'plain');
SELECT 'a BLOB', * FROM s2v_tokens(x'00');
SELECT 'unknown model', * FROM s2v_tokens('red', 'nope');
SELECT 'unknown model, no text', * FROM s2v_tokens(NULL, 'nope');
SELECT 'text is missing', * FROM s2v_tokens;
PRAGMA trusted_schema = 0;
CREATE VIEW unknown AS SELECT id, token FROM docs, s2v_tokens(body) WHERE NOT known AND n = 1;
SELECT 'in a view', count(*) FROM unknown;
