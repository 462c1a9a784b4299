#!/usr/bin/env python3
"""static_model_test.py COMMAND [FOLDER]: imported static models against the formula of model2vec and StaticEmbedding.

Makes small models (model.safetensors, tokenizer.json) with the tokenizers WordPiece and Unigram, cuts texts by rules
written down here a second time, takes the mean of the pieces' rows, and compares that with what s2v embeds. With FOLDER
the models, the texts and their pieces are left there, for a comparison with other programs."""

import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import unicodedata

COMMAND = os.path.abspath(sys.argv[1])
DIMENSION = 7
TEXTS = [
    "The harbour was unaffable, and the storms calmed.", "storm", "storms stormy stormiest", "Überraschung naïve café",
    "CAFÉ Cafe\u0301", "日本語 and 中文字 mixed", "a\tb\nc  d", "price: $100,000.00!", "don't can't", "İstanbul IŞIK",
    "한국어 문장", "ﬁne ligatures ①②③ ＦＵＬＬ ｗｉｄｔｈ", "emoji 🙂 and 🇩🇪 flags", "zzzz qqqq", "x" * 101 + " storm",
    "z" * 100, "snow\u00a0rain\u2003wind", "«guillemets» – dash — and … dots", "soft\u00adhyphen zero\u200bwidth",
    "snowfall windstorm rainwater", "  leading and trailing  ", "storm,rain;wind", "Ωμέγα ΣΊΣΥΦΟΣ", "½ ² ª",
    "\u0007bell\u0000nul", "rain▁snow", "new york harbour", "the the the", "[UNK] storm", "Ⅳ ℌ", "ǅ ǆ",
]


def is_space(c):
    return c in "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" or "\u2000" <= c <= "\u200a"


def is_ascii_mark(c):
    return c < "\x80" and c.isprintable() and not c.isalnum() and c != " "


def clean(text):
    kept = [c for c in text if c not in "\0\ufffd" and (c in "\t\n\r" or unicodedata.category(c) not in ("Cc", "Cf", "Co"))]
    return "".join(" " if is_space(c) else c for c in kept)


def chinese(text):
    blocks = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F), (0x2B920, 0x2CEAF),
              (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]
    return "".join(" " + c + " " if any(a <= ord(c) <= b for a, b in blocks) else c for c in text)


