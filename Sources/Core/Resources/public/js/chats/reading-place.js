/** Pixels from the end of a chat beyond which somebody is reading further up. */
const atEnd = 80;

/** Whether the end of a chat is in sight. */
export function isAtEnd(thread) {
  return thread.scrollTop > -atEnd;
}

/**
 * Changes the messages without moving what somebody reads further up.
 *
 * @param {HTMLElement} thread the `<chat-thread>`
 * @param {() => void} change
 */
export function keepPlace(thread, change) {
  const items = isAtEnd(thread) ? [] : [...thread.querySelectorAll("li.message[data-id]")];
  const anchor = items.find((item) => item.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top;
  change();
  // The change may have made the item anew.
  const after = anchor && thread.querySelector(`li[data-id="${CSS.escape(anchor.dataset.id)}"]`);
  if (after) thread.scrollTop += after.getBoundingClientRect().top - before;
}
