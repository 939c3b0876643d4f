"""The harbour in 1931 and today: the same quay, houses, rocks and lighthouse."""

import math
import random

from drawing.boats import ferry, gulls, sailing_boat, steamer, yacht
from drawing.canvas import darker, lighter, mix, wave
from drawing.facades import (
    FLOOR, FOOT, bell, chimney, cornice, dormer, quoins, shell, stepped, storeys, tiles, timbers,
)
from drawing.headland import headland
from drawing.landscape import cloud, hill, mist, polygon, ripples
from drawing.past import OVER, WIDTH, Heap, band, person, sheet, standpoint

SEA, SHORE, EDGE = 566, 662, 968
RIDGE = [(-120, 300), (40, 262), (170, 284), (300, 250), (430, 300), (560, 372), (690, 430), (790, 500), (856, 566), (884, 604)]


def harbour(then):
    c = sheet("Harbour, 1931" if then else "Harbour, today")
    seen = dict(x=-14, y=8, turn=1.2, scale=1.045) if then else {}
    with standpoint(c, **seen):
        sky(c, then)
        water(c)
        slope(c, then)
        headland(c)
        front(c, then)
        if then:
            boats_then(c)
        else:
            boats_now(c)
        quay(c)
        if then:
            people_then(c)
        else:
            people_now(c)
    return c


def sky(c, then):
    band(c, -OVER, SEA + 20, c.down("#a8c2d4", "#dbe6e6", "#f4ecd8") if then else c.down("#3f8ad4", "#93c4ea", "#f3efdc"))
    for x, y, size, fade in ((860, 170, 1.2, 0.85), (560, 110, 0.8, 0.7), (1370, 260, 0.9, 0.8)) if then else ((700, 120, 0.9, 0.9), (960, 250, 0.7, 0.8), (1390, 130, 1.0, 0.85)):
        cloud(c, x, y, size, "#ffffff", fade)
    # Islands far out.
    c.path(hill([(700, SEA + 4), (820, 548), (930, 556), (1020, 540), (1120, 552), (1300, 530), (1460, 546), (1580, 540)], SEA + 12), "#9fb2bd" if then else "#8fb2cc")
    if not then:
        for x, size, turn in ((930, 0.5, 10), (992, 0.6, 50), (1052, 0.54, 94), (1440, 0.62, 24)):
            turbine(c, x, 552, size, turn)


def turbine(c, x, foot, size, turn):
    with c.moved(x, foot, size):
        c.path("M-4 0L-2 -190H2L4 0Z", "#f7f9fa")
        for i in range(3):
            with c.moved(0, -190, 1, turn + i * 120):
                c.path("M-3 0C-8 -20 -4 -60 0 -96C3 -60 5 -20 3 0Z", "#ffffff")
                c.path("M0 0L0 -96C3 -60 5 -20 3 0Z", "#c9d6de")
        c.circle(0, -190, 6, "#e2e8ec")


