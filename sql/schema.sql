-- The stored form of models: versions 2 to 6. The home of their CREATE TABLE; sql/model_*.cc
-- alone name these tables, but for checkpoints (below).
--
-- A model is ordinary rows, so it travels with the file, with backups, replication and .dump. It is
-- immutable once published: training writes a new one under a new id and gives it the name, and takes
-- the name and the rows of the former one away, in one transaction. Readers see one or the other.
--
-- Keys. Every row of a model has the integer key
--     key = model id * 2^32 + index          model id: 1 .. 2^31 - 1, index: 0 .. 2^32 - 1
-- so a lookup is one search in one B-tree and a model is one range of keys. index is
--     s2v_word       the word's id: 0 is the most frequent word; a word that the database's encoding
--                    would change (some byte sequences, in UTF-16) is a BLOB
--     s2v_ngram      the n-gram's bucket: XXH3-64 of its words' hashes, modulo 2,000,000; in version 3 as below
--     s2v_target     the word's id; only words with min_target_count occurrences have one
--     s2v_directory  a block number; n-gram blocks have 2^31 added
--
-- Checkpoints. A training that is not finished may leave one, under the name of the model that it is to
-- become; it is no model, and no reader of models looks at it. sql/checkpoint_store.cc alone names these
-- two tables. A checkpoint is written in several transactions, so that others do not wait long: first its
-- row of s2v_checkpoint with complete = 0, then its blocks, then complete = 1, in one transaction with
-- the end of the former checkpoint of that name. Blocks without a row in s2v_checkpoint belong to nobody
-- and may be deleted at any time; so may an incomplete checkpoint whose training was killed. A block's key is
--     checkpoint id * 2^32 + block number
-- its rows are consecutive rows of V (words by id, then n-grams by bucket), then of U, as float32, as
-- many as fit into 2^18 bytes, at least one; no block holds rows of both. texts_hash of a training
-- by several processes (s2v-mpi) is that of their own hashes, in decimals, in place of the texts.
--
-- Hashes. A word's hash is XXH3-64, seed 0, of its UTF-8 bytes; an n-gram's is XXH3-64, seed 0, of the n
-- word hashes, 8 bytes little-endian each, in order (core/vocab/hash.h).
--
-- Versions. A model is of version 2 unless it was imported from a file of the program of Sent2Vec's authors that has
-- n-grams; then it is of version 3: h, of n words with the ids i, is i[0] at first, then h * 116049371 + i[k] for the
-- others in order, modulo 2^64, and the bucket is h modulo ngrams, as every bucket has a row; unknown words between
-- them do not count. Words have the ids that they have in the file.
--
-- Forms. A model whose words are stems is of version 4 or above, and its compatible_version is what it would be without: s2v_word.form is the commonest word
-- of the texts that the tokenizer makes this word of, in lower case; NULL where that is the word itself. It is for showing, and under no
-- checksum: a form that the tokenizer does not make the word of is damage. A table that an older version made gets the column with the first such model.
--
-- Opening. A model with smoothing that was trained here is of version 5 or 6, its compatible_version too: in its embeddings the first tokens of a
-- text count more (Embeddings, below). Its hash differs from that of the same rows in an older version.
--
-- Bursts. Such a model is of version 6 since s2v_word.burst is known, 1 to 4 as float32: how much more the word is repeated in a sentence than it would be by
-- chance (WordBurst in core/model/feature.h). Words that come in bursts, and rare ones, count more in its embeddings (below). An older table gets the column with the first such model.
--
-- Pieces. The tokenizers wordpiece(...) and unigram(...) of imported models cut texts by the model's own words
-- (core/text/subword_tokenizer.h, core/embed/pieces.h), which are their pieces. With wordpiece all have the count 1; with unigram tokens
-- is 2^60, and count / tokens is the probability of a piece: e to the power of its score. With the tokenizer characters(least,most,name), of
-- models of fastText, the model is of version 3, the buckets are those of n-grams of characters, and an unknown word's vector is the mean of its n-grams' rows.
--
-- Vectors. Rows of the source matrix V (s2v_word, s2v_ngram) are of the model's element, little-endian,
-- without a header:
--     float32        4 * dimension bytes, no infinity and no NaN
--     int8           4 + dimension bytes: scale as float32, then integers from -127 to 127 (-128 is damage);
--                    the vector is their product. scale = largest absolute value / 127, finite, not negative;
--                    0 for a row of zeros
-- Numbers are rounded to the nearest. Only features that were trained have a row. Rows of the target matrix U
-- (s2v_target) are float32, and a model of another element has none: it embeds, and training cannot go on from
-- what was rounded.
--
-- Embeddings. With smoothing a > 0 a feature of frequency f = count / tokens weighs a / (a + f), else 1; the
-- weighted sum of the features' vectors is scaled to length 1. In version 6 the weight of a known word of a text of n tokens is multiplied by
-- (1 + min(n / 20, 1) (burst - 1)) (1 + 1 / (2 + count)). From version 5 on the weight of a word, known or not, that is token p of the
-- text, from 0, is multiplied by (1 + 2 (20 / p)^2) / 3 where p > 20; an n-gram has the p of its last token.
-- With unknown_norm n > 0, and where at least one feature is known, each unknown word is added with the weight of
-- a word met once, f = 1 / tokens, and the vector v[i] = (b - 32767.5) * w * 2 / 65535, w = n * sqrt(3 / dimension), in float32; b is the number in bits
-- 16 (i mod 4) and up of the random number floor(i / 4), of splitmix64 with the state m(word hash): the state grows
-- by 0x9e3779b97f4a7c15 and m of it is the number, m being splitmix64's mixing (core/random.h). Training starts the
-- words' vectors there.
--
-- Directory. Says which features exist, so that the absence of one is read, not guessed.
--     words    2^b blocks, the fewest with at most 256 words a block on average; a word's block is the
--              top b bits of its hash. Entries of 8 bytes, rising: low 32 bits of the hash, then the
--              word id, both uint32 little-endian.
--     n-grams  block = bucket >> s, with the largest s for which blocks hold at most 512 n-grams on
--              average (blocks = (1,999,999 >> s) + 1; in version 3, ((ngrams - 1) >> s) + 1). Entries of 4 bytes, rising: the
--              bucket, uint32 little-endian. No n-gram, no block.
--     Every block exists, the empty ones too; one of more than 2^20 bytes is damage.
--
-- Checksums. XXH3-64 as a signed integer, seed = first 8 bytes of the model's hash, little-endian, XOR
-- index, of
--     s2v_word       vector, count as uint64 little-endian, word; in version 6 burst as float32
--     s2v_ngram      vector, count as uint64 little-endian
--     s2v_target     vector
--     s2v_directory  entries
--     s2v_checkpoint_rows   rows; seed = the key
--     s2v_checkpoint  seed 0, of the columns from name to losses in their order: integers and texts as
--                    text, BLOBs as they are, each followed by a zero byte
--     s2v_model      seed 0, of the columns from version to hash in their order: integers and texts as
--                    text, each followed by a zero byte
--
-- Model hash. XXH3-128, seed 0, 32 hexadecimal digits (canonical big-endian form), of: the column
-- parameters and a zero byte; in versions 5 and 6 that number as uint64; the number of tokens as uint64; for each word by id its bytes, a zero
-- byte, its count as uint64, its vector and, in version 6, its burst as float32; for each n-gram by bucket the bucket as uint32, its count as
-- uint64 and its vector; for each target by id its vector. Equal models have equal hashes.

