/** The edges of a picture as light lines, to line up the camera with them. */

/** Pixels of the longer side of the picture whose edges are found. Finer edges are mostly grain. */
const longestSide = 960;

/** The share of pixels whose edges get the greatest strength. */
const strongest = 0.01;

/** How often brightness is averaged first. */
const softness = 5;

/** How much stronger than the weakest drawn line a line must be to be drawn opaque. */
const slope = 0.22;

/**
 * The strength of the edge at each pixel of a picture.
 *
 * @typedef {{width: number, height: number, strengths: Uint8Array}} Edges 0 (none) to 255
 */

/**
 * Finds the edges of a picture that has been loaded.
 *
 * @param {HTMLImageElement} image
 * @returns {Edges}
 */
export function edgesOf(image) {
  const scale = Math.min(1, longestSide / Math.max(image.naturalWidth, image.naturalHeight));
  const width = Math.max(1, Math.round(image.naturalWidth * scale));
  const height = Math.max(1, Math.round(image.naturalHeight * scale));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0, width, height);
  const grey = greyOf(context.getImageData(0, 0, width, height).data);
  for (let round = 0; round < softness; round += 1) soften(grey, width, height);
  return { width, height, strengths: levelled(thinned(gradients(grey, width, height), width, height)) };
}

/**
 * Draws edges in the text colour of a canvas, on a transparent background.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Edges} edges
 * @param {number} amount 0 (none) to 1 (the faintest too)
 */
export function drawEdges(canvas, { width, height, strengths }, amount) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const lines = context.createImageData(width, height);
  const least = 1 - 0.97 * Math.sqrt(amount);
  const opacity = new Uint8ClampedArray(256).map((_, strength) => ((strength / 255 - least) / slope) * 255);
  strengths.forEach((strength, index) => (lines.data[4 * index + 3] = opacity[strength]));
  context.putImageData(lines, 0, 0);
  context.globalCompositeOperation = "source-in";
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, width, height);
}

/** Returns the brightness (ITU-R BT.601) of RGBA pixels. */
function greyOf(data) {
  const grey = new Float32Array(data.length / 4);
  for (let index = 0; index < grey.length; index += 1) {
    const at = 4 * index;
    grey[index] = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  }
  return grey;
}

/** Averages each pixel with its neighbours (1 2 1), across and down, which removes grain and dust. */
function soften(grey, width, height) {
  const run = (start, count, stride) => {
    let before = grey[start];
    for (let index = 0; index < count; index += 1) {
      const at = start + index * stride;
      const here = grey[at];
      const after = index + 1 < count ? grey[at + stride] : here;
      grey[at] = (before + 2 * here + after) / 4;
      before = here;
    }
  };
  for (let y = 0; y < height; y += 1) run(y * width, width, 1);
  for (let x = 0; x < width; x += 1) run(x, height, width);
}

/** Returns how steeply brightness changes at each pixel, across and down (Sobel); 0 at the border. */
function gradients(grey, width, height) {
  const across = new Float32Array(grey.length);
  const down = new Float32Array(grey.length);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const [above, below] = [at - width, at + width];
      const [nw, ne, sw, se] = [grey[above - 1], grey[above + 1], grey[below - 1], grey[below + 1]];
      across[at] = ne + 2 * grey[at + 1] + se - nw - 2 * grey[at - 1] - sw;
      down[at] = sw + 2 * grey[below] + se - nw - 2 * grey[above] - ne;
    }
  }
  return { across, down };
}

/** Keeps the steepness where it is greatest along its own direction, and lowers it elsewhere, for thin lines. */
function thinned({ across, down }, width, height) {
  const steepness = across.map((value, index) => Math.hypot(value, down[index]));
  const lines = new Float32Array(steepness.length);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const [gx, gy] = [across[at], down[at]];
      const [sideways, upright] = [Math.abs(gx) > 0.414 * Math.abs(gy), Math.abs(gy) > 0.414 * Math.abs(gx)];
      const next = (sideways ? Math.sign(gx) : 0) + (upright ? Math.sign(gy) * width : 0);
      const isCrest = steepness[at] >= steepness[at - next] && steepness[at] >= steepness[at + next];
      lines[at] = steepness[at] * (isCrest ? 1 : 0.45);
    }
  }
  return lines;
}

/** Returns strengths as bytes, with the picture's strongest at 255, so that a faded photo has clear edges, too. */
function levelled(lines) {
  const step = Math.max(1, Math.floor(lines.length / 50_000));
  const sample = lines.filter((_, index) => index % step === 0).sort();
  const most = Math.max(1, sample[Math.floor(sample.length * (1 - strongest))]);
  return Uint8Array.from(lines, (value) => Math.min(255, (255 * value) / most));
}
