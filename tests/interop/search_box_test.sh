#!/usr/bin/env bash
# examples/search_box.py as a person meets it: started twice on a small list of packages, asked in headless Chromium.
#
#   search_box_test.sh EXTENSION PYTHON CHROMIUM
#
# Exit code 77 (skipped) where there is no Chromium, or no Python whose sqlite3 module can load extensions.
set -eu
extension=$1 python=$2 chromium=$3
demo=$(dirname "$0")/../../examples/search_box.py
skip() {
  echo "skipped: $1"
  exit 77
}
command -v "$chromium" >/dev/null || skip 'no chromium here (apt-get install chromium)'
"$python" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null ||
  skip 'no python3 here whose sqlite3 module can load extensions'
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill $server; rm -rf "$folder"' EXIT
failed=0
check() {  # check WHAT FOUND EXPECTED
  if [ "$2" = "$3" ]; then return; fi
  echo "search_box: $1: found '$2', expected '$3'"
  failed=1
}

# The package lists of another machine: 122 packages, one of which would be HTML and one has a long text.
mkdir "$folder/bin"
cat >"$folder/bin/apt-cache" <<'END'
#!/bin/sh
awk 'BEGIN {
  split("chess game board player", a); split("photo picture camera image", b); split("password secret key safe", c)
  for (i = 0; i < 120; i++) {
    k = i % 3
    w = ""; for (j = 0; j < 3; j++) { n = 1 + (i + j * int(1 + i / 12)) % 4; w = w " " (k == 0 ? a[n] : k == 1 ? b[n] : c[n]) }
    printf "Package: p%d\nSection: %s\nDescription: handles%s with tool%d\n\n", i, i % 30 == 0 ? "games" : "misc", w, i % 7
  }
  printf "Package: bad\nSection: misc\nDescription: <b id=bold>zebra</b> & handles\n\n"
  printf "Package: long\nSection: misc\nDescription: tells a story\n"
  for (i = 0; i < 90; i++) printf " word%d of it\n", i
  printf " the walrus has a keeper\n"
  for (i = 0; i < 90; i++) printf " word%d of it\n", i
  printf "\n"
}'
END
printf '#!/bin/sh\n' >"$folder/bin/apt-get"
chmod +x "$folder/bin"/*

# start: the server's address in $address, what it printed in $folder/printed
start() {
  PATH=$folder/bin:$PATH "$python" "$demo" --extension "$extension" --database "$folder/a.db" --port 0 \
    >"$folder/printed" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    address=$(grep -o 'http://[0-9.:]*' "$folder/printed" || true)
    [ -z "$address" ] || return 0
    kill -0 $server 2>/dev/null || break
    sleep 0.1
  done
  cat "$folder/printed"
  exit 1
}
start
check 'lines of the first start' "$(grep -cE '^(  122 rows|training a model|making the index)' "$folder/printed")" 3
kill $server
start
check 'lines of the second start' "$(wc -l <"$folder/printed")" 1

# ask ADDRESS: the page as it is once the answer is there
ask() {
  # A sanitizer that is loaded for the extension is not for the browser.
  HOME=$folder timeout 90 env -u LD_PRELOAD "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic \
    --no-first-run --disable-background-networking --disable-component-update --disable-sync \
    --virtual-time-budget=5000 --user-data-dir="$folder/profile" "${@:2}" --dump-dom "$1" 2>>"$folder/browser.log" |
    sed 's/<script>.*//; s/<article>/\n&/g; s/<h2>/\n&/g; s/<p>/\n&/g; s/<dt>/\n&/g; s/<span id="told">/\n&/' >"$folder/page"
}
ask "$address/#q=chess+board&by=both"
check 'rows' "$(grep -c '^<article>' "$folder/page")" 20
check 'bars' "$(grep -cE '^<dt>(score|meaning|words)</dt>.*width' "$folder/page")" 60
check 'the choice' "$(grep -o 'data-by="[a-z]*" aria-pressed="true"' "$folder/page")" 'data-by="both" aria-pressed="true"'
check 'time of the question' "$(grep -cE '20 found in [0-9.]+ ms' "$folder/page")" 1
check 'marked words of the best row' "$(grep -m 1 '^<p>' "$folder/page" | grep -oE '<mark>(chess|board)' | sort -u | wc -l)" 2

ask "$address/#q=zebra&by=words"
check 'a text that looks like HTML' "$(grep '^<p>' "$folder/page" | grep -c '&lt;b id=bold&gt;<mark>zebra</mark>&lt;/b&gt; &amp;')" 1
check 'elements of it' "$(grep -c 'id="bold"' "$folder/page" || true)" 0
# The passage that answers, in a text that is longer than it.
ask "$address/#q=walrus+keeper"
check 'the passage of a long text' "$(grep -m 1 '^<p>' "$folder/page" | grep -cE '^<p>….*the <mark>walrus</mark> has a <mark>keeper</mark>.*…<')" 1
check 'other forms of a word' "$(ask "$address/#q=handling" && grep -m 1 '^<p>' "$folder/page" | grep -o '<mark>handles</mark>')" '<mark>handles</mark>'