CREATE TABLE IF NOT EXISTS s2v_model(
  id INTEGER PRIMARY KEY,
  name TEXT UNIQUE,                    -- NULL while it is being written
  is_default INTEGER NOT NULL,         -- 1: used where no model is named
  version INTEGER NOT NULL,            -- of this format
  compatible_version INTEGER NOT NULL, -- the oldest version whose readers can read it
  dimension INTEGER NOT NULL,
  element TEXT NOT NULL,               -- of s2v_word and s2v_ngram: 'float32' or 'int8'
  tokenizer TEXT NOT NULL,
  tokenizer_version INTEGER NOT NULL,
  ngram_order INTEGER NOT NULL,
  words INTEGER NOT NULL,
  ngrams INTEGER NOT NULL,
  targets INTEGER NOT NULL,
  smoothing TEXT NOT NULL,             -- decimal: a of the weights a / (a + f); 0: no weights
  unknown_norm TEXT NOT NULL,          -- decimal: length of an unknown word's vector; 0: it counts nothing
  tokens INTEGER NOT NULL,             -- of the corpus, unknown ones included: the divisor of f_w
  texts INTEGER NOT NULL,
  sentences INTEGER NOT NULL,          -- trained on
  corpus TEXT NOT NULL,                -- JSON: table, column, where, max_rowid, updates, or imported; of a copy made by s2v_convert also
                                       -- converted: the hash, words and ngrams of the model before
  parameters TEXT NOT NULL,            -- JSON: every hyper-parameter
  choices TEXT NOT NULL,               -- JSON: those of them that were chosen from the corpus: value, reason
  losses TEXT NOT NULL,                -- JSON: mean loss of a target, for each epoch
  library TEXT NOT NULL,               -- version that trained it
  created TEXT NOT NULL,               -- UTC, YYYY-MM-DD HH:MM:SS
  hash TEXT NOT NULL,
  checksum INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS s2v_word(
  key INTEGER PRIMARY KEY, word TEXT NOT NULL, count INTEGER NOT NULL, vector BLOB NOT NULL,
  checksum INTEGER NOT NULL, form TEXT, burst REAL
);
CREATE TABLE IF NOT EXISTS s2v_ngram(
  key INTEGER PRIMARY KEY, count INTEGER NOT NULL, vector BLOB NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS s2v_target(
  key INTEGER PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS s2v_directory(
  key INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS s2v_checkpoint(
  id INTEGER PRIMARY KEY,
  complete INTEGER NOT NULL,           -- 0: being written
  name TEXT NOT NULL,                  -- of the model
  is_default INTEGER NOT NULL,         -- 1: the model is to be the default
  corpus TEXT NOT NULL,                -- JSON: table, column, where, max_rowid
  texts INTEGER NOT NULL,
  texts_hash INTEGER NOT NULL,         -- XXH3-64, seed 0: each text's length in bytes as uint64, its bytes
  tokenizer_version INTEGER NOT NULL,
  parameters TEXT NOT NULL,            -- JSON: every hyper-parameter
  choices TEXT NOT NULL,               -- JSON: as in s2v_model
  words INTEGER NOT NULL,
  ngrams INTEGER NOT NULL,
  targets INTEGER NOT NULL,
  sentences INTEGER NOT NULL,          -- of the whole training, all epochs end to end
  position INTEGER NOT NULL,           -- of these, done; their order follows from the seed
  tokens INTEGER NOT NULL,             -- known words in those done
  library TEXT NOT NULL,
  created TEXT NOT NULL,               -- UTC
  losses BLOB NOT NULL,                -- for each epoch: sum of the loss, float64; its targets, uint64
  checksum INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS s2v_checkpoint_rows(
  key INTEGER PRIMARY KEY, rows BLOB NOT NULL, checksum INTEGER NOT NULL
);
