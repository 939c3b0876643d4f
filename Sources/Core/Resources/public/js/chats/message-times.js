const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const dateOfYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

/** Returns the time of day in the person's time zone: `09:12`. */
export function clockTime(time) {
  return clock.format(new Date(time));
}

/**
 * Returns the words above the first message of a day, in the person's time zone: `Today at 09:12`, and later
 * `12 November at 09:12`, with the year unless it is this year.
 */
export function dayTime(time) {
  const day = new Date(time);
  const now = new Date();
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const isThisYear = day.getFullYear() === now.getFullYear();
  let words = (isThisYear ? date : dateOfYear).format(day);
  if (day.toDateString() === now.toDateString()) words = "Today";
  else if (day.toDateString() === yesterday.toDateString()) words = "Yesterday";
  return `${words} at ${clockTime(time)}`;
}
