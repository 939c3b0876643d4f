#!/usr/bin/env python3
"""Removes from ICU's data what Tintype never shows: icu.py ARCHIVE OBJECT DATA

Swift's Foundation brings the words, dates and sorting of 800 locales, 34 MB in all, and no way to leave them out.
Tintype's texts are English, so a package has `en`, and `root`, to which ICU falls back for every other locale. Tintype
reads and writes no text but Unicode and never looks for words, so it needs neither tables of other encodings nor
dictionaries of languages without spaces. All else stays: time zones, normalization, the ends of characters.

ARCHIVE is Swift's static library of ICU, OBJECT the name of its member with the data, and DATA the file to write. The
format is ICU's: source/common/ucmndata.h, `UDataOffsetTOC`, of https://github.com/unicode-org/icu.
"""

import re
import struct
import subprocess
import sys
import tempfile

# `zh_Hant_TW.res`, also in a folder such as `curr/`.
LOCALE = re.compile(r"(?:[a-z]+/)?([a-z]{2,3})((?:_[A-Za-z0-9]+)*)\.res")
KEPT = {"en"}
UNUSED = (".cnv", ".dict")


def items(data):
    """The header of a package, and its items in order, as pairs of name and bytes."""
    (header,) = struct.unpack_from("<H", data)
    (count,) = struct.unpack_from("<I", data, header)
    entries = list(struct.iter_unpack("<II", data[header + 4 : header + 4 + 8 * count]))
    ends = [start for _, start in entries[1:]] + [len(data) - header]
    found = []
    for (name, start), end in zip(entries, ends, strict=True):
        text = data[header + name : data.index(b"\0", header + name)]
        found.append((text.decode(), data[header + start : header + end]))
    return data[:header], found


def package(header, found):
    """The bytes of a package with some items, whose names are in order."""
    names = b"".join(name.encode() + b"\0" for name, _ in found)
    at = 4 + 8 * len(found)
    start = aligned(at + len(names))
    table, contents = struct.pack("<I", len(found)), b""
    for name, item in found:
        table += struct.pack("<II", at, start + len(contents))
        at += len(name.encode()) + 1
        contents += item.ljust(aligned(len(item)), b"\0")
    return header + (table + names).ljust(start, b"\0") + contents


def aligned(length):
    return -(-length // 16) * 16


def is_kept(name):
    # The first part is the package's own name. `root`, `pool` and `supplementalData` are longer than languages.
    match = LOCALE.fullmatch(name.split("/", 1)[1])
    return not name.endswith(UNUSED) and (not match or match[1] in KEPT)


def main():
    archive, member, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ar", "x", "--output", folder, archive, member], check=True)
        raw = f"{folder}/data"
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", f"{folder}/{member}", raw], check=True)
        with open(raw, "rb") as file:
            header, found = items(file.read())
    with open(target, "wb") as file:
        file.write(package(header, [item for item in found if is_kept(item[0])]))


if __name__ == "__main__":
    main()
