#!/usr/bin/env python3
"""Compares the times of SparseModel, scikit-learn and LIBLINEAR on sparse rows, on one core each.

Run it in the module's root, with Go and any scikit-learn:

    python3 bench/sparse.py [SET …]

The sets are written to a temporary folder, as LIBSVM files:

    rcv1      100,000 rows of 47,236 features, 74 non-zeros a row
    news20    20,000 rows of 1,355,191 features, 455 non-zeros a row
    rcv1-20   as rcv1, in 20 classes
    onehot    32,561 rows of 123 features, 14 non-zeros a row, all of them 1
    wide      16,000 rows of 100,000 features, 50 non-zeros a row
    digits    MNIST's 10,000 test digits, if PERCEPTRON_DATA names their folder

Words have Zipf's frequencies, as in text. Both sides shuffle. The programs take turns, and all times
are processor times. The time of an epoch is a fifth of the difference between fits of six epochs and of
one, the least of several runs. LIBLINEAR's iteration is that of LinearSVC with the hinge loss, in the
dual. fit5 is a whole call of Fit with five epochs.
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
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import Perceptron, SGDClassifier
    from sklearn.svm import LinearSVC
except ImportError as missing:
    sys.exit(f"bench/sparse.py: {missing}. It needs scikit-learn: pip install scikit-learn, or Debian's python3-sklearn with /usr/bin/python3")

warnings.filterwarnings("ignore")
RUNS = 5


def text(rows, features, nonzeros, classes, seed):
    """Rows of words with Zipf's frequencies, logarithmic counts and length 1."""
    r = np.random.default_rng(seed)
    p = 1 / (np.arange(features) + 10.0)
    cumulated = np.cumsum(p) / p.sum()
    place = r.permutation(features)
    starts, index, value = [0], [], []
    for _ in range(rows):
        m = max(5, int(r.lognormal(np.log(nonzeros) - 0.18, 0.6)))
        words = np.unique(np.searchsorted(cumulated, r.random(2 * m)))
        j = np.sort(place[r.permutation(words)[:m]])
        v = 1 + np.log(1 + r.geometric(0.5, len(j)))
        index.append(j)
        value.append(v / np.sqrt((v * v).sum()))
        starts.append(starts[-1] + len(j))
    X = csr_matrix((np.concatenate(value), np.concatenate(index), starts), shape=(rows, features))
    scores = X @ r.standard_normal((features, classes if classes > 2 else 1))
    scores += 0.15 * r.standard_normal(scores.shape)
    return X, scores.argmax(1) if classes > 2 else np.where(scores[:, 0] > 0, 1, -1)


def onehot():
    r = np.random.default_rng(3)
    sizes = [5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41]
    n, first, columns = 32561, 0, []
    for s in sizes:
        p = 1 / (np.arange(s) + 1.0)
        columns.append(first + r.choice(s, n, p=p / p.sum()))
        first += s
    index = np.stack(columns, 1)
    score = r.standard_normal(first)[index].sum(1) + 0.8 * r.standard_normal(n)
    X = csr_matrix((np.ones(index.size), index.ravel(), np.arange(n + 1) * len(sizes)), shape=(n, first))
    return X, np.where(score > 0, 1, -1)


def digits(folder):
    images = gzip.open(os.path.join(folder, "mnist10k-images-idx3-ubyte.gz")).read()[16:]
    labels = gzip.open(os.path.join(folder, "mnist10k-labels-idx1-ubyte.gz")).read()[8:]
    X = np.frombuffer(images, np.uint8).reshape(-1, 784) / 256
    return csr_matrix(X), np.frombuffer(labels, np.uint8).astype(int)


SETS = {
    "rcv1": lambda: text(100000, 47236, 74, 2, 1),
    "news20": lambda: text(20000, 1355191, 455, 2, 2),
    "rcv1-20": lambda: text(100000, 47236, 74, 20, 1),
    "onehot": onehot,
    "wide": lambda: text(16000, 100000, 50, 2, 4),
}
FOLDER = os.environ.get("PERCEPTRON_DATA")
if FOLDER:
    SETS["digits"] = lambda: digits(FOLDER)


def write(path, X, y):
    with open(path, "w") as f:
        for i in range(X.shape[0]):
            a, b = X.indptr[i], X.indptr[i + 1]
            words = " ".join("%d:%.17g" % (j + 1, v) for j, v in zip(X.indices[a:b], X.data[a:b]))
            f.write("%d %s\n" % (y[i], words))


def seconds(f):
    start = time.process_time()
    f()
    return time.process_time() - start


def perceptron(n):
    return Perceptron(max_iter=n, tol=None, random_state=1)


def averaged(n):
    return SGDClassifier("perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True, max_iter=n,
                         tol=None, random_state=1)


def svc(n):
    return LinearSVC(loss="hinge", dual=True, max_iter=n, tol=1e-12)


def compare(name, folder, program):
    X, y = SETS[name]()
    path = os.path.join(folder, name + ".svm")
    write(path, X, y)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    go = subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    go.stdout.readline()

    def ask(line):
        go.stdin.write(line + "\n")
        go.stdin.flush()
        return float(go.stdout.readline())

    def show(what, peer, ours, theirs):
        pairs = [(ours(), theirs()) for _ in range(RUNS)]
        a, b = (min(p) for p in zip(*pairs))
        print("%-8s %-22s %-34s %10.3f µs %12.3f µs %8.4f" % (name, what, peer, a * 1e6, b * 1e6, a / b), flush=True)

    def epochs(model, keep, make):
        rows = X.shape[0]
        return (lambda: (ask(f"fit {model} {keep} 6") - ask(f"fit {model} {keep} 1")) / 5 / rows,
                lambda: (seconds(lambda: make(6).fit(X, y)) - seconds(lambda: make(1).fit(X, y))) / 5 / rows)

    if len(set(y)) > 2:
        for model in "OneVsRest", "Multiclass":
            show(f"{model}, a row", "Perceptron, one job", *epochs(model, "last", perceptron))
    else:
        show("Online, a row", "Perceptron", *epochs("Online", "last", perceptron))
        show("Average, a row", "SGDClassifier(average)", *epochs("Online", "average", averaged))
        show("Online, a row", "LinearSVC, an iteration", *epochs("Online", "last", svc))
        show("Average, a row", "LinearSVC, an iteration", *epochs("Online", "average", svc))
        model = perceptron(1).fit(X, y)
        rows = [(X[i], y[i:i + 1]) for i in range(200)]
        for keep in "last", "average":
            show(f"Update, {keep}", "partial_fit of one row", lambda: ask(f"update {keep}"),
                 lambda: seconds(lambda: [model.partial_fit(*r) for r in rows]) / len(rows))
            show(f"Predict, {keep}", "predict of one row", lambda: ask(f"predict {keep}"),
                 lambda: seconds(lambda: [model.predict(r[0]) for r in rows]) / len(rows))
        show("Average, fit5", "SGDClassifier(average)", lambda: ask("fit Online average 5"),
             lambda: seconds(lambda: averaged(5).fit(X, y)))
    go.stdin.close()
    go.wait()


with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, "sparse")
    subprocess.run(["go", "build", "-o", program, "./bench/sparse"], check=True)
    print("%-8s %-22s %-34s %13s %15s %8s" % ("set", "perceptron", "scikit-learn", "perceptron", "scikit-learn", "ratio"))
    for name in sys.argv[1:] or SETS:
        compare(name, folder, program)
