"""Scenes of the open: a lake at dawn, a lighthouse, a wood in autumn, hills, a cabin in snow."""

import math
import random

from drawing.animals import fluff
from drawing.canvas import Canvas, darker, lighter, mix, wave
from drawing.landscape import below, cloud, fir, firs, hill, mist, peak, ridge, ripples, tree


def lake():
    c = Canvas(1440, 1080, "Mountain lake at dawn")
    chance = random.Random(41)
    shore = 640
    c.ground(c.down("#3f74c4", "#8fb6e0", "#f6d9b8", "#f9c9a0", last=0.62))
    c.glow(1010, 470, 560, "#fff0c8", 0.95)
    c.circle(1010, 470, 46, "#fffbe8")
    for x, y, size, fade in ((260, 170, 1.1, 0.85), (640, 90, 0.7, 0.7), (1260, 220, 1.0, 0.8)):
        cloud(c, x, y, size, "#fffaf2", fade)
    lake_mountains(c, chance, shore)
    # The lake mirrors all of it, darker.
    water = c.clip(f"M0 {shore}L1440 {shore}L1440 1080L0 1080Z")
    with c.group(clip_path=water):
        c.rect(0, shore, 1440, 440, c.down("#f3cda6", "#9fb9d6", "#3d6aa6"))
        with c.group(transform=f"translate(0 {2 * shore - 20}) scale(1 -0.95)", opacity=0.6):
            lake_mountains(c, random.Random(41), shore)
        c.rect(0, shore, 1440, 440, c.down(("#2b5690", 0.05), ("#2b5690", 0.4), ("#173763", 0.75)))
        mist(c, 1010, shore + 60, 170, 330, "#fff2cf", 0.6)
        ripples(c, chance, -40, 1440, shore + 14, 1060, 120, "#ffffff", 0.3)
        ripples(c, chance, 900, 1080, shore + 10, 980, 50, "#fff3d0", 0.8)
    c.path(hill([(-20, shore - 6), (400, shore - 2), (900, shore - 5), (1460, shore - 8)], shore + 5), "#2f466b")
    mist(c, 430, shore - 4, 620, 40, "#fff4e4", 0.6)
    mist(c, 1200, shore, 460, 30, "#fff4e4", 0.5)
    # A canoe and its mirror image.
    c.ellipse(560, 842, 150, 12, "#11294c", opacity=0.35)
    c.path("M420 800C460 838 660 838 704 796C690 850 650 858 560 858C480 858 436 848 420 800Z", "#b83a2e")
    c.path("M420 800C460 838 660 838 704 796C700 812 694 822 688 828C640 846 480 846 432 826C427 818 423 810 420 800Z", "#d8553f")
    c.path("M540 826C534 778 548 752 570 752C592 752 604 780 600 826Z", "#2d4d7c")
    c.circle(570, 732, 22, "#e2b28a")
    c.path("M546 730C546 700 596 700 594 730C596 738 544 738 546 730Z", "#f0b93c")
    c.line("M586 778L640 800M664 740L616 880", "#8a5a36", 8)
    c.line("M576 776L630 792", "#2d4d7c", 16)
    c.path("M420 872C480 900 650 900 704 874C660 920 470 920 420 872Z", "#6d2c34", opacity=0.35)
    # Firs and stones on the near shore.
    c.path(hill([(-20, 940), (180, 950), (330, 1010), (460, 1090)], 1100), "#0f2338")
    for x, y, high in ((20, 960, 520), (110, 990, 660), (210, 1000, 430), (290, 1040, 300), (-40, 1000, 700)):
        fir(c, x, y, high, "#132c44", 0.06)
    c.path(hill([(1060, 1090), (1180, 1020), (1300, 980), (1460, 950)], 1100), "#0f2338")
    for x, y, high in ((1420, 980, 760), (1340, 1000, 520), (1260, 1030, 340)):
        fir(c, x, y, high, "#132c44", 0.06)
    return c


