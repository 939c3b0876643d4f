import { element, icon } from "../web/element.js";
import { filePicture } from "./file-picture.js";
import { quoteOf } from "./quote.js";
import { reactionsOf } from "./reactions.js";

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" });
const dateOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

/** The time of day where the person is. */
export function clockTime(time) {
  return clock.format(new Date(time));
}

/** The line above the first message of a day: `Today 9:12`. */
export function dayLine(time) {
  const day = new Date(time);
  const now = new Date();
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const isThisYear = day.getFullYear() === now.getFullYear();
  let words = (isThisYear ? date : dateOfYear).format(day);
  if (day.toDateString() === now.toDateString()) words = "Today";
  else if (day.toDateString() === yesterday.toDateString()) words = "Yesterday";
  return element(
    "li",
    { class: "day" },
    element("time", { dateTime: time, title: day.toLocaleString() }, `${words} ${clockTime(time)}`),
  );
}

/**
 * A message as the server writes it too.
 *
 * @param {object} message as in the JSON interface
 * @param {{isOwn: boolean, name: string, portrait: Element | null}} who wrote it
 */
export function messageItem(message, who) {
  const { id, chat_id: chat } = message;
  const item = listItem(who);
  item.dataset.id = id;
  item.dataset.at = message.created_at;
  item.dataset.number = message.number;
  if (message.idempotency_key) item.dataset.key = message.idempotency_key;
  const bubble = item.querySelector("message-bubble");
  bubble.append(...quoteOf(message, who.name));
  if (message.view_once) bubble.append(onceBubble(message, who.isOwn));
  if (message.photo) bubble.append(photoBubble(message, who));
  const shared = sharedBy(message);
  if (message.text && !(shared && isLinkAlone(message))) {
    const text = element("p", { class: message.emoji_only ? "bubble emoji" : "bubble" });
    // The server's own HTML: text escaped, links made.
    text.innerHTML = message.content;
    bubble.append(text);
  }
  if (shared) bubble.append(shared);
  bubble.append(...reactionsOf(message, who.name));
  const options = {
    class: "symbol message-options",
    href: `/messages/${chat}/${id}/options`,
    "aria-label": "Options of this message",
    "data-options": "",
  };
  item.append(element("a", options, icon("three-dots")));
  return item;
}

/** The card of what a message shares, or `undefined`: a post, or a collage that is being made. */
function sharedBy({ status_id, collage_id }) {
  const card = (name, id) => element(name, { class: "bubble shared", "data-id": id });
  if (status_id) return card("shared-post", status_id);
  if (collage_id) return card("collage-card", collage_id);
}

/** Whether a message says nothing besides the link to what it shares. */
function isLinkAlone({ text, content }) {
  const page = document.createElement("template");
  page.innerHTML = content;
  return page.content.querySelector("a")?.textContent === text.trim();
}

/** Whether two items show the same message, apart from how far it has come. */
export function isSame(known, item) {
  return bare(known).isEqualNode(bare(item));
}

/** Without what became of the message, and what a photo's loading does to it. */
function bare(item) {
  const copy = item.cloneNode(true);
  copy.querySelector(".state")?.remove();
  for (const picture of copy.querySelectorAll("img")) {
    for (const name of ["style", "data-blurhash"]) picture.removeAttribute(name);
  }
  // A card renews itself.
  copy.querySelector(".shared")?.replaceChildren();
  return copy;
}

/**
 * A message that waits to go out.
 *
 * @param {import("./outbox-store.js").Entry} entry
 * @param {Node[]} quote of the message that it answers
 */
export function pendingItem(entry, quote = []) {
  const item = listItem({ isOwn: true });
  item.dataset.key = entry.key;
  const bubble = item.querySelector("message-bubble");
  bubble.append(...quote);
  if (entry.once) {
    bubble.append(element("div", { class: "bubble once" }, icon("1-circle"), "Photo · view once"));
  } else if (entry.file) {
    const picture = filePicture(entry.file, entry.description || entry.file.name);
    bubble.append(element("div", { class: "bubble photo" }, picture));
  } else if (entry.library) {
    const alt = entry.description || "Photo of your library";
    const picture = element("img", { src: `/photos/${entry.library}/medium`, alt });
    bubble.append(element("div", { class: "bubble photo" }, picture));
  }
  if (entry.text) bubble.append(element("p", { class: "bubble" }, entry.text));
  return item;
}

/** @param {{isOwn: boolean, portrait?: Element | null}} who wrote it */
function listItem({ isOwn, portrait }) {
  const item = element("li", { class: `message ${isOwn ? "out" : "in"}` });
  if (!isOwn && portrait) item.append(portrait.cloneNode(true));
  item.append(element("message-bubble"));
  return item;
}

function photoBubble({ photo, id, chat_id: chat }, { isOwn, name }) {
  const path = `/messages/${chat}/photos/${id}`;
  const { width, height } = photo.meta.small;
  const picture = element("img", {
    src: `/photos/${photo.id}/medium`,
    width,
    height,
    alt: photo.description ?? (isOwn ? `Photo to ${name}` : `Photo from ${name}`),
    "data-blurhash": photo.blurhash,
    "data-hero": path,
  });
  return element("a", { class: "bubble photo", href: path }, picture);
}

function onceBubble(message, isOwn) {
  const isOver = message.opened || message.expired;
  const words = message.opened ? "Opened" : message.expired ? "Expired" : "Photo · view once";
  const open = {
    class: "bubble once",
    formAction: `/messages/${message.chat_id}/${message.id}/open`,
    disabled: isOwn || isOver,
    "data-open": "",
  };
  const button = element("button", open, icon("1-circle"), words);
  button.setAttribute("form", "look"); // the property can't be set
  return button;
}
