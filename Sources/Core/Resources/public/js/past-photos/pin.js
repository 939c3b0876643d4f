const namespace = "http://www.w3.org/2000/svg";

function shape(name, attributes) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Draws the pin that shows where a photo was taken. Its tip is in the middle of the lower edge. */
export function pin() {
  const svg = shape("svg", { viewBox: "0 0 24 32", class: "pin", "aria-hidden": "true" });
  svg.append(
    shape("path", { d: "M12 31C9 25 1.5 19.5 1.5 11.5a10.5 10.5 0 0 1 21 0C22.5 19.5 15 25 12 31z", class: "drop" }),
    shape("circle", { cx: 12, cy: 11.5, r: 4.2, class: "hole" }),
  );
  return svg;
}
