-- Questions as keyboards of many languages type them: blanks and signs beyond ASCII, words behind apostrophes and hyphens, letters of
-- each script left out or replaced, beginnings where the tokenizer changes the front of words, titles in scripts without blanks.
.read setup.inc
.mode list
CREATE TABLE sky(id INTEGER PRIMARY KEY, body TEXT);
CREATE VIRTUAL TABLE n USING s2v_index(sky, body, tokenize = 's2v neutral parts');
INSERT INTO sky(body) VALUES ('東京都の天気'), ('大阪の天気'), ('rate cuts hit lenders'), ('cuts of the rate'), ('місто Київ'), ('بازیگر سینما'), ('हिन्दी किताब'),
  ('தமிழ் மொழி'), ('বাংলাদেশ'), ('ქალაქი'), ('🎉 today');
CREATE TEMP TABLE asked(question);
INSERT INTO asked VALUES
  -- Blanks, and signs as wide as a Han character.
  ('天気 -大阪'), ('天気' || char(0x3000) || '-大阪'), ('天気' || char(0x3000) || '－大阪'), ('天気 −大阪'), ('rate' || char(0xA0) || '-lenders'), ('rate' || char(0x202F) || 'NOT lenders'),
  ('body：大阪'), ('東京' || char(0x3000) || '大*'), ('大＊'), ('-🎉 today'), ('rate —lenders'),
  -- Quotation marks.
  ('"rate cuts"'), ('“rate cuts”'), ('„rate cuts“'), ('”rate cuts”'), ('«rate cuts»'), ('« rate cuts »'), ('»rate cuts«'), ('＂rate cuts＂'), ('「天気」'), ('天気 -「大阪」'), ('『京都』'),
  ('“rate cuts'), ('the “rate cuts”s'), ('東京「大阪」天気'), ('‘rate cuts’'), ('What are “rate cuts”?'), ('「天気」は？'),
  -- Letters of each script.
  ('мсто'), ('мисто'), ('بازگر'), ('بازیکر'), ('हन्दी'), ('हिदी'), ('कितब'), ('தமழ்'), ('বাংলদেশ'), ('ქალქი');
SELECT question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM n(question, 11, 'words') ORDER BY rowid)),
  (SELECT corrections FROM n(question, 1)) FROM asked;
-- Words behind an apostrophe or a hyphen.
CREATE TABLE fr(id INTEGER PRIMARY KEY, body TEXT);
CREATE VIRTUAL TABLE f USING s2v_index(fr, body, tokenize = 's2v french parts');
CREATE VIRTUAL TABLE e USING s2v_index(fr, body, tokenize = 's2v english');
INSERT INTO fr(body) VALUES ('l’insertion est faite'), ('mise en forme'), ('l’école publique'), ('éclair au chocolat'), ('I would not, a well known wouldn''t');
DELETE FROM asked;
INSERT INTO asked VALUES ('inserton'), ('l''inserton'), ('L’Inserton'), ('dell''insretion'), ('mise-en-frome'), ('well–knwon'), ('wouldn''t'), ('couldn''t'), ('inserton’s'),
  ('l''éc*'), ('l’éc*'), ('“éc*'), ('aqua-inser*'), ('a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-a-b-c-d-e-f-g-inserton');
SELECT question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM f(question, 9, 'words') ORDER BY rowid)), (SELECT corrections FROM f(question, 1)),
  (SELECT corrections FROM e(question, 1)) FROM asked;
-- Beginnings: the term of a word lacks the prefix, or is in another script.
CREATE TABLE words(id INTEGER PRIMARY KEY, body TEXT);
CREATE VIRTUAL TABLE ar USING s2v_index(words, body, tokenize = 's2v arabic');
CREATE VIRTUAL TABLE ap USING s2v_index(words, body, tokenize = 's2v arabic parts');
CREATE VIRTUAL TABLE ind USING s2v_index(words, body, tokenize = 's2v indonesian');
CREATE VIRTUAL TABLE sr USING s2v_index(words, body, tokenize = 's2v serbian');
CREATE VIRTUAL TABLE en USING s2v_index(words, body, tokenize = 's2v english');
INSERT INTO words(body) VALUES ('المدرسة كبيرة'), ('قرأت الكتاب'), ('المدير غائب'), ('dia membaca buku'), ('dibaca kami'), ('bahasa batas'), ('Београд је главни град'), ('Novi Sad i Beograd'),
  ('she is lending'), ('organization');
DELETE FROM asked;
INSERT INTO asked VALUES ('المدر*'), ('الكت*'), ('مدر*'), ('المدي*'), ('قرأت -الكت*'), ('memba*'), ('buku -memba*'), ('body:memba*'), ('Беог*'), ('Београду*'), ('Beog*'), ('гла*'), ('lendi*'), ('lend*'),
  ('organizat*');
SELECT question, (SELECT group_concat(rowid) FROM ar(question, 10, 'words')), (SELECT corrections FROM ap(question, 1)), (SELECT group_concat(rowid) FROM ap(question, 10, 'words')) FROM asked LIMIT 5;
.mode list
SELECT question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM ind(question, 10, 'words') ORDER BY rowid)), (SELECT group_concat(rowid) FROM (SELECT rowid FROM sr(question, 10, 'words') ORDER BY rowid)),
  (SELECT group_concat(rowid) FROM (SELECT rowid FROM en(question, 10, 'words') ORDER BY rowid)) FROM asked LIMIT -1 OFFSET 5;
INSERT INTO ind(ind) VALUES('sync');
SELECT 'not waiting', question, (SELECT group_concat(rowid) FROM (SELECT rowid FROM ind(question, 10, 'words') ORDER BY rowid)) FROM asked LIMIT 1 OFFSET 5;
-- Titles that are not typed to their end.
CREATE TABLE pages(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
CREATE VIRTUAL TABLE p USING s2v_index(pages, title, body, tokenize = 's2v neutral parts');
CREATE VIRTUAL TABLE w USING s2v_index(pages, title, body, tokenize = 's2v neutral');
INSERT INTO pages(title, body) VALUES ('서울', '도시'), ('x', '서울 서울 서울 서울'), ('다른 서울', '서울 서울'), ('データベース', 'SQL'), ('y', 'データベース データベース'), ('新データベース入門', 'データ'),
  ('กรุงเทพ', 'เมือง'), ('z', 'กรุงเทพ กรุงเทพ'), ('東京', 'a'), ('東京駅', '東京 東京'), ('b', '東京 東京 東京駅'), ('東京の歴史と文化についての長い話をしましょう', '東京');
INSERT INTO pages(title, body) SELECT 'p', 'q' FROM pages;
DELETE FROM asked;
INSERT INTO asked VALUES ('서*'), ('서울*'), ('デー*'), ('データベース*'), ('กรุ*'), ('東*'), ('東京*'), ('東京駅*'), ('データ'), ('デ*');
SELECT question, (SELECT rowid FROM p(question, 1)), (SELECT rowid FROM w(question, 1)) FROM asked;
-- A megabyte of marks.
SELECT 'marks', count(*) FROM n(replace(hex(zeroblob(50000)), '00', '« 「“„ '), 10, 'words');
SELECT 'closed once', count(*) FROM n(replace(hex(zeroblob(50000)), '00', '« ') || 'a»', 10, 'words');
-- What may follow s2v.
CREATE VIRTUAL TABLE x USING s2v_index(pages, title, tokenize = 's2v polish');
