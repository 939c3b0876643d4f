/** Pixels from the end of a chat beyond which the person is reading further up. */
const atEnd = 80;

/** Returns whether the messages that are shown end before the newest one: the page was opened further up. */
export function lacksLater(thread) {
  return "later" in thread.dataset;
}

/** Returns whether the end of a chat is visible. */
export function isAtEnd(thread) {
  return thread.scrollTop > -atEnd && !lacksLater(thread);
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
