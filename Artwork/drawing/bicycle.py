"""A scene of the town: a bicycle leans at a warm wall between a door and a window."""

import math
import random

from drawing.animals import fluff
from drawing.canvas import Canvas, darker, lighter, wave


def bicycle():
    c = Canvas(1440, 1080, "Bicycle at a wall")
    chance = random.Random(19)
    c.ground(c.across("#efb76a", "#e8a457", "#d98f4a"))
    for _ in range(60):
        x, y = chance.randrange(1440), chance.randrange(800)
        c.rect(x, y, chance.randrange(40, 110), 18, lighter("#e8a457", 0.2) if chance.random() < 0.5 else darker("#e8a457", 0.12), r=6, opacity=0.3)
    c.rect(0, 730, 1440, 130, "#b9683e")
    c.rect(0, 724, 1440, 14, "#cf8450")
    c.rect(0, 860, 1440, 220, c.down("#d9b48c", "#b98a68"))
    for i in range(12):
        c.line(f"M{i * 140 - 60} 860L{i * 190 - 320} 1080", "#a3744f", 4, opacity=0.6)
    c.line("M0 930H1440M0 1010H1440", "#a3744f", 4, opacity=0.5)
    door(c, 150, 190)
    window(c, chance, 820, 150)
    # Leaf shadow over the wall, a vine from the corner.
    with c.group(opacity=0.13):
        for _ in range(38):
            with c.moved(chance.randrange(560, 1440), chance.randrange(-20, 420), chance.uniform(0.6, 1.3), chance.randrange(360)):
                c.path("M0 60C-50 20 -40 -40 0 -70C40 -40 50 20 0 60Z", "#5a2a14")
    c.line(wave([(1450, 40), (1330, 110), (1250, 90), (1150, 150), (1080, 110)]), "#5f4a2e", 9)
    for _ in range(64):
        t = chance.random() ** 0.7
        with c.moved(1450 - 400 * t + chance.gauss(0, 24), 50 + 70 * t + chance.gauss(0, 44), chance.uniform(0.4, 0.75), chance.randrange(360)):
            c.path("M0 60C-50 20 -40 -40 0 -70C40 -40 50 20 0 60Z", chance.choice(("#4f8a53", "#3c7346", "#6fa35a", "#5c9457")))
    for _ in range(18):
        t = chance.random()
        c.path(fluff(1440 - 380 * t, 60 + 80 * t + chance.gauss(0, 40), 19, 18, 5, 0.3, chance.random()), chance.choice(("#d9487d", "#ef7fa4")))
    # Shadows slant to the right, then the bicycle and a cat.
    with c.group(transform="matrix(1 0 -0.5 0.32 560 668)", opacity=0.22):
        wheels_and_frame(c, "#3a1d10", "#3a1d10", "#3a1d10", shadow=True)
    wheels_and_frame(c, "#1d5fd1", "#2a211c", "#e9e2d6")
    pot(c, chance, 620, 872, 0.9, ("#e2503f", "#f28f6a"))
    pot(c, chance, 66, 880, 1.1, ("#f6d06a", "#fff3d0"))
    with c.moved(1310, 880):
        c.ellipse(10, 2, 90, 12, "#3a1d10", opacity=0.3)
        c.line("M58 -8C110 -6 120 -50 98 -70", "#33302f", 15)
        c.path("M-54 0C-60 -70 -40 -120 0 -124C40 -120 72 -60 66 0Z", "#33302f")
        c.path("M-46 -120C-50 -160 -48 -176 -42 -182L-22 -160H14L34 -182C40 -176 42 -150 38 -120C30 -92 -38 -92 -46 -120Z", "#33302f")
        for x in (-22, 14):
            c.ellipse(x, -130, 7, 8, "#f4d64e")
            c.ellipse(x, -130, 2.5, 7, "#17130f")
        c.path("M-9 -116H1L-4 -110Z", "#d9827c")
        c.path("M-30 0C-32 -40 -26 -70 -4 -72C18 -70 24 -40 22 0Z", "#f4efe6")
        c.line("M-4 -30V-2", "#cfc8bc", 4)
    return c


