/**
 * Makes an element with its properties and children.
 *
 * @param {string} name
 * @param {Record<string, any>} properties set on the element; `class` and names with a dash
 *   (`data-id`, `aria-label`) become attributes
 * @param {...(Node | string)} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class" || key.includes("-")) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}
