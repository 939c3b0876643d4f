"""Houses seen from the front: walls, windows, gables, roofs of tiles, shops."""

from drawing.canvas import darker, lighter, mix
from drawing.landscape import polygon
from drawing.past import Heap

# Where houses meet the pavement, and where their upper storeys begin.
FOOT, FLOOR = 806, 646


def shell(c, chance, x0, x1, top, wall, brick, trim, foot=FOOT):
    """A wall with its light and shade, from the cornice to the ground."""
    c.rect(x0, top, x1 - x0, foot - top, wall)
    if brick:
        bricks(c, chance, x0, top, x1 - x0, FLOOR - top, wall)
    else:
        for _ in range(26):
            x, y = chance.uniform(x0, x1 - 30), chance.uniform(top, FLOOR)
            c.ellipse(round(x + 15), round(y), round(chance.uniform(6, 22)), round(chance.uniform(2, 6)), chance.choice((darker(wall, 0.1), lighter(wall, 0.2))), opacity=0.6)
    c.rect(x0, top, x1 - x0, foot - top, c.across(("#fff6dc", 0.16), ("#fff6dc", 0), ("#2a1c30", 0.16)))
    c.rect(x0, FLOOR - 8, x1 - x0, 10, lighter(trim, 0.1))
    c.rect(x0, FLOOR + 2, x1 - x0, 10, c.down(("#1c1420", 0.35), ("#1c1420", 0)))


