.read setup.inc
-- What is left open is chosen, said and stored with the model; what is given is not.
SELECT 1, json_extract(s2v_train('docs', 'body', options), '$.choices') FROM tiny;
SELECT 2, choices FROM s2v_models;
SELECT 3, json_extract(s2v_train('docs', 'body', json_object('dimension', 4, 'min_count', 1, 'min_target_count', 'auto')), '$.choices.min_target_count.value', '$.choices.min_count');
SELECT 4, key, json_extract(value, '$.value'), json_extract(value, '$.reason') FROM s2v_models, json_each(choices);
SELECT 5, json_extract(parameters, '$.epochs', '$.min_count', '$.min_target_count') FROM s2v_models;
-- A smaller copy was chosen for in the same way.
SELECT 'copy', s2v_convert('docs', 'small', 'int8') IS NOT NULL;
SELECT 'the same', count(DISTINCT choices), max(length(choices)) > 100 FROM s2v_models;
SELECT s2v_drop('small');
-- Presets: beside them explicit options win, wherever they stand; all of it is in the parameters.
SELECT 6, s2v_train('docs', 'body', '{"min_count":1,"preset":"wiki-bigrams","min_target_count":1,"dimension":4,"epochs":1}') IS NOT NULL;
SELECT 7, json_extract(parameters, '$.ngram_order', '$.subsampling_threshold', '$.min_count', '$.dimension', '$.smoothing', '$.recipe', '$.context_threshold', '$.initial_norm'), choices FROM s2v_models;
SELECT 8, s2v_train('docs', 'body', '{"preset":"wiki"}');
SELECT 9, s2v_train('docs', 'body', '{"preset":7}');
SELECT 10, s2v_train('docs', 'body', '{"dimension":"auto"}');
SELECT 11, s2v_train('docs', 'body', '{"presets":"wiki-bigrams"}');
SELECT 12, count(*) FROM s2v_models;
