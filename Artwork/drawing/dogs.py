"""Snap pictures of dogs: a beagle with its ball, a dachshund in the rain, a Samoyed in the
snow, a retriever with its head out of a car window."""

import random

from drawing.animals import eye, fluff, nose, paw, shadow, smile, whisker_dots
from drawing.canvas import Canvas, darker, lighter, wave

WIDTH, HEIGHT = 1080, 1440


def beagle():
    c = Canvas(WIDTH, HEIGHT, "Beagle with a ball")
    tan, brown, white = "#c9803f", "#6e3d22", "#fdf5e8"
    c.ground(c.down("#fbd984", "#f6c25a"))
    c.circle(540, 640, 470, "#fde7ae", opacity=0.75)
    c.path("M0 1190C300 1160 780 1160 1080 1190L1080 1440L0 1440Z", c.down("#e79a4c", "#d98236"))
    shadow(c, 540, 1330, 330, 36)
    # Tail, haunches, body.
    c.line("M800 1230C900 1200 930 1110 915 1030", tan, 46)
    c.line("M917 1060C918 1040 917 1030 914 1016", white, 46)
    for side in (-1, 1):
        c.ellipse(540 + side * 205, 1205, 120, 128, darker(tan, 0.1))
        c.ellipse(540 + side * 250, 1312, 92, 38, white)
    c.path("M380 820C330 960 316 1120 352 1290C430 1330 650 1330 728 1290C764 1120 750 960 700 820Z", tan)
    c.path("M430 830C400 960 396 1100 420 1300L660 1300C684 1100 680 960 650 830Z", white)
    for side in (-1, 1):
        x = 540 + side * 74
        c.path(f"M{x - 62} 1010C{x - 58} 1120 {x - 54} 1220 {x - 56} 1310L{x + 56} 1310"
               f"C{x + 54} 1220 {x + 58} 1120 {x + 62} 1010Z", "#fbf0de")
        paw(c, x, 1340, 138, white, "#dcc3a0")
    c.line("M540 1060L540 1300", "#e2cba9", 8)
    # Collar and tag.
    c.path("M392 866C470 930 610 930 688 866L694 916C610 984 470 984 386 916Z", "#1d5fd1")
    c.circle(540, 985, 36, "#f4c445")
    c.circle(540, 985, 22, "#e0a828")
    with c.moved(540, 600, 1.28, turn=-9):
        for side in (-1, 1):
            with c.moved(0, 0, flip=side > 0):
                c.path("M-120 -190C-220 -200 -268 -60 -262 70C-258 150 -206 172 -176 110C-150 50 -150 -60 -120 -190Z", brown)
                c.path("M-150 -120C-204 -90 -226 10 -222 80C-220 112 -200 116 -188 88C-172 40 -168 -40 -150 -120Z", darker(brown, 0.3), opacity=0.6)
        c.path("M-186 -40C-186 -170 -100 -216 0 -216C100 -216 186 -170 186 -40C186 40 166 90 140 130C110 180 60 205 0 205C-60 205 -110 180 -140 130C-166 90 -186 40 -186 -40Z", tan)
        c.path("M-184 -70C-190 -170 -110 -222 -34 -216C-30 -170 -60 -130 -110 -120C-150 -110 -176 -90 -184 -70Z", brown)
        c.path("M184 -70C190 -170 110 -222 34 -216C30 -170 60 -130 110 -120C150 -110 176 -90 184 -70Z", brown)
        c.path("M-20 -217C-8 -150 -22 -90 -54 -30C-108 20 -134 84 -124 140C-100 190 -50 205 0 205C50 205 100 190 124 140C134 84 108 20 54 -30C22 -90 8 -150 20 -217Z", white)
        for side in (-1, 1):
            eye(c, side * 92, -26, 66, look=(0.4, -0.3))
            c.line(f"M{side * 62} -92Q{side * 92} -112 {side * 124} -92", darker(brown, 0.2), 9, opacity=0.7)
        whisker_dots(c, 0, 96, 70, "#c9a886")
        smile(c, 0, 116, 140, tongue=0.55)
        nose(c, 0, 20, 108)
    # Tennis ball.
    shadow(c, 236, 1342, 92, 18)
    c.circle(236, 1262, 84, c.down("#dcea5e", "#b9cf3a"))
    c.line("M176 1206C222 1232 232 1300 196 1336M300 1210C262 1240 262 1300 292 1326", "#fbfff0", 10)
    return c


