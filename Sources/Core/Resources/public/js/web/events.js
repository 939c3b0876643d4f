/**
 * Live events: one stream of `GET /api/v1/events` for each person in a browser, shared by their tabs.
 *
 * The tab that holds a lock listens and passes every event on to the others. Each event is fired on
 * `window` as `tintype:NAME` with the parsed data as detail; our own names lose their prefix
 * (`tintype.message` becomes `tintype:message`). `tintype:reset` means that some were missed:
 * what shows live content fetches it again. `<html data-live>` is `on` while a stream is open.
 */
import { features } from "../features.js";
import { pageOwner, request } from "./api.js";

/** What the tabs of one person share: a tab may stay open after somebody else has logged in. */
const shared = `tintype-events-${pageOwner}`;

const names = features.events.map(({ name }) => name);
/** The events without an id of their own. They may carry that of a heartbeat, which is older than a new tab. */
const passing = features.events.filter(({ isPassing }) => isPassing).map(({ name }) => name);

/** Events kept for tabs that open a moment after they came. */
const kept = 100;

/** Milliseconds before a refused stream is tried again, at first and at most. */
const pause = { first: 2_000, longest: 60_000 };

let stream;

/** Returns whether this tab is the one that listens for all tabs. */
export const isLeading = () => stream?.source !== undefined;

/** Follows the events for as long as the page is shown. */
export function start() {
  stream = new SharedStream(document.documentElement.dataset.eventId);
  stream.open();
  // A page that holds a lock or a connection can't be kept for a quick Back.
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    stream.open();
    publish("reset", "null");
  });
}

class SharedStream {
  #lastID;
  /** @type {{name: string, data: string, id: string | null}[]} */
  #recent = [];
  /** The numbers of all badges. They come whole at first, and then one by one. */
  #counts = {};
  #channel;
  source; // the `EventSource`, in the tab that listens
  /** Whether it is this tab that listens; without a network it waits. */
  #leads = false;
  #membership;
  #pause = pause.first;

  /** @param {string} [lastID] of the newest event that the page, as served, knows of */
  constructor(lastID) {
    this.#lastID = lastID;
  }

  open() {
    this.#membership = new AbortController();
    const { signal } = this.#membership;
    this.#channel = new BroadcastChannel(shared);
    this.#channel.onmessage = ({ data }) => this.#hearTab(data);
    addEventListener("online", () => this.#leads && this.#connect(), { signal });
    addEventListener("offline", () => this.#leads && (this.#disconnect(), this.#report(false)), { signal });
    // Without locks (plain HTTP on a network) each tab listens for itself.
    if (!navigator.locks) return this.#lead();
    const held = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const lead = () => (this.#lead(), held);
    navigator.locks.request(shared, { signal }, lead).catch(() => {
      // The page was left before it got the lock.
    });
    this.#channel.postMessage({ joined: this.#lastID ?? null });
  }

  close() {
    this.#membership.abort();
    this.#leads = false;
    this.#disconnect();
    this.#channel.close();
    showLive(false);
  }

  #lead() {
    this.#leads = true;
    // Without a network every try would only be an error in the browser's console.
    if (navigator.onLine) this.#connect();
    else this.#report(false);
  }

  #disconnect() {
    this.source?.close();
    this.source = undefined;
  }

  #report(live) {
    showLive(live);
    this.#channel.postMessage({ live });
  }

  #connect() {
    this.source?.close();
    const last = this.#lastID ? `&last_event_id=${this.#lastID}` : "";
    const source = (this.source = new EventSource(`/api/v1/events?account=${pageOwner}${last}`));
    source.onopen = () => {
      this.#pause = pause.first;
      this.#report(true);
    };
    source.onerror = () => {
      this.#report(false);
      if (source.readyState === EventSource.CLOSED) this.#retryLater(source);
    };
    for (const name of names) {
      source.addEventListener(name, ({ data, lastEventId }) => {
        // An event without an id of its own carries the id of the event before it.
        const id = lastEventId === this.#lastID ? null : lastEventId || null;
        const event = { name, data, id };
        // Events from before a reset may show what the viewer may no longer see.
        this.#recent = name === "reset" ? [event] : [...this.#recent, event].slice(-kept);
        this.#receive(event);
        if (navigator.locks) this.#channel.postMessage({ events: [event] });
      });
    }
  }

  /** Connects again after a pause, since the server refused the stream; goes to the log-in page after a log-out. */
  async #retryLater(source) {
    const wait = this.#pause;
    this.#pause = Math.min(this.#pause * 2, pause.longest);
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (source !== this.source) return;
    try {
      await request("GET", "/api/v1/accounts/verify_credentials");
      if (source === this.source) this.#connect();
    } catch (error) {
      if (error.status !== 401) this.#retryLater(source);
    }
  }

  #hearTab({ live, events, joined }) {
    if (live !== undefined) showLive(live);
    for (const event of events ?? []) this.#receive(event);
    if (joined === undefined || !this.source) return;
    const missed = joined ? this.#missed(joined) : [];
    const counts = { name: "tintype.counts", data: JSON.stringify(this.#counts), id: null };
    this.#channel.postMessage({ live: this.source.readyState === EventSource.OPEN, events: [...missed, counts] });
  }

  /** Returns the events after the one that a new tab has; for the page of another node, one that it has missed some. */
  #missed(joined) {
    const last = this.#lastID;
    // A node's number is the rest of a division by 1,024.
    return last && (BigInt(joined) - BigInt(last)) % 1024n === 0n
      ? this.#recent.filter(({ id }) => id && isAfter(id, joined))
      : [{ name: "reset", data: "null", id: last ?? null }];
  }

  #receive({ name, data, id }) {
    if (name === "reset") this.#lastID = id ?? undefined;
    else if (!id || !this.#lastID || isAfter(id, this.#lastID)) this.#lastID = id ?? this.#lastID;
    else if (!passing.includes(name)) return;
    if (name === "tintype.counts") Object.assign(this.#counts, JSON.parse(data));
    publish(name, data);
  }
}

/** Returns whether an id comes after another one. Ids are decimal and may be larger than a `Number` holds. */
export function isAfter(one, other) {
  return BigInt(one) > BigInt(other);
}

function publish(name, data) {
  const detail = name === "delete" ? data.replaceAll('"', "") : JSON.parse(data || "null");
  dispatchEvent(new CustomEvent(`tintype:${name.replace(/^tintype\./, "")}`, { detail }));
}

function showLive(live) {
  document.documentElement.dataset.live = live ? "on" : "off";
}
