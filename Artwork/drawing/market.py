"""Market Street in 1912 and today: the same houses, all but one."""

import random

from drawing.canvas import darker, lighter
from drawing.facades import (
    FLOOR, FOOT, bell, bricks, chimney, cornice, dormer, quoins, shell, shop, stepped, storeys, tiles, timbers, window,
)
from drawing.landscape import cloud, polygon, tree
from drawing.past import OVER, WIDTH, Heap, band, cyclist, person, sheet, standpoint, wheel
from drawing.trams import horse_tram, tram


def market(then):
    c = sheet("Market Street, 1912" if then else "Market Street, today")
    seen = dict(x=10, y=6, turn=-1.4, scale=1.05) if then else {}
    with standpoint(c, **seen):
        sky(c, then)
        with c.moved(0, 30):
            church(c)
        houses(c, then)
        street(c, then)
        if then:
            life_then(c)
        else:
            life_now(c)
    return c


def sky(c, then):
    band(c, -OVER, 700, c.down("#a9c6da", "#dfe8e4", "#f6ead2") if then else c.down("#4a93d9", "#9cc9ea", "#eef0dc"))
    for x, y, size, fade in ((250, 150, 1.0, 0.8), (820, 110, 0.9, 0.75), (1330, 170, 1.1, 0.8)) if then else ((120, 110, 0.8, 0.9), (460, 190, 0.7, 0.85), (1130, 90, 0.9, 0.9)):
        cloud(c, x, y, size, "#ffffff", fade)


def church(c):
    chance = random.Random(3)
    wall, roof = "#b98f74", "#6d7f7c"
    tiles(c, [(420, 400), (470, 286), (640, 286), (690, 400)], "#8a5a4a", chance)
    c.rect(566, 186, 104, 340, wall)
    c.rect(632, 186, 38, 340, darker(wall, 0.2))
    bricks(c, chance, 566, 190, 104, 300, wall, 0.3)
    quoins(c, 566, 670, 190, 420, "#dcc4aa")
    c.path("M556 190L604 136L618 46L632 136L680 190Z", roof)
    c.path("M618 46L632 136L680 190H618Z", darker(roof, 0.24))
    c.path("M604 136H632M590 152H646M576 168H660M564 182H672M608 116H628M611 96H625", stroke=darker(roof, 0.35), stroke_width=3)
    c.line("M618 46V14M608 24H628", "#4a3c34", 4)
    c.circle(618, 12, 5, "#e0b04a")
    c.rect(556, 186, 124, 10, lighter(wall, 0.35))
    c.circle(618, 240, 32, "#f7efdd", stroke="#5a4438", stroke_width=6)
    for i in range(12):
        with c.moved(618, 240, 1, i * 30):
            c.rect(-1.5, -27, 3, 7, "#3a2c26")
    c.line("M618 240V218M618 240L633 249", "#3a2c26", 4)
    for x in (586, 622):
        c.path(f"M{x} 356V306C{x} 286 {x + 28} 286 {x + 28} 306V356Z", "#3c2f30")
        c.path("".join(f"M{x + 2} {y}h24" for y in range(308, 356, 9)), stroke="#86695a", stroke_width=4)


