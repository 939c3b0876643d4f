"""Snap pictures that joke: an animal and a caption above and below it."""

import math
import random

from drawing.animals import eye, fluff, nose, paw, shadow, smile
from drawing.canvas import Canvas, darker, lighter

WIDTH, HEIGHT = 1080, 1440


def caption(c, above, below):
    """White capitals with a dark edge, as large as the width allows."""
    for words, y in ((above, 172), (below, 1372)):
        size = min(132, 1500 / max(8, len(words)))
        c.text(WIDTH / 2, y, words, size, "#ffffff", font_weight=900, stroke="#17130f",
               stroke_width=size * 0.15, stroke_linejoin="round", paint_order="stroke",
               letter_spacing=size * 0.03)


def cat_and_mug():
    c = Canvas(WIDTH, HEIGHT, "Cat and mug")
    grey, light = "#6f7d92", "#dfe4ea"
    c.ground(c.down("#f3c9a8", "#e9a987"))
    # Wall, window with evening sun, table.
    c.rect(96, 250, 400, 520, "#f9e3cd", r=14)
    c.rect(120, 274, 352, 472, c.down("#7fb2e0", "#f7d9a8"), r=6)
    c.circle(384, 600, 60, "#fff0c4")
    c.path("M120 690C220 620 300 680 472 640L472 746L120 746Z", "#6d93a8")
    c.line("M296 274L296 746M120 510L472 510", "#f9e3cd", 16)
    c.path("M0 1060L860 1060L900 1110L0 1110Z", "#a9623c")
    c.rect(0, 1110, 900, 330, c.down("#8a4a2c", "#6d3820"))
    c.path("M900 1110L1080 1440L900 1440Z", "#000000", opacity=0.06)
    # Tail, body, head.
    c.line("M250 1020C150 1010 120 900 180 850C210 826 226 850 210 876", grey, 50)
    c.path("M226 1064C216 900 300 800 420 790C560 780 650 860 660 1064Z", grey)
    c.path("M340 1064C330 940 380 860 440 850C510 856 550 940 540 1064Z", light)
    for y in (900, 950, 1000):
        c.line(f"M244 {y + 20}Q280 {y} 306 {y + 6}", darker(grey, 0.25), 16)
    with c.moved(440, 660, 1.1, turn=-4):
        for side in (-1, 1):
            with c.moved(0, 0, flip=side > 0):
                c.path("M-180 -40C-196 -150 -190 -220 -176 -240C-140 -236 -80 -180 -50 -140Z", grey)
                c.path("M-158 -80C-168 -150 -164 -186 -158 -200C-134 -194 -104 -164 -88 -140Z", "#eab4ab")
        c.path("M-190 10C-196 -100 -110 -160 0 -160C110 -160 196 -100 190 10C186 110 100 160 0 160C-100 160 -186 110 -190 10Z", grey)
        for x, long in ((-40, 54), (0, 70), (40, 54)):
            c.line(f"M{x} -150L{x * 0.7:.0f} {-150 + long}", darker(grey, 0.28), 16)
        for side in (-1, 1):
            c.line(f"M{side * 184} 20L{side * 138} 30M{side * 176} 62L{side * 136} 62", darker(grey, 0.25), 12)
        c.path("M-96 70C-96 30 -40 30 0 40C40 30 96 30 96 70C96 130 50 152 0 152C-50 152 -96 130 -96 70Z", light)
        for side in (-1, 1):
            # Eyes half closed: it has seen nothing.
            c.ellipse(side * 86, -10, 46, 42, "#f4d64e")
            c.ellipse(side * 86 + 14, -6, 15, 32, "#1d1512")
            c.circle(side * 86 + 22, -12, 7, "#ffffff")
            c.path(f"M{side * 86 - 54} -12C{side * 86 - 50} -70 {side * 86 + 50} -70 {side * 86 + 54} -12Z", darker(grey, 0.12))
            for dy in (-10, 14):
                c.line(f"M{side * 66} {88 + dy}L{side * 206} {74 + dy * 2.2:.0f}", "#ffffff", 4, opacity=0.8)
        c.path("M-26 52C-26 42 26 42 26 52C26 68 10 80 0 80C-10 80 -26 68 -26 52Z", "#d9827c")
        c.line("M-48 98C-30 114 -6 112 0 92C6 112 30 114 48 98", "#2b2320", 8)
    c.path("M560 900C640 900 720 930 776 962C806 980 800 1024 762 1022C700 1018 640 1000 570 1010Z", grey)
    c.ellipse(768, 992, 44, 34, light)
    c.line("M790 980L806 984M788 1000L804 1006", "#b6bdc8", 6)
    # The mug leaves the table.
    with c.moved(948, 1016, 1.08, turn=27):
        c.ellipse(92, 0, 46, 54, "none", stroke="#1d4fb0", stroke_width=24)
        c.path("M-92 -104L92 -104L80 92C76 116 -76 116 -80 92Z", "#1d5fd1")
        c.ellipse(0, -104, 92, 24, "#f7f1e6")
        c.ellipse(0, -100, 76, 16, "#5b341e")
        c.path("M0 30L-34 -6C-54 -32 -22 -58 0 -32C22 -58 54 -32 34 -6Z", "#ffffff", opacity=0.9)
    for x, y, r in ((986, 830, 20), (1032, 872, 13), (940, 846, 11), (1040, 806, 9)):
        c.path(f"M{x} {y - r * 1.5}C{x + r} {y - r * 0.3} {x + r} {y + r} {x} {y + r}C{x - r} {y + r} {x - r} {y - r * 0.3} {x} {y - r * 1.5}Z", "#5b341e")
    c.line("M822 880C846 866 862 866 878 872M806 1100C820 1130 826 1150 824 1176", "#7d4026", 9, opacity=0.6)
    caption(c, "IT WAS LIKE THAT", "WHEN I GOT HERE")
    return c