def dachshund():
    c = Canvas(WIDTH, HEIGHT, "Dachshund in the rain")
    fur, coat = "#8a4a26", "#f5bd33"
    rain = random.Random(4)
    c.ground(c.down("#22385f", "#40608f", "#7d92ae"))
    # A row of houses in the dusk with lit windows.
    x = -30
    for width, top, tone in ((240, 300, "#2c4570"), (210, 420, "#34507e"), (280, 240, "#2a4168"), (220, 380, "#365483"), (260, 310, "#2d4874")):
        c.path(f"M{x} 1100L{x} {top}L{x + width / 2} {top - 80}L{x + width} {top}L{x + width} 1100Z", tone)
        for row in range(5):
            for column in range(2):
                lit = rain.random() < 0.45
                c.rect(x + width * (0.2 + 0.36 * column), top + 60 + row * 130, width * 0.22, 76,
                       "#ffd98a" if lit else lighter(tone, 0.08), r=6, opacity=0.9 if lit else 1)
        x += width
    for x, y, r in ((140, 420, 150), (850, 500, 190), (520, 360, 130)):
        c.glow(x, y, r, "#ffd58a", 0.5)
    c.rect(0, 1040, WIDTH, 400, c.down("#5a6f8f", "#33466a"))
    c.ellipse(540, 1290, 470, 88, "#8ba3c4", opacity=0.55)
    # The reflection, then the dog.
    with c.group(opacity=0.3, transform="matrix(1 0 0 -0.42 0 1790)"):
        dachshund_body(c, fur, coat)
    shadow(c, 530, 1256, 360, 20, 0.3)
    dachshund_body(c, fur, coat)
    for _ in range(90):
        x, y, long = rain.randrange(0, 1080), rain.randrange(0, 1300), rain.randrange(26, 64)
        c.line(f"M{x} {y}l{-long * 0.2:.0f} {long}", "#e4eefb", 4, opacity=round(rain.uniform(0.25, 0.6), 2))
    for x, y in ((180, 1330), (420, 1380), (760, 1366), (930, 1300), (90, 1220)):
        c.ellipse(x, y, 42, 9, "none", stroke="#dbe7f6", stroke_width=4, opacity=0.6)
    return c


def dachshund_body(c, fur, coat):
    dark = darker(fur, 0.22)
    c.line("M196 1040C130 1010 110 940 132 880", fur, 36)
    for x in (250, 690):
        c.path(f"M{x} 1100L{x + 6} 1216C{x + 4} 1252 {x + 96} 1252 {x + 92} 1218L{x + 100} 1100Z", dark)
    c.path("M170 1080C160 960 240 920 340 926C480 932 620 936 740 900L860 950C880 1040 850 1130 780 1150C620 1180 380 1180 260 1160C200 1150 176 1120 170 1080Z", fur)
    for x in (196, 748):
        c.path(f"M{x} 1080L{x + 8} 1220C{x + 4} 1260 {x + 108} 1260 {x + 102} 1222L{x + 108} 1080Z", fur)
        c.line(f"M{x + 84} 1226L{x + 84} 1246", dark, 6)
    # Coat with collar, pocket and buttons.
    c.path("M300 916C440 924 600 932 730 886C790 920 838 1000 816 1120C760 1150 690 1120 620 1130C520 1150 420 1140 330 1136C270 1080 276 980 300 916Z", coat)
    c.path("M300 916C276 980 270 1080 330 1136C350 1137 376 1139 400 1140C352 1080 340 990 362 919Z", darker(coat, 0.12))
    c.line("M410 1096C520 1110 660 1090 800 1072", darker(coat, 0.22), 7, opacity=0.5)
    c.rect(500, 990, 130, 96, darker(coat, 0.1), r=16)
    c.rect(490, 982, 150, 34, darker(coat, 0.18), r=14)
    # Neck, hood, head looking over its shoulder at us.
    c.path("M690 930C660 880 680 760 760 720L930 760C920 860 900 950 850 1010C800 1000 740 980 690 930Z", coat)
    c.path("M842 1000C880 960 912 880 922 800L950 812C946 900 914 986 868 1034Z", darker(coat, 0.2))
    with c.moved(800, 690, 1.0, turn=4):
        c.path("M-150 30C-190 -120 -110 -210 10 -206C130 -202 180 -110 150 20C120 100 -100 110 -150 30Z", darker(coat, 0.14))
        c.path("M-118 10C-136 -110 -70 -160 10 -158C92 -156 138 -104 126 0C124 60 100 92 84 130C70 176 40 196 4 196C-34 196 -64 176 -78 130C-92 92 -114 60 -118 10Z", fur)
        for side in (-1, 1):
            with c.moved(4, 0, flip=side > 0):
                c.path("M-76 -112C-150 -120 -196 -20 -186 100C-180 160 -132 166 -112 110C-96 60 -96 -30 -76 -112Z", dark)
        c.path("M-60 78C-56 30 -30 10 4 10C38 10 64 30 68 78C76 150 46 196 4 196C-38 196 -68 150 -60 78Z", "#d99a5b")
        for side in (-1, 1):
            c.ellipse(4 + side * 52, -56, 20, 13, "#d99a5b", turn=side * 14)
            eye(c, 4 + side * 54, -14, 50, look=(-0.2, -0.4))
        smile(c, 4, 124, 84, tongue=0.5, weight=7)
        nose(c, 4, 50, 82)
        c.path("M-150 -96C-120 -210 130 -214 162 -96C120 -164 -100 -166 -150 -96Z", coat)


