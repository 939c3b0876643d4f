"""Snap pictures of neither dogs nor jokes: a whale over the town, a bowl of ramen, an avocado
on a skateboard, a gardener on the moon."""

import math
import random

from drawing.animals import fluff, shadow, smile
from drawing.canvas import Canvas, darker, lighter, mix, star, wave

WIDTH, HEIGHT = 1080, 1440


def whale():
    c = Canvas(WIDTH, HEIGHT, "Whale over the town")
    sky = random.Random(3)
    c.ground(c.down("#0f2450", "#24468a", "#6f78b8", "#f0b394"))
    for _ in range(90):
        x, y = sky.randrange(WIDTH), sky.randrange(820)
        c.circle(x, y, sky.choice((2, 2, 3, 4)), "#fff6dc", opacity=round(sky.uniform(0.4, 1), 2))
    c.glow(830, 250, 300, "#fff1c9", 0.9)
    c.circle(830, 250, 92, "#fff4d6")
    for x, y, r in ((800, 230, 18), (856, 284, 24), (850, 214, 11)):
        c.circle(x, y, r, "#f0dcb0", opacity=0.7)
    for x, y, rx, ry, fade in ((170, 860, 240, 46, 0.35), (900, 900, 280, 52, 0.4), (560, 980, 330, 46, 0.35)):
        c.path(fluff(x, y, rx, ry, 11, 0.13), "#ffe3d2", opacity=fade)
    with c.moved(470, 610, 0.98, turn=-7):
        # Tail, back, pleated belly.
        c.path("M330 -40C420 -60 470 -130 480 -210C530 -170 540 -110 520 -70C570 -84 620 -76 650 -40C580 -30 510 0 440 60C400 90 350 80 330 -40Z", "#3a6fb4")
        body = "M-430 40C-440 -130 -260 -220 -60 -210C140 -200 300 -120 440 -50C470 -30 460 40 420 70C320 150 160 210 -40 214C-240 218 -420 190 -430 40Z"
        c.path(body, c.down("#5b96d8", "#3a6fb4"))
        with c.group(clip_path=c.clip(body)):
            c.path("M-450 70C-280 124 120 136 450 20L450 260L-450 260Z", c.down("#f7eddc", "#d9d6dc"))
            for i in range(6):
                c.line(f"M{-430 + i * 26} {104 + i * 24}C-240 {146 + i * 24} 0 {150 + i * 20} {250 - i * 26} {112 + i * 16}", "#b9bfd0", 6)
            for x, y, r in ((-120, -150, 16), (-60, -170, 9), (60, -130, 13), (130, -140, 8), (-200, -130, 9), (220, -80, 11)):
                c.circle(x, y, r, "#ffffff", opacity=0.25)
        c.path("M-130 90C-80 160 -60 260 -110 330C-190 300 -240 200 -230 110Z", "#3a6fb4")
        c.path("M-130 90C-100 150 -90 210 -110 280C-150 230 -170 160 -176 100Z", "#5b96d8", opacity=0.6)
        c.line("M-424 60C-380 96 -330 104 -290 92", "#1e3f72", 9)
        c.ellipse(-300, 20, 19, 23, "#14233f")
        c.circle(-294, 12, 7, "#ffffff")
        c.line("M-326 -20Q-300 -38 -274 -22", "#1e3f72", 7)
        c.circle(-262, 66, 24, "#f29a93", opacity=0.45)
        for dx, turn in ((-30, -30), (0, 0), (30, 30)):
            with c.moved(-110 + dx * 0.3, -216, 1, turn=turn):
                c.line("M0 0C-6 -50 6 -90 0 -130", "#cfe6ff", 12, opacity=0.85)
                c.circle(0, -156, 11, "#cfe6ff", opacity=0.85)
    # The town below, two rows of roofs.
    x = -20
    while x < WIDTH:
        wide, top = sky.randrange(90, 150), sky.randrange(1010, 1110)
        gable(c, sky, x, wide, top, "#4a4a86", 0.28)
        x += wide - 6
    c.rect(520, 980, 96, 300, "#40407a")
    c.path("M510 984L568 840L626 984Z", "#35356b")
    c.circle(568, 1030, 26, "#ffe6ae")
    x = -40
    while x < WIDTH:
        wide, top = sky.randrange(120, 200), sky.randrange(1130, 1240)
        gable(c, sky, x, wide, top, "#232a58", 0.55)
        x += wide - 6
    c.path("M0 1400C300 1370 700 1380 1080 1396L1080 1440L0 1440Z", "#161b3d")
    # A child on the roof waves.
    with c.moved(300, 1136, 1):
        c.path("M-22 60L-18 4C-14 -14 16 -14 20 4L24 60Z", "#e8573f")
        c.circle(0, -30, 24, "#e7b48c")
        c.path("M-26 -28C-28 -62 28 -62 26 -30C14 -42 -12 -44 -26 -28Z", "#2a1a1a")
        c.line("M14 6C30 -10 36 -30 34 -48", "#e8573f", 13)
        c.line("M-14 8L-26 34", "#e8573f", 13)
    return c


