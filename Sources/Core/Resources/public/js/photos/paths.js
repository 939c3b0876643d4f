/** The addresses of photos (`PhotoPaths.swift`), for other features. */
export const library = "/library";

/** @param {string} id of a photo of the person's own library */
export const photoPage = (id) => `${library}/${id}`;

/** @param {string} id of a photo of the person's own library @returns {string} the address of the menu that shares it */
export const shareMenu = (id) => `${photoPage(id)}/share`;

/**
 * Returns the address of a picture on this page's own server, which the JSON interface may name otherwise.
 *
 * @param {string} id
 * @param {"square" | "medium" | "large"} size
 */
export const picture = (id, size) => `/photos/${id}/${size}`;
