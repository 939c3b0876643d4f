"""Scenes at home: a dog asleep on the sofa, coffee at a rainy window."""

import math
import random

from drawing.animals import fluff, nose
from drawing.canvas import Canvas, darker, lighter, wave
from drawing.landscape import mist


def sofa():
    c = Canvas(1440, 1080, "Dog on the sofa")
    c.ground(c.across("#e9ddca", "#efe2cb", "#e2d2b9"))
    window_light(c)
    # Pictures on the wall: a cyanotype of a fern, a small mountain.
    c.rect(520, 80, 230, 290, "#5a3d2a", r=4)
    c.rect(534, 94, 202, 262, "#f7f1e6")
    c.rect(558, 118, 154, 214, c.down("#2a63b8", "#17407f"))
    fern(c, 635, 316)
    c.rect(800, 180, 180, 150, "#b98850", r=4)
    c.rect(812, 192, 156, 126, c.down("#f6d9b0", "#e9a987"))
    c.path("M812 318L860 246L886 276L916 232L968 318Z", "#7a6a86")
    c.circle(930, 222, 13, "#fff3cf")
    # Floor and rug.
    c.rect(0, 850, 1440, 230, c.down("#c08d5e", "#9c6c45"))
    for y in (896, 956, 1030):
        c.line(f"M0 {y}H1440", "#86592f", 3, opacity=0.45)
    c.ellipse(720, 1000, 660, 80, "#efe3cf")
    c.ellipse(720, 1000, 620, 68, "none", stroke="#b5573d", stroke_width=9)
    c.ellipse(720, 1000, 570, 56, "none", stroke="#1d5fd1", stroke_width=4, stroke_dasharray="16 18")
    lamp(c)
    plant(c)
    # The sofa.
    green = "#3f6f6a"
    c.ellipse(720, 934, 560, 28, "#3a1d10", opacity=0.3)
    for x in (270, 1130):
        c.path(f"M{x} 880H{x + 50}L{x + 40} 942H{x + 10}Z", "#6b4226")
    c.path("M250 470C250 420 300 400 350 400H1090C1140 400 1190 420 1190 470V800H250Z", c.down(lighter(green, 0.08), darker(green, 0.12)))
    c.line("M720 410V690", darker(green, 0.2), 7)
    c.line("M300 430C460 416 600 416 700 424M740 424C860 416 1000 416 1140 430", lighter(green, 0.2), 5, opacity=0.6)
    c.rect(200, 800, 1040, 96, darker(green, 0.2), r=26)
    for x in (244, 716):
        c.path(f"M{x} 720C{x} 690 {x + 20} 684 {x + 60} 684H{x + 420}C{x + 460} 684 {x + 480} 690 {x + 480} 720V800C{x + 480} 826 {x + 460} 830 {x + 430} 830H{x + 50}C{x + 20} 830 {x} 826 {x} 800Z", c.down(lighter(green, 0.1), green))
    for x, flip in ((170, False), (1270, True)):
        with c.moved(x, 0, flip=flip):
            c.path("M0 600C0 540 120 540 120 600V890H0Z", c.down(lighter(green, 0.12), darker(green, 0.12)))
            c.path("M0 600C0 540 120 540 120 600C120 650 0 650 0 600Z", lighter(green, 0.2), opacity=0.5)
    # Cushions and a blanket over the arm.
    with c.moved(1060, 610, 1, turn=14):
        c.path("M-110 -110C-40 -96 40 -96 110 -110C98 -40 98 40 110 110C40 96 -40 96 -110 110C-98 40 -98 -40 -110 -110Z", "#e0a33a")
        for i in range(5):
            c.line(f"M-96 {-70 + i * 36}Q0 {-60 + i * 36} 96 {-70 + i * 36}", "#f6d38a", 7)
    with c.moved(380, 590, 1, turn=-10):
        c.path("M-100 -100C-40 -88 40 -88 100 -100C90 -40 90 40 100 100C40 88 -40 88 -100 100C-90 40 -90 -40 -100 -100Z", "#f2e7d6")
        c.path("M0 34L-34 0C-54 -28 -22 -52 0 -26C22 -52 54 -28 34 0Z", "#c9483e")
    c.path("M1150 556C1200 548 1250 560 1286 590L1296 900C1260 884 1200 890 1160 878Z", "#c9563f")
    for i in range(4):
        c.line(f"M{1158 + i * 2} {636 + i * 64}C1210 {630 + i * 64} 1250 {640 + i * 64} {1288 + i} {654 + i * 64}", "#f3d3b4", 10)
    for x in range(1164, 1296, 16):
        c.line(f"M{x} {878 + (x - 1164) * 0.16:.0f}v34", "#c9563f", 7)
    sleeping_dog(c)
    # A slipper that did not get away, a ball.
    with c.moved(340, 1000, 1, turn=-6):
        c.path("M-90 10C-96 -20 -40 -50 10 -40C60 -30 100 -10 96 14C60 26 -60 26 -90 10Z", "#1d5fd1")
        c.path("M-90 6C-90 -14 -60 -30 -30 -34C-44 -14 -40 4 -20 14C-50 18 -76 16 -90 6Z", "#0f3a86")
        c.path("M60 -24L76 -14L66 -6L84 2L70 8L88 18C96 10 90 -6 60 -24Z", "#f4efe6")
    c.circle(1010, 990, 40, c.down("#f0705a", "#c9402f"))
    c.line("M976 976C1000 986 1024 986 1046 974", "#ffe3d6", 6)
    # Light of the window over everything.
    c.path("M0 330L500 470L760 1080H0Z", "#fff0c4", opacity=0.12)
    mist(c, 260, 460, 520, 420, "#fff3cf", 0.2)
    return c


