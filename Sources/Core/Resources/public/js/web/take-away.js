/**
 * Takes an item out of a list. When the focus is in it, the nearest other item has it from then on: a keyboard goes
 * on where it was.
 *
 * @param {HTMLElement} item
 */
export function takeAway(item) {
  if (item.contains(document.activeElement)) {
    const items = [...item.parentElement.children];
    const place = items.indexOf(item);
    const others = [...items.slice(place + 1), ...items.slice(0, place).reverse()];
    const controls = others.flatMap((other) => [...other.querySelectorAll("a, button")]);
    controls.find((control) => control.checkVisibility())?.focus({ preventScroll: true });
  }
  item.remove();
}
