"""The glacier above the hut in 1958 and today: the same peaks, moraine and stone hut."""

import math
import random

from drawing.canvas import darker, lighter, mix, wave
from drawing.hut import hut
from drawing.landscape import cloud, fir, hill, polygon, ripples
from drawing.past import OVER, Heap, band, horse, person, sheet, standpoint, wheel

# The skyline from left to right, summits and gaps.
SKYLINE = [(-130, 330), (-40, 270), (20, 300), (96, 190), (150, 250), (206, 222), (286, 330), (372, 262), (440, 150), (486, 92), (520, 140), (548, 126),
           (610, 236), (668, 300), (730, 322), (800, 296), (858, 238), (900, 252), (968, 140), (1010, 62), (1046, 120), (1090, 108), (1150, 216), (1220, 280),
           (1276, 232), (1330, 258), (1400, 196), (1470, 260), (1580, 220)]
FOOT = 640
# How the ice lay: from the saddle between the two great summits down into the valley.
ICE = [(560, 250), (640, 318), (730, 338), (812, 312), (880, 300), (872, 360), (838, 420), (852, 480), (874, 540), (896, 610), (884, 680), (820, 724), (716, 730),
       (628, 700), (602, 630), (622, 550), (640, 480), (630, 410), (586, 340), (540, 290)]


def glacier(then):
    c = sheet("The glacier, 1958" if then else "The glacier, today")
    seen = dict(x=12, y=-8, turn=-1.1, scale=1.05) if then else {}
    with standpoint(c, **seen):
        sky(c, then)
        mountains(c, then)
        valley(c, then)
        slopes(c, then)
        meadow(c, then)
        hut(c, then)
        if then:
            life_then(c)
        else:
            life_now(c)
    return c


def sky(c, then):
    band(c, -OVER, 700, c.down("#7fa3c6", "#bcd2e2", "#eaf0ee") if then else c.down("#2f78cc", "#7db6e8", "#dcecf2"))
    for x, y, size, fade in ((240, 130, 0.9, 0.9), (1270, 120, 0.8, 0.85)) if then else ((700, 130, 0.9, 0.9), (180, 90, 0.7, 0.8), (1340, 110, 0.7, 0.8)):
        cloud(c, x, y, size, "#ffffff", fade)


def height(line, x):
    return next((a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]) for a, b in zip(line, line[1:]) if a[0] <= x <= b[0]), line[-1][1])


