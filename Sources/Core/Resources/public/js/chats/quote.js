import { element, icon } from "../web/element.js";

/**
 * What a reply shows of the message that it answers.
 *
 * @typedef {object} Quote
 * @property {string} id
 * @property {boolean} isOwn whether this person wrote the quoted message
 * @property {string} words
 * @property {string} [picture] the path of a small picture of its photo
 */

const self = document.documentElement.dataset.account;

/**
 * The quote of a message, as the server writes it too.
 *
 * @param {object} message as in the JSON interface
 * @param {string} name of the other
 */
export function quoteOf({ in_reply_to_id: id, in_reply_to: quoted, chat_id: chat }, name) {
  if (!id) return [];
  if (!quoted) return [goneQuote()];
  const words = quoted.view_once ? "View-once photo" : quoted.text || "Photo";
  const picture = quoted.photo_id ? `/photos/${quoted.photo_id}/square` : undefined;
  return [quoteLink({ id, isOwn: quoted.account_id === self, words, picture }, chat, name)];
}

/** @param {Quote} quote @param {string} chat @param {string} name of the other */
export function quoteLink({ id, isOwn, words, picture }, chat, name) {
  const label = element("span", { class: "unseen" }, "Reply to ");
  const text = element("span", {}, label, element("b", {}, isOwn ? "You" : name), element("span", {}, words));
  // The page of earlier messages that ends with the quoted one.
  const path = `/messages/${chat}?max_id=${BigInt(id) + 1n}`;
  const link = element("a", { class: "quote", href: path, "data-quote": id });
  if (picture) link.append(element("img", { src: picture, width: 36, height: 36, alt: "" }));
  link.append(text);
  return link;
}

/** What is left of the quote of a message that was deleted. */
export function goneQuote() {
  return element("p", { class: "quote" }, "Deleted message");
}

/** @param {HTMLElement} item a message on the page @returns {Quote} */
export function quoteFrom(item) {
  const photo = item.querySelector("a.bubble.photo > img")?.getAttribute("src");
  const words = item.querySelector("p.bubble")?.textContent;
  const otherwise = item.querySelector(".bubble.once") ? "View-once photo" : "Photo";
  return {
    id: item.dataset.id,
    isOwn: item.classList.contains("out"),
    words: words ?? otherwise,
    picture: photo?.replace(/\/medium$/, "/square"),
  };
}

/**
 * What stands above the line to write on while a message is answered, as the server writes it too.
 *
 * @param {Quote} quote
 * @param {string} name of the other
 */
export function answering({ isOwn, words }, name) {
  const title = isOwn ? "Reply to yourself" : `Reply to ${name}`;
  const dismiss = { class: "symbol", type: "button", "aria-label": "Don’t reply", "data-dismiss": "" };
  return [
    icon("reply"),
    element("p", {}, element("b", {}, title), element("span", {}, words)),
    element("button", dismiss, icon("x-lg")),
  ];
}
