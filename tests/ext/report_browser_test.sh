#!/usr/bin/env bash
# Opens the page of `s2v report` in headless Chromium and asks the browser what it has drawn.
#
#   report_browser_test.sh S2V SQLITE3 CHROMIUM
#
# Exit code 77 (skipped) where there is no Chromium. Run by ctest as report_browser.
set -eu
s2v=$1 sqlite3=$2 chromium=$3
if ! command -v "$chromium" >/dev/null; then
  echo "skipped: no chromium here (apt-get install chromium)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$sqlite3" "$folder/a.db" "
  CREATE TABLE docs(body TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
  INSERT INTO docs SELECT (WITH RECURSIVE k(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM k WHERE j < 9)
    SELECT group_concat('word' || char(97 + (n.i * 7 + k.j * k.j * 5) % 26), ' ') FROM k) || ' </script><b>bold' FROM n;"
"$s2v" train "$folder/a.db" --table docs --column body --model '<script>x' --dimension 8 --tokenizer unicode --epochs 4 --min-count 1 \
  --min-target-count 1 --workers 1 --quiet >/dev/null
"$s2v" report "$folder/a.db" -o "$folder/report.html" --quiet

# One profile for all, in the folder that goes away. $1: more flags; then the page.
browse() {
  HOME=$folder timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$folder/profile" "$@" 2>>"$folder/browser.log"
}
failed=0
check() {  # check WHAT FOUND EXPECTED
  if [ "$2" = "$3" ]; then return; fi
  echo "report_browser: $1: found '$2', expected '$3'"
  failed=1
}

browse --dump-dom "file://$folder/report.html" >"$folder/dom.html"
drawn() { grep -o "$1" "$folder/dom.html" | wc -l; }
check 'circles of epochs' "$(drawn '<circle class="epoch"')" 4
check 'circles of words' "$(drawn '<circle class="cloud"')" "$("$sqlite3" "$folder/a.db" 'SELECT count(*) FROM s2v_word')"
check 'words on the map' "$(drawn '<circle class="dot"\|<text[^>]*>word[a-z]</text>')" 26
check 'bars' "$(drawn '<rect class="bar')" 12
check 'encoders' "$(drawn '>\(model\|model-raw\|tfidf\|bm25\)</text>')" 4
check 'rows with their rowids' "$(drawn '<small>rowid [0-9]')" 25
check 'tables of neighbours' "$(drawn '<table class="neighbours">')" 2
check 'the verdict' "$(drawn '\(model finds more than BM25\|more than the model here\)[^<]*</p>')" 1
check 'a name that is markup' "$(drawn '<h1>Model &lt;script&gt;x</h1>')" 1
check 'texts that are markup' "$(drawn 'word[a-z] &lt;/script&gt;&lt;b&gt;bold')" 25
check 'markup of texts' "$(drawn '<b>')" 0

# What each chart takes on the page: a copy of it measures itself and writes it into its title.
cp "$folder/report.html" "$folder/measured.html"
cat >>"$folder/measured.html" <<'SCRIPT'
<script>
const sizes = [...document.querySelectorAll('svg')].map(svg => {
  let drawn = 0, outside = 0;
  const page = svg.viewBox.baseVal;
  for (const shape of svg.querySelectorAll('circle, rect, text, path')) {
    const box = shape.getBBox();
    if (box.width > 0 && box.height > 0) drawn++;
    if (box.x < -1 || box.y < -1 || box.x + box.width > page.width + 1 || box.y + box.height > page.height + 1) outside++;
  }
  const missing = svg.querySelectorAll('circle, rect, text, path').length - drawn;
  return svg.getBoundingClientRect().height > 20 && drawn > 5 ? missing + ' missing ' + outside + ' outside' : 'empty';
});
document.title = 'measured: ' + sizes.join(', ');
</script>
SCRIPT
title=$(browse --dump-dom "file://$folder/measured.html" | grep -o '<title>measured[^<]*' | sed 's/.*measured: //')
good='0 missing 0 outside'
check 'charts as drawn' "$title" "$good, $good, $good, $good"

# On a phone's width nothing but the charts, in boxes of their own, is wider than the page.
cat >"$folder/phone.html" <<'FRAME'
<iframe src="report.html" width="375" height="900" style="border:0"></iframe>
<script>
onload = () => {
  const page = document.querySelector('iframe').contentDocument.documentElement;
  document.title = 'wide: ' + (page.scrollWidth - page.clientWidth);
};
</script>
FRAME
check 'pixels too wide on a phone' "$(browse --allow-file-access-from-files --dump-dom "file://$folder/phone.html" |
  grep -o '<title>wide[^<]*' | sed 's/.*wide: //')" 0

browse --window-size=900,3200 --screenshot="$folder/page.png" "file://$folder/report.html" >/dev/null
check 'screenshot is a PNG' "$(head -c 4 "$folder/page.png" | tail -c 3)" PNG
[ -z "${S2V_REPORT_KEEP:-}" ] || cp "$folder/page.png" "$folder/report.html" "$S2V_REPORT_KEEP"
[ $failed -eq 0 ] && echo 'report_browser: 1 passed, 0 failed'
exit $failed
