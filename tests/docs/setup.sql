-- The database that the pages of the manual work on: 750 short news items, in two languages.
CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT, lang TEXT, added TEXT);
WITH
  topic(title, lang, who, does, what) AS (VALUES
    ('Money', 'en', json_array('the central bank', 'the federal reserve', 'a savings bank', 'the treasury', 'a mortgage lender', 'the finance ministry'),
      json_array('cuts', 'raises', 'holds', 'lowers', 'defends'),
      json_array('its key rate and the lenders follow', 'interest rates as inflation slows again', 'the cost of loans for house buyers',
                 'the rate on deposits of small savers', 'bond yields before the budget is read', 'lending rules that hit smaller banks')),
    ('Football', 'en', json_array('the striker', 'the goalkeeper', 'a young winger', 'the captain', 'the visiting team', 'the coach'),
      json_array('celebrates', 'regrets', 'remembers', 'describes', 'praises'),
      json_array('a late goal before a cheering crowd', 'the penalty that decided the final', 'two chances missed in the second half',
                 'a save that kept the league open', 'the red card after ten minutes', 'an away match played in deep mud')),
    ('Weather', 'en', json_array('heavy rain', 'a cold front', 'the storm', 'thick fog', 'a warm wind', 'early snow'),
      json_array('reaches', 'covers', 'threatens', 'leaves', 'crosses'),
      json_array('the harbour and the fishing boats', 'the hills north of the river', 'all roads along the coast',
                 'the valley before the evening', 'the islands and the open sea', 'villages below the high mountains')),
    ('Kitchen', 'en', json_array('the cook', 'a baker', 'my grandmother', 'the new chef', 'an apprentice', 'the hungry guest'),
      json_array('stirs', 'tastes', 'prepares', 'burns', 'serves'),
      json_array('a soup of beans and smoked ham', 'the bread with butter and fresh herbs', 'a cake of almonds and dark chocolate',
                 'roast chicken with garlic and lemon', 'the sauce of tomatoes and red wine', 'a salad of cucumbers and soft cheese')),
    ('Nachrichten', 'de', json_array('die Regierung', 'der Minister', 'das Parlament'), json_array('beschließt', 'verschiebt'),
      json_array('das neue Gesetz über die Renten', 'den Ausbau der Bahn im Norden', 'die Reform der Schulen und Universitäten',
                 'den Haushalt für das kommende Jahr', 'die Wahl des neuen Präsidenten')))
INSERT INTO docs(title, body, lang, added)
SELECT title || ' ' || row_number() OVER (PARTITION BY title ORDER BY who.key, does.key, what.key),
       who.value || ' ' || does.value || ' ' || what.value, lang, date('2026-01-01', '+' || (who.key * 30 + does.key * 6 + what.key) || ' days')
FROM topic, json_each(topic.who) AS who, json_each(topic.does) AS does, json_each(topic.what) AS what;
