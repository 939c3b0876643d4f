/** What chats do on every page: what has arrived on this device is reported to its sender. */
import { request } from "../web/api.js";
import { isLeading } from "../web/events.js";

/** Milliseconds in which arrivals are gathered. */
const gathering = 300;

const self = document.documentElement.dataset.account;

/** @type {Map<string, string>} the newest message that has arrived, by chat */
const arrived = new Map();
let timer;

addEventListener("tintype:message", ({ detail: message }) => {
  // One tab reports arrivals for all tabs.
  if (message.account_id === self || message.request || !isLeading()) return;
  arrived.set(message.chat_id, message.id);
  timer ??= setTimeout(acknowledge, gathering);
});

async function acknowledge() {
  timer = undefined;
  const marks = [...arrived];
  arrived.clear();
  for (const [chat, id] of marks) {
    if (await isBeingReadHere(chat)) continue;
    const path = `/api/v1/chats/${chat}/delivered`;
    // If this fails, the next arrival reports it as well, and so does reading the chat.
    await request("POST", path, { last_delivered_id: id }).catch(() => {});
  }
}

/** Returns whether the chat is being read in this tab, which then reports that instead of the arrival. */
async function isBeingReadHere(chat) {
  const thread = document.querySelector(`chat-thread[data-chat="${chat}"]`);
  if (!thread) return false;
  // Only pages with a chat need this script, and they have loaded it already.
  const { isBeingRead } = await import("./read-marker.js");
  return isBeingRead(thread);
}

/** @type {import("../web/log-out.js").Unsent} */
export const unsent = {
  noun: "unsent message",
  count: async (account) => (await import("../outbox/store.js")).count(account, "message"),
};
