"""What landscapes are made of: ridges, peaks, firs, clouds, water."""

from drawing.animals import fluff
from drawing.canvas import darker, lighter, mix, wave


def ridge(chance, width, y, high, rough=0.55, steps=7):
    """A jagged horizon by midpoint displacement: points from edge to edge around y."""
    heights = [chance.uniform(-1, 1) * high * 0.5, chance.uniform(-1, 1) * high * 0.5]
    spread = high
    for _ in range(steps):
        finer = []
        for left, right in zip(heights, heights[1:]):
            finer += [left, (left + right) / 2 + chance.uniform(-1, 1) * spread * 0.5]
        heights, spread = [*finer, heights[-1]], spread * rough
    gap = (width + 40) / (len(heights) - 1)
    return [(-20 + i * gap, y + h) for i, h in enumerate(heights)]


def below(points, floor):
    """The area between a line of straight pieces and the floor."""
    line = "L".join(f"{x:.0f} {y:.0f}" for x, y in points)
    return f"M{line}L{points[-1][0]:.0f} {floor}L{points[0][0]:.0f} {floor}Z"


def hill(points, floor):
    """The area between a smooth line and the floor."""
    return wave(points, f"L{points[-1][0]} {floor}L{points[0][0]} {floor}Z")


def jagged(chance, start, end, pieces, jitter):
    """Points on the way from start to end, each a little beside it."""
    points = [start]
    for i in range(1, pieces):
        part = i / pieces
        points.append((start[0] + (end[0] - start[0]) * part + chance.uniform(-jitter, jitter),
                       start[1] + (end[1] - start[1]) * part + chance.uniform(-jitter, jitter) * 0.5))
    return [*points, end]


def polygon(points):
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) + "Z"


def peak(c, chance, x, base, wide, high, rock, snow="#f7f6f4", light=-1):
    """A mountain lit from the side `light` (-1 left, 1 right), with snow on its upper part."""
    top = (x, base - high)
    left = jagged(chance, (x - wide, base), top, 7, wide * 0.045)
    right = jagged(chance, top, (x + wide * 1.1, base), 7, wide * 0.045)
    spine = jagged(chance, top, (x + wide * 0.16, base), 8, wide * 0.07)
    bright, dim = (rock, darker(rock, 0.3)) if light < 0 else (darker(rock, 0.3), rock)
    c.path(polygon([*left, *spine[1:]]), bright)
    c.path(polygon([*spine, (x + wide * 1.1, base), *reversed(right[1:-1])]), dim)
    for points, side in ((left, -1), (right, 1)):
        edge = list(reversed(points)) if side < 0 else points
        white = snow if side == light else mix(snow, "#6f8db8", 0.42)
        hem = tongues(chance, edge[3], spine[4], high)
        c.path(polygon([*edge[:4], *hem, *reversed(spine[1:5])]), white)


def tongues(chance, start, end, high):
    """The lower hem of a snowfield: tongues of uneven length that run down the gullies."""
    points = []
    for i in range(1, 8):
        part = (i + chance.uniform(-0.25, 0.25)) / 8
        drop = high * (chance.uniform(0.06, 0.17) if i % 2 else chance.uniform(-0.03, 0.03))
        points.append((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part + drop))
    return points


def fir(c, x, base, high, tone, lit=0.0):
    """A fir `high` units tall of drooping tiers; `lit` lightens its left side."""
    tiers = 6
    c.rect(x - high * 0.02, base - high * 0.12, high * 0.04, high * 0.12, darker(tone, 0.4))
    for i in range(tiers):
        top = base - high + i * high * 0.135
        low = top + high * (0.2 + 0.035 * i)
        half = high * (0.075 + 0.038 * i)
        shape = (f"M{x:.0f} {top:.0f}C{x + half * 0.3:.0f} {top + (low - top) * 0.6:.0f} {x + half * 0.7:.0f} {low - half * 0.1:.0f} {x + half:.0f} {low:.0f}"
                 f"Q{x + half * 0.4:.0f} {low + half * 0.04:.0f} {x:.0f} {low + half * 0.22:.0f}"
                 f"Q{x - half * 0.4:.0f} {low + half * 0.04:.0f} {x - half:.0f} {low:.0f}"
                 f"C{x - half * 0.7:.0f} {low - half * 0.1:.0f} {x - half * 0.3:.0f} {top + (low - top) * 0.6:.0f} {x:.0f} {top:.0f}Z")
        c.path(shape, tone)
        if lit:
            c.path(f"M{x:.0f} {top:.0f}C{x - half * 0.3:.0f} {top + (low - top) * 0.6:.0f} {x - half * 0.7:.0f} {low - half * 0.1:.0f} {x - half:.0f} {low:.0f}"
                   f"Q{x - half * 0.5:.0f} {low - half * 0.12:.0f} {x - half * 0.12:.0f} {low - half * 0.1:.0f}Z", lighter(tone, lit))


