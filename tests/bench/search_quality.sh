#!/bin/bash
# The page that decides what the defaults are: how well rows are found where people judged, and
# beside it how well vectors compare sentences, classify, and find the halves of held-out rows.
#
#   tests/bench/search_quality.sh [--only PARTS] [--collections LIST] [--corpus FILE] [OPTION...]
#
#   --only          commas between, of: ir, sts, transfer, self (default: all)
#   --collections   of S2V_DATA/ir, commas between (default: all that are there)
#   --corpus        a sentence a line; sts and transfer train on it (default: wiki-1m.txt)
#   OPTION...       for every training, as `s2v train` takes them: --preset paper --dimension 100
#
# Prints Markdown to standard output, progress to standard error; works in a temporary folder.
#
# Environment: S2V_DATA   the data                  (default ../shared/data)
#              S2V        the program               (default build/s2v)
#              WORDNET    WordNet's data.* files    (default /usr/share/wordnet)
#
# Figures are times 100. ir: measures of trec_eval, and the 95 % interval of the difference against
# bm25 (paired bootstrap over the queries); in means each collection counts alike, and five are med
# npl cacm time mqp. sts: Pearson/Spearman. transfer: accuracy. self: mean reciprocal rank.
set -euo pipefail

usage() {
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
parts=ir,sts,transfer,self collections='' corpus='' flags=()
while [ $# -gt 0 ]; do
  case $1 in
    --help) usage ;;
    --only | --collections | --corpus)
      [ $# -gt 1 ] || usage
      case $1 in --only) parts=$2 ;; --corpus) corpus=$2 ;; *) collections=$2 ;; esac
      shift 2
      ;;
    *)
      flags+=("$1")
      shift
      ;;
  esac
done
for part in ${parts//,/ }; do
  case $part in ir | sts | transfer | self) ;; *) usage ;; esac
done
data=${S2V_DATA:-../shared/data}
[ -d "$data" ] || { echo "no folder '$data': set S2V_DATA; skipped" >&2; exit 77; }
s2v=$(realpath "${S2V:-build/s2v}")
corpus=${corpus:-$data/corpus/wiki-1m.txt}
wordnet=${WORDNET:-/usr/share/wordnet}
# shellcheck source=tests/bench/common.sh
. "$(dirname "$0")/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wanted() { case ,$parts, in *,"$1",*) ;; *) return 1 ;; esac; }
progress() { echo "$(date +%T) $*" >&2; }
train() { timed "$s2v" train "$1" --table docs --column body --quiet "${flags[@]}"; }
# label NAME VALUE: JSON lines with one field more.
label() { sed "s/^{/{\"$1\":\"$2\",/"; }
# table TITLE COLUMN...: lines of row<TAB>column<TAB>text as a table of Markdown.
table() {
  printf '\n### %s\n\n| |' "$1"
  shift
  printf ' %s |' "$@"
  printf '\n|---|'
  printf -- '---|%.0s' "$@"
  awk -F'\t' -v columns="$*" '
    !($1 in seen) { seen[$1]; rows[++n] = $1 } { cell[$1, $2] = $3 }
    END {
      count = split(columns, column, " ")
      for (i = 1; i <= n; i++) {
        printf "\n| %s |", rows[i]
        for (k = 1; k <= count; k++) printf " %s |", cell[rows[i], column[k]]
      }
      print ""
    }'
}

search_collection() {  # NAME
  local folder=$data/ir/$1 db=$work/$1.db seconds
  sqlite3 "$db" 'CREATE TABLE docs(id TEXT PRIMARY KEY, body TEXT);' '.mode ascii' \
    '.separator "\t" "\n"' ".import '$folder/docs.tsv' docs"
  seconds=$(train "$db")
  "$s2v" index create "$db" docs_search docs body --quiet
  "$s2v" eval search "$db" --index docs_search --table docs --column body --id id --queries "$folder/queries.tsv" \
    --judgements "$folder/qrels.tsv" --json --quiet | label seconds "$seconds" | label collection "$1"
  rm "$db"
}

