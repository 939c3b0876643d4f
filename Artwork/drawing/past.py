"""What the pairs of then and now share: the sheet, the standpoint, people, animals, wheels."""

import contextlib
import math

from drawing.canvas import Canvas, darker, lighter

WIDTH, HEIGHT = 1440, 1080
# Drawn beyond each edge of the picture, so that a turned one is covered to its corners.
OVER = 100


def sheet(title):
    return Canvas(WIDTH, HEIGHT, title)


@contextlib.contextmanager
def standpoint(c, x=0.0, y=0.0, turn=0.0, scale=1.0):
    """Everything drawn inside the `with` is seen from a little elsewhere: turned by degrees and
    scaled around the middle of the picture, then moved."""
    with c.group(
        transform=f"translate({WIDTH / 2 + x:g} {HEIGHT / 2 + y:g}) rotate({turn:g}) "
        f"scale({scale:g}) translate({-WIDTH / 2:g} {-HEIGHT / 2:g})"
    ):
        yield


def band(c, top, bottom, fill):
    """A strip over the whole width and beyond."""
    c.rect(-OVER, top, WIDTH + 2 * OVER, bottom - top, fill)


class Heap:
    """Many small shapes gathered by colour, so that each colour becomes one path."""

    def __init__(self):
        self.shapes = {}

    def add(self, fill, d):
        self.shapes.setdefault(fill, []).append(d)

    def box(self, fill, x, y, width, height):
        self.add(fill, f"M{x:.0f} {y:.0f}h{width:.0f}v{height:.0f}h{-width:.0f}z")

    def draw(self, c, **attributes):
        for fill, shapes in self.shapes.items():
            c.path("".join(shapes), fill, **attributes)


