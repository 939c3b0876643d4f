import { ApiError } from "../web/api.js";

/** Milliseconds between two tries. */
const pause = 700;

/**
 * Fetches the bytes of an open view. When the connection breaks it goes on where it stopped, for
 * as long as the server keeps the view open.
 *
 * @param {{url: string, expires_at: string}} view
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 * @throws {ApiError} when time ran out or the server says no
 */
export async function fetchPicture(view, signal) {
  const end = Date.now() + (new Date(view.expires_at) - Date.now());
  const parts = new Parts(new URL(view.url).pathname);
  while (true) {
    try {
      return await parts.fetchRest(signal);
    } catch (error) {
      if (error.name === "AbortError" || error instanceof ApiError) throw error;
      if (Date.now() + pause >= end) {
        throw new ApiError(0, "The connection broke before the picture was here. It is gone.");
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
  }
}

/** What has arrived of a picture so far, in memory only. */
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
    if (!response.ok) throw new ApiError(response.status, "This snap can’t be shown any more.");
    for await (const chunk of chunks(response.body)) {
      this.#chunks.push(chunk);
      this.#received += chunk.length;
    }
    return new Blob(this.#chunks, { type: response.headers.get("Content-Type") });
  }
}

/** The chunks of a stream; not every browser iterates over streams itself. */
async function* chunks(stream) {
  const reader = stream.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
