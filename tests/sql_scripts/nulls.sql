.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
SELECT 'embed', s2v_embed(NULL) IS NULL, s2v_embed(NULL, 'docs') IS NULL, s2v_embed(NULL, NULL, NULL) IS NULL, s2v_embed(NULL, 'docs', 'raw') IS NULL, s2v_embed('') IS NULL, s2v_embed('   ') IS NULL, s2v_embed('.,;') IS NULL;
SELECT 'cosine', s2v_cosine(NULL, NULL) IS NULL, s2v_cosine('red', NULL) IS NULL, s2v_cosine(NULL, x'00') IS NULL, s2v_cosine('', 'red') IS NULL, s2v_cosine(x'', 'red') IS NULL, s2v_cosine(zeroblob(32), 'red') IS NULL;
SELECT 'distance', s2v_distance(NULL, NULL) IS NULL, s2v_distance('red', NULL) IS NULL, s2v_distance(NULL, 1) IS NULL, s2v_distance('', 'red') IS NULL;
SELECT 'json', s2v_to_json(NULL) IS NULL, s2v_from_json(NULL) IS NULL, s2v_to_json(x'') = '[]';
SELECT 'zeroblob', s2v_to_json(zeroblob(8)), s2v_cosine(zeroblob(8), x'0000803f0000803f') IS NULL;
-- Huge.
CREATE TEMP TABLE huge AS SELECT replace(hex(zeroblob(1250000)), '00', 'red fox ') AS text, replace(hex(zeroblob(5000000)), '0', 'x') AS word, zeroblob(10000000) AS vector;
SELECT 'sizes', length(text), length(word), length(vector) FROM huge;
SELECT 'many words', length(s2v_embed(text)), s2v_cosine(text, 'red fox red') > 0.9 FROM huge;
SELECT 'one word', s2v_embed(word) IS NULL, s2v_cosine(word, 'red') IS NULL FROM huge;
SELECT 'a large vector', s2v_cosine(vector, vector) IS NULL, length(s2v_to_json(vector)) FROM huge;
SELECT 'a large vector and back', length(s2v_from_json(s2v_to_json(vector))) FROM huge;
SELECT 'a large vector and the model''s', s2v_cosine(vector, 'red') FROM huge;
SELECT 'a huge model name', length(s2v_embed('red', word)) FROM huge;
SELECT 'huge JSON', s2v_from_json(word) FROM huge;
-- Wrong types.
SELECT 'embed a number', s2v_embed(1) IS NULL, s2v_embed(1.5) IS NULL;
SELECT 'embed a BLOB', s2v_embed(x'00');
SELECT 'model is a BLOB', s2v_embed('red', x'00');
SELECT 'model is a number', s2v_embed('red', 1);
SELECT 'option is a BLOB', s2v_embed('red', NULL, x'726177');
SELECT 'cosine of numbers', s2v_cosine(1, 2);
SELECT 'drop a BLOB', s2v_drop(x'00');
-- Invalid UTF-8, NUL characters.
SELECT 'invalid UTF-8', s2v_embed(CAST(x'726564fffe20666f78' AS TEXT)) IS NOT NULL, s2v_embed(CAST(x'ff' AS TEXT)) IS NULL, s2v_embed(CAST(x'c3' AS TEXT)) IS NULL, s2v_embed(CAST(x'f0808080' AS TEXT)) IS NULL;
SELECT 'cut in the middle of a character', s2v_embed(CAST(x'72656420e6bc' AS TEXT)) = s2v_embed('red');
SELECT 'a NUL is a space or the like', s2v_embed(CAST(x'72656400666f78' AS TEXT)) IS NOT NULL;
SELECT 'a NUL in a model name', s2v_embed('red', CAST(x'646f6373007a' AS TEXT));
-- Vectors that are none.
SELECT 'odd size', s2v_cosine(x'00', x'00');
SELECT 'odd size of text', s2v_to_json(x'000000');
SELECT 'NaN', s2v_distance(x'ffffffff', x'0000803f');
SELECT 'infinity', s2v_cosine(x'0000807f', 'red');
SELECT 'NaN against text', s2v_cosine('red', x'0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f');
SELECT 'NaN against zeros', s2v_cosine(zeroblob(4), x'0000c07f');
