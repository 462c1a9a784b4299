-- Run on a database that make.sql made, perhaps on another platform. Then the table is written to here.
SELECT 'questions', count(*) FROM here;
SELECT 'other hash', count(*) FROM here WHERE hash IS NOT s2v_model_hash();
SELECT 'other numbers', count(*) FROM here, json_each(s2v_to_json(vector)) AS was, json_each(s2v_to_json(s2v_embed(question))) AS is_now
WHERE was.key = is_now.key AND NOT abs(was.value - is_now.value) <= 1e-6;
SELECT 'other answers', count(*) FROM here
WHERE answers IS NOT (SELECT group_concat(rowid || ' ' || round(score, 4)) FROM (SELECT rowid, * FROM docs_search(question, 10)));
INSERT INTO docs(id, body) VALUES (1000, 'a purple heron in the harbour');
SELECT 'found', rowid FROM docs_search('purple heron', 1);
INSERT INTO docs_search(docs_search) VALUES ('integrity-check');
DELETE FROM docs WHERE id = 1000;
INSERT INTO docs_search(docs_search) VALUES ('sync');
