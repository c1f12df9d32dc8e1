"""Predict the rows of a CSV file with what perceptron export wrote: reader.py planes.json rows.csv"""
import csv, json, math, sys, zlib
from collections import Counter
from unicodedata import category, normalize

RANGES = [(0xE00, 0xF00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x3040, 0x3100), (0x3400, 0xA000), (0xF900, 0xFB00), (0x20000, 0x40000)]


def split(text, marks):  # into words; models of older versions lack marks
    words, alone = [""], False
    for c in normalize("NFC", text) if marks else text:
        c = c.lower()[0]
        if marks and words[-1] and category(c)[0] == "M":
            words[-1] += c
        elif c == "_" or category(c)[0] in "LN":
            now = marks and any(a <= ord(c) < b for a, b in RANGES)
            if now or alone:
                words.append("")
            words[-1] += c
            alone = now
        elif words[-1]:
            words.append("")
    return [word for word in words if word]


def features(column, field):  # of a column, as pairs of place and value
    if "text" in column:
        text, grams = column["text"], Counter()
        words = split(field, text.get("marks"))
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
