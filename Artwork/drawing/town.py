"""Scenes of the town: a street with a tram, the river at night."""

import random

from drawing.canvas import Canvas, darker, lighter, mix
from drawing.landscape import cloud, mist, polygon, ripples


class Street:
    """One-point perspective: x to the right, y up, z into the picture, in metres."""

    def __init__(self, centre, horizon, focal, eye=3.0):
        self.centre, self.horizon, self.focal, self.eye = centre, horizon, focal, eye

    def at(self, x, y, z):
        scale = self.focal / z
        return self.centre + x * scale, self.horizon - (y - self.eye) * scale

    def wall(self, x, y0, y1, z0, z1):
        """A piece of the wall at x as a path."""
        return polygon([self.at(x, y0, z0), self.at(x, y1, z0), self.at(x, y1, z1), self.at(x, y0, z1)])

    def floor(self, x0, x1, z0, z1, y=0.0):
        return polygon([self.at(x0, y, z0), self.at(x1, y, z0), self.at(x1, y, z1), self.at(x0, y, z1)])


HAZE = "#f6dcc0"


def tram_street():
    c = Canvas(1080, 1350, "Street with a tram")
    chance = random.Random(14)
    s = Street(520, 800, 900)
    c.ground(c.down("#5f9bd8", "#b4d6ea", "#fde8c8", last=0.62))
    c.glow(560, 640, 480, "#fff3cf", 0.95)
    cloud(c, 330, 170, 1.0, "#ffffff", 0.85)
    cloud(c, 700, 320, 0.8, "#fff8ea", 0.8)
    # Church and hill at the end of the street.
    c.path("M340 800C420 730 640 720 720 800Z", "#c3b9b4")
    c.path("M484 800V560L524 430L564 560V800Z", "#d9b9a0")
    c.path("M524 430L564 560V800H528Z", "#c7a28e")
    c.path("M474 566L524 400L574 566Z", "#8a95a8")
    c.path("M524 400L574 566H526Z", "#748097")
    c.circle(522, 612, 17, "#fdf3dc")
    c.line("M522 612V601M522 612H531", "#6b5648", 3)
    # The ground: pavement, cobbles, rails.
    c.path(s.floor(-12, 12, 2.6, 60), c.down("#dcb48c", "#a8795a"))
    for side in (-1, 1):
        c.path(s.floor(side * 3.1, side * 5, 2.6, 60), c.down("#ecd2ae", "#c79a76"))
        c.path(s.floor(side * 3.0, side * 3.1, 2.6, 60), "#8f6a54")
    for i in range(44):
        z = 3 + 0.1 * i * (1 + i * 0.045)
        for k in range(13):
            x = -3 + k * 0.46 + (0.23 if i % 2 else 0)
            if chance.random() < 0.55 and x < 2.7:
                c.path(s.floor(x, x + 0.4, z, z + 0.09 * (1 + i * 0.06)), darker("#c2906c", chance.uniform(0, 0.3)), opacity=0.5)
    for x in (-1.55, -0.25):
        c.path(s.floor(x, x + 0.07, 2.6, 60), "#6e5e5e")
        c.path(s.floor(x + 0.07, x + 0.1, 2.6, 60), "#f3e2cc")
    # Two rows of houses, far ones first, each paler with distance.
    left = ["#e7a15c", "#d9644a", "#f2cf8a", "#6f9bb8", "#e58f6e", "#f0e0c0"]
    right = ["#f0b860", "#7fa08a", "#e27a5a", "#f4dfb6", "#5c86b4", "#d9816a"]
    for side, tones in ((-1, left), (1, right)):
        edges = [3.4, 6.2, 9.4, 13.4, 18.4, 25, 36]
        for i in reversed(range(6)):
            house(c, chance, s, side, edges[i], edges[i + 1], tones[i], i)
    # Wires, lanterns, a line of washing across the street.
    c.line(f"M{s.at(-5, 8.6, 7)[0]:.0f} {s.at(-5, 8.6, 7)[1]:.0f}Q520 {s.at(0, 6.9, 7)[1]:.0f} {s.at(5, 8.9, 7)[0]:.0f} {s.at(5, 8.9, 7)[1]:.0f}", "#5f5058", 4)
    washing(c, s)
    c.line(f"M{s.at(-0.9, 5.6, 3)[0]:.0f} {s.at(-0.9, 5.6, 3)[1]:.0f}L{s.at(-0.9, 5.2, 40)[0]:.0f} {s.at(-0.9, 5.2, 40)[1]:.0f}", "#5f5058", 3, opacity=0.7)
    tram(c, s)
    lantern(c, s, 3.6, 7.6)
    lantern(c, s, -3.5, 11.5)
    for x, z, coat, hair in ((2.2, 9.0, "#27508c", "#3a2018"), (2.75, 9.0, "#e0a33a", "#20130f")):
        stroller(c, s, x, z, coat, hair)
    # Light lies across the street from the right.
    c.path("M1080 1180L520 900L470 960L640 1350L1080 1350Z", "#fff2c8", opacity=0.12)
    mist(c, 530, 830, 260, 70, "#fff3d6", 0.7)
    return c


