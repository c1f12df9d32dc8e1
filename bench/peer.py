#!/usr/bin/python3
"""Times scikit-learn's Perceptron beside this package's, in one run on one machine.

Run it in the module's root, with Debian's python3-sklearn or any scikit-learn:

    /usr/bin/python3 bench/peer.py

The rows are MNIST's 10,000 test digits and the 20,000 of letter, if the environment variable
PERCEPTRON_DATA names their folder. Otherwise they are generated in the digits' shape. Neither
side shuffles.
An epoch's time is the mean of later epochs, without the first, in the best of several
runs. The program prints the times and their ratios.
"""
import gzip
import os
import re
import subprocess
import time
import warnings

import numpy as np
from sklearn.linear_model import Perceptron

warnings.filterwarnings("ignore")


def digits(folder):
    images = gzip.open(os.path.join(folder, "mnist10k-images-idx3-ubyte.gz")).read()[16:]
    labels = gzip.open(os.path.join(folder, "mnist10k-labels-idx1-ubyte.gz")).read()[8:]
    X = np.frombuffer(images, np.uint8).reshape(-1, 784) / 255.0
    return "digits", X, np.frombuffer(labels, np.uint8).astype(int)


def letters(folder):
    rows = [line.split(",") for line in gzip.open(os.path.join(folder, "letter.csv.gz"), "rt")]
    return np.array([row[:16] for row in rows], float), np.array([ord(row[16][0]) for row in rows])


def generated():
    r = np.random.default_rng(0)
    y = r.integers(10, size=10000)
    ink = r.random((10, 784)) < 0.2
    X = np.where(ink[y] | (r.random((10000, 784)) < 0.05), r.integers(64, size=(10000, 784)) / 64, 0.0)
    return "10000×784", X, y


def seconds(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def epoch(X, y, jobs=None, few=1, many=6, runs=4):
    def fit(n):
        return min(seconds(lambda: Perceptron(max_iter=n, tol=None, shuffle=False, n_jobs=jobs).fit(X, y)) for _ in range(runs))

    return (fit(many) - fit(few)) / (many - few)


def call(f, times=500, runs=4):
    return min(seconds(lambda: [f(i) for i in range(times)]) for _ in range(runs)) / times


def ours(pattern):
    """Returns the least seconds of each benchmark that the pattern selects."""
    out = subprocess.run(["go", "test", "-run", "^$", "-bench", pattern, "-benchtime", "0.2s", "-count", "5", "."],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    best = {}
    for name, ns in re.findall(r"^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", out, re.M):
        best[name] = min(best.get(name, np.inf), float(ns) * 1e-9)
    return best


folder = os.environ.get("PERCEPTRON_DATA")
name, X, y = digits(folder) if folder else generated()
signs = np.where(y % 2 == 0, 1, -1)
binary = Perceptron(max_iter=1, tol=None).fit(X, signs)
stream = Perceptron()
stream.partial_fit(X[:1], signs[:1], classes=[-1, 1])

theirs = {
    f"Epoch/{name}/Online": epoch(X, signs, few=2, many=12),
    f"Epoch/{name}/OneVsRest,1": epoch(X, y),
    f"Epoch/{name}/OneVsRest,2": epoch(X, y, jobs=2),
    "Row/Predict/d=784": call(lambda i: binary.predict(X[i:i + 1])),
    "Row/Update/d=784": call(lambda i: stream.partial_fit(X[i:i + 1], signs[i:i + 1])),
}
if folder:
    theirs["Epoch/letter/OneVsRest,1"] = epoch(*letters(folder))
mine = ours("^Benchmark(Epoch|Row)$/^(%s|letter|Predict|Update)$/^(Online|OneVsRest,1|OneVsRest,2|d=784)$" % name)

print("%-28s %14s %14s %9s" % ("", "scikit-learn", "perceptron", "ratio"))
for what, t in theirs.items():
    print("%-28s %11.3f µs %11.3f µs %8.1f×" % (what, t * 1e6, mine[what] * 1e6, t / mine[what]))
