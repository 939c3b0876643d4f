const numbers = new Intl.NumberFormat("en");

/** Returns a number with separators: `1,204`. */
export function number(value) {
  return numbers.format(value);
}

/** Returns a number with its noun: `1 like`, `1,204 likes`. */
export function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Returns the line under a post: `1,204 likes`. */
export function likes(value) {
  return value === 0 ? "Be the first to like this" : count(value, "like");
}

/** Returns the words of the link to a thread: `View all 18 comments`. */
export function commentsLink(value) {
  return value > 1 ? `View all ${count(value, "comment")}` : `View ${count(value, "comment")}`;
}