def house(c, chance, s, side, z0, z1, tone, depth):
    x, top = side * 5, chance.uniform(10.5, 14)
    faded = mix(tone, HAZE, 0.09 * depth)
    shade = darker(faded, 0.16) if side < 0 else faded
    c.path(s.wall(x, 0, top, z0, z1), shade)
    c.path(s.wall(x, 0, 3.3, z0, z1), darker(shade, 0.12))
    c.path(s.wall(x * 0.97, top - 0.1, top + 0.45, z0, z1), darker(faded, 0.32))
    c.path(s.wall(x * 0.985, 3.25, 3.55, z0, z1), lighter(faded, 0.35))
    bays = 2 if z1 - z0 < 4.5 else 3
    frame, glass = lighter(faded, 0.6), mix("#4d6c8c", HAZE, 0.08 * depth)
    for bay in range(bays):
        w = (z1 - z0) / bays
        a, b = z0 + w * (bay + 0.26), z0 + w * (bay + 0.74)
        for y in (4.4, 7.2, 10.0):
            if y + 2.2 > top:
                continue
            c.path(s.wall(x * 0.995, y - 0.15, y + 1.95, a - w * 0.05, b + w * 0.05), frame)
            lit = chance.random() < 0.2
            c.path(s.wall(x * 0.99, y, y + 1.8, a, b), "#ffe2a0" if lit else glass)
            c.path(s.wall(x * 0.988, y + 0.9, y + 1.8, a, (a + b) / 2), lighter(glass, 0.3), opacity=0.6)
            shutter = mix("#3d6b63", tone, 0.3)
            c.path(s.wall(x * 0.985, y - 0.05, y + 1.85, a - w * 0.2, a - w * 0.04), mix(shutter, HAZE, 0.09 * depth))
            c.path(s.wall(x * 0.985, y - 0.05, y + 1.85, b + w * 0.04, b + w * 0.2), mix(shutter, HAZE, 0.09 * depth))
            if y == 4.4 and depth < 4:
                flowers(c, chance, s, x, y, a, b)
        # Shop windows and striped awnings at the street.
        c.path(s.wall(x * 0.99, 0.2, 2.6, a - w * 0.12, b + w * 0.12), darker(faded, 0.5))
        c.path(s.wall(x * 0.985, 0.7, 2.45, a - w * 0.06, b + w * 0.06), c.down("#ffe9b4", "#d9a35e"))
    cloth = ("#c8403a", "#2f6a9a", "#3f7f5c", "#d98a2b")[(depth + (side > 0) * 2) % 4]
    pieces = 2 * bays + 3
    for i in range(pieces):
        a, b = z0 + (z1 - z0) * (0.06 + 0.88 * i / pieces), z0 + (z1 - z0) * (0.06 + 0.88 * (i + 1) / pieces)
        c.path(polygon([s.at(x, 3.1, a), s.at(x, 3.1, b), s.at(x * 0.78, 2.55, b), s.at(x * 0.78, 2.55, a)]),
               mix(cloth if i % 2 else "#fbf3e4", HAZE, 0.08 * depth))
        c.path(polygon([s.at(x * 0.78, 2.55, a), s.at(x * 0.78, 2.55, b), s.at(x * 0.78, 2.3, b), s.at(x * 0.78, 2.3, a)]),
               darker(mix(cloth if i % 2 else "#fbf3e4", HAZE, 0.08 * depth), 0.12))