def person(c, x, foot, high, coat, legs="#2d2b33", skin="#dba67c", hair="#3a261b", hat=None, skirt=None,
           step=5, hold=None, flip=False, hatband="#2a2020"):
    """Someone `high` units tall who walks to the left, or to the right when flipped.

    `hat` is bowler, cap, straw, broad, scarf, top or None; `skirt` a colour for a long skirt;
    `hold` is parasol, stick, bag, phone, basket, pack, poles, pipe or rake."""
    c.ellipse(x + high * 0.1, foot, high * 0.24, high * 0.025, "#1c1420", opacity=0.28)
    with c.moved(x, foot, high / 100, flip=flip):
        if hold == "pack":
            c.path("M7 -82C20 -84 22 -76 21 -56C20 -48 10 -48 6 -50Z", hatband)
            c.path("M8 -88h11v8h-11z", lighter(hatband, 0.25))
        if skirt:
            c.path(f"M-7 -56C-9 -36 -15 -14 {-17 - step * 0.4:.0f} -2C-8 2 8 2 {16 + step * 0.3:.0f} -2C13 -18 9 -36 7 -56Z", skirt)
            c.path("M2 -54C6 -36 9 -18 10 -0.500C12 -1 15 -1 17 -2C13 -18 9 -36 7 -56Z", darker(skirt, 0.22))
        else:
            c.line(f"M3 -48L{4 + step:.0f} -24L{7 + step * 1.5:.0f} -3", darker(legs, 0.25), 7)
            c.line(f"M-2 -48L{-3 - step:.0f} -25L{-4 - step * 1.2:.0f} -3", legs, 7.5)
            c.line(f"M{7 + step * 1.5:.0f} -2h-5M{-4 - step * 1.2:.0f} -2h-6", "#221a1a", 4)
        c.path("M-10 -44C-12 -62 -11 -79 -5 -82C-2 -84 3 -84 6 -82C12 -79 12 -62 10 -44C4 -42 -4 -42 -10 -44Z", coat)
        c.path("M3 -83C12 -80 12 -62 10 -44C8 -43 6 -43 4 -43C6 -58 7 -72 3 -83Z", darker(coat, 0.2))
        c.path("M-3 -87h6v6h-6z", darker(skin, 0.12))
        c.ellipse(-0.5, -92, 6.2, 7.2, skin)
        c.path("M-5 -97C-2 -101 7 -100 7 -92C7 -88 5 -85 4 -86C5 -91 2 -95 -5 -96Z", hair)
        if hair != "none" and (skirt or hold == "phone"):
            c.circle(6, -92, 4, hair)
        hats = {
            "bowler": "M-11 -95C-8 -97 -7 -97 -6.500 -97C-7 -108 7 -108 6.500 -97C8 -97 9 -96 10 -95C4 -93 -6 -93 -11 -95Z",
            "top": "M-10 -96C-8 -97 -7 -97 -6 -97L-7 -112H7L6 -97C8 -97 9 -97 10 -96C4 -94 -5 -94 -10 -96Z",
            "cap": "M-12 -95C-9 -98 -8 -98 -7 -98C-6 -104 7 -103 7 -95C2 -97 -6 -96 -12 -95Z",
            "straw": "M-13 -95h24v-2.500h-5v-6h-13v6h-6z",
            "broad": "M-17 -96C-10 -101 -8 -100 -7 -100C-6 -108 8 -107 8 -99C12 -99 14 -97 17 -95C6 -93 -8 -93 -17 -96Z",
            "scarf": "M-6 -97C-4 -103 8 -102 8 -93C8 -88 8 -84 5 -83L2 -86C4 -92 1 -97 -6 -97Z",
        }
        if hat:
            tone = {"straw": "#ecd9a4", "bowler": "#2b2528", "top": "#1f1b20", "broad": "#5d3b3a"}.get(hat, hatband)
            c.path(hats[hat], tone)
            if hat in ("straw", "broad"):
                c.path("M-7 -97h13.500v-2.500h-13.500z", hatband)
        sleeve = darker(coat, 0.1)
        if hold == "parasol":
            c.line("M-1 -78L-9 -66L-12 -74", sleeve, 5.5)
            c.line("M-12 -68L-6 -124", "#6a4a30", 2)
            c.path("M-40 -112C-34 -132 18 -138 30 -118C22 -121 15 -119 10 -116C3 -120 -6 -119 -12 -115C-18 -118 -24 -116 -28 -112C-33 -114 -37 -113 -40 -112Z", "#f6ecd8")
            c.path("M-6 -126C4 -128 22 -128 30 -118C22 -121 15 -119 10 -116C6 -120 2 -121 -6 -126Z", "#d9c7a8")
        elif hold == "stick":
            c.line("M0 -77L-7 -62L-15 -54", sleeve, 5.5)
            c.line("M-15 -54L-18 -1", "#4a3222", 2.2)
        elif hold == "poles":
            c.line("M0 -77L-9 -64L-17 -60", sleeve, 5.5)
            c.line("M-17 -64L-20 -1M14 -58L19 -1", "#3d4046", 1.8)
        elif hold == "phone":
            c.line("M0 -77L-8 -66L-13 -76", sleeve, 5.5)
            c.path("M-17 -83l5 1l-1 8l-5 -1z", "#1f2530")
        elif hold == "rake":
            c.line("M0 -77L-11 -68L-18 -66M4 -76L4 -60L-8 -56", sleeve, 5.5)
            c.line("M2 -48L-42 -108M-50 -104L-36 -114", "#8a6238", 2.2)
        else:
            c.line("M1 -77L-2 -61L-6 -48", sleeve, 5.5)
            c.circle(-6, -47, 2.6, skin)
            if hold == "bag":
                c.path("M-15 -46h16l2 17h-20z", hatband)
                c.line("M-11 -46C-10 -52 -4 -52 -3 -46", hatband, 1.6)
            elif hold == "basket":
                c.path("M-18 -44h22c0 8 -2 13 -4 14h-14c-2 -1 -4 -6 -4 -14z", "#b8884c")
                c.line("M-16 -44C-14 -56 0 -56 2 -44", "#8f6234", 2)
                for i, tone in enumerate(("#d8553f", "#f0c35a", "#f6e9dc", "#7fa05a")):
                    c.circle(-14 + i * 5, -46, 3.6, tone)