def lake_mountains(c, chance, shore):
    c.path(below(ridge(chance, 1440, 470, 110), shore), "#b9b3cb", opacity=0.8)
    peak(c, chance, 210, shore, 360, 330, "#8c8aa6", light=1)
    peak(c, chance, 1230, shore, 330, 300, "#8f88a2", light=-1)
    peak(c, chance, 640, shore, 470, 480, "#6e7699", light=1)
    c.path(hill([(-20, 560), (240, 590), (480, 620), (760, 640)], shore), "#516687")
    c.path(hill([(700, 640), (980, 618), (1200, 580), (1460, 540)], shore), "#5b6584")
    firs(c, chance, 560, lambda x: 590 + x * 0.08, 90, "#3d5577", 26)
    firs(c, chance, 1440, lambda x: 646, 52, "#34496b", 70)
    for i in range(22):
        x = 960 + i * 23
        fir(c, x, 640 - (x - 960) * 0.16, 80 * chance.uniform(0.7, 1.2), "#465474")


def lighthouse():
    c = Canvas(1080, 1350, "Lighthouse at dusk")
    chance = random.Random(17)
    c.ground(c.down("#24458a", "#5f7fc0", "#f0a98a", "#fbd3a0", last=0.62))
    c.glow(250, 770, 520, "#ffe7b4", 0.95)
    c.circle(250, 780, 74, "#fff3cf")
    for x, y, size, tone, fade in ((220, 260, 1.5, "#f6c3b0", 0.6), (800, 430, 1.2, "#d9a3b4", 0.5), (520, 590, 1.7, "#f9cdb0", 0.55), (60, 640, 1.1, "#fbd9b9", 0.6)):
        cloud(c, x, y, size, tone, fade)
    # The beam.
    beam = c.across(("#fff4c8", 0.85), ("#fff4c8", 0))
    back = c.across(("#fff4c8", 0), ("#fff4c8", 0.7))
    c.path("M762 372L1080 250L1080 480Z", beam)
    c.path("M738 372L0 180L0 470Z", back, opacity=0.6)
    # Sea.
    c.rect(0, 820, 1080, 530, c.down("#f2b998", "#6f8fbf", "#27508c", "#173560"))
    mist(c, 250, 880, 150, 300, "#fff0c4", 0.85)
    ripples(c, chance, 80, 400, 830, 1200, 90, "#fff1cb", 0.9)
    ripples(c, chance, -40, 1080, 830, 1330, 150, "#dfeaf7", 0.35)
    c.path(hill([(0, 824), (120, 800), (230, 812), (330, 826)], 832), "#7a6c96", opacity=0.8)
    # A sail.
    with c.moved(396, 886, 0.9):
        c.path("M0 -96L0 0L-52 0Z", "#fffaf0")
        c.path("M8 -110L8 0L64 0Z", "#f3d9c4")
        c.path("M-66 8L74 8L54 34L-46 34Z", "#7e3b32")
        c.path("M-50 40L60 40L40 110L-20 90Z", "#fff6e4", opacity=0.25)
    # The cliff in facets, grass on it.
    c.path("M1080 690L960 676L860 690L760 700L640 716L560 760L520 830L470 900L440 1000L380 1080L350 1190L1080 1260Z", "#4a3d52")
    for d, tone in (("M640 716L560 760L520 830L470 900L560 930L620 840Z", "#b0746a"),
                    ("M470 900L440 1000L380 1080L500 1090L560 930Z", "#96646a"),
                    ("M380 1080L350 1190L520 1210L500 1090Z", "#7a5564"),
                    ("M640 716L620 840L560 930L690 960L740 800Z", "#86586a"),
                    ("M560 930L500 1090L640 1110L690 960Z", "#6d4c60"),
                    ("M740 800L690 960L820 990L880 820Z", "#5d4459"),
                    ("M500 1090L520 1210L680 1230L640 1110Z", "#5a4358")):
        c.path(d, tone)
    c.path("M540 772C600 700 720 700 800 680C900 660 1000 660 1080 672L1080 780C1000 760 960 800 900 790C860 830 830 790 790 800C760 830 720 790 680 800C650 830 620 790 590 806C570 800 548 800 540 772Z", c.across("#a3a05c", "#5f7a55"))
    c.line(wave([(1080, 740), (960, 720), (860, 730), (790, 706)]), "#e2c79a", 13)
    # Tower and keeper's house.
    c.path("M850 700L850 610L910 566L1000 566L1000 700Z", "#f2e6da")
    c.path("M836 614L908 552L1012 552L1012 576L918 576L850 626Z", "#b54a3a")
    c.path("M930 566L1000 566L1000 700L930 700Z", "#d8c4be")
    for x, y in ((876, 636), (950, 610), (950, 660)):
        c.rect(x, y, 28, 34, "#ffd98a", r=3)
    tower = "M706 712L722 420L778 420L794 712Z"
    c.path(tower, c.across("#fff6ea", "#f6e6da", "#b9a5b4"))
    with c.group(clip_path=c.clip(tower)):
        for y in (456, 552, 648):
            c.path(f"M690 {y}L810 {y}L810 {y + 48}L690 {y + 48}Z", c.across("#d8503f", "#c2402f", "#86303a"))
    c.rect(708, 404, 84, 18, "#5a3f4c", r=4)
    for x in range(714, 792, 12):
        c.line(f"M{x} 404L{x} 386", "#5a3f4c", 3)
    c.line("M710 386L790 386", "#5a3f4c", 4)
    c.rect(726, 344, 48, 60, "#fff3c2")
    c.line("M742 344L742 404M758 344L758 404", "#8a5a52", 3)
    c.path("M716 346C724 310 740 300 750 292C760 300 776 310 784 346Z", "#b54a3a")
    c.line("M750 292L750 272", "#5a3f4c", 5)
    c.glow(750, 372, 170, "#fff4c8", 0.9)
    c.path("M738 712L738 676C738 660 762 660 762 676L762 712Z", "#5a3f4c")
    for y in (500, 600):
        c.rect(742, y, 16, 26, "#5a3f4c", r=7)
    # Surf at the foot of the cliff, gulls above.
    for y, x, tone, foam in ((1180, 330, "#5f8cc0", 7), (1222, 240, "#3c6dab", 9), (1276, 90, "#265592", 6)):
        crest = [(x - 120, y + 40), (x, y + 6), (x + 130, y - 8), (x + 250, y + 12), (x + 420, y - 12), (x + 600, y + 8), (1120, y - 6)]
        c.path(wave(crest, "L1120 1360L-40 1360Z"), c.down(tone, darker(tone, 0.25)))
        c.line(wave(crest), "#f6fbff", foam, opacity=0.75)
        c.line(wave([(px + 26, py + 22) for px, py in crest[1:]]), "#f6fbff", 4, opacity=0.4, stroke_dasharray="90 46 30 60")
    for _ in range(40):
        x = chance.uniform(360, 1080)
        c.circle(round(x), round(1178 + chance.gauss(0, 12)), chance.choice((3, 4, 5, 7)), "#f6fbff", opacity=0.9)
    ripples(c, chance, -40, 1080, 1290, 1345, 30, "#dfeaf7", 0.4)
    for x, y, size in ((470, 330, 1.2), (560, 400, 0.8), (380, 430, 0.7), (610, 300, 0.6)):
        with c.moved(x, y, size):
            c.line("M-42 -12C-26 -30 -10 -20 0 0C10 -20 26 -30 42 -12", "#fffaf2", 8)
    return c


