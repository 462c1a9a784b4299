.read setup.inc
SELECT 'without a model', * FROM s2v_explain('red fox', 'rain');
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
SELECT feature_a, feature_b FROM s2v_explain('A red fox', 'zzz old RED old');
SELECT 'the shares add up to the cosine', abs(sum(share) - s2v_cosine('a red fox', 'the old tree')) < 1e-6 FROM s2v_explain('a red fox', 'the old tree');
SELECT 'of all texts', max(abs((SELECT sum(share) FROM s2v_explain(a.body, b.body)) - s2v_cosine(s2v_embed(a.body), s2v_embed(b.body)))) < 1e-6 FROM docs AS a, docs AS b WHERE a.id < 9 AND b.id < 9;
SELECT 'of a text with itself', abs(sum(share) - 1) < 1e-6, sum(share > 0) > 0 FROM s2v_explain('a red fox', 'a red fox');
SELECT 'a feature with itself', max(abs(similarity - 1)) < 1e-6 FROM s2v_explain('a red fox', 'a red fox') WHERE feature_a = feature_b;
SELECT 'of words it is their cosine', max(abs(similarity - s2v_cosine(feature_a, feature_b))) < 1e-6 FROM s2v_explain('a red fox', 'the old tree') WHERE feature_a NOT LIKE '% %' AND feature_b NOT LIKE '% %';
SELECT 'why they are near', feature_a, feature_b FROM s2v_explain('the red fox sleeps', 'a red tree') ORDER BY similarity DESC LIMIT 1;
SELECT 'nothing', (SELECT count(*) FROM s2v_explain(NULL, 'red')), (SELECT count(*) FROM s2v_explain('red', NULL)), (SELECT count(*) FROM s2v_explain('', 'red')), (SELECT count(*) FROM s2v_explain('red', 'zzz'));
SELECT 'invalid UTF-8', count(*) FROM s2v_explain('red ' || CAST(x'fffe' AS TEXT), 'fox');
SELECT 'a BLOB', * FROM s2v_explain('red', x'00');
SELECT 'unknown model', * FROM s2v_explain('red', 'fox', 'nope');
SELECT 'b is missing', * FROM s2v_explain('red');
PRAGMA trusted_schema = 0;
CREATE VIEW why AS SELECT id, feature_a, share FROM docs, s2v_explain('red fox', body);
SELECT 'in a view', count(*) > 80 FROM why;
