#!/usr/bin/env python3
"""Measures how long a browser takes to draw a received message: from the template of the server, as the app does, and by
hand, element after element (`by_hand.js`), in the same run. Prints a Markdown table.

usage: Benchmarks/chats/drawing.py [--messages N] [--rounds N]

TINTYPE_BINARY names the program, debug or release: it only serves the page. Needs Playwright with its Chromium, as the
browser tests do.
"""
import argparse
import datetime
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile

from playwright.sync_api import Page, sync_playwright

FOLDER = pathlib.Path(__file__).parent
BINARY = os.environ["TINTYPE_BINARY"]

WAYS = {
    "template": "from the template of the server",
    "hand": "by hand",
    "dots": "by hand, with three dots of the sprite",
}

# The members of a message that decide what is drawn, for each of a hundred: mostly words.
USUAL = """
(count, self, other) => {
  const words = ["Are you coming on Saturday?", "Yes!", "The light was wonderful this morning, you should have seen it."];
  const photo = { id: "512", description: null, blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj", meta: { small: { width: 640, height: 480 } } };
  const quoted = { account_id: self, view_once: false, text: "Shall we walk?", photo_id: null };
  return Array.from({ length: count }, (_, index) => {
    const place = index % 100;
    const isOwn = place % 3 === 0;
    const text = place < 80 ? words[index % 3] : place < 88 ? "It is at https://example.org/maps" : place < 92 ? "😀😀" : "";
    const link = '<a href="https://example.org/maps" rel="nofollow noopener noreferrer" target="_blank">example.org/maps</a>';
    return {
      id: String(1000000 + index),
      chat_id: "7",
      account_id: isOwn ? self : other,
      created_at: new Date(1e12 + index * 6e4).toISOString(),
      number: index + 1,
      idempotency_key: isOwn ? `key-${index}` : null,
      text,
      content: text.includes("https") ? `It is at ${link}` : text,
      emoji_only: text.startsWith("😀"),
      photo: place >= 92 && place < 99 ? photo : null,
      view_once: place === 99,
      opened: false,
      expired: false,
      in_reply_to_id: place % 10 === 1 ? "999999" : null,
      in_reply_to: place % 10 === 1 ? quoted : null,
      reactions: place % 20 === 2 ? [{ emoji: "❤️", account_id: other }] : [],
    };
  });
}
"""

# Draws all messages into a list that isn't on the page, so that layout isn't measured; in turns, so that what else the
# machine does falls on both.
MEASURE = """
async ({ usual, byHand, script, count, rounds }) => {
  const { MessageDrawing } = await import(script);
  const thread = document.querySelector("chat-thread");
  const messages = usual(count, document.documentElement.dataset.account, thread.dataset.peer);
  const drawing = new MessageDrawing(thread);
  const ways = { template: (message) => drawing.item(message), hand: byHand(thread, false), dots: byHand(thread, true) };
  const times = { template: [], hand: [], dots: [] };
  const texts = {};
  for (let round = -20; round < rounds; round += 1) {
    for (const [way, draw] of Object.entries(ways)) {
      const list = document.createElement("ol");
      const began = performance.now();
      for (const message of messages) list.append(draw(message));
      const time = ((performance.now() - began) * 1000) / count;
      if (round >= 0) times[way].push(time); // After the compiler has had its time.
      texts[way] = list.textContent.replaceAll(/\\s+/g, "");
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return { times, isSame: texts.template === texts.hand, texts: [texts.template.slice(0, 400), texts.hand.slice(0, 400)] };
}
"""


def sign_up(page: Page, name: str) -> str:
    """Makes an account, and returns its id."""
    answer = page.request.post(
        "/signup", form={"username": name, "display_name": name.title(), "password": "correct horse"},
        headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()
    return page.request.get("/api/v1/accounts/verify_credentials").json()["id"]


def measure(url: str, count: int, rounds: int) -> dict:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        ana, bea = (browser.new_context(base_url=url).new_page() for _ in range(2))
        ids = sign_up(ana, "ana"), sign_up(bea, "bea")
        for page, other in ((ana, ids[1]), (bea, ids[0])):
            page.request.post(f"/api/v1/accounts/{other}/follow", headers={"Sec-Fetch-Site": "same-origin"})
        ana.goto("/messages/@bea")
        ana.wait_for_selector("chat-thread:defined")
        source = ana.locator("script[src$='/js/app.js']").get_attribute("src")
        script = re.sub(r"app\.js$", "chats/message-item.js", source)
        by_hand = re.sub(r"^/\*.*?\*/\s*", "", (FOLDER / "by_hand.js").read_text(), flags=re.DOTALL).strip()
        arguments = {"script": script, "count": count, "rounds": rounds}
        wrapped = f"(values) => ({MEASURE.strip()})({{ ...values, usual: {USUAL.strip()}, byHand: {by_hand} }})"
        found = ana.evaluate(wrapped, arguments)
        browser.close()
    assert found["isSame"], f"the two draw different words: {found['texts']}"
    return found["times"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=300)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [BINARY, "serve", "--data", f"{folder}/data", "--port", "0", "--sign-up", "open", "--log-level", "error"],
            stdout=subprocess.PIPE, text=True)
        try:
            port = next(int(found[1]) for line in server.stdout if (found := re.search(r"listening on \S*:(\d+)\)", line)))
            times = measure(f"http://localhost:{port}", arguments.messages, arguments.rounds)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
    print(f"{datetime.date.today()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    print("| a received message is drawn | µs | to by hand |\n|---|--:|--:|")
    for way, words in WAYS.items():
        ratio = statistics.median(one / other for one, other in zip(times[way], times["hand"], strict=True))
        print(f"| {words} | {statistics.median(times[way]):.1f} | {ratio:.2f} |")


main()
