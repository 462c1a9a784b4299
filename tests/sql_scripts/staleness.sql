.read setup.inc
SELECT 'without a model', s2v_model_hash();
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
SELECT 'the hash of s2v_models', s2v_model_hash() = hash, s2v_model_hash(name) = hash, s2v_model_hash(NULL) = hash FROM s2v_models;
-- A column beside the embedding says which model made it.
ALTER TABLE docs ADD COLUMN embedding BLOB;
ALTER TABLE docs ADD COLUMN embedding_model TEXT;
UPDATE docs SET embedding = s2v_embed(body), embedding_model = s2v_model_hash();
SELECT 'stale', count(*) FROM docs WHERE embedding_model IS NOT s2v_model_hash();
SELECT 'the same model again', json_extract(s2v_train('docs', 'body', options), '$.hash') = s2v_model_hash() FROM tiny;
SELECT 'stale', count(*) FROM docs WHERE embedding_model IS NOT s2v_model_hash();
SELECT 'retrained', json_extract(s2v_train('docs', 'body', json_set(options, '$.seed', 2)), '$.hash') = s2v_model_hash() FROM tiny;
SELECT 'stale', count(*) FROM docs WHERE embedding_model IS NOT s2v_model_hash();
SELECT 'their dimension is the same, so no error tells', s2v_cosine(embedding, 'red fox') BETWEEN -1 AND 1 FROM docs WHERE id = 1;
UPDATE docs SET embedding = s2v_embed(body), embedding_model = s2v_model_hash() WHERE id <= 10;
SELECT 'stale', count(*) FROM docs WHERE embedding_model IS NOT s2v_model_hash();
SELECT 'the nearest, of those that can be compared', count(s2v_cosine(embedding, 'red fox')) FROM docs WHERE embedding_model = s2v_model_hash();
UPDATE docs SET embedding = s2v_embed(body), embedding_model = s2v_model_hash() WHERE embedding_model IS NOT s2v_model_hash();
SELECT 'right', min(embedding = s2v_embed(body)) FROM docs;
SELECT 'retrained with another dimension', json_extract(s2v_train('docs', 'body', json_set(options, '$.dimension', 12)), '$.dimension') FROM tiny;
SELECT 'an error tells', s2v_cosine(embedding, 'red fox') FROM docs WHERE id = 1;
SELECT 'unknown model', s2v_model_hash('nope');
SELECT 'a BLOB', s2v_model_hash(x'00');
SELECT 'empty', s2v_model_hash('');
