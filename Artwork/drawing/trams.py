"""The trams of Market Street, with a horse and with a wire."""

from drawing.past import horse, person, wheel


def horse_tram(c):
    foot = 958
    for x, coat in ((520, "#6d4a34"), (476, "#8a6446")):
        horse(c, x, foot - (8 if x == 520 else 0), 1.02, coat)
    c.line(f"M548 {foot - 62}L664 {foot - 40}", "#3a2a20", 4)
    c.line(f"M416 {foot - 118}Q520 {foot - 96} 690 {foot - 104}", "#3a2a20", 2.5)
    x0, x1, top = 690, 1066, foot - 196
    c.ellipse((x0 + x1) / 2, foot + 2, 220, 10, "#1c1420", opacity=0.4)
    for x in (776, 980):
        wheel(c, x, foot - 22, 25, "#3a2e2a", 0.2, 8)
    c.rect(x0 - 44, foot - 46, x1 - x0 + 88, 12, "#4a3328")
    c.path(f"M{x0 - 40} {foot - 46}v-42h34M{x1 + 40} {foot - 46}v-42h-34", stroke="#4a3328", stroke_width=6)
    c.rect(x0, top + 20, x1 - x0, 132, "#efe2c0")
    c.rect(x0, foot - 98, x1 - x0, 58, "#8e3b30")
    c.rect(x0, foot - 100, x1 - x0, 5, "#e0b95e")
    c.text((x0 + x1) / 2, foot - 62, "MARKET – STATION", 21, "#f3dca0", letter_spacing=4)
    c.path(f"M{x0 - 52} {top + 24}Q{x0 - 40} {top + 2} {x0} {top}H{x1}Q{x1 + 40} {top + 2} {x1 + 52} {top + 24}Z", "#d8cba8")
    c.rect(x0 + 26, top - 16, x1 - x0 - 52, 18, "#b8a884")
    c.path("".join(f"M{x} {top - 12}v10" for x in range(x0 + 40, x1 - 30, 26)), stroke="#5a4a3a", stroke_width=8)
    for k in range(6):
        x = x0 + 16 + k * 60
        c.path(f"M{x} {top + 90}V{top + 44}Q{x + 22} {top + 26} {x + 44} {top + 44}V{top + 90}Z", c.down("#4a4f58", "#8a8a80"), stroke="#7a5232", stroke_width=4)
        if k in (0, 2, 3, 5):
            c.path(f"M{x + 9} {top + 89}C{x + 8} {top + 70} {x + 36} {top + 70} {x + 35} {top + 89}Z", ("#37322f", "", "#6d5560", "#46505a", "", "#4a3a34")[k])
            c.circle(x + 22, top + 64, 9, "#d8ab84")
            c.path(f"M{x + 10} {top + 60}h24v-3h-6v-8h-12v8h-6z", "#e6d4a0" if k == 3 else "#2a2528")
    for x in (x0 - 42, x1 + 42):
        c.line(f"M{x} {top + 20}V{foot - 46}", "#5a3f2a", 5)
    person(c, x0 - 22, foot - 46, 100, "#2a3038", hat="cap", step=1, hatband="#20242a")
    person(c, x1 + 22, foot - 46, 100, "#2f3640", hat="cap", step=1, hatband="#20242a", flip=True)


def tram(c):
    x0, x1, foot, top = 560, 1108, 958, 742
    c.ellipse((x0 + x1) / 2, foot + 2, 296, 10, "#1c1420", opacity=0.42)
    c.rect(x0 + 40, foot - 22, x1 - x0 - 70, 20, "#2c2a30")
    for x in (650, 706, 960, 1016):
        c.circle(x, foot - 10, 14, "#45434a")
    body = f"M{x0 - 16} {foot - 24}C{x0 - 22} {foot - 80} {x0 - 4} {top + 30} {x0 + 34} {top + 8}Q{x0 + 44} {top} {x0 + 62} {top}H{x1 - 20}Q{x1} {top} {x1} {top + 22}V{foot - 12}H{x0 + 4}Q{x0 - 14} {foot - 12} {x0 - 16} {foot - 24}Z"
    c.path(body, c.down("#ffd356", "#f6bd32", "#e3a41e"))
    c.rect(x0 + 56, top - 12, x1 - x0 - 110, 14, "#d8dade", r=4)
    c.line(f"M1030 {top - 12}L1006 {top - 62}L1042 {top - 116}M1012 {top - 118}h60", "#4a4e58", 5)
    c.path(f"M{x0 - 8} {top + 108}C{x0 + 2} {top + 62} {x0 + 14} {top + 36} {x0 + 36} {top + 24}H{x0 + 76}V{top + 108}Z", c.down("#2a3c52", "#6f93ac"))
    c.path(f"M{x0 + 8} {top + 100}L{x0 + 42} {top + 30}h14L{x0 + 24} {top + 100}Z", "#ffffff", opacity=0.25)
    for x, wide, door in ((646, 58, True), (718, 78, False), (806, 78, False), (920, 58, True), (992, 88, False)):
        c.rect(x, top + 26, wide, 156 if door else 84, c.down("#2a3c52", "#7da0b6"), r=6)
        if door:
            c.path(f"M{x + wide / 2:.0f} {top + 26}v156", stroke="#f6bd32", stroke_width=5)
            c.rect(x, top + 140, wide, 42, "#e3a41e", opacity=0.5)
        else:
            c.path(f"M{x + 8} {top + 100}L{x + wide * 0.5:.0f} {top + 30}h16L{x + 30} {top + 104}Z", "#ffffff", opacity=0.22)
            for dx, coat, hair in ((22, "#c8403a", "#2a1a14"), (58, "#3f7f9a", "#c98d4a")):
                c.path(f"M{x + dx - 15} {top + 110}C{x + dx - 15} {top + 84} {x + dx + 15} {top + 84} {x + dx + 15} {top + 110}Z", coat)
                c.circle(x + dx, top + 76, 10, "#dba67c")
                c.path(f"M{x + dx - 10} {top + 76}C{x + dx - 12} {top + 60} {x + dx + 12} {top + 60} {x + dx + 10} {top + 76}C{x + dx + 4} {top + 70} {x + dx - 4} {top + 70} {x + dx - 10} {top + 76}Z", hair)
    c.rect(x0 + 90, foot - 66, x1 - x0 - 90, 9, "#ffffff")
    c.rect(894, top, 16, foot - 14 - top, "#5a5a62")
    c.path("".join(f"M{x} {top + 4}V{foot - 18}" for x in (898, 902, 906)), stroke="#3a3a42", stroke_width=1.6)
    c.rect(612, top + 5, 92, 18, "#1c2430", r=3)
    c.text(658, top + 20, "3 Station", 15, "#ffc94a", font_weight=700)
    c.ellipse(x0 + 2, foot - 52, 9, 11, "#fffbe0")
    c.glow(x0 - 4, foot - 52, 46, "#fff6cf", 0.8)