def office_pigeon():
    c = Canvas(WIDTH, HEIGHT, "Pigeon at the office")
    plume, dark = "#8a97ad", "#5f6c84"
    c.ground(c.down("#cfdfe6", "#a9c3cf"))
    # Blinds, plant, chair back.
    c.rect(600, 250, 400, 560, "#f6f2e8", r=10)
    for y in range(276, 800, 44):
        c.rect(620, y, 360, 28, "#fdfaf1" if (y // 44) % 2 else "#e6eee9")
    c.glow(800, 420, 330, "#fff4cf", 0.85)
    c.rect(90, 880, 170, 180, "#c96f4a", r=16)
    for turn, long in ((-50, 240), (-24, 300), (0, 330), (24, 300), (50, 240)):
        with c.moved(175, 890, 1, turn=turn):
            c.path(f"M0 0C-50 {-long * 0.4} -36 {-long * 0.8} 0 {-long}C36 {-long * 0.8} 50 {-long * 0.4} 0 0Z", "#4f8a63" if turn % 48 else "#3f7554")
    c.path("M310 1080C290 760 380 600 540 600C700 600 790 760 770 1080Z", "#3a4457")
    # Body in a suit.
    c.path("M330 1120C320 900 400 760 540 760C680 760 760 900 750 1120Z", "#27364f")
    c.path("M454 790L540 1010L626 790Z", "#fbf8f2")
    c.path("M400 820L520 1080L454 780ZM680 820L560 1080L626 780Z", "#1c2940")
    c.path("M510 850L570 850L556 900L590 1040L540 1090L490 1040L524 900Z", "#c8312f")
    for i in range(4):
        c.line(f"M{512 - i * 3} {920 + i * 36}L{572 + i * 4} {900 + i * 36}", "#f4d6a6", 9)
    # Neck with its shimmer, head, eyes.
    c.path("M436 560C436 690 396 750 412 800C480 860 600 860 668 800C684 750 644 690 644 560Z", c.down("#7d8ba4", "#3f9d87", "#8a5aa8"))
    for i in range(4):
        c.line(f"M{452 + i * 6} {700 + i * 30}Q540 {742 + i * 30} {628 - i * 6} {700 + i * 30}", "#ffffff", 6, opacity=0.18)
    c.path("M396 520C392 400 450 320 540 320C630 320 688 400 684 520C680 620 620 668 540 668C460 668 400 620 396 520Z", plume)
    c.path("M420 430C450 350 500 330 540 330C580 330 630 350 660 430C620 380 460 380 420 430Z", lighter(plume, 0.25), opacity=0.6)
    for side in (-1, 1):
        x = 540 + side * 84
        c.circle(x, 486, 56, "#f7a35a")
        c.circle(x, 486, 46, "#e96f34")
        c.circle(x, 490, 26, "#1b1210")
        c.circle(x + 9, 480, 9, "#ffffff")
        c.line(f"M{540 + side * 30} 436L{540 + side * 138} 416", dark, 20)
    c.path("M486 560C486 540 516 536 540 548C564 536 594 540 594 560C594 580 566 586 540 576C514 586 486 580 486 560Z", "#f4eee4")
    c.path("M500 574C516 584 564 584 580 574C576 620 556 652 540 660C524 652 504 620 500 574Z", "#3b3434")
    c.line("M508 606Q540 618 572 606", "#241e1e", 5)
    # Desk, laptop, mug of seeds, wings typing.
    c.rect(0, 1070, WIDTH, 370, c.down("#b98455", "#8f5f3a"))
    c.rect(0, 1070, WIDTH, 22, "#d9a878")
    c.path("M300 1130L350 900L730 900L780 1130Z", "#dfe3e8")
    c.path("M300 1130L350 900L730 900L780 1130Z", "none", stroke="#b8bfc9", stroke_width=8)
    c.circle(540, 1012, 30, "#b4bcc8")
    feather(c, 540, 1010, 0.36, 20)
    c.path("M260 1130L820 1130L842 1176C844 1190 236 1190 238 1176Z", "#c5ccd6")
    for side in (-1, 1):
        with c.moved(540, 0, flip=side > 0):
            c.path("M-214 900C-300 960 -320 1080 -250 1150C-220 1172 -176 1160 -168 1126C-196 1080 -190 1010 -150 960Z", "#223049")
            c.path("M-262 1140C-300 1176 -250 1196 -216 1184C-176 1190 -150 1160 -170 1124Z", plume)
            c.line("M-250 1170L-232 1184M-226 1166L-208 1182", dark, 7)
    c.rect(850, 1010, 130, 150, "#fdf8ee", r=16)
    c.ellipse(984, 1084, 32, 38, "none", stroke="#fdf8ee", stroke_width=16)
    c.ellipse(915, 1012, 65, 18, "#e0b66c")
    for x, y in ((876, 1004), (900, 996), (930, 1000), (952, 1006), (915, 1010)):
        c.ellipse(x, y, 14, 8, "#c08a3e", turn=x % 50)
    c.text(915, 1108, "BREAD", 32, "#1d5fd1", font_weight=800)
    caption(c, "AS PER MY", "LAST COO")
    return c


def monday_sloth():
    c = Canvas(WIDTH, HEIGHT, "Sloth on Monday")
    fur, face = "#9a7f63", "#e9d3ae"
    leaves = random.Random(12)
    c.ground(c.down("#bfe0c0", "#7fb98f", "#3f8065"))
    c.glow(300, 420, 460, "#fdf6c8", 0.8)
    for tone, low, high in (("#5fa37a", 220, 520), ("#34745a", 1000, 1300)):
        for _ in range(26):
            with c.moved(leaves.randrange(-40, 1120), leaves.randrange(low, high), leaves.uniform(0.8, 1.7), leaves.randrange(360)):
                leaf(c, tone, 0.55)
    c.path("M-20 470C200 420 420 430 620 452C800 470 940 430 1100 400L1100 470C940 500 800 540 620 520C420 500 200 500 -20 546Z", c.down("#8a5a36", "#5f3b22"))
    # Legs over the branch, body in the hammock of itself.
    for x, tip in ((232, 300), (848, 780)):
        c.line(f"M{x} 480C{x - 20} 620 {tip - 10} 700 {tip} 800", fur, 104)
    c.path("M210 800C200 640 380 640 540 660C700 640 880 640 870 800C860 1010 720 1090 540 1090C360 1090 220 1010 210 800Z", fur)
    c.path("M300 850C300 740 420 720 540 730C660 720 780 740 780 850C770 970 670 1020 540 1020C410 1020 310 970 300 850Z", lighter(fur, 0.2))
    for x in (232, 848):
        c.path(f"M{x - 56} 500C{x - 60} 440 {x + 60} 440 {x + 56} 500Z", fur)
        for dx in (-36, 0, 36):
            c.line(f"M{x + dx} 450C{x + dx - 6} 420 {x + dx + 10} 404 {x + dx + 22} 420", "#f7ecd8", 20)
    with c.moved(540, 770, 1.12, turn=6):
        c.path(fluff(0, 0, 236, 206, 26, 0.035), darker(fur, 0.12))
        c.path("M-190 10C-190 -110 -90 -160 0 -150C90 -160 190 -110 190 10C190 110 100 160 0 160C-100 160 -190 110 -190 10Z", face)
        for side in (-1, 1):
            with c.moved(0, 0, flip=side > 0):
                c.path("M-40 -50C-90 -70 -180 -20 -212 60C-170 70 -70 50 -40 -10Z", "#6b4a32")
            c.ellipse(side * 88, -6, 40, 36, "#fffaf0")
            c.circle(side * 88 + 4, 4, 22, "#241610")
            c.circle(side * 88 + 10, -2, 6, "#ffffff")
            c.path(f"M{side * 88 - 46} 0C{side * 88 - 42} -54 {side * 88 + 42} -54 {side * 88 + 46} 0Z", "#5b3d28")
            c.path(f"M{side * 88 - 30} 44Q{side * 88} 58 {side * 88 + 30} 44", stroke="#c9a87c", stroke_width=8, stroke_linecap="round")
        nose(c, 0, 32, 84)
        c.line("M-78 108C-40 138 40 138 78 108", "#3a241a", 10)
        for x, y, h in ((-60, -196, -34), (-20, -206, -10), (20, -208, 18), (60, -196, 40)):
            c.line(f"M{x} {y + 20}Q{x + h * 0.3:.0f} {y - 10} {x + h * 0.6:.0f} {y - 30}", darker(fur, 0.12), 18)
    # A mug on its belly and the week's progress.
    c.rect(450, 974, 180, 134, "#fbf6ea", r=18)
    c.ellipse(540, 976, 88, 14, "#e4d9c4")
    c.text(540, 1066, "zzz", 60, "#1d5fd1", font_weight=800)
    for x in (432, 648):
        c.path(f"M{x - 46} 1040C{x - 50} 990 {x + 50} 990 {x + 46} 1040C{x + 44} 1084 {x - 44} 1084 {x - 46} 1040Z", fur)
    c.rect(190, 1166, 700, 74, "#17211c", r=37, opacity=0.85)
    c.rect(202, 1178, 676, 50, "#ffffff", r=25, opacity=0.16)
    c.rect(202, 1178, 60, 50, "#6ea4ff", r=25)
    c.text(540, 1214, "3 %", 34, "#ffffff", font_weight=700)
    caption(c, "MONDAY", "STILL LOADING")
    return c


def leaf(c, tone, opacity=1):
    c.path("M0 70C-56 20 -46 -50 0 -86C46 -50 56 20 0 70Z", tone, opacity=opacity)
    c.line("M0 70L0 -60", darker(tone, 0.2), 4, opacity=opacity)


def cushion_dog():
    c = Canvas(WIDTH, HEIGHT, "Dog and cushion")
    fur, ear, down = "#e9b271", "#a9652f", random.Random(21)
    c.ground(c.down("#e7dfd2", "#d8ccba"))
    # Picture, sofa, floor.
    c.rect(110, 260, 250, 190, "#8a5a3a", r=6)
    c.rect(128, 278, 214, 154, c.down("#8ec0e8", "#f6dca8"))
    c.path("M128 432L190 340L240 390L280 320L342 432Z", "#4d7f8f")
    c.rect(0, 1080, WIDTH, 360, c.down("#b98a5e", "#9a6c44"))
    for y in (1130, 1230, 1340):
        c.line(f"M0 {y}L1080 {y}", "#8a5e3a", 4, opacity=0.5)
    blue = "#3c6aa8"
    c.rect(40, 560, 1000, 500, darker(blue, 0.15), r=90)
    c.rect(110, 780, 860, 260, blue, r=50)
    c.line("M540 800L540 1020", darker(blue, 0.2), 8)
    for x in (0, 900):
        c.rect(x, 700, 180, 400, lighter(blue, 0.12), r=80)
    c.rect(90, 1080, 60, 60, "#5b3b22")
    c.rect(930, 1080, 60, 60, "#5b3b22")
    with c.moved(0, -70):
        c.ellipse(540, 1250, 480, 90, "#c9483e")
        c.ellipse(540, 1250, 430, 72, "none", stroke="#f3d9b8", stroke_width=10)
        # Torn cushion.
        with c.moved(800, 1190, 1.15, turn=12):
            c.path("M-150 -90C-60 -70 60 -110 150 -84C136 -20 140 60 156 110C60 90 -60 120 -150 100C-134 40 -136 -30 -150 -90Z", "#f0b93c")
            c.path("M-60 -40L-20 -10L-44 14L4 20L-10 58L56 16L34 -4L66 -36L10 -22Z", "#fffdf6")
            c.path(fluff(0, 4, 44, 30, 9, 0.2), "#ffffff")
        # The dog, sitting in the middle of it.
        shadow(c, 470, 1262, 250, 26, 0.25)
        c.line("M650 1190C740 1170 770 1090 742 1030", ear, 40)
        c.path("M300 1240C270 1040 330 860 470 850C610 860 670 1040 640 1240Z", fur)
        c.path("M380 1240C364 1080 400 930 470 920C540 930 576 1080 560 1240Z", lighter(fur, 0.45))
        for side in (-1, 1):
            c.ellipse(470 + side * 156, 1212, 74, 62, darker(fur, 0.08))
            x = 470 + side * 62
            c.path(f"M{x - 50} 1020C{x - 46} 1120 {x - 44} 1190 {x - 46} 1240L{x + 46} 1240C{x + 44} 1190 {x + 46} 1120 {x + 50} 1020Z", fur)
            paw(c, x, 1264, 118, lighter(fur, 0.25))
        with c.moved(470, 700, 1.12, turn=5):
            c.path("M-180 -30C-180 -160 -100 -210 0 -210C100 -210 180 -160 180 -30C180 60 150 110 126 140C96 184 56 200 0 200C-56 200 -96 184 -126 140C-150 110 -180 60 -180 -30Z", fur)
            for side in (-1, 1):
                with c.moved(0, 0, flip=side > 0):
                    c.path("M-104 -190C-190 -230 -270 -170 -256 -80C-250 -20 -206 -10 -184 -50C-160 -90 -130 -130 -104 -190Z", ear)
            c.path("M-40 -120C-14 -140 14 -140 40 -120C70 -50 124 40 112 126C94 182 50 200 0 200C-50 200 -94 182 -112 126C-124 40 -70 -50 -40 -120Z", lighter(fur, 0.45))
            c.ellipse(88, -24, 62, 70, ear, turn=-12)
            for side in (-1, 1):
                eye(c, side * 86, -20, 68, look=(0.5 * side, 0.1))
            c.line("M-116 -98Q-90 -124 -60 -112M60 -118Q92 -126 118 -96", darker(ear, 0.3), 11)
            smile(c, 0, 110, 132, tongue=0.62)
            nose(c, 0, 18, 104)
            feather(c, -70, -196, 0.8, -20)
            feather(c, 52, 66, 0.42, 70)
    for _ in range(44):
        x, y = down.randrange(40, 1040), down.randrange(280, 1220)
        if math.hypot(x - 470, (y - 700) * 0.7) > 290:
            feather(c, x, y, down.uniform(0.45, 1.0), down.randrange(360))
    for x, y in ((230, 1196), (650, 1222), (890, 1222), (120, 1160), (980, 1150)):
        c.path(fluff(x, y, 60, 26, 9, 0.2), "#ffffff")
    caption(c, "IT WAS FULL", "OF BIRD")
    return c


def feather(c, x, y, size, turn):
    with c.moved(x, y, size, turn):
        c.path("M0 46C-30 20 -26 -30 4 -60C26 -26 26 24 0 46Z", "#ffffff", opacity=0.96)
        c.line("M0 70L2 -40", "#d9d2c6", 4)


def drawings():
    return {"memes-1": cat_and_mug(), "memes-2": office_pigeon(), "memes-3": monday_sloth(), "memes-4": cushion_dog()}


DESCRIPTIONS = {
    "memes-1": "A cat with half-closed eyes pushes a mug off the table. Caption: It was like that when I got here.",
    "memes-2": "A stern pigeon in a suit types on a laptop. Caption: As per my last coo.",
    "memes-3": "A sleepy sloth hangs from a branch over a progress bar at 3 %. Caption: Monday, still loading.",
    "memes-4": "A happy dog sits among the feathers of a torn cushion. Caption: It was full of bird.",
}
