"""Reads the binary form that docs/format.md describes, and prints it as JSON.

    python3 read.py model.perceptron
    python3 read.py classifier.perceptron 5.1 3.5 1.4 0.2

Each vector is printed as an array of all its elements, so a wide model prints many zeros. With the
features of a row, read.py prints the features that the model of a Classifier gets: scaled, and mapped
by its waves.
"""

import json
import math
import struct
import sys

def crc32c(data):
    """CRC-32C (Castagnoli): the polynomial 0x1EDC6F41, bits reversed."""
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def read_vectors(data, at):
    """Yields the vectors in data from the position at on."""
    while at < len(data):
        d, k = struct.unpack_from("<QQ", data, at)
        at += 16
        index = range(d)
        if k < d:
            index = struct.unpack_from(f"<{k}I", data, at)
            at += 4 * k
        vector = [0.0] * d
        for j, value in zip(index, struct.unpack_from(f"<{k}d", data, at)):
            vector[j] = value
        at += 8 * k
        yield vector


def read(data):
    """Returns the form in data, with all elements of its vectors."""
    magic, version, length = struct.unpack_from("<8sIQ", data)
    if magic != b"\x89PTRN\r\n\x1a" or version != 1 or length != len(data) - 24:
        raise ValueError("not a file of version 1, or not the whole file")
    (checksum,) = struct.unpack_from("<I", data, len(data) - 4)
    if crc32c(data[:-4]) != checksum:
        raise ValueError("the file is damaged")
    (h,) = struct.unpack_from("<Q", data, 20)
    form = json.loads(data[28 : 28 + h])
    vectors = list(read_vectors(data[:-4], 28 + h))
    if vectors:
        form.get("model", form)["learned"]["vectors"] = vectors
    return form


def words(seed):
    """Yields the outputs of Go's PCG(seed, 0): O'Neill's PCG with 128 bits of state and DXSM output."""
    state, mask = seed << 64, (1 << 64) - 1
    while True:
        state = (state * 0x2360ED051FC65DA44385DF649FCCF645 + 0x5851F42D4C957F2D14057B7EF767814F) & ((1 << 128) - 1)
        high = state >> 64
        high = (high ^ high >> 32) * 0xDA942042E4DD58B5 & mask
        yield (high ^ high >> 48) * (state & mask | 1) & mask


def hadamard(v):
    h = 1
    while h < len(v):
        for i in range(len(v)):
            if not i & h:
                v[i], v[i + h] = v[i] + v[i + h], v[i] - v[i + h]
        h *= 2


def signed(word):
    """The low half of a word, as a number between -1 and 1."""
    half = word & 0xFFFFFFFF
    return (half - (half >> 31 << 32)) / 2**31


def angles(fields, z):
    """Yields the angles of the pairs of waves of the row z, in turns."""
    d, random, width = len(z), words(int(fields["seed"])), fields["width"] or math.sqrt(len(z))
    numbers = map(signed, random)
    few = int(fields["count"] / 6 * min(1, width / math.sqrt(d)))
    c = math.sqrt(3) / (2 * math.pi) / width
    order = []
    for i in range(d):
        j = next(random) % (i + 1)
        order.append(i)
        order[i], order[j] = order[j], i
    for i in range(2 * few):
        reads = 1 + i // few
        size = c * math.sqrt(d / reads) * 2 ** ((i % d + i // d) % 3)
        a, t = size * next(numbers), next(numbers)
        if reads == 2:
            k = next(random) % d
            t += z[k] * (size * next(numbers))
        yield z[order[i % d]] * a + t
    p = 16
    while p < d:
        p *= 2
    while True:
        v = [0.0] * p
        for j, x in enumerate(z):
            v[j] = next(numbers) * x
        hadamard(v)
        for _ in range(2):
            v = [x if next(numbers) >= 0 else -x for x in v]
            hadamard(v)
        beta = next(numbers)
        for j, x in enumerate(v):
            yield x * (c / p) + (beta + j * 1.618033988749895)


def waves(fields, z, seen):
    """Returns the features that waves make of the scaled row z. They see it as the row seen."""
    d, n = len(z), fields["count"]
    height, mapped = math.sqrt(2 / n), [x / math.sqrt(d) for x in z]
    for t in angles(fields, seen):
        if len(mapped) >= d + n:
            break
        s = math.remainder(t, 1) + 0.0  # turns -0 into 0
        a = 1 - 4 * abs(s)
        mapped += [height * a, height * math.copysign(1 - abs(a), s)]
    return mapped[: d + n]


def scaled(form, x):
    return [(v - mean) / scale for v, mean, scale in zip(x, form["mean"], form["scale"])]


def features(form, x):
    """Returns the features that the model of a Classifier gets of a dense row."""
    seen = x
    if not form["raw"] and form["mean"]:
        seen = x = scaled(form, x)
        if form["least"]:
            seen = [min(max(v, a), b) for v, a, b in zip(x, scaled(form, form["least"]), scaled(form, form["most"]))]
    return waves(form["waves"], x, seen) if form["waves"]["count"] else x


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        form = read(file.read())
    json.dump(features(form, [float(x) for x in sys.argv[2:]]) if sys.argv[2:] else form, sys.stdout)
