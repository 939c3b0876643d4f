/** Requests to the server: JSON under /api/v1, and parts of pages as HTML. */

/** Milliseconds after which a request counts as lost. */
const patience = 20_000;

/** Milliseconds after which the transfer of a picture counts as lost: it may take long on a slow network. */
const transferPatience = 300_000;

/** Milliseconds of the pauses before what has changed is asked for again. */
const pauses = [500, 2_000, 5_000];

/** Refusals that pass: nobody is logged in, the request came too slowly, too many came. */
const passing = [401, 408, 429];

/** A refusal of the server, or the lack of an answer. */
export class ApiError extends Error {
  /**
   * @param {number} status the HTTP status, 0 when no answer came
   * @param {string} message a sentence for a person
   * @param {Record<string, {error: string, description: string}[]>} details by field
   * @param {number} pause seconds after which the server wants to be asked again, or 0
   */
  constructor(status, message, details = {}, pause = 0) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.details = details;
    this.pause = pause;
  }

  /** Whether the server would refuse the same request again. */
  get isFinal() {
    return this.status >= 400 && this.status < 500 && !passing.includes(this.status);
  }
}

/** Returns a new `Idempotency-Key`: 128 random bits. (`randomUUID` is missing on plain HTTP.) */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/**
 * Whose page this is. The server refuses its changes once somebody else has logged in, in another tab, and what it says to
 * that person isn't shown here. A service worker has no page.
 */
export const pageOwner = globalThis.document?.documentElement.dataset.account;

/**
 * Calls the JSON interface.
 *
 * @param {string} method
 * @param {string} path from the root, as in `/api/v1/statuses`
 * @param {object | FormData} [body] an object goes as JSON
 * @param {{key?: string, signal?: AbortSignal, keepalive?: boolean}} options `key` is the
 *   `Idempotency-Key`; `keepalive` lets the request outlive the page
 * @returns {Promise<any>} the JSON of the answer, `null` when it has none
 * @throws {ApiError} when the server refuses or does not answer
 * @throws {DOMException} `AbortError` when `signal` ends it
 */
export async function request(method, path, body, { key, signal, keepalive = false } = {}) {
  const headers = { Accept: "application/json" };
  if (key) headers["Idempotency-Key"] = key;
  if (pageOwner && method !== "GET") headers["X-Account"] = pageOwner;
  const isForm = body instanceof FormData;
  if (body && !isForm) headers["Content-Type"] = "application/json";
  const response = await send(path, signal, {
    method,
    headers,
    body: body && !isForm ? JSON.stringify(body) : body,
    keepalive,
  });
  const text = await response.text();
  const answer = readAnswer(response.status, text, response.headers.get("Retry-After"));
  if (answer instanceof ApiError) {
    if (answer.status === 401) goToLogin();
    throw answer;
  }
  return answer;
}

/**
 * Reads the JSON of an answer, or the error that it reports.
 *
 * @param {number} status
 * @param {string} text the body
 * @param {string | null} retryAfter the header of that name
 */
export function readAnswer(status, text, retryAfter) {
  let json = null;
  try {
    if (text) json = JSON.parse(text);
  } catch {
    return new ApiError(status, "The server’s answer couldn’t be read. Try again in a moment.");
  }
  if (status >= 200 && status < 300) return json;
  const sentence = json?.error ?? "Something went wrong on the server. Try again in a moment.";
  return new ApiError(status, sentence, json?.details, Number(retryAfter) || 0);
}

/**
 * Fetches a file.
 *
 * @param {string} path from the root
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 * @throws {ApiError} when the server refuses or the connection is lost
 * @throws {DOMException} `AbortError` when `signal` ends it
 */
export async function download(path, signal) {
  const response = await send(path, signal, {}, transferPatience);
  if (response.status === 401) goToLogin();
  if (!response.ok) throw readAnswer(response.status, await response.text(), response.headers.get("Retry-After"));
  try {
    return await response.blob();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The connection was lost. Try again.");
  }
}

/**
 * Fetches part of a page: the server answers `X-Fragment: PART` with that part alone.
 *
 * @param {string} url
 * @param {"list" | "post" | "thread" | "photo"} part
 * @param {AbortSignal} [signal]
 * @param {Record<string, string>} [headers] further ones
 * @returns {Promise<DocumentFragment>}
 */
export async function fragment(url, part, signal, headers = {}) {
  // A stored fragment must never be shown as the page of the same URL, so it isn't stored.
  const response = await send(url, signal, {
    headers: { Accept: "text/html", "X-Fragment": part, ...headers },
    cache: "no-store",
  });
  if (response.status === 401) goToLogin();
  if (response.redirected) location.assign(response.url);
  if (!response.ok || response.redirected) {
    throw new ApiError(response.status, "This part of the page could not be loaded.");
  }
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return template.content;
}

/**
 * Fetches part of a page again that has changed since it was shown: from the server, and never as it was kept. While
 * events arrive the server is there, so what it couldn't answer is asked again a few times; otherwise the page asks again
 * once they do.
 *
 * @param {string} url
 * @param {"list" | "post" | "thread" | "photo"} part
 * @param {AbortSignal} [signal]
 * @returns {Promise<DocumentFragment>}
 */
export async function freshFragment(url, part, signal) {
  for (let failures = 0; ; failures += 1) {
    try {
      return await fragment(url, part, signal, { "X-Fresh": "yes" });
    } catch (error) {
      const passes = error.status === 0 || error.status >= 500;
      const isOver = failures === pauses.length;
      if (!passes || isOver || document.documentElement.dataset.live !== "on") throw error;
      await new Promise((resolve) => setTimeout(resolve, pauses[failures]));
      signal?.throwIfAborted();
    }
  }
}

/**
 * Sends a form as the browser would, without leaving the page.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<DocumentFragment | null>} the page that the server answered, `null` when it leads elsewhere
 * @throws {ApiError} when no answer came
 */
export async function submit(form) {
  const options = {
    method: "POST",
    headers: { Accept: "text/html" },
    body: new FormData(form),
    redirect: "manual",
  };
  const response = await send(form.action, undefined, options, transferPatience);
  if (response.type === "opaqueredirect") return null;
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return template.content;
}

/** Goes to the log-in page, which leads back here. A service worker has no page that could. */
export function goToLogin() {
  if (!("document" in globalThis)) return;
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}

async function send(url, signal, options, milliseconds = patience) {
  const timeout = AbortSignal.timeout(milliseconds);
  let response;
  try {
    response = await fetch(url, {
      ...options,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(
      0,
      error.name === "TimeoutError"
        ? "The server took too long. Try again in a moment."
        : "No connection. Check the network and try again.",
    );
  }
  const [reader] = response.headers.get("X-Account")?.split("-") ?? [];
  if (pageOwner && reader && reader !== pageOwner) {
    goToLogin();
    throw new ApiError(401, "Somebody else is logged in here now.");
  }
  return response;
}
