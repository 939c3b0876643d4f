/**
 * Sends the last state that a person wishes for, such as liked or not, one request at a time.
 *
 * However fast the person taps, there is never more than one request under way, and the last one sends what they see.
 * A wish that the server refuses is replaced by the state that the server last confirmed.
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
   * @param {(wish: Wish) => Promise<Wish>} how.send returns the state that the server confirms
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

  /** The state that the person sees now. */
  get wished() {
    return this.#wished;
  }

  /** The state that the server last confirmed. */
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

  /** Shows the wish at once and sends it to the server. */
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
        // A request without an answer may still have arrived, for instance when the page was left. So a wish that came
        // after it is sent even if it equals the state that the server last confirmed.
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

  /** Takes over the state that the server reports, unless the person has just wished for another. */
  confirm(state) {
    if (this.isSending) return;
    this.#confirmed = state;
    this.#wished = state;
    this.#show(state, this.#isAcknowledged);
  }

  /** Sends the wish that still waits, without waiting for an answer, since the page is being left. */
  flush() {
    if (!this.isSending || this.#sending === this.#wished) return;
    this.#send(this.#wished).catch(this.#refused);
  }
}