def houses(c, then):
    pick = lambda old, new: old if then else new  # noqa: E731
    chance = random.Random(21)
    # The first from the left, plain, under a tiled roof.
    wall = pick("#cfc0a6", "#e9b872")
    shell(c, chance, -140, 92, 300, wall, False, "#efe6d4")
    tiles(c, [(-150, 300), (-120, 206), (70, 206), (104, 300)], "#a8563c", chance)
    dormer(c, chance, -20, 292, 62, 52, wall, "#a8563c", "#efe6d4")
    chimney(c, 54, 226, 74, smoke=then)
    cornice(c, -140, 92, 304, "#d8cbb4")
    storeys(c, chance, -140, 92, 312, FLOOR, 3, 3, "#efe6d4", "lintel", shutter=pick("#5d6d5a", "#4f7d78"), size=(34, 70))
    # Red brick with steps.
    wall = "#b5603f"
    shell(c, chance, 92, 304, 414, wall, True, "#e6d2b4")
    stepped(c, chance, 92, 304, 416, 208, wall, "#e6d2b4")
    storeys(c, chance, 96, 300, 414, FLOOR, 2, 3, "#e6d2b4", "arch", size=(36, 66))
    # Timber-framed, each storey beams and plaster.
    timbered(c, chance, then)
    # The one that isn't there any more.
    if then:
        vanished(c)
    else:
        newcomer(c)
    hotel(c, then)
    # A tall curved gable.
    chance = random.Random(33)
    wall = pick("#b9b5a4", "#7fb0a2")
    shell(c, chance, 980, 1182, 380, wall, False, "#f2eadb")
    bell(c, chance, 980, 1182, 384, 196, wall, "#f2eadb")
    cornice(c, 980, 1182, 392, "#e6dcc8")
    storeys(c, chance, 986, 1176, 396, FLOOR, 2, 2, "#f2eadb", "pediment", size=(50, 78))
    # Yellow brick under a steep roof with dormers.
    wall = pick("#c2a878", "#e2c07c")
    shell(c, chance, 1182, 1396, 330, wall, True, "#f4ead4")
    tiles(c, [(1176, 330), (1206, 196), (1372, 196), (1402, 330)], "#94503c", chance)
    for x in (1214, 1304):
        dormer(c, chance, x, 318, 58, 58, lighter(wall, 0.2), "#94503c", "#f4ead4")
    chimney(c, 1222, 214, 66)
    cornice(c, 1182, 1396, 334, "#e0cfa8")
    quoins(c, 1182, 1396, 350, FLOOR - 10, "#efe2c4")
    storeys(c, chance, 1200, 1378, 340, FLOOR, 3, 3, "#f4ead4", "arch", size=(32, 62))
    # The last one, of stone, runs out of the picture.
    wall = pick("#a89a92", "#d98f7a")
    shell(c, chance, 1396, 1580, 400, wall, True, "#ece2d6")
    stepped(c, chance, 1396, 1580, 402, 180, wall, "#ece2d6")
    storeys(c, chance, 1400, 1576, 404, FLOOR, 2, 2, "#ece2d6", "lintel", size=(44, 70))
    shops(c, then)


def timbered(c, chance, then):
    plaster, beam = ("#e4dac4", "#4a3529") if then else ("#f7ecd2", "#7a3f2c")
    x0, x1, top = 304, 522, 404
    shell(c, chance, x0, x1, top, plaster, False, "#c9b48e")
    gable = [(x0 - 16, top + 6), ((x0 + x1) / 2, 196), (x1 + 16, top + 6)]
    c.path(polygon(gable), plaster)
    c.path(f"M{x0 + 24} {top}L413 250L{x1 - 24} {top}M413 230V{top}M{x0 + 52} 352H{x1 - 52}M{x0 + 82} 300H{x1 - 82}M360 {top}L390 300M466 {top}L436 300", stroke=beam, stroke_width=9)
    window(c, chance, 394, 316, 38, 48, beam, "flat")
    c.path(f"M{x0 - 24} {top + 14}L413 186L{x1 + 24} {top + 14}", stroke="#8e4a36", stroke_width=20, stroke_linejoin="miter")
    c.path(f"M{x0 - 20} {top + 4}L413 182L{x1 + 20} {top + 4}", stroke="#b8674a", stroke_width=6, stroke_dasharray="12 4")
    for i in range(2):
        a, b = top + i * (FLOOR - top) / 2, top + (i + 1) * (FLOOR - top) / 2
        timbers(c, x0, x1, round(a), round(b), beam)
        for k in range(3):
            window(c, chance, round(x0 + 33 + k * 58), round(a + 26), 38, 58, beam, "flat")
        if not then:
            flowers(c, i, x0, round(a + 84))
    c.rect(x0, top + 120, x1 - x0, 8, darker(beam, 0.2))


def flowers(c, seed, x, y):
    chance = random.Random(seed)
    for k in range(3):
        left = x + 26 + k * 58
        c.rect(left, y + 6, 52, 12, "#6a4632")
        for _ in range(16):
            c.circle(round(left + chance.uniform(0, 52)), round(y + chance.uniform(-6, 12)), chance.choice((4, 5)), chance.choice(("#4f8a4a", "#5f9a54", "#e2503f", "#f4a3b4", "#d83f5a")))


