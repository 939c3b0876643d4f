"""Reads objects from R's lazy-load databases (`data/Rdata.rdb` and `.rdx` of an R package).

Only what spatial data sets are made of: numbers, texts, lists and S4 objects. The format is that of R's
`serialize()`, version 2 or 3, in XDR (R Internals, "Serialization Formats").
"""

import bz2
import lzma
import pathlib
import struct
import zlib

NOTHING, NAMELESS, GLOBAL, BASE, BASE_NAMESPACE = 254, 251, 253, 241, 247
SYMBOL, PAIRS, TEXT, LOGICAL, INTEGER, REAL, TEXTS, LIST, S4 = 1, 2, 9, 10, 13, 14, 16, 19, 25
REFERENCE = 255


class Value:
    """A vector, list or S4 object with its attributes (the slots of an S4 object are attributes)."""

    def __init__(self, content, attributes):
        self.content = content
        self.attributes = attributes

    def __getitem__(self, name):
        return self.attributes[name]


class Reader:
    """Reads one serialized object."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.references = []

    def object(self):
        if self.data[:2] != b"X\n":
            raise ValueError("not R's XDR format")
        self.at = 2
        version, _, _ = self.integers(3)
        if version == 3:
            self.bytes(self.integers(1)[0])
        return self.item()

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def integers(self, count):
        return struct.unpack(f">{count}i", self.bytes(4 * count))

    def item(self):
        (flags,) = self.integers(1)
        kind, has_attributes, has_tag = flags & 0xFF, flags & 0x200, flags & 0x400
        if kind in (NOTHING, NAMELESS, GLOBAL, BASE, BASE_NAMESPACE):
            return None
        if kind == REFERENCE:
            return self.references[(flags >> 8 or self.integers(1)[0]) - 1]
        if kind == SYMBOL:
            name = self.item()
            self.references.append(name)
            return name
        if kind == PAIRS:
            return self.pairs(has_attributes, has_tag)
        if kind == TEXT:
            (length,) = self.integers(1)
            return None if length < 0 else self.bytes(length).decode("utf-8", "replace")
        content = self.content(kind)
        return Value(content, self.item() or {} if has_attributes else {})

    def pairs(self, has_attributes, has_tag):
        """A pairlist, as attributes are written: read in a loop, since each pair holds the next one."""
        found = {}
        while True:
            if has_attributes:
                self.item()
            name = self.item() if has_tag else len(found)
            found[name] = self.item()
            (flags,) = self.integers(1)
            if flags & 0xFF != PAIRS:
                return found
            has_attributes, has_tag = flags & 0x200, flags & 0x400

    def content(self, kind):
        if kind == S4:
            return None
        (length,) = self.integers(1)
        if kind in (LOGICAL, INTEGER):
            return self.integers(length)
        if kind == REAL:
            return struct.unpack(f">{length}d", self.bytes(8 * length))
        if kind in (TEXTS, LIST):
            return [self.item() for _ in range(length)]
        raise ValueError(f"an object of type {kind} isn't expected here")


def unpacked(data):
    """The bytes of one object of a database: its length, the kind of compression, the packed bytes."""
    (length,) = struct.unpack(">I", data[:4])
    kind, packed = data[4:5], data[5:]
    if kind == b"Z":
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 6}]
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(packed, length)
    if kind == b"2":
        return bz2.decompress(packed)
    return zlib.decompress(data[4:])


def load(folder, name):
    """The object `name` of the database in `folder`."""
    folder = pathlib.Path(folder)
    index = Reader(zlib.decompress((folder / "Rdata.rdx").read_bytes(), wbits=31)).object()
    names = index["names"].content
    variables = index.content[names.index("variables")]
    place = variables.content[variables["names"].content.index(name)].content
    packed = (folder / "Rdata.rdb").read_bytes()[place[0] : place[0] + place[1]]
    return Reader(unpacked(packed)).object()