def mountains(c, then):
    """Walls of rock in facets under a jagged skyline; snow lies higher today."""
    chance = random.Random(1958)
    crest = []
    for a, b in zip(SKYLINE, SKYLINE[1:]):
        crest.append(a)
        for part in (0.33, 0.66):
            crest.append((a[0] + (b[0] - a[0]) * part + chance.uniform(-5, 5), a[1] + (b[1] - a[1]) * part + chance.uniform(-9, 9)))
    crest.append(SKYLINE[-1])
    outline = polygon([*crest, (1580, FOOT + 60), (-130, FOOT + 60)])
    c.path(outline, "#7d7c86")
    with c.group(clip_path=c.clip(outline)):
        rows = 7
        grid = []
        for i, (x, y) in enumerate(crest):
            column = []
            for r in range(rows + 1):
                px = x + (chance.uniform(-13, 13) if r else 0)
                py = y - (3 if r == 0 else 0) + (FOOT + 70 - y) * (r / rows) ** 1.15 + (chance.uniform(-16, 16) if r else 0)
                column.append((px, py))
            grid.append(column)
        for left, right in zip(grid, grid[1:]):
            # A wall that falls to the right lies in shade.
            shade = right[0][1] > left[0][1]
            for r in range(rows):
                base = mix("#8a8792", "#97917f", r / rows)
                base = mix(base, "#a9b8c4", 0.18)
                a, b, d, e = left[r], right[r], right[r + 1], left[r + 1]
                tone = darker(base, chance.uniform(0.2, 0.4)) if shade else lighter(base, chance.uniform(0.06, 0.34))
                c.path(polygon([a, b, e]), tone)
                c.path(polygon([b, d, e]), darker(tone, chance.uniform(0.02, 0.18)))
        snow(c, grid, then)
        cracks = []
        for _ in range(170):
            x = chance.uniform(-110, 1560)
            y = height(SKYLINE, x) + chance.uniform(20, 300)
            cracks.append(f"M{x:.0f} {y:.0f}l{chance.uniform(-10, 10):.0f} {chance.uniform(8, 24):.0f}l{chance.uniform(-8, 8):.0f} {chance.uniform(6, 20):.0f}")
        c.path("".join(cracks), stroke="#4d4a55", stroke_width=2.2, opacity=0.65)
        # Bands of the strata.
        for dy in (90, 170):
            band_line = [(x, height(SKYLINE, x) * 0.6 + 150 + dy + 14 * math.sin(x / 70)) for x in range(-120, 1581, 60)]
            c.line(wave(band_line), "#5f5b66", 3, opacity=0.45)
    c.path("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in crest), stroke="#55535e", stroke_width=2.5)


def snow(c, grid, then):
    chance = random.Random(77 if then else 78)
    for left, right in zip(grid, grid[1:]):
        shade = right[0][1] > left[0][1]
        tone = "#c4d2e0" if shade else "#fbfcfc"
        high = min(left[0][1], right[0][1])
        if high < (330 if then else 160):
            a, b = left[0], right[0]
            reach = (250 - high * 0.45 if then else 70 - high * 0.25) * chance.uniform(0.6, 1)
            low = (left[0][1] + right[0][1]) / 2 + max(18, reach)
            mid = ((a[0] + b[0]) / 2, low)
            c.path(polygon([(a[0] - 1, a[1] - 5), (b[0] + 1, b[1] - 5), (b[0] + 2, b[1] + max(12, reach * 0.5)), mid, (a[0] - 2, a[1] + max(12, reach * 0.55))]), tone)


def valley(c, then):
    """What lies between the walls: the ice, or what it left; moraines keep the line it once reached."""
    chance = random.Random(35)
    floor = [(520, 330), (700, 330), (890, 320), (960, 330), (1010, 460), (1090, 600), (1140, 800), (380, 800), (430, 620), (500, 450)]
    c.path(wave(floor, "Z"), c.down(("#8d8a86", 0), "#98938a", "#a39b8c", "#aba28f"))
    heap = Heap()
    for _ in range(260):
        y = chance.uniform(410, 760)
        x = chance.uniform(560 - (y - 410) * 0.3, 930 + (y - 410) * 0.35)
        heap.box(chance.choice(("#77736f", "#bdb5a5", "#6f6b68", "#8a847c")), x, y, 4 + (y - 380) * 0.03, 3 + (y - 380) * 0.018)
    heap.draw(c)
    if not then:
        bare(c)
    moraine(c, chance, [(566, 366), (584, 410), (600, 470), (596, 540), (572, 610), (560, 680), (580, 760)], [3, 16, 34, 54, 78, 100, 124], [2, 10, 24, 38, 52, 66, 84])
    moraine(c, chance, [(908, 350), (892, 400), (886, 460), (906, 530), (934, 600), (940, 670), (910, 760)], [-3, -18, -36, -58, -82, -106, -130], [-2, -12, -26, -40, -54, -70, -90])
    if then:
        ice(c)


def moraine(c, chance, crest, outer, inner):
    """A ridge of rubble: lit where it falls outwards or to the left, steep inside."""
    for reach, lit in ((outer, outer[0] > 0), (inner, inner[0] < 0)):
        away = -1 if reach is outer else 1
        base = [(x + away * r + chance.uniform(-5, 5), y + abs(r) * 0.7) for (x, y), r in zip(crest, reach)]
        c.path(wave(crest) + wave(list(reversed(base))).replace("M", "L") + "Z", c.down("#a8a196", "#b9b09f", "#b3aa97") if lit else c.down("#7d7873", "#766f69", "#7d766c"))
        stones_ = Heap()
        for _ in range(90):
            k = chance.randrange(len(crest) - 1)
            t, u = chance.random(), chance.random()
            x = crest[k][0] + (crest[k + 1][0] - crest[k][0]) * t
            y = crest[k][1] + (crest[k + 1][1] - crest[k][1]) * t
            x, y, w = x + away * reach[k] * u * 0.95, y + abs(reach[k]) * 0.66 * u, chance.uniform(3, 10)
            stones_.add(chance.choice(("#d2c9b8", "#958d83", "#5d5854") if lit else ("#928a80", "#575250", "#aaa295")),
                        f"M{x - w:.0f} {y:.0f}l{w * 0.5:.1f} {-w * 0.8:.1f}l{w:.1f} {w * 0.2:.1f}l{w * 0.4:.1f} {w * 0.6:.1f}z")
        stones_.draw(c)
    c.path(wave(crest), stroke="#ded5c4", stroke_width=2.5)


def ice(c):
    chance = random.Random(12)
    shape = wave(ICE, "Z")
    c.path(shape, c.down("#ffffff", "#f4f9fc", "#dcebf3", "#a9cbdd"))
    with c.group(clip_path=c.clip(shape)):
        for i in range(34):
            y = 352 + i * 10.4
            for _ in range(2):
                x, w = chance.uniform(590, 860), chance.uniform(36, 110)
                deep = 6 + (y - 340) * 0.02
                c.path(f"M{x:.0f} {y:.0f}q{w / 2:.0f} {deep + 8:.0f} {w:.0f} {chance.uniform(-4, 4):.0f}q{-w / 2:.0f} {deep + 16:.0f} {-w:.0f} 0z", chance.choice(("#7fb0cc", "#9cc4da", "#6a9dbd")), opacity=round(chance.uniform(0.45, 0.85), 2))
        for points, wide in (([(694, 330), (712, 430), (706, 530), (690, 640), (680, 740)], 9), ([(800, 330), (782, 430), (796, 530), (826, 640), (820, 740)], 7)):
            c.line(wave(points), "#79818a", wide, opacity=0.75)
            c.line(wave(points), "#565c66", wide * 0.5, stroke_dasharray="7 9", opacity=0.8)
        c.path("M600 650Q740 740 900 650V760H600Z", "#6f9ab8", opacity=0.5)
    c.path("M716 722Q748 676 786 720Z", "#2f5f80")


def bare(c):
    chance = random.Random(13)
    # A remnant under the saddle, slabs that the ice has polished, a lake.
    patch = [(654, 334), (712, 342), (772, 342), (830, 322), (866, 326), (842, 350), (818, 378), (792, 372), (770, 404), (742, 396), (724, 374), (692, 368), (664, 350), (654, 334)]
    c.path(wave(patch, "Z"), c.down("#fbfdfe", "#e2eef4", "#a9c8d8"))
    c.path("M690 356q20 10 44 6M756 366q20 6 40 -8M746 382q14 8 26 2M800 352q16 2 30 -12", stroke="#7fa9c0", stroke_width=3)
    for _ in range(34):
        x, y = chance.uniform(600, 850), chance.uniform(420, 610)
        w = chance.uniform(24, 80)
        c.path(f"M{x:.0f} {y:.0f}q{w * 0.4:.0f} {-w * 0.28:.0f} {w:.0f} 0q{-w * 0.5:.0f} {w * 0.16:.0f} {-w:.0f} 0z", chance.choice(("#bbb3a6", "#8f8984", "#a59d92")))
    c.line(wave([(756, 398), (730, 430), (752, 480), (738, 540), (750, 600), (746, 640)]), "#e6f2f6", 6)
    c.line(wave([(816, 374), (806, 420), (776, 460), (752, 482)]), "#e6f2f6", 4)
    lake = wave([(600, 668), (640, 646), (700, 634), (780, 632), (860, 644), (916, 664), (930, 700), (880, 780), (640, 780), (590, 720)], "Z")
    c.path(lake, c.down("#5fbcc0", "#2f93a3", "#3fa3ac"))
    with c.group(clip_path=c.clip(lake)):
        c.path("M600 640L690 690L760 650L850 700L930 640Z", "#8fb9b4", opacity=0.45)
        ripples(c, chance, 590, 900, 650, 740, 34, "#e2f6f4", 0.8)
    for x, y in ((676, 664), (812, 672), (742, 690)):
        c.path(f"M{x} {y}l7 -11l11 3l9 8z", "#f8fcfd")


def slopes(c, then):
    """The green flanks left and right, with rocks; the wood climbs higher today."""
    left = [(-120, 420), (40, 452), (180, 520), (320, 590), (470, 650), (640, 706), (820, 740)]
    right = [(700, 760), (880, 706), (1020, 640), (1160, 560), (1300, 512), (1440, 470), (1580, 440)]
    for points, seed in ((left, 5), (right, 6)):
        chance = random.Random(seed)
        shape = hill(points, 1000)
        c.path(shape, c.down("#b4ba84", "#a3ae70", "#98a664") if then else c.down("#84a05a", "#6f9a4a", "#74a04c"))
        with c.group(clip_path=c.clip(shape)):
            for _ in range(60):
                x = chance.uniform(points[0][0], points[-1][0])
                y = height(points, x) + chance.uniform(8, 200)
                s = chance.uniform(5, 20)
                c.path(f"M{x - s:.0f} {y:.0f}L{x - s * 0.6:.0f} {y - s * 0.8:.0f}L{x + s * 0.3:.0f} {y - s:.0f}L{x + s:.0f} {y:.0f}Z", "#b3ab9d")
                c.path(f"M{x:.0f} {y:.0f}L{x + s * 0.3:.0f} {y - s:.0f}L{x + s:.0f} {y:.0f}Z", "#77716b")
            for _ in range(12):
                x = chance.uniform(points[0][0], points[-1][0])
                y = height(points, x) + chance.uniform(40, 160)
                c.ellipse(x, y, chance.uniform(40, 110), chance.uniform(8, 18), chance.choice(("#9fae68", "#64843f")), turn=14 if points is left else -14, opacity=0.5)
        c.path(wave(points), stroke="#5a6e3c", stroke_width=3, opacity=0.7)
    wood = random.Random(90)
    line = [(x, height(left, x) + 60 + wood.uniform(-8, 40), wood.uniform(62, 116)) for x in range(-90, 330, 30)]
    line += [(x, height(right, x) + 70 + wood.uniform(-8, 40), wood.uniform(62, 116)) for x in range(1130, 1560, 32)]
    for x, y, high in line:
        fir(c, x, y, high, "#3d5a44", 0.12)
    if not then:
        young = random.Random(91)
        more = [(x, height(left, x) + young.uniform(4, 40), young.uniform(40, 80)) for x in range(-60, 430, 24)]
        more += [(x, height(right, x) + young.uniform(4, 40), young.uniform(40, 80)) for x in range(1010, 1560, 26)]
        for x, y, high in more:
            fir(c, x, y, high, "#4a7350", 0.14)


def meadow(c, then):
    """The alp before us, the path, the brook, boulders that nobody has moved."""
    line = [(-120, 772), (120, 746), (400, 752), (700, 772), (1000, 752), (1300, 730), (1580, 742)]
    shape = hill(line, 1080 + OVER)
    c.path(shape, c.down("#c2c284", "#b0b26c", "#979c5a") if then else c.down("#8fba58", "#74a846", "#5c9038"))
    chance = random.Random(62)
    with c.group(clip_path=c.clip(shape)):
        for _ in range(26):
            x, y = chance.uniform(-100, 1540), chance.uniform(780, 1160)
            c.ellipse(x, y, chance.uniform(60, 190), chance.uniform(8, 20), chance.choice(("#b9c06c", "#6d8a3e")), opacity=0.35)
        path = [(704, 780), (640, 826), (560, 870), (640, 930), (760, 990), (720, 1100), (660, 1200)]
        for i in range(40):
            part = i / 39
            k = min(int(part * 6), 5)
            t = part * 6 - k
            x, y = path[k][0] + (path[k + 1][0] - path[k][0]) * t, path[k][1] + (path[k + 1][1] - path[k][1]) * t
            wide = 16 + 70 * part
            c.ellipse(x, y, wide, 8 + 20 * part, "#d3c096")
        for _ in range(90):
            part = chance.random()
            k = min(int(part * 6), 5)
            t = part * 6 - k
            x, y = path[k][0] + (path[k + 1][0] - path[k][0]) * t, path[k][1] + (path[k + 1][1] - path[k][1]) * t
            c.ellipse(x + chance.uniform(-1, 1) * (12 + 60 * part), y + chance.uniform(-6, 12), 3 + 5 * part, 2 + 3 * part, chance.choice(("#a8956c", "#e8dabb", "#8f7f60")))
    brook(c)
    for x, y, s in ((884, 846, 14), (1010, 876, 20), (930, 880, 16), (1136, 956, 26), (1050, 978, 24), (1268, 1040, 36), (1170, 1074, 40), (806, 800, 10)):
        boulder(c, chance, x, y, s)
    for x, y, s in ((96, 960, 74), (180, 996, 40), (1372, 900, 60), (1440, 940, 84), (486, 1040, 50), (860, 1010, 40), (820, 1030, 24), (930, 1064, 36), (60, 850, 30), (480, 830, 24), (1180, 850, 34)):
        boulder(c, chance, x, y, s)
    grass = "".join(f"M{x:.0f} {y:.0f}l-5 -{h:.0f}M{x + 5:.0f} {y:.0f}l1 -{h * 1.2:.0f}M{x + 10:.0f} {y:.0f}l6 -{h * 0.9:.0f}" for x, y, h in ((chance.uniform(-80, 1520), y, 5 + (y - 790) * 0.03) for y in (chance.uniform(790, 1120) for _ in range(150))))
    c.path(grass, stroke="#566f30", stroke_width=2.6)
    for _ in range(150):
        x, y = chance.uniform(-80, 1520), chance.uniform(860, 1130)
        if not (560 < x < 860 or 960 < x < 1300):
            c.circle(round(x), round(y), chance.choice((3, 4, 5)), chance.choice(("#f6f0dc", "#f0c93c", "#e87aa0", "#8a7fd0")))


def brook(c):
    """The water of the glacier, wider as it comes."""
    chance = random.Random(63)
    middle = [(758, 728), (772, 766), (840, 800), (930, 832), (968, 880), (1050, 920), (1150, 968), (1200, 1040), (1290, 1120), (1380, 1200)]
    wide = [4, 7, 12, 18, 24, 30, 38, 48, 58, 66]

    def course(part):
        left = [(x - w * part, y + w * 0.5 * part) for (x, y), w in zip(middle, wide)]
        right = [(x + w * part, y - w * 0.5 * part) for (x, y), w in zip(middle, wide)]
        return wave(left) + wave(list(reversed(right))).replace("M", "L") + "Z"

    c.path(course(1.35), "#8c8f62")
    c.path(course(1.12), "#c2b698")
    c.path(course(1), c.down("#a9d6e4", "#7fbcd4", "#5a9dbd"))
    for _ in range(90):
        k = chance.randrange(1, len(middle) - 1)
        t, u = chance.random(), chance.uniform(-0.8, 0.8)
        x = middle[k][0] + (middle[k + 1][0] - middle[k][0]) * t + u * wide[k]
        y = middle[k][1] + (middle[k + 1][1] - middle[k][1]) * t - u * wide[k] * 0.5
        long = chance.uniform(0.2, 0.5) * wide[k] + 3
        c.line(f"M{x:.0f} {y:.0f}q{long * 0.5:.0f} {long * 0.05:.0f} {long:.0f} {long * 0.5:.0f}", chance.choice(("#ffffff", "#e6f4f8", "#4a8aaa")), round(1 + wide[k] * 0.06, 1), opacity=0.8)


def boulder(c, chance, x, y, s):
    c.ellipse(x + s * 0.2, y + 2, s * 1.2, s * 0.16, "#1c2414", opacity=0.35)
    p = [(x - s, y), (x - s * 0.86, y - s * 0.5), (x - s * 0.4, y - s * 0.86), (x + s * 0.24, y - s * 0.94), (x + s * 0.76, y - s * 0.56), (x + s, y)]
    p = [(px + chance.uniform(-0.08, 0.08) * s, py + (chance.uniform(-0.08, 0.08) * s if py < y else 0)) for px, py in p]
    m = (x + chance.uniform(-0.1, 0.2) * s, y - s * 0.4)
    for i, tone in enumerate(("#b3aca2", "#cfc8bc", "#ddd6c8", "#a39b92", "#7d766f")):
        c.path(polygon([p[i], p[i + 1], m]), tone)
    c.path(polygon([p[0], m, p[5]]), "#8a837b")
    c.line(f"M{p[2][0]:.0f} {p[2][1]:.0f}L{m[0]:.0f} {m[1]:.0f}l{s * 0.2:.0f} {s * 0.3:.0f}", "#6a635d", max(1.5, s * 0.03))


def hay(c, x, foot):
    """A rack wagon full of hay, drawn by a horse."""
    c.ellipse(x, foot + 2, 170, 12, "#1c2414", opacity=0.35)
    chance = random.Random(23)
    load = wave([(x - 140, foot - 62), (x - 158, foot - 110), (x - 120, foot - 160), (x - 50, foot - 196), (x + 30, foot - 200), (x + 100, foot - 172), (x + 150, foot - 116), (x + 138, foot - 62)], "Z")
    c.path(load, c.down("#dcc06c", "#b8964a", "#8f7034"))
    straws = "".join(f"M{px:.0f} {py:.0f}l{chance.uniform(-16, 16):.0f} {chance.uniform(6, 20):.0f}" for px, py in ((x + chance.uniform(-128, 122), foot - chance.uniform(70, 168)) for _ in range(130)))
    c.path(straws, stroke="#6d5426", stroke_width=2.4)
    c.path("".join(f"M{x - 150 + k * 12} {foot - 62}l{chance.randrange(-8, 8)} 16" for k in range(25)), stroke="#c8a858", stroke_width=3)
    c.line(f"M{x - 152} {foot - 60}H{x + 150}M{x - 150} {foot - 84}H{x + 148}", "#6d4a2c", 7)
    c.path("".join(f"M{x - 140 + k * 35} {foot - 58}l{-6 if k < 4 else 6} -44" for k in range(9)), stroke="#6d4a2c", stroke_width=6)
    for wx, r in ((x - 92, 34), (x + 92, 40)):
        wheel(c, wx, foot - r, r, "#5a3d26", 0.17, 10)


def life_then(c):
    horse(c, 700, 1010, 1.12, "#7d5638", flip=False)
    c.line("M772 934L900 950M650 912Q760 930 900 936", "#4a3426", 6)
    hay(c, 1010, 1012)
    person(c, 560, 1018, 150, "#efe6d2", legs="#4a4a52", hat="straw", hold="rake", step=6, hatband="#2f3640")
    person(c, 1010, 820, 118, "#e8dcc4", legs="#50505a", hat="cap", step=1, hatband="#3a3a40", hold="rake")
    person(c, 320, 1000, 140, "#b5483c", skirt="#3f4a6a", hat="scarf", hold="basket", hatband="#f0e6d0", flip=True)
    person(c, 342, 892, 84, "#5a4a3e", legs="#3a3430", hat="cap", hold="stick", step=1, hatband="#2b2b30")
    # Haycocks on the meadow behind.
    for x, y, s in ((700, 800, 0.7), (600, 790, 0.6), (1260, 800, 0.9), (1350, 780, 0.7), (1440, 806, 0.9)):
        with c.moved(x, y, s):
            c.ellipse(8, 2, 40, 6, "#1c2414", opacity=0.3)
            c.path("M-34 2C-34 -34 -12 -66 0 -70C12 -66 34 -34 34 2Z", "#c2a452")
            c.path("M6 -66C22 -50 34 -24 34 2H12C20 -20 18 -46 6 -66Z", "#8f7236")
            c.path("M-20 -8l8 -30M-4 0l2 -44M14 -4l-4 -30", stroke="#6d5426", stroke_width=3)


def cow(c, x, foot, size, tone, patch, flip=False):
    with c.moved(x, foot, size, flip=flip):
        c.ellipse(0, 1, 76, 6, "#1c2414", opacity=0.3)
        c.path("M-34 -40V0h10l4 -36M36 -40l6 40h-11l-8 -36", darker(tone, 0.25))
        c.path("M-78 -74L-62 -86C-40 -88 30 -90 52 -84C64 -80 64 -56 58 -44L60 0H49L46 -36C30 -30 -16 -30 -36 -36L-42 0H-53L-52 -44C-58 -54 -60 -60 -64 -62L-76 -56C-86 -56 -86 -70 -78 -74Z", tone)
        c.path("M-30 -86C-10 -88 10 -88 14 -86C16 -66 -4 -56 -20 -60C-34 -64 -36 -78 -30 -86ZM40 -85C60 -84 64 -70 60 -54C46 -50 34 -66 40 -85Z", patch)
        c.path("M-70 -80l-10 -12l4 -2l12 10zM-62 -84l14 4l-10 6z", darker(tone, 0.4))
        c.circle(-72, -70, 2.4, "#1a1414")
        c.line("M58 -80C70 -72 66 -40 68 -28", darker(tone, 0.3), 3.5)
        c.path("M-62 -58h10l2 12h-14z", "#d8a83a")


def life_now(c):
    person(c, 700, 1016, 152, "#e2503f", legs="#3a4250", hold="pack", hatband="#1f66c2", hair="#5a3a24", step=7)
    person(c, 786, 1030, 146, "#f0b93c", legs="#2f4a5c", hold="poles", hair="#2a1a14", step=7, hat="cap", hatband="#2f8f7c")
    person(c, 610, 868, 92, "#2f8f9f", legs="#4a3a34", hold="pack", hatband="#c8503f", flip=False)
    cow(c, 1290, 850, 0.8, "#b98a5c", "#f3ead8")
    cow(c, 1400, 824, 0.64, "#f0e6d6", "#5a4034", True)
    cow(c, 1010, 812, 0.44, "#b98a5c", "#f3ead8", True)
    # Signposts, and a flag over the hut.
    c.line("M420 1042V880", "#8d939a", 8)
    for y, words, side in ((890, "Glacier lake 1 h", 1), (924, "Pass 3 h 30", 1), (958, "Village 2 h", -1)):
        if side > 0:
            c.path(f"M412 {y}H560l16 13l-16 13H412Z", "#f5c92f", stroke="#2a2620", stroke_width=2)
            c.text(484, y + 18, words, 15, "#2a2620", font_weight=700)
        else:
            c.path(f"M428 {y}H300l-16 13l16 13H428Z", "#f5c92f", stroke="#2a2620", stroke_width=2)
            c.text(362, y + 18, words, 15, "#2a2620", font_weight=700)
    c.line("M152 886V640", "#b9bfc4", 5)
    c.path("M154 644C180 636 196 656 226 646V690C196 700 180 680 154 690Z", "#2f6fd1")
    c.path("M154 660C180 652 196 672 226 662V674C196 684 180 664 154 674Z", "#f7f7f4")


def drawings():
    return {"then-glacier": glacier(True), "now-glacier": glacier(False)}


DESCRIPTIONS = {
    "then-glacier": "Old photo, 1958: a glacier reaches down between two peaks to an alp with a stone hut; a horse pulls a wagon of hay.",
    "now-glacier": "The same two peaks today: a lake where the ice was, the hut with a new wing and solar panels, hikers and cows.",
}
