import { pictureOf } from "../photos/placing.js";

/** Pixels of the preview's longer side. */
const longestSide = 480;

/**
 * Draws a small picture of a pair, then above now, as its two frames show them.
 *
 * @param {number} aspect width of each frame by its height
 * @param {{image: HTMLImageElement, size: {width: number, height: number}, view: {zoom: number, x: number, y: number}}[]}
 *   halves
 * @returns {Promise<Blob>} a JPEG
 */
export function previewOf(aspect, halves) {
  const width = Math.round(Math.min(longestSide, (longestSide / 2) * aspect));
  const height = Math.round(width / aspect);
  const canvas = Object.assign(document.createElement("canvas"), { width, height: height * halves.length });
  const context = canvas.getContext("2d");
  halves.forEach(({ image, size, view }, index) => {
    const frame = { x: 0, y: index * height, width, height };
    const picture = pictureOf(frame, size, view);
    context.save();
    context.beginPath();
    context.rect(frame.x, frame.y, width, height);
    context.clip();
    context.drawImage(image, picture.x, picture.y, picture.width, picture.height);
    context.restore();
  });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.8));
}