def window_light(c):
    c.rect(70, 90, 340, 470, "#fbf5e9", r=6)
    c.rect(92, 112, 296, 426, c.down("#8fc3e8", "#d5eaf0", "#fbe9c4"))
    c.path("M92 430C160 380 220 420 280 392C330 372 360 392 388 400V538H92Z", "#8fae86")
    c.path("M92 480C180 440 260 470 388 450V538H92Z", "#6f9468")
    c.glow(310, 250, 170, "#fff6d4", 0.9)
    c.line("M240 112V538M92 300H388", "#fbf5e9", 14)
    c.rect(50, 552, 380, 26, "#fbf5e9", r=4)
    for x, flip in ((40, False), (440, True)):
        with c.moved(x, 0, flip=flip):
            c.path("M-20 60H110C90 220 60 360 70 640C40 650 0 650 -30 640Z", c.across("#f7e8d6", "#fdf6ea"), opacity=0.95)
            for i in range(3):
                c.line(f"M{10 + i * 32} 70C{4 + i * 26} 260 {-6 + i * 22} 420 {i * 22} 636", "#e0cbb0", 5, opacity=0.7)
    c.line("M0 62H490", "#8a5a36", 12)
    c.circle(490, 62, 13, "#8a5a36")


def fern(c, x, foot):
    c.line(f"M{x} {foot}C{x - 6} {foot - 80} {x + 4} {foot - 140} {x + 10} {foot - 186}", "#e9f1fb", 4)
    for i in range(13):
        y, long = foot - 24 - i * 12.5, 52 - i * 3.4
        for side in (-1, 1):
            c.path(f"M{x + i * 0.6:.0f} {y:.0f}Q{x + side * long * 0.6:.0f} {y - 20:.0f} {x + side * long:.0f} {y - 16:.0f}Q{x + side * long * 0.6:.0f} {y - 4:.0f} {x + i * 0.6:.0f} {y:.0f}Z", "#e9f1fb")


def lamp(c):
    c.ellipse(1360, 930, 74, 14, "#3a1d10", opacity=0.25)
    c.line("M1360 922V330", "#4a3a30", 11)
    c.ellipse(1360, 924, 62, 13, "#4a3a30")
    c.path("M1290 350L1316 210H1404L1430 350Z", c.down("#fff0c8", "#ffd98a"))
    c.ellipse(1360, 350, 70, 13, "#fffbe8")
    mist(c, 1360, 360, 330, 330, "#ffdf9a", 0.6)


