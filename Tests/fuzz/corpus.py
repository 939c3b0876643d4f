#!/usr/bin/env python3
"""Makes the files in corpus/, which the fuzzers start from beside the pictures in Tests/ImagingTests/Fixtures.

Each is small and whole, and has structures that those pictures lack. Needs nothing but Python.
"""

import itertools
import pathlib
import struct
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus"


# ISO/IEC 14496-12 and 23008-12


def box(kind, *content):
    body = b"".join(content)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full_box(kind, version, *content):
    return box(kind, bytes([version, 0, 0, 0]), *content)


def bits(*fields):
    """Fields of (value, bits), the highest bit first, filled up to whole bytes."""
    text = "".join(format(value, f"0{size}b") for value, size in fields)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[start:start + 8], 2) for start in range(0, len(text), 8))


def golomb(value):
    return value + 1, 2 * (value + 1).bit_length() - 1


def sequence_parameter_set(width, height, layers=0):
    """ITU-T H.265, 7.3.2.2, as far as the sides."""
    profile = [(0, 88), (0, 8)] + ([(3, 2)] * layers + [(0, 2)] * (8 - layers) + [(0, 96)] * layers if layers else [])
    fields = [(0, 4), (layers, 3), (1, 1), *profile, golomb(0), golomb(1), golomb(width), golomb(height)]
    # A 3 between two zeros and what is below 4.
    escaped, zeros = bytearray(), 0
    for byte in bits(*fields):
        if zeros == 2 and byte < 4:
            escaped.append(3)
            zeros = 0
        zeros = zeros + 1 if byte == 0 else 0
        escaped.append(byte)
    return b"\x42\x01" + bytes(escaped)


def hevc_configuration(*units):
    arrays = b"".join(b"\x21" + struct.pack(">HH", 1, len(unit)) + unit for unit in units)
    return box(b"hvcC", bytes(22), bytes([len(units)]), arrays)


def av1_sequence(width, height, reduced=True, timing=False):
    """AV1, 5.5, as far as the sides, in a unit with its length."""
    fields = [(0, 3), (1, 1), (int(reduced), 1)]
    if reduced:
        fields.append((8, 5))
    elif timing:
        fields += [(1, 1), (1, 32), (30, 32), (1, 1), golomb(3), (1, 1), (9, 5), (1, 32), (9, 5), (9, 5)]
        fields += [(1, 1), (0, 5), (0, 12), (8, 5), (0, 1), (1, 1), (1, 10), (1, 10), (0, 1), (1, 1), (3, 4)]
    else:
        fields += [(0, 1), (0, 1), (1, 5)] + [(0, 12), (8, 5), (1, 1)] * 2
    unit = bits(*fields, (15, 4), (15, 4), (width - 1, 16), (height - 1, 16))
    return b"\x0a" + bytes([len(unit)]) + unit


def heif(items, properties=(), brand=b"heic", version=0, inside=True, infe=2):
    """Items of (type, bytes), in `idat` or in `mdat`."""
    data = b"".join(content for _, content in items)
    number = ">I" if version == 2 else ">H"
    entries = [full_box(b"infe", infe, struct.pack(">I" if infe == 3 else ">H", id), bytes(2), kind, b"\0")
               for id, (kind, _) in enumerate(items, 1)]

    def meta(start):
        places, offset = b"", start
        for id, (_, content) in enumerate(items, 1):
            places += struct.pack(number, id)
            if version:
                places += struct.pack(">H", int(inside))
            places += bytes(2) + struct.pack(">HII", 1, offset, len(content))
            offset += len(content)
        return full_box(
            b"meta", 0, full_box(b"hdlr", 0, bytes(4), b"pict", bytes(13)),
            full_box(b"pitm", 0, struct.pack(">H", 1)),
            full_box(b"iloc", version, b"\x44\0", struct.pack(number, len(items)), places),
            full_box(b"iinf", 0, struct.pack(">H", len(items)), *entries),
            box(b"iprp", box(b"ipco", *properties)),
            box(b"idat", data) if inside else b"")

    head = box(b"ftyp", brand, bytes(4), brand, b"mif1")
    if inside:
        return head + meta(0)
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", data)


