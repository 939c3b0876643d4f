const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" });
const dateOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

/** The time of day where the person is. */
export function clockTime(time) {
  return clock.format(new Date(time));
}

/** What the line above the first message of a day says: `Today 9:12`. */
export function dayTime(time) {
  const day = new Date(time);
  const now = new Date();
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const isThisYear = day.getFullYear() === now.getFullYear();
  let words = (isThisYear ? date : dateOfYear).format(day);
  if (day.toDateString() === now.toDateString()) words = "Today";
  else if (day.toDateString() === yesterday.toDateString()) words = "Yesterday";
  return `${words} ${clockTime(time)}`;
}
