#!/usr/bin/env python3
"""Compares examples/tagger with NLTK's PerceptronTagger, in one run on one machine.

Run it in the module's root, with a Python that has NLTK:

    python3 -m venv /tmp/nltk && /tmp/nltk/bin/pip install nltk
    PERCEPTRON_DATA=FOLDER /tmp/nltk/bin/python bench/tagger.py

The folder holds ewt-train.conllu.gz and ewt-dev.conllu.gz, the English Web Treebank. Both
taggers train in five passes. All times are processor time. The time of training includes reading
the file. The time of tagging is the best of three runs over the dev words. Ours tags 20 copies of
them and reads their file; the time of a run that only loads the tagger is subtracted. NLTK's does
not read the file in this time. memory is our largest resident set, when training with saving, and
when loading.
"""
import gzip
import os
import random
import subprocess
import sys
import tempfile
import time

try:
    from nltk.tag.perceptron import PerceptronTagger
except ImportError as missing:
    sys.exit(f"bench/tagger.py: {missing}. It needs NLTK: pip install nltk")


def read(name):
    sentences = [[]]
    for line in gzip.open(name, "rt", encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if len(columns) == 10 and columns[0].isdigit():
            sentences[-1].append((columns[1], columns[3]))
        elif columns == [""]:
            sentences.append([])
    return [s for s in sentences if s]


def nltk(train, dev):
    """Returns the accuracy, the seconds of training, and the words tagged in a second."""
    random.seed(1)
    begun = time.process_time()
    tagger = PerceptronTagger(load=False)
    tagger.train(read(train), nr_iter=5)
    trained = time.process_time() - begun
    sentences = read(dev)
    forms = [[form for form, _ in s] for s in sentences]
    speed = 0
    for _ in range(3):
        begun = time.process_time()
        got = [tagger.tag(f) for f in forms]
        speed = max(speed, sum(map(len, got)) / (time.process_time() - begun))
    right = sum(a == b for s, g in zip(sentences, got) for a, b in zip(s, g))
    return right / sum(map(len, sentences)), trained, speed


def cpu(*command):
    """Runs a command, and returns its output, processor time and largest memory in MB."""
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE)
    out = p.stdout.read()
    _, status, usage = os.wait4(p.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed")
    return out, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def ours(folder, train, dev):
    """Returns the same of examples/tagger, and its memory in MB."""
    tagger, model = os.path.join(folder, "tagger"), os.path.join(folder, "model")
    subprocess.run(["go", "build", "-o", tagger, "./examples/tagger"], check=True)
    _, trained, _ = cpu(tagger, "-train", train)
    _, _, saving = cpu(tagger, "-train", train, "-model", model)
    many = os.path.join(folder, "many.conllu")
    with gzip.open(dev, "rt", encoding="utf-8") as f, open(many, "w", encoding="utf-8") as g:
        g.write(f.read() * 20)
    speed = 0
    for _ in range(3):
        _, loaded, loading = cpu(tagger, "-model", model)
        out, used, _ = cpu(tagger, "-model", model, "-dev", many)
        right, words = out.split()[1:4:2]  # dev: RIGHT of WORDS words right
        speed = max(speed, int(words) / (used - loaded))
    return float(right), trained, speed, max(saving, loading)


def main():
    data = os.environ.get("PERCEPTRON_DATA")
    if not data:
        sys.exit("PERCEPTRON_DATA must name the folder of ewt-train.conllu.gz and ewt-dev.conllu.gz")
    train, dev = (os.path.join(data, f"ewt-{name}.conllu.gz") for name in ("train", "dev"))
    with tempfile.TemporaryDirectory() as folder:
        mine = ours(folder, train, dev)
    theirs = nltk(train, dev)
    for name, (accuracy, trained, speed) in (("examples/tagger", mine[:3]), ("NLTK", theirs)):
        print(f"{name:16} dev {accuracy:.4f}, training {trained:.1f} s, tagging {speed:,.0f} words/s")
    print(f"ratios: training {mine[1] / theirs[1]:.3f}, tagging speed {mine[2] / theirs[2]:.1f}; memory {mine[3]:.0f} MB")


main()
