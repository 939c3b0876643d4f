/** Returns in words how far away a photo was taken: `310 m away`, `0.9 km away`. */
export function distance(metres) {
  if (metres < 5) return "right here";
  if (metres < 500) return `${Math.round(metres / 10) * 10} m away`;
  const kilometres = metres / 1000;
  return `${kilometres < 9.95 ? kilometres.toFixed(1) : Math.round(kilometres)} km away`;
}

/** Returns names with commas and "and": `Flickr, Commons and this server`. */
export function list(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Returns a position as text: `46.5412, 11.8456`. */
export function coordinates({ latitude, longitude }) {
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
}