def vanished(c):
    chance = random.Random(8)
    wall = "#a98a72"
    shell(c, chance, 522, 728, 420, wall, False, "#e0d2ba")
    bell(c, chance, 522, 728, 424, 118, wall, "#e0d2ba")
    cornice(c, 522, 728, 432, "#d6c6aa")
    storeys(c, chance, 526, 724, 434, FLOOR, 2, 3, "#e0d2ba", "lintel", shutter="#5a4a40", size=(32, 62))
    for d in ("M560 520l10 16l-6 12l14 20", "M700 450l-8 14l10 14"):
        c.line(d, "#6d5646", 2)


def newcomer(c):
    chance = random.Random(9)
    x0, x1, top = 522, 728, 372
    c.rect(x0, top, x1 - x0, FOOT - top, "#4d4a50")
    bricks(c, chance, x0, top, x1 - x0, FLOOR - top, "#4d4a50", 0.3)
    for i in range(3):
        y = top + 16 + i * 90
        for k, (wide, dx) in enumerate(((118, 12), (56, 138)) if i % 2 else ((56, 12), (118, 76))):
            c.rect(x0 + dx, y, wide, 72, c.down("#a6d2e6", "#5b8aa6", "#7fb0c4"))
            c.path(f"M{x0 + dx + 6} {y + 66}L{x0 + dx + wide * 0.6:.0f} {y + 4}h{wide * 0.2:.0f}L{x0 + dx + wide * 0.3:.0f} {y + 68}Z", "#ffffff", opacity=0.35)
            c.path(f"M{x0 + dx + wide / 2:.0f} {y}v72", stroke="#20242a", stroke_width=4)
            c.rect(x0 + dx, y, wide, 72, "none", stroke="#20242a", stroke_width=5)
        c.path("".join(f"M{x0 + dx} {y + yy}h{w}" for yy in (46, 54, 62) for dx, w in (((12, 118),) if i % 2 else ((76, 118),))), stroke="#e8ecef", stroke_width=2.5)
    for k in range(12):
        c.rect(x0 + 4 + k * 17, FLOOR - 12, 11, 26, "#c98d52")
    c.rect(x0 - 2, top - 8, x1 - x0 + 4, 10, "#2f2d33")
    # Green on the roof, and panels for the sun.
    for k in range(7):
        x = x0 + 14 + k * 15
        c.ellipse(x, top - 16, 12, chance.randrange(10, 22), chance.choice(("#5f9a54", "#79ad5c", "#4c8450")))
    for k in range(3):
        x = x0 + 124 + k * 26
        c.path(f"M{x} {top - 10}l14 -26h18l-12 26z", "#22406e")
        c.path(f"M{x + 7} {top - 22}h17M{x + 15} {top - 10}l13 -26", stroke="#9fc0e0", stroke_width=1.5)


def hotel(c, then):
    """The corner house: five bays of stone, a balcony, slate."""
    chance = random.Random(12)
    x0, x1, top = 728, 980, 300
    wall, slate = ("#c6b8a0", "#59606c") if then else ("#f0dfc0", "#54657c")
    shell(c, chance, x0, x1, top, wall, False, "#f6ecda")
    tiles(c, [(x0 - 4, top), (x0 + 26, 186), (x1 - 26, 186), (x1 + 4, top)], slate, chance, row=11, wide=12)
    c.path(f"M{x0 + 22} 186h{x1 - x0 - 44}v-8h{x0 - x1 + 44}z", lighter(slate, 0.3))
    c.path("".join(f"M{x} 178v-18" for x in range(x0 + 28, x1 - 24, 14)) + f"M{x0 + 26} 160H{x1 - 26}", stroke="#3a3a44", stroke_width=3)
    for x in (x0 + 30, x0 + 99, x0 + 168):
        dormer(c, chance, x, top - 12, 54, 58, "#f6ecda", slate, lighter(slate, 0.55))
    cornice(c, x0, x1, top + 4, "#e8d9bc")
    quoins(c, x0, x1, top + 24, FLOOR - 8, "#f6ecda")
    storeys(c, chance, x0 + 20, x1 - 20, top + 12, FLOOR - 2, 3, 4, "#f8f0e0", "pediment", size=(30, 66))
    for y in (top + 120, top + 236):
        c.rect(x0, y + 4, x1 - x0, 6, "#f6ecda")
        c.rect(x0, y + 10, x1 - x0, 5, "#1c1420", opacity=0.22)
    # The balcony with its iron rail.
    c.rect(x0 + 64, 636, 124, 12, "#e4d4b6")
    c.path("".join(f"M{x} 604v32" for x in range(x0 + 68, x0 + 190, 8)) + f"M{x0 + 64} 604h124M{x0 + 64} 618h124", stroke="#2c2a32", stroke_width=3)
    c.path(f"M{x0 + 74} 648l10 18h8v-18zM{x0 + 160} 648v18h8l10 -18z", "#cdbb9a")


