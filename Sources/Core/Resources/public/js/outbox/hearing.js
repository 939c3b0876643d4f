/**
 * Follows what becomes of entries of a kind: `added`, `changed`, `progress` (with `loaded`), `posting`, `sent` (with
 * `result`) and `removed`.
 *
 * @param {string} kind
 * @param {string[]} names
 * @param {(detail: {entry: import("./store.js").Entry, result?: any, loaded?: number}) => void} action
 * @param {AbortSignal} [signal] ends it
 */
export function hear(kind, names, action, signal) {
  for (const name of names) {
    const mine = (/** @type {CustomEvent} */ { detail }) => detail.entry.kind === kind && action(detail);
    addEventListener(`outbox:${name}`, /** @type {EventListener} */ (mine), { signal });
  }
}