def wheels_and_frame(c, paint, rubber, metal, shadow=False):
    front, back, axle, radius = (1120, 750), (740, 750), (900, 760), 136
    for x, y in (back, front):
        c.circle(x, y, radius, "none", stroke=rubber, stroke_width=13)
        c.circle(x, y, radius - 12, "none", stroke=metal, stroke_width=5)
        for i in range(14):
            a = math.pi * i / 14 + 0.1
            dx, dy = (radius - 14) * math.cos(a), (radius - 14) * math.sin(a)
            c.line(f"M{x - dx:.0f} {y - dy:.0f}L{x + dx:.0f} {y + dy:.0f}", metal, 2, opacity=0.8)
        c.circle(x, y, 11, metal)
    c.line(f"M{back[0]} {back[1]}L{axle[0]} {axle[1]}L{842} 590ZM{axle[0]} {axle[1]}C960 720 1030 640 1066 580", paint, 13)
    c.line("M850 620C920 640 1010 610 1066 566", paint, 13)
    c.line(f"M1056 520L1078 600L{front[0]} {front[1]}", paint, 13)
    c.line("M842 590L832 548", metal, 11)
    c.path("M780 536C800 520 850 524 890 536C890 552 850 556 826 560C800 564 776 556 780 536Z", "#6b3d24" if not shadow else paint)
    c.line("M1056 520C1046 490 1010 480 976 488C954 494 950 508 962 512", metal, 10)
    c.line("M982 487C960 492 948 504 962 513", "#6b3d24" if not shadow else paint, 15)
    c.circle(axle[0], axle[1], 36, "none", stroke=metal, stroke_width=8)
    c.line(f"M{axle[0]} {axle[1]}L{936} {806}M918 808L956 804", rubber, 9)
    c.line(f"M{back[0]} {back[1] - 14}L{axle[0]} {axle[1] - 36}M{back[0]} {back[1] + 14}L{axle[0]} {axle[1] + 36}", rubber, 4)
    for (x, y), start in ((back, -1), (front, -1)):
        c.path(f"M{x - 150} {y - 20}A152 152 0 0 1 {x + 96} {y - 118}", stroke=paint, stroke_width=11, stroke_linecap="round")
    c.line("M650 600H800M690 600L736 744M800 600L760 660", rubber, 7)
    if shadow:
        return
    c.circle(1092, 566, 22, "#e9e2d6")
    c.circle(1100, 566, 15, "#fff3c2")
    # Basket with bread and flowers.
    for x, y, tone in ((1102, 470, "#e2503f"), (1136, 452, "#f6d06a"), (1166, 474, "#ef7fa4"), (1124, 440, "#fff3e4"), (1154, 440, "#e2503f")):
        c.line(f"M{1130 + (x - 1130) * 0.4:.0f} 540L{x} {y}", "#4f8a53", 5)
        c.path(fluff(x, y, 18, 18, 6, 0.25), tone)
        c.circle(x, y, 6, "#c98a2e")
    c.path("M1172 540L1226 416C1238 396 1268 408 1260 432L1206 544Z", "#9c5a2a")
    c.path("M1178 540L1230 420C1240 406 1256 412 1250 430L1198 544Z", "#c27a3c")
    for i in range(3):
        c.line(f"M{1204 + i * 14} {498 - i * 30}l20 4", "#f0d3a0", 6)
    c.path("M1064 520H1216L1196 624H1082Z", "#b98246")
    for i in range(4):
        c.line(f"M{1068 + i * 5} {540 + i * 24}H{1212 - i * 5}", "#8f5f2f", 4)
    for i in range(8):
        c.line(f"M{1076 + i * 18} 522L{1086 + i * 14} 622", "#d3a064", 4)
    c.rect(1058, 514, 164, 13, "#8f5f2f", r=6)