def wood():
    c = Canvas(1080, 1350, "Wood in autumn")
    chance = random.Random(23)
    c.ground(c.down("#f9e2b0", "#f3c986", "#d99a5c"))
    c.glow(600, 430, 640, "#fffbe0", 1)
    for layer, (tone, count, wide, foot) in enumerate((("#e2b380", 15, 20, 860), ("#c98b58", 11, 30, 900), ("#9c5f3c", 8, 46, 960))):
        for i in range(count):
            x = (i + chance.uniform(0.1, 0.9)) * 1080 / count
            if abs(x - 590) < 60 + layer * 60:
                continue
            trunk(c, chance, x, foot + chance.randrange(-10, 30), wide * chance.uniform(0.7, 1.3), tone)
        for _ in range(60):
            x, y = chance.uniform(-40, 1120), chance.uniform(-60, 330 + layer * 50)
            if math.hypot((x - 590) * 0.9, y - 470) < 260 + layer * 30:
                continue
            leaves = mix(("#f3bd58", "#e79a3f", "#cf6a33")[layer], "#d8482f", chance.random() * 0.35)
            foliage(c, chance, x, y, 60 + layer * 16, leaves, 0.75)
        mist(c, 560, foot - 40, 760, 120, "#ffeec4", 0.7 - layer * 0.16)
    # Light falling through the crowns.
    for x, wide, fade in ((140, 130, 0.3), (360, 90, 0.36), (560, 160, 0.32), (800, 90, 0.24)):
        fill = c.down(("#fff6cf", fade), ("#fff6cf", 0))
        c.path(f"M{x + 260} -40L{x + 260 + wide * 0.6:.0f} -40L{x + wide} 1100L{x - 120} 1100Z", fill)
    # Ground and the path that leads into the light.
    c.path(hill([(-20, 950), (260, 900), (540, 880), (820, 900), (1100, 950)], 1350), c.down("#cf8a45", "#8f4b2a", "#5d2f22"))
    c.path("M566 884C600 940 480 980 470 1050C450 1150 250 1230 160 1350L820 1350C790 1240 640 1140 640 1050C650 990 640 930 612 884Z", c.down("#fbe6b4", "#d6a66a", "#a06a44"))
    for _ in range(420):
        near = chance.random() ** 0.8
        x, y = chance.uniform(0, 1080), 910 + 430 * near
        tone = chance.choice(("#f0b244", "#e2792f", "#c9482c", "#f6d06a", "#9a3f28"))
        c.ellipse(round(x), round(y), round(3 + 9 * near, 1), round(2 + 4 * near, 1), tone, turn=chance.randrange(180), opacity=0.9)
    # Two who walk, small against the trees.
    with c.moved(572, 985, 0.9):
        c.ellipse(-10, 6, 60, 8, "#5d2f22", opacity=0.35)
        for x, coat, hair in ((-26, "#1d5fd1", "#3a2018"), (22, "#c9382f", "#e2b04a")):
            c.line(f"M{x - 7} -30L{x - 10} 4M{x + 7} -30L{x + 12} 2", "#33241f", 9)
            c.path(f"M{x - 18} -26L{x - 14} -84C{x - 8} -96 {x + 8} -96 {x + 14} -84L{x + 18} -26Z", coat)
            c.circle(x, -106, 14, hair)
        c.line("M-12 -70L-2 -46L8 -70", "#1d5fd1", 8)
        c.path("M56 -6C56 -28 92 -32 104 -22L116 -32L120 -18L108 -10L104 4L98 4L96 -8L70 -6L68 4L60 4Z", "#5d3524")
    # Trunks close by frame it.
    for x, wide in ((60, 130), (1010, 150)):
        trunk(c, chance, x, 1420, wide, "#3f251d", lit=lighter("#3f251d", 0.16))
    for _ in range(46):
        side = chance.choice((0, 1))
        x = chance.uniform(-40, 300) if side == 0 else chance.uniform(800, 1120)
        foliage(c, chance, x, chance.uniform(-40, 210), 70, chance.choice(("#b5442a", "#d3662f", "#8f3324")), 0.95)
    for _ in range(16):
        c.ellipse(chance.randrange(80, 1000), chance.randrange(300, 1000), 9, 5, chance.choice(("#e2792f", "#c9482c", "#f6c04a")), turn=chance.randrange(180))
    return c