def flowers(c, chance, s, x, y, z0, z1):
    c.path(polygon([s.at(x * 0.99, y - 0.4, z0), s.at(x * 0.99, y - 0.4, z1), s.at(x * 0.94, y - 0.05, z1), s.at(x * 0.94, y - 0.05, z0)]), "#7d4a34")
    for _ in range(14):
        z = chance.uniform(z0, z1)
        px, py = s.at(x * 0.95, y + chance.uniform(-0.15, 0.3), z)
        c.circle(round(px), round(py), max(2, round(80 / z)), chance.choice(("#4f8a4a", "#5f9a54", "#e2503f", "#f4a3b4", "#f6d06a")))


def washing(c, s):
    for x, tone, w, h in ((-2.9, "#f7f2e8", 0.9, 1.3), (-1.7, "#1d5fd1", 0.7, 0.9), (-0.6, "#f3c95a", 0.8, 1.2), (0.6, "#f7f2e8", 0.5, 0.7), (1.4, "#d9533f", 0.8, 1.1), (2.6, "#8fb6a8", 0.9, 1.2)):
        y = 7.86 + 0.03 * x * x
        a, b = s.at(x, y, 7), s.at(x + w, y + 0.04, 7)
        d, e = s.at(x + w + 0.05, y - h, 7), s.at(x - 0.02, y - h + 0.06, 7)
        c.path(f"M{a[0]:.0f} {a[1]:.0f}L{b[0]:.0f} {b[1]:.0f}L{d[0]:.0f} {d[1]:.0f}Q{(d[0] + e[0]) / 2:.0f} {d[1] + 14:.0f} {e[0]:.0f} {e[1]:.0f}Z", tone)
        c.path(f"M{b[0]:.0f} {b[1]:.0f}L{d[0]:.0f} {d[1]:.0f}L{d[0] - 26:.0f} {d[1] + 8:.0f}Z", darker(tone, 0.15), opacity=0.6)


