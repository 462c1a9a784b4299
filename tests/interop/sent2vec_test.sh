#!/usr/bin/env bash
# Imported models against the program that they come from: sent2vec_test.sh COMMAND
#
# S2V_SENT2VEC names the folder of the source of the authors' sent2vec. It is built here, trains a model of words, one of
# bigrams and one of trigrams on texts that are made here, and embeds them; so does s2v with the imported models. Skipped
# (77) where the folder is not given.
set -eu
command=$(realpath "$1")
if [ ! -f "${S2V_SENT2VEC:-}/src/fasttext.cc" ]; then
  echo 'skipped: S2V_SENT2VEC does not name the source of sent2vec'
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$S2V_SENT2VEC" "$folder/reference"
# It prints five digits; all of them are compared.
sed -i 's/setprecision(5)/setprecision(9)/' "$folder/reference/src/vector.cc"
make -C "$folder/reference" >"$folder/make.log" 2>&1 || { tail "$folder/make.log" && exit 1; }
cd "$folder"
python3 - <<'END'
import random, sqlite3
random.seed(1)
words = ["w%d" % i for i in range(400)]
texts = [" ".join(words[int(400 * random.random() ** 3)] for _ in range(random.randrange(3, 25))) for _ in range(3000)]
open("texts", "w").write("\n".join(texts) + "\n")
asked = texts[:500] + ["none of these", "w1 unknown w2", "unknown w1", "w3"]
open("asked", "w").write("\n".join(asked) + "\n")
sqlite3.connect("models.db").execute("VACUUM")
END
for order in 1 2 3; do
  reference/fasttext sent2vec -input texts -output model -minCount 2 -dim 30 -epoch 3 -lr 0.2 -wordNgrams $order -bucket 5000 \
    -dropoutK 2 -thread 1 >/dev/null 2>&1
  reference/fasttext print-sentence-vectors model.bin <asked >expected 2>/dev/null
  "$command" import models.db model.bin --model "m$order" --quiet
  "$command" embed models.db --model "m$order" --raw <asked >found
  python3 - $order <<'END'
import json, sys
expected = [[float(value) for value in line.split()] for line in open("expected")]
found = [json.loads(line) or [0.0] * 30 for line in open("found")]
assert len(expected) == len(found)
worst = max(abs(a - b) for x, y in zip(expected, found) for a, b in zip(x, y))
print("n-grams of up to", sys.argv[1], "words:", len(found), "texts, largest difference", worst)
sys.exit(worst > 1e-5)
END
done
