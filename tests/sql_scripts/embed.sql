.read setup.inc
SELECT 'no model', s2v_embed('x');
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model', '$.words', '$.texts') FROM tiny;
SELECT 'a blob of 4 bytes a dimension', typeof(s2v_embed('red fox')), length(s2v_embed('red fox'));
CREATE TEMP TABLE e AS SELECT id, body, s2v_embed(body) AS v FROM docs;
SELECT 'unit length', abs(sum(value * value) - 1) < 1e-6 FROM json_each((SELECT s2v_to_json(v) FROM e LIMIT 1));
SELECT 'raw is not', abs(sum(value * value) - 1) > 1e-3 FROM json_each(s2v_to_json(s2v_embed('red fox', NULL, 'raw')));
SELECT 'raw of words as frequent has nearly the same direction', s2v_cosine(s2v_embed('red fox', NULL, 'raw'), 'red fox') > 0.99;
SELECT 'the model by name', s2v_embed('red fox', 'docs') = s2v_embed('red fox'), s2v_embed('red fox', 'main.docs') = s2v_embed('red fox');
SELECT 'NULL is the default model', s2v_embed('red fox', NULL) = s2v_embed('red fox'), s2v_embed('red fox', NULL, NULL) = s2v_embed('red fox');
SELECT 'a row is as its text', v = s2v_embed(body) FROM e WHERE id = 3;
SELECT 'equal texts, equal vectors', count(DISTINCT v) = count(DISTINCT body) FROM e;
SELECT 'case and spaces do not matter', s2v_embed('  Red   FOX ') = s2v_embed('red fox');
SELECT 'order matters, by bigrams', s2v_embed('red fox') <> s2v_embed('fox red');
SELECT 'unknown words add nothing', s2v_embed('red zzz') = s2v_embed('red'), s2v_embed('zzz') IS NULL, s2v_embed('') IS NULL, s2v_embed(NULL) IS NULL;
SELECT 'an unknown word splits a bigram', s2v_embed('red zzz fox') <> s2v_embed('red fox');
SELECT 'mean of the words, where no bigram is known',
  max(abs(f.value - (a.value + b.value) / 2)) < 1e-5
  FROM json_each(s2v_to_json(s2v_embed('fox rate', NULL, 'raw'))) f
  JOIN json_each(s2v_to_json(s2v_embed('fox', NULL, 'raw'))) a USING(key)
  JOIN json_each(s2v_to_json(s2v_embed('rate', NULL, 'raw'))) b USING(key);
SELECT 'nearest texts are of the same kind', count(*) = 20 FROM (SELECT body FROM e ORDER BY s2v_cosine(v, 'red fox tree') DESC LIMIT 20) WHERE body LIKE '%fox%';
SELECT 'no subtype: JSON functions see no JSON', json_array(hex(s2v_embed('red'))) = json_array(hex(s2v_embed('red')));
SELECT 'in a WHERE, a GROUP BY and an aggregate', count(*) FROM (SELECT max(s2v_embed(body)) FROM docs WHERE s2v_embed(body) IS NOT NULL GROUP BY s2v_embed(body));
SELECT 'no such model', s2v_embed('red', 'news');
SELECT 'no such model', s2v_embed('red', 'main.news');
SELECT 'no such schema', s2v_embed('red', 'aux.docs');
SELECT 'empty name', s2v_embed('red', '');
SELECT 'three names', s2v_embed('red', 'a.b.c');
SELECT 'third argument', s2v_embed('red', NULL, 'unit');
SELECT 'the third in the place of the second', s2v_embed('red', 'raw');
SELECT 'a BLOB', s2v_embed(x'726564');
SELECT 'a number is text', s2v_embed(12) IS NULL;
