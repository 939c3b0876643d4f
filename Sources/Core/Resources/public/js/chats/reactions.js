import { element } from "../web/element.js";

const self = document.documentElement.dataset.account;

/**
 * The emoji below a message, as the server writes them too: nothing where there are none.
 *
 * @param {object} message as in the JSON interface, at least its `id`, `chat_id` and `reactions`
 * @param {string} name of the other
 * @returns {HTMLElement[]}
 */
export function reactionsOf(message, name) {
  const { reactions } = message;
  const emoji = [...new Set(reactions.map((reaction) => reaction.emoji))];
  if (emoji.length === 0) return [];
  const item = (one) => {
    const accounts = reactions.filter((reaction) => reaction.emoji === one).map((reaction) => reaction.account_id);
    return element("li", {}, reaction(one, accounts, message, name));
  };
  return [element("ul", { class: "reactions", "aria-label": "Reactions" }, ...emoji.map(item))];
}

function reaction(emoji, accounts, { id, chat_id: chat }, name) {
  const isOwn = accounts.includes(self);
  const names = [...(isOwn ? ["you"] : []), ...(accounts.some((account) => account !== self) ? [name] : [])];
  const button = element("button", {
    class: "reaction",
    formAction: `/messages/${chat}/${id}/react`,
    name: "emoji",
    value: isOwn ? "" : emoji,
    "data-react": emoji,
    "aria-pressed": String(isOwn),
    "aria-label": `${emoji} from ${names.join(" and ")}`,
  });
  button.setAttribute("form", "look"); // the property can't be set
  button.append(emoji);
  if (accounts.length > 1) button.append(` ${accounts.length}`);
  return button;
}

/** The emoji with which this person has answered a message on the page; undefined for none. */
export function ownReaction(item) {
  return item.querySelector(".reaction[aria-pressed=true]")?.dataset.react;
}

/**
 * Puts the emoji below a message on the page. The focus stays on them.
 *
 * @param {HTMLElement} item
 * @param {HTMLElement | undefined} list what `reactionsOf` made
 */
export function showReactions(item, list) {
  const bubble = item.querySelector("message-bubble");
  const known = bubble.querySelector(".reactions");
  if (known ? list?.isEqualNode(known) : !list) return;
  const hadFocus = known?.contains(document.activeElement);
  known?.remove();
  const state = bubble.querySelector(".state");
  if (list && state) state.before(list);
  else if (list) bubble.append(list);
  if (hadFocus) (list ?? item).querySelector("button, [data-options]")?.focus({ preventScroll: true });
}
