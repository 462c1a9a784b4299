#!/usr/bin/env python3
"""Figures stand in one place each, their home; what quotes them must say the same.

    quoted_figures.py            in the project's folder; prints what differs, exit code 1 where anything does

A line of QUOTES is a page, a piece of its text with {} for each figure, and the home of each: a row of a table
(a page, the row's first cell, the number of the column, from 1), or a piece of text or code with one {}. Blanks and line
ends are alike. A quote may have fewer decimals than its home. What is not found is an error too: so a line here is
changed when the sentence is.
"""
import re
import sys
from decimal import Decimal

SEARCH, FIGURES = "docs/search.md", "docs/figures.md"
LIMITS, FUSION = "sql/index_limits.h", "core/search/fusion.h"
MEAN = [(SEARCH, "mean", column) for column in (1, 2, 3)]  # BM25, embeddings, the index
VEC = "its rival, `vec0` of sqlite-vec 0.1.9"


def quality(row, column):
    return (FIGURES, row, column)


SLICE_MS = (LIMITS, "double kSliceSeconds = 0.0{};")
SYNC_SLICE_MS = (LIMITS, "kSyncSliceSeconds = 0.0{};")
EXACT = (LIMITS, "kMostExactRows = {};")
FEW = (LIMITS, "kFewPending = {};")
WORD_WEIGHT = (FUSION, "return {} * static_cast<double>")

QUOTES = [
    ("README.md", "its BM25 reaches {} (nDCG@10 × 100), the embeddings alone {}.", [MEAN[0], MEAN[1]]),
    ("README.md", "which is what `s2v_index` does, reach {}", [MEAN[2]]),
    ("README.md", "the nearest ten are found in {} ms (recall {}; sqlite-vec's `vec0`, which compares all: {} ms)",
     [(FIGURES, "asked by text | {} and"), (FIGURES, "asked by text | 0.49 and 0.61 | {}, 0.996"), (FIGURES, VEC, 1)]),
    ("docs/evaluation.md", "| nDCG@10 {}, BM25 {}, the vectors alone {}, each trained", [MEAN[2], MEAN[0], MEAN[1]]),
    ("docs/evaluation.md", "STS 2014 {}, SICK {}; `'raw'` {}, {}; TF-IDF {}, {} |",
     [quality(row, column) for row in ("default", "`'raw'` (equation 2)", "TF-IDF") for column in (1, 2)]),
    ("docs/evaluation.md", "TREC {}; {}, default {}; MR {}; {}, {}; SUBJ {}; {}, {} |",
     [quality(row, column) for column in (3, 4, 5) for row in ("TF-IDF", "`'raw'` (equation 2)", "default")]),
    ("docs/mpi.md", "`s2v_index` (BM25 {})", [MEAN[0]]),
    ("docs/mpi.md", "which on a quiet day takes {}, reading", [(FIGURES, "Wikipedia, a million sentences", 1)]),
    ("docs/figures.md", "has {} s for training on the same million", [("docs/mpi.md", "a million, one process of two workers", 1)]),
    ("docs/parameters.md", "points of STS 2014 (WordNet: {} to {}) and SICK ({} to {})",
     [(FIGURES, "on WordNet: 66.5 and 68.4 beside {} and"), (FIGURES, "(`ngram_order` 2) on WordNet: {} and"),
      (FIGURES, "68.4 beside 70.7 and {} of words alone"), (FIGURES, "on WordNet: 66.5 and {} beside")]),
    # Constants of the code.
    ("docs/in-step.md", "**The newest {} changed rows** are read", [EXACT]),
    ("docs/in-step.md", "Where more than {} changes wait", [FEW]),
    ("docs/in-step.md", "the oldest first, for {} ms", [SLICE_MS]),
    ("docs/in-step.md", "in slices of {} ms with a commit behind each", [SYNC_SLICE_MS]),
    ("docs/how-it-works.md", "compares the newest {} rows of the log one by one", [EXACT]),
    ("docs/how-it-works.md", "where more than {} wait", [FEW]),
    ("docs/how-it-works.md", "into the index, for {} ms, or one row", [SLICE_MS]),
    ("docs/design.md", "a slice of the log, for {} ms or one row", [SLICE_MS]),
    ("docs/design.md", "their newest {} count exactly", [EXACT]),
    ("docs/limits.md", "Behind more than {} changes that wait", [EXACT]),
    ("docs/replication.md", "the newest {} ([in step]", [EXACT]),
    ("docs/questions.md", "**weight** is {} for each of the question's words", [WORD_WEIGHT]),
    ("docs/search.md", "how much meaning counts beside words, 0 to 1000; default {} for each word", [WORD_WEIGHT]),
    ("docs/how-it-works.md", "weight {} for each word of the question", [WORD_WEIGHT]),
    ("docs/questions.md", "A question has {} such conditions", [("core/search/question.h", "kMostExactWords = {};")]),
    ("docs/questions.md", "Of `title:lend*` and `-lend*` up to {} words count", [("sql/index_exact.cc", "kMostExactCompletions = {};")]),
    ("docs/questions.md", "Of a phrase its first {} terms count", [("sql/index_vocabulary.cc", "kMostPhraseTerms = {};")]),
    ("docs/questions.md", "words in questions of more than {} words; questions ranked",
     [("sql/index_corrections.cc", "kMostCorrectedWords = {};")]),
    ("docs/questions.md", "Up to {} words that begin so are looked for", [("sql/index_question_text.cc", "kMostCompletions = {};")]),
    ("docs/search.md", "after {} bytes for each of its words at", [("sql/index_snippets.cc", "kMostWordBytes = {};")]),
    ("docs/questions.md", "Of a question of more than {} words", [(LIMITS, "kMostPhrases = {};")]),
    ("docs/search.md", "the first {} rows of the answer. Where", [("sql/index_search.h", "kMostAnswersCompared = {};")]),
    ("docs/search.md", "looked for, up to {} (or twice", [("sql/index_search.cc", "kMostAlike = {};")]),
    ("docs/languages.md", "the last one {} times as much: it tells", [("sql/index_words_query.cc", "kTypedLastTimes = {};")]),
    ("docs/questions.md", "such beginnings in a question {} together", [("sql/index_exact.cc", "kMostOfAllBeginnings = {};")]),
    ("docs/how-it-works.md", "Words met fewer than five times are unknown (in a table of fewer than {} tokens none is)",
     [("core/settings.cc", "kFewTokens = {};")]),
    ("docs/parameters.md", "| `min_count` | auto: 5; 1 below {} tokens", [("core/settings.cc", "kFewTokens = {};")]),
]