def slope(c, then):
    """The hill behind the town: fields once, houses now; its ridge, rocks and church stay."""
    chance = random.Random(51)
    shape = wave(RIDGE, f"L800 622L700 {SHORE}L-120 {SHORE}Z")
    c.path(shape, c.down("#8d9f6a", "#a8ad74", "#b9b684") if then else c.down("#6f9a58", "#86aa60", "#a2b56c"))
    with c.group(clip_path=c.clip(shape)):
        for d, tone in (("M-120 420C100 360 320 360 620 470L560 560C300 450 60 470 -120 520Z", "#c6bd82"), ("M120 262C260 300 420 340 600 440L700 440L520 340L300 240Z", "#7d9460")):
            c.path(d, tone if then else mix(tone, "#7fae5c", 0.55), opacity=0.7)
        # Walls of loose stone between the fields, as they still run.
        for points in ([(-120, 372), (80, 340), (260, 352), (440, 404), (640, 480)], [(-120, 470), (120, 430), (360, 440), (620, 520), (820, 570)],
                       [(60, 262), (50, 340), (20, 430), (-10, 520)], [(300, 250), (330, 352), (380, 440), (400, 540)], [(520, 350), (540, 440), (560, 520)]):
            c.line(wave(points), "#8d8574", 7)
            c.line(wave(points), "#cfc6b2", 4, stroke_dasharray="6 5")
        for _ in range(46):
            x, y = chance.uniform(-100, 760), chance.uniform(270, 540)
            s = chance.uniform(6, 20)
            c.path(f"M{x - s:.0f} {y:.0f}L{x - s * 0.5:.0f} {y - s * 0.8:.0f}L{x + s * 0.4:.0f} {y - s * 0.9:.0f}L{x + s:.0f} {y:.0f}Z", "#a49a8a")
            c.path(f"M{x + s * 0.1:.0f} {y:.0f}L{x + s * 0.4:.0f} {y - s * 0.9:.0f}L{x + s:.0f} {y:.0f}Z", "#70685f")
    c.path(wave(RIDGE), stroke="#5f6c48", stroke_width=4)
    for x, y, s in ((884, 606, 16), (858, 614, 22), (826, 622, 18), (794, 630, 24), (764, 640, 20), (736, 650, 22)):
        c.path(f"M{x - s} {y}L{x - s * 0.6:.0f} {y - s * 0.8:.0f}L{x + s * 0.3:.0f} {y - s}L{x + s} {y}Z", "#a5988a")
        c.path(f"M{x} {y}L{x + s * 0.3:.0f} {y - s}L{x + s} {y}Z", "#6f655e")
        c.rect(x - s - 6, y - 2, 2 * s + 14, 4, "#f2f5f4", opacity=0.7)
    church(c)
    if then:
        windmill(c, 428, 304)
        for x, y, s in ((96, 330, 1), (540, 430, 0.9), (250, 430, 1.1), (20, 450, 1), (640, 500, 1)):
            bush(c, x, y, 20 * s, "#5d7048")
        for k in range(7):
            c.path(f"M{330 + k * 26} {400 + k * 8}q8 -20 16 0z", "#d9c88e")
    else:
        villas(c)


def church(c):
    chance = random.Random(14)
    with c.moved(196, 288, 0.82):
        c.path("M-16 8V-70H112V8Z", "#e6dcc8")
        tiles(c, [(-22, -68), (-2, -112), (104, -112), (122, -68)], "#7f5546", chance, row=9, wide=10)
        c.path("M-70 8V-150H-16V8Z", "#efe6d4")
        c.path("M-34 -150H-16V8H-34Z", "#c4b8a4")
        c.path("M-78 -148L-43 -236L-8 -148Z", "#5f6b70")
        c.path("M-43 -236L-8 -148H-40Z", "#475257")
        c.line("M-43 -236V-262M-52 -252H-34", "#3f3a38", 4)
        c.circle(-43, -120, 13, "#f9f3e4", stroke="#4a4038", stroke_width=4)
        for x in (2, 34, 66, 94):
            c.path(f"M{x} -12V-40Q{x + 7} -52 {x + 14} -40V-12Z", "#4a5660")
        c.path("M-53 -60V-86Q-43 -100 -33 -86V-60ZM-53 8V-26Q-43 -40 -33 -26V8Z", "#3d3a3c")


def bush(c, x, y, r, tone):
    c.ellipse(x, y, r, r * 0.75, darker(tone, 0.2))
    c.ellipse(x - r * 0.25, y - r * 0.2, r * 0.7, r * 0.5, lighter(tone, 0.12))