# A word that is spelled wrong is read as the nearest one, and the page says so; one that is not written to its end is found.
ask "$address/#q=pasword+camera&by=words"
check 'what was corrected' "$(grep -o 'pasword → password' "$folder/page")" 'pasword → password'
check 'the word that was meant is marked' "$(grep -m 1 -o '<mark>password</mark>' "$folder/page" | head -1)" '<mark>password</mark>'
ask "$address/#q=zeb&by=words"
check 'a word that is not written to its end' "$(grep '^<p>' "$folder/page" | grep -c '<mark>zebra</mark>')" 1

# One kind alone: there are four chess games among the packages, and ten are asked for by nothing else.
ask "$address/#q=chess+board&by=both&kind=games"
check 'rows of one kind' "$(grep -c '^<article>' "$folder/page")" 4
check 'kinds of these rows' "$(grep -o '<small>[a-z]*' "$folder/page" | sort -u)" '<small>games'
check 'the kind that is chosen' "$(grep -oE '<option value="[a-z]*">[a-z]+ \([0-9]+\)' "$folder/page" | tr '\n' ' ')" \
  '<option value="misc">misc (118) <option value="games">games (4) '

ask "$address/#q=qwertz&by=both"
check 'an unknown word' "$(grep -c 'nothing found in' "$folder/page")" 1

# Someone types, in a copy of the page that asks the same server: each letter asks, the last answer stays.
"$python" -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$address" |
  sed "1a <base href='$address/'>" >"$folder/copy.html"
cat "$folder/copy.html" - >"$folder/typed.html" <<'SCRIPT'
<script>
const text = 'secret safe';
for (let i = 1; i <= text.length; i++) {
  setTimeout(() => {
    question.value = text.slice(0, i);
    question.dispatchEvent(new Event('input'));
  }, 100 * i);
}
</script>
SCRIPT
ask "file://$folder/typed.html" --disable-web-security
check 'rows after typing' "$(grep -c '^<article>' "$folder/page")" 20
check 'the best row has both words' "$(grep -m 1 '^<p>' "$folder/page" | grep -oE '<mark>(secret|safe)' | sort -u | wc -l)" 2

# Someone chooses words, then asks for rows like the best one.
cat "$folder/copy.html" - >"$folder/clicked.html" <<'SCRIPT'
<script>
const pressed = () => document.querySelector('[aria-pressed=true]').dataset.by;
setTimeout(() => document.querySelector('[data-by=words]').click(), 500);
setTimeout(() => {
  document.title = pressed();
  document.querySelector('article button').click();
}, 1500);
setTimeout(() => { document.title += ', ' + pressed() + ': ' + (question.value === document.querySelector('p').textContent); }, 2500);
</script>
SCRIPT
ask "file://$folder/clicked.html#q=chess+board" --disable-web-security
check 'what was chosen, and that a row is the most like itself' "$(grep -o '<title>[^<]*' "$folder/page")" '<title>words, meaning: true'

# On a phone's width nothing is wider than the page; where a browser cannot measure, the title stays.
cat >"$folder/phone.html" <<FRAME
<iframe src="typed.html" width="375" height="900" style="border:0"></iframe>
<script>
setTimeout(() => {
  const page = document.querySelector('iframe').contentDocument.documentElement;
  document.title = 'wide: ' + (page.scrollWidth - page.clientWidth) + ' of ' + page.querySelectorAll('article').length;
}, 3000);
</script>
FRAME
ask "file://$folder/phone.html" --disable-web-security --allow-file-access-from-files
check 'pixels too wide on a phone, rows' "$(grep -o '<title>wide[^<]*' "$folder/page" | sed 's/.*wide: //')" '0 of 20'

# Errors say what to do.
check 'no extension' "$("$python" "$demo" --extension "$folder/none.so" --database "$folder/b.db" 2>&1 | grep -c 'cmake --build build')" 1
"$python" -c "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE mine(x)')" "$folder/mine.db"
check "someone else's database" "$("$python" "$demo" --extension "$extension" --database "$folder/mine.db" 2>&1 |
  grep -c 'holds something else')" 1
check 'a port that is taken' "$("$python" "$demo" --extension "$extension" --database "$folder/a.db" \
  --port "${address##*:}" 2>&1 | grep -c 'name another one: --port')" 1
[ $failed -eq 0 ] && echo 'search_box: 1 passed, 0 failed'
exit $failed
