/** Whether this browser can edit photos: the picture is made off the page, so that the page stays quick. */
export const editsPhotos = "OffscreenCanvas" in globalThis && "createImageBitmap" in globalThis;