def tram(c, s):
    """A yellow tram that comes towards us."""
    left, foot = s.at(-1.95, 0.35, 8)
    right, top = s.at(0.15, 3.3, 8)
    w, h = right - left, foot - top
    c.ellipse(left + w / 2, foot + h * 0.1, w * 0.62, h * 0.045, "#3a241c", opacity=0.35)
    back, peak = s.at(0.15, 3.3, 15)
    c.path(polygon([(right, top + h * 0.04), (back, peak + 20), (back, s.at(0, 0.35, 15)[1]), (right, foot)]), "#b98424")
    with c.moved(left, top):
        c.path(f"M{w * 0.04:.0f} {h * 0.06:.0f}C{w * 0.2:.0f} {-h * 0.05:.0f} {w * 0.8:.0f} {-h * 0.05:.0f} {w * 0.96:.0f} {h * 0.06:.0f}L{w:.0f} {h * 0.95:.0f}C{w * 0.9:.0f} {h * 1.03:.0f} {w * 0.1:.0f} {h * 1.03:.0f} 0 {h * 0.95:.0f}Z", c.across("#f6c445", "#f0b22c"))
        c.path(f"M{w * 0.04:.0f} {h * 0.06:.0f}C{w * 0.2:.0f} {-h * 0.05:.0f} {w * 0.8:.0f} {-h * 0.05:.0f} {w * 0.96:.0f} {h * 0.06:.0f}L{w * 0.965:.0f} {h * 0.16:.0f}H{w * 0.035:.0f}Z", "#fbf3e2")
        for x, wide in ((0.09, 0.22), (0.35, 0.3), (0.69, 0.22)):
            c.rect(round(w * x), round(h * 0.22), round(w * wide), round(h * 0.3), c.down("#38587c", "#7fa6c4"), r=10)
            c.path(f"M{w * x + 8:.0f} {h * 0.22 + 8:.0f}L{w * (x + wide * 0.5):.0f} {h * 0.22 + 8:.0f}L{w * x + 8:.0f} {h * 0.44:.0f}Z", "#ffffff", opacity=0.3)
        c.rect(round(w * 0.36), round(h * 0.065), round(w * 0.28), round(h * 0.085), "#22324a", r=6)
        c.text(w * 0.5, h * 0.134, "28", h * 0.07, "#ffd98a", font_weight=800)
        c.rect(0, round(h * 0.6), round(w), round(h * 0.055), "#fbf3e2")
        c.circle(w * 0.5, h * 0.76, w * 0.085, "#fffbe8")
        c.circle(w * 0.5, h * 0.76, w * 0.06, "#ffe9a8")
        c.rect(round(w * 0.08), round(h * 0.92), round(w * 0.84), round(h * 0.09), "#4a3832", r=8)
        c.circle(w * 0.5, h * 0.38, w * 0.05, "#e2b28a")
        c.path(f"M{w * 0.42:.0f} {h * 0.52:.0f}C{w * 0.43:.0f} {h * 0.42:.0f} {w * 0.57:.0f} {h * 0.42:.0f} {w * 0.58:.0f} {h * 0.52:.0f}Z", "#22507e")
        c.rect(round(w * 0.445), round(h * 0.335), round(w * 0.11), round(h * 0.025), "#22324a", r=4)
        c.line(f"M{w * 0.5:.0f} {-h * 0.02:.0f}L{w * 0.42:.0f} {-h * 0.2:.0f}M{w * 0.3:.0f} {-h * 0.2:.0f}H{w * 0.62:.0f}", "#4a3832", 5)
    c.glow(left + w / 2, top + h * 0.76, w * 0.34, "#fff6cf", 0.8)


def lantern(c, s, x, z):
    px, foot = s.at(x, 0, z)
    size = s.focal / z
    c.line(f"M{px:.0f} {foot - size * 0.2:.0f}V{foot - size * 3.6:.0f}", "#33333f", size * 0.09)
    c.rect(round(px - size * 0.12), round(foot - size * 0.5), round(size * 0.24), round(size * 0.5), "#33333f", r=4)
    y = foot - size * 3.6
    c.path(f"M{px - size * 0.16:.0f} {y:.0f}L{px - size * 0.24:.0f} {y - size * 0.5:.0f}H{px + size * 0.24:.0f}L{px + size * 0.16:.0f} {y:.0f}Z", "#ffe9ae", stroke="#33333f", stroke_width=round(size * 0.05, 1))
    c.path(f"M{px - size * 0.3:.0f} {y - size * 0.5:.0f}L{px:.0f} {y - size * 0.78:.0f}L{px + size * 0.3:.0f} {y - size * 0.5:.0f}Z", "#33333f")


def stroller(c, s, x, z, coat, hair):
    px, foot = s.at(x, 0, z)
    u = s.focal / z * 1.7
    c.ellipse(px - u * 0.14, foot, u * 0.3, u * 0.035, "#3a241c", opacity=0.35)
    c.line(f"M{px - u * 0.07:.0f} {foot - u * 0.42:.0f}L{px - u * 0.1:.0f} {foot:.0f}M{px + u * 0.07:.0f} {foot - u * 0.42:.0f}L{px + u * 0.11:.0f} {foot:.0f}", "#2c2a36", u * 0.09)
    c.path(f"M{px - u * 0.17:.0f} {foot - u * 0.36:.0f}C{px - u * 0.17:.0f} {foot - u * 0.7:.0f} {px - u * 0.14:.0f} {foot - u * 0.82:.0f} {px:.0f} {foot - u * 0.82:.0f}"
           f"C{px + u * 0.14:.0f} {foot - u * 0.82:.0f} {px + u * 0.17:.0f} {foot - u * 0.7:.0f} {px + u * 0.17:.0f} {foot - u * 0.36:.0f}Z", coat)
    c.rect(round(px - u * 0.04), round(foot - u * 0.88), round(u * 0.08), round(u * 0.1), "#dca77c")
    c.circle(round(px), round(foot - u * 0.93), round(u * 0.1), hair)
    c.line(f"M{px - u * 0.08:.0f} {foot - u * 0.72:.0f}V{foot - u * 0.46:.0f}M{px + u * 0.08:.0f} {foot - u * 0.72:.0f}V{foot - u * 0.46:.0f}", darker(coat, 0.2), 5)