def windmill(c, x, y):
    c.path(f"M{x - 22} {y + 8}L{x - 14} {y - 70}H{x + 14}L{x + 22} {y + 8}Z", "#e0d6c0")
    c.path(f"M{x + 4} {y - 70}h10l8 78h-14z", "#a89c88")
    c.path(f"M{x - 18} {y - 68}Q{x} {y - 98} {x + 18} {y - 68}Z", "#57483e")
    for i in range(4):
        with c.moved(x - 4, y - 74, 1, 28 + i * 90):
            c.line("M0 0V-78", "#4a3c34", 3)
            c.path("M2 -20h13v-54h-13z" + "".join(f"M2 {-28 - k * 9}h13" for k in range(5)), stroke="#4a3c34", stroke_width=2)


def villas(c):
    """What was built on the hill since: white houses in rows, and what grew between them."""
    chance = random.Random(61)
    rows = (([(-120, 366), (80, 330), (230, 346)], 9, 0.8), ([(330, 318), (440, 346), (560, 414), (700, 478), (812, 560)], 9, 0.85), ([(500, 420), (620, 480), (770, 570)], 5, 0.95),
            ([(-120, 440), (60, 404), (330, 416), (600, 490)], 15, 0.95), ([(-120, 520), (120, 486), (380, 500), (700, 566)], 14, 1.1))
    for points, count, size in rows:
        for i in range(count):
            part = (i + chance.uniform(0.2, 0.8)) / count
            x = points[0][0] + (points[-1][0] - points[0][0]) * part
            y = next(a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]) for a, b in zip(points, points[1:]) if a[0] <= x <= b[0])
            if chance.random() < 0.5:
                bush(c, x + 34 * size, y, 17 * size, chance.choice(("#4f8a4a", "#5f9a54", "#3f7a4c")))
            with c.moved(round(x), round(y), size):
                w, h = chance.choice((38, 46, 54)), chance.choice((26, 34, 44))
                wall = chance.choice(("#fbf7ee", "#f7ead2", "#f3d9c0", "#e6eef2"))
                c.rect(-w / 2, -h, w, h, wall)
                c.rect(w * 0.18, -h, w * 0.32, h, darker(wall, 0.16))
                if chance.random() < 0.65:
                    c.path(f"M{-w / 2 - 5} {-h}L{-w * 0.2} {-h - 17}H{w * 0.28}L{w / 2 + 5} {-h}Z", chance.choice(("#c4623f", "#b5522f", "#d27a50")))
                    if chance.random() < 0.5:
                        c.path(f"M{-w * 0.14} {-h - 3}l4 -11h17l-2 11z", "#24406c")
                else:
                    c.rect(-w / 2 - 2, -h - 4, w + 4, 5, "#5f666e")
                for yy in range(h - 8, 6, -14):
                    for k in range(int(w / 14)):
                        c.rect(-w / 2 + 5 + k * 13, -yy, 7, 8, "#5a7f9c")


def water(c):
    chance = random.Random(18)
    band(c, SEA, EDGE + 30, c.down("#a9c8d4", "#7fb0c6", "#4f8bab", "#356c90"))
    mist(c, 1000, SEA + 10, 500, 46, "#ffffff", 0.5)
    ripples(c, chance, -OVER, WIDTH + OVER, SEA + 8, EDGE, 170, "#ffffff", 0.35)
    ripples(c, chance, -OVER, WIDTH + OVER, SHORE + 20, EDGE, 120, "#1f4a6a", 0.4)