def trunk(c, chance, x, foot, wide, tone, lit=None):
    lean = chance.uniform(-30, 30)
    c.path(f"M{x - wide * 0.8:.0f} {foot}C{x - wide * 0.45:.0f} {foot - 60} {x - wide * 0.42 + lean * 0.5:.0f} {foot - 400} {x - wide * 0.36 + lean:.0f} -40"
           f"L{x + wide * 0.36 + lean:.0f} -40C{x + wide * 0.42 + lean * 0.5:.0f} {foot - 400} {x + wide * 0.45:.0f} {foot - 60} {x + wide * 0.8:.0f} {foot}Z", tone)
    if lit:
        for i in range(5):
            dx = (i - 2) * wide * 0.14
            c.line(f"M{x + dx:.0f} {foot - 60 - i * 90}C{x + dx + 8:.0f} {foot - 260 - i * 40} {x + dx - 6 + lean * 0.4:.0f} {foot - 420 - i * 60} {x + dx + lean * 0.7:.0f} {foot - 640 - i * 60}", lit, 5, opacity=0.5)


def foliage(c, chance, x, y, size, tone, opacity):
    c.path(fluff(x, y, size * chance.uniform(0.8, 1.5), size * chance.uniform(0.45, 0.7), 11, 0.16, chance.random()), tone, opacity=opacity)


