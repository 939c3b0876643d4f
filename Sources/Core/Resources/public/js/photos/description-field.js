import { element } from "../web/element.js";

/** Characters of a description at most. */
const longest = 1_500;

/**
 * Makes the field for the description of a photo.
 *
 * @param {Record<string, any>} properties as in `element`
 * @returns {HTMLTextAreaElement}
 */
export function descriptionField(properties) {
  return element("textarea", {
    maxLength: longest,
    placeholder: "Describe it for people who can’t see it",
    ...properties,
  });
}