def horse(c, x, foot, size, coat, flip=False, collar="#4a2f22"):
    """A draught horse that walks to the left; `size` 1 is 150 units high at its head."""
    dark = darker(coat, 0.28)
    mane = darker(coat, 0.6)
    c.ellipse(x, foot + 1, 96 * size, 7 * size, "#1c1420", opacity=0.28)
    with c.moved(x, foot, size, flip=flip):
        c.path("M-34 -62C-44 -46 -58 -42 -62 -34C-62 -24 -56 -16 -54 -8L-64 -4C-68 -14 -74 -28 -72 -38C-64 -48 -56 -58 -52 -72Z", dark)
        c.path("M58 -74C66 -58 84 -44 86 -30L92 -3L80 0L77 -24C66 -38 50 -44 44 -58Z", dark)
        c.path("M74 -96C92 -92 92 -60 88 -38C84 -32 82 -36 82 -44C82 -62 80 -74 72 -84Z", mane)
        c.path("M-98 -108C-102 -116 -96 -123 -90 -126L-66 -146L-66 -158L-57 -149C-46 -144 -36 -130 -24 -114C-6 -107 20 -107 42 -111"
               "C62 -114 76 -104 78 -88C79 -74 76 -64 72 -56C70 -44 74 -36 70 -26L71 -7L75 0L58 0L58 -26C57 -38 50 -46 46 -56"
               "C26 -48 -2 -47 -18 -52L-23 -28L-22 -7L-19 0L-36 0L-36 -28C-41 -42 -46 -54 -46 -66C-49 -80 -55 -92 -60 -100"
               "C-66 -104 -74 -102 -82 -99C-92 -97 -97 -101 -98 -108Z", coat)
        c.path("M-46 -66C-40 -60 -30 -54 -18 -52C-2 -47 26 -48 46 -56C40 -66 20 -66 -2 -66C-20 -66 -34 -66 -46 -66Z", dark, opacity=0.6)
        c.path("M-66 -150C-50 -150 -34 -134 -22 -116C-30 -116 -38 -120 -42 -128C-50 -136 -58 -142 -66 -143Z", mane)
        c.path("M-36 -8h15l3 8h-18zM58 -8h14l3 8h-17z", "#221a1a")
        c.line("M-36 -124C-50 -106 -50 -84 -44 -66", collar, 9)
        c.line("M-40 -88L70 -84M10 -108V-52M-74 -140L-84 -102M-84 -118L-42 -104", collar, 3.5)
        c.circle(-74, -130, 2.6, "#120c0c")
        c.path("M-101 -108C-102 -116 -96 -122 -91 -124L-84 -106C-86 -98 -99 -98 -101 -108Z", darker(coat, 0.35), opacity=0.6)


def wheel(c, x, y, r, tone, rim=0.12, spokes=12, hub=0.18):
    c.circle(x, y, round(r * (1 - rim / 2), 1), "none", stroke=tone, stroke_width=round(r * rim, 1))
    for i in range(spokes):
        a = 2 * math.pi * i / spokes
        c.line(f"M{x} {y}L{x + r * 0.93 * math.cos(a):.1f} {y + r * 0.93 * math.sin(a):.1f}", tone, round(r * rim * 0.5, 1))
    c.circle(x, y, round(r * hub, 1), darker(tone, 0.2))


def cyclist(c, x, foot, high, coat, frame, legs="#27324a", helmet="#e8ecf2", hair="#3a261b", flip=False):
    """Someone on a bicycle, riding to the left; `high` units tall in all."""
    c.ellipse(x, foot, high * 0.5, high * 0.03, "#1c1420", opacity=0.28)
    with c.moved(x, foot, high / 100, flip=flip):
        for wx in (-34, 30):
            c.circle(wx, -20, 18.5, "none", stroke="#20242c", stroke_width=2.6)
            wheel(c, wx, -20, 17, "#aab2bd", 0.05, 14, 0.12)
        c.line("M10 -62L14 -50L4 -22L30 -20L11 -46", darker(legs, 0.3), 0.1)
        c.line("M12 -56L6 -36L0 -14", darker(legs, 0.3), 7)
        c.line("M30 -20L-2 -20L12 -46ZM-2 -20L-24 -46L12 -46M-34 -20L-22 -52", frame, 3.2)
        c.line("M12 -46L13 -52M6 -53H19", "#2a2420", 4)
        c.line("M-22 -52L-30 -56L-24 -60", "#2a2420", 3)
        c.circle(-2, -20, 4.6, "#3a3f48")
        c.line("M14 -56L-5 -42L-2 -12", legs, 7.5)
        c.line("M-2 -9h-7", "#f2f2ee", 4)
        c.path("M8 -52C14 -50 22 -54 22 -58C20 -70 8 -86 -2 -86C-8 -86 -8 -80 -6 -76C-2 -68 4 -58 8 -52Z", coat)
        c.line("M-2 -80L-12 -66L-25 -60", darker(coat, 0.12), 5.5)
        c.ellipse(-7, -92, 6, 7, "#dba67c")
        c.path("M-6 -97C2 -100 4 -90 2 -84L-3 -86Z", hair)
        c.path("M-15 -94C-15 -104 3 -104 3 -93C-2 -96 -9 -96 -15 -94Z", helmet)