def hills():
    c = Canvas(1440, 1080, "Hills with vines")
    chance = random.Random(31)
    c.ground(c.down("#6ba4dc", "#bcdcee", "#fdeecb", last=0.55))
    c.glow(1090, 360, 480, "#fff4cc", 1)
    for x, y, size, fade in ((250, 160, 1.3, 0.9), (560, 240, 0.8, 0.7), (930, 120, 1.0, 0.8), (1330, 190, 0.8, 0.7)):
        cloud(c, x, y, size, "#ffffff", fade)
    c.path(hill([(-20, 470), (240, 400), (520, 450), (800, 390), (1100, 440), (1460, 400)], 1080), "#a9c2d6")
    c.path(hill([(-20, 510), (300, 470), (640, 510), (980, 450), (1240, 490), (1460, 470)], 1080), "#8fb0b4")
    c.path(hill([(-20, 560), (360, 500), (760, 560), (1100, 510), (1460, 550)], 1080), c.across("#93b07c", "#b8c178"))
    for x in range(40, 720, 36):
        tree(c, x + chance.randrange(-10, 10), 548 + chance.randrange(-14, 18), chance.randrange(40, 66), chance.choice(("#6f9468", "#7fa36c", "#5f8560")))
    mist(c, 700, 560, 900, 60, "#fff3d4", 0.7)
    # The farm on its hill, cypresses up to it.
    c.path(hill([(560, 700), (820, 570), (1020, 530), (1220, 560), (1460, 640)], 1080), c.across("#86a85a", "#c3c56a"))
    with c.moved(1010, 540, 1.0):
        c.path("M-96 0L-96 -76L0 -76L0 0Z", "#f6e2c4")
        c.path("M0 0L0 -76L96 -76L96 0Z", "#e2c19c")
        c.path("M-108 -72L-84 -118L84 -118L108 -72Z", "#c4623f")
        c.path("M-30 -72L-30 -150L34 -150L34 -72Z", "#f2d9b6")
        c.path("M-40 -146L2 -178L44 -146Z", "#b5522f")
        for x, y in ((-74, -52), (-38, -52), (24, -52), (62, -52), (-8, -132)):
            c.rect(x, y, 18, 26, "#5c7384", r=2)
        c.rect(-6, -36, 22, 36, "#7a4a30")
        for x, high in ((-150, 150), (-186, 120), (140, 160), (176, 130), (214, 110)):
            c.path(f"M{x} 6C{x - 22} {-high * 0.3:.0f} {x - 14} {-high * 0.8:.0f} {x} {-high}C{x + 14} {-high * 0.8:.0f} {x + 22} {-high * 0.3:.0f} {x} 6Z", "#3f6a4a")
            c.path(f"M{x} 6C{x + 22} {-high * 0.3:.0f} {x + 14} {-high * 0.8:.0f} {x} {-high}C{x + 4} {-high * 0.6:.0f} {x + 6} {-high * 0.3:.0f} {x} 6Z", "#2f5540")
    c.line(wave([(1010, 546), (960, 620), (860, 660), (820, 730), (900, 800), (860, 900)]), "#f3e2b8", 14)
    # Rows of vines run over the two near hills.
    near = hill([(-20, 660), (300, 640), (620, 700), (900, 820), (1100, 960), (1200, 1090)], 1090)
    c.path(near, c.down("#9cb858", "#6f9440"))
    with c.group(clip_path=c.clip(near)):
        for i in range(19):
            x = -380 + i * 92
            rows(c, chance, [(300 + i * 20, 620), (x * 0.55 + 170, 780), (x - 60, 1100)], "#4f7a38", 10 + i * 0.4)
    right = hill([(760, 1090), (940, 900), (1160, 780), (1460, 700)], 1090)
    c.path(right, c.down("#d3c866", "#93a24a"))
    with c.group(clip_path=c.clip(right)):
        for i in range(14):
            rows(c, chance, [(1500, 690 + i * 42), (1200 - i * 6, 800 + i * 50), (800, 1040 + i * 70)], "#5d8140", 11)
    for x, y, high in ((690, 770, 170), (1330, 800, 250), (120, 720, 190)):
        c.ellipse(x - high * 0.2, y + 2, high * 0.4, high * 0.05, "#33502c", opacity=0.35)
        tree(c, x, y, high, "#6b9a4a")
    for _ in range(120):
        x, y = chance.uniform(0, 760), chance.uniform(980, 1080)
        c.line(f"M{x:.0f} 1090L{x + chance.uniform(-10, 10):.0f} {y:.0f}", darker("#6f9440", 0.2), 4)
        c.circle(round(x + 2), round(y), chance.choice((5, 7, 9)), chance.choice(("#e2503f", "#f6f0dc", "#f0b93c", "#e2503f")))
    return c


