SELECT 'to', s2v_to_json(x'0000803f000000c0'), s2v_to_json(x'cdcccc3d'), s2v_to_json(x'');
SELECT 'from', hex(s2v_from_json('[1,-2]')), hex(s2v_from_json(' [ 0.1 ,1e0 ] ')), hex(s2v_from_json('[-0]')), hex(s2v_from_json('[1E+2,1e-2]'));
SELECT 'shortest that reads back', s2v_to_json(s2v_from_json('[0.1,0.3,1e10,16777216,3.4028235e38,1e-45,1.17549435e-38]'));
WITH RECURSIVE n(i, b) AS (SELECT 1, x'01000000' UNION ALL SELECT i + 1,
  CAST(char(1 + i * 7 % 127, 1 + i * 11 % 127, 1 + i * 13 % 127, 1 + i * 17 % 126) AS BLOB) FROM n WHERE i < 3000)
SELECT 'any float reads back', count(*) FROM n WHERE s2v_from_json(s2v_to_json(b)) = b;
SELECT 'without numbers', s2v_from_json('[]') = x'', hex(s2v_from_json(' [ ] ')), s2v_to_json(s2v_from_json('[]')), s2v_cosine(s2v_from_json('[]'), s2v_from_json('[]')) IS NULL;
SELECT 'is JSON to SQLite', json_array(s2v_to_json(x'0000803f')), json_valid(s2v_to_json(x'0000803f'));
SELECT 'too small is 0', hex(s2v_from_json('[1e-60]')), hex(s2v_from_json('[1e-400]')), hex(s2v_from_json('[0.' || replace(hex(zeroblob(300)), '00', '0') || '1]')),
  hex(s2v_from_json('[-0.' || replace(hex(zeroblob(500)), '00', '0') || '1]'));
SELECT 'digits and exponent together', hex(s2v_from_json('[1' || replace(hex(zeroblob(500)), '00', '0') || 'e-500]')), hex(s2v_from_json('[0.' || replace(hex(zeroblob(499)), '00', '0') || '1e500]'));
SELECT 'NULL', s2v_to_json(NULL) IS NULL, s2v_from_json(NULL) IS NULL;
CREATE TEMP TABLE bad(t);
INSERT INTO bad VALUES(''), ('['), ('[,]'), ('[1'), ('[1,]'), ('[1 2]'), ('[1]x'), ('{"a":1}'), ('[null]'), ('["1"]'), ('[[1]]'), ('[+1]'), ('[01]'),
  ('[-]'), ('[.5]'), ('[1.]'), ('[1e]'), ('[NaN]'), ('[Infinity]'), ('[0x1]'), ('[1e39]'), ('[-1e39]'), ('[1e400]'), ('[1e99999999999999999999]');
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 1;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 2;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 3;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 4;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 5;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 6;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 7;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 8;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 9;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 10;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 11;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 12;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 13;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 14;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 15;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 16;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 17;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 18;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 19;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 20;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 21;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 22;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 23;
SELECT 'bad', t, s2v_from_json(t) FROM bad WHERE rowid = 24;
SELECT 'large with a negative exponent', s2v_from_json('[1' || replace(hex(zeroblob(400)), '00', '0') || 'e-10]');
SELECT 'a BLOB', s2v_from_json(x'5b315d');
SELECT 'a text', s2v_to_json('[1]');
SELECT 'a number', s2v_to_json(1);
SELECT 'a number', s2v_from_json(1);
SELECT 'size', s2v_to_json(x'0000');
SELECT 'NaN', s2v_to_json(x'0000c07f');
SELECT 'infinity', s2v_to_json(x'000080ff');
