/** The most steps that can be undone. */
const most = 100;

/**
 * The states that a person has gone through, to go back and forth.
 *
 * @template State
 */
export class Steps {
  /** @type {State[]} */
  #states;
  #place = 0;

  /** @param {State} first */
  constructor(first) {
    this.#states = [first];
  }

  get current() {
    return this.#states[this.#place];
  }

  get canUndo() {
    return this.#place > 0;
  }

  get canRedo() {
    return this.#place < this.#states.length - 1;
  }

  /**
   * Adds a state after the current one; what was undone is forgotten.
   *
   * @param {State} state
   */
  add(state) {
    this.#states = [...this.#states.slice(0, this.#place + 1), state].slice(-most - 1);
    this.#place = this.#states.length - 1;
  }

  /** Goes back by one step. */
  undo() {
    if (this.canUndo) this.#place -= 1;
  }

  /** Makes the step again that was undone last. */
  redo() {
    if (this.canRedo) this.#place += 1;
  }
}