def without_accents(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")


def lower(text):
    return "".join(c.lower() for c in text)


def nmt(text):
    gone = set(range(1, 9)) | {11} | set(range(14, 32)) | {0x7F, 0x8F, 0x9F}
    blank = {9, 10, 12, 13, 0x1680, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD} | set(range(0x200B, 0x2010))
    return "".join(" " if ord(c) in blank else c for c in text if ord(c) not in gone)


def squeeze(text):
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def words_of_bert(text):
    words = [""]
    for c in text:
        if is_space(c):
            words.append("")
        elif is_ascii_mark(c) or unicodedata.category(c).startswith("P"):
            words += [c, ""]
        else:
            words[-1] += c
    return [word for word in words if word]


def wordpiece(word, vocabulary):
    pieces = []
    while word and len(word) + sum(len(p) - (p[:2] == "##") * 2 for p in pieces) <= 100:
        for size in range(len(word), 0, -1):
            piece = ("##" if pieces else "") + word[:size]
            if piece in vocabulary:
                pieces.append(piece)
                word = word[size:]
                break
        else:
            return ["[UNK]"]
    return ["[UNK]"] if word else pieces


def unigram(word, scores):
    unknown = min(scores.values()) - 10
    best = [(0.0, 0, "")] + [None] * len(word)
    for start in range(len(word)):
        offers = [(end, word[start:end]) for end in range(start + 1, len(word) + 1) if word[start:end] in scores]
        if word[start] not in scores:
            offers.append((start + 1, None))
        for end, piece in offers:
            score = best[start][0] + (unknown if piece is None else scores[piece])
            if best[end] is None or score > best[end][0]:
                best[end] = (score, start, piece)
    pieces, end = [], len(word)
    while end:
        _, end, piece = best[end]
        if piece is not None or not pieces or pieces[-1] is not None:
            pieces.append(piece)
    return ["<unk>" if piece is None else piece for piece in reversed(pieces)]


def marked(text, split):
    if not text:
        return []
    text = text.replace(" ", "▁")
    if not text.startswith("▁"):
        text = "▁" + text
    if not split:
        return [text]
    return ["▁" + word for word in text[1:].split("▁")]


def number_bytes(value, kind):
    if kind == "BF16":
        return struct.pack("<f", value)[2:]
    return struct.pack({"F64": "<d", "F32": "<f", "F16": "<e", "I64": "<q", "I8": "<b"}[kind], value)


def number(data, kind):
    if kind == "BF16":
        return struct.unpack("<f", b"\0\0" + data)[0]
    return struct.unpack({"F64": "<d", "F32": "<f", "F16": "<e", "I64": "<q", "I8": "<b"}[kind], data)[0]


def write_tensors(path, tensors):
    head, body = {"__metadata__": {"format": "pt"}}, b""
    for name, (kind, shape, values) in tensors.items():
        data = b"".join(number_bytes(value, kind) for value in values)
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


WORDS = ["the", "was", "and", "storm", "rain", "snow", "wind", "new", "york", "harbour", "calm", "una", "price", "don", "can",
         "cafe", "uber", "naive", "trailing", "leading", "mixed", "100", "000", "日", "中", "文", "語", "flags"]
LETTERS = "abcdefghijklmnorstuvwxyz0123456789é" + unicodedata.normalize("NFD", "한국어문장") + "한국어문장" + "ωμεγας"
MARKS = ".,:;!?$'-–—…«»[]<>▁🙂"


def wordpiece_vocabulary():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS + [w.capitalize() for w in WORDS if w.capitalize() != w]
    words += ["##s", "##y", "##ed", "##ffa", "##ble", "##iest", "##fall", "##storm", "##water", "##raschung"]
    words += sorted(set(LETTERS + MARKS)) + ["##" + c for c in sorted(set(LETTERS))]
    return {word: i for i, word in enumerate(dict.fromkeys(words))}


def unigram_vocabulary(make):
    words = ["▁" + word for word in WORDS] + WORDS + ["s", "y", "ed", "ffa", "ble", "st", "orm", "ai", "now", "▁new▁york", "▁a", "▁"]
    words = ["<s>", "<pad>", "</s>", "<unk>"] + list(dict.fromkeys(words + sorted(set(LETTERS + MARKS))))
    return [[word, 0.0 if word.startswith("<") and len(word) > 1 else -2 - 10 * make.random() / len(word)] for word in words]


BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
SPACES = [{"type": "Strip", "strip_left": False, "strip_right": True},
          {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]


def models(make):
    """Of each: name, tokenizer.json, the pieces of a text, type of the tensor, whether unknown pieces count."""
    vocabulary = wordpiece_vocabulary()
    pieces = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
              "vocab": vocabulary}

    def bert(normalise):
        return lambda text: [p for word in words_of_bert(normalise(text)) for p in wordpiece(word, vocabulary)]

    uncased = bert(lambda text: lower(without_accents(chinese(clean(text)))))
    special = [{"id": i, "content": word, "special": True} for word, i in vocabulary.items() if word.startswith("[") and len(word) > 1]
    for kind, unknown_counts in (("F32", False), ("F16", True), ("BF16", False), ("F64", False), ("I8", False)):
        yield "bert-" + kind, {"normalizer": BERT, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": pieces,
                               "added_tokens": special}, uncased, kind, unknown_counts
    cased = dict(BERT, lowercase=False)
    yield "bert-cased", {"normalizer": cased, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": pieces,
                         "added_tokens": special}, bert(lambda text: chinese(clean(text))), "F32", True
    scores = unigram_vocabulary(make)
    table = {word: score for word, score in scores if word not in ("<s>", "<pad>", "</s>", "<unk>")}
    model = {"type": "Unigram", "unk_id": 3, "vocab": scores}
    special = [{"id": i, "content": word, "special": True} for i, (word, _) in enumerate(scores[:4])]

    def spaces(text):
        return squeeze(text).rstrip()

    def sentencepiece(normalise, split=True):
        return lambda text: [p for word in marked(normalise(text), split) for p in unigram(word, table)]

    def nfkc(text):
        return unicodedata.normalize("NFKC", text)

    yield "xlm", {"normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}] + SPACES},
                  "pre_tokenizer": METASPACE, "model": model, "added_tokens": special}, sentencepiece(
                      lambda text: spaces(nfkc(nmt(text)))), "F32", True
    yield "xlm-words", {"normalizer": {"type": "Precompiled", "precompiled_charsmap": ""},
                        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]},
                        "model": model, "added_tokens": special}, lambda text: [
                            p for word in "".join(" " if is_space(c) else c for c in nfkc(nmt(text))).split(" ") if word
                            for part in marked(word, True) for p in unigram(part, table)], "F32", False
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    apart = [{"type": "Replace", "pattern": {"String": c}, "content": " " + c + " "} for c in marks]
    ends = [{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, {"type": "Strip", "strip_left": True, "strip_right": True}]

    def supertokens(text):
        text = lower(without_accents(chinese(clean(text))))
        text = "".join(" " + c + " " if c in marks else c for c in text)
        return squeeze("".join(" " if is_space(c) else c for c in text)).strip(" ")

    yield "supertokens", {"normalizer": {"type": "Sequence", "normalizers": [BERT] + apart + ends},
                          "pre_tokenizer": dict(METASPACE, split=False), "model": model, "added_tokens": special}, sentencepiece(
                              supertokens, split=False), "F32", False


def write_model(folder, tokenizer, kind, unknown_counts, make):
    os.makedirs(folder)
    vocabulary = tokenizer["model"]["vocab"]
    names = sorted(vocabulary, key=vocabulary.get) if isinstance(vocabulary, dict) else [word for word, _ in vocabulary]
    with open(folder + "/tokenizer.json", "w") as file:
        json.dump(dict(tokenizer, version="1.0", truncation=None, padding=None, post_processor=None, decoder=None), file)
    rows = len(names) if kind != "F64" else 20
    values = [make.randrange(-128, 128) if kind == "I8" else make.gauss(0, 1) for _ in range(rows * DIMENSION)]
    kept = [number(number_bytes(value, kind), kind) for value in values]
    tensors = {"embedding.weight" if unknown_counts else "embeddings": (kind, [rows, DIMENSION], values)}
    mapping, weights = list(range(rows)), [1.0] * rows
    if kind == "F64":  # fewer rows than pieces
        mapping, weights = [make.randrange(rows) for _ in names], [make.random() for _ in names]
        tensors["mapping"] = ("I64", [len(names)], mapping)
        tensors["weights"] = ("F64", [len(names)], weights)
    write_tensors(folder + "/model.safetensors", tensors)
    return {name: [weights[i] * kept[mapping[i] * DIMENSION + k] for k in range(DIMENSION)] for i, name in enumerate(names)}


def main():
    make = random.Random(1)
    worst = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[2] if len(sys.argv) > 2 else temporary
        lines = [text for text in TEXTS if "\n" not in text and "\0" not in text]
        database = temporary + "/models.db"
        subprocess.run(["sqlite3", database, "VACUUM"], check=True)
        for name, tokenizer, cut, kind, unknown_counts in models(make):
            rows = write_model(folder + "/" + name, tokenizer, kind, unknown_counts, make)
            subprocess.run([COMMAND, "import", database, folder + "/" + name, "--model", name, "--quiet"], check=True)
            found = subprocess.run([COMMAND, "embed", database, "--model", name, "--raw"], input="\n".join(lines) + "\n",
                                   capture_output=True, text=True, check=True).stdout.splitlines()
            assert len(found) == len(lines), name
            for text, line in zip(lines, found):
                pieces = cut(text)
                counted = [p for p in pieces if unknown_counts or p not in ("[UNK]", "<unk>")]
                expected = [sum(rows[p][k] for p in counted) / max(len(counted), 1) for k in range(DIMENSION)] if counted else None
                vector = json.loads(line)
                if (vector is None) != (expected is None):
                    sys.exit("%s: %r: %s, where the pieces are %s" % (name, text, line, pieces))
                if expected is None:
                    continue
                difference = max(abs(a - b) for a, b in zip(vector, expected)) / max(1, max(map(abs, expected)))
                if not difference < 1e-5:
                    sys.exit("%s: %r: differs by %g; the pieces are %s" % (name, text, difference, pieces))
                worst = max(worst, difference)
            if len(sys.argv) > 2:
                with open(folder + "/" + name + "/pieces.json", "w") as file:
                    json.dump([[text, cut(text)] for text in TEXTS], file)
        print("%d texts on %d models, largest difference %.2g" % (len(lines), len(list(models(random.Random(1)))), worst))


main()
