/**
 * Removes an item from a list. When the focus is in the item, it moves to the nearest other one, so that people who use
 * a keyboard keep their place.
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
