"""Pairs of Then & Now: pictures of one place from two spots, and a pair on somebody's phone."""

import json
import random

from people import ready
from pngs import encoded

# Where now is in then, in unit squares: nine numbers, row by row.
MAP = [1.02, 0.02, -0.02, -0.015, 1.015, 0.01, 0.015, 0.01, 1]

WIDTH, HEIGHT = 640, 480
SIDE = 900


def apply(map, point):
    """Where a map takes a point."""
    x, y = point
    depth = map[6] * x + map[7] * y + map[8]
    return (map[0] * x + map[1] * y + map[2]) / depth, (map[3] * x + map[4] * y + map[5]) / depth


def place(seed):
    """A place with many corners to recognise: rows of brightness."""
    rows = [bytearray([128]) * SIDE for _ in range(SIDE)]
    chance = random.Random(seed)
    for _ in range(700):
        width, height = chance.randrange(8, 90), chance.randrange(8, 90)
        x, y = chance.randrange(SIDE - width), chance.randrange(SIDE - height)
        shade = chance.randrange(20, 236)
        for row in rows[y : y + height]:
            row[x : x + width] = bytes([shade]) * width
    return rows


def picture(rows, map=(1, 0, 0, 0, 1, 0, 0, 0, 1)):
    """A photo of a place from the spot that a map says, as PNG in greys."""
    left, top = (SIDE - WIDTH) / 2, (SIDE - HEIGHT) / 2
    lines = []
    for y in range(HEIGHT):
        line = bytearray()
        for x in range(WIDTH):
            across, down = apply(map, ((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT))
            px, py = left + across * WIDTH - 0.5, top + down * HEIGHT - 0.5
            column, row = int(px), int(py)
            right, low = px - column, py - row
            above, below = rows[row], rows[row + 1]
            upper = above[column] * (1 - right) + above[column + 1] * right
            lower = below[column] * (1 - right) + below[column + 1] * right
            line.append(int(upper * (1 - low) + lower * low + 0.5))
        lines.append(line)
    return encoded(WIDTH, HEIGHT, lines, channels=1)


def scenes(folder):
    """Writes a place then and now, and another place; the paths by these names."""
    here = place(1)
    pictures = {"then": picture(here), "now": picture(here, MAP), "elsewhere": picture(place(2))}
    paths = {}
    for name, data in pictures.items():
        paths[name] = folder / f"{name}.png"
        paths[name].write_bytes(data)
    return paths


class Couple:
    """A pair in the library of its owner, whose past photo is the next older photo there."""

    def __init__(self, owner, scenes, now="now", **members):
        self.owner = owner
        self._scenes = scenes
        self.then = owner.upload(scenes["then"], "The old square")
        self.id = self._shoot(now, photo_id=self.then, **members)

    def _shoot(self, now="now", **members):
        media = self.owner.upload(self._scenes[now], purpose="rephotograph")
        return self.owner.post("/api/v1/rephotographs", media_id=media, **members)["id"]

    @property
    def path(self):
        return f"/api/v1/rephotographs/{self.id}"

    @property
    def data(self):
        """The pair as the server has it."""
        return self.owner.get(self.path)

    @property
    def alignment(self):
        return self.data["alignment"]

    def take_again(self, years):
        """Makes another pair of the same past photo, some years ago; its id."""
        other = self._shoot(again_id=self.id)
        self._write(other, "now_year = now_year - ?", years)
        return other

    def credit(self, author, licence, source, date):
        """Makes the past photo one that was found."""
        self._write(
            self.id,
            "then_author = ?, then_licence = ?, then_source_url = ?, then_date = ?, then_year = ?",
            author, licence, source, date, int(date),
        )

    def _write(self, id, change, *values):
        with self.owner.server.database() as database:
            database.execute(f"UPDATE pairs SET {change} WHERE photo_id = ?", (*values, id))

    def align(self, points):
        """Aligns the pair by points: for each where it is on then and on now."""
        named = [
            {"then": {"x": then[0], "y": then[1]}, "now": {"x": now[0], "y": now[1]}} for then, now in points
        ]
        body = json.dumps({"points": named}).encode()
        return self.owner.call("POST", f"{self.path}/align", body, "application/json")

    def open(self, page=None):
        """Opens the pair in the photo viewer."""
        page = page or self.owner.page
        page.goto(f"/library/{self.id}")
        ready(page)
        drawn(page, self.id)
        return page


def view(page, id=None):
    """The pair on the stage, without its neighbours."""
    own = f'[data-id="{id}"]' if id else ""
    return page.locator(f"[data-stage] > pair-view{own}:not([inert])")


def drawn(page, id=None):
    """Waits until a pair is on the stage and laid out."""
    page.wait_for_function(
        "(id) => document.querySelector("
        "`[data-stage] > pair-view${id ? `[data-id='${id}']` : ''}:not([inert])`"
        ")"
        "?.querySelector('[data-zoom]').style.width",
        arg=id,
    )


def spot(page, side, point):
    """Where a spot of a photo's frame is drawn, as a share of its half: what the layout makes of a probe there."""
    return page.evaluate(
        """([side, x, y]) => {
          const half = document.querySelector(`pair-view:not([inert]) [data-half=${side}]`);
          const probe = document.createElement("i");
          Object.assign(probe.style, { position: "absolute", left: `${x * 100}%`, top: `${y * 100}%` });
          half.firstElementChild.append(probe);
          const [at, around] = [probe, half].map((element) => element.getBoundingClientRect());
          probe.remove();
          return {
            x: (at.x - around.x) / around.width,
            y: (at.y - around.y) / around.height,
            width: around.width,
            height: around.height,
          };
        }""",
        [side, *point],
    )


# What opens the phone's share sheet, and keeps what was shared.
SHARE_SHEET = """() => {
  navigator.canShare = () => true;
  navigator.share = async (content) => {
    const { text, files } = content;
    window.shared = { text, type: files?.[0]?.type, size: files?.[0]?.size, members: Object.keys(content).sort() };
    document.documentElement.dataset.shared = "yes";
  };
}"""
