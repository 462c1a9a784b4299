.read setup.inc
CREATE TEMP TABLE v(name, a, b);
INSERT INTO v VALUES
  ('same', s2v_from_json('[1,2,3]'), s2v_from_json('[1,2,3]')),
  ('scaled', s2v_from_json('[1,2,3]'), s2v_from_json('[10,20,30]')),
  ('opposite', s2v_from_json('[1,2,3]'), s2v_from_json('[-2,-4,-6]')),
  ('orthogonal', s2v_from_json('[1,0]'), s2v_from_json('[0,5]')),
  ('sixty degrees', s2v_from_json('[1,0]'), s2v_from_json('[1,1.7320508]')),
  ('zero vector', s2v_from_json('[0,0]'), s2v_from_json('[1,2]')),
  ('empty vectors', x'', x''),
  ('empty and not', x'', s2v_from_json('[1]')),
  ('NULL', NULL, s2v_from_json('[1]')),
  ('large and small', s2v_from_json('[3e38,3e38]'), s2v_from_json('[1e-45,0]'));
SELECT name, round(s2v_cosine(a, b), 6), round(s2v_distance(a, b), 6), round(s2v_cosine(b, a), 6) FROM v;
SELECT 'in range', min(s2v_cosine(a, b)) >= -1, max(s2v_cosine(a, b)) <= 1, min(s2v_distance(a, b)) >= 0 FROM v;
SELECT 'text without a model', s2v_cosine('red fox', x'0000803f');
SELECT 'trained', json_extract(s2v_train('docs', 'body', json_set(options, '$.recipe', 'fast')), '$.dimension') FROM tiny;
SELECT 'text and text', s2v_cosine('red fox', 'RED fox') > 0.999999;
SELECT 'text and vector', abs(s2v_cosine('red fox', s2v_embed('old tree')) - s2v_cosine(s2v_embed('red fox'), s2v_embed('old tree'))) < 1e-6;
SELECT 'symmetric', abs(s2v_cosine('red fox', 'rain') - s2v_cosine('rain', 'red fox')) < 1e-9;
SELECT 'nearer', s2v_cosine('red fox', 'old tree') > s2v_cosine('red fox', 'bank rate');
SELECT 'distance', abs(s2v_distance('red fox', 'rain') + s2v_cosine('red fox', 'rain') - 1) < 1e-9;
SELECT 'unknown text', s2v_cosine('zzz', 'red') IS NULL, s2v_cosine('red', '') IS NULL, s2v_distance('zzz', 'red') IS NULL;
SELECT 'every pair in range', min(s2v_distance(a.body, b.body)) >= 0, max(s2v_distance(a.body, b.body)) <= 2 FROM docs a, docs b;
SELECT 'of itself', max(abs(s2v_distance(body, s2v_embed(body)))) < 1e-6 FROM docs;
SELECT 'different lengths', s2v_cosine(s2v_from_json('[1,2]'), s2v_from_json('[1,2,3]'));
SELECT 'another dimension than the model', s2v_cosine('red', s2v_from_json('[1,2,3]'));
SELECT 'not a multiple of 4', s2v_cosine(x'0000803f', x'000080');
SELECT 'NaN', s2v_cosine(x'0000c07f', x'0000803f');
SELECT 'infinity', s2v_distance(x'0000803f', x'0000807f');
SELECT 'NaN in later rows', s2v_cosine(value, x'0000803f') FROM (SELECT x'0000803f' AS value UNION ALL SELECT x'00000040' UNION ALL SELECT x'0000c0ff');
SELECT 'a number', s2v_cosine(1, 'red');
SELECT 'a number', s2v_distance('red', 1.5);
-- A model of another name and dimension for both texts; also where the name is of a column.
SELECT 'small', json_extract(s2v_train('docs', 'body', json_set(json_set(options, '$.recipe', 'fast'), '$.dimension', 4, '$.model', 'small')), '$.dimension') FROM tiny;
SELECT 'by name', abs(s2v_cosine('red fox', 'rain', 'small') - s2v_cosine(s2v_embed('red fox', 'small'), s2v_embed('rain', 'small'))) < 1e-6;
SELECT 'distance', abs(s2v_distance('red fox', 'rain', 'small') + s2v_cosine('red fox', 'rain', 'small') - 1) < 1e-9;
SELECT 'text and vector', abs(s2v_cosine('red fox', s2v_embed('rain', 'small'), 'small') - s2v_cosine('red fox', 'rain', 'small')) < 1e-6;
SELECT 'NULL', s2v_cosine('red fox', 'rain', NULL) = s2v_cosine('red fox', 'rain');
SELECT 'a model of a column', count(*), min(abs(s2v_cosine('red fox', 'rain', model) - s2v_cosine(s2v_embed('red fox', model), s2v_embed('rain', model))) < 1e-6)
FROM (SELECT 'docs' AS model UNION ALL SELECT 'small' UNION ALL SELECT NULL UNION ALL SELECT 'small' UNION ALL SELECT 'docs');
SELECT 'vector and model of columns', count(*), min(abs(s2v_cosine('red fox', s2v_embed(body, model), model) - s2v_cosine(s2v_embed('red fox', model), s2v_embed(body, model))) < 1e-6)
FROM docs, (SELECT 'docs' AS model UNION ALL SELECT 'small');
SELECT 'no such model', s2v_cosine('red', 'fox', 'none');
SELECT 'a vector of another model', s2v_cosine('red', s2v_embed('red'), 'small');
SELECT 'float64 of the model', s2v_cosine(zeroblob(64), 'red');
