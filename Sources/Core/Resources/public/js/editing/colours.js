/** The colours of texts and lines. They are part of the photo, so they are the same in light and dark. */
export const colours = [
  { name: "White", value: "#ffffff" },
  { name: "Black", value: "#16140f" },
  { name: "Red", value: "#e0243f" },
  { name: "Orange", value: "#f28c28" },
  { name: "Yellow", value: "#f8d347" },
  { name: "Green", value: "#2f9e5b" },
  { name: "Blue", value: "#1d5fd1" },
  { name: "Violet", value: "#8a4fd3" },
];

/** Returns the colour, black or white, that is readable on another one: by its brightness (Rec. 601). */
export function readableOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? "#16140f" : "#ffffff";
}
