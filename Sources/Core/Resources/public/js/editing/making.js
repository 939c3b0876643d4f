import { drawMarks, drawPhoto, levelsOf } from "./drawing.js";
import { frameOf } from "./edit.js";
import { applyFilter } from "./filters.js";

/**
 * Makes the edited picture. It holds only what its frame shows: what was cut off or blurred isn't in it, and nothing of
 * the file but its pixels.
 *
 * @param {ImageBitmap} photo
 * @param {import("./edit.js").Edit} edit
 * @param {number} longest side of the picture at most, in pixels
 * @returns {OffscreenCanvas}
 */
export function pictureOf(photo, edit, longest) {
  const frame = frameOf(edit);
  // Never more pixels than the photo has.
  const scale = Math.min(Math.max(photo.width, photo.height), longest / Math.max(frame.width, frame.height));
  const [width, height] = [frame.width, frame.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  const turned = new DOMMatrix().translate(width / 2, height / 2).rotate(edit.angle);
  const fromUnits = turned.scale(scale).translate(-frame.x, -frame.y);
  context.setTransform(fromUnits);
  drawPhoto(context, photo, edit);
  if (edit.filter) {
    const pixels = context.getImageData(0, 0, width, height);
    applyFilter(pixels.data, edit.filter);
    context.putImageData(pixels, 0, 0);
  }
  context.setTransform(turned.translate(-frame.x * scale, -frame.y * scale));
  drawMarks(context, edit.marks, scale, () => [{ levels: levelsOf(canvas, fromUnits, scale), strength: 1 }]);
  return canvas;
}
