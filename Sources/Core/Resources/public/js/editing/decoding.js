/**
 * Decodes a photo, upright as its file says.
 *
 * @param {Blob} photo
 * @param {number} longest side in pixels; a larger photo is made smaller
 * @returns {Promise<ImageBitmap>}
 * @throws {Error} with a message to show, when this browser can't draw it
 */
export async function decode(photo, longest) {
  try {
    const whole = await createImageBitmap(photo);
    const scale = longest / Math.max(whole.width, whole.height);
    if (scale >= 1) return whole;
    const [resizeWidth, resizeHeight] = [whole.width, whole.height].map((side) => Math.max(1, Math.round(side * scale)));
    try {
      return await createImageBitmap(whole, { resizeWidth, resizeHeight, resizeQuality: "high" });
    } finally {
      whole.close();
    }
  } catch (error) {
    throw new Error("This browser can’t show this file, so it can’t be edited here. It can be sent as it is.", {
      cause: error,
    });
  }
}
