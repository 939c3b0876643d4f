/**
 * The fonts of texts on photos. They come from the server, so that a text looks alike on every device, and are loaded when
 * someone begins to write. A font that the server doesn't have is replaced by one of the device.
 */

/** The fonts: files of the server, and what is used instead of each. */
export const fonts = [
  { name: "Plain", file: "plain.otf", instead: "system-ui, sans-serif" },
  { name: "Serif", file: "serif.otf", instead: "ui-serif, Georgia, serif" },
  { name: "Typewriter", file: "typewriter.ttf", instead: "ui-monospace, monospace" },
  { name: "Script", file: "script.otf", instead: "cursive" },
];

/** How long the fonts may take before a picture is made without them, in milliseconds. */
const patience = 15_000;

/**
 * The files of the fonts that texts can be drawn with, by the names of the fonts.
 *
 * @type {Map<string, ArrayBuffer>}
 */
export const loadedFonts = new Map();

/** @type {Promise<boolean> | null} */
let loading = null;

/**
 * Returns what a style sheet or a canvas calls a font, with what is used instead.
 *
 * @param {string} name
 */
export function familyOf(name) {
  const font = fonts.find((one) => one.name === name) ?? fonts[0];
  return `"Tintype ${font.name}", ${font.instead}`;
}

/** Loads the fonts that aren't loaded yet. Returns whether there was a new one. */
export function loadFonts() {
  loading ??= loadMissing().finally(() => (loading = null));
  return loading;
}

async function loadMissing() {
  const before = loadedFonts.size;
  const signal = AbortSignal.timeout(patience);
  const missing = fonts.filter(({ name }) => !loadedFonts.has(name));
  const load = async ({ name, file }) => {
    const answer = await fetch(new URL(`../../vendor/${file}`, import.meta.url), { signal });
    if (answer.ok) await addFont(name, await answer.arrayBuffer());
  };
  const ends = await Promise.allSettled(missing.map(load));
  for (const end of ends) if (end.status === "rejected") console.warn(end.reason);
  return loadedFonts.size > before;
}

/**
 * Adds a font to those of this page, or of this worker.
 *
 * @param {string} name
 * @param {ArrayBuffer} file
 */
export async function addFont(name, file) {
  const font = new FontFace(`Tintype ${name}`, file, { weight: "700" });
  await font.load();
  const { fonts: known } = globalThis.document ?? /** @type {any} */ (globalThis);
  known.add(font);
  loadedFonts.set(name, file);
}