def plant(c):
    for turn, long, tone in ((-46, 330, "#4d7f58"), (40, 350, "#3f6f4c"), (-20, 430, "#5c9166"), (16, 450, "#4d7f58"), (-72, 230, "#3f6f4c"), (68, 250, "#5c9166"), (-2, 330, "#6fa377")):
        with c.moved(110, 800, 1, turn=turn):
            c.line(f"M0 0L0 {-long * 0.6:.0f}", "#5c7a4a", 6)
            c.path(f"M0 {-long * 0.4:.0f}C-70 {-long * 0.55:.0f} -56 {-long * 0.9:.0f} 0 {-long}C56 {-long * 0.9:.0f} 70 {-long * 0.55:.0f} 0 {-long * 0.4:.0f}Z", tone)
            c.line(f"M0 {-long * 0.42:.0f}V{-long * 0.92:.0f}", lighter(tone, 0.2), 4)
    c.path("M30 780H190L172 950H48Z", c.across("#f3ece0", "#cdbfa9"))
    c.rect(22, 764, 176, 34, "#faf5ec", r=8)
    c.line("M40 850C90 866 130 866 182 850", "#1d5fd1", 9)


def sleeping_dog(c):
    """A spaniel in a curl, its head on its paws, one ear over the edge."""
    fur, dark, pale = "#c0753a", "#8f4f24", "#f7e6cf"
    c.ellipse(690, 812, 300, 24, "#1e3b38", opacity=0.45)
    # Back and haunch, rising and falling.
    c.path("M930 810C1010 780 1010 640 900 590C800 546 640 560 540 620C470 664 440 740 470 800C560 824 860 826 930 810Z", fur)
    c.path("M900 590C990 630 1010 760 940 806C900 816 820 816 790 800C830 790 880 720 870 660C866 620 880 600 900 590Z", dark, opacity=0.55)
    c.path("M760 812C730 760 770 680 850 676C930 680 960 760 930 812Z", lighter(fur, 0.08))
    for d in ("M640 592C620 610 612 630 612 652", "M700 580C684 600 678 620 680 642", "M760 578C752 596 748 612 750 630"):
        c.line(d, lighter(fur, 0.2), 8, opacity=0.6)
    # Tail round to the front.
    c.path("M930 800C900 836 780 846 700 830C690 820 700 808 716 808C800 812 860 800 900 770Z", dark)
    c.path(fluff(706, 822, 30, 17, 7, 0.25), pale)
    # Paws over the edge.
    for x in (440, 520):
        c.path(f"M{x + 90} 760C{x + 20} 756 {x - 40} 776 {x - 46} 806C{x - 48} 834 {x - 10} 840 {x + 20} 834C{x + 60} 826 {x + 100} 820 {x + 110} 800Z", pale if x < 500 else lighter(fur, 0.15))
        c.line(f"M{x - 30} 816L{x - 22} 832M{x - 8} 818L{x - 2} 836", darker(pale, 0.3), 5)
    with c.moved(530, 700, 1.06, turn=-7):
        c.path("M-150 40C-170 -60 -90 -132 20 -130C120 -128 176 -60 160 30C150 90 90 110 0 112C-80 114 -136 100 -150 40Z", fur)
        # Muzzle to the left, a white blaze.
        c.path("M-60 -20C-120 -10 -190 20 -196 62C-198 104 -130 116 -70 110C-20 104 6 70 0 30C-6 -4 -30 -24 -60 -20Z", pale)
        c.path("M-50 -16C-30 -60 0 -100 30 -130C54 -126 60 -120 60 -120C30 -90 10 -50 0 24Z", pale)
        nose(c, -178, 30, 56)
        c.line("M-176 74C-150 90 -120 92 -96 84", "#3a2018", 6)
        for x, y in ((-120, 52), (-104, 66), (-128, 70)):
            c.circle(x, y, 4, "#c9a37c")
        c.line("M-56 -18C-46 -4 -28 -2 -14 -12", "#3a2018", 8)
        c.line("M-66 -62Q-46 -76 -26 -66", dark, 8, opacity=0.8)
        # The long ear.
        c.path("M60 -100C130 -110 180 -40 176 50C176 120 150 170 110 164C70 160 60 110 64 60C66 10 30 -60 60 -100Z", dark)
        for d in ("M100 40C98 80 100 110 108 140", "M130 40C132 80 132 110 130 136", "M80 -60C100 -40 110 -10 112 10"):
            c.line(d, lighter(dark, 0.18), 6, opacity=0.8)
    # Dreams.
    for x, y, size in ((400, 560, 40), (360, 500, 54), (306, 432, 72)):
        c.text(x, y, "z", size, "#1d5fd1", font_weight=800, opacity=0.75)