def night_river():
    c = Canvas(1440, 1080, "City at night")
    chance = random.Random(77)
    shore = 700
    c.ground(c.down("#0b1736", "#1d3570", "#5a5a9a", "#d98f86", last=0.66))
    for _ in range(120):
        c.circle(chance.randrange(1440), chance.randrange(420), chance.choice((1.5, 2, 2.5)), "#ffffff", opacity=round(chance.uniform(0.3, 0.9), 2))
    c.glow(1120, 210, 260, "#fff2cf", 0.8)
    c.circle(1120, 210, 62, "#fff6df")
    c.circle(1100, 196, 12, "#f0dfbd", opacity=0.7)
    c.circle(1136, 232, 17, "#f0dfbd", opacity=0.7)
    cloud(c, 420, 330, 1.3, "#7a74ac", 0.5)
    cloud(c, 1000, 420, 1.5, "#a97f9e", 0.45)
    skyline(c, random.Random(5), shore)
    c.rect(0, shore, 1440, 380, c.down("#6a5f94", "#243a76", "#0d1a3d"))
    with c.group(clip_path=c.clip(f"M0 {shore}H1440V1080H0Z")):
        with c.group(transform=f"translate(0 {2 * shore + 8}) scale(1 -1)", opacity=0.42):
            skyline(c, random.Random(5), shore)
        c.rect(0, shore, 1440, 380, c.down(("#16285a", 0.1), ("#101f4a", 0.75)))
        for _ in range(130):
            x, near = chance.uniform(0, 1440), chance.random() ** 1.6
            tone = chance.choice(("#ffd98a", "#ffc36a", "#ffe9bd", "#9fc4ff"))
            c.line(f"M{x:.0f} {shore + 14 + near * 340:.0f}h{14 + near * 60:.0f}", tone, round(2 + near * 3, 1), opacity=round(chance.uniform(0.15, 0.6), 2))
        ripples(c, chance, -40, 1440, shore + 10, 1070, 90, "#0b1736", 0.5)
        mist(c, 1120, shore + 120, 70, 280, "#fff2cf", 0.55)
    bridge(c, shore)
    # A boat with a lamp and the quay in front.
    with c.moved(980, 884):
        c.path("M-150 0H150L118 46H-120Z", "#0a1330")
        c.path("M-70 0V-50H60L84 0Z", "#14224a")
        for x in (-52, -12, 28):
            c.rect(x, -36, 26, 20, "#ffdc8c", r=3)
        c.line("M-100 0V-96M-100 -92L-150 -4M-100 -92L90 -4", "#0a1330", 4)
        c.glow(-100, -96, 60, "#ffe6a4", 1)
        c.path("M-110 50H110L60 110H-70Z", "#ffdc8c", opacity=0.16)
    c.path("M0 1020C300 1004 1100 1004 1440 1020V1080H0Z", "#070f26")
    c.line("M-10 948C400 938 1040 938 1450 948", "#070f26", 9)
    for x in range(10, 1440, 60):
        c.line(f"M{x} 946V1020", "#070f26", 7)
    for x in (240, 700, 1250):
        c.glow(x, 800, 150, "#ffdf9a", 0.75)
        c.line(f"M{x} 1020V820", "#070f26", 12)
        c.circle(x, 802, 21, "#fff0c4")
        c.path(f"M{x - 26} 786Q{x} 762 {x + 26} 786Z", "#070f26")
    # Two at the railing.
    for x, hair in ((452, 8), (520, 0)):
        c.path(f"M{x - 34} 1030C{x - 40} 930 {x - 30} 890 {x} 888C{x + 30} 890 {x + 40} 930 {x + 34} 1030Z", "#0c1736")
        c.circle(x, 860, 27, "#0c1736")
        if hair:
            c.circle(x, 828, 15, "#0c1736")
    c.line("M476 930L500 930", "#0c1736", 20)
    return c


