"""Ships and boats of two times, and the gulls above them."""

from drawing.canvas import darker


def hull(c, d, tone, water_line):
    """A hull and its dark mirror image in the water."""
    c.path(d, tone)
    with c.group(transform=f"translate(0 {2 * water_line}) scale(1 -1)", opacity=0.22):
        c.path(d, "#0f2a3c")


def sailing_boat(c, x, y, size, cloth, flip=False):
    with c.moved(x, y, size, flip=flip):
        c.path("M-86 4H84L66 60L-40 100L-60 40Z", cloth, opacity=0.18)
        hull(c, "M-96 -30C-60 -22 50 -22 92 -36C90 -16 82 -4 74 4H-76C-86 -6 -94 -18 -96 -30Z", "#3d2f2a", 4)
        c.path("M-96 -30C-60 -22 50 -22 92 -36L90 -28C50 -14 -60 -14 -93 -22Z", "#d9cdb4")
        c.line("M6 -26V-236M-58 -24V-150M92 -36L134 -50", "#4a3426", 5)
        c.path("M10 -70C40 -66 66 -62 84 -58C76 -110 50 -170 12 -214C22 -160 22 -110 10 -70Z", cloth)
        c.path("M2 -50C-24 -46 -46 -44 -62 -42C-64 -90 -60 -140 -56 -176C-34 -196 -14 -206 2 -212Z", darker(cloth, 0.14))
        c.path("M-62 -42C-76 -40 -96 -38 -112 -34C-106 -76 -88 -112 -62 -136Z", darker(cloth, 0.28))
        c.path("M-60 -60L2 -68M-62 -90L2 -98M-60 -122L2 -134M-58 -152L2 -168", stroke=darker(cloth, 0.4), stroke_width=1.6)
        c.line("M6 -236L132 -50M6 -236L-96 -30", "#4a3426", 1.6)
        c.circle(-30, -40, 8, "#caa07a")
        c.path("M-42 -18C-42 -34 -18 -34 -18 -18Z", "#2b3540")


def steamer(c, x, y):
    with c.moved(x, y, 1):
        smoke = c.across(("#5c5654", 0.85), ("#7d7672", 0.7), ("#a8a29c", 0))
        c.path("M26 -196C20 -232 70 -238 90 -262C120 -298 170 -280 196 -304C230 -334 290 -314 330 -340C380 -370 440 -350 500 -372C440 -320 400 -316 350 -296C300 -268 250 -282 206 -250C170 -226 130 -240 104 -216C84 -200 60 -204 54 -196Z", smoke)
        c.path("M-200 6H196L150 54H-160Z", "#0f2a3c", opacity=0.3)
        c.path("M-230 -54C-150 -40 120 -40 214 -60C214 -30 208 -10 200 6H-190C-210 -10 -224 -30 -230 -54Z", "#26242a")
        c.path("M-222 -26C-150 -14 120 -14 212 -32L210 -24C120 -6 -150 -6 -219 -18Z", "#e9ddc4")
        c.path("M-206 -10C-150 -4 130 -4 206 -12L200 6H-190Z", "#7d2f28")
        c.rect(-110, -82, 200, 38, "#efe4cc")
        c.rect(-70, -118, 110, 38, "#e0d2b6")
        c.rect(-78, -124, 126, 8, "#6a4a34")
        c.rect(-118, -88, 216, 8, "#6a4a34")
        for k in range(9):
            c.circle(-96 + k * 22, -62, 6, "#3d4852", stroke="#b89a5a", stroke_width=2)
        for k in range(5):
            c.rect(-62 + k * 20, -108, 13, 18, "#46525e")
        c.path("M22 -122L26 -196H56L60 -122Z", "#2a272c")
        c.path("M24 -160L25 -178H57L58 -160Z", "#c24a38")
        c.line("M-160 -46V-206M140 -50V-190", "#5a4232", 6)
        c.line("M-160 -206L-228 -54M-160 -206L26 -190M140 -190L214 -58M140 -190L56 -190", "#3a3430", 1.8)
        c.path("M-160 -206l34 8l-34 10z", "#b8402f")
        c.path("".join(f"M{k} -50v-14" for k in range(-210, -112, 14)) + "M-216 -64H-112", stroke="#e9ddc4", stroke_width=2.5)
        c.path("M214 -58C206 -20 200 0 196 8M-190 8q-40 0 -66 6M196 8q30 -2 60 6", stroke="#ffffff", stroke_width=4, opacity=0.7)


def gulls(c, places):
    for x, y in places:
        c.line(f"M{x - 20} {y - 6}Q{x - 9} {y - 12} {x} {y}Q{x + 9} {y - 12} {x + 20} {y - 6}", "#f9f9f6", 5)
        c.line(f"M{x - 22} {y - 6}l4 0M{x + 18} {y - 6}l4 0", "#4a4f58", 4)


def yacht(c, x, y, size, stripe, flip=False):
    with c.moved(x, y, size, flip=flip):
        c.path("M-60 4H60L40 40H-36Z", "#ffffff", opacity=0.25)
        hull(c, "M-78 -20H70C64 -6 56 2 46 6H-52C-66 2 -74 -8 -78 -20Z", "#fbfbf8", 6)
        c.path("M-76 -14H67L64 -8H-72Z", stripe)
        c.path("M-34 -20C-30 -34 -20 -38 -6 -38H26C36 -38 42 -30 46 -20Z", "#e6eaee")
        c.path("M-24 -24C-22 -32 -16 -34 -8 -34H22C28 -34 32 -30 34 -24Z", "#2f4658")
        c.line("M-6 -38V-226", "#8b949e", 4)
        c.line("M-6 -60H62", "#8b949e", 4)
        c.path("M-4 -66C20 -74 50 -72 62 -64V-60H-4Z", stripe)
        c.line("M-6 -224L-78 -22M-6 -224L70 -22M-26 -150H14", "#8b949e", 1.4)
        for k in range(4):
            c.ellipse(-46 + k * 28, -2, 4, 8, "#2f4f7c")


def ferry(c, x, y):
    with c.moved(x, y, 1):
        c.path("M-240 8H230L190 50H-200Z", "#0f2a3c", opacity=0.28)
        c.path("M-252 -40H226C236 -40 240 -20 226 8H-214C-234 0 -246 -20 -252 -40Z", "#f7f9fb")
        c.path("M-244 -22H234L230 -8H-236Z", "#1f66c2")
        c.path("M-206 -40C-190 -72 -170 -88 -136 -90H206V-40Z", "#eef2f5")
        c.path("M-190 -48C-178 -68 -164 -78 -140 -80H196V-48Z", c.down("#1e3348", "#4a7390"))
        c.path("".join(f"M{k} -80v32" for k in range(-130, 196, 36)), stroke="#eef2f5", stroke_width=4)
        c.path("M-120 -90C-110 -112 -96 -124 -70 -126H150L166 -90Z", "#ffffff")
        c.path("M-104 -96C-98 -110 -88 -117 -68 -118H-10V-96Z", "#24405a")
        for k in range(6):
            c.rect(4 + k * 24, -116, 17, 18, "#24405a", r=3)
        c.path("M60 -126L74 -158H110L104 -126Z", "#1f66c2")
        c.line("M-40 -126V-164M-56 -150H-24M20 -126V-146", "#7d8790", 4)
        c.path("M-252 8q-30 0 -50 6M226 8c40 -6 70 2 120 8", stroke="#ffffff", stroke_width=6, opacity=0.8)
