"""Predict the rows of a CSV file with what perceptron export wrote: reader.py planes.json rows.csv"""
import csv, json, math, re, sys, zlib
from collections import Counter


def features(column, field):  # of a column, as pairs of place and value
    if "text" in column:
        text, grams = column["text"], Counter()
        words = re.findall(r"\w+", "".join(c.lower()[0] for c in field))
        for n in text["ngrams"]:
            for i in range(len(words) - n + 1):
                grams[zlib.crc32(" ".join(words[i : i + n]).encode()) % 2 ** text["bits"]] += 1
        place = {j: k for k, j in enumerate(text["seen"])}
        idf = text.get("idf", [1] * (len(place) + 1))
        grams = {j: n * idf[place.get(j, -1)] for j, n in grams.items()}
        length = math.sqrt(sum(n * n for n in grams.values()))
        return len(place), sorted((place[j], n / length) for j, n in grams.items() if j in place)
    if "categories" in column:
        return len(column["categories"]), [(column["categories"].index(field), 1.0)]
    return 1, [(0, float(field))]


model = json.load(open(sys.argv[1]))
for row in csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8-sig")):
    x, at = [], 0
    for column in model["columns"]:
        width, found = features(column, row[column["name"]].strip())
        x, at = x + [(at + j, v) for j, v in found], at + width
    scores = []
    for plane in model["planes"]:
        score = 0.0
        for j, v in x:
            score += plane["weights"][j] * v
        scores.append(score + plane["bias"])
    print(model["names"][scores.index(max(scores))])
