#!/usr/bin/env python3
"""Would the tests notice? One operator or constant is changed at a time, and the tests that should mind are run.

    tests/mutate.py                  # all, about half an hour on two processors
    tests/mutate.py --only search.cc # those whose file or text has this in it
    tests/mutate.py --check          # only whether each text below stands once in its file

The changes are made in a copy of the tree in build-mutants/, whose build compiles each file alone, so that a change costs
one file (or those that include a header) and a link. Fails if a text is not there, or not once: whoever changed the code
writes it anew here; and if a change goes unnoticed. Golden SQL is left out: that a printed number differs is written anew
without a thought.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build-mutants"
TREE = WORK / "tree"
SECONDS = 900  # of all tests of one change: one that makes them endless is noticed

# What is not changed is compiled several files at once.
UNITS = """cmake_language(DEFER CALL set_target_properties s2v_tests s2v_long_tests s2v_eval s2v_cli s2v_seldom PROPERTIES
  UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 14)
"""

# Quick ones first: most changes are noticed there.
SEARCH = ["^core_(search|question|ranker|word_scores|element)$", "^ext_index(_filters)?$",
          "^(sql_index_search|ext_index_(right|before_data|fault))$"]
TRAIN = ["^core_(sampling|sentence_planner|sgd_step|step_bound|settings|corpus|text_counter|trainer)$",
         "^(core_(ranks|continuation|sentence_store|embedder)|sql_(train_ranks|update_model|checkpoint)|ext_train_options)$"]
# file, what is there, what it becomes
MUTATIONS = [
    # words and meaning in one score
    ("core/search/fusion.h", "kFeedback = 0.5f", "kFeedback = 0"),
    ("core/search/fusion.h", "kOpening = 2,", "kOpening = 0,"),
    ("core/search/fusion.h", "std::exp(-terms_before", "std::exp(-0 * terms_before"),
    ("core/search/fusion.h", "length_share * size / mean_size", "length_share * mean_size / size"),
    ("core/search/fusion.h", "return idf > 0 ? idf : 1e-6", "return idf"),
    ("core/search/word_scores.cc", "phrase.is_repeated || !phrase.joins.empty()", "!phrase.joins.empty()"),
    ("core/search/word_scores.cc", "if (!is_further_choice) words_", "words_"),
    # the search by meaning
    ("core/search/search.h", "kValue && a.rowid < b.rowid", "kValue && a.rowid > b.rowid"),
    ("core/search/search.cc", "return 500 + 20 * k;", "return 500;"),
    ("core/search/search.cc", "kMargin = 4.5;", "kMargin = 0;"),
    ("core/search/search.cc", "if (best.similarity >= bar) last", "if (best.similarity < bar) last"),
    ("core/search/nearest_centre.cc", "n) / 2;", "n) / -2;"),
    ("core/search/codes.cc", "std::max(0.0f, 1 - along_", "std::max(0.0f, 0 - along_"),
    ("core/search/question.cc", "|| (seen_.is_text && end < seen_.last))", "|| seen_.is_text)"),
    # what is asked of SQL
    ("core/search/ranker.cc", "if (at == matches_.size()) break;", "break;"),
    ("core/search/ranker.cc", "if (matches_.size() > kOpeningRows)", "if (matches_.empty())"),
    ("core/search/ranker.cc", "? 0 : std::max(0.0, near.back().similarity)", "? 0 : 0.0"),
    ("sql/index_nearest.h", "allowed->Contains(rowid)) &&", "allowed->Contains(rowid)) ||"),
    ("sql/index_pending.cc", "if (last <= index.taken) break;", "if (last < index.taken) break;"),
    ("sql/index_matches.cc", "matching->more_rows--;", "matching->more_rows++;"),
    ("sql/index_common_words.cc", "{rows * kRowsForOneFrequent > WordSample", "{rows * 100 * kRowsForOneFrequent > WordSample"),
    ("core/model/element.cc", "2 * high[i] + (low", "2 * high[i] - (low"),
    ("sql/index_row_writer.cc", "if (two.side[i] != 0) move_", "if (two.side[i] == 0) move_"),
    # training
    ("core/train/sampling.cc", "std::sqrt(t / frequency) + t / frequency", "std::sqrt(t / frequency) - t / frequency"),
    ("core/train/sampling.cc", "rest[large] -= 1 - rest[small]", "rest[large] -= rest[small]"),
    ("core/train/sentence_planner.cc", "ngrams_.size() / 2);", "ngrams_.size());"),
    ("core/train/sentence_planner.cc", "random->Uniform() >= context_keep_", "random->Uniform() < context_keep_"),
    ("core/train/sgd_step.cc", "const float label = j == i ? 1.0f : 0.0f", "const float label = j <= i ? 1.0f : 0.0f"),
    ("core/train/sgd_step.cc", "-gradient_scale_[i], gradient_[i]", "gradient_scale_[i], gradient_[i]"),
    ("core/train/trainer.cc", "(rounds_.before + begin)", "begin"),
    ("core/train/row_exchange.cc", "std::clamp(whole_[due_[i]] / ranks, 1 / ranks, 1.0f)", "1.0f"),
    ("core/train/text_counter.cc", "if (place(w) < place(earliest))", "if (place(w) > place(earliest))"),
]


def copy_tree():
    """Tracked files, where they differ: what is the same keeps its time, and is not compiled again."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for name in names:
        source, target = ROOT / name, TREE / name
        if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def run(command, log, timeout=None):
    """Its return value; None where it took too long. All that it started ends with it."""
    process = subprocess.Popen(command, cwd=TREE, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def build(jobs, log):
    return run(["cmake", "--build", "build", "--target", "s2v_tests", "--parallel", str(jobs)], log) == 0


def noticed_by(patterns, jobs, log):
    """The tests that failed of the first pattern of which any did; in words where the time was over."""
    end = time.monotonic() + SECONDS
    for pattern in patterns:
        failed = WORK / "tree/build/Testing/Temporary/LastTestsFailed.log"
        failed.unlink(missing_ok=True)
        code = run(["ctest", "--test-dir", "build", "-R", pattern, "-j", str(jobs), "--stop-on-failure", "--no-tests=error"], log,
                   max(1, end - time.monotonic()))
        if code is None:
            return ["too long"]
        if code != 0:
            return [line.split(":")[1] for line in failed.read_text().splitlines()] if failed.exists() else ["ctest"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    missing = [(file, old) for file, old, _ in MUTATIONS
               if not (ROOT / file).exists() or (ROOT / file).read_text().count(old) != 1]
    for file, old in missing:
        print(f"{file} has not once: {old!r}", file=sys.stderr)
    if missing or options.check:
        return 1 if missing else 0
    WORK.mkdir(exist_ok=True)
    copy_tree()
    with open(WORK / "log", "w") as log:
        (WORK / "units.cmake").write_text(UNITS)
        configure = ["cmake", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
                     f"-DCMAKE_PROJECT_INCLUDE={WORK}/units.cmake"]
        if run(configure, log) != 0 or not build(options.jobs, log):
            print(f"the build failed: {WORK / 'log'}", file=sys.stderr)
            return 1
        chosen = [m for m in MUTATIONS if options.only in m[0] or options.only in m[1]]
        unnoticed = 0
        for file, old, new in chosen:
            path = TREE / file
            text = path.read_text()
            print(f"{file}: {old!r} -> {new!r}", file=log, flush=True)
            path.write_text(text.replace(old, new))
            try:
                if not build(options.jobs, log):
                    tests = ["the compiler"]
                else:
                    tests = noticed_by(TRAIN if "train" in file else SEARCH, options.jobs, log)
            finally:
                path.write_text(text)
            unnoticed += not tests
            print(f"{'noticed' if tests else 'MISSED':8} {file}: {old!r} -> {new!r}" + (f" ({', '.join(tests)})" if tests else ""), flush=True)
        build(options.jobs, log)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} mutations were noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