def front(c, then):
    """The houses along the far quay, about half the size of those in Market Street."""
    pick = lambda old, new: old if then else new  # noqa: E731
    chance = random.Random(24)
    with c.moved(-130, SHORE - 14 - FOOT * 0.47, 0.47):
        row = ((0, 210, 420, pick("#b8a890", "#e9a25e"), 2, 3, "tiles", False), (210, 400, 410, pick("#8f5a48", "#b5503c"), 2, 2, "step", True), (400, 640, 350, pick("#c9bda6", "#f3dfb4"), 3, 4, "hip", False),
               (640, 850, 420, pick("#a59a86", "#7fa8b8"), 2, 2, "bell", False), (850, 1060, 404, "#e8dcc4", 2, 3, "timber", False), (1060, 1260, 430, pick("#9a6a50", "#c46a48"), 2, 3, "step", True),
               (1260, 1490, 470, pick("#b3a184", "#f0c878"), 2, 3, "tiles", False), (1490, 1640, 520, pick("#8d8478", "#d8e0e0"), 1, 2, "hip", True))
        for x0, x1, top, wall, rows, columns, kind, brick in row:
            shell(c, chance, x0, x1, top, wall, brick, "#efe4d0")
            trim = "#f2e8d6"
            if kind == "timber":
                c.path(polygon([(x0 - 10, top), ((x0 + x1) / 2, top - 180), (x1 + 10, top)]), wall)
                c.path(f"M{x0 - 14} {top + 8}L{(x0 + x1) / 2} {top - 186}L{x1 + 14} {top + 8}", stroke="#7d4636", stroke_width=20)
                c.path(f"M{x0 + 40} {top - 50}H{x1 - 40}M{(x0 + x1) / 2} {top - 160}V{top}M{x0 + 30} {top}L{(x0 + x1) / 2} {top - 130}L{x1 - 30} {top}", stroke="#5a3c30", stroke_width=9)
                for i in range(2):
                    timbers(c, x0, x1, round(top + i * (FLOOR - top) / 2), round(top + (i + 1) * (FLOOR - top) / 2), "#5a3c30")
            if kind in ("tiles", "hip"):
                slant = 14 if kind == "tiles" else 44
                tiles(c, [(x0 - 8, top), (x0 + slant, top - 110), (x1 - slant, top - 110), (x1 + 8, top)], pick("#7f5446", "#b35f42"), chance, row=15, wide=18)
                dormer(c, chance, round((x0 + x1) / 2) - 32, top - 10, 64, 56, wall, "#8a5040", trim)
                chimney(c, x1 - 66, top - 96, 60, smoke=then and kind == "tiles")
            if kind == "step":
                stepped(c, chance, x0, x1, top + 2, 190, wall, trim)
            if kind == "bell":
                bell(c, chance, x0, x1, top + 4, 190, wall, trim)
            if kind != "timber":
                cornice(c, x0, x1, top + 6, "#e0d2b8")
                quoins(c, x0, x1, top + 30, FLOOR, "#ece0ca") if kind == "hip" else None
            storeys(c, chance, x0 + 8, x1 - 8, top + 8, FLOOR, rows, columns, trim, "arch" if brick else "lintel", size=(36, 66))
            ground_floor(c, chance, x0, x1, then)
    # The wall of the far quay, weed along the tide, its stairs.
    c.path(f"M-{OVER} {SHORE - 14}H716V{SHORE + 52}H-{OVER}Z", "#8d8376")
    stones = Heap()
    for r in range(3):
        x = -OVER
        while x < 712:
            w = chance.randrange(24, 50)
            stones.box(chance.choice(("#a69a8a", "#958a7c", "#b5a996", "#847a70")), x, SHORE - 3 + r * 15, min(w, 714 - x), 12)
            x += w + 3
    stones.draw(c)
    c.rect(-OVER, SHORE - 17, 818, 11, "#d0c4b0")
    c.rect(-OVER, SHORE + 40, 816, 14, "#4a5a44", opacity=0.75)
    for x in (250, 560):
        c.path(f"M{x} {SHORE - 8}h70l-60 58h-10z", "#6f665d")
        c.path("".join(f"M{x} {SHORE + k * 9}h{62 - k * 9}" for k in range(6)), stroke="#b5a996", stroke_width=3)
    c.rect(-OVER, SHORE + 52, 816, 46, c.down(("#20343c", 0.5), ("#20343c", 0)))


