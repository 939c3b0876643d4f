"""One picture to all renditions with Pillow: draft, then each size from the one before."""
import sys
from pathlib import Path

from PIL import Image, ImageOps

source, folder = sys.argv[1], Path(sys.argv[2])
jpeg_quality, webp_quality, webp_effort = map(int, sys.argv[3:6])


def save(picture, name):
    picture.save(folder / f"{name}.webp", quality=webp_quality, method=webp_effort)
    picture.save(folder / f"{name}.jpg", quality=jpeg_quality, optimize=True)


with Image.open(source) as picture:
    longest = max(picture.size)
    picture.draft("RGB", tuple(side * 1440 // longest for side in picture.size))
    upright = ImageOps.exif_transpose(picture)
    for name, side in (("large", 1440), ("medium", 720)):
        upright.thumbnail((side, side), Image.Resampling.LANCZOS)
        save(upright, name)
    save(ImageOps.fit(upright, (240, 240), Image.Resampling.LANCZOS), "square")