def coffee():
    c = Canvas(1080, 1350, "Coffee at the window")
    chance = random.Random(29)
    # The street behind wet glass: soft lights only.
    c.ground(c.down("#2f4a78", "#54709c", "#c29a8e"))
    for _ in range(46):
        x, y, r = chance.randrange(1080), chance.randrange(60, 800), chance.randrange(24, 84)
        tone = chance.choice(("#ffd58a", "#ffb86a", "#fff0c8", "#8fc0f0", "#f28f7a"))
        c.circle(x, y, r, tone, opacity=round(chance.uniform(0.16, 0.5), 2))
        c.circle(x, y, r, "none", stroke=tone, stroke_width=2, opacity=0.3)
    mist(c, 540, 780, 700, 240, "#f6c9a0", 0.5)
    for _ in range(90):
        x, y, r = chance.randrange(40, 1040), chance.randrange(40, 860), chance.uniform(3, 10)
        c.ellipse(x, y, r * 0.85, r, "#dfeaf7", opacity=0.4)
        c.ellipse(round(x - r * 0.25, 1), round(y - r * 0.3, 1), r * 0.25, r * 0.3, "#ffffff", opacity=0.9)
    for _ in range(16):
        x, y = chance.randrange(60, 1020), chance.randrange(40, 500)
        long = chance.randrange(90, 300)
        c.line(wave([(x, y), (x + chance.randrange(-9, 9), y + long * 0.5), (x, y + long)]), "#dfeaf7", 5, opacity=0.3)
        c.ellipse(x, y + long, 7, 10, "#eef5fc", opacity=0.7)
    c.rect(0, 0, 1080, 40, "#6b4a36")
    c.rect(0, 0, 44, 900, c.across("#5a3d2c", "#8a6048"))
    c.rect(1036, 0, 44, 900, c.across("#8a6048", "#5a3d2c"))
    c.rect(526, 0, 30, 880, c.across("#8a6048", "#5a3d2c"))
    c.rect(0, 858, 1080, 46, c.down("#a3785a", "#6b4a36"))
    # Table.
    c.rect(0, 900, 1080, 450, c.down("#c98f5c", "#a56a3c", "#8a5530"))
    for i in range(14):
        y = 925 + i * i * 2.3
        c.line(wave([(0, y), (300, y + chance.randrange(-9, 9)), (700, y + chance.randrange(-9, 9)), (1080, y)]), "#7a4826", 4, opacity=0.4)
    mist(c, 480, 960, 620, 130, "#ffe3b4", 0.5)
    # A stack of books with glasses on it.
    for y, x, wide, tone in ((1000, 690, 330, "#2f6a9a"), (946, 706, 300, "#c9483e"), (896, 720, 270, "#e7c27a")):
        c.ellipse(x + wide / 2, y + 62, wide * 0.52, 12, "#3a1d10", opacity=0.25)
        c.rect(x, y, wide, 54, tone, r=8)
        c.rect(x + wide - 26, y + 7, 26, 40, "#f7efe0", r=3)
        c.line(f"M{x + 30} {y + 12}V{y + 42}M{x + 44} {y + 12}V{y + 42}", lighter(tone, 0.4), 5)
    for x in (790, 880):
        c.ellipse(x, 872, 40, 24, "#ffffff", fill_opacity=0.2, stroke="#2a1c19", stroke_width=7)
    c.line("M830 868Q835 858 840 868M750 870L726 888M920 870L950 886", "#2a1c19", 7)
    # Croissant on its plate.
    c.ellipse(800, 1206, 240, 66, "#3a1d10", opacity=0.28)
    c.ellipse(800, 1190, 236, 66, "#f7f1e8")
    c.ellipse(800, 1184, 176, 44, "#e6dccb")
    croissant(c, 800, 1130)
    # The cup with a heart of milk.
    c.ellipse(370, 1232, 310, 72, "#3a1d10", opacity=0.3)
    c.ellipse(360, 1210, 300, 76, "#1d5fd1")
    c.ellipse(360, 1202, 300, 74, "#f8f3ea")
    c.ellipse(360, 1204, 190, 42, "#dcd2c2")
    c.path("M560 980C680 950 700 1110 530 1110", stroke="#f8f3ea", stroke_width=40)
    c.path("M560 980C680 950 700 1110 530 1110", stroke="#d9cfc0", stroke_width=10, opacity=0.6)
    c.path("M140 950C146 1080 200 1210 280 1216H440C520 1210 574 1080 580 950Z", c.across("#ffffff", "#f8f3ea", "#cfc4b4"))
    c.path("M150 1024C250 1060 470 1060 570 1024L562 1064C470 1098 250 1098 158 1064Z", "#1d5fd1")
    c.ellipse(360, 950, 220, 66, "#fffdf8")
    c.ellipse(360, 954, 200, 56, "#6b3d22")
    c.ellipse(360, 956, 190, 51, "#a5683a")
    c.path("M360 994C300 976 250 962 256 940C264 918 330 922 360 940C390 922 456 918 464 940C470 962 420 976 360 994Z", "#f9ecd6")
    c.path("M360 976C324 964 296 956 300 944C308 932 344 938 360 950C376 938 412 932 420 944C424 956 396 964 360 976Z", "#c58a55")
    c.path("M360 964C342 958 330 954 334 949C340 944 354 948 360 954C366 948 380 944 386 949C390 954 378 958 360 964Z", "#f9ecd6")
    for x, h in ((280, 0), (370, 60), (450, 20)):
        steam = c.down(("#ffffff", 0), ("#ffffff", 0.5), ("#ffffff", 0))
        y = 900 - h
        c.path(f"M{x} {y}C{x - 70} {y - 90} {x + 70} {y - 160} {x} {y - 260}C{x - 30} {y - 310} {x - 10} {y - 350} {x + 20} {y - 380}C{x + 10} {y - 330} {x + 30} {y - 300} {x + 44} {y - 250}C{x + 90} {y - 150} {x - 20} {y - 90} {x + 30} {y}Z", steam)
    with c.moved(500, 1258, 1, turn=-8):
        c.ellipse(-130, 0, 44, 17, "#c9ccd4")
        c.ellipse(-130, -3, 34, 10, "#eceef2")
        c.path("M-90 -6L130 -9C146 -9 146 9 130 9L-90 6Z", "#c9ccd4")
    return c


