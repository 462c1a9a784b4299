# WordNet's data.{noun,verb,adj,adv} to rows: synset, part of speech, words, gloss.
#
#   awk -f examples/wordnet.awk /usr/share/wordnet/data.*
#
# A line of those files (man wndb) is
#   00002098 00 a 02 unable 0 incapable 1 002 ... | not having the necessary means or skill; ...
#   offset, file number, kind, number of words (hexadecimal), that many pairs of word and number, pointers,
#   a bar and the gloss. Lines of the licence begin with a space.
#
# Columns end with the unit separator (byte 31) and rows with the record separator (byte 30), which is what
# the sqlite3 shell's .import --ascii reads: no quoting, whatever a gloss holds.
BEGIN {
  OFS = "\037"
  ORS = "\036"
  pos["n"] = "noun"
  pos["v"] = "verb"
  pos["a"] = pos["s"] = "adjective"  # s: a satellite, an adjective near to another one
  pos["r"] = "adverb"
}

function digit(c) { return index("0123456789abcdef", c) - 1 }
function hex(two) { return 16 * digit(substr(two, 1, 1)) + digit(substr(two, 2, 1)) }

/^[0-9]/ {
  words = ""
  for (i = 1; i <= hex($4); i++) {
    word = $(3 + 2 * i)
    sub(/\((a|p|ip)\)$/, "", word)  # where an adjective may stand
    gsub(/_/, " ", word)
    words = words (i > 1 ? ", " : "") word
  }
  gloss = substr($0, index($0, " | ") + 3)
  gsub(/^ +| +$/, "", gloss)
  kind = $3 == "s" ? "a" : $3
  print kind $1, pos[$3], words, gloss
}
