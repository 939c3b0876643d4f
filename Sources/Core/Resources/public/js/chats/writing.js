import { outbox } from "../outbox/outbox.js";
import { kind } from "./sending.js";

/**
 * Adds a message to the outbox. What may be seen once is never kept on the device, so it goes out from this page only.
 *
 * @param {Pick<import("./sending.js").Content, "chat"> & Partial<import("./sending.js").Content>} message its chat, and
 *   its text or its photo
 */
export function write(message) {
  return outbox.add({ text: "", ...message, kind, lane: `chat-${message.chat}`, isFleeting: Boolean(message.once) });
}

/** @param {string} chat @returns {Promise<import("./sending.js").Entry[]>} the messages that wait there */
export async function waitingMessages(chat) {
  const waiting = await outbox.waiting((entry) => entry.kind === kind && entry.chat === chat);
  return /** @type {import("./sending.js").Entry[]} */ (waiting);
}
