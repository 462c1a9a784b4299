#!/usr/bin/env bash
# format.sh: each file that tests/formatted.txt names is as .clang-format says; nothing is changed. The list only grows:
# format.sh --update adds the files that have come to be so. Skipped where there is no clang-format of version 14, since others format
# otherwise. Run in the project's folder.
set -u
list=tests/formatted.txt
format=$(command -v clang-format-14 clang-format | head -n 1)
case $("${format:-false}" --version 2>/dev/null) in
  *'version 14.'*) ;;
  *) echo 'skipped: no clang-format 14' && exit 77 ;;
esac
is_formatted() { "$format" --dry-run -Werror "$1" >/dev/null 2>&1; }
if [ "${1-}" = --update ]; then
  for file in $(git ls-files '*.cc' '*.h' ':!*/sqlite3*'); do
    is_formatted "$file" && echo "$file"
  done | LC_ALL=C sort -u - "$list" -o "$list"
  exit
fi
status=0 count=0
while read -r file; do
  count=$((count + 1))
  is_formatted "$file" && continue
  echo "$file is not as .clang-format says, or is gone: $format -i $file"
  status=1
done <"$list"
[ $count -gt 0 ] || status=1
echo "format: $count files"
exit $status
