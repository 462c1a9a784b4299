.read setup.inc
SELECT 'trained', json_extract(s2v_train('docs', 'body', options), '$.model') FROM tiny;
CREATE TEMP TABLE a AS SELECT s2v_embed('red fox') AS v;
VACUUM INTO 'ro.db';
ATTACH 'file:ro.db?mode=ro' AS ro;
ATTACH 'file:ro.db?immutable=1' AS im;
SELECT 'read-only', s2v_embed('red fox', 'ro.docs') = v, s2v_embed('red fox', 'im.docs') = v FROM a;
SELECT 'listed', group_concat(schema, ' ') FROM s2v_models;
SELECT 'train', s2v_train('ro.docs', 'body', options) FROM tiny;
SELECT 'train', s2v_train('docs', 'body', json_set(options, '$.model', 'im.m')) FROM tiny;
SELECT 'drop', s2v_drop('ro.docs');
SELECT 'drop', s2v_drop('im.docs');
SELECT 'from one into another', json_extract(s2v_train('ro.docs', 'body', json_set(options, '$.model', 'main.copy')), '$.schema', '$.model') FROM tiny;
PRAGMA query_only = 1;
SELECT 'query_only', s2v_train('docs', 'body');
SELECT 'query_only', s2v_drop('docs');
SELECT 'query_only reads', s2v_embed('red fox') = v FROM a;
PRAGMA query_only = 0;
SELECT 'unchanged', group_concat(schema || '.' || name, ' ') FROM s2v_models;
