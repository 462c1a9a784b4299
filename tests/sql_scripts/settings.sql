.read setup.inc
-- What is left open is chosen, said and stored with the model; what is given is not.
CREATE TEMP TABLE answer AS SELECT s2v_train('docs', 'body', options) AS j FROM tiny;
SELECT 1, group_concat(key) FROM answer, json_each(j, '$.choices');
SELECT 2, count(*) FROM answer, s2v_models WHERE choices = json_extract(j, '$.choices');
CREATE TEMP TABLE open AS SELECT s2v_train('docs', 'body', json_object('dimension', 4, 'min_count', 1, 'min_target_count', 'auto')) AS j;
SELECT 3, key, json_extract(value, '$.value'), json_extract(value, '$.reason') FROM open, json_each(j, '$.choices');
SELECT 4, json_extract(j, '$.choices') = choices, json_extract(parameters, '$.epochs'), json_extract(parameters, '$.min_count') FROM open, s2v_models;
-- Presets: beside them explicit options win, wherever they stand; all of it is in the parameters.
SELECT 5, s2v_train('docs', 'body', '{"min_count":1,"preset":"wiki-bigrams","min_target_count":1,"dimension":4,"epochs":1}') IS NOT NULL;
SELECT 6, json_extract(parameters, '$.ngram_order', '$.subsampling_threshold', '$.min_count', '$.dimension', '$.weighting', '$.initial_norm'), choices FROM s2v_models;
SELECT 7, s2v_train('docs', 'body', '{"preset":"wiki"}');
SELECT 8, s2v_train('docs', 'body', '{"preset":7}');
SELECT 9, s2v_train('docs', 'body', '{"dimension":"auto"}');
SELECT 10, s2v_train('docs', 'body', '{"presets":"wiki-bigrams"}');
SELECT 11, count(*) FROM s2v_models;