def firs(c, chance, width, line, high, tone, count, lit=0.0):
    """A row of firs standing on the function `line` of x, from back to front."""
    for i in range(count):
        x = (i + chance.uniform(0.1, 0.9)) * width / count
        fir(c, x, line(x) + 6, high * chance.uniform(0.65, 1.2), tone, lit)


def cloud(c, x, y, size, fill, opacity=0.8):
    """A heap of cloud, full at its top, that dissolves at its foot."""
    melting = c.down((fill, 1), (fill, 0.75), (fill, 0))
    with c.moved(x, y, size, opacity=opacity):
        for d in ("M-250 44C-290 44 -286 6 -246 4C-246 -34 -190 -44 -170 -20C-150 -74 -66 -78 -48 -30C-20 -48 30 -36 34 4C60 6 62 44 34 44Z",
                  "M-110 44C-150 44 -150 -2 -112 -4C-112 -58 -44 -72 -22 -40C4 -98 92 -90 104 -34C136 -52 186 -30 180 4C226 4 226 44 190 44Z"):
            c.path(d, melting)


def mist(c, x, y, rx, ry, colour, opacity):
    """A bank of mist that fades on all sides."""
    fill = c.define(
        '<radialGradient id="{name}">'
        f'<stop offset="0" stop-color="{colour}" stop-opacity="{opacity}"/>'
        f'<stop offset="1" stop-color="{colour}" stop-opacity="0"/></radialGradient>'
    )
    c.ellipse(x, y, rx, ry, fill)


def ripples(c, chance, left, right, top, bottom, count, colour, opacity=0.5):
    """Short horizontal strokes on water, longer and further apart towards the viewer."""
    for _ in range(count):
        near = chance.random() ** 1.5
        y = top + (bottom - top) * near
        long = (14 + 90 * near) * chance.uniform(0.5, 1.3)
        x = chance.uniform(left, right)
        c.line(f"M{x:.0f} {y:.0f}h{long:.0f}", colour, round(1.5 + 3.5 * near, 1), opacity=round(opacity * chance.uniform(0.4, 1), 2))


def tree(c, x, base, high, crown, trunk="#6b4a34"):
    """A broad tree lit from the upper left: clumps of leaves, shade below, light above."""
    c.path(f"M{x - high * 0.035:.0f} {base}C{x - high * 0.01:.0f} {base - high * 0.2:.0f} {x - high * 0.015:.0f} {base - high * 0.4:.0f} {x - high * 0.08:.0f} {base - high * 0.6:.0f}"
           f"L{x + high * 0.08:.0f} {base - high * 0.6:.0f}C{x + high * 0.015:.0f} {base - high * 0.4:.0f} {x + high * 0.01:.0f} {base - high * 0.2:.0f} {x + high * 0.035:.0f} {base}Z", trunk)
    for dx, dy, rx, ry, tone in ((0.13, 0.48, 0.2, 0.13, darker(crown, 0.3)), (-0.14, 0.5, 0.2, 0.14, darker(crown, 0.22)),
                                 (0.03, 0.66, 0.3, 0.22, darker(crown, 0.12)), (-0.1, 0.62, 0.2, 0.14, crown),
                                 (0.1, 0.76, 0.18, 0.12, crown), (-0.06, 0.8, 0.17, 0.11, lighter(crown, 0.14)),
                                 (-0.16, 0.66, 0.09, 0.06, lighter(crown, 0.2))):
        c.path(fluff(x + high * dx, base - high * dy, high * rx, high * ry, 10, 0.13, dx * 9), tone)
