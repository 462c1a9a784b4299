-- Every function that the extension registers: name, arguments, deterministic, innocuous, direct only.
SELECT name, narg, type, (flags & 2048) <> 0 AS deterministic, (flags & 2097152) <> 0 AS innocuous,
  (flags & 524288) <> 0 AS direct_only
FROM pragma_function_list WHERE name LIKE 's2v%' ORDER BY name, narg;
-- And every module.
SELECT name FROM pragma_module_list WHERE name LIKE 's2v%' ORDER BY name;
SELECT m.name, group_concat(c.name || iif(c.hidden, ' (argument)', ''), ', ')
FROM pragma_module_list AS m, pragma_table_xinfo(m.name) AS c WHERE m.name LIKE 's2v%' GROUP BY m.name ORDER BY m.name;
SELECT 'version', s2v_version() GLOB '[0-9]*.[0-9]*.[0-9]*';
SELECT 'debug', json_extract(s2v_debug(), '$.version') = s2v_version(), json_extract(s2v_debug(), '$.sqlite') = sqlite_version(),
  json_extract(s2v_debug(), '$.linking'), json_extract(s2v_debug(), '$.kernels[0]');
