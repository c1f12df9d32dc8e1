#!/usr/bin/env python3
"""Brackets the best margin with this package, with three algorithms of the literature, and with LIBLINEAR.

Run it in the module's root, with Go, after pip install scikit-learn:

    python3 bench/margins.py [SET …]

sonar is standardized, from testdata. mushroom and digit (0 against the rest of MNIST's 10,000 test digits)
need PERCEPTRON_DATA. random has 2,000 dense rows of 1,500 normal features with random labels, and sparse has
20,000 rows with 50 of 200,000 such features. bench/margins runs the package and the algorithms on the same
rows. LIBLINEAR is LinearSVC with the hinge loss, C = 10¹⁰ (so the margin is hard) and rows divided by R. It
has no bound from above, so its gap is to the Lower of Separations, which may itself be .001 too small.
It is fitted with 10, 40, 160 … iterations, and only the time of the first fit that is near enough counts,
though a user does not know this number of iterations. All times are processor times. Each algorithm ends
after LIMIT (6) seconds. The script takes about three minutes.
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import gzip
import io
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import numpy as np
    from scipy import sparse
    from sklearn.datasets import dump_svmlight_file, load_svmlight_file
    from sklearn.svm import LinearSVC
except ImportError as missing:
    sys.exit(f"bench/margins.py: {missing}. It needs scikit-learn: pip install scikit-learn")

warnings.filterwarnings("ignore")
LIMIT = float(os.environ.get("LIMIT", "6"))
NARROW = 1e-3
DATA = os.environ.get("PERCEPTRON_DATA")


def sonar():
    X, y = load_svmlight_file(io.BytesIO(gzip.open("testdata/sonar.svm.gz").read()))
    X = X.toarray()
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def mushroom():
    X, y = load_svmlight_file(io.BytesIO(gzip.open(os.path.join(DATA, "mushroom.svm.gz")).read()))
    return X.toarray(), 2 * y - 1


def digit():
    images = gzip.open(os.path.join(DATA, "mnist10k-images-idx3-ubyte.gz")).read()[16:]
    labels = gzip.open(os.path.join(DATA, "mnist10k-labels-idx1-ubyte.gz")).read()[8:]
    y = np.frombuffer(labels, np.uint8)
    return np.frombuffer(images, np.uint8).reshape(-1, 784) / 255, np.where(y == 0, 1, -1)


def random():
    r = np.random.default_rng(72)
    return r.standard_normal((2000, 1500)), r.choice([-1, 1], 2000)


def few():
    r = np.random.default_rng(72)
    at = np.sort(r.integers(200000, size=(20000, 50)), axis=1)
    X = sparse.csr_matrix((r.standard_normal(at.size), at.ravel(), np.arange(0, at.size + 1, 50)), shape=(20000, 200000))
    X.sum_duplicates()
    return X, r.choice([-1, 1], 20000)


def liblinear(X, y, radius, best):
    """Returns the seconds until a hyperplane separates, those until the gap is narrow, the last gap, and
    the iterations."""
    first, gap, iterations = float("nan"), 1.0, 10
    X = X / radius
    while True:
        model = LinearSVC(loss="hinge", C=1e10, tol=1e-12, max_iter=iterations, intercept_scaling=1 / radius, random_state=0)
        start = time.process_time()
        model.fit(X, y)
        used = time.process_time() - start
        w, b = model.coef_[0], model.intercept_[0] * radius
        lower = (y * (X @ w + model.intercept_[0])).min() / np.sqrt(w @ w + b * b) if w.any() else -1
        if lower > 0 and first != first:
            first = used
        gap = min(gap, 1 - max(lower, 0) / best)
        if gap <= NARROW:
            return first, used, gap, iterations
        if 4 * used > LIMIT:
            return first, float("nan"), gap, iterations
        iterations *= 4


def show(name, solver, first, narrow, gap, steps, ours):
    ratio = "" if narrow != narrow else f"{narrow / ours:9.1f}×"
    print(f"{name:9} {solver:12} {first:10.3f} s {narrow:10.3f} s {ratio:>11} {gap:10.2e} {steps:>9}", flush=True)


def compare(name, make, program, folder):
    X, y = make()
    path = os.path.join(folder, name + ".svm")
    dump_svmlight_file(X, y, path, zero_based=False)
    dense = [] if sparse.issparse(X) else ["-dense"]
    out = subprocess.run([program, *dense, "-limit", f"{LIMIT}s", path], check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    radius = float(out[0].split()[1])
    for line in out[1:-1]:
        solver, *numbers = line.split()
        first, narrow, gap, steps, lower = map(float, numbers)
        if solver == "Separations":
            ours, best = narrow, lower
        show(name, solver, first, narrow, gap, int(steps), ours)
    show(name, "LIBLINEAR", *liblinear(X, y, radius, best), ours)


def main():
    sets = {"sonar": sonar, "mushroom": mushroom, "digit": digit, "random": random, "sparse": few}
    names = sys.argv[1:] or [name for name in sets if DATA or name not in ("mushroom", "digit")]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "margins")
        subprocess.run(["go", "build", "-o", program, "./bench/margins"], check=True)
        print(f"{'rows':9} {'':12} {'separates':>12} {'gap .001':>12} {'ratio':>11} {'last gap':>10} {'steps':>9}")
        for name in names:
            compare(name, sets[name], program, folder)


main()