def ground_floor(c, chance, x0, x1, then):
    """Doors and shop windows in the same places, in other paint."""
    tones = ("#4a3a30", "#3f4a48", "#5a3a34", "#4a4438") if then else ("#27508c", "#2f6d62", "#c8503f", "#e2b04a")
    tone = chance.choice(tones)
    count = max(2, round((x1 - x0) / 76))
    for k in range(count):
        x = round(x0 + (x1 - x0) * (k + 0.5) / count) - 24
        c.rect(x - 5, FLOOR + 34, 58, FOOT - FLOOR - 34, "#efe4d0")
        if k == count // 2:
            c.rect(x, FLOOR + 40, 48, FOOT - FLOOR - 40, tone)
            c.rect(x + 8, FLOOR + 48, 32, 34, "#4b6478")
        else:
            c.rect(x, FLOOR + 40, 48, 84, c.down("#33424e", "#8c8168" if then else "#d8b070"))
            c.path(f"M{x} {FLOOR + 74}h48M{x + 24} {FLOOR + 40}v84", stroke="#efe4d0", stroke_width=4)
    if not then:
        c.rect(x0 + 14, FLOOR + 6, x1 - x0 - 28, 22, tone)


def quay(c):
    """The quay we are on: coping stones, slabs, two bollards, a ladder."""
    chance = random.Random(83)
    band(c, EDGE, 1080 + OVER, "#9c9082")
    slabs, y, row = Heap(), EDGE + 34.0, 0
    while y < 1080 + OVER:
        high = 22 + (y - EDGE) * 0.14
        x = -OVER - (40 if row % 2 else 0) - chance.randrange(30)
        while x < WIDTH + OVER:
            w = chance.randrange(74, 150)
            slabs.box(chance.choice(("#b0a494", "#a3978a", "#bbb0a0", "#a99e92")), x, y, w - 4, high - 4)
            x += w
        y, row = y + high, row + 1
    slabs.draw(c)
    coping = Heap()
    x = -OVER
    while x < WIDTH + OVER:
        w = chance.randrange(90, 150)
        coping.box(chance.choice(("#d3c8b6", "#c8bcaa", "#dcd2c2")), x, EDGE, w - 4, 28)
        x += w
    band(c, EDGE - 2, EDGE + 32, "#877c70")
    coping.draw(c)
    cracks = "".join(f"M{chance.randrange(-80, 1500)} {chance.randrange(1000, 1090)}l{chance.randrange(-24, 24)} {chance.randrange(6, 18)}l{chance.randrange(-14, 14)} {chance.randrange(4, 14)}" for _ in range(22))
    c.path(cracks, stroke="#6d6358", stroke_width=2)
    for x in (330, 1090):
        c.ellipse(x + 16, 1010, 50, 9, "#1c1420", opacity=0.35)
        c.path(f"M{x - 24} 1010L{x - 17} 954H{x + 17}L{x + 24} 1010Z", c.across("#5a5860", "#36343c", "#222028"))
        c.path(f"M{x - 33} 956C{x - 36} 930 {x + 36} 930 {x + 33} 956C{x + 20} 964 {x - 20} 964 {x - 33} 956Z", c.across("#6a6870", "#403e46", "#28262e"))
    c.path("M700 1000V950Q700 934 716 934M760 1000V950Q760 934 744 934", stroke="#34323a", stroke_width=7)


def boats_then(c):
    sailing_boat(c, 1000, 690, 0.62, "#b8734a", True)
    sailing_boat(c, 842, 640, 0.34, "#e6d6b4")
    steamer(c, 520, 800)
    sailing_boat(c, 170, 900, 1.0, "#9a5238")
    sailing_boat(c, 1210, 872, 1.08, "#c28a54", True)
    with c.moved(990, 926):
        c.path("M-80 10H80L50 34H-50Z", "#0f2a3c", opacity=0.3)
        c.path("M-92 -22C-50 -10 50 -10 94 -24C88 0 76 10 62 14H-58C-76 8 -88 -4 -92 -22Z", "#7a5534")
        c.path("M-92 -22C-50 -10 50 -10 94 -24L92 -16C50 -2 -50 -2 -90 -14Z", "#b58a58")
        c.path("M-22 -8C-22 -50 14 -54 18 -8Z", "#3a4652")
        c.circle(-4, -56, 11, "#cfa07a")
        c.path("M-18 -60h26c0 -14 -20 -16 -22 -4z", "#2b2a30")
        c.line("M-2 -34L40 -22M40 -26L130 24", "#8a6238", 5)
    gulls(c, ((700, 330), (770, 300), (1330, 330), (1010, 400), (640, 520)))


