"""The stone hut below the glacier, and the wing that it has today."""

import random

from drawing.canvas import darker
from drawing.landscape import polygon
from drawing.past import Heap


def stones(c, chance, x, y, width, height_, tones, row=13):
    """A wall of rough stones."""
    heap = Heap()
    for r in range(int(height_ / row)):
        at = x + 2
        while at < x + width - 6:
            w = chance.randrange(14, 34)
            heap.box(chance.choice(tones), at, y + r * row + 2, min(w, x + width - 2 - at), row - 3)
            at += w + 3
    heap.draw(c)


def hut(c, then):
    """The old stone hut with its roof of slabs; a wing of wood and glass has joined it."""
    chance = random.Random(7)
    x, foot = 180, 884
    c.ellipse(x + 150, foot + 4, 250, 16, "#1c2414", opacity=0.35)
    if not then:
        wing(c, x + 268, foot)
    c.rect(x, foot - 110, 270, 112, "#8d8378")
    stones(c, chance, x, foot - 110, 270, 112, ("#b8ad9e", "#a3988a", "#c6bcad", "#958a7e", "#857b72"))
    c.path(f"M{x} {foot - 110}L{x + 6} {foot - 118}L{x + 135} {foot - 206}L{x + 264} {foot - 118}L{x + 270} {foot - 110}Z", "#7a5236")
    c.path("".join(f"M{x + 10 + k * 14} {foot - 112}V{foot - 206 + abs(k - 9) * 10}" for k in range(19)), stroke="#55371f", stroke_width=3)
    roof = [(x - 34, foot - 104), (x + 135, foot - 222), (x + 304, foot - 104)]
    c.path(polygon([*roof, (x + 286, foot - 94), (x + 135, foot - 200), (x - 16, foot - 94)]), "#6d6a6e")
    slabs = Heap()
    for side in (-1, 1):
        for k in range(12):
            px, py = x + 135 + side * k * 14, foot - 222 + k * 9.8
            slabs.add(chance.choice(("#9a969a", "#868286", "#aaa6a8")), f"M{px:.0f} {py - 4:.0f}l{side * 18} 12l0 9l{side * -18} -12z")
    slabs.draw(c)
    for k, (sx, sy) in enumerate(((x + 22, foot - 146), (x + 76, foot - 184), (x + 194, foot - 186), (x + 250, foot - 146))):
        c.path(f"M{sx - 12} {sy}l4 -10l14 -2l8 10l-6 6z", "#c2bab0")
    c.rect(x + 190, foot - 232, 32, 56, "#93887c")
    stones(c, chance, x + 190, foot - 232, 32, 54, ("#b8ad9e", "#857b72"), 9)
    c.rect(x + 184, foot - 238, 44, 8, "#6a625b")
    for wx in (x + 30, x + 206):
        c.rect(wx - 6, foot - 86, 44, 52, "#5a3a22")
        c.rect(wx, foot - 80, 32, 40, c.down("#2f3d48", "#6d8290"))
        c.path(f"M{wx + 16} {foot - 80}v40M{wx} {foot - 60}h32", stroke="#e6dac2", stroke_width=4)
        for dx in (-26, 38):
            c.rect(wx + dx, foot - 86, 20, 52, "#9c3b2c" if not then else "#6d3a2c")
            c.path(f"M{wx + dx} {foot - 86}l20 26l-20 26z", "#efe4cc")
    c.rect(x + 108, foot - 92, 54, 94, "#5a3a22")
    c.rect(x + 114, foot - 86, 42, 88, "#7d5232")
    c.path("".join(f"M{x + 114 + k * 11} {foot - 86}v88" for k in range(1, 4)) + f"M{x + 114} {foot - 44}h42", stroke="#4a2f1c", stroke_width=3)
    c.rect(x + 100, foot, 70, 8, "#b8ad9e")
    c.rect(x + 116, foot - 150, 38, 32, "#5a3a22")
    c.rect(x + 120, foot - 146, 30, 24, "#3a4a56")
    c.path(f"M{x + 135} {foot - 146}v24M{x + 120} {foot - 134}h30", stroke="#e6dac2", stroke_width=3)
    # The cross on its knoll.
    c.line("M1130 770V640M1102 670H1158", "#5a3f2a", 10)
    c.line("M1128 770V642M1104 668H1156", "#86643f", 3)
    for k, w in enumerate((34, 28, 20)):
        c.path(f"M{1130 - w} {776 - k * 11}l4 -11h{2 * w - 8}l4 11z", ("#8d857b", "#a89f93", "#bdb4a7")[k])


def wing(c, x, foot):
    chance = random.Random(70)
    c.rect(x, foot - 132, 216, 134, "#b98450")
    c.path("".join(f"M{x} {foot - 124 + k * 11}h216" for k in range(12)), stroke="#8f6034", stroke_width=2.6)
    for k in range(4):
        wx = x + 16 + k * 50
        c.rect(wx, foot - 108, 42, 84, c.down("#a8d4e6", "#5f90ac"))
        c.path(f"M{wx + 4} {foot - 32}L{wx + 30} {foot - 104}h8L{wx + 14} {foot - 28}Z", "#ffffff", opacity=0.35)
        c.rect(wx, foot - 108, 42, 84, "none", stroke="#3a2c22", stroke_width=4)
    c.path(f"M{x - 8} {foot - 128}L{x + 34} {foot - 198}H{x + 214}L{x + 236} {foot - 128}Z", "#4d5058")
    for r in range(2):
        for k in range(6):
            px = x + 38 + k * 29 - r * 12 + (k - 2) * r * 2
            py = foot - 192 + r * 31
            c.path(f"M{px} {py}h26l{2 + k * 0.6:.1f} 27h-29z", c.down("#2c4f8c", "#16305c"))
            c.path(f"M{px + 9} {py}l-1 27M{px + 18} {py}l1 27M{px} {py + 9}h27M{px} {py + 18}h28", stroke="#8fb0dc", stroke_width=1.3)
    # The terrace: boards, tables, parasols, a flag.
    c.rect(x - 4, foot - 2, 300, 10, "#c99a62")
    c.path("".join(f"M{x + 6 + k * 44} {foot + 8}v16" for k in range(7)), stroke="#7d5a38", stroke_width=7)
    for px, cloth in ((x + 250, "#d8402f"),):
        c.line(f"M{px} {foot - 2}v-112", "#6a5a4c", 5)
        c.path(f"M{px - 66} {foot - 94}Q{px} {foot - 152} {px + 66} {foot - 94}Q{px + 33} {foot - 104} {px} {foot - 94}Q{px - 33} {foot - 104} {px - 66} {foot - 94}Z", cloth)
        c.path(f"M{px} {foot - 124}Q{px + 44} {foot - 116} {px + 66} {foot - 94}Q{px + 33} {foot - 104} {px} {foot - 94}Z", darker(cloth, 0.2))
        c.line(f"M{px - 40} {foot - 34}h80M{px - 26} {foot - 34}v32M{px + 26} {foot - 34}v32", "#8f6034", 5)
        for dx, coat in ((-44, "#2f6fd1"), (44, "#f0b93c")):
            c.path(f"M{px + dx - 15} {foot - 8}C{px + dx - 15} {foot - 54} {px + dx + 15} {foot - 54} {px + dx + 15} {foot - 8}Z", coat)
            c.circle(px + dx, foot - 60, 11, "#dba67c")
            c.path(f"M{px + dx - 11} {foot - 60}C{px + dx - 12} {foot - 78} {px + dx + 12} {foot - 78} {px + dx + 11} {foot - 60}Z", chance.choice(("#3a261b", "#8a5a34")))
