#!/usr/bin/env bash
# The layer test: ext -> sql -> core, and sql/system between the last two. An include may go along the arrow, never against it; core knows no
# SQLite, no files, no clock and no printing; SQL goes through sql/statement.h.
set -u
status=0
refuse() {  # refuse REASON PATTERN PATH...: no line of these files may match
  local reason=$1 pattern=$2
  shift 2
  local found
  found=$(grep -rnE --include='*.h' --include='*.cc' --include='*.inc' "$pattern" "$@")
  if [ -n "$found" ]; then
    printf 'layer: %s\n%s\n' "$reason" "$found"
    status=1
  fi
}
refuse 'core includes sql or ext' '#include "(sql|ext)/' core
refuse 'sql/system includes the rest of sql, or ext' '#include "(sql/([^s]|s[^y])|ext/)' sql/system
refuse 'sql or ext has the table of characters, and so utf8proc' '#include "core/text/unicode_chars.h"|utf8proc_' sql $(ls ext/*.cc ext/*.h) ext/cli ext/import
refuse 'sql includes ext' '#include "ext/' sql
refuse 'core or sql/system knows SQLite' 'sqlite3' core sql/system
refuse 'core opens files, reads clocks or prints' \
  '#include <(fstream|iostream|cstdio|stdio\.h|filesystem)>|system_clock|steady_clock|std::cout|printf' core
refuse 'SQLite is included past sql/statement.h' '#include <sqlite3\.h>' sql
refuse 'core, sql and ext include tests' '#include "tests/' core sql ext
refuse 'CREATE TABLE of stored tables outside sql/schema.sql' 'CREATE TABLE (IF NOT EXISTS )?s2v_' core sql ext
refuse 'model tables are named outside sql/model_*.cc' \
  's2v_(model|word|ngram|target|directory)\b' $(ls core/*/*.cc ext/*.cc ext/cli/*.cc ext/import/*.cc sql/*.cc | grep -vE 'sql/model_(format|store|reader|loader|lock|writer)\.cc')
refuse 'catch clauses of the extension outside ext/boundary.h' 'catch \(\.\.\.\)' \
  $(ls ext/*.cc ext/*.h ext/import/* | grep -vE 'ext/(boundary\.h|extension\.cc)')
refuse 'checkpoint tables are named outside checkpoint_store.cc' 's2v_checkpoint' \
  $(ls core/*/*.cc ext/*.cc ext/import/*.cc sql/*.cc | grep -vE 'sql/checkpoint_store\.cc')
[ $status -eq 0 ] && echo "layers: 1 passed, 0 failed"
exit $status
