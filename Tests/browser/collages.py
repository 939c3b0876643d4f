"""A collage on somebody's phone, as its tests look at it."""

import json
import re

from people import ready

class Desk:
    """A collage in the making, and its owner."""

    def __init__(self, owner, photos, layout="two-above-one", filled=3, people=()):
        self.owner = owner
        names = [("Bridge", 0), ("Meadow", 1), ("Square", 2)]
        self.photos = [owner.upload(photos[which], name) for name, which in names]
        self.id = owner.post(
            "/api/v1/collage_drafts", layout_id=layout, account_ids=[person.id for person in people]
        )["id"]
        for cell in range(filled):
            self.fill(cell, self.photos[cell % 3])
        self.calls = []

    @property
    def path(self):
        return f"/api/v1/collage_drafts/{self.id}"

    @property
    def draft(self):
        """The collage as the server has it."""
        return self.owner.get(self.path)

    @property
    def shown(self):
        """The photos of the cells."""
        return [cell["photo"] and cell["photo"]["id"] for cell in self.draft["cells"]]

    def fill(self, cell, photo, by=None):
        body = json.dumps({"photo_id": photo}).encode()
        return (by or self.owner).call("PUT", f"{self.path}/cells/{cell}", body, "application/json")

    def set(self, **style):
        self.owner.call("PATCH", self.path, json.dumps(style).encode(), "application/json")

    def page(self, person=None):
        """Opens the editor, and notes what it asks of the server."""
        page = (person or self.owner).page
        self.calls = []

        def note(request):
            found = re.search(rf"collage_drafts/{self.id}(.*)", request.url)
            if found and request.method != "GET":
                self.calls.append(f"{request.method} {found[1]}")

        page.on("request", note)
        page.goto(f"/collage/{self.id}")
        ready(page)
        page.wait_for_selector("collage-editor[data-saved]", state="attached")
        return page


def cell(page, number):
    return page.get_by_role("link", name=re.compile(f"^Cell {number} of"))


def saved(page):
    """Waits until the server has acknowledged everything that was changed."""
    page.wait_for_selector("collage-editor[data-saved=yes]", state="attached")


def note(page):
    return page.locator("[data-note]")


def square(page):
    return page.get_by_role("group", name="Collage", exact=True)


def place(page, number):
    """Where the photo of a cell is drawn, in pixels of a square of 400."""
    image = page.locator(".window").nth(number - 1).locator("image")
    return {name: float(image.get_attribute(name)) for name in ("x", "y", "width", "height")}


def shift(point, across, down):
    return point[0] + across, point[1] + down
