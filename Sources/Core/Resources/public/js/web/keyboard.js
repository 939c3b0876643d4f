/**
 * Returns whether a key sends what is being written: Enter on a real keyboard. On a phone Enter begins a new line, and
 * so does Shift+Enter everywhere.
 *
 * @param {KeyboardEvent} event
 */
export function isSendKey(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return false;
  return matchMedia("(hover: hover) and (pointer: fine)").matches || event.ctrlKey || event.metaKey;
}

/**
 * Keeps a part of the page that fills the window above a phone's keyboard. In Chromium the keyboard makes the window
 * smaller, so there is nothing to do. Safari lays the keyboard over the page and moves the visible part up. The style
 * sheet uses `--visible-block-size` and `--visible-start` for the part's height and place, `data-keyboard` for the
 * rest.
 *
 * @param {HTMLElement} part
 * @param {AbortSignal} signal ends it
 */
export function stayAboveKeyboard(part, signal) {
  const view = visualViewport;
  const fit = () => {
    // A zoomed page also shows less of itself, but nothing covers it.
    const height = view.height * view.scale;
    const isCovered = document.documentElement.clientHeight - height > 1;
    part.toggleAttribute("data-keyboard", isCovered);
    part.style.setProperty("--visible-block-size", isCovered ? `${height}px` : "100dvh");
    part.style.setProperty("--visible-start", isCovered && view.scale === 1 ? `${view.offsetTop}px` : "0px");
  };
  for (const name of ["resize", "scroll"]) view.addEventListener(name, fit, { signal });
  fit();
}