def skyline(c, chance, shore):
    for tone, top, wide, lit in (("#4a4c86", 400, (60, 110), 0.12), ("#2f376e", 470, (70, 130), 0.3), ("#1a2450", 540, (80, 150), 0.42)):
        x = -30
        while x < 1440:
            w = chance.randrange(*wide)
            y = top + chance.randrange(-90, 110)
            building(c, chance, x, w, y, shore, mix(tone, "#5a4a86", chance.random() * 0.2), lit)
            x += w + chance.choice((0, 0, 4, -8))
    # The tower that everyone photographs.
    c.path("M596 700V330L640 220L684 330V700Z", "#141c44")
    c.path("M640 220L684 330V700H640Z", "#0f1638")
    c.line("M640 220V130", "#141c44", 7)
    c.circle(640, 128, 6, "#ff7a6a")
    c.glow(640, 128, 40, "#ff7a6a", 0.8)
    c.circle(640, 380, 32, "#ffe9b4")
    c.line("M640 380V358M640 380L654 388", "#3a2c3c", 4)
    for y in range(450, 690, 40):
        for x in (612, 634, 656):
            c.rect(x, y, 11, 20, "#ffd27e", opacity=0.85)


def building(c, chance, x, w, y, shore, tone, lit):
    roof = chance.choice(("flat", "flat", "gable", "step", "dome"))
    c.rect(x, y, w, shore - y, tone)
    c.rect(round(x + w * 0.72), y, round(w * 0.28), shore - y, darker(tone, 0.25), opacity=0.6)
    if roof == "gable":
        c.path(f"M{x} {y}L{x + w / 2} {y - w * 0.4:.0f}L{x + w} {y}Z", darker(tone, 0.1))
    elif roof == "step":
        c.rect(round(x + w * 0.2), y - 40, round(w * 0.6), 42, tone)
        c.line(f"M{x + w / 2} {y - 40}V{y - 84}", tone, 4)
    elif roof == "dome":
        c.path(f"M{x + w * 0.14:.0f} {y}C{x + w * 0.16:.0f} {y - w * 0.5:.0f} {x + w * 0.84:.0f} {y - w * 0.5:.0f} {x + w * 0.86:.0f} {y}Z", darker(tone, 0.1))
    columns = max(2, w // 26)
    for row in range(int((shore - y) // 32)):
        for column in range(columns):
            if chance.random() < lit:
                c.rect(round(x + 9 + column * (w - 14) / columns), y + 14 + row * 32, 10, 15, chance.choice(("#ffd27e", "#ffe3a8", "#ffbf66", "#cfe0ff")), opacity=round(chance.uniform(0.6, 1), 2))


def bridge(c, shore):
    c.line("M-20 640C360 610 1080 610 1460 640", "#0e1738", 20)
    for i in range(6):
        x = 60 + i * 264
        c.path(f"M{x - 22} 630H{x + 22}L{x + 30} {shore + 40}H{x - 30}Z", "#0e1738")
        c.path(f"M{x + 22} 640C{x + 60} 690 {x + 110} 660 {x + 132} 652C{x + 160} 660 {x + 204} 690 {x + 242} 640L{x + 242} 632H{x + 22}Z", "#141f49")
        c.line(f"M{x} 622V580", "#0e1738", 5)
        c.circle(x, 576, 8, "#fff0c4")
        c.glow(x, 576, 46, "#ffdf9a", 0.9)
        c.line(f"M{x} {shore + 46}V{shore + 150}", "#ffdf9a", 9, opacity=0.3)


def drawings():
    return {"street": tram_street(), "river": night_river()}


DESCRIPTIONS = {
    "street": "A yellow tram comes up a street of colourful old houses; washing hangs across it.",
    "river": "A city by a river at night: lit windows, a bridge, and two people at the railing.",
}
