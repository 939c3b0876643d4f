"""The people of the demo: flat heads on a coloured ground, 480 units square."""

from dataclasses import dataclass

from drawing.canvas import Canvas, channels, darker, lighter, mix

INK = "#2b1b15"

# Heads are drawn on the shoulders at their own size, then grown around the chin.
HEAD = "translate(240 330) scale(1.1) translate(-240 -326)"

FACE = ("M166 186C166 134 198 112 240 112C282 112 314 134 314 186L314 226"
        "C314 284 278 320 240 320C202 320 166 284 166 226Z")
SHOULDERS = ("M40 480C44 414 104 384 176 366C194 361 204 352 207 340L273 340"
             "C276 352 286 361 304 366C376 384 436 414 440 480Z")
NECK = "M207 286L207 352C207 378 222 392 240 392C258 392 273 378 273 352L273 286Z"
NECK_SHADOW = "M207 304C216 318 228 326 240 326C252 326 264 318 273 304L273 324C262 342 218 342 207 324Z"


@dataclass(frozen=True)
class Cut:
    """Hair as paths: behind the head, over the forehead, and strands a tone lighter."""

    back: str = ""
    front: str = ""
    shine: str = ""


def curls(*circles):
    """A cloud of curls: circles (x, y, r) as one path."""
    return "".join(f"M{x - r} {y}a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1 {-2 * r} 0Z" for x, y, r in circles)


CUTS = {
    "bun": Cut(
        back=curls((240, 84, 40)) + "M152 236C138 140 180 92 240 92C300 92 342 140 328 236Z",
        front="M158 240C142 140 184 94 240 94C296 94 338 140 322 240C320 206 310 180 292 160"
              "C260 148 220 148 188 160C170 180 160 206 158 240Z",
        shine="M178 150C192 122 212 112 236 110M222 62C230 56 244 54 254 58"),
    "long": Cut(
        back="M136 396C120 330 128 250 138 186C150 112 190 84 240 84C290 84 330 112 342 186"
             "C352 250 360 330 344 396C312 410 168 410 136 396Z",
        front="M214 92C158 98 134 160 150 262C164 240 172 216 176 194C200 178 218 148 222 118"
              "C232 150 268 180 304 192C308 216 316 240 330 262C346 160 318 82 214 92Z",
        shine="M166 190C172 160 184 138 202 122M148 300C146 330 148 356 152 376M262 112C286 122 304 140 314 168"),
    "crop": Cut(
        front="M160 212C150 128 190 92 240 92C290 92 330 128 320 212L311 206C309 184 302 168 292 160"
              "C258 152 222 152 188 160C178 168 171 184 169 206Z"),
    "pixie": Cut(
        front="M160 236C142 150 168 92 236 86C306 80 342 140 322 236C316 222 312 206 310 190"
              "C286 188 252 172 228 150C218 172 196 188 174 194C170 210 166 222 160 236Z",
        shine="M184 150C196 124 214 110 238 106M262 120C284 128 300 144 308 164"),
    "receding": Cut(
        front="M162 222C150 150 176 106 240 102C304 106 330 150 318 222L310 204C308 180 300 166 292 152"
              "C276 134 258 140 240 140C222 140 204 134 188 152C180 166 172 180 170 204Z"),
    "waves": Cut(
        back="M150 412C116 400 138 370 122 342C108 316 134 296 126 264C118 228 132 210 138 178"
             "C150 110 190 82 240 82C290 82 330 110 342 178C348 210 362 228 354 264"
             "C346 296 372 316 358 342C342 370 364 400 330 412C300 420 180 420 150 412Z",
        front="M252 90C170 84 132 150 152 262C168 246 176 214 180 186C214 184 244 158 256 124"
              "C266 152 284 176 302 190C304 216 314 246 328 262C348 156 320 94 252 90Z",
        shine="M168 184C176 150 196 124 228 112M140 300C136 318 146 336 142 356M342 300C346 318 336 336 340 356"),
    "short curls": Cut(
        back=curls((164, 190, 26), (316, 190, 26)),
        front=curls((170, 168, 30), (186, 130, 32), (218, 108, 33), (258, 106, 33), (292, 128, 32),
                    (310, 166, 30), (212, 146, 24), (246, 138, 26), (280, 148, 22))),
    "quiff": Cut(
        front="M160 220C150 166 156 128 182 112C178 92 214 70 262 78C304 78 326 104 318 132"
              "C328 158 326 190 320 220L311 206C310 186 304 170 296 158C262 168 220 160 200 146"
              "C184 160 172 180 169 206Z",
        shine="M204 112C224 98 252 96 276 102"),
    "bob": Cut(
        back="M134 330C126 250 126 206 140 168C156 108 194 84 240 84C286 84 324 108 340 168"
             "C354 206 354 250 346 330C324 344 156 344 134 330Z",
        front="M150 300C136 206 140 88 240 88C340 88 344 206 330 300C318 262 314 226 312 198"
              "C272 204 208 204 168 198C166 226 162 262 150 300Z",
        shine="M172 168C180 138 200 120 226 114"),
    "shoulder": Cut(
        back="M132 352C112 340 126 300 126 262C122 220 130 190 138 168C154 108 194 82 240 82"
             "C286 82 326 108 342 168C350 190 358 220 354 262C354 300 368 340 348 352"
             "C326 372 154 372 132 352Z",
        front="M240 90C166 88 136 150 152 268C166 246 174 216 178 194C204 182 230 158 240 130"
              "C250 158 276 182 302 194C306 216 314 246 328 268C344 150 314 88 240 90Z",
        shine="M166 196C172 162 190 132 218 116M264 116C290 132 308 162 314 196"),
    "flat top": Cut(
        front="M162 208C152 170 154 132 160 104C164 88 176 84 196 82C226 79 254 79 284 82"
              "C304 84 316 88 320 104C326 132 328 170 318 208L311 192C310 174 304 164 294 160"
              "L186 160C176 164 170 174 169 192Z"),
    "big curls": Cut(
        back=curls((138, 300, 38), (128, 250, 42), (132, 194, 44), (158, 144, 46), (202, 108, 46),
                   (252, 98, 46), (300, 120, 46), (340, 164, 46), (352, 220, 44), (350, 276, 42),
                   (336, 318, 34), (150, 336, 32), (186, 316, 32), (298, 316, 34))
             + "M140 300L140 180L240 110L340 180L340 300Z",
        front=curls((168, 176, 25), (186, 144, 28), (216, 128, 28), (254, 126, 28), (288, 142, 28),
                    (312, 174, 25))),
    "under hat": Cut(
        front="M162 236C156 214 156 196 160 178L180 178C174 196 172 214 170 232Z"
              "M318 236C324 214 324 196 320 178L300 178C306 196 308 214 310 232Z"),
    "mop": Cut(
        back=curls((158, 214, 24), (322, 214, 24), (160, 242, 18), (320, 242, 18)),
        front=curls((178, 176, 18), (204, 172, 17), (278, 172, 17), (302, 176, 18))),
}


