/** Steps kept at most. */
const most = 100;

/** Milliseconds within which changes of one slider count as one step, since a key may repeat. */
const together = 800;

/**
 * What the person has changed on this page, to undo and redo.
 *
 * @typedef {import("./changes.js").Change} Change
 * @typedef {{change: Change, inverse: Change, time: number}} Step
 */
export class History {
  /** @type {Step[]} */
  #done = [];
  /** @type {Step[]} */
  #undone = [];

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** @param {Change} change @param {Change} inverse the change that undoes it */
  add(change, inverse) {
    this.#undone = [];
    const step = { change, inverse, time: performance.now() };
    const last = this.#done.at(-1);
    if (last && isGoingOn(last, step)) {
      this.#done[this.#done.length - 1] = { ...step, inverse: last.inverse };
    } else {
      this.#done = [...this.#done, step].slice(-most);
    }
  }

  /**
   * Returns the change that undoes the last step.
   *
   * @returns {Change | undefined}
   */
  undo() {
    const step = this.#done.pop();
    if (step) this.#undone.push(step);
    return step?.inverse;
  }

  /**
   * Returns the change that makes the step undone last again.
   *
   * @returns {Change | undefined}
   */
  redo() {
    const step = this.#undone.pop();
    // The next change is a step of its own.
    if (step) this.#done.push({ ...step, time: -Infinity });
    return step?.change;
  }
}

/**
 * Returns whether a step moves the same slider as the step before it.
 *
 * @param {Step} last
 * @param {Step} step
 */
function isGoingOn(last, step) {
  const [before, after] = [last.change, step.change];
  if (step.time - last.time > together || before.kind !== "style" || after.kind !== "style") return false;
  const [one, other] = [before, after].map(({ style }) => Object.keys(style).join());
  return one === other && one !== "background";
}