def shops(c, then):
    chance = random.Random(44 if then else 45)
    if then:
        fronts = ((-140, 92, "#4a3a30", "IRON & TOOLS", None, "right"), (92, 304, "#5a2f28", "BAKERY", "#b0473a", "left"), (304, 522, "#33453a", "GROCER", None, "right"),
                  (522, 728, "#4a3f52", "HATTER", "#54657c", "left"), (980, 1182, "#3a4a52", "BOOKS", "#4f6f5c", "right"), (1182, 1396, "#5a3f2a", "TAILOR", "#a86a3a", "left"), (1396, 1580, "#3f3a34", "TOBACCO", None, "left"))
    else:
        fronts = ((-140, 92, "#3d5f6a", "Repairs", None, "right"), (92, 304, "#f2e6cf", "Bakery", "#d98a2b", "left"), (304, 522, "#2f5d50", "Café", None, "right"),
                  (522, 728, "#2f2d33", "Noodles", None, "left"), (980, 1182, "#27508c", "Books", "#2f6a9a", "right"), (1182, 1396, "#d8d2c6", "Bicycles", None, "left"), (1396, 1580, "#c8403a", "Records", None, "left"))
    for x0, x1, front, sign, cloth, door in fronts:
        pale = sum(int(front[i : i + 2], 16) for i in (1, 3, 5)) > 500
        shop(c, chance, x0, x1, FLOOR + 6, FOOT, front, sign, "#3a2a20" if pale else "#f8ecd0", door, not then, cloth)
    # The hotel's ground floor: arches in both years.
    wall = "#b3a48a" if then else "#e2cfa8"
    c.rect(728, FLOOR + 6, 252, FOOT - FLOOR - 6, wall)
    c.path("".join(f"M728 {y}H980" for y in range(FLOOR + 22, FOOT, 22)), stroke=darker(wall, 0.26), stroke_width=3)
    for i, x in enumerate((744, 826, 908)):
        c.path(f"M{x - 6} {FOOT}V{FLOOR + 66}C{x - 6} {FLOOR + 24} {x + 62} {FLOOR + 24} {x + 62} {FLOOR + 66}V{FOOT}Z", lighter(wall, 0.4))
        c.path(f"M{x} {FOOT}V{FLOOR + 68}C{x} {FLOOR + 32} {x + 56} {FLOOR + 32} {x + 56} {FLOOR + 68}V{FOOT}Z", "#3b2a24" if i == 1 else c.down("#33414c", "#c9a468"))
        c.path(f"M{x} {FLOOR + 68}h56M{x + 28} {FLOOR + 42}V{FOOT}M{x} {FLOOR + 112}h56", stroke="#6d4c34", stroke_width=4)
    c.rect(762, FLOOR + 8, 184, 26, "#3a2c26" if then else "#1f4a5c")
    c.text(854, FLOOR + 28, "GRAND HOTEL" if then else "hotel garni", 19, "#f0d79a" if then else "#ffffff", letter_spacing=2)