@dataclass(frozen=True)
class Person:
    name: str
    ground: str
    skin: str
    hair: str
    cut: str
    top: str
    neckline: str = "crew"
    beard: str = ""
    glasses: str = ""
    hat: str = ""
    hat_colour: str = ""
    mouth: str = "smile"
    freckles: bool = False
    earrings: str = ""
    trim: str = ""


PEOPLE = [
    Person("lena", "#e6d4f0", "#d99f6f", "#4a2816", "bun", "#7b4a8f", earrings="#f0c04c"),
    Person("maite", "#bfe2d6", "#8a5233", "#1c1412", "long", "#22727a", "v"),
    Person("tomas", "#fbe6b6", "#623a26", "#17110f", "crop", "#d9992a", mouth="open"),
    Person("ines", "#f6d49c", "#f2c9a2", "#3c2a20", "pixie", "#cd4c3c", "stripes", trim="#f8e7d4",
           earrings="#fbf4ea"),
    Person("jon.arrieta", "#cfe3f1", "#e6b48c", "#7d7d7b", "receding", "#22507e", "shirt",
           beard="full", trim="#3a6d9f"),
    Person("nora", "#d3ebca", "#fadcc6", "#b0431f", "waves", "#3d7340", "turtleneck", freckles=True,
           mouth="open"),
    Person("ruth", "#f8cbd8", "#b87a50", "#241814", "short curls", "#b4315f", "v",
           glasses="#43222c", earrings="#f4d58a"),
    Person("pau", "#cddaf4", "#f6d0ac", "#cf8f2e", "quiff", "#2d5199", "hoodie", trim="#24427d"),
    Person("amaia", "#f4dcc6", "#eebd94", "#75421f", "shoulder", "#35637a", "shirt",
           hat="beret", hat_colour="#b5322f", trim="#467d97"),
    Person("kofi", "#f6c49a", "#4f2e20", "#120d0c", "flat top", "#2e7a5c", "crew",
           beard="goatee", glasses="#f3e3c3", mouth="open"),
    Person("yuki", "#cfd9e6", "#f3cfa8", "#191822", "bob", "#f2efe9", "stripes", trim="#27477d"),
    Person("sofia", "#f9d3c0", "#c98c5c", "#2d1a12", "big curls", "#e0604a", "v", mouth="open",
           earrings="#f4d58a"),
    Person("omar", "#d7d3c6", "#bd8355", "#1f1613", "under hat", "#5a5e49", "hoodie",
           beard="full", hat="beanie", hat_colour="#c8862c", trim="#484b39"),
    Person("leo", "#bcdcec", "#f4c8a0", "#8a4b22", "mop", "#e2a33a", "crew", hat="cap",
           hat_colour="#1d5fd1", freckles=True, mouth="grin"),
]


