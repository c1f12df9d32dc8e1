"""Reads the binary form that docs/format.md describes, and prints it as JSON.

    python3 read.py model.perceptron

Each vector is printed as an array of all its elements, so a wide model prints many zeros.
"""

import json
import struct
import sys

VECTORS = {"weights", "iterate", "sum", "low", "multipliers", "mean", "scale"}


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


def fill(form, vectors):
    """Puts the vectors in the place of the empty arrays of form."""
    if isinstance(form, list):
        for element in form:
            fill(element, vectors)
    elif isinstance(form, dict):
        for name, value in form.items():
            if name in VECTORS:
                form[name] = next(vectors)
                if "bias" in form:
                    form["bias"] = form[name].pop()
            elif name != "start":
                fill(value, vectors)


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
    vectors = read_vectors(data[:-4], 28 + h)
    fill(form, vectors)
    if next(vectors, None) is not None:
        raise ValueError("more vectors than arrays")
    return form


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        json.dump(read(file.read()), sys.stdout)
