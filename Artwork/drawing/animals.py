"""Parts that the animals share: eyes, noses, mouths, fur."""

import math

from drawing.canvas import darker

NIGHT = "#221612"


def eye(c, x, y, size, look=(0, 0), iris="#3a2216"):
    """A round, moist eye `size` units wide, looking the way `look` points (-1 to 1)."""
    dx, dy = look[0] * size * 0.1, look[1] * size * 0.1
    c.ellipse(x, y, size * 0.5, size * 0.56, NIGHT)
    c.ellipse(x + dx, y + dy + size * 0.1, size * 0.34, size * 0.36, iris)
    c.circle(x + dx, y + dy, size * 0.26, NIGHT)
    c.circle(x + dx + size * 0.15, y + dy - size * 0.2, size * 0.14, "#ffffff")
    c.circle(x + dx - size * 0.16, y + dy + size * 0.2, size * 0.07, "#ffffff", opacity=0.75)


def nose(c, x, y, width, colour="#2a1c19"):
    """A dog's nose with its top edge at y."""
    w, h = width / 2, width * 0.36
    c.path(
        f"M{x - w} {y + h * 0.75}C{x - w} {y + h * 0.1} {x - w * 0.5} {y} {x} {y}"
        f"C{x + w * 0.5} {y} {x + w} {y + h * 0.1} {x + w} {y + h * 0.75}"
        f"C{x + w} {y + h * 1.5} {x + w * 0.4} {y + h * 2.05} {x} {y + h * 2.05}"
        f"C{x - w * 0.4} {y + h * 2.05} {x - w} {y + h * 1.5} {x - w} {y + h * 0.75}Z",
        colour,
    )
    c.ellipse(x, y + h * 0.5, w * 0.5, h * 0.22, "#ffffff", opacity=0.28)
    for side in (-1, 1):
        c.ellipse(x + side * w * 0.42, y + h * 1.15, w * 0.16, h * 0.26, "#0d0706", turn=side * 20)


def smile(c, x, y, width, tongue=0.0, colour=NIGHT, weight=8):
    """The two arcs below a nose; `tongue` is its length as a part of the width."""
    w = width / 2
    if tongue:
        long = width * tongue
        c.path(
            f"M{x - w * 0.5} {y + w * 0.3}C{x - w * 0.62} {y + long * 1.3} {x + w * 0.62} {y + long * 1.3} "
            f"{x + w * 0.5} {y + w * 0.3}C{x + w * 0.2} {y + w * 0.52} {x - w * 0.2} {y + w * 0.52} "
            f"{x - w * 0.5} {y + w * 0.3}Z",
            "#f0788a",
        )
        c.line(f"M{x} {y + w * 0.46}L{x} {y + long * 0.72}", "#d4566c", weight * 0.7)
    c.line(
        f"M{x} {y - w * 0.34}L{x} {y + w * 0.08}M{x - w} {y}C{x - w * 0.9} {y + w * 0.56} {x - w * 0.22} {y + w * 0.6} {x} "
        f"{y + w * 0.08}C{x + w * 0.22} {y + w * 0.6} {x + w * 0.9} {y + w * 0.56} {x + w} {y}",
        colour, weight,
    )


def whisker_dots(c, x, y, apart, colour):
    for side in (-1, 1):
        for dx, dy in ((0, 0), (18, 12), (14, -12)):
            c.circle(x + side * (apart + dx), y + dy, 4.5, colour, opacity=0.6)


def fluff(x, y, rx, ry, tufts, depth=0.1, turn=0.0):
    """An ellipse with an edge of soft tufts, for fur, leaves and clouds."""
    points = []
    for i in range(tufts):
        angle = turn + 2 * math.pi * i / tufts
        points.append((x + rx * math.cos(angle), y + ry * math.sin(angle)))
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for i, (px, py) in enumerate(points):
        qx, qy = points[(i + 1) % tufts]
        middle = turn + 2 * math.pi * (i + 0.5) / tufts
        cx = (px + qx) / 2 + rx * depth * 2.2 * math.cos(middle)
        cy = (py + qy) / 2 + ry * depth * 2.2 * math.sin(middle)
        parts.append(f"Q{cx:.1f} {cy:.1f} {qx:.1f} {qy:.1f}")
    return "".join(parts) + "Z"


def paw(c, x, y, width, fur, toes=None):
    """A front paw seen from before, standing on y."""
    w = width / 2
    c.path(
        f"M{x - w} {y - w * 0.5}C{x - w * 1.1} {y - w * 1.3} {x + w * 1.1} {y - w * 1.3} {x + w} {y - w * 0.5}"
        f"C{x + w * 1.12} {y} {x + w * 0.8} {y} {x + w * 0.6} {y}L{x - w * 0.6} {y}"
        f"C{x - w * 0.8} {y} {x - w * 1.12} {y} {x - w} {y - w * 0.5}Z",
        fur,
    )
    for side in (-0.33, 0.33):
        c.line(f"M{x + side * w} {y - w * 0.5}L{x + side * w} {y - w * 0.06}", toes or darker(fur, 0.3), 6)


def shadow(c, x, y, rx, ry, strength=0.16):
    """What lies on the ground below things."""
    c.ellipse(x, y, rx, ry, "#20120c", opacity=strength)


