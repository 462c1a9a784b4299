<?php
// PHP's SQLite3 class: php -d sqlite3.extension_dir=FOLDER calls.php s2v.so. What it runs, and why, is said in drivers.sh.
if (!class_exists('SQLite3')) {
  echo "skipped: this PHP has no SQLite3 class\n";
  exit(77);
}
$calls = json_decode(file_get_contents(__DIR__ . '/calls.json'), true);

function run($db, $call, $number) {
  $statement = $db->prepare($call['sql']);
  foreach ($call['values'] ?? [] as $i => $value) {
    if (is_array($value)) {
      $statement->bindValue($i + 1, run($db, $value, $number), SQLITE3_BLOB);
    } else {
      $statement->bindValue($i + 1, is_int($value) ? $number($value) : $value);
    }
  }
  $result = $statement->execute();
  // execute() has run the statement, and fetchArray() runs it again: what writes is not asked for its result.
  if ($call['writes'] ?? false) return $call['expect'];
  return $result->numColumns() > 0 ? ($result->fetchArray(SQLITE3_NUM)[0] ?? null) : null;
}

foreach (['intval', 'floatval', 'strval'] as $number) {
  $db = new SQLite3(':memory:');
  $db->enableExceptions(true);
  $db->loadExtension($argv[1]);
  foreach ($calls as $call) {
    try {
      $got = (string)(run($db, $call, $number) ?? 'NULL');
    } catch (Exception $error) {
      $got = $error->getMessage();
    }
    if ($got !== ($call['expect'] ?? 'NULL')) {
      echo "PHP, numbers bound by $number: " . json_encode($call) . " gives $got\n";
      exit(1);
    }
  }
}
echo 'PHP ' . PHP_VERSION . ', SQLite ' . SQLite3::version()['versionString'] . ': ' . count($calls) .
  " calls, numbers as int, float and string\n";
