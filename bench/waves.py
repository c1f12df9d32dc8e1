#!/usr/bin/env python3
"""Compares waves with scikit-learn's curved models on letter: accuracy, and processor time of one core.

Run it in the module's root, with Go, after pip install scikit-learn==1.9.1:

    PERCEPTRON_DATA=FOLDER python3 bench/waves.py [TURNS]

FOLDER has letter.csv.gz, whose last column is the label. The first 16,000 rows are trained on, and the
others predicted. The models take turns; the least time of all turns is printed.
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", GOMAXPROCS="1")

import subprocess
import sys
import tempfile
import time

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

data = pd.read_csv(os.path.join(os.environ["PERCEPTRON_DATA"], "letter.csv.gz"), header=None)
X, y = data.iloc[:, :16].to_numpy(float), data[16].to_numpy()
scaler = StandardScaler().fit(X[:16000])
Z = scaler.transform(X)


def timed(f):
    start = time.process_time()
    result = f()
    return time.process_time() - start, result


def peer(model):
    fit, _ = timed(lambda: model.fit(Z[:16000], y[:16000]))
    predict, labels = timed(lambda: model.predict(Z[16000:]))
    return fit, predict / 4000 * 1e6, (labels == y[16000:]).mean()


def ours(program, file, count, width=0):
    out = subprocess.run([program, "speed", file, str(count), str(width)], check=True, capture_output=True, text=True).stdout
    return tuple(map(float, out.split()))


with tempfile.TemporaryDirectory() as folder:
    program, file = os.path.join(folder, "recipe"), os.path.join(folder, "letter")
    subprocess.run(["go", "build", "-o", program, "./bench/recipe"], check=True)
    with open(file, "w") as f:
        for row, label in zip(X, y):
            f.write("%d %s\n" % (ord(label), " ".join("%d:%g" % (j + 1, v) for j, v in enumerate(row))))
    models = {
        "straight": lambda: ours(program, file, 0),
        "300 waves": lambda: ours(program, file, 300),
        "1000 waves": lambda: ours(program, file, 1000),
        "SVC": lambda: peer(SVC()),
        "forest": lambda: peer(RandomForestClassifier(random_state=0)),
    }
    found = {name: [] for name in models}
    for _ in range(int((sys.argv + ["3"])[1])):
        for name, model in models.items():
            found[name].append(model())
print("| model | training, s | prediction, µs a row | accuracy |\n|---|---|---|---|")
for name, runs in found.items():
    fit, predict, accuracy = (min(v) for v in zip(*runs))
    print(f"| {name} | {fit:.2f} | {predict:.2f} | {accuracy:.4f} |")