def heif_files():
    claims = full_box(b"ispe", 0, struct.pack(">II", 64, 64))
    unit = sequence_parameter_set(64, 64)
    item = struct.pack(">I", len(unit)) + unit
    grid = b"\0\x01\0\0" + struct.pack(">II", 0xFFFFFFFF, 0xFFFFFFFF)
    yield "grid-of-too-many-pixels.heic", heif([(b"grid", grid)], [claims], version=1)
    yield "grid.heic", heif([(b"grid", b"\0\0\x01\x01\0\x80\0\x80"), (b"hvc1", item)], [claims], version=1)
    yield "overlay.heic", heif([(b"iovl", bytes(10) + b"\0\x80\0\x80")], [claims], version=2)
    yield "one-item.heic", heif([(b"hvc1", item)], [claims, hevc_configuration(unit)], inside=False)
    layered = sequence_parameter_set(320, 240, layers=2)
    yield "layers.heic", heif([(b"hvc1", item)], [hevc_configuration(layered, unit)], version=1, infe=3)
    for name, options in ("reduced", {}), ("plain", {"reduced": False}), ("timed", {"reduced": False, "timing": True}):
        units = b"\x12\0" + av1_sequence(64, 64, **options)
        yield f"{name}.avif", heif([(b"av01", units)], [claims, box(b"av1C", b"\x81\0\0\0", units)], b"avif", 1)


# TIFF 6.0


