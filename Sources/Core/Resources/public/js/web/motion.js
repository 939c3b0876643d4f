/** Returns whether the person has asked their system for less movement. */
export function prefersStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns the behaviour of scrolling: `"smooth"`, or `"auto"` for people who want less movement. */
export function scrollBehavior() {
  return prefersStillness() ? "auto" : "smooth";
}

/**
 * Waits until every animation and transition on `element` and inside it is over. With reduced motion, where the style
 * sheet defines none, this returns at once.
 *
 * @param {Element} element
 */
export async function settled(element) {
  await Promise.allSettled(element.getAnimations({ subtree: true }).map((one) => one.finished));
}

/**
 * Plays the animation that the style sheet ties to a class, from its start.
 *
 * @param {Element} element
 * @param {string} name the class, taken off when the animation is over
 */
export async function play(element, name) {
  element.classList.remove(name);
  element.getBoundingClientRect(); // settles the style, so that adding the class starts the animation again
  element.classList.add(name);
  await settled(element);
  element.classList.remove(name);
}