def gable(c, chance, x, wide, top, tone, lit):
    tone = mix(tone, "#8a5a86", chance.random() * 0.25)
    peak = wide * 0.42
    c.path(f"M{x} 1440L{x} {top}L{x + wide / 2} {top - peak:.0f}L{x + wide} {top}L{x + wide} 1440Z", tone)
    c.path(f"M{x - 8} {top + 6}L{x + wide / 2} {top - peak - 8:.0f}L{x + wide + 8} {top + 6}", stroke=darker(tone, 0.25), stroke_width=12)
    for row in range(3):
        for column in range(2):
            if chance.random() < lit:
                c.rect(x + wide * (0.2 + 0.38 * column), top + 30 + row * 74, wide * 0.2, 38, "#ffd57e", r=5)


def ramen():
    c = Canvas(WIDTH, HEIGHT, "Ramen")
    c.ground(c.down("#2b4f8f", "#1d3b74"))
    for row in range(13):
        for column in range(10):
            x, y = column * 120 + (60 if row % 2 else 0), row * 120
            for r in (58, 40, 22):
                c.path(f"M{x - r} {y}A{r} {r} 0 0 1 {x + r} {y}", stroke="#ffffff", stroke_width=4, opacity=0.09)
    shadow(c, 560, 800, 470, 470, 0.3)
    c.circle(540, 750, 456, c.down("#f8f3ea", "#d9d0c0"))
    c.circle(540, 750, 428, "#c9362f")
    c.circle(540, 750, 412, "#f8f3ea")
    c.circle(540, 750, 388, c.down("#c8762c", "#e2a24a"))
    with c.group(clip_path=c.clip("M152 750a388 388 0 1 1 776 0a388 388 0 1 1 -776 0Z")):
        c.circle(540, 860, 330, "#eab65c", opacity=0.45)
        # Noodles: a combed wave.
        for i in range(17):
            y = 690 + i * 22
            c.line(wave([(120, y + 60), (280, y - 30), (440, y + 40), (620, y - 26), (800, y + 38), (980, y - 40)]), darker("#f6dd9a", 0.16), 20)
            c.line(wave([(120, y + 56), (280, y - 34), (440, y + 36), (620, y - 30), (800, y + 34), (980, y - 44)]), "#f6dd9a", 15)
    # Nori at the rim.
    with c.moved(806, 470, 1, turn=22):
        c.rect(-110, -170, 200, 300, "#1f3a2e", r=10)
        c.rect(-110, -170, 200, 300, "none", r=10, stroke="#345a49", stroke_width=6)
        for x in (-70, -30, 10, 50):
            c.line(f"M{x} -150L{x} 110", "#2b4b3c", 5)
    # Slices of pork.
    for x, y, turn in ((330, 560, -20), (436, 500, 4)):
        with c.moved(x, y, 1, turn=turn):
            c.ellipse(0, 8, 142, 116, "#6e3820", opacity=0.5)
            c.ellipse(0, 0, 142, 116, "#b5694a")
            c.ellipse(0, 0, 122, 96, "#e2a585")
            c.path("M-80 -10C-50 -60 10 -70 60 -40C100 -10 60 40 0 30C-40 24 -40 0 -10 -8C20 -14 40 0 20 8", stroke="#f7e0cd", stroke_width=17, stroke_linecap="round")
    # Egg halves with faces.
    for x, y, turn, glad in ((680, 640, -10, 0.0), (770, 770, 24, 0.4)):
        with c.moved(x, y, 1, turn=turn):
            c.ellipse(6, 12, 104, 124, "#7c4218", opacity=0.4)
            c.ellipse(0, 0, 104, 124, "#e0b183")
            c.ellipse(0, 0, 95, 115, "#fffaf0")
            c.circle(0, 14, 66, "#f19a28")
            c.circle(0, 14, 54, "#f8b63f")
            for side in (-1, 1):
                c.circle(side * 22, 6, 7, "#3a2012")
                c.circle(side * 38, 24, 9, "#ef6c4c", opacity=0.5)
            smile(c, 0, 20, 30, tongue=glad, weight=5)
            c.ellipse(-26, -12, 14, 8, "#ffffff", turn=-30, opacity=0.8)
    # Fish cake with its swirl, spring onion, chilli, corn.
    for x, y, turn in ((300, 780, 10), (560, 990, -30)):
        with c.moved(x, y, 1, turn=turn):
            c.path(star(4, 8, 96, 84, 14), "#7c4218", opacity=0.35)
            c.path(star(0, 0, 96, 84, 14), "#fffaf2")
            c.path("M44 -8C40 -50 -30 -58 -46 -14C-58 30 -10 58 26 38C50 20 36 -16 6 -16C-16 -14 -20 12 0 16", stroke="#ef6f8d", stroke_width=14, stroke_linecap="round")
    chance = random.Random(5)
    for _ in range(44):
        angle, far = chance.uniform(0, 2 * math.pi), chance.uniform(60, 340)
        x, y = 540 + far * math.cos(angle), 780 + far * 0.8 * math.sin(angle)
        if min(math.hypot(x - 680, y - 640), math.hypot(x - 770, y - 770)) < 140:
            continue
        c.circle(x, y, 17, "none", stroke=chance.choice(("#5fa64a", "#8cc765", "#3f8a3e")), stroke_width=8)
    for x, y in ((430, 930), (470, 960), (410, 970), (450, 1000), (500, 920), (380, 930)):
        c.rect(x, y, 30, 26, "#f9d548", r=10)
        c.rect(x + 5, y + 4, 12, 8, "#fff1a8", r=4)
    # Chopsticks, steam.
    for turn, dx in ((58, 0), (63, 46)):
        with c.moved(820 + dx, 1120, 1, turn=turn - 90):
            c.path("M-520 -8L520 -17L520 17L-520 8Z", "#8a3b24")
            c.rect(300, -16, 220, 32, "#5c2416")
            c.rect(286, -16, 14, 32, "#f0c35a")
    for x, y in ((330, 250), (540, 210), (740, 260)):
        c.line(f"M{x} {y + 120}C{x - 50} {y + 60} {x + 50} {y + 10} {x} {y - 60}C{x - 30} {y - 100} {x} {y - 130} {x + 14} {y - 150}", "#ffffff", 20, opacity=0.34)
    return c


