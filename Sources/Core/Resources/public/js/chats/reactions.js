/** Returns the emoji with which this person has reacted to a message on the page; undefined for none. */
export function ownReaction(item) {
  return item.querySelector(".reaction[aria-pressed=true]")?.dataset.react;
}

/**
 * Shows the emoji below a message on the page, and keeps the focus there.
 *
 * @param {HTMLElement} item
 * @param {HTMLElement | null} list the drawn emoji; null for none
 */
export function showReactions(item, list) {
  const bubble = item.querySelector("message-bubble");
  const known = bubble.querySelector(".reactions");
  if (known ? list?.isEqualNode(known) : !list) return;
  const hadFocus = known?.contains(document.activeElement);
  known?.remove();
  const state = bubble.querySelector(".state");
  if (list && state) state.before(list);
  else if (list) bubble.append(list);
  if (hadFocus) (list ?? item).querySelector("button, [data-options]")?.focus({ preventScroll: true });
}
