/**
 * Sends the last of a person's changing wishes, one request at a time.
 *
 * However fast they tap, there is never more than one request under way, and what is sent
 * at the end is what they see. A refused wish falls back to what the server last confirmed.
 *
 * @template Wish
 */
export class Intent {
  #confirmed;
  #wished;
  #sending;
  #isUnsure = false;
  #send;
  #show;
  #refused;

  /**
   * @param {Wish} confirmed what the server has now
   * @param {object} how
   * @param {(wish: Wish) => Promise<Wish>} how.send gives what the server made of the wish
   * @param {(state: Wish, isAcknowledged: boolean) => void} how.show called at each change, and again when the
   *   server has answered
   * @param {(error: Error) => void} how.refused
   */
  constructor(confirmed, { send, show, refused }) {
    this.#confirmed = confirmed;
    this.#wished = confirmed;
    this.#send = send;
    this.#show = show;
    this.#refused = refused;
  }

  /** What the person sees now. */
  get wished() {
    return this.#wished;
  }

  /** What the server last said. */
  get confirmed() {
    return this.#confirmed;
  }

  /** Whether a request is under way. */
  get isSending() {
    return this.#sending !== undefined;
  }

  /** Whether the server has confirmed what the person sees. */
  get #isAcknowledged() {
    return !this.isSending && !this.#isUnsure && this.#wished === this.#confirmed;
  }

  /** Shows the wish at once and lets the server know. */
  async wish(wish) {
    this.#wished = wish;
    this.#show(wish, this.#isAcknowledged);
    if (this.isSending) return;
    while (this.#isUnsure || this.#wished !== this.#confirmed) {
      this.#sending = this.#wished;
      const wasChanged = () => this.#wished !== this.#sending;
      try {
        const answer = await this.#send(this.#sending);
        if (!wasChanged()) this.#wished = answer;
        this.#confirmed = answer;
        this.#isUnsure = false;
      } catch (error) {
        // A request without an answer may have arrived all the same (so when the page is left):
        // a wish that came after it goes out even if it is what the server had before.
        this.#isUnsure = wasChanged() && error.status === 0;
        if (!wasChanged()) {
          this.#wished = this.#confirmed;
          this.#refused(error);
        }
      } finally {
        this.#sending = undefined;
      }
    }
    this.#show(this.#wished, this.#isAcknowledged);
  }

  /** Takes over what the server says, unless the person has just wished otherwise. */
  confirm(state) {
    if (this.isSending) return;
    this.#confirmed = state;
    this.#wished = state;
    this.#show(state, this.#isAcknowledged);
  }

  /** Sends the wish that still waits, without waiting for an answer: the page goes away. */
  flush() {
    if (!this.isSending || this.#sending === this.#wished) return;
    this.#send(this.#wished).catch(this.#refused);
  }
}
