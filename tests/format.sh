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
mapfile -t files <"$list"
echo "format: ${#files[@]} files"
[ ${#files[@]} -gt 0 ] || exit 1
# All at once, since to start clang-format takes longer than a file.
"$format" --dry-run -Werror "${files[@]}" >/dev/null 2>&1 && exit 0
for file in "${files[@]}"; do
  is_formatted "$file" || echo "$file is not as .clang-format says, or is gone: $format -i $file"
done
exit 1
