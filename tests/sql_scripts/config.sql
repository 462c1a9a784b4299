.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
SELECT 'default', s2v_config('cache_mb');
SELECT 'all', group_concat(key || ' ' || type, ', ') FROM json_each(s2v_config());
-- Setting empties the cache, and gives what is set now.
SELECT 'embedded', count(s2v_embed(body)) FROM docs;
SELECT 'kept', s2v_config('cache_bytes') > 0;
SELECT 'set', s2v_config('cache_mb', 64), s2v_config('cache_mb'), s2v_config('cache_bytes');
SELECT 'smallest', s2v_config('cache_mb', 0), s2v_config('cache_mb');
SELECT 'embeds all the same', count(s2v_embed(body)) FROM docs;
SELECT 'largest', s2v_config('cache_mb', 65536), s2v_config('cache_mb');
-- Within a statement that embeds, before and after.
SELECT 'the same bytes', s2v_embed('red fox') = (SELECT s2v_embed('red fox') FROM (SELECT s2v_config('cache_mb', 1) AS mb) WHERE mb = 1);
-- A text that comes again is found.
CREATE TEMP TABLE before AS SELECT s2v_config('cache_hits') hits, s2v_config('cache_misses') misses;
SELECT 'read', length(s2v_embed('heavy rain unheard'));
SELECT 'misses', s2v_config('cache_misses') - misses FROM before;
SELECT 'read again', length(s2v_embed('heavy rain unheard'));
SELECT 'hits', s2v_config('cache_hits') - hits, s2v_config('cache_misses') - misses FROM before;
-- NULL, and what is no setting.
SELECT 'NULL', s2v_config(NULL) IS NULL, s2v_config(NULL, 1) IS NULL, s2v_config('cache_mb', NULL) IS NULL, s2v_config(NULL, NULL) IS NULL, s2v_config('cache_mb');
SELECT s2v_config('cache_mb', -1);
SELECT s2v_config('cache_mb', 65537);
SELECT s2v_config('cache_mb', 9223372036854775807);
SELECT s2v_config('cache_mb', 64.5);
SELECT s2v_config('cache_mb', 'many');
SELECT s2v_config('cache_mb', x'40');
SELECT s2v_config('cache_hits', 0);
SELECT s2v_config('cache');
SELECT s2v_config('');
SELECT s2v_config(1);
SELECT s2v_config(x'63');
SELECT s2v_config(x'63', 1);
-- Reading is for any SQL, setting for the application's alone.
CREATE VIEW reads AS SELECT s2v_config('cache_mb') AS cache_mb;
CREATE VIEW sets AS SELECT s2v_config('cache_mb', 5);
SELECT cache_mb FROM reads;
SELECT * FROM sets;
SELECT 'unchanged', s2v_config('cache_mb');
