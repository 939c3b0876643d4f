"""Pairs of a then picture and a now picture whose true homography is known, made from photographs of Debian's wallpapers.

A pair is cut from one photograph: the then picture through a frame, the now picture through the same frame moved by a
random homography, both resampled from the photograph itself. Then each gets the wear of its level:

- easy: shift to 3 % of the sides, turn to 2°, scale to 5 %, mild brightness.
- medium: to 8 %, 6°, 15 %, slight perspective; the then picture is grey of another mixture of colours, as old emulsions
  saw little red, faded, blurred (σ to 1.5), grainy (σ to 12), and has a gamma of 0.6 to 1.6.
- hard: medium, and foreign objects over 15 to 25 % of the now picture, vignette, local changes of light, JPEG of quality
  30, for half of the pairs a posterised or unsharp print, and contrast reversed in up to a third of the picture.

All is drawn from a generator with a seed, so that the same numbers give the same pair.
"""
from pathlib import Path

import cv2
import numpy as np

WALLPAPERS = Path("/usr/share/backgrounds")
# Photographs of things and places in the order of the alphabet, every second one to tune with. Five drawn pictures are
# left out, and serve as unrelated pictures alone.
TUNING = ["Bridge_by_Sander_Klootwijk", "Kleiber_by_Lukas_Baubkus", "Picture_1A_by_freespace",
          "aitzgorri_by_Aitzol_Berasategi", "friends_by_Aitzol_Berasategi", "life_by_Aitzol_Berasategi",
          "seeding_by_Clements_Engelhardt"]
REPORTING = ["Dragonfly_by_Bolly", "Picture_0B_by_freespace", "Wine_by_Jakkub_Mede", "free_by_Peter_Nerlich",
             "greentock_by_Peter_Nerlich", "picosdeeuropa_by_Aitzol_Berasategi", "sunset_by_Aitzol_Berasategi"]
DRAWN = ["Fossa_by_Jasper_Roks", "Infinite-Sea_by_Aury88", "Painting-Colors_by__herobrine7gamer",
         "analogpattern_by_Peter_Nerlich", "umang_by_Abhishek_Mudgal"]
WIDTH, HEIGHT = 1000, 750
LEVELS = ("easy", "medium", "hard")
_loaded = {}


def photograph(name):
    """The photograph in colour, at most 2,400 px wide and high, as floats."""
    if name not in _loaded:
        picture = cv2.imread(str(WALLPAPERS / f"{name}.jpg"))
        scale = min(1, 2400 / max(picture.shape[:2]))
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _loaded[name] = picture.astype(np.float32)
    return _loaded[name]


def frame(random, picture):
    """The map from the pixels of a frame of 4 : 3 to those of the picture, and the picture at about the frame's scale."""
    height, width = picture.shape[:2]
    part = random.uniform(0.6, 0.85) * min(width / WIDTH, height / HEIGHT)
    across, down = part * WIDTH, part * HEIGHT
    # Room on all sides, as far as there is any, so that the moved frame still sees the photograph.
    left = random.uniform(0.3, 0.7) * (width - across)
    top = random.uniform(0.3, 0.7) * (height - down)
    if part > 1:
        picture = cv2.resize(picture, None, fx=1 / part, fy=1 / part, interpolation=cv2.INTER_AREA)
        left, top, part = left / part, top / part, 1
    return np.array([[part, 0, left], [0, part, top], [0, 0, 1]]), picture


def motion(random, level):
    """A homography from the pixels of the now picture to those of the then picture."""
    shift, turn, scale, tilt = {"easy": (0.03, 2, 0.05, 0), "medium": (0.08, 6, 0.15, 0.04),
                                "hard": (0.08, 6, 0.15, 0.04)}[level]
    angle, size = np.radians(random.uniform(-turn, turn)), 1 + random.uniform(-scale, scale)
    middle = np.array([[1, 0, -(WIDTH - 1) / 2], [0, 1, -(HEIGHT - 1) / 2], [0, 0, 1]])
    perspective = np.array([[1, 0, 0], [0, 1, 0], [*random.uniform(-tilt, tilt, 2) / WIDTH, 1]])
    similarity = np.array([[size * np.cos(angle), -size * np.sin(angle), random.uniform(-shift, shift) * WIDTH],
                           [size * np.sin(angle), size * np.cos(angle), random.uniform(-shift, shift) * HEIGHT],
                           [0, 0, 1]])
    matrix = np.linalg.inv(middle) @ similarity @ perspective @ middle
    return matrix / matrix[2, 2]


def look(picture, matrix):
    return cv2.warpPerspective(picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
                               borderMode=cv2.BORDER_REFLECT_101)