def tiff(tags, pixels, order="<", directories=()):
    """A file of one directory, and further ones that tags of it point to: (tag, tags)."""
    kinds = {1: "B", 2: "B", 3: "H", 4: "I", 5: "I"}

    def written(tags, start):
        table, behind = b"", b""
        room = start + 2 + 12 * len(tags) + 4
        for tag, kind, values in sorted(tags):
            value = struct.pack(f"{order}{len(values)}{kinds[kind]}", *values)
            table += struct.pack(f"{order}HHI", tag, kind, len(values) // (2 if kind == 5 else 1))
            if len(value) > 4:
                table += struct.pack(f"{order}I", room + len(behind))
                behind += value
            else:
                table += value.ljust(4, b"\0")
        return struct.pack(f"{order}H", len(tags)) + table + bytes(4) + behind

    links = [(tag, 4, [0]) for tag, _ in directories]
    places, start = [], 8 + len(written([*tags, *links], 8))
    for _, linked in directories:
        places.append(start)
        start += len(written(linked, start))
    pointers = [(tag, 4, [place]) for (tag, _), place in zip(directories, places, strict=True)]
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    # Where the pixels are is only known now.
    offset = next(tag for tag, *_ in tags if tag in (273, 324))
    pointers.append((offset, 4, [start]))
    file = head + written([tag for tag in tags if tag[0] != offset] + pointers, 8)
    for (_, linked), place in zip(directories, places, strict=True):
        file += written(linked, place)
    return file + pixels


def tiff_files():
    kinds = {"grey": (1, 1), "palette": (3, 1), "rgb": (2, 3), "cmyk": (5, 4), "lab": (8, 3), "extra": (2, 5)}
    for (name, (photometric, samples)), (width, form) in itertools.product(kinds.items(), [(8, 1), (16, 1), (32, 3)]):
        pixels = bytes(16 * 16 * samples * width // 8)
        tags = [
            (256, 3, [16]), (257, 3, [16]), (258, 3, [width] * samples), (259, 3, [1]), (262, 3, [photometric]),
            (277, 3, [samples]), (284, 3, [1]), (339, 3, [form] * samples),
        ]
        if name == "palette":
            tags.append((320, 3, [0x8000] * 3 * 2 ** min(width, 8)))
        if name in ("rgb", "lab"):
            tags += [(322, 3, [16]), (323, 3, [16]), (324, 4, [0]), (325, 4, [len(pixels)])]
        else:
            tags += [(273, 4, [0]), (278, 3, [16]), (279, 4, [len(pixels)])]
        yield f"{name}-{width}.tif", tiff(tags, pixels, order="<" if width == 8 else ">")
    shot = [(0x9003, 2, [*b"2026:07:04 12:30:15\0"]), (0x9011, 2, [*b"+02:00\0"])]
    place = [(1, 2, [*b"N\0"]), (2, 5, [52, 1, 31, 1, 1234, 100]), (3, 2, [*b"E\0"]), (4, 5, [13, 1, 24, 1, 0, 1])]
    camera = [(0x010F, 2, [*b"Tintype\0"]), (0x0110, 2, [*b"Box Camera\0"]), (0x0112, 3, [6])]
    strip = [
        (256, 3, [8]), (257, 3, [8]), (258, 3, [8]), (259, 3, [1]), (262, 3, [1]), (273, 4, [0]), (277, 3, [1]),
        (278, 3, [8]), (279, 4, [64]),
    ]
    yield "shot.tif", tiff(camera + strip, bytes(range(64)), ">", [(0x8769, shot), (0x8825, place)])


# PNG 1.2, and JPEG by ITU-T T.81


def png(width, height, depth=8, colour=2, *chunks):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    samples = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    row = b"\0" + bytes(width * samples * depth // 8)
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in [
        (b"IHDR", head), *chunks, (b"IDAT", zlib.compress(row * height, 9)), (b"IEND", b"")])


def other_files():
    exif = tiff([(0x0112, 3, [6]), (273, 4, [0])], b"", ">")
    yield "turned.png", png(8, 8, 8, 2, (b"eXIf", exif))
    yield "long.png", png(20_000, 2)
    yield "grey-alpha-16.png", png(5, 3, 16, 4)
    scan = b"\xff\xda\0\x08\x01\x01\0\0\x3f\0" + b"\x12\xff\0\x34"
    inner = b"\xff\xe1" + struct.pack(">H", 2 + len(scan)) + scan
    yield "scans.jpg", b"\xff\xd8" + inner + scan * 5 + b"\xff\xd9"


# Frames, as Sources/Imaging/WorkerFrame.swift writes them


def frame_files():
    def integers(*numbers):
        return struct.pack(f"<{len(numbers)}q", *numbers)

    cells = [(0, 0, 1, 0.5, 1, 0.5, 0.5), (0, 0.5, 0.5, 0.5, 8, 0, 1), (0.5, 0.5, 0.5, 0.5, 1.5, 0.25, 0.75)]
    collage = integers(2048) + b"\0\xff\xff\xff" + integers(10, 0, len(cells))
    collage += b"".join(struct.pack("<7d", *cell) for cell in cells)
    rendition = b"\x05\0large\0" + integers(1440, 2) + b"\0\1"
    limits = integers(50_000_000, 100_000_000, 1_000_000_000)
    yield "collage.frame", b"\3" + limits + b"\2" + collage + integers(1) + rendition

    frame = struct.pack("<7d", 1.5, 1.25, 0.25, 0.75, 1, 0.5, 0.5)
    moved = struct.pack("<8d", 1.375, 0.0625, -0.15, -0.05, 1.4375, -0.2, 0.03125, -0.015625)
    caption = "1931 · Fondo Arrieta, CC BY 4.0".encode()
    pair = frame + b"\1" + moved + struct.pack("<4d", 0.1875, 0.25, 0.5, 0.4375) + b"\1\1"
    pair += struct.pack("<H", len(caption)) + caption + b"\xff\xff\xff"
    yield "pair.frame", b"\3" + limits + b"\3" + pair + integers(1) + rendition
    yield "fade.frame", b"\3" + limits + b"\4" + pair + integers(0)
    yield "alignment-request.frame", b"\3" + limits + b"\5" + frame + integers(0)
    yield "aligned.frame", b"\x09\0" + moved
    yield "unsure.frame", b"\x09\1\1"


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, file in [*heif_files(), *tiff_files(), *other_files(), *frame_files()]:
        (FOLDER / name).write_bytes(file)


main()
