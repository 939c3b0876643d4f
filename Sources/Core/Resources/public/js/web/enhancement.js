/**
 * A custom element that enhances the markup it wraps for as long as it is in the document.
 *
 * A subclass implements `enhance(signal)` and gives `signal` to every listener and observer, so that all of them are
 * removed when the element leaves the document. `enhance` runs again when the element moves.
 */
export class Enhancement extends HTMLElement {
  /** @type {AbortController} */
  #stay;

  connectedCallback() {
    this.#stay = new AbortController();
    this.enhance(this.#stay.signal);
  }

  disconnectedCallback() {
    this.#stay.abort();
  }

  /** @param {AbortSignal} signal aborted when the element leaves the document */
  enhance(signal) {
    throw new Error(`<${this.localName}> does not say how it enhances its markup.`);
  }
}
