/** Makes edited pictures beside the page, which stays quick meanwhile. */
import { decode } from "./decoding.js";
import { addFont } from "./fonts.js";
import { pictureOf } from "./making.js";

/** The longest side of a picture, in pixels, and the quality of its JPEG. */
const longest = 4096;
const quality = 0.92;

/** The longest side of a photo that is worked on: larger ones would not fit into a phone's memory. */
const largest = 8192;

addEventListener("message", async ({ data: { photo, edit, fonts } }) => {
  try {
    for (const [name, file] of fonts) await addFont(name, file);
    const bitmap = await decode(photo, largest);
    const canvas = pictureOf(bitmap, edit, longest);
    bitmap.close();
    postMessage({ picture: await canvas.convertToBlob({ type: "image/jpeg", quality }) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