def boats_now(c):
    yacht(c, 1000, 690, 0.5, "#c8403a", True)
    c.path("M852 640l0 -44l-22 40zM856 640v-54l26 50z", "#ffffff")
    c.path("M836 642h44l-8 8h-28z", "#c8403a")
    ferry(c, 520, 800)
    # The marina: pontoons with fingers, boats side by side.
    for x, y, size, stripe, flip in ((1090, 800, 0.82, "#1f66c2", False), (1222, 796, 0.9, "#2f8f7c", True), (1360, 800, 0.84, "#c8403a", False), (1480, 798, 0.9, "#27344a", True)):
        yacht(c, x, y, size, stripe, flip)
    c.rect(1010, 816, 560, 12, "#c9a679")
    c.rect(1010, 828, 560, 7, "#7d6448")
    for x in range(1020, 1560, 90):
        c.rect(x, 782, 9, 58, "#4a4038")
    for x, y, size, stripe, flip in ((1120, 902, 1.05, "#e2a03a", True), (1330, 906, 1.12, "#1f66c2", False), (120, 898, 0.98, "#2f8f7c", False), (-20, 890, 0.9, "#c8403a", True)):
        yacht(c, x, y, size, stripe, flip)
    # Someone stands on a board and paddles.
    c.ellipse(842, 930, 92, 9, "#f3c95a")
    c.ellipse(842, 934, 92, 8, "#1f4a6a", opacity=0.35)
    person(c, 842, 930, 104, "#e2503f", legs="#22344a", hair="#5a3a24", step=3)
    c.line("M818 838L800 952", "#e8ecef", 4)
    c.path("M800 936l-9 30l9 6l6 -34z", "#2f6fd1")
    gulls(c, ((660, 340), (740, 380), (1320, 300)))
    c.line("M590 40L880 96", "#ffffff", 6, opacity=0.7)


def people_then(c):
    # Nets hung up to dry, barrels, boxes of fish.
    for x in (30, 130, 230):
        c.line(f"M{x} 1046V850", "#5a4232", 8)
    c.line("M30 860H230", "#5a4232", 6)
    chance = random.Random(4)
    mesh = "".join(f"M{34 + k * 12} 862q{chance.randrange(-6, 6)} 60 {chance.randrange(-8, 8)} {120 + chance.randrange(-10, 24)}" for k in range(17))
    mesh += "".join(f"M32 {874 + k * 12}q100 {10 + k} 198 0" for k in range(9))
    c.path(mesh, stroke="#6d5a44", stroke_width=1.8)
    for k in range(8):
        c.circle(40 + k * 26, 866, 6, "#c98a4a")
    for x, y in ((1246, 1042), (1304, 1050), (1276, 984)):
        barrel(c, x, y)
    for k in range(3):
        c.rect(520 + k * 6, 1026 - k * 26, 104, 24, "#a88658")
        c.path(f"M{520 + k * 6} {1034 - k * 26}h104", stroke="#6d5234", stroke_width=3)
    for k in range(8):
        c.ellipse(540 + k * 11, 970 - (k % 2) * 4, 10, 4, "#c6d0d4", turn=-16)
    person(c, 150, 1050, 176, "#3a4450", legs="#57504a", hat="cap", step=2, hatband="#2b3038", flip=True)
    person(c, 440, 1044, 168, "#8f4a44", skirt="#5f4a4e", hat="scarf", hold="basket", hatband="#d8c8a8")
    person(c, 770, 1052, 174, "#2f3238", legs="#4a443e", hat="bowler", hold="stick", flip=True)
    person(c, 842, 1052, 160, "#c9b48e", skirt="#a8946e", hat="straw", hold="bag", hatband="#6a3f38", flip=True)
    person(c, 1390, 1050, 176, "#44505a", legs="#4a4038", hat="cap", step=7, hatband="#2f3640")


