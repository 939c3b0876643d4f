"""A sheet to draw on: elements are appended in painting order and become SVG text."""

import contextlib
import math
from xml.sax.saxutils import escape, quoteattr


def mix(first, second, part):
    """The colour `part` (0 to 1) of the way from `first` to `second`, both "#rrggbb"."""
    pairs = zip(channels(first), channels(second))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def channels(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def lighter(colour, part=0.2):
    return mix(colour, "#ffffff", part)


def darker(colour, part=0.2):
    """Darker, and a little warmer than plain black would make it."""
    return mix(colour, "#20120c", part)


def wave(points, closed=""):
    """A smooth line through the points (Catmull-Rom as cubic Béziers), then `closed`."""
    padded = [points[0], *points, points[-1]]
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(padded, padded[1:], padded[2:], padded[3:]):
        parts.append(
            f"C{bx + (cx - ax) / 6:.1f} {by + (cy - ay) / 6:.1f} "
            f"{cx - (dx - bx) / 6:.1f} {cy - (dy - by) / 6:.1f} {cx:.1f} {cy:.1f}"
        )
    return " ".join(parts) + closed


def star(x, y, outer, inner, tips, turn=0):
    """A star of `tips` points; with inner close to outer, a scalloped rosette."""
    corners = []
    for i in range(2 * tips):
        radius, angle = (inner if i % 2 else outer), turn + math.pi * i / tips
        corners.append(f"{x + radius * math.sin(angle):.1f} {y - radius * math.cos(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


class Canvas:
    """An SVG drawing of `width` by `height` units. Methods take SVG attributes as keywords,
    with `_` for `-`, so `stroke_width=4` becomes `stroke-width="4"`."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.definitions, self.parts = [], []

    def element(self, name, fill=None, text=None, **attributes):
        if fill is not None:
            attributes = {"fill": fill, **attributes}
        written = "".join(
            f" {key.rstrip('_').replace('_', '-')}={quoteattr(number(value))}"
            for key, value in attributes.items()
            if value is not None
        )
        end = "/>" if text is None else f">{escape(text)}</{name}>"
        self.parts.append(f"<{name}{written}{end}")

    def path(self, d, fill="none", **attributes):
        self.element("path", fill, d=d, **attributes)

    def line(self, d, colour, width, **attributes):
        """A stroke with round ends."""
        self.path(
            d, stroke=colour, stroke_width=width, stroke_linecap="round",
            stroke_linejoin="round", **attributes,
        )

    def circle(self, x, y, r, fill, **attributes):
        self.element("circle", fill, cx=x, cy=y, r=r, **attributes)

    def ellipse(self, x, y, rx, ry, fill, turn=0, **attributes):
        transform = f"rotate({turn} {x:g} {y:g})" if turn else None
        self.element("ellipse", fill, cx=x, cy=y, rx=rx, ry=ry, transform=transform, **attributes)

    def rect(self, x, y, width, height, fill, r=0, **attributes):
        self.element("rect", fill, x=x, y=y, width=width, height=height, rx=r or None, **attributes)

    def ground(self, fill):
        self.rect(0, 0, self.width, self.height, fill)

    def text(self, x, y, words, size, fill, **attributes):
        options = {"font_family": "Inter Display, Inter, sans-serif", "font_weight": 800,
                   "text_anchor": "middle", **attributes}
        self.element("text", fill, text=words, x=x, y=y, font_size=size, **options)

    @contextlib.contextmanager
    def group(self, **attributes):
        """Everything drawn inside the `with` belongs together: moved, clipped, faded."""
        outer, self.parts = self.parts, []
        yield
        inner, self.parts = self.parts, outer
        self.element("g", **attributes)
        self.parts[-1] = self.parts[-1].removesuffix("/>") + ">" + "\n".join(inner) + "</g>"

    def moved(self, x, y, scale=1, turn=0, flip=False, **attributes):
        across = -scale if flip else scale
        return self.group(
            transform=f"translate({x:g} {y:g}) rotate({turn:g}) scale({across:g} {scale:g})",
            **attributes,
        )

    def define(self, text):
        """Puts `text`, with {name} for its id, among the definitions; returns url(#id)."""
        name = f"d{len(self.definitions)}"
        self.definitions.append(text.replace("{name}", name))
        return f"url(#{name})"

    def clip(self, d):
        return self.define(f'<clipPath id="{{name}}"><path d="{d}"/></clipPath>')

    def down(self, *colours, first=0, last=1):
        """A gradient from top to bottom of the shape, or between the given fractions."""
        return self.define(
            f'<linearGradient id="{{name}}" x1="0" x2="0" y1="{first}" y2="{last}">'
            f"{stops(colours)}</linearGradient>"
        )

    def across(self, *colours):
        return self.define(
            f'<linearGradient id="{{name}}" x1="0" x2="1" y1="0" y2="0">'
            f"{stops(colours)}</linearGradient>"
        )

    def glow(self, x, y, r, colour, strength=1.0):
        """A soft round light at the point, on the drawing."""
        fill = self.define(
            '<radialGradient id="{name}">'
            + "".join(
                f'<stop offset="{at}" stop-color="{colour}" stop-opacity="{strength * part:g}"/>'
                for at, part in ((0, 1), (0.25, 0.55), (0.6, 0.15), (1, 0))
            )
            + "</radialGradient>"
        )
        self.circle(x, y, r, fill)

    def svg(self):
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}"><title>{escape(self.title)}</title>\n'
            f"<defs>{''.join(self.definitions)}</defs>\n{body}\n</svg>\n"
        )


def number(value):
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 1000 else str(value)


def stops(colours):
    """Evenly spread stops; a colour may be (colour, opacity) instead."""
    parts = []
    for i, colour in enumerate(colours):
        colour, opacity = colour if isinstance(colour, tuple) else (colour, 1)
        fade = "" if opacity == 1 else f' stop-opacity="{opacity:g}"'
        at = i / max(1, len(colours) - 1)
        parts.append(f'<stop offset="{at:.3g}" stop-color="{colour}"{fade}/>')
    return "".join(parts)
