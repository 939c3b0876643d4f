/**
 * What a reply shows of the message or snap that it answers.
 *
 * @typedef {object} Quote
 * @property {string} id
 * @property {boolean} [isSnap] whether it is a snap of the other person
 * @property {boolean} isOwn whether this person wrote the quoted message
 * @property {string} [name] who wrote it, in a group
 * @property {string} words
 * @property {string} [picture] the path of a small picture of its photo
 */

/** @param {HTMLElement} item a message on the page @returns {Quote} */
export function quoteFrom(item) {
  const photo = item.querySelector("a.bubble.photo > img")?.getAttribute("src");
  const words = item.querySelector("p.bubble")?.textContent;
  const otherwise = item.querySelector(".bubble.once") ? "View-once photo" : "Photo";
  return {
    id: item.dataset.id,
    isOwn: item.classList.contains("out"),
    name: item.querySelector(".sender")?.textContent,
    words: words ?? otherwise,
    picture: photo?.replace(/\/medium$/, "/square"),
  };
}