def street(c, then):
    band(c, FOOT, 1080 + OVER, "#b3a593")
    band(c, FOOT, 850, c.down("#cfc4b2", "#e0d6c4"))
    slabs = "".join(f"M{x} {FOOT}L{x + (x - 720) * 0.09:.0f} 848" for x in range(-120, 1580, 46))
    c.path(slabs + f"M-{OVER} 824H{WIDTH + OVER}", stroke="#a89a86", stroke_width=2.5)
    band(c, FOOT, FOOT + 16, c.down(("#1c1420", 0.35), ("#1c1420", 0)))
    band(c, 848, 860, "#efe7d8")
    band(c, 860, 868, "#7c6f64")
    chance = random.Random(70)
    stones, y, row = Heap(), 868.0, 0
    tones = ("#ab9f92", "#a4978b", "#b3a799", "#a89c93", "#beb2a3")
    while y < 1080 + OVER:
        high = 9 + (y - 868) * 0.06
        wide = high * 2.1
        x = -OVER - (wide / 2 if row % 2 else 0)
        while x < WIDTH + OVER:
            stones.box(chance.choice(tones), x, y, wide * chance.uniform(0.82, 0.94), high * 0.84)
            x += wide
        y, row = y + high, row + 1
    band(c, 868, 1080 + OVER, "#857a70")
    stones.draw(c)
    for y, thick in ((912, 7), (962, 9)):
        band(c, y, y + thick, "#5a5456")
        band(c, y, y + 3, "#e6dfd4")
    band(c, 868, 1080 + OVER, c.down(("#fff3d6", 0.0), ("#fff3d6", 0.14)))


def lamp(c, x, foot, then):
    c.ellipse(x + 12, foot, 34, 5, "#1c1420", opacity=0.3)
    tone = "#26262e"
    c.line(f"M{x} {foot}V{foot - 236}", tone, 8)
    c.path(f"M{x - 13} {foot}C{x - 12} {foot - 40} {x - 7} {foot - 50} {x - 6} {foot - 74}H{x + 6}C{x + 7} {foot - 50} {x + 12} {foot - 40} {x + 13} {foot}Z", tone)
    c.line(f"M{x - 20} {foot - 196}H{x + 20}", tone, 5)
    y = foot - 236
    c.path(f"M{x - 13} {y}L{x - 22} {y - 46}H{x + 22}L{x + 13} {y}Z", "#f6ecc8", stroke=tone, stroke_width=4)
    c.path(f"M{x - 27} {y - 46}L{x} {y - 72}L{x + 27} {y - 46}Z", tone)
    c.line(f"M{x} {y - 72}v-10M{x} {y}v-46", tone, 4)


def life_then(c):
    lamp(c, 312, 846, True)
    lamp(c, 1190, 846, True)
    # People along the shops.
    person(c, 150, 842, 84, "#5a3f3a", hat="cap", skirt=None, hold="basket", hatband="#3a332e", flip=True)
    person(c, 420, 846, 86, "#8a7a9a", skirt="#6d6080", hat="broad", hold="bag", hatband="#4a3a30")
    person(c, 1010, 846, 88, "#2f3038", hat="top", hold="stick", legs="#4a4440")
    person(c, 1046, 846, 82, "#cfc0a4", skirt="#b8a684", hat="broad", hold="parasol")
    person(c, 1330, 844, 84, "#41505a", hat="bowler", hold="stick", flip=True)
    cart(c, 1268, 872)
    horse_tram(c)
    person(c, 196, 1010, 118, "#e9dfce", skirt="#d8ccb6", hat="broad", hold="parasol", hatband="#6a3f48", flip=True)
    person(c, 272, 1018, 122, "#2c2e38", hat="bowler", hold="stick", legs="#5a5450", flip=True)
    person(c, 1160, 1034, 84, "#7a5a44", hat="cap", legs="#4a3a30", step=8, hatband="#4f4640")
    c.circle(1108, 1010, 24, "none", stroke="#6d4c30", stroke_width=4)
    c.line("M1146 986L1118 1000", "#8a6238", 3)
    person(c, 1330, 1016, 120, "#4a5a4c", skirt="#3c463e", hat="scarf", hold="basket", hatband="#b85a48")
    for x, y in ((640, 1040), (668, 1052), (620, 1056), (700, 1036), (590, 1046)):
        pigeon(c, x, y)


def pigeon(c, x, y):
    c.path(f"M{x - 12} {y - 10}C{x - 12} {y - 16} {x - 4} {y - 17} {x - 3} {y - 11}C{x + 6} {y - 12} {x + 14} {y - 8} {x + 22} {y - 3}C{x + 12} {y + 2} {x - 2} {y + 2} {x - 7} {y - 5}L{x - 15} {y - 9}Z", "#4a4c58")
    c.path(f"M{x} {y}v5M{x + 4} {y}v5", stroke="#8a4a40", stroke_width=1.6)


