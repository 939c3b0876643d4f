import { ApiError } from "../web/api.js";

/** Milliseconds between two tries. */
const pause = 700;

/** Milliseconds that the server keeps an open view for fetching. */
const lifetime = 30_000;

/**
 * Fetches the bytes of a view that has just been opened. When the connection or the server fails, it continues where it
 * stopped, for as long as the server keeps the view open. That time is counted from now on, since the device's clock
 * may be wrong.
 *
 * @param {string} url of the view
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 * @throws {ApiError} when time ran out or the server refused
 */
export async function fetchPicture(url, signal) {
  const end = performance.now() + lifetime;
  const parts = new Parts(new URL(url).pathname);
  while (true) {
    let wait = pause;
    try {
      return await parts.fetchRest(signal);
    } catch (error) {
      if (error.name === "AbortError" || error.isFinal || error.status === 401) throw error;
      wait = Math.max(pause, (error.pause ?? 0) * 1_000);
    }
    if (performance.now() + wait >= end) {
      throw new ApiError(0, "The connection was lost before the picture arrived. The snap is gone.");
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal.throwIfAborted();
  }
}

/** The bytes of a picture that have arrived so far, in memory only. */
class Parts {
  #path;
  #chunks = [];
  #received = 0;

  constructor(path) {
    this.#path = path;
  }

  async fetchRest(signal) {
    const headers = { Accept: "image/webp" };
    if (this.#received > 0) headers.Range = `bytes=${this.#received}-`;
    const response = await fetch(this.#path, { headers, cache: "no-store", signal });
    if (!response.ok) {
      const wait = Number(response.headers.get("Retry-After")) || 0;
      throw new ApiError(response.status, "This snap can no longer be shown.", {}, wait);
    }
    for await (const chunk of chunks(response.body)) {
      this.#chunks.push(chunk);
      this.#received += chunk.length;
    }
    return new Blob(this.#chunks, { type: response.headers.get("Content-Type") });
  }
}

/** Yields the chunks of a stream, since not every browser can iterate over a stream. */
async function* chunks(stream) {
  const reader = stream.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
