/**
 * What conversations do on every page: messages that wait go out, and what has arrived on this
 * device is told to its sender.
 */
import { request } from "../web/api.js";
import { entries } from "./outbox-store.js";

/** Milliseconds in which arrivals are gathered. */
const gathering = 300;

const self = document.documentElement.dataset.account;

/** @type {Map<string, string>} the newest message that has arrived, by chat */
const arrived = new Map();
let timer;

addEventListener("tintype:message", ({ detail: message }) => {
  if (message.account_id === self || message.request) return;
  arrived.set(message.chat_id, message.id);
  timer ??= setTimeout(acknowledge, gathering);
});

async function acknowledge() {
  timer = undefined;
  const marks = [...arrived];
  arrived.clear();
  for (const [chat, id] of marks) {
    const path = `/api/v1/chats/${chat}/delivered`;
    // The mark is moved as well by the next arrival, or by whoever reads the conversation.
    await request("POST", path, { last_delivered_id: id }).catch(() => {});
  }
}

// Few pages have something to send, and only those load what sends it.
if ((await entries(self)).length > 0) (await import("./outbox.js")).outbox.wake();