def samoyed():
    c = Canvas(WIDTH, HEIGHT, "Samoyed in the snow")
    snow = random.Random(9)
    c.ground(c.down("#8fb6dd", "#c6dcf0", "#f2e4dc"))
    c.glow(830, 300, 460, "#fff3d6", 0.95)
    for base, tone in ((800, "#8fabcb"), (930, "#6e8fb4")):
        for i in range(9):
            x = i * 145 + (40 if base > 850 else -30)
            fir(c, x, base + snow.randrange(-40, 60), snow.uniform(0.8, 1.25), tone)
    c.path("M0 960C260 880 520 940 700 910C860 886 980 900 1080 940L1080 1440L0 1440Z", c.down("#ffffff", "#dfe9f5"))
    c.path("M0 1160C260 1110 420 1180 640 1160C840 1142 960 1100 1080 1130L1080 1440L0 1440Z", c.down("#f8fbff", "#cfdef0"))
    shadow(c, 540, 1350, 390, 40, 0.12)
    tone = "#e6e3ea"
    c.path(fluff(880, 1000, 130, 150, 12, 0.16), "#f4f2f5")
    c.path(fluff(540, 1120, 330, 250, 22, 0.09), "#f6f4f6")
    c.path(fluff(540, 1060, 236, 230, 18, 0.1), "#ffffff")
    for side in (-1, 1):
        x = 540 + side * 110
        c.path(f"M{x - 78} 1120C{x - 84} 1220 {x - 80} 1280 {x - 78} 1330L{x + 78} 1330C{x + 80} 1280 {x + 84} 1220 {x + 78} 1120Z", "#ffffff")
        paw(c, x, 1364, 176, "#ffffff", "#d3d0da")
    c.line("M540 1190L540 1330", tone, 10)
    for side in (-1, 1):
        with c.moved(540, 620, flip=side > 0):
            c.path("M-250 -90C-290 -220 -270 -300 -236 -318C-180 -310 -110 -250 -90 -180Z", "#f7f5f7")
            c.path("M-222 -130C-246 -210 -240 -262 -226 -276C-190 -268 -146 -224 -130 -186Z", "#f2c6c0")
    c.path(fluff(540, 640, 322, 276, 24, 0.07), "#fbfafb")
    c.path(fluff(540, 610, 262, 226, 20, 0.05), "#ffffff")
    c.ellipse(540, 730, 150, 112, "#f5f2f4")
    for side in (-1, 1):
        eye(c, 540 + side * 112, 600, 64, iris="#2c1a12")
        c.circle(540 + side * 196, 706, 44, "#f6a5a0", opacity=0.3)
    c.path("M424 738C450 760 500 764 540 742C580 764 630 760 656 738C650 830 602 868 540 868C478 868 430 830 424 738Z", "#5a2223")
    c.path("M480 802C500 776 580 776 600 802C606 884 570 914 540 914C510 914 474 884 480 802Z", "#f0788a")
    c.line("M540 806L540 874", "#d4566c", 7)
    c.line("M404 724C436 770 506 778 540 738C574 778 644 770 676 724", "#3a2422", 10)
    nose(c, 540, 650, 112)
    # Scarf.
    red = "#cf3b3b"
    c.path("M300 862C420 960 660 960 780 862L806 940C680 1048 400 1048 274 940Z", red)
    c.path("M650 950L760 930L800 1180L676 1196Z", darker(red, 0.12))
    for y in (1130, 1166):
        c.line(f"M{668 + (y - 1130) * 0.1} {y + 16}L{792 + (y - 1130) * 0.12} {y}", "#fbe9dc", 14)
    for x in range(684, 800, 20):
        c.line(f"M{x} 1194l4 34", darker(red, 0.12), 9)
    c.line("M330 916C430 990 650 990 752 914", lighter(red, 0.25), 8, opacity=0.6)
    for _ in range(80):
        c.circle(snow.randrange(WIDTH), snow.randrange(HEIGHT), snow.choice((4, 6, 8, 11)), "#ffffff", opacity=round(snow.uniform(0.5, 0.95), 2))
    c.circle(520, 660, 11, "#ffffff")
    return c