def rows(c, chance, points, tone, size):
    """A row of vine bushes along a smooth line, its shadow beside it."""
    c.line(wave(points), darker(tone, 0.18), size * 1.3, opacity=0.5)
    c.line(wave(points), tone, size, stroke_dasharray=f"{size * 0.7:.1f} {size * 1.25:.1f}")
    c.line(wave(points), lighter(tone, 0.2), size * 0.4, stroke_dasharray=f"{size * 0.35:.1f} {size * 1.6:.1f}")


def cabin():
    c = Canvas(1440, 1080, "Cabin under northern lights")
    chance = random.Random(6)
    c.ground(c.down("#07132e", "#0f2a55", "#23537a", "#4c8794", last=0.72))
    for _ in range(170):
        c.circle(chance.randrange(1440), chance.randrange(600), chance.choice((1.5, 2, 2, 3)), "#ffffff", opacity=round(chance.uniform(0.3, 1), 2))
    # Curtains of light: many thin upright strokes along a curve.
    for points, colour, high in (([(-40, 330), (260, 220), (520, 330), (820, 200), (1100, 300), (1480, 170)], "#63e6b0", 300),
                                 ([(-40, 470), (300, 400), (640, 470), (980, 350), (1480, 400)], "#58c8d8", 220),
                                 ([(200, 200), (520, 120), (900, 190), (1480, 60)], "#a58cf0", 200)):
        curtain(c, chance, points, colour, high)
    peak(c, chance, 250, 700, 420, 330, "#2b4a72", snow="#b5d4dc", light=1)
    peak(c, chance, 1190, 700, 460, 380, "#2a4870", snow="#b5d4dc", light=-1)
    peak(c, chance, 720, 700, 380, 240, "#35577e", snow="#c3dde2", light=1)
    c.path(hill([(-20, 660), (300, 690), (700, 660), (1100, 690), (1460, 650)], 1080), c.down("#7fa5bd", "#4a7396"))
    firs(c, chance, 1440, lambda x: 690, 120, "#1d3a5c", 46)
    c.path(hill([(-20, 740), (340, 700), (720, 730), (1060, 700), (1460, 750)], 1080), c.down("#c9dfe8", "#6f96b8"))
    # The cabin with warm windows.
    c.glow(800, 720, 360, "#ffc978", 0.55)
    with c.moved(800, 770, 1.12):
        c.path("M-170 0L-170 -110L-60 -200L60 -110L60 0Z", "#5b3524")
        for y in range(-100, 0, 22):
            c.line(f"M-170 {y}L60 {y}", "#472718", 4)
        c.path("M60 0L60 -110L230 -120L230 0Z", "#44261a")
        for y in range(-100, 0, 22):
            c.line(f"M60 {y}L230 {y - 4}", "#351c12", 4)
        c.path("M150 -200L190 -200L190 -290L150 -290Z", "#6a5560")
        c.path("M142 -286L198 -286C200 -306 140 -308 142 -286Z", "#eaf4fa")
        c.path("M-60 -216L56 -96L70 -112L250 -130L210 -236L-60 -240Z", "#dbeaf2")
        c.path("M-200 -96L-60 -216L78 -108L60 -92L-60 -190L-186 -80C-200 -70 -212 -86 -200 -96Z", "#ffffff")
        c.path("M70 -120L250 -130C258 -108 238 -104 226 -110C206 -100 190 -112 174 -104C150 -96 130 -108 110 -100C90 -94 66 -100 70 -120Z", "#f6fbfe")
        for x, y, w, h in ((-136, -84, 60, 56), (96, -88, 96, 52)):
            c.rect(x - 6, y - 6, w + 12, h + 12, "#2d170f", r=4)
            c.rect(x, y, w, h, c.down("#fff0b8", "#ffbf5c"))
            c.line(f"M{x + w / 2} {y}V{y + h}M{x} {y + h / 2}H{x + w}", "#5b3524", 5)
            c.path(f"M{x - 10} {y + h + 6}H{x + w + 10}C{x + w + 10} {y + h - 6} {x - 10} {y + h - 6} {x - 10} {y + h + 6}Z", "#f6fbfe")
        c.path("M-46 0V-86H14V0Z", "#2d170f")
        c.path("M-38 0V-78H6V0Z", "#8a4a2c")
        c.circle(-2, -38, 4, "#f0c35a")
        c.circle(-60, -140, 16, "#ffdf94")
        smoke = c.down(("#d5e2ea", 0), ("#d5e2ea", 0.5))
        c.path("M156 -292C150 -340 200 -360 186 -410C176 -450 220 -480 250 -540C262 -490 250 -450 234 -420C226 -370 196 -340 184 -292Z", smoke)
    # Snow in front, light of the windows on it, a trail to the door.
    c.path(hill([(-20, 800), (300, 770), (620, 772), (900, 768), (1180, 776), (1460, 800)], 1080), c.down("#e9f3f7", "#9dbdd6", "#5f86b0"))
    for d in ("M662 790L726 790L790 960L560 960Z", "M906 786L1012 786L1130 940L880 950Z"):
        c.path(d, c.down(("#ffd27e", 0.7), ("#ffd27e", 0)))
    for i in range(13):
        y = 800 + i * 19
        x = 784 - 60 * math.sin(i / 3.4) - i * 7
        c.ellipse(x + (10 if i % 2 else -10) * (1 + i * 0.12), y, 6 + i * 0.9, 3 + i * 0.4, "#6f93b8", opacity=0.8)
    for x, y, high in ((70, 930, 520), (210, 900, 380), (330, 860, 250), (1390, 930, 580), (1260, 890, 400), (1150, 850, 240), (-20, 1000, 640)):
        snowy_fir(c, x, y, high)
    c.path(hill([(-20, 960), (320, 930), (720, 1000), (1140, 940), (1460, 970)], 1090), c.down("#d5e6f0", "#86a9cc"))
    for _ in range(70):
        c.circle(chance.randrange(1440), chance.randrange(1080), chance.choice((2, 3, 4)), "#ffffff", opacity=round(chance.uniform(0.3, 0.8), 2))
    return c


