#!/usr/bin/env bash
# Imported fastText models against fastText: fasttext_test.sh COMMAND
#
# S2V_FASTTEXT names the program, otherwise it is fasttext, as Debian has it. It trains models with n-grams of characters on texts that are made
# here, and gives the vectors of words that it knows and of others; so does s2v with the imported models. Skipped (77)
# where there is no such program.
set -eu
command=$(realpath "$1")
if ! fasttext=$(command -v "${S2V_FASTTEXT:-fasttext}"); then
  echo 'skipped: there is no program fasttext (apt-get install fasttext, or S2V_FASTTEXT names it)'
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 - <<'END_OF_PYTHON'
import random, sqlite3
random.seed(1)
parts = ["ka", "lo", "mi", "nu", "ré", "日", "sto", "rm", "x", "ý"]
words = ["".join(random.choice(parts) for _ in range(random.randrange(1, 6))) for _ in range(400)]
texts = [" ".join(words[int(400 * random.random() ** 3)] for _ in range(random.randrange(3, 25))) for _ in range(3000)]
open("texts", "w").write("\n".join(texts) + "\n")
asked = sorted(set(words))[:150] + ["".join(random.choice(parts) for _ in range(7)) for _ in range(150)] + ["a", "é", "zz", "storms", "<x>"]
open("asked", "w").write("\n".join(asked) + "\n")
sqlite3.connect("models.db").execute("VACUUM")
END_OF_PYTHON
for lengths in '3 6' '1 4' '2 2'; do
  "$fasttext" skipgram -input texts -output model -minCount 2 -dim 30 -epoch 2 -minn "${lengths% *}" -maxn "${lengths#* }" \
    -bucket 5000 -thread 1 >/dev/null 2>&1
  "$fasttext" print-word-vectors model.bin <asked >expected
  "$command" import models.db model.bin --model m --tokenizer whitespace --quiet
  "$command" embed models.db --model m --raw <asked >found
  python3 - "$lengths" <<'END_OF_PYTHON'
import json, sys
expected = [[float(value) for value in line.split()[-30:]] for line in open("expected")]
found = [json.loads(line) or [0.0] * 30 for line in open("found")]
assert len(expected) == len(found)
# It prints five digits.
worst = max(abs(a - b) - 5e-5 * abs(a) for x, y in zip(expected, found) for a, b in zip(x, y))
print("n-grams of", sys.argv[1].replace(" ", " to "), "characters:", len(found), "words")
sys.exit(worst > 1e-6)
END_OF_PYTHON
done
