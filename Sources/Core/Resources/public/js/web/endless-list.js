import { fragment, freshFragment } from "./api.js";
import { Enhancement } from "./enhancement.js";
import { isReturn } from "./trail.js";

/** The most pages that are loaded again when the person returns to this list. */
const remembered = 10;

/**
 * `<endless-list>` around items and a link `a[rel=next]` to the next page of them: loads the next page when the link is
 * near, and finds the place again when the person returns.
 *
 * Items are in `[data-items]`, or directly in the element. Each has a `data-id` (or `data-account`), itself or inside.
 */
class EndlessList extends Enhancement {
  #sight;
  #signal;
  #loading;

  enhance(signal) {
    this.#signal = signal;
    this.#sight = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && this.more(),
      { rootMargin: "1200px 0px" },
    );
    const links = new MutationObserver(() => this.#watchLink());
    links.observe(this, { childList: true, subtree: true });
    signal.addEventListener("abort", () => {
      this.#sight.disconnect();
      links.disconnect();
    });
    addEventListener("pagehide", () => this.#rememberPlace(), { signal });
    this.#watchLink();
    this.#returnToPlace();
  }

  get #place() {
    return this.querySelector("[data-items]") ?? this;
  }

  get #items() {
    return [...this.#place.children].filter(idOf);
  }

  /** @returns {HTMLAnchorElement | null} */
  get #next() {
    return this.querySelector("a[rel=next]");
  }

  #watchLink() {
    this.#sight.disconnect();
    if (this.#next && !this.#next.hasAttribute("data-failed")) this.#sight.observe(this.#next);
  }

  /** Loads the next page. A call while a page is loading waits for that page. */
  more() {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load() {
    const link = this.#next;
    if (!link) return;
    this.ariaBusy = "true";
    try {
      const page = await fragment(link.href, "list", this.#signal);
      // A search may have replaced the whole list meanwhile.
      if (!link.isConnected) return;
      const next = page.querySelector("a[rel=next]");
      next?.remove();
      const known = new Set(this.#items.map(idOf));
      for (const item of [...page.children]) if (known.has(idOf(item))) item.remove();
      if (link.parentNode === this.#place) link.before(page);
      else this.#place.append(page);
      if (next) link.replaceWith(next);
      else link.remove();
    } catch (error) {
      if (error.name !== "AbortError") this.#offerRetry(link);
    } finally {
      this.ariaBusy = null;
    }
  }

  /** Stops loading by itself. The link, which works without scripts too, loads the page again. */
  #offerRetry(link) {
    link.setAttribute("data-failed", "");
    link.textContent = "Couldn’t load more. Retry";
    const retry = (event) => {
      event.preventDefault();
      link.removeAttribute("data-failed");
      this.more();
    };
    link.addEventListener("click", retry, { once: true, signal: this.#signal });
  }

  /** Adds the items that are new since this page was made at the top, and scrolls there. */
  async refresh() {
    const page = await freshFragment(location.pathname + location.search, "list", this.#signal);
    const known = new Set(this.#items.map(idOf));
    const items = [...page.children].filter(idOf);
    const firstKnown = items.findIndex((item) => known.has(idOf(item)));
    // More is new than one page holds, or the list was empty: the whole page is loaded again.
    if (firstKnown < 0) return location.reload();
    this.#place.prepend(...items.slice(0, firstKnown));
  }

  /** The name under which the place in this list is kept. */
  get #name() {
    return `place:${location.pathname}${location.search}`;
  }

  #rememberPlace() {
    const item = this.#items.find((one) => one.getBoundingClientRect().bottom > 0);
    const place = item && { id: idOf(item), top: item.getBoundingClientRect().top };
    if (place && scrollY > 0) sessionStorage.setItem(this.#name, JSON.stringify(place));
    else sessionStorage.removeItem(this.#name);
  }

  /**
   * Loads the pages of the list again and scrolls to the place. They aren't kept, since items may have been deleted.
   */
  async #returnToPlace() {
    const place = JSON.parse(sessionStorage.getItem(this.#name));
    if (!place || !isReturn) return;
    history.scrollRestoration = "manual";
    /** Returns how far the place is from where it was, and how far the page can scroll. */
    const measure = () => {
      const item = this.#items.find((one) => idOf(one) === place.id);
      const top = item ? item.getBoundingClientRect().top - place.top : Infinity;
      return { top, room: document.documentElement.scrollHeight - innerHeight - scrollY };
    };
    for (let page = 0; page < remembered; page += 1) {
      const { top, room } = measure();
      if (top <= room || !this.#next || this.#next.hasAttribute("data-failed")) break;
      await this.more();
    }
    const { top } = measure();
    if (top < Infinity) scrollBy({ top });
  }
}

/** Returns an item's id, or the id of the account that it shows. */
function idOf(item) {
  const named = "[data-id], [data-account]";
  const { id, account } = (item.matches(named) ? item : item.querySelector(named))?.dataset ?? {};
  return id ?? account;
}

customElements.define("endless-list", EndlessList);
