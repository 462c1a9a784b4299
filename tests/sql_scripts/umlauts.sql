CREATE TABLE docs(id INTEGER PRIMARY KEY, body TEXT);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
INSERT INTO docs(body) SELECT CASE i % 3 WHEN 0 THEN 'Die Häuser und die Straßen der Stadt sind schön' WHEN 1 THEN 'Der Zug fährt nach Köln und alle Züge halten' ELSE 'Wie kann man die Datei löschen und die Größe ändern' END FROM n;
SELECT s2v_train('docs', 'body', '{"dimension": 8, "epochs": 3, "workers": 1, "min_count": 1, "min_target_count": 1, "tokenizer": "german"}') ->> '$.words';
CREATE VIRTUAL TABLE docs_search USING s2v_index(docs, body);
SELECT value, (SELECT body FROM docs_search(value, 1) AS s JOIN docs AS d ON d.id = s.rowid) FROM json_each('["loeschen", "Haeuser", "Zuege", "Koeln", "Groesse", "Strasse", "aendern", "schoene", "LOSCHEN"]');
