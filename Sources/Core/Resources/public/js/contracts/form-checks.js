const hour = 3_600_000;

/** The shortest and the longest time that a promise may hold, in milliseconds. */
const shortest = hour;
const longest = 366 * 24 * hour;

/**
 * What is missing in each step of a contract's form, by the step's id: pairs of a field and the data attribute of the
 * step that says so. The server checks all of it again.
 *
 * @type {Record<string, (fields: Record<string, any>) => string[][]>}
 */
const checks = {
  "step-promise": ({ promise }) => (promise.value.trim() ? [] : [["promise", "blank"]]),
  "step-end": ({ ends, end_date: date }) => {
    const problem = ends.value === "date" && endProblem(new Date(date.value));
    return problem ? [["ends_at", problem]] : [];
  },
  "step-stake": (fields) =>
    fields.stake_media_id.value || hasChosen(fields, "stake_photo_id") ? [] : [["stake_media_id", "blank"]],
  "step-breach": (fields) => (hasChosen(fields, "publish_to") ? [] : [["publish_to", "blank"]]),
  "step-consent": ({ consent, of_age: age }) => [
    ...(consent.checked ? [] : [["consent", "blank"]]),
    ...(!age || age.checked ? [] : [["of_age", "age"]]),
  ],
};

/** Returns whether a choice has been made. A single radio button is no list, and has a value even when unchecked. */
function hasChosen(fields, name) {
  return [...fields].some((field) => field.name === name && field.checked);
}

function endProblem(end) {
  const left = end - Date.now();
  if (Number.isNaN(left)) return "blank";
  if (left < shortest) return "early";
  return left > longest ? "late" : null;
}

/**
 * Returns what is missing in a step, in the words that the server wrote for it.
 *
 * @param {HTMLElement} step
 * @param {HTMLFormElement} form
 * @returns {Record<string, {description: string}[]>} as a refusal of the JSON interface has it
 */
export function problemsOf(step, form) {
  const found = checks[step.id]?.(form.elements) ?? [];
  return Object.fromEntries(found.map(([field, key]) => [field, [{ description: step.dataset[key] }]]));
}