def barrel(c, x, y):
    c.path(f"M{x - 24} {y}C{x - 34} {y - 24} {x - 34} {y - 44} {x - 24} {y - 68}H{x + 24}C{x + 34} {y - 44} {x + 34} {y - 24} {x + 24} {y}Z", c.across("#a87b4a", "#8a6238", "#5a3f26"))
    c.path(f"M{x - 29} {y - 16}h58M{x - 29} {y - 52}h58", stroke="#3a3434", stroke_width=5)
    c.ellipse(x, y - 68, 24, 6, "#b98d58")


def people_now(c):
    # A rail, a bench, flowers in a tub.
    c.rect(470, 1006, 170, 10, "#a8743f")
    c.rect(470, 976, 170, 8, "#a8743f")
    c.path("M486 1014V1046M624 1014V1046M486 1008V972M624 1008V972", stroke="#33363e", stroke_width=7)
    for x, coat, hair in ((520, "#2f6fd1", "#e6e2da"), (582, "#c8503f", "#d8d2c8")):
        c.path(f"M{x - 24} 1008C{x - 26} 960 {x - 18} 944 {x} 942C{x + 18} 944 {x + 26} 960 {x + 24} 1008Z", coat)
        c.circle(x, 922, 18, hair)
    c.path("M1216 1056L1204 1000H1312L1300 1056Z", "#5a5f68")
    chance = random.Random(77)
    for _ in range(60):
        a = chance.uniform(0, math.pi)
        r = chance.uniform(0, 1)
        c.circle(round(1258 + 62 * r * math.cos(a)), round(1000 - 44 * r * math.sin(a)), chance.choice((6, 8, 9)), chance.choice(("#4f8a4a", "#5f9a54", "#3f7a4c", "#e2503f", "#f4a3b4", "#f6d06a")))
    person(c, 160, 1054, 178, "#f0b93c", legs="#2f4668", hold="phone", hair="#4a2a1c", flip=True)
    person(c, 236, 1050, 118, "#e86f5a", legs="#3a6a8a", hair="#2a1a14", flip=True)
    person(c, 880, 1056, 176, "#3f8f88", legs="#3a3640", hold="pack", hair="#1f1714", hatband="#27508c")
    person(c, 1400, 1054, 174, "#f2ede2", legs="#5a6f8a", hold="bag", hair="#8a5a34", hatband="#c8503f")
    with c.moved(1046, 1052, 1.0):
        c.path("M-40 -34C-44 -46 -54 -50 -58 -46C-62 -40 -72 -40 -72 -34C-70 -28 -58 -28 -52 -24C-48 -16 -46 -10 -44 0H-36L-34 -14H8L12 0H20L20 -30C28 -36 32 -46 34 -54C26 -46 18 -40 8 -38Z", "#8a5a34")
        c.circle(-58, -40, 2.4, "#1f1714")
        c.line("M-40 -34C-80 -30 -120 -50 -170 -66", "#27344a", 2)


def drawings():
    return {"then-harbour": harbour(True), "now-harbour": harbour(False)}


DESCRIPTIONS = {
    "then-harbour": "Old photo, 1931: a steamer and sailing boats in a harbour below a bare hill with a church and a windmill; a striped lighthouse.",
    "now-harbour": "The same harbour today: a ferry, yachts, houses all over the hill, wind turbines at sea, and the same striped lighthouse.",
}