NUMBER = r"([-+−]?\d[\d,]*(?:\.\d+)?)"


def text_of(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def find(page, piece):
    pattern = re.escape(" ".join(piece.split())).replace(r"\ ", r"(?:\s|//)+").replace(r"\{\}", NUMBER)
    found = re.findall(pattern, text_of(page))
    if len(found) != 1:
        return None
    return [found[0]] if isinstance(found[0], str) else list(found[0])


def home_figure(home):
    if len(home) == 2:
        found = find(*home)
        return found and found[0]
    page, row, column = home
    for line in text_of(page).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] == row and column < len(cells):
            number = re.search(NUMBER, cells[column])
            return number and number[1]
    return None


def same(quote, home):
    """Whether the home's figure, rounded to the decimals of the quote, is the quote."""
    quote, home = (Decimal(number.replace(",", "").replace("−", "-").lstrip("+")) for number in (quote, home))
    decimals = min(quote.as_tuple().exponent, 0)
    return abs(home - quote) <= Decimal(1).scaleb(decimals) / 2 and decimals >= min(home.as_tuple().exponent, 0)


def main():
    status = 0
    for page, piece, homes in QUOTES:
        quotes = find(page, piece)
        if quotes is None:
            print(f"{page}: not there, or more than once: {piece}")
            status = 1
            continue
        for quote, home in zip(quotes, homes, strict=True):
            figure = home_figure(home)
            if figure is None:
                print(f"{home[0]}: no figure at {home[1:]}, which {page} quotes")
                status = 1
            elif not same(quote, figure):
                print(f"{page}: {quote} in '{piece}', but {figure} in {home[0]} at {home[1:]}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