def avocado():
    c = Canvas(WIDTH, HEIGHT, "Avocado on a skateboard")
    c.ground(c.down("#ff9d6c", "#ffc58a", "#ffe3b5"))
    c.circle(540, 560, 380, "#fff0cd", opacity=0.8)
    for i in range(5):
        c.rect(120, 700 + i * 46, 840, 10 + i * 5, "#ffd39c")
    for x, base, size, turn in ((140, 1070, 1.0, -5), (960, 1070, 1.25, 6)):
        palm(c, x, base, size, turn)
    c.path("M0 1000C300 960 760 960 1080 1000L1080 1120L0 1120Z", "#d9745a", opacity=0.55)
    # A half-pipe seen from the side.
    c.path("M0 960C60 1150 260 1220 540 1220C820 1220 1020 1150 1080 960L1080 1440L0 1440Z", c.down("#7a4b76", "#4b2d58"))
    c.line("M0 960C60 1150 260 1220 540 1220C820 1220 1020 1150 1080 960", "#f6d7c0", 14)
    for x in (180, 360, 540, 720, 900):
        c.line(f"M{x} 1250L{x + (x - 540) * 0.1:.0f} 1440", "#3d2349", 6, opacity=0.7)
    with c.moved(570, 760, 1, turn=-13):
        for y, x, long in ((-120, -520, 150), (60, -560, 190), (220, -500, 130)):
            c.line(f"M{x} {y}l{long} 0", "#ffffff", 14, opacity=0.75)
        # Board.
        c.path("M-330 380C-300 384 -280 410 -250 412L250 412C280 410 300 384 330 376C340 404 300 446 256 446L-256 446C-300 446 -340 410 -330 380Z", "#1d5fd1")
        c.line("M-240 414L240 414", "#6ea4ff", 7)
        for x in (-190, 190):
            c.path(f"M{x - 34} 446L{x + 34} 446L{x + 16} 480L{x - 16} 480Z", "#c9ccd4")
            c.circle(x, 492, 42, "#fbf4e4")
            c.circle(x, 492, 17, "#e8573f")
        # Legs, shoes.
        for x, knee, foot in ((-70, -128, -130), (80, 140, 130)):
            c.line(f"M{x} 230C{x} 290 {knee} 300 {foot} 372", "#5c3b22", 32)
            c.path(f"M{foot - 44} 352C{foot - 50} 340 {foot + 34} 340 {foot + 36} 366C{foot + 84} 374 {foot + 90} 408 {foot + 80} 412L{foot - 48} 412C{foot - 56} 400 {foot - 50} 372 {foot - 44} 352Z", "#e8573f")
            c.rect(foot - 54, 402, 142, 16, "#fffaf0", r=8)
        # Arms for balance.
        c.line("M-190 40C-270 30 -310 -40 -340 -100", "#5c3b22", 30)
        c.line("M190 40C270 60 330 20 370 -20", "#5c3b22", 30)
        for x, y in ((-344, -112), (380, -30)):
            c.circle(x, y, 30, "#fffaf0")
        c.line("M-356 -134L-376 -176M-334 -138L-324 -184", "#fffaf0", 20)
        # The fruit itself: skin, flesh, stone as a belly.
        shape = "M0 -330C100 -330 150 -230 176 -120C210 -20 260 50 250 140C240 250 130 300 0 300C-130 300 -240 250 -250 140C-260 50 -210 -20 -176 -120C-150 -230 -100 -330 0 -330Z"
        c.path(shape, c.across("#2f5a33", "#4b8440"))
        with c.moved(0, 0, 0.9):
            c.path(shape, "#a9cf5d")
        with c.moved(0, 2, 0.83):
            c.path(shape, c.down("#e9efa0", "#f6f3b6"))
        c.circle(0, 132, 108, darker("#9a5a2c", 0.15))
        c.circle(-4, 126, 98, "#9a5a2c")
        c.ellipse(-38, 84, 30, 20, "#d9a06a", turn=-30, opacity=0.8)
        # Sunglasses, grin, headband.
        c.path("M-146 -212C-60 -240 60 -240 146 -212L158 -166C60 -196 -60 -196 -158 -166Z", "#e8573f")
        c.line("M-150 -186C-60 -216 60 -216 150 -186", "#fffaf0", 9)
        c.line("M-30 -96Q0 -110 30 -96", "#17130f", 13)
        for side in (-1, 1):
            with c.moved(side * 78, -92):
                c.path("M-60 -42C-20 -50 24 -50 60 -42C66 14 38 46 0 46C-38 46 -66 14 -60 -42Z", c.down("#17233f", "#3f74d6"), stroke="#17130f", stroke_width=9)
                c.path("M-36 -30L-6 -32L-30 18C-40 4 -40 -14 -36 -30Z", "#ffffff", opacity=0.4)
            c.circle(side * 118, -18, 22, "#f28b62", opacity=0.5)
        c.path("M-62 -30C-20 -18 30 -18 68 -36C66 16 36 34 0 34C-34 34 -60 10 -62 -30Z", "#5a2223")
        c.path("M-56 -26C-20 -16 30 -16 62 -32L58 -8C20 0 -20 0 -52 -8Z", "#ffffff")
    return c


