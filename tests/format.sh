#!/usr/bin/env bash
# format.sh: all code is as .clang-format says; nothing is changed. Skipped where there is no clang-format of version 14, since
# others format otherwise. Run in the project's folder.
set -u
format=$(command -v clang-format-14 clang-format | head -n 1)
case $("${format:-false}" --version 2>/dev/null) in
  *'version 14.'*) ;;
  *) echo 'skipped: no clang-format 14' && exit 77 ;;
esac
mapfile -t files < <(find core sql ext tests examples -name '*.cc' -o -name '*.h')
echo "format: ${#files[@]} files"
[ ${#files[@]} -gt 0 ] || exit 1
# All at once, since to start clang-format takes longer than a file.
"$format" --dry-run -Werror "${files[@]}" >/dev/null 2>&1 && exit 0
for file in "${files[@]}"; do
  "$format" --dry-run -Werror "$file" >/dev/null 2>&1 || echo "$file is not as .clang-format says: $format -i $file"
done
exit 1
