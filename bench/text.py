"""Compares the command on text, and its probabilities, with scikit-learn's.

usage: text.py PROGRAM

It needs scikit-learn. Texts are made: words of a Zipf law, whose frequencies differ a little
between two classes, as short as SMS and as long as reviews. On the same rows, the command trains
with --text, and scikit-learn with HashingVectorizer and SGDClassifier(average=True). The seconds
are processor times. The command's includes reading and measuring; scikit-learn's is that of
vectorizing and fitting alone. All figures are means over six sets.

The second part calibrates ten tables of two classes, and ten of three to ten. Each row stands twice
in the training file, and one of the two is held out. So the command calibrates on the scores of each
row once. scikit-learn fits its sigmoid, or its temperature, to the same scores. The log loss is
measured on other rows.
"""

import csv
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    from sklearn.calibration import _SigmoidCalibration, _TemperatureScaling
    from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier
    from sklearn.metrics import log_loss
except ImportError as missing:
    sys.exit(f"bench/text.py: {missing}. It needs scikit-learn: pip install scikit-learn")

program = sys.argv[1]
folder = tempfile.mkdtemp()


def run(*args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def save(name, head, rows):
    path = os.path.join(folder, name)
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([head, *rows])
    return path


def texts(n, length, seed):
    g = np.random.default_rng(seed)
    words = 20000
    p = 1 / np.arange(1, words + 1) ** 1.05
    q = p * np.exp(0.6 * g.normal(size=words))
    p, q = p / p.sum(), q / q.sum()
    for _ in range(n):
        kind = int(g.random() < 0.5)
        chosen = g.choice(words, size=max(1, g.poisson(length)), p=q if kind else p)
        yield " ".join(f"w{j:x}q" for j in chosen), ["ham", "spam"][kind]


for name, n, length in ("short", 6000, 15), ("long", 3000, 200):
    sums, worst = np.zeros(4), 1.0
    for seed in range(1, 7):
        rows = list(texts(2 * n, length, seed))
        train, test = save("train.csv", ["text", "y"], rows[:n]), save("test.csv", ["text", "y"], rows[n:])
        model = os.path.join(folder, "m")
        _, ours = run("train", train, "--text", "text", "-o", model)
        accuracy = json.loads(run("evaluate", "-m", model, test, "--json")[0])["accuracy"]
        begin = time.process_time()
        vectors = HashingVectorizer(n_features=2**18, ngram_range=(1, 2))
        sgd = SGDClassifier(average=True, random_state=1).fit(vectors.transform([t for t, _ in rows[:n]]), [y for _, y in rows[:n]])
        theirs = time.process_time() - begin
        other = sgd.score(vectors.transform([t for t, _ in rows[n:]]), [y for _, y in rows[n:]])
        sums += [accuracy, other, ours, theirs]
        worst = min(worst, accuracy - other)
    print("{:8} accuracy {:.4f}, scikit-learn {:.4f}; seconds {:.2f}, scikit-learn {:.2f}; worst set {:+.4f}".format(name, *sums / 6, worst))

sets = {}
for name, load in ("iris", load_iris), ("wine", load_wine), ("cancer", load_breast_cancer), ("digits", load_digits):
    X, y = load(return_X_y=True)
    sets[name] = X, (y >= (5 if name == "digits" else 1)).astype(int)
    if y.max() > 1:
        sets[name + " all"] = X, y
for k in range(7):
    if k < 6:
        sets[f"made {k}"] = make_classification(1500, 10 + 5 * k, n_informative=4 + k, flip_y=0.05 * k, random_state=k)
    sets[f"made {k} of {3 + k}"] = make_classification(
        2000, 12 + 4 * k, n_informative=6 + k, n_classes=3 + k, n_clusters_per_class=1, flip_y=0.04 * k, random_state=k
    )
worst = 0
for name, (X, y) in sets.items():
    order = np.random.default_rng(7).permutation(len(y))
    X, y = X[order], y[order]
    rows, half = [[*map(repr, map(float, x)), f"class {v}"] for x, v in zip(X, y)], 2 * len(y) // 3
    head = [f"f{j}" for j in range(X.shape[1])] + ["y"]
    train, test, model = save("a.csv", head, [r for r in rows[:half] for _ in "ab"]), save("b.csv", head, rows[half:]), os.path.join(folder, "m")
    once = save("c.csv", head, rows[:half])
    run("train", train, "--holdout", "0.5", "--epochs", "2", "--calibrate", "-o", model)

    def predict(file, what):
        return np.array([r[1:] for r in list(csv.reader(io.StringIO(run("predict", "-m", model, file, what)[0])))[1:]], float)

    scores, new = predict(once, "--scores"), predict(test, "--scores")
    if y.max() == 1:
        theirs = log_loss(y[half:], _SigmoidCalibration().fit(scores[:, 0], y[:half]).predict(new[:, 0]))
    else:
        theirs = log_loss(y[half:], _TemperatureScaling().fit(scores, y[:half]).predict(new))
    ours = log_loss(y[half:], predict(test, "--probabilities"))
    worst = max(worst, ours / theirs)
    print(f"{name:14} {y.max() + 1:2} classes: log loss {ours:.4f}, scikit-learn {theirs:.4f}, ratio {ours / theirs:.4f}")
print(f"worst ratio {worst:.4f}")