def portrait(person):
    c = Canvas(480, 480, person.name)
    cut = CUTS[person.cut]
    shade = mix(person.skin, darker(person.skin, 0.55), 0.3)
    c.ground(c.down(lighter(person.ground, 0.18), person.ground))
    if cut.back:
        with c.group(transform=HEAD):
            c.path(cut.back, darker(person.hair, 0.28))
    draw_top(c, person, shade)
    with c.group(transform=HEAD):
        draw_face(c, person, shade)
        c.path(cut.front, person.hair)
        if cut.shine:
            c.line(cut.shine, lighter(person.hair, 0.16), 5, opacity=0.75)
        draw_glasses(c, person)
        draw_hat(c, person)
    return c


def draw_face(c, person, shade):
    for x in (167, 313):
        c.ellipse(x, 232, 15, 20, person.skin)
        c.ellipse(x, 234, 7, 11, shade, opacity=0.5)
        if person.earrings:
            c.circle(x, 256, 7, person.earrings)
    c.path(FACE, person.skin)
    deep = sum(channels(person.skin)) < 330
    for x in (190, 290):
        c.circle(x, 256, 17, "#e2543e", opacity=0.16 if deep else 0.2)
    draw_beard(c, person)
    draw_features(c, person, shade, deep)


def draw_top(c, person, shade):
    low = darker(person.top, 0.25)
    body = c.clip(SHOULDERS)
    c.path(SHOULDERS, person.top)
    with c.group(clip_path=body):
        c.path("M102 480C106 456 112 440 122 428L116 480Z", low, opacity=0.5)
        c.path("M378 480C374 456 368 440 358 428L364 480Z", low, opacity=0.5)
        if person.neckline == "stripes":
            for y in (404, 430, 456):
                c.line(f"M30 {y + 22}C150 {y - 8} 330 {y - 8} 450 {y + 22}", person.trim, 10)
    if person.neckline == "hoodie":
        c.path("M168 372C150 350 176 330 206 336L274 336C304 330 330 350 312 372C290 410 190 410 168 372Z",
               person.trim)
    if person.neckline == "turtleneck":
        c.path(NECK, shade)
        c.path("M200 338C212 346 268 346 280 338L292 374C290 398 190 398 188 374Z", lighter(person.top, 0.12))
        c.line("M196 362C222 372 258 372 284 362", low, 3, opacity=0.5)
        return
    c.path(NECK, person.skin)
    c.path(NECK_SHADOW, shade)
    if person.neckline in ("crew", "stripes"):
        c.line("M196 362C204 410 276 410 284 362", low, 9)
    elif person.neckline == "v":
        c.path("M207 350L240 416L273 350Z", person.skin)
        c.line("M200 360L240 420L280 360", low, 8)
    elif person.neckline == "shirt":
        c.path("M204 350L240 400L276 350L296 364L268 418L240 400L212 418L184 364Z", person.trim)
        c.line("M240 404L240 480", low, 4)
        for y in (432, 464):
            c.circle(247, y, 4, lighter(person.trim, 0.5))
    elif person.neckline == "hoodie":
        c.path("M186 364C206 404 274 404 294 364C306 396 276 424 240 424C204 424 174 396 186 364Z", low)
        for x, tip in ((212, 206), (268, 274)):
            c.line(f"M{x} 414L{tip} 458", lighter(person.top, 0.6), 5)


