/** The blurred picture behind a photo that is still loading, from its blurhash. */

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

/** Pixels of the placeholder, which the browser smooths as it enlarges it. */
const size = 24;

/**
 * Puts a placeholder behind each photo of the page that hasn't loaded yet.
 *
 * @param {ParentNode} root
 */
export function showPlaceholders(root) {
  for (const photo of root.querySelectorAll("img[data-blurhash]")) {
    const hash = photo.dataset.blurhash;
    delete photo.dataset.blurhash;
    if (hash.length < 6 || (photo.complete && photo.naturalWidth > 0)) continue;
    photo.style.background = `center / 100% 100% url(${picture(hash)})`;
    photo.addEventListener("load", () => (photo.style.background = ""), { once: true });
  }
}

/** Returns the picture as a `data:` URL. */
function picture(hash) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  context.putImageData(new ImageData(decoded(hash, size), size, size), 0, 0);
  return canvas.toDataURL();
}

/**
 * Returns the pixels, RGBA, of a square picture (https://github.com/woltapp/blurhash/blob/master/Algorithm.md): a sum
 * of cosines, whose weights are given for each colour in linear light.
 */
function decoded(hash, size) {
  const number = (from, to) => [...hash.slice(from, to)].reduce((sum, digit) => sum * 83 + digits.indexOf(digit), 0);
  const flag = number(0, 1);
  const [columns, rows] = [(flag % 9) + 1, Math.floor(flag / 9) + 1];
  const most = (number(1, 2) + 1) / 166;
  const average = number(2, 6);
  const weights = [[average >> 16, (average >> 8) & 255, average & 255].map(linear)];
  for (let index = 1; index < columns * rows; index++) {
    const value = number(4 + 2 * index, 6 + 2 * index);
    const parts = [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19];
    weights.push(parts.map((part) => Math.sign(part - 9) * ((part - 9) / 9) ** 2 * most));
  }
  const waves = (count) => Array.from({ length: count }, (_, wave) =>
    Array.from({ length: size }, (_, place) => Math.cos((Math.PI * wave * (place + 0.5)) / size)),
  );
  const [across, down] = [waves(columns), waves(rows)];
  const pixels = new Uint8ClampedArray(4 * size * size);
  for (let place = 0; place < size * size; place++) {
    const [x, y] = [place % size, Math.floor(place / size)];
    for (let colour = 0; colour < 3; colour++) {
      let light = 0;
      weights.forEach((weight, index) => {
        light += weight[colour] * across[index % columns][x] * down[Math.floor(index / columns)][y];
      });
      pixels[4 * place + colour] = encoded(light);
    }
    pixels[4 * place + 3] = 255;
  }
  return pixels;
}

/** Converts a value of sRGB into linear light (IEC 61966-2-1). */
function linear(value) {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function encoded(light) {
  const share = Math.min(1, Math.max(0, light));
  return 255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055);
}
