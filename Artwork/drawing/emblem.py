"""The app's icon: the T of the logo, in white on the blue of a cyanotype."""

import pathlib
import re

from drawing.canvas import Canvas

ARTWORK = pathlib.Path(__file__).resolve().parent.parent
LOGO = ARTWORK / "logo.svg"
SPRITE = ARTWORK.parent / "Sources/Core/Resources/public/icons/sprite.svg"
# The T fills this box of the lettering's coordinates.
T_BOX = (76, -720, 696, 87)


def letter_t():
    """Outline of the logo's first letter."""
    return re.search(r'd="(M[^Z]*Z)', LOGO.read_text()).group(1)


def letter(c, fill, height):
    left, top, right, bottom = T_BOX
    scale = height / (bottom - top)
    # Optical centre: the bar reaches far right of the stem, so the middle lies a little left.
    x = c.width / 2 - scale * (left + right) / 2
    y = c.height / 2 - scale * (top + bottom) / 2
    with c.moved(x, y, scale):
        c.path(letter_t(), fill, stroke=fill, stroke_width=26, stroke_linejoin="round")


def icon(radius, height):
    """A 512-unit icon with rounded corners of `radius` and a letter `height` units tall."""
    c = Canvas(512, 512, "Tintype")
    plate = c.define(
        '<linearGradient id="{name}" x1="0" y1="0" x2="0.7" y2="1"><stop offset="0" '
        'stop-color="#3f83f0"/><stop offset="0.5" stop-color="#1d5fd1"/>'
        '<stop offset="1" stop-color="#0f3a92"/></linearGradient>'
    )
    c.rect(0, 0, 512, 512, plate, r=radius)
    letter(c, "#fdfbf6", height)
    return c


def badge():
    """The letter alone: systems use its shape as a mask."""
    c = Canvas(96, 96, "Tintype")
    letter(c, "#ffffff", 84)
    return c


# What the menu of the installed app's icon leads to, each with its symbol of the pages.
SHORTCUTS = {"post": "plus-square", "snap": "lightning-fill", "messages": "chat-fill"}


def shortcut(symbol):
    """A symbol of the pages, in white on a round ground of the icon's blue."""
    c = Canvas(96, 96, "Tintype")
    c.circle(48, 48, 48, "#1d5fd1")
    paths = re.search(rf'<symbol id="{symbol}"[^>]*>(.*?)</symbol>', SPRITE.read_text()).group(1)
    with c.moved(26, 26, 44 / 16):
        for path in re.findall(r' d="([^"]+)"', paths):
            c.path(path, "#fdfbf6", fill_rule="evenodd")
    return c


def drawings():
    """Each icon under its file's name."""
    return {
        "icon": icon(radius=114, height=336),
        "icon-maskable": icon(radius=0, height=296),
        "apple-touch-icon": icon(radius=0, height=330),
        "badge": badge(),
        **{f"shortcut-{name}": shortcut(symbol) for name, symbol in SHORTCUTS.items()},
    }