def palm(c, x, base, size, turn):
    with c.moved(x, base, size, turn):
        c.path("M-22 0C-30 -200 -10 -400 20 -560L46 -556C20 -400 14 -200 26 0Z", "#b0553f")
        for i in range(8):
            c.line(f"M{-18 + i * 4} {-60 - i * 62}L{24 + i * 2} {-66 - i * 62}", "#8f3f33", 5)
        for angle in (-165, -130, -70, -30, 8, -100):
            with c.moved(34, -560, 1, turn=angle):
                c.path("M0 0C80 -50 190 -40 260 50C180 16 90 10 0 0Z", "#7d4a5f" if angle % 20 else "#95566a")


def moon_garden():
    c = Canvas(WIDTH, HEIGHT, "Gardener on the moon")
    stars = random.Random(8)
    c.ground(c.down("#0a1430", "#16265a", "#2b3f86"))
    for _ in range(150):
        x, y = stars.randrange(WIDTH), stars.randrange(1150)
        c.circle(x, y, stars.choice((2, 2, 3, 5)), stars.choice(("#ffffff", "#cfe0ff", "#ffe9bd")), opacity=round(stars.uniform(0.35, 1), 2))
    c.path(wave([(0, 250), (300, 330), (620, 250), (1080, 420)], "L1080 560L620 400L300 470L0 380Z"), "#6f7fd0", opacity=0.14)
    # The earth.
    c.glow(770, 360, 330, "#8fc1ff", 0.65)
    globe = "M570 360a200 200 0 1 1 400 0a200 200 0 1 1 -400 0Z"
    c.path(globe, c.down("#6db3f2", "#1d5fd1"))
    with c.group(clip_path=c.clip(globe)):
        c.path("M600 260C650 220 700 250 730 220C770 200 800 240 780 280C760 330 700 300 690 350C690 400 640 420 600 400C560 360 560 300 600 260Z", "#7fb86a")
        c.path("M820 300C880 270 960 300 980 380C960 440 900 480 860 460C820 440 850 400 820 380C800 350 800 320 820 300Z", "#93c57a")
        c.path("M680 470C720 450 770 470 770 510C760 550 720 570 690 550C660 530 660 490 680 470Z", "#7fb86a")
        for d in ("M560 330C640 300 700 350 800 320", "M700 420C780 390 860 440 980 400", "M600 500C680 480 740 520 820 500"):
            c.line(d, "#ffffff", 24, opacity=0.6)
        c.circle(700, 300, 330, "none", stroke="#0a1430", stroke_width=190, opacity=0.28)
    # Moon ground.
    c.path("M0 1080C240 1000 480 990 700 1010C880 1026 1000 1060 1080 1090L1080 1440L0 1440Z", c.down("#e6e3ea", "#a9a9c4"))
    for x, y, rx in ((140, 1250, 90), (900, 1180, 110), (620, 1380, 130), (330, 1400, 60), (1010, 1340, 54)):
        c.ellipse(x, y, rx, rx * 0.28, "#9596b6")
        c.ellipse(x, y + rx * 0.07, rx * 0.9, rx * 0.2, "#b9b8d0")
    # The astronaut with a watering can.
    shadow(c, 400, 1240, 190, 24, 0.25)
    suit, fold = "#f7f4ef", "#cfd0dd"
    c.rect(196, 780, 130, 240, "#b9bccd", r=36)
    for x in (330, 440):
        c.path(f"M{x - 52} 1040L{x - 46} 1200C{x - 60} 1246 {x + 80} 1250 {x + 66} 1200L{x + 56} 1060Z", suit)
        c.path(f"M{x - 52} 1188C{x - 66} 1246 {x + 86} 1250 {x + 70} 1190Z", "#1d5fd1")
        c.line(f"M{x - 46} 1130Q{x} 1146 {x + 56} 1130", fold, 7)
    c.path("M264 840C246 930 254 1040 292 1074C350 1092 450 1092 508 1072C538 1040 540 930 516 840Z", suit)
    c.line("M286 1042C350 1064 450 1064 514 1040", fold, 12)
    c.rect(330, 940, 130, 84, "#dfe1ec", r=14)
    for x, tone in ((358, "#e8573f"), (394, "#f4c445"), (430, "#3f9d87")):
        c.circle(x, 972, 13, tone)
    c.rect(344, 994, 100, 14, "#a9adc2", r=7)
    c.circle(392, 700, 190, suit)
    c.path("M230 690C240 590 320 560 410 560C500 564 566 610 566 700C566 790 490 836 400 832C300 830 232 780 230 690Z", c.down("#29406f", "#101c3c"))
    # A face behind the visor, and the earth in it.
    c.path("M300 720C300 640 350 616 402 616C456 616 504 646 504 720C504 782 460 812 402 812C344 812 300 782 300 720Z", "#c98f63")
    c.path("M296 700C290 620 350 596 404 596C460 596 514 624 508 700C480 690 470 664 460 650C410 670 340 660 320 664C316 680 308 694 296 700Z", "#2b1a14")
    for side in (-1, 1):
        c.circle(408 + side * 42, 716, 11, "#20130f")
        c.circle(412 + side * 42, 712, 3.5, "#ffffff")
        c.circle(408 + side * 68, 746, 16, "#e8674c", opacity=0.35)
    c.line("M382 754Q410 780 438 752", "#20130f", 8)
    c.path("M262 640C290 596 330 582 352 580C310 610 280 660 272 720C260 700 256 670 262 640Z", "#ffffff", opacity=0.4)
    c.line("M392 510L392 470", fold, 10)
    c.circle(392, 462, 14, "#e8573f")
    # Arms and can.
    c.line("M276 880C220 940 220 1000 260 1040", suit, 70)
    c.circle(268, 1050, 40, "#1d5fd1")
    with c.moved(676, 872, 0.92, turn=20):
        c.path("M-70 -60L60 -60L74 80L-84 80Z", c.down("#f2784f", "#d4552f"))
        c.ellipse(-5, -60, 66, 16, "#a93c1e")
        c.line("M-74 -30C-150 -60 -150 70 -82 60", "#d4552f", 20)
        c.path("M62 50L170 -50L196 -24L70 80Z", "#d4552f")
        c.ellipse(186, -40, 18, 40, "#f2a184", turn=46)
    c.line("M486 880C530 896 560 896 588 884", suit, 66)
    c.circle(600, 880, 40, "#1d5fd1")
    for x, y in ((846, 930), (872, 950), (854, 978), (884, 992), (864, 1016), (898, 962)):
        c.path(f"M{x} {y - 16}C{x + 10} {y - 2} {x + 10} {y + 10} {x} {y + 10}C{x - 10} {y + 10} {x - 10} {y - 2} {x} {y - 16}Z", "#a9d4ff")
    # The plant: the only green for a long way.
    c.ellipse(880, 1186, 96, 24, "#6b4a3a")
    c.path("M800 1182C830 1130 940 1130 964 1182C940 1210 824 1210 800 1182Z", "#7d5744")
    with c.moved(884, 1156, 0.72):
        c.glow(0, -60, 170, "#c8f59a", 0.5)
        c.line("M0 10C-6 -30 4 -70 0 -110", "#4f9d4a", 16)
        for turn, size, tone in ((-62, 1.0, "#6cbf58"), (58, 1.1, "#57ad4b"), (-24, 0.8, "#8bd46c"), (24, 0.7, "#8bd46c")):
            with c.moved(0, -80, size, turn=turn):
                c.path("M0 0C-44 -30 -40 -100 0 -140C40 -100 44 -30 0 0Z", tone)
                c.line("M0 -6L0 -106", darker(tone, 0.2), 5)
    c.path("M0 1300C200 1250 360 1330 560 1330C800 1330 960 1280 1080 1300L1080 1440L0 1440Z", lighter("#a9a9c4", 0.2), opacity=0.35)
    return c


def drawings():
    return {"other-1": whale(), "other-2": ramen(), "other-3": avocado(), "other-4": moon_garden()}


DESCRIPTIONS = {
    "other-1": "A blue whale swims through the night sky over a town; a child on a roof waves at it.",
    "other-2": "A bowl of ramen from above, with noodles, pork and two egg halves that smile.",
    "other-3": "An avocado with sunglasses rides a skateboard through a half-pipe at sunset.",
    "other-4": "An astronaut on the moon waters a small green plant, the earth above.",
}