def cart(c, x, foot):
    """A barrow with fruit at the kerb."""
    c.ellipse(x, foot, 70, 7, "#1c1420", opacity=0.3)
    c.path(f"M{x - 70} {foot - 58}h120l-10 30h-98z", "#7a5232")
    c.path(f"M{x - 70} {foot - 46}h116", stroke="#533620", stroke_width=3)
    c.line(f"M{x + 48} {foot - 52}l46 -10M{x + 36} {foot - 28}L{x + 40} {foot}", "#533620", 5)
    chance = random.Random(2)
    for i in range(26):
        c.circle(round(x - 64 + (i % 13) * 9), foot - 60 - (i // 13) * 8, 7, chance.choice(("#c8553a", "#d8a040", "#8a9a4a", "#e0c080")))
    wheel(c, x - 34, foot - 28, 28, "#4a3020", 0.16, 10)


def life_now(c):
    lamp(c, 312, 846, False)
    lamp(c, 1190, 846, False)
    # The wire, and a sign.
    c.line(f"M{-OVER} 610Q720 628 {WIDTH + OVER} 606", "#3f434c", 2.5)
    c.line(f"M312 560Q720 634 1190 560", "#3f434c", 1.6)
    for x, high, crown in ((30, 310, "#5f9a4c"), (1404, 350, "#6aa352")):
        c.ellipse(x + 10, 850, 54, 8, "#1c1420", opacity=0.3)
        tree(c, x, 850, high, crown)
    cafe(c)
    person(c, 236, 846, 86, "#e2503f", legs="#2b3a5c", hold="bag", hatband="#f0c35a")
    person(c, 434, 846, 86, "#3f8f88", legs="#33343c", hold="phone", hair="#c98d4a")
    person(c, 1250, 846, 86, "#f0b93c", legs="#3a4a6a", hold="phone")
    person(c, 1300, 846, 80, "#7a5fa0", legs="#2d2b33", hair="#1f1714", flip=True)
    tram(c)
    # The lane for bicycles, in front.
    band(c, 1016, 1080 + OVER, "#b5543f")
    band(c, 1016, 1024, "#f2ece0")
    with c.moved(760, 1058, 1.0):
        for x in (-34, 34):
            c.ellipse(x, 0, 23, 13, "none", stroke="#f6efe2", stroke_width=5)
        c.line("M-34 0L-14 -18H18L34 0M-14 -18L4 0L18 -18M18 -18L14 -26H4M-20 -26H-8", "#f6efe2", 5)
    cyclist(c, 250, 1046, 150, "#2f6fd1", "#e0a33a")
    cyclist(c, 1210, 1060, 154, "#e86f5a", "#2f8f7c", legs="#3a3f4c", helmet="#f3c95a", hair="#2a1a14", flip=True)
    c.line("M532 848V700", "#7d848e", 6)
    c.rect(508, 652, 48, 48, "#f7f7f4", r=7)
    c.rect(511, 655, 42, 42, "#2a62b8", r=5)
    c.text(532, 688, "P", 34, "#ffffff")


def cafe(c):
    """Tables and parasols before the café."""
    for x, cloth in ((384, "#f3e6cc"), (486, "#e86f5a")):
        c.line(f"M{x} 846V742", "#6a5a4c", 4)
        c.path(f"M{x - 66} 752Q{x} 700 {x + 66} 752Q{x + 44} 746 {x + 33} 752Q{x} 742 {x - 33} 752Q{x - 44} 746 {x - 66} 752Z", cloth)
        c.path(f"M{x} 716Q{x + 44} 722 {x + 66} 752Q{x + 44} 746 {x + 33} 752Q{x + 24} 728 {x} 716Z", darker(cloth, 0.18))
    for x in (354, 412, 458, 512):
        c.line(f"M{x - 16} 814h32M{x} 814V846", "#4a4f58", 4)
        c.rect(x - 6, 802, 9, 11, "#f7f2e8", r=2)


def drawings():
    return {"then-street": market(True), "now-street": market(False)}


DESCRIPTIONS = {
    "then-street": "Old photo, 1912: a horse tram in a street of gabled houses, with gas lamps, striped awnings, and people in hats.",
    "now-street": "The same street today: a yellow tram, two cyclists, young trees, and a dark new house where one old gable is gone.",
}
