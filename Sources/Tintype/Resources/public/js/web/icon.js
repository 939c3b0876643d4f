const sprite = new URL("../../icons/sprite.svg", import.meta.url).pathname;
const namespace = "http://www.w3.org/2000/svg";

/** A symbol of the sprite, as the server draws it: decoration beside an accessible name. */
export function icon(name) {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
}
