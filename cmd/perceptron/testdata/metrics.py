"""Compares the figures of perceptron evaluate with scikit-learn's on the same predictions.

usage: metrics.py PROGRAM MODEL DATA, where the label is the last column of DATA.
"""

import csv
import json
import subprocess
import sys

from sklearn.metrics import accuracy_score, average_precision_score, confusion_matrix, f1_score, roc_auc_score

program, model, data = sys.argv[1:]


def run(*args):
    return subprocess.run([program, *args], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


got = json.loads(run("evaluate", "-m", model, data, "--all", "--json"))
rows = list(csv.reader(run("predict", "-m", model, data, "--scores").splitlines()))[1:]  # without the header
with open(data, newline="") as f:
    truth = [row[-1].strip() for row in csv.reader(f) if row][-len(rows):]
predicted = [row[0] for row in rows]
classes = got["classes"]

want = {"accuracy": accuracy_score(truth, predicted), "macroF1": f1_score(truth, predicted, average="macro")}
for c, f1 in zip(got["perClass"], f1_score(truth, predicted, average=None, labels=classes)):
    want["F1 of " + c["class"]] = f1
    got["F1 of " + c["class"]] = c["f1"]
if len(classes) == 2:
    positive = [c == classes[1] for c in truth]
    scores = [float(row[1]) for row in rows]
    want["auc"] = roc_auc_score(positive, scores)
    want["averagePrecision"] = average_precision_score(positive, scores)
for name, value in want.items():
    if abs(got[name] - value) > 1e-12:
        sys.exit(f"{data}: {name} is {got[name]}, but scikit-learn has {value}")
if confusion_matrix(truth, predicted, labels=classes).tolist() != got["confusion"]:
    sys.exit(f"{data}: the confusion matrices differ")
print(f"{data}: {len(want)} figures equal scikit-learn's on {len(rows)} rows")