def door(c, x, y):
    c.path(f"M{x - 34} 860V{y + 130}C{x - 34} {y - 60} {x + 294} {y - 60} {x + 294} {y + 130}V860Z", "#f6e2c0")
    c.path(f"M{x} 860V{y + 140}C{x} {y - 16} {x + 260} {y - 16} {x + 260} {y + 140}V860Z", "#1f4f8f")
    c.path(f"M{x + 14} {y + 180}V{y + 140}C{x + 14} {y + 6} {x + 246} {y + 6} {x + 246} {y + 140}V{y + 180}Z", c.down("#9fc4dc", "#dcebee"))
    c.line(f"M{x + 130} {y + 24}V{y + 180}M{x + 130} {y + 180}L{x + 44} {y + 66}M{x + 130} {y + 180}L{x + 216} {y + 66}", "#1f4f8f", 8)
    for dx in (22, 142):
        for top, tall in ((y + 212, 210), (y + 444, 190)):
            c.rect(x + dx, top, 96, tall, "#2b63ab", r=6)
            c.rect(x + dx + 12, top + 12, 72, tall - 24, "#1a4580", r=4)
    c.line(f"M{x + 130} {y + 196}V860", "#16386a", 6)
    c.circle(x + 112, y + 432, 11, "#f0c35a")
    c.path(f"M{x + 182} {y + 260}a22 22 0 1 0 16 0", stroke="#f0c35a", stroke_width=8)
    c.rect(x - 60, 848, 380, 26, "#e4cba6", r=4)
    c.rect(x + 320, y + 130, 76, 50, "#1f4f8f", r=8)
    c.text(x + 358, y + 167, "17", 36, "#fdf6e6", font_weight=700)


def window(c, chance, x, y):
    c.rect(x - 18, y - 18, 236, 316, "#f6e2c0", r=6)
    c.rect(x, y, 200, 280, c.down("#5f86a8", "#b7d0da"), r=3)
    c.path(f"M{x} {y}H{x + 70}C{x + 60} {y + 120} {x + 30} {y + 220} {x} {y + 280}Z", "#fdf6ea", opacity=0.85)
    c.path(f"M{x + 200} {y}H{x + 130}C{x + 140} {y + 120} {x + 170} {y + 220} {x + 200} {y + 280}Z", "#fdf6ea", opacity=0.85)
    c.line(f"M{x + 100} {y}V{y + 280}M{x} {y + 110}H{x + 200}", "#f6e2c0", 10)
    for side in (-118, 218):
        c.rect(x + side, y - 12, 100, 304, "#2f7a78", r=5)
        for i in range(12):
            c.line(f"M{x + side + 14} {y + 12 + i * 23}H{x + side + 86}", "#24625f", 6)
    c.rect(x - 24, y + 290, 248, 20, "#e4cba6", r=4)
    c.rect(x - 6, y + 262, 212, 40, "#a9563a", r=6)
    for _ in range(34):
        c.path(fluff(x + chance.randrange(0, 200), y + 250 + chance.gauss(0, 13), 16, 14, 6, 0.25), chance.choice(("#4f8a53", "#3c7346", "#6fa35a", "#e2503f", "#ef7fa4", "#fff3e4")))


def pot(c, chance, x, base, size, blossoms):
    with c.moved(x, base, size):
        c.ellipse(14, 0, 70, 10, "#3a1d10", opacity=0.3)
        for _ in range(30):
            with c.moved(chance.gauss(0, 34), -150 + chance.gauss(0, 34), chance.uniform(0.3, 0.6), chance.randrange(-70, 70)):
                c.path("M0 60C-50 20 -40 -40 0 -70C40 -40 50 20 0 60Z", chance.choice(("#4f8a53", "#3c7346", "#6fa35a")))
        for _ in range(13):
            c.path(fluff(chance.gauss(0, 36), -170 + chance.gauss(0, 34), 16, 15, 5, 0.3, chance.random()), chance.choice(blossoms))
        c.path("M-58 -112H58L44 0H-44Z", c.across("#d9744a", "#b5552f"))
        c.rect(-66, -122, 132, 28, "#e08a5c", r=6)


def drawings():
    return {"bicycle": bicycle()}


DESCRIPTIONS = {
    "bicycle": "A blue bicycle with flowers and bread in its basket leans at an ochre wall; a black cat sits beside it.",
}
