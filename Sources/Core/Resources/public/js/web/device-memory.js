/**
 * What this device remembers also when its person has logged out, which erases all else: whether a question has been
 * answered for good. It is kept in cookies and says nothing about anybody. What changes often doesn't belong here: each change
 * makes the browser fetch again what depends on cookies.
 */

/** Seconds: 400 days, the longest that browsers keep a cookie. */
const lifetime = 400 * 86_400;

/** @param {string} name @returns {string | null} */
export function recall(name) {
  const prefix = `tintype_${name}=`;
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(prefix));
  return found ? decodeURIComponent(found.slice(prefix.length)) : null;
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  const security = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `tintype_${name}=${encodeURIComponent(value)}; Max-Age=${lifetime}; Path=/; SameSite=Lax${security}`;
}