def bricks(c, chance, x, y, width, height, wall, share=0.22, row=11, outline=None):
    """Single bricks that show in a wall; `outline` is the shape they stay inside."""
    heap = Heap()
    for i in range(int(height // row)):
        for k in range(int(width // 24) + 1):
            if chance.random() < share:
                left = x + k * 24 + (12 if i % 2 else 0)
                wide = min(20, x + width - left)
                if wide > 5:
                    heap.box(chance.choice((darker(wall, 0.12), darker(wall, 0.22), lighter(wall, 0.14))), left, y + i * row, wide, row - 3)
    with c.group(clip_path=c.clip(outline) if outline else None):
        heap.draw(c)


def tiles(c, points, tone, chance, row=13, wide=15):
    """A roof of round tiles in the outline."""
    shape = polygon(points)
    c.path(shape, tone)
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    top, low = min(p[1] for p in points), max(p[1] for p in points)
    patches, arcs = Heap(), []
    for i in range(int((low - top) / row) + 1):
        y = top + i * row
        start = left - (wide / 2 if i % 2 else 0)
        count = int((right - left) / wide) + 2
        arcs.append(f"M{start:.0f} {y:.0f}" + f"q{wide / 2:g} {row * 0.9:.0f} {wide} 0" * count)
        for k in range(count):
            if chance.random() < 0.2:
                patches.box(chance.choice((lighter(tone, 0.16), darker(tone, 0.16))), start + k * wide + 2, y - row + 5, wide - 4, row - 2)
    with c.group(clip_path=c.clip(shape)):
        patches.draw(c)
        c.path("".join(arcs), stroke=darker(tone, 0.34), stroke_width=2.6)
        c.path(polygon([(left, top), (right, top), (right, top + 10), (left, top + 10)]), lighter(tone, 0.15), opacity=0.5)


def window(c, chance, x, y, width, height, trim, style, glass="#4b6478", shutter=None):
    """A window with its upper left corner there; what hangs inside it differs."""
    lit = chance.random()
    c.rect(x - 7, y - 7, width + 14, height + 14, trim)
    if style == "arch":
        c.path(f"M{x - 11} {y + 2}C{x - 6} {y - 26} {x + width + 6} {y - 26} {x + width + 11} {y + 2}Z", darker(trim, 0.14))
        c.rect(x + width / 2 - 6, y - 24, 12, 22, trim)
    elif style == "pediment":
        c.path(f"M{x - 16} {y - 8}L{x + width / 2} {y - 28}L{x + width + 16} {y - 8}Z", darker(trim, 0.08))
        c.path(f"M{x - 4} {y - 11}L{x + width / 2} {y - 22}L{x + width + 4} {y - 11}Z", darker(trim, 0.26))
    elif style == "lintel":
        c.rect(x - 12, y - 15, width + 24, 10, darker(trim, 0.12))
    c.rect(x, y, width, height, c.down(darker(glass, 0.3), glass, lighter(glass, 0.25)))
    # Shade of the wall in the opening, then curtains or a blind.
    c.path(f"M{x} {y}h{width}v6h{width * -1 + 6}v{height - 6}h-6z", "#181420", opacity=0.4)
    if lit < 0.5:
        c.path(f"M{x + 4} {y + 4}h{width * 0.34:.0f}C{x + width * 0.34:.0f} {y + height * 0.5:.0f} {x + width * 0.16:.0f} {y + height * 0.75:.0f} {x + 4} {y + height * 0.8:.0f}Z", "#efe6d6", opacity=0.85)
        c.path(f"M{x + width - 3} {y + 4}h{-width * 0.34:.0f}C{x + width * 0.68:.0f} {y + height * 0.5:.0f} {x + width * 0.84:.0f} {y + height * 0.75:.0f} {x + width - 3} {y + height * 0.8:.0f}Z", "#dccfbd", opacity=0.85)
    elif lit < 0.68:
        c.rect(x + 4, y + 4, width - 8, round(height * chance.uniform(0.25, 0.55)), "#e6d8b8", opacity=0.85)
    else:
        c.path(f"M{x + 6} {y + height * 0.55:.0f}L{x + width * 0.62:.0f} {y + 5}h{width * 0.22:.0f}L{x + 6} {y + height * 0.85:.0f}Z", "#ffffff", opacity=0.28)
    bars = f"M{x + width / 2:g} {y}v{height}M{x} {y + height * 0.36:.0f}h{width}"
    if height > 60:
        bars += f"M{x} {y + height * 0.69:.0f}h{width}"
    c.path(bars, stroke=lighter(trim, 0.3), stroke_width=4)
    c.rect(x - 12, y + height + 5, width + 24, 8, lighter(trim, 0.2))
    c.rect(x - 12, y + height + 13, width + 24, 5, "#1c1420", opacity=0.24)
    if shutter:
        for left in (x - 9 - width * 0.46, x + width + 9):
            c.rect(round(left), y - 5, round(width * 0.46), height + 10, shutter)
            slats = "".join(f"M{left + 4:.0f} {y + 4 + i * 9}h{width * 0.46 - 8:.0f}" for i in range(int(height / 9)))
            c.path(slats, stroke=darker(shutter, 0.3), stroke_width=3)


def storeys(c, chance, x0, x1, top, foot, rows, columns, trim, style, shutter=None, size=(46, 74)):
    """A grid of windows on the wall between the corners."""
    w, h = size
    for i in range(rows):
        y = round(top + (foot - top) * (i + 0.5) / rows - h / 2) + 4
        for k in range(columns):
            x = round(x0 + (x1 - x0) * (k + 0.5) / columns - w / 2)
            window(c, chance, x, y, w, h, trim, style, shutter=shutter)


def cornice(c, x0, x1, y, tone, teeth=True):
    c.rect(x0 - 8, y - 16, x1 - x0 + 16, 9, lighter(tone, 0.25))
    c.rect(x0 - 3, y - 7, x1 - x0 + 6, 8, tone)
    if teeth:
        heap = Heap()
        for x in range(round(x0) + 4, round(x1) - 6, 16):
            heap.box(darker(tone, 0.3), x, y, 8, 7)
        heap.draw(c)
    c.rect(x0, y + 1, x1 - x0, 16, c.down(("#1c1420", 0.34), ("#1c1420", 0)))


def quoins(c, x0, x1, top, foot, tone):
    heap = Heap()
    for i, y in enumerate(range(round(top), round(foot) - 14, 21)):
        w = 24 if i % 2 else 15
        heap.box(tone, x0, y, w, 17)
        heap.box(darker(tone, 0.1), x1 - w, y, w, 17)
    heap.draw(c)


def stepped(c, chance, x0, x1, y, high, wall, trim, steps=5):
    """A gable of steps above y, with a round window."""
    width = x1 - x0
    points, gap = [(x0, y)], width * 0.42 / steps
    for i in range(steps):
        level = y - high * (i + 1) / (steps + 0.6)
        points += [(x0 + gap * i, level), (x0 + gap * (i + 1), level)]
    points += [(x0 + width / 2 - width * 0.08, y - high), (x0 + width / 2 + width * 0.08, y - high)]
    points += [(x1 - (px - x0), py) for px, py in reversed(points[:-2])]
    c.path(polygon(points), wall)
    bricks(c, chance, x0, y - high, width, high, wall, outline=polygon(points))
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        if ay == by:
            c.rect(round(ax) - 5, round(ay) - 8, round(bx - ax) + 10, 10, lighter(trim, 0.1))
            c.rect(round(ax), round(ay) + 2, round(bx - ax), 5, "#1c1420", opacity=0.25)
    cx = round(x0 + width / 2)
    c.circle(cx, round(y - high * 0.7), 17, trim)
    c.circle(cx, round(y - high * 0.7), 11, "#3b4f60")
    c.path(f"M{cx - 11} {y - high * 0.7:.0f}h22M{cx} {y - high * 0.7 - 11:.0f}v22", stroke=trim, stroke_width=3)
    for side in (-1, 1):
        window(c, chance, cx + side * 30 - 15, round(y - high * 0.42), 30, 46, trim, "arch")
    c.line(f"M{cx} {y - high:.0f}v-34", "#4a3c34", 4)
    c.path(f"M{cx} {y - high - 34:.0f}l20 6l-20 7z", "#4a3c34")


def bell(c, chance, x0, x1, y, high, wall, trim):
    """A curved gable above y, with scrolls and a crown."""
    cx, w = (x0 + x1) / 2, (x1 - x0) / 2
    half = [(1.0, 0), (1.0, 0.1), (0.88, 0.14), (0.84, 0.3), (0.66, 0.46), (0.46, 0.52), (0.46, 0.72), (0.38, 0.8), (0, 1)]

    def side(s):
        p = [(cx + s * w * a, y - high * b) for a, b in half]
        return (f"M{p[0][0]:.0f} {p[0][1]:.0f}L{p[1][0]:.0f} {p[1][1]:.0f}C{p[2][0]:.0f} {p[2][1]:.0f} {p[3][0]:.0f} {p[3][1]:.0f} {p[4][0]:.0f} {p[4][1]:.0f}"
                f"C{p[4][0] - s * 14:.0f} {p[4][1] - 6:.0f} {p[5][0]:.0f} {p[5][1]:.0f} {p[6][0]:.0f} {p[6][1]:.0f}L{p[7][0]:.0f} {p[7][1]:.0f}Q{cx + s * w * 0.2:.0f} {y - high:.0f} {cx:.0f} {y - high:.0f}")

    for s in (-1, 1):
        c.path(side(s) + f"L{cx:.0f} {y:.0f}Z", wall)
    for s in (-1, 1):
        c.line(side(s), lighter(trim, 0.1), 9)
        c.circle(round(cx + s * w * 0.78), round(y - high * 0.26), 12, "none", stroke=trim, stroke_width=5)
    c.circle(round(cx), round(y - high), 11, trim)
    c.rect(round(cx) - 34, round(y - high * 0.78), 68, 7, trim)
    window(c, chance, round(cx) - 20, round(y - high * 0.62), 40, 62, trim, "arch")


def dormer(c, chance, x, y, width, high, wall, roof, trim):
    """A window with its own small gable in a roof, standing on y."""
    c.path(f"M{x + width} {y}l16 -{high * 0.7:.0f}v-10l-16 -{high * 0.1:.0f}z", darker(roof, 0.4), opacity=0.7)
    c.rect(x, y - high, width, high, wall)
    window(c, chance, x + round(width * 0.24), round(y - high * 0.86), round(width * 0.52), round(high * 0.68), trim, "flat")
    c.path(f"M{x - 9} {y - high}L{x + width / 2:g} {y - high - width * 0.46:.0f}L{x + width + 9} {y - high}Z", darker(roof, 0.1))
    c.path(f"M{x + 8} {y - high - 3}L{x + width / 2:g} {y - high - width * 0.34:.0f}L{x + width - 8} {y - high - 3}Z", trim)


def chimney(c, x, y, high, tone="#a4583f", smoke=False):
    if smoke:
        fill = c.down(("#f2eee8", 0), ("#e4ddd4", 0.75))
        c.path(f"M{x + 6} {y - high}C{x - 16} {y - high - 44} {x + 50} {y - high - 50} {x + 34} {y - high - 96}C{x + 30} {y - high - 126} {x + 76} {y - high - 138} {x + 98} {y - high - 172}"
               f"C{x + 104} {y - high - 132} {x + 84} {y - high - 120} {x + 76} {y - high - 84}C{x + 66} {y - high - 40} {x + 28} {y - high - 34} {x + 26} {y - high}Z", fill)
    c.rect(x, y - high, 32, high, tone)
    c.rect(x + 20, y - high, 12, high, darker(tone, 0.25))
    heap = Heap()
    for i in range(int(high / 11)):
        heap.box(darker(tone, 0.3), x + (3 if i % 2 else 12), y - high + 4 + i * 11, 11, 4)
    heap.draw(c)
    c.rect(x - 4, y - high - 8, 40, 10, darker(tone, 0.35))


def timbers(c, x0, x1, top, foot, beam):
    """Beams over a plastered storey: sills, posts, braces."""
    width = x1 - x0
    posts = [x0 + 6 + (width - 12) * i / 6 for i in range(7)]
    d = f"M{x0} {top + 6}H{x1}M{x0} {foot - 5}H{x1}M{x0} {(top + foot) / 2 + 34:.0f}H{x1}"
    d += "".join(f"M{p:.0f} {top}V{foot}" for p in posts)
    for a, b in ((0, 1), (6, 5)):
        d += f"M{posts[a]:.0f} {foot}L{posts[b]:.0f} {top}"
    c.path(d, stroke=beam, stroke_width=9)
    c.path(d, stroke=lighter(beam, 0.18), stroke_width=2)


def awning(c, x0, x1, y, cloth, white="#fbf3e4", deep=54):
    count = max(5, round((x1 - x0) / 22))
    for i in range(count):
        a, b = x0 + (x1 - x0) * i / count, x0 + (x1 - x0) * (i + 1) / count
        tone = cloth if i % 2 else white
        c.path(f"M{a:.0f} {y}H{b:.0f}L{b + (b - (x0 + x1) / 2) * 0.08:.0f} {y + deep}H{a + (a - (x0 + x1) / 2) * 0.08:.0f}Z", tone)
        l, r = a + (a - (x0 + x1) / 2) * 0.08, b + (b - (x0 + x1) / 2) * 0.08
        c.path(f"M{l:.0f} {y + deep}H{r:.0f}V{y + deep + 8}Q{(l + r) / 2:.0f} {y + deep + 20} {l:.0f} {y + deep + 8}Z", darker(tone, 0.14))
    c.rect(round(x0) - 6, y + deep + 12, round(x1 - x0) + 12, 34, c.down(("#1c1420", 0.4), ("#1c1420", 0)))


def shop(c, chance, x0, x1, y, foot, front, sign, letters="#f8ecd0", door="right", modern=False, cloth=None, goods=()):
    """The ground floor as a shop: sign, window with goods, door; opens between y and foot."""
    c.rect(x0 + 6, y, x1 - x0 - 12, foot - y, front)
    c.rect(x0 + 6, y, x1 - x0 - 12, 30, darker(front, 0.2))
    words = {"letter_spacing": 4} if not modern else {"letter_spacing": 1, "font_weight": 700}
    c.text((x0 + x1) / 2, y + 23, sign if not modern else sign.lower(), 20, letters, **words)
    wide = (x1 - x0) - 30
    a, b = (x0 + 15, x0 + 15 + wide * 0.64) if door == "right" else (x0 + 15 + wide * 0.36, x1 - 15)
    d = b + 12 if door == "right" else x0 + 18
    e = x1 - 18 if door == "right" else a - 12
    c.rect(round(a), y + 42, round(b - a), foot - y - 72, c.down("#32404c", "#8a7a60") if not modern else c.down("#44606e", "#b8c4bc"))
    for i in range(max(3, int((b - a) / 15))):
        gx, gh = a + 9 + i * 15, chance.uniform(12, 34)
        if gx + 10 < b:
            c.rect(round(gx), round(foot - 32 - gh), 10, round(gh), chance.choice(goods or ("#e2b45e", "#d8836a", "#efe0c0", "#8ba48a")), r=2)
    c.path(f"M{a + 6:.0f} {foot - 60}L{a + (b - a) * 0.5:.0f} {y + 46}h{(b - a) * 0.16:.0f}L{a + 6:.0f} {foot - 36}Z", "#ffffff", opacity=0.2)
    bars = "" if modern else "".join(f"M{a + (b - a) * k / 3:.0f} {y + 42}V{foot - 30}" for k in (1, 2))
    c.path(f"M{a:.0f} {y + 42}H{b:.0f}V{foot - 30}H{a:.0f}Z{bars}", stroke=lighter(front, 0.3), stroke_width=4)
    c.path(f"M{a + 4:.0f} {foot - 22}h{b - a - 8:.0f}v14h{a + 8 - b:.0f}z", stroke=darker(front, 0.3), stroke_width=3)
    c.rect(round(d), y + 42, round(e - d), foot - y - 42, darker(front, 0.34) if not modern else "#2b3540")
    c.rect(round(d) + 7, y + 50, round(e - d) - 14, round((foot - y) * 0.4), mix("#4b6478", front, 0.2))
    c.circle(round(e) - 8, round(foot - 48), 3.5, "#f0c35a")
    c.rect(round(d) - 4, foot - 6, round(e - d) + 8, 6, "#c9bfae")
    if cloth:
        awning(c, x0 + 8, x1 - 8, y + 32, cloth)
