/**
 * The place of a picture that covers a frame, and the part of it that the frame shows. The server renders collages and
 * pairs from the same numbers.
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{width: number, height: number}} Size of a picture, in any unit: only its proportions count
 * @typedef {{zoom: number, x: number, y: number}} View the part of a picture that its frame shows: at zoom 1 the picture
 *   just fills the frame; x and y are 0 (left, top) to 1 (right, bottom)
 */

/**
 * The view of a picture that has just been put into its frame.
 *
 * @type {View}
 */
export const middle = { zoom: 1, x: 0.5, y: 0.5 };

/** Pixels by which a picture must be larger than its frame to be movable. */
const slightest = 0.05;

/**
 * Returns where a picture is drawn; its frame cuts off what is outside.
 *
 * @returns {Box}
 */
export function pictureOf(frame, size, { zoom, x, y }) {
  const scale = Math.max(frame.width / size.width, frame.height / size.height) * zoom;
  const width = size.width * scale;
  const height = size.height * scale;
  return {
    x: frame.x - x * (width - frame.width),
    y: frame.y - y * (height - frame.height),
    width,
    height,
  };
}

/** Returns whether a picture can move some way across and down without uncovering its frame. */
export function canPan(frame, size, view, dx, dy) {
  const { x, y } = panned(frame, size, view, dx, dy);
  return x !== view.x || y !== view.y;
}

/**
 * Returns along which sides a picture is larger than its frame.
 *
 * @returns {{x: boolean, y: boolean}}
 */
export function isMovable(frame, size, view) {
  const picture = pictureOf(frame, size, view);
  return {
    x: picture.width - frame.width > slightest,
    y: picture.height - frame.height > slightest,
  };
}

/**
 * Returns the view after a picture has been moved, as far as its frame stays covered.
 *
 * @returns {View}
 */
export function panned(frame, size, view, dx, dy) {
  const picture = pictureOf(frame, size, view);
  return {
    zoom: view.zoom,
    x: share(frame.x - picture.x - dx, picture.width - frame.width, view.x),
    y: share(frame.y - picture.y - dy, picture.height - frame.height, view.y),
  };
}

/**
 * Returns the view after a picture has been enlarged about a point, which stays where it is.
 *
 * @param {number} largest up to how many times a picture may be enlarged
 * @returns {View}
 */
export function zoomed(frame, size, view, factor, point, largest) {
  const zoom = Math.min(largest, Math.max(1, view.zoom * factor));
  const change = zoom / view.zoom;
  const before = pictureOf(frame, size, view);
  const after = pictureOf(frame, size, { ...view, zoom });
  const x = point.x - (point.x - before.x) * change;
  const y = point.y - (point.y - before.y) * change;
  return {
    zoom,
    x: share(frame.x - x, after.width - frame.width, view.x),
    y: share(frame.y - y, after.height - frame.height, view.y),
  };
}

/**
 * Returns a view in ten-thousandths, as the server keeps it.
 *
 * @param {View} view
 * @returns {View}
 */
export function rounded({ zoom, x, y }) {
  const round = (value) => Math.round(value * 10_000) / 10_000;
  return { zoom: round(zoom), x: round(x), y: round(y) };
}

/** Returns which share, 0 to 1, of the hidden part is before the frame; `otherwise` when nothing is hidden. */
function share(hidden, rest, otherwise) {
  return rest > slightest ? Math.min(1, Math.max(0, hidden / rest)) : otherwise;
}
