"""Old prints: what the years do to a photograph, done to the pixels of a drawing."""

import random

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

# Early plates saw blue as white and red as black; later film saw about as we do.
PLATE = (0.12, 0.5, 0.38, 0)
FILM = (0.28, 0.54, 0.18, 0)


def grains(chance, size, soft):
    """Grey noise around 128, as clumps `soft` pixels wide."""
    noise = Image.frombytes("L", size, chance.randbytes(size[0] * size[1]))
    return ImageOps.autocontrast(noise.filter(ImageFilter.GaussianBlur(soft)), cutoff=1)


def pull(image, noise, strength):
    """The image lightened and darkened by the noise, at most by `strength` of 255."""
    part = noise.point(lambda v: round(128 + (v - 128) * strength / 128))
    return ImageChops.add(image, part, 1, -128)


def print_of(image, seed, seen, shadow, middle, light, soft, grain, dim, lift=0.78):
    """The picture as an old print.

    - seen: how much the film saw of red, green and blue
    - shadow, middle, light: the colours of its tones; nothing is black or white after so long
    - lift: below 1, lighter middle tones; soft: the lens' blur in pixels; grain: its strength; dim: how dark the corners are, 0 to 1
    """
    chance = random.Random(seed)
    grey = ImageOps.autocontrast(image.convert("RGB").convert("L", seen), cutoff=(1.5, 0.8))
    grey = grey.point(lambda v: round(255 * (v / 255) ** lift))
    sharp = grey.filter(ImageFilter.GaussianBlur(soft))
    # The corners are softer than the middle, and darker.
    rim = Image.radial_gradient("L").resize(image.size, Image.BICUBIC)
    grey = Image.composite(grey.filter(ImageFilter.GaussianBlur(soft * 2.2)), sharp, rim.point(lambda v: max(0, v - 90)))
    corners = rim.point(lambda v: round(255 - 255 * dim * (max(0, v - 70) / 185) ** 1.6))
    grey = ImageChops.multiply(grey, corners)
    # Uneven fading, then grain.
    small = (image.width // 8, image.height // 8)
    clouds = grains(chance, small, 14).resize(image.size, Image.BICUBIC)
    grey = pull(grey, clouds, 7)
    grey = pull(grey, grains(chance, image.size, 0.9), grain)
    marks(grey, chance)
    return ImageOps.colorize(grey, shadow, light, middle)


def marks(grey, chance):
    """Dust, and a few hair-thin scratches."""
    pen = ImageDraw.Draw(grey)
    width, height = grey.size
    for _ in range(46):
        x, y, r = chance.randrange(width), chance.randrange(height), chance.choice((1, 1, 1, 2))
        pen.ellipse((x - r, y - r, x + r, y + r), fill=chance.choice((60, 232, 240)))
    for _ in range(5):
        x, y = chance.randrange(width), chance.randrange(height)
        pen.line((x, y, x + chance.randrange(-14, 15), y + chance.randrange(40, 170)), fill=226, width=1)


PRINTS = {
    "then-street": dict(seed=1912, seen=PLATE, shadow="#2e1d12", middle="#a5845e", light="#f3e4c6", soft=0.8, grain=10, dim=0.3),
    "then-harbour": dict(seed=1931, seen=PLATE, shadow="#241d1a", middle="#94887a", light="#efe8da", soft=0.7, grain=10, dim=0.24, lift=0.7),
    "then-glacier": dict(seed=1958, seen=FILM, shadow="#1d1e20", middle="#83857f", light="#f1f0e8", soft=0.6, grain=9, dim=0.24, lift=0.66),
}


def developed(name, image):
    """The image as it is, or as an old print where the drawing is one."""
    return print_of(image, **PRINTS[name]) if name in PRINTS else image
