/** Pixels from the end of a chat beyond which the person is reading further up. */
const atEnd = 80;

/** Returns whether the end of a chat is visible. */
export function isAtEnd(thread) {
  return thread.scrollTop > -atEnd;
}

/**
 * Changes the messages without moving what a person further up is reading.
 *
 * @param {HTMLElement} thread the `<chat-thread>`
 * @param {() => void} change
 */
export function keepPlace(thread, change) {
  const items = isAtEnd(thread) ? [] : [...thread.querySelectorAll("li.message[data-id]")];
  const anchor = items.find((item) => item.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top;
  change();
  // The change may have replaced the item.
  const after = anchor && thread.querySelector(`li[data-id="${CSS.escape(anchor.dataset.id)}"]`);
  if (after) thread.scrollTop += after.getBoundingClientRect().top - before;
}
