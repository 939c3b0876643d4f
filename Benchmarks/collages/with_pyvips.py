"""A collage with pyvips: thumbnails that fill their cells, inserted into a white square."""
import sys

import pyvips

target, side, quality = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
count = len(sys.argv[4:]) // 5
files, places = sys.argv[4:4 + count], [int(number) for number in sys.argv[4 + count:]]

collage = pyvips.Image.black(side, side, bands=3).copy(interpretation="srgb").new_from_image([255, 255, 255])
for index, file in enumerate(files):
    left, top, width, height = places[index * 4:index * 4 + 4]
    cell = pyvips.Image.thumbnail(file, width, height=height, crop="centre")
    collage = collage.insert(cell, left, top)
collage.jpegsave(target, Q=quality, strip=True)
