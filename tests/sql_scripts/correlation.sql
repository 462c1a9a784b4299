CREATE TABLE p(name, x, y);
INSERT INTO p VALUES
  ('line', 1, 2), ('line', 2, 4), ('line', 3, 6),
  ('falling', 1, 3), ('falling', 2, 2.5), ('falling', 3, -100),
  ('ties', 1, 1), ('ties', 2, 1), ('ties', 2, 3), ('ties', 4, 2),
  ('NULLs left out', 1, 1), ('NULLs left out', NULL, 5), ('NULLs left out', 2, NULL), ('NULLs left out', 3, 2), ('NULLs left out', 2, 5),
  ('numbers as text', '1', '1.5'), ('numbers as text', 2, '2.5e0'), ('numbers as text', '3', 0),
  ('one pair', 1, 2),
  ('only NULLs', NULL, NULL), ('only NULLs', NULL, 2),
  ('constant', 0.1, 1), ('constant', 0.1, 2), ('constant', 0.1, 3), ('constant', 0.1, 5), ('constant', 0.1, 8), ('constant', 0.1, 13),
  ('far from 0', 1000000000.25, 1), ('far from 0', 1000000000.5, 2), ('far from 0', 1000000000.75, 3),
  ('far and near', 1700000000000000000, 1), ('far and near', 1700000000000000256, 2),
  ('too large to square', 1e300, 1), ('too large to square', -1e300, 2), ('too large to square', 0, 3);
SELECT name, round(s2v_pearson(x, y), 6), round(s2v_spearman(x, y), 6), round(s2v_spearman(y, x), 6) FROM p GROUP BY name ORDER BY name;
SELECT 'no rows', s2v_pearson(x, y) IS NULL, s2v_spearman(x, y) IS NULL FROM p WHERE 0;
-- Ranks of ties share their mean: 1, 2.5, 2.5, 4 and 1.5, 1.5, 4, 3.
SELECT 'spearman is pearson of ranks', s2v_spearman(x, y) = (SELECT s2v_pearson(r, s) FROM (SELECT 1 AS r, 1.5 AS s UNION ALL SELECT 2.5, 1.5 UNION ALL SELECT 2.5, 4 UNION ALL SELECT 4, 3)) FROM p WHERE name = 'ties';
SELECT 'from the formula', abs(s2v_pearson(x, y) - (avg(x * y) - avg(x) * avg(y)) / sqrt((avg(x * x) - avg(x) * avg(x)) * (avg(y * y) - avg(y) * avg(y)))) < 1e-12 FROM p WHERE name IN ('line', 'falling', 'ties');
SELECT 'distinct', s2v_pearson(x, y) FROM (SELECT DISTINCT x, y FROM p WHERE name = 'line');
SELECT 'filter', round(s2v_pearson(x, y) FILTER (WHERE name = 'falling'), 6) = round((SELECT s2v_pearson(x, y) FROM p WHERE name = 'falling'), 6) FROM p;
SELECT 'text', s2v_pearson('abc', 1);
SELECT 'text', s2v_spearman(1, '12 apples');
SELECT 'BLOB', s2v_spearman(x'31', 1);
SELECT 'infinity', s2v_pearson(1, -9e999);
SELECT 'error in a later row', s2v_spearman(value, 1) FROM (SELECT 1 AS value UNION ALL SELECT 2 UNION ALL SELECT 'x');
CREATE VIEW agreement AS SELECT s2v_spearman(x, y) AS rho FROM p WHERE name = 'line';
PRAGMA trusted_schema = off;
SELECT 'in a view', rho FROM agreement;
