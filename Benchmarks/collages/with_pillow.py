"""A collage with Pillow: photos decoded smaller by draft, fitted to their cells, pasted into a white square."""
import sys

from PIL import Image, ImageOps

target, side, quality = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
count = len(sys.argv[4:]) // 5
files, places = sys.argv[4:4 + count], [int(number) for number in sys.argv[4 + count:]]

collage = Image.new("RGB", (side, side), (255, 255, 255))
for index, file in enumerate(files):
    left, top, width, height = places[index * 4:index * 4 + 4]
    with Image.open(file) as picture:
        picture.draft("RGB", (width, height))
        upright = ImageOps.exif_transpose(picture)
        collage.paste(ImageOps.fit(upright, (width, height), Image.Resampling.LANCZOS), (left, top))
collage.save(target, quality=quality, subsampling=0)
