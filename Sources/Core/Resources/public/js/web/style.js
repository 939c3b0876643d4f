import { element } from "./element.js";

/**
 * Loads a style sheet that the page doesn't name, such as that of a card which few visits show.
 *
 * @param {string} name of the style sheet
 * @returns {Promise<void>} when it has been loaded, or can't be
 */
export async function loadStyle(name) {
  const { pathname } = new URL(`../../css/${name}.css`, import.meta.url);
  if (document.querySelector(`link[href="${pathname}"]`)) return;
  const link = element("link", { rel: "stylesheet", href: pathname });
  document.head.append(link);
  await new Promise((resolve) => (link.onload = link.onerror = resolve));
}
