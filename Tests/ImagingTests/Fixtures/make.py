#!/usr/bin/env python3
"""Makes the pictures beside it. Needs Pillow, numpy, and Debian's libheif-examples (heif-enc) and libvips-tools.

Most show four quadrants of 48 × 32 px: red and green above, blue and yellow below.
"""
import struct
import subprocess
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
RED, GREEN, BLUE, YELLOW = (230, 30, 30), (30, 180, 30), (30, 30, 230), (240, 230, 30)


def four(mode="RGB", size=(96, 64), colours=(RED, GREEN, BLUE, YELLOW)):
    picture = Image.new(mode, size)
    width, height = size[0] // 2, size[1] // 2
    for index, colour in enumerate(colours):
        left, top = index % 2 * width, index // 2 * height
        picture.paste(colour, (left, top, left + width, top + height))
    return picture


def profile(red, green, blue):
    """A display profile (ICC.1:2001-04) of gamma 2.2 with these colorants, adapted to D50."""

    def fixed(value):
        return round(value * 65536).to_bytes(4, "big", signed=True)

    def xyz(values):
        return b"XYZ \0\0\0\0" + b"".join(map(fixed, values))

    name = b"Test\0"
    curve = b"curv\0\0\0\0" + struct.pack(">IHH", 1, round(2.2 * 256), 0)
    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + bytes(78 + 1),
        b"cprt": b"text\0\0\0\0None\0\0\0\0",
        b"wtpt": xyz((0.9642, 1.0, 0.8249)),
        b"rXYZ": xyz(red), b"gXYZ": xyz(green), b"bXYZ": xyz(blue),
        b"rTRC": curve, b"gTRC": curve, b"bTRC": curve,
    }
    table, data = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        table += tag + struct.pack(">II", start + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    head = struct.pack(">I4sI4s4s4s", 128 + len(table) + len(data), b"test", 0x02100000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    head += fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    return head.ljust(128, b"\0") + table + data


DISPLAY_P3 = profile((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407))
# Red and green change places: wrong colours are then seen by anyone.
SWAPPED = profile((0.38515, 0.71687, 0.09708), (0.43607, 0.22249, 0.01392), (0.14307, 0.06061, 0.71410))


def run(*command):
    subprocess.run(command, check=True, cwd=HERE, stdout=subprocess.DEVNULL)


def save(picture, name, **options):
    picture.save(HERE / name, **options)


def main():
    plain = four()
    save(plain, "quadrants.jpg", quality=90, subsampling=0)
    save(plain, "progressive.jpg", quality=90, subsampling=0, progressive=True)
    save(plain.convert("L"), "grey.jpg", quality=90)
    save(Image.new("CMYK", (64, 64), (0, 255, 255, 0)), "cmyk-red.jpg", quality=90)
    save(Image.new("RGB", (64, 64), (255, 0, 0)), "p3-red.jpg", quality=95, icc_profile=DISPLAY_P3)
    save(Image.new("RGB", (64, 64), (200, 100, 60)), "p3-brown.jpg", quality=95, icc_profile=DISPLAY_P3)
    save(Image.new("RGB", (64, 64), RED), "swapped-red.jpg", quality=95, icc_profile=SWAPPED)
    save(Image.new("RGB", (64, 64), RED), "damaged-profile.jpg", quality=95, icc_profile=SWAPPED[:200])
    save(plain, "quadrants.png")
    save(plain.quantize(8), "palette.png")
    save(plain.convert("L"), "grey.png")
    clear = (0, 0, 0, 0)
    half = four("RGBA", colours=(clear, (*RED, 255), clear, (*RED, 255)))
    save(half, "alpha.png")
    save(half, "alpha.webp", lossless=True)
    save(half, "alpha-swapped.png", icc_profile=SWAPPED)
    save(four("LA", colours=((0, 0), (100, 255), (0, 0), (100, 255))), "grey-alpha.png")
    save(plain, "quadrants.webp", quality=90)
    frames = [Image.new("RGB", (64, 64), colour) for colour in (RED, BLUE)]
    save(frames[0], "red-then-blue.webp", save_all=True, append_images=frames[1:], duration=100, quality=90)
    save(frames[0], "red-then-blue.gif", save_all=True, append_images=frames[1:], duration=100)
    save(plain, "quadrants.gif")
    save(plain, "quadrants.tif")
    save(plain, "turned.tif", tiffinfo={274: 6, 271: "Tintype", 306: "2026:01:02 03:04:05"})
    save(Image.new("CMYK", (64, 64), (0, 255, 255, 0)), "cmyk-red.tif")
    save(plain.convert("1"), "bilevel.tif", compression="group4")
    run("vips", "copy", "quadrants.png", "interlaced.png[interlace]")
    run("vips", "colourspace", "quadrants.png", "16-bit.png", "rgb16")
    run("vips", "colourspace", "alpha.png", "16-bit-alpha.png", "rgb16")
    run("vips", "tiffsave", "quadrants.png", "tiled.tif", "--tile", "--tile-width", "16", "--tile-height", "16")
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0112] = "Tintype", "Box Camera", 6
    exif.get_ifd(0x8769)[0x9003] = "2026:07:04 12:30:15"
    save(plain, "turned.jpg", quality=90, subsampling=0, exif=exif)
    # x265 takes no side that is no multiple of 8, and libheif turns by the file's own property, not by EXIF.
    run("heif-enc", "-q", "80", "turned.jpg", "-o", "quadrants.heic")
    run("heif-enc", "-A", "-q", "80", "-p", "speed=8", "quadrants.png", "-o", "quadrants.avif")
    (HERE / "turned.jpg").unlink()
    save(Image.new("1", (9900, 9900), 1), "98-megapixels.png", compress_level=9)
    huge = Image.new("RGB", (4096, 4096), RED)
    save(huge, "huge.png")
    run("heif-enc", "-q", "20", "huge.png", "-o", "huge.heic")
    run("heif-enc", "-A", "-q", "20", "-p", "speed=9", "huge.png", "-o", "huge.avif")
    (HERE / "huge.png").unlink()


main()
