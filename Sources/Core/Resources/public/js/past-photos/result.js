import { element } from "../web/element.js";
import { distance } from "./words.js";

/**
 * Draws a found photo for the strip: its picture with a spinner while it loads, date, distance and credit.
 *
 * @param {HTMLTemplateElement} template as the server writes a result, empty
 * @param {object} photo as the API describes it
 * @returns {HTMLLIElement}
 */
export function result(template, photo) {
  const item = template.content.querySelector("li").cloneNode(true);
  const picture = item.querySelector("img");
  const camera = item.querySelector("a");
  camera.setAttribute("href", camera.getAttribute("href") + encodeURIComponent(photo.id));
  picture.alt = photo.title || "Photo without a title";
  if (photo.picture.state === "failed") picture.removeAttribute("src");
  // Only the path is used: its query changes, and the browser wouldn't find the picture in its cache.
  else picture.src = new URL(photo.picture.url, location.href).pathname;
  item.querySelector("b").textContent = photo.date;
  item.querySelector("[data-distance]").textContent = distance(photo.distance_m);
  item.querySelector("[data-credit]").append(...credit(photo));
  return item;
}

/** Draws the credit: the author, the licence and the source. */
function credit({ title, author, licence, licence_url: terms, source, source_title: name, source_url: page }) {
  const said = [
    title && element("span", {}, title),
    author && element("span", {}, author),
    licence && (link(terms, licence) ?? element("span", {}, licence)),
    link(page, source === "server" ? "View the post" : `View on ${name}`),
  ];
  return said.filter(Boolean).flatMap((part, index) => (index ? [" · ", part] : [part]));
}

/** Makes a link to another site, or returns null for an invalid address. */
function link(address, text) {
  if (!address || !URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  if (!["http:", "https:"].includes(url.protocol)) return null;
  const isOurs = url.origin === location.origin;
  const elsewhere = isOurs ? {} : { target: "_blank", rel: "noopener noreferrer" };
  return element("a", { href: url.href, ...elsewhere }, text);
}