def fir(c, x, base, size, tone):
    with c.moved(x, base, size):
        c.rect(-12, -30, 24, 60, darker(tone, 0.3))
        for top, low, half in ((-300, -170, 62), (-230, -90, 92), (-150, 0, 122)):
            c.path(f"M0 {top}L{half} {low}Q0 {low + 22} {-half} {low}Z", tone)
            c.path(f"M0 {top}L{half * 0.5:.0f} {(top + low) / 2:.0f}Q{half * 0.1:.0f} {(top + low) / 2 - 16:.0f} {-half * 0.35:.0f} {(top + low) / 2 - 20:.0f}Z", "#f6faff", opacity=0.85)


def retriever():
    c = Canvas(WIDTH, HEIGHT, "Retriever in the car window")
    gold, cream = "#dfa04e", "#f5d39a"
    c.ground(c.down("#5aa5dc", "#a9d5ee", "#fbe3b8"))
    c.glow(250, 330, 380, "#fff6d8", 0.9)
    c.path(wave([(0, 640), (200, 540), (420, 610), (640, 500), (860, 580), (1080, 520)], "L1080 900L0 900Z"), "#7fa7b8")
    c.rect(0, 690, WIDTH, 120, c.down("#3f86bd", "#6cb0d6"))
    c.path(wave([(0, 780), (260, 730), (560, 790), (820, 750), (1080, 790)], "L1080 1000L0 1000Z"), "#8fae5a")
    for y, x, long in ((250, 60, 220), (420, 760, 250), (560, 20, 180), (150, 560, 180), (690, 840, 200)):
        c.line(f"M{x} {y}L{x + long} {y}", "#ffffff", 9, opacity=0.65)
    # Window frame and the dark inside.
    c.path("M180 1120C200 820 330 560 560 500C760 450 940 470 1080 500L1080 1120Z", "#164a5c")
    c.path("M232 1120C256 850 372 620 580 560C760 510 930 524 1080 550L1080 1120Z", "#243239")
    c.path("M760 560C900 540 1000 548 1080 560L1080 900C980 830 860 700 760 560Z", "#34474f", opacity=0.8)
    # Ears in the wind, then the head.
    with c.moved(500, 740, 1.2, turn=-8):
        c.path("M120 120C200 200 230 300 220 420L-170 420C-180 300 -160 200 -120 120Z", darker(gold, 0.06))
        c.path("M150 -150C250 -210 350 -200 400 -150C360 -150 350 -130 386 -104C340 -104 330 -84 352 -52C280 -50 200 -60 150 -40Z", darker(gold, 0.25))
        c.path("M-190 -30C-190 -160 -110 -214 0 -214C110 -214 190 -160 190 -30C190 50 164 96 140 134C110 186 60 210 0 210C-60 210 -110 186 -140 134C-164 96 -190 50 -190 -30Z", gold)
        c.path("M-130 -160C-60 -250 60 -240 120 -170C180 -250 330 -280 420 -240C370 -230 360 -206 398 -184C344 -188 330 -166 354 -136C280 -150 220 -120 176 -60C160 -110 60 -190 -130 -160Z", darker(gold, 0.14))
        c.path("M-116 -168C-40 -220 60 -214 116 -166C60 -186 -40 -190 -116 -168Z", lighter(gold, 0.2))
        c.path("M-44 -60C-16 -76 16 -76 44 -60C90 -10 130 60 118 130C100 186 50 208 0 208C-50 208 -100 186 -118 130C-130 60 -90 -10 -44 -60Z", cream)
        # Sunglasses.
        c.line("M-44 -30Q0 -50 44 -30M-160 -36L-190 -60M160 -36L190 -60", "#1b1512", 14)
        for side in (-1, 1):
            with c.moved(side * 96, -22):
                c.path("M-64 -44C-30 -54 30 -54 64 -44C72 10 44 58 0 58C-44 58 -72 10 -64 -44Z", c.down("#1d2f55", "#3f7fe0"), stroke="#1b1512", stroke_width=10)
                c.path("M-40 -30L-8 -32L-34 24C-44 6 -44 -14 -40 -30Z", "#ffffff", opacity=0.35)
        c.path("M-84 104C-50 128 -20 128 0 112C20 128 50 128 84 104C84 160 46 186 0 186C-46 186 -84 160 -84 104Z", "#5a2223")
        c.path("M-20 150C-10 130 50 128 66 146C110 170 170 190 214 180C226 216 160 250 100 236C40 226 -20 200 -20 150Z", "#f0788a")
        c.line("M40 160C80 192 130 208 176 206", "#d4566c", 7)
        c.line("M-100 92C-70 132 -24 136 0 106C24 136 70 132 100 92", "#3a2422", 9)
        whisker_dots(c, 0, 80, 64, "#c58d4c")
        nose(c, 0, 22, 112)
    # The door and two paws on it.
    c.path("M0 1120L140 1104C420 1090 760 1090 1080 1104L1080 1440L0 1440Z", c.down("#2fa3a0", "#167577"))
    c.path("M0 1120L140 1104C420 1090 760 1090 1080 1104L1080 1136C760 1122 420 1122 140 1136L0 1152Z", "#bfe6df")
    for x in (350, 620):
        c.path(f"M{x - 74} 1060C{x - 84} 1020 {x + 84} 1020 {x + 74} 1060L{x + 80} 1150C{x + 80} 1206 {x - 80} 1206 {x - 80} 1150Z", gold)
        for dx in (-28, 28):
            c.line(f"M{x + dx} 1150L{x + dx} 1188", darker(gold, 0.3), 7)
    c.rect(790, 1226, 170, 40, "#d8efe9", r=20)
    c.rect(790, 1246, 170, 20, "#0f5558", r=10, opacity=0.35)
    c.line("M60 1360C400 1330 760 1330 1080 1350", "#0f5f62", 6, opacity=0.6)
    with c.moved(170, 1060, 1, turn=-6):
        c.rect(-120, -76, 190, 130, "#187274", r=44)
        c.rect(-104, -60, 158, 98, c.down("#cfe6f2", "#8fb9d4"), r=32)
        c.rect(30, 30, 44, 70, "#125a5c", r=16)
    return c


def drawings():
    return {"dogs-1": beagle(), "dogs-2": dachshund(), "dogs-3": samoyed(), "dogs-4": retriever()}


DESCRIPTIONS = {
    "dogs-1": "A beagle puppy sits with its head tilted and its tongue out beside a tennis ball.",
    "dogs-2": "A dachshund in a yellow raincoat stands in the rain on an evening street.",
    "dogs-3": "A white Samoyed with a red scarf laughs in the falling snow.",
    "dogs-4": "A golden retriever with sunglasses holds its head out of a car window, ears flying.",
}
