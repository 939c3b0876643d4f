"""What tests ask of how a page looks."""

from axe_playwright_python.sync_playwright import Axe

from people import until_true


def accessibility_problems(page):
    """What axe finds against WCAG 2.2 A and AA, in words."""
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    found = Axe().run(page, options=rules).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def scrolls_sideways(page):
    """Whether the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def turn(page, size):
    """Gives the window another size, as turning a phone does. Ends when the page has been laid out in it."""
    page.set_viewport_size(size)
    # The browser changes the width, the height and the units that follow them (dvh) one after the other.
    until_true(
        page,
        """async ({ width, height }) => {
          if (innerWidth !== width || innerHeight !== height) return false;
          await new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut)));
          const probe = document.body.appendChild(document.createElement("div"));
          Object.assign(probe.style, { position: "fixed", height: "100dvh" });
          const followed = probe.offsetHeight === height;
          probe.remove();
          return followed;
        }""",
        size,
    )


def box(locator):
    """Left, top, width and height in CSS pixels."""
    bounds = locator.bounding_box()
    return bounds["x"], bounds["y"], bounds["width"], bounds["height"]


def size(locator):
    """Width and height in CSS pixels."""
    return box(locator)[2:]


def style(locator, name):
    """A computed style."""
    return locator.evaluate("(element, name) => getComputedStyle(element).getPropertyValue(name)", name)


def colour(page, variable):
    """A colour token as the browser computes it."""
    return page.evaluate(
        """(name) => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = `var(${name})`;
          const colour = getComputedStyle(probe).color;
          probe.remove();
          return colour;
        }""",
        variable,
    )