def snowy_fir(c, x, base, high):
    c.ellipse(x, base, high * 0.26, high * 0.03, "#35608f", opacity=0.4)
    fir(c, x, base, high, "#16324f")
    for i in range(6):
        top = base - high + i * high * 0.135
        low, half = top + high * (0.2 + 0.035 * i), high * (0.075 + 0.038 * i)
        for side in (-1, 1):
            c.path(f"M{x + side * half * 0.18:.0f} {top + (low - top) * 0.5:.0f}Q{x + side * half * 0.5:.0f} {low - half * 0.34:.0f} {x + side * half:.0f} {low:.0f}"
                   f"Q{x + side * half * 0.55:.0f} {low - half * 0.12:.0f} {x + side * half * 0.1:.0f} {top + (low - top) * 0.72:.0f}Z",
                   "#e4f1f7" if side > 0 else "#a9c8dc")


def curtain(c, chance, points, colour, high):
    fill = c.down((colour, 0), (lighter(colour, 0.3), 0.55), (colour, 0))
    steps = 150
    for i in range(steps):
        at = i / (steps - 1) * (len(points) - 1)
        k = min(int(at), len(points) - 2)
        part = at - k
        ease = part * part * (3 - 2 * part)
        x = points[k][0] + (points[k + 1][0] - points[k][0]) * part
        y = points[k][1] + (points[k + 1][1] - points[k][1]) * ease
        tall = high * chance.uniform(0.7, 1.25)
        c.rect(round(x - 14), round(y - tall * 0.7), 28, round(tall), fill, opacity=round(chance.uniform(0.12, 0.5), 2))


def drawings():
    return {"lake": lake(), "lighthouse": lighthouse(), "wood": wood(), "hills": hills(), "cabin": cabin()}


DESCRIPTIONS = {
    "lake": "A mountain lake at dawn: snowy peaks mirrored in still water, someone in a red canoe.",
    "lighthouse": "A red and white lighthouse on a cliff at dusk, its beam over a calm sea.",
    "wood": "A path through a wood in autumn, with light between the trunks and two people and a dog far ahead.",
    "hills": "Rolling hills with rows of vines, a farmhouse among cypresses, late sun.",
    "cabin": "A wooden cabin with lit windows in the snow under green northern lights.",
}