search_table() {  # TITLE FIELD [seconds]
  query "
    CREATE VIEW r AS SELECT j ->> 'collection' AS c, j ->> 'search' AS s, 100 * (j ->> '$2') AS x,
      j -> 'minus_bm25' -> '$2' AS d FROM line;
    SELECT format('%s' || char(9) || '%s' || char(9) || '%.1f', c, s, x) ||
      iif(d IS NULL, '', format(' (%+.1f to %+.1f)', 100 * (d ->> 1), 100 * (d ->> 2))) FROM r;
    SELECT format('mean of five' || char(9) || '%s' || char(9) || '**%.1f**', s, avg(x)) FROM r
      WHERE c IN ('med', 'npl', 'cacm', 'time', 'mqp') GROUP BY s HAVING count(*) = 5;
    SELECT format('mean of %d' || char(9) || '%s' || char(9) || '**%.1f**', count(*), s, avg(x)) FROM r GROUP BY s;
    SELECT DISTINCT c || char(9) || 'seconds' || char(9) || (j ->> 'seconds') FROM r JOIN line ON c = j ->> 'collection';
    " < "$work/ir" | table "$1" bm25 tfidf model model-raw both index ${3:-}
}

self() {  # NAME TEXT
  import "$work/$1.db" "$2"
  "$s2v" eval self "$work/$1.db" --table docs --column body --json --quiet "${flags[@]}" | query "
    SELECT format('$1' || char(9) || '%s' || char(9) || '%.1f', j ->> 'encoder', 100 * (j ->> 'mean_reciprocal_rank'))
    FROM line WHERE j ->> 'queries' IS NOT NULL"
}

echo "## $("$s2v" --version), $(date +%F)${flags[*]:+, ${flags[*]}}"

if wanted ir; then
  [ -n "$collections" ] || collections=$(cd "$data/ir" && echo *)
  for name in ${collections//,/ }; do
    progress "ir: $name"
    search_collection "$name" >> "$work/ir"
  done
  search_table "Search, nDCG@10; seconds of training" ndcg_at_10 seconds
  search_table "Search, MAP" map
  search_table "Search, MRR" mrr
  search_table "Search, recall@100" recall_at_100
fi

vectors=("$work/corpus.db" --encoders model,model-raw,tfidf --json --quiet)
if wanted sts || wanted transfer; then
  progress "training on $corpus"
  import "$work/corpus.db" "$corpus"
  echo
  echo "Vectors of $(basename "$corpus"), trained in $(train "$work/corpus.db") s."
fi
if wanted sts; then
  progress "sts"
  "$s2v" eval similarity "${vectors[@]}" "$data"/eval/sts14-*.tsv "$data/eval/sick-test.tsv" | query "
    CREATE VIEW r AS SELECT j ->> 'encoder' AS e, j ->> 'file' AS f, 100 * (j ->> 'pearson') AS p,
      100 * (j ->> 'spearman') AS s FROM line WHERE j ->> 'file' IS NOT NULL;
    SELECT format('%s' || char(9) || '%s' || char(9) || '%.1f/%.1f', f, e, p, s) FROM r;
    SELECT format('STS 2014, mean' || char(9) || '%s' || char(9) || '**%.1f/%.1f**', e, avg(p), avg(s))
      FROM r WHERE f LIKE 'sts14%' GROUP BY e;" |
    table "Likeness of sentences, Pearson/Spearman" model model-raw tfidf
fi
if wanted transfer; then
  progress "transfer"
  {
    "$s2v" eval transfer "${vectors[@]}" "$data/eval/trec-train.tsv" --test "$data/eval/trec-test.tsv"
    "$s2v" eval transfer "${vectors[@]}" "$data/eval/mr.tsv" "$data/eval/subj.tsv"
  } | query "
    SELECT format('%s' || char(9) || '%s' || char(9) || '%.1f', coalesce(j ->> 'test', j ->> 'file'), j ->> 'encoder',
      100 * (j ->> 'accuracy')) FROM line" |
    table "Classification, accuracy" model model-raw tfidf
fi
if wanted self; then
  progress "self"
  {
    if [ -r "$wordnet/data.noun" ]; then
      sed -n 's/^[0-9].*| //p' "$wordnet"/data.{noun,verb,adj,adv} > "$work/wordnet.txt"
      self wordnet "$work/wordnet.txt"
    else
      progress "no '$wordnet/data.noun' (Debian's wordnet-base): left out"
    fi
    self speeches-and-novels "$data/corpus/speeches-and-novels.txt"
    head -n 100000 "$data/corpus/wiki-1m.txt" > "$work/wiki.txt"
    self wiki-100000 "$work/wiki.txt"
  } | table "Halves of held-out rows, mean reciprocal rank" model model-raw tfidf bm25
fi
