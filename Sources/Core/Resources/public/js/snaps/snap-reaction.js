import { newKey, request } from "../web/api.js";

/** The keys of the reactions of this page, so that one that is tried again arrives once. */
const keys = new Map();

/**
 * Sends an emoji about a snap to its poster, as a message that answers it.
 *
 * @param {string} snap
 * @param {string} poster the poster's id
 * @param {string} emoji
 * @throws {ApiError} when the server refuses
 */
export async function reactToSnap(snap, poster, emoji) {
  const name = `${snap} ${emoji}`;
  if (!keys.has(name)) keys.set(name, newKey());
  const { id: chat } = await request("POST", "/api/v1/chats", { account_id: poster });
  await request("POST", `/api/v1/chats/${chat}/messages`, { text: emoji, snap_id: snap }, { key: keys.get(name) });
}
