"""What a browser keeps for a time without a network, and phones that lose theirs."""

import pytest
from playwright.sync_api import TimeoutError

from conftest import PATIENCE, PHONE
from people import until_true
from proxies import Line

# What this browser keeps: addresses by cache, and entries by database.
KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    if (name.startsWith("tintype-static")) continue;
    for (const { url } of await (await caches.open(name)).keys()) {
      (found[name] ??= []).push(url.slice(location.origin.length));
    }
  }
  return found;
}"""

ENTRIES = """async ([name, table]) => {
  const names = (await indexedDB.databases()).map((one) => one.name);
  if (!names.includes(name)) return [];
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    if (!database.objectStoreNames.contains(table)) return [];
    return await new Promise((resolve) => {
      const all = database.transaction(table).objectStore(table).getAll();
      all.onsuccess = () => resolve(all.result.map((one) => JSON.parse(JSON.stringify(one))));
    });
  } finally {
    database.close();
  }
}"""


@pytest.fixture
def line(server):
    with Line(server) as line:
        yield line


@pytest.fixture
def browser_context_args(browser_context_args, line):
    """Here, and in no other test, pages have their service worker."""
    return {**browser_context_args, "base_url": line.url, "service_workers": "allow"}


@pytest.fixture
def phone_of(playwright, browser_type_launch_args, tmp_path, line):
    """A phone whose browser can be closed and opened again, with what it has kept: `page = phone_of(ana)()`."""
    contexts = []

    def give(person):
        def start():
            context = playwright.chromium.launch_persistent_context(
                tmp_path / person.username, **browser_type_launch_args, base_url=line.url, viewport=PHONE,
                has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce",
            )
            contexts.append(context)
            context.set_default_timeout(PATIENCE)
            context.add_cookies(
                [{"name": "tintype_session", "value": person.cookie, "url": person.server.url, "sameSite": "Lax"}]
            )
            person.page = context.pages[0]
            return context

        return start

    yield give
    for context in contexts:
        # Those that a test has closed are closed.
        context.close()


def open_kept(person, path):
    """Opens a page, and waits until the service worker has done its part."""
    page = person.open(path)
    page.wait_for_selector("html[data-sw=on]", state="attached")
    return page


def kept(page):
    """The addresses of everything that is kept, but the app's own files."""
    return {path for paths in page.evaluate(KEPT).values() for path in paths}


def until(page, condition):
    """Waits until what is kept, as a list of addresses, meets a condition in JavaScript."""
    page.evaluate(
        f"""async () => {{
          const end = Date.now() + {PATIENCE};
          for (;;) {{
            const paths = Object.values(await ({KEPT})()).flat();
            if (await ({condition})(paths)) return;
            if (Date.now() > end) throw new Error(`kept is ${{paths}}`);
            await new Promise((resolve) => setTimeout(resolve, 50));
          }}
        }}"""
    )


def wait_until_kept(page, *paths):
    """Waits until some addresses are among what is kept."""
    until(page, f"(paths) => {list(paths)}.every((path) => paths.includes(path))")


def wait_until_gone(page, id):
    """Waits until nothing of a photo is kept."""
    until(page, f"(paths) => !paths.some((path) => path.includes('/{id}'))")


def waiting(page):
    return page.evaluate(ENTRIES, ["tintype-outbox", "entries"])


def expect_nothing_waits(page):
    """Waits until the outbox keeps nothing that the server has not acknowledged."""
    until_true(page, f"async (table) => (await ({ENTRIES})(table)).length === 0", ["tintype-outbox", "entries"])


def is_drawn(picture):
    """Waits until a picture shows."""
    picture.evaluate("(image) => { image.loading = 'eager'; return image.decode(); }")


def open_offline(person, path):
    """Opens a page as it was kept; the page, with its age."""
    page = person.open(path)
    note = page.get_by_role("complementary", name="Not up to date").get_by_text("Saved")
    try:
        note.wait_for()
    except TimeoutError as error:
        # What is there instead says which part didn't do its work.
        raise AssertionError(f"{path} isn't shown as kept: {page.locator('body').inner_text()[:500]}") from error
    return page
