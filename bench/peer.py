#!/usr/bin/env python3
"""Times scikit-learn's Perceptron beside this package's, in turn, on one core each.

Run it in the module's root, with Go and any scikit-learn:

    python3 bench/peer.py

The rows are MNIST's 10,000 test digits and the 20,000 of letter, if the environment variable
PERCEPTRON_DATA names their folder. Otherwise they are generated in the digits' shape. Neither side
shuffles. The two programs take turns, and all times are of the processor, so that other work on the
machine changes the ratios little. An epoch's time is a part of the difference between fits of many
epochs and of few, the least of seven runs. The last column has the least and the greatest ratio of
single turns. It takes about two minutes.
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import gzip
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import numpy as np
    from sklearn.linear_model import Perceptron
except ImportError as missing:
    sys.exit(f"bench/peer.py: {missing}. It needs scikit-learn: pip install scikit-learn, or Debian's python3-sklearn with /usr/bin/python3")

warnings.filterwarnings("ignore")
RUNS = 7


def digits(folder):
    images = gzip.open(os.path.join(folder, "mnist10k-images-idx3-ubyte.gz")).read()[16:]
    labels = gzip.open(os.path.join(folder, "mnist10k-labels-idx1-ubyte.gz")).read()[8:]
    X = np.frombuffer(images, np.uint8).reshape(-1, 784) / 256
    return X, np.frombuffer(labels, np.uint8).astype(int)


def letters(folder):
    rows = [line.split(",") for line in gzip.open(os.path.join(folder, "letter.csv.gz"), "rt")]
    return np.array([row[:16] for row in rows], float), np.array([ord(row[16][0]) for row in rows])


def generated():
    r = np.random.default_rng(0)
    y = r.integers(10, size=10000)
    ink = r.random((10, 784)) < 0.2
    X = np.where(ink[y] | (r.random((10000, 784)) < 0.05), r.integers(64, size=(10000, 784)) / 64, 0.0)
    return X, y


def seconds(f):
    start = time.process_time()
    f()
    return time.process_time() - start


def compare(name, program, folder, X, y, model, few, many):
    path = os.path.join(folder, name + ".svm")
    with open(path, "w") as f:
        for row, label in zip(X, y):
            f.write("%d %s\n" % (label, " ".join("%d:%.17g" % (j + 1, row[j]) for j in np.flatnonzero(row))))
    go = subprocess.Popen([program, "-dense", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    go.stdout.readline()

    def ask(line):
        go.stdin.write(line + "\n")
        go.stdin.flush()
        return float(go.stdout.readline())

    def fit(n):
        return seconds(lambda: Perceptron(max_iter=n, tol=None, shuffle=False).fit(X, y))

    def show(what, ours, theirs):
        pairs = [(ours(), theirs()) for _ in range(RUNS)]
        a, b = (min(p) for p in zip(*pairs))
        ratios = sorted(t / o for o, t in pairs)
        print("%-10s %-10s %11.3f µs %11.3f µs %7.1f× %7.1f to %.1f" % (name, what, b * 1e6, a * 1e6, b / a, ratios[0], ratios[-1]), flush=True)

    show(model, lambda: (ask(f"fit {model} last {many}") - ask(f"fit {model} last {few}")) / (many - few),
         lambda: (fit(many) - fit(few)) / (many - few))
    if model == "Online":
        binary = Perceptron(max_iter=1, tol=None).fit(X, y)
        rows = [(X[i:i + 1], y[i:i + 1]) for i in range(500)]
        show("Predict", lambda: ask("predict last"), lambda: seconds(lambda: [binary.predict(r[0]) for r in rows]) / len(rows))
        show("Update", lambda: ask("update last"), lambda: seconds(lambda: [binary.partial_fit(*r) for r in rows]) / len(rows))
    go.stdin.close()
    go.wait()


data = os.environ.get("PERCEPTRON_DATA")
X, y = digits(data) if data else generated()
with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, "sparse")
    subprocess.run(["go", "build", "-o", program, "./bench/sparse"], check=True)
    print("%-10s %-10s %14s %14s %8s" % ("rows", "perceptron", "scikit-learn", "perceptron", "ratio"))
    name = "digits" if data else "generated"
    compare(name, program, folder, X, np.where(y % 2 == 0, 1, -1), "Online", 2, 12)
    compare(name, program, folder, X, y, "OneVsRest", 1, 6)
    if data:
        compare("letter", program, folder, *letters(data), "OneVsRest", 1, 6)
