"""The headland of the harbour: rocks, the mole, the keeper's house and the lighthouse."""

import random

from drawing.canvas import darker, mix
from drawing.facades import chimney, tiles, window
from drawing.landscape import polygon
from drawing.past import Heap


def headland(c):
    """Rocks in facets, the keeper's house, the tower, the mole with its blocks."""
    chance = random.Random(29)
    outline = [(900, 700), (928, 652), (966, 640), (990, 596), (1040, 580), (1068, 538), (1120, 520), (1230, 512), (1330, 486), (1420, 492), (1580, 470), (1580, 760), (900, 760)]
    c.path(polygon(outline), "#7b6f68")
    columns = [900, 950, 1000, 1062, 1118, 1180, 1246, 1310, 1378, 1446, 1514, 1580]

    def top(x):
        return next(a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]) for a, b in zip(outline, outline[1:]) if a[0] <= x <= b[0])

    with c.group(clip_path=c.clip(polygon(outline))):
        grid = []
        for x in columns:
            head = top(x)
            grid.append([(x + chance.uniform(-16, 16), head + (764 - head) * r / 4 + (chance.uniform(-14, 14) if r else -6)) for r in range(5)])
        for left, right in zip(grid, grid[1:]):
            for r in range(4):
                a, b, d, e = left[r], right[r], right[r + 1], left[r + 1]
                base = mix("#b3a392", "#5f5660", r / 5)
                c.path(polygon([a, b, e]), mix(base, "#e3d3ba", chance.uniform(0, 0.4)))
                c.path(polygon([b, d, e]), darker(base, chance.uniform(0.06, 0.4)))
        for _ in range(44):
            x, y = chance.uniform(910, 1560), chance.uniform(520, 740)
            c.line(f"M{x:.0f} {y:.0f}l{chance.uniform(-14, 14):.0f} {chance.uniform(12, 34):.0f}l{chance.uniform(-10, 12):.0f} {chance.uniform(8, 20):.0f}", "#463e44", 2.4, opacity=0.7)
        c.path("M960 660C1000 590 1040 596 1066 556C1110 524 1250 536 1330 506C1420 500 1500 492 1580 488V440H940Z", "#8aa05c")
        for x in range(980, 1580, 17):
            y = top(x) + chance.uniform(2, 16)
            c.line(f"M{x} {y:.0f}l-4 -9M{x + 4} {y:.0f}l3 -8", "#5f7444", 2.5)
    # The mole: courses of dressed stone out to a small light.
    c.path("M700 664H960V742H690Z", "#8f857a")
    stones = Heap()
    for r in range(5):
        x = 694 + chance.randrange(0, 20)
        while x < 952:
            w = chance.randrange(22, 44)
            stones.box(chance.choice(("#a89c8c", "#968b7e", "#b8ab98", "#857b72")), x, 668 + r * 15, min(w, 956 - x), 12)
            x += w + 3
    stones.draw(c)
    c.rect(688, 655, 276, 11, "#cbbfaa")
    c.path("M716 655V590L722 570H742L748 590V655Z", "#3f7a5c")
    c.path("M736 570H742L748 590V655H738Z", "#2c5a44")
    c.rect(714, 584, 36, 6, "#2b2a30")
    c.rect(723, 552, 18, 20, "#fff1c0")
    c.path("M718 553L732 538L746 553Z", "#2b2a30")
    # The keeper's house with its tiled roof.
    c.rect(1216, 428, 168, 90, "#f1e8d8")
    c.rect(1326, 428, 58, 90, "#cbbda8")
    tiles(c, [(1206, 430), (1232, 376), (1368, 376), (1396, 430)], "#a4553c", chance, row=10, wide=11)
    chimney(c, 1330, 384, 36)
    for x in (1232, 1296, 1344):
        window(c, chance, x, 448, 22, 32, "#d8c8ae", "flat")
    c.path("M1266 518V462h24v56z", "#5a3a2c")
    # The tower.
    body = "M1096 528L1114 214H1174L1192 528Z"
    c.path(body, c.across("#fff8ea", "#f0e6d6", "#a99c9c"))
    with c.group(clip_path=c.clip(body)):
        for y in (262, 366, 470):
            c.path(f"M1080 {y}H1210V{y + 52}H1080Z", c.across("#cf4b3a", "#b83c2e", "#742a2c"))
        courses = Heap()
        for r, y in enumerate(range(222, 528, 13)):
            for k in range(5):
                if chance.random() < 0.5:
                    courses.box("#3a2a2c", 1094 + k * 22 + (r % 2) * 11, y, 14, 2.4)
        courses.draw(c, opacity=0.35)
    for y in (300, 404):
        c.path(f"M1136 {y + 30}V{y + 8}Q1144 {y - 4} 1152 {y + 8}V{y + 30}Z", "#2d3540")
        c.rect(1132, y + 30, 24, 5, "#e8dcc8")
    c.path("M1130 528V488Q1144 470 1158 488V528Z", "#3f3436")
    c.path("M1100 214L1108 200H1180L1188 214Z", "#45383c")
    c.path("".join(f"M{x} 200v-24" for x in range(1104, 1188, 9)) + "M1100 176H1188M1102 188H1186", stroke="#2d2a30", stroke_width=3)
    c.rect(1122, 140, 44, 62, "#ffedb4")
    c.path("M1122 140h44v62h-44zM1136 140v62M1152 140v62M1122 170h44", stroke="#4a3c3c", stroke_width=4)
    c.path("M1114 142Q1120 106 1144 98Q1168 106 1174 142Z", "#a8402f")
    c.path("M1144 98Q1168 106 1174 142H1152Z", "#7c2f2a")
    c.line("M1144 98V76", "#2d2a30", 4)
    c.circle(1144, 96, 7, "#d8a040")
    c.path("M880 752C960 738 1100 762 1240 748S1480 758 1580 746V764H880Z", "#ffffff", opacity=0.65)