def croissant(c, x, y):
    tones = ("#b5682c", "#cf8438", "#e09a48", "#cf8438", "#b5682c")
    for i, tone in enumerate(tones):
        spread = i - 2
        dx, dy, turn = spread * 66, abs(spread) ** 1.7 * 17, spread * 24
        size = 1.08 - abs(spread) * 0.2
        with c.moved(x + dx, y + dy, size, turn=turn):
            c.path("M-66 50C-84 0 -56 -66 0 -66C56 -66 84 0 66 50C40 66 -40 66 -66 50Z", tone)
            c.path("M-40 -34C-24 -56 10 -60 30 -48C10 -50 -16 -46 -40 -34Z", "#f6cf8a", opacity=0.9)
            c.line("M-56 30C-30 44 30 44 56 30", darker(tone, 0.18), 5, opacity=0.6)
    for dx, dy in ((-190, 74), (170, 84), (210, 70), (-120, 92)):
        c.ellipse(x + dx, y + dy, 9, 5, "#cf8438", turn=math.degrees(dx))


def drawings():
    return {"sofa": sofa(), "coffee": coffee()}


DESCRIPTIONS = {
    "sofa": "A brown and white dog sleeps on a green sofa in the light of a window.",
    "coffee": "A cup of coffee with a heart of milk and a croissant at a rainy window in the evening.",
}