def field(random, cells):
    """A smooth random field between 0 and 1 over the frame."""
    coarse = random.uniform(0, 1, (cells, cells)).astype(np.float32)
    smooth = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return (smooth - smooth.min()) / (smooth.max() - smooth.min())


def grey(picture, weights):
    return np.clip(picture @ np.asarray(weights, np.float32), 0, 255)


def daylight(picture):
    return grey(picture, (0.114, 0.587, 0.299))


def aged(random, picture):
    """The picture as an old print shows it: grey, gamma, faded, blurred, grainy."""
    red = random.uniform(0.05, 0.35)
    blue = random.uniform(0.1, 0.4)
    picture = grey(picture, (blue, 1 - red - blue, red))
    picture = 255 * (picture / 255) ** random.uniform(0.6, 1.6)
    contrast = random.uniform(0.5, 1)
    picture = contrast * picture + random.uniform(0, 1 - contrast) * 255
    picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.3, 1.5))
    return picture + random.normal(0, random.uniform(2, 12), picture.shape).astype(np.float32)


def with_foreign_objects(random, picture, other):
    """The picture with parts of another one before it, over 15 to 25 % of its area."""
    aim, mask = random.uniform(0.15, 0.25), np.zeros((HEIGHT, WIDTH), np.uint8)
    while mask.mean() < aim:
        centre = (int(random.integers(0, WIDTH)), int(random.integers(HEIGHT // 5, HEIGHT)))
        axes = (int(random.integers(30, 110)), int(random.integers(30, 150)))
        cv2.ellipse(mask, centre, axes, float(random.uniform(-20, 20)), 0, 360, 1, -1)
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1)
    return picture * (1 - soft) + other * soft


def worn(random, then, now, other):
    """What a hard pair has on top of a medium one."""
    now = with_foreign_objects(random, now, other)
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    radius = np.hypot(columns - WIDTH / 2, rows - HEIGHT / 2) / np.hypot(WIDTH / 2, HEIGHT / 2)
    then = then * (1 - random.uniform(0.2, 0.6) * radius ** 2)
    now = now * (0.55 + 0.9 * field(random, 5))
    reversed_part, threshold = field(random, 4), random.uniform(0.62, 0.85)
    mask = np.clip((reversed_part - threshold) * 12, 0, 1)
    now = np.clip(now, 0, 255)
    now = now * (1 - mask) + (255 - now) * mask
    look_of_print = random.uniform(0, 1)
    if look_of_print < 0.25:
        step = 255 / random.integers(4, 8)
        then = np.round(np.clip(then, 0, 255) / step) * step
    elif look_of_print < 0.5:
        then = cv2.GaussianBlur(then, (0, 0), random.uniform(1.5, 3))
    _, data = cv2.imencode(".jpg", np.clip(then, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 30])
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE).astype(np.float32), now


def pair(level, seed, names):
    """The now and the then picture in grey, and the true homography from now to then."""
    random = np.random.default_rng([LEVELS.index(level), seed])
    name = names[seed % len(names)]
    place, picture = frame(random, photograph(name))
    truth = motion(random, level)
    then, now = look(picture, place), daylight(look(picture, place @ truth))
    if level == "easy":
        then = daylight(then)
        now = now * random.uniform(0.85, 1.1) + random.uniform(-15, 15)
    else:
        then = aged(random, then)
        now = now * random.uniform(0.8, 1.1) + random.uniform(-20, 20) + random.normal(0, 2, now.shape)
    if level == "hard":
        others = [one for one in names if one != name]
        place, picture = frame(random, photograph(others[random.integers(len(others))]))
        then, now = worn(random, then, now, daylight(look(picture, place)))
    return as_bytes(now), as_bytes(then), truth


def unrelated(seed, names):
    """A now and a then picture of two photographs, both worn as in a medium pair."""
    random = np.random.default_rng([9, seed])
    first, second = random.choice(len(names), 2, replace=False)
    now, then = (look(picture, place) for place, picture in
                 (frame(random, photograph(names[one])) for one in (first, second)))
    return as_bytes(daylight(now)), as_bytes(aged(random, then))


def as_bytes(picture):
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def corner_error(found, truth):
    """The mean distance of the four moved corners in pixels."""
    corners = np.array([[[0, 0], [WIDTH - 1, 0], [WIDTH - 1, HEIGHT - 1], [0, HEIGHT - 1]]], np.float64)
    moved = cv2.perspectiveTransform(corners, found) - cv2.perspectiveTransform(corners, truth)
    return float(np.hypot(moved[..., 0], moved[..., 1]).mean())
