#!/usr/bin/env python3
"""Compares examples/tagger with NLTK's PerceptronTagger, in one run on one machine.

Run it in the module's root, with a Python that has NLTK:

    python3 -m venv /tmp/nltk && /tmp/nltk/bin/pip install nltk
    PERCEPTRON_DATA=FOLDER /tmp/nltk/bin/python bench/tagger.py

The folder holds ewt-train.conllu.gz and ewt-dev.conllu.gz, the English Web Treebank. Both
train in five passes. Training is processor time, with the reading of the file, and for ours
also with the writing of the model. Tagging is the best of
three runs over the dev words, NLTK's by processor time, ours over ten copies of them and by
the tagger's own clock.
"""
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

from nltk.tag.perceptron import PerceptronTagger


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
    """Runs a command, and returns its output and processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdin=subprocess.DEVNULL, text=True, check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(folder, train, dev):
    """Returns the same of examples/tagger."""
    tagger, model = os.path.join(folder, "tagger"), os.path.join(folder, "model")
    subprocess.run(["go", "build", "-o", tagger, "./examples/tagger"], check=True)
    _, trained = cpu(tagger, "-train", train, "-model", model)
    many = os.path.join(folder, "many.conllu")
    with gzip.open(dev, "rt", encoding="utf-8") as f, open(many, "w", encoding="utf-8") as g:
        g.write(f.read() * 10)
    last = [cpu(tagger, "-model", model, "-dev", many)[0].splitlines()[-1] for _ in range(3)]
    return float(last[0].split()[1]), trained, max(float(line.split()[-2]) for line in last)


def main():
    data = os.environ.get("PERCEPTRON_DATA")
    if not data:
        sys.exit("PERCEPTRON_DATA must name the folder of ewt-train.conllu.gz and ewt-dev.conllu.gz")
    train, dev = (os.path.join(data, f"ewt-{name}.conllu.gz") for name in ("train", "dev"))
    with tempfile.TemporaryDirectory() as folder:
        mine = ours(folder, train, dev)
    theirs = nltk(train, dev)
    for name, (accuracy, trained, speed) in (("examples/tagger", mine), ("NLTK", theirs)):
        print(f"{name:16} dev {accuracy:.4f}, training {trained:.1f} s, tagging {speed:,.0f} words/s")
    print(f"ratios: training {mine[1] / theirs[1]:.3f}, tagging speed {mine[2] / theirs[2]:.1f}")


main()