def draw_features(c, person, shade, deep):
    dark = mix(person.skin, "#000000", 0.5)
    ink = "#140c0a" if deep else INK
    brow = person.hair if person.hair not in ("#7d7d7b", "#cf8f2e") else darker(person.hair, 0.25)
    for side in (-1, 1):
        c.circle(240 + 31 * side, 226, 8, ink)
        c.circle(240 + 31 * side + 2.5, 223, 2.4, "#ffffff", opacity=0.85)
        c.line(f"M{240 + 18 * side} 200Q{240 + 32 * side} 191 {240 + 46 * side} 201",
               mix(brow, ink, 0.35 if deep else 0), 5.5)
    c.line("M240 232C238 242 234 250 238 253C241 255 245 254 248 252", dark if deep else shade, 4,
           opacity=0.75)
    if person.freckles:
        for x, y in ((184, 250), (196, 244), (204, 254), (194, 258), (296, 250), (284, 244), (276, 254), (286, 258)):
            c.circle(x, y, 2.4, "#b5653a", opacity=0.65)
    if person.mouth == "smile":
        c.line("M215 272C226 289 254 289 265 272", ink, 5.5)
    elif person.mouth == "grin":
        c.line("M214 274C230 290 252 286 268 268", ink, 5.5)
    else:
        c.path("M212 269C224 273 256 273 268 269C266 293 254 300 240 300C226 300 214 293 212 269Z", "#5e1a1c")
        c.path("M216 271C228 274 252 274 264 271C263 277 261 280 259 281L221 281C219 280 217 277 216 271Z", "#ffffff")
        c.path("M226 296C230 288 250 288 254 296C246 301 234 301 226 296Z", "#d9605c")


def draw_beard(c, person):
    if person.beard == "full":
        c.path("M165 216C168 236 172 250 186 256C204 262 214 252 240 252C266 252 276 262 294 256"
               "C308 250 312 236 315 216L315 240C318 300 280 336 240 336C200 336 162 300 165 240Z",
               person.hair)
        c.path("M216 270C224 266 256 266 264 270C262 288 252 292 240 292C228 292 218 288 216 270Z", person.skin)
    elif person.beard == "goatee":
        c.path("M204 262C214 252 266 252 276 262C282 300 268 330 240 330C212 330 198 300 204 262Z", person.hair)
        c.path("M209 268C220 264 260 264 271 268C268 294 254 302 240 302C226 302 212 294 209 268Z", person.skin)


def draw_glasses(c, person):
    if not person.glasses:
        return
    for x in (207, 273):
        c.circle(x, 227, 26, "#ffffff", fill_opacity=0.14, stroke=person.glasses, stroke_width=5)
    c.line("M233 224Q240 219 247 224M181 224L166 220M299 224L314 220", person.glasses, 5)


def draw_hat(c, person):
    colour, low = person.hat_colour, darker(person.hat_colour or "#000000", 0.25)
    if person.hat == "beanie":
        c.path("M152 184C140 106 182 66 240 66C298 66 340 106 328 184Z", colour)
        for x in (180, 210, 240, 270, 300):
            bend = (x - 240) * 0.55
            c.line(f"M{x} 160C{x} 124 {240 + bend} 92 {240 + bend * 0.5} 74", low, 4, opacity=0.45)
        c.rect(146, 152, 188, 44, lighter(colour, 0.12), r=18)
        for x in range(164, 328, 17):
            c.line(f"M{x} 162L{x} 186", low, 4, opacity=0.4)
    elif person.hat == "cap":
        c.path("M158 170C150 100 190 72 240 72C290 72 330 100 322 170Z", colour)
        c.line("M240 74L240 166M196 84C184 110 180 140 180 166M284 84C296 110 300 140 300 166", low, 3, opacity=0.4)
        c.circle(240, 72, 8, low)
        c.path("M152 174C154 152 196 142 240 142C284 142 326 152 328 174C330 188 312 178 240 178C168 178 150 188 152 174Z", low)
        c.circle(240, 118, 17, "#ffffff", opacity=0.92)
        c.path("M240 129L229 118C223 110 233 103 240 110C247 103 257 110 251 118Z", "#e0243f")
    elif person.hat == "beret":
        c.path("M146 150C112 118 148 70 226 68C310 62 372 96 346 138C336 158 300 150 240 150C190 150 166 160 146 150Z", colour)
        c.path("M156 148C190 132 290 132 326 144C322 160 300 156 240 156C190 156 166 162 156 148Z", low)
        c.line("M240 68C240 60 244 54 250 50", low, 8)
        c.line("M176 106C196 92 220 88 244 88", lighter(colour, 0.25), 5, opacity=0.7)


def drawings():
    """Each portrait under its file's name, the person's username."""
    return {person.name: portrait(person) for person in PEOPLE}
