/**
 * The frame that cuts a photo. All lengths are in parts of the photo's longer side, so they hold for the preview and for
 * the full size alike. A frame stays upright on the screen while the photo is turned behind it.
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number, width: number, height: number}} Frame its middle on the photo, and its sides
 * @typedef {{left: number, top: number, right: number, bottom: number}} Edges from a frame's middle, along its sides
 */

/** The shortest side of a frame. */
const smallest = 0.05;

/** The steps by which a handle finds how far it can go; the error is below a thousandth of the way. */
const halvings = 12;

const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * Turns a point about the origin, clockwise on a screen.
 *
 * @param {Point} point
 * @param {number} degrees
 * @returns {Point}
 */
export function turned({ x, y }, degrees) {
  const [sine, cosine] = [Math.sin(radians(degrees)), Math.cos(radians(degrees))];
  return { x: x * cosine - y * sine, y: x * sine + y * cosine };
}

/** Returns half of the upright box around a frame on a photo that is turned by an angle. */
function reach({ width, height }, angle) {
  const [sine, cosine] = [Math.abs(Math.sin(radians(angle))), Math.abs(Math.cos(radians(angle)))];
  return { x: (width * cosine + height * sine) / 2, y: (width * sine + height * cosine) / 2 };
}

/**
 * Returns the nearest number within two limits; the lower one where they cross.
 *
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export const between = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));

/**
 * Returns the largest frame with the same proportions, at most as large as the one given and as near to it as can be,
 * that shows nothing beyond the photo.
 *
 * @param {Frame} frame
 * @param {number} angle by which the photo is turned, in degrees
 * @param {Size} size of the photo
 * @returns {Frame}
 */
export function fitted(frame, angle, size) {
  const wanted = reach(frame, angle);
  const scale = Math.min(1, size.width / 2 / wanted.x, size.height / 2 / wanted.y);
  const { x, y } = reach({ width: frame.width * scale, height: frame.height * scale }, angle);
  return {
    x: between(frame.x, x, size.width - x),
    y: between(frame.y, y, size.height - y),
    width: frame.width * scale,
    height: frame.height * scale,
  };
}

/**
 * Returns the largest frame of some proportions about the middle of another one.
 *
 * @param {Frame} frame
 * @param {number} aspect width / height
 * @param {number} angle
 * @param {Size} size of the photo
 * @returns {Frame}
 */
export function shaped({ x, y, width, height }, aspect, angle, size) {
  const longer = Math.max(width, height);
  const sides = aspect > 1 ? { width: longer, height: longer / aspect } : { width: longer * aspect, height: longer };
  return fitted({ x, y, ...sides }, angle, size);
}

/**
 * Returns the frame after the photo behind it has been moved and enlarged.
 *
 * @param {Frame} frame
 * @param {{dx: number, dy: number, factor: number, at: Point}} step how far the photo moves along the frame's sides, and
 *   the factor by which it grows about a point, given from the frame's middle
 * @param {number} angle
 * @param {Size} size of the photo
 * @returns {Frame}
 */
export function moved(frame, { dx, dy, factor, at }, angle, size) {
  const least = Math.min(1, smallest / Math.min(frame.width, frame.height));
  const scale = Math.max(1 / factor, least);
  // The point under the fingers stays where it is.
  const shift = turned({ x: at.x * (1 - scale) - dx * scale, y: at.y * (1 - scale) - dy * scale }, -angle);
  const next = {
    x: frame.x + shift.x,
    y: frame.y + shift.y,
    width: frame.width * scale,
    height: frame.height * scale,
  };
  return fitted(next, angle, size);
}

/**
 * Returns the frame after one of its handles has been dragged, as far as the photo and the smallest frame allow.
 *
 * @param {Frame} frame as it was when the finger came down
 * @param {{across: -1 | 0 | 1, down: -1 | 0 | 1}} handle the sides that it moves
 * @param {Point} way from where the finger came down, along the frame's sides
 * @param {number | null} aspect width / height to keep
 * @param {number} angle
 * @param {Size} size of the photo
 * @returns {Frame}
 */
export function stretched(frame, handle, way, aspect, angle, size) {
  const at = (share) => withEdges(frame, edgesAfter(frame, handle, { x: way.x * share, y: way.y * share }, aspect), angle);
  if (isWithin(at(1), angle, size)) return at(1);
  let [reached, beyond] = [0, 1];
  for (let step = 0; step < halvings; step += 1) {
    const share = (reached + beyond) / 2;
    if (isWithin(at(share), angle, size)) reached = share;
    else beyond = share;
  }
  return at(reached);
}

/** @returns {Edges} */
function edgesAfter({ width, height }, { across, down }, way, aspect) {
  const edges = { left: -width / 2, right: width / 2, top: -height / 2, bottom: height / 2 };
  if (across < 0) edges.left += way.x;
  if (across > 0) edges.right += way.x;
  if (down < 0) edges.top += way.y;
  if (down > 0) edges.bottom += way.y;
  if (aspect === null) return edges;
  // The side that the finger has moved more decides, and the opposite corner or side stays.
  const [wide, high] = [edges.right - edges.left, edges.bottom - edges.top];
  const isByWidth = across !== 0 && (down === 0 || wide / width > high / height);
  const sides = isByWidth ? { width: wide, height: wide / aspect } : { width: high * aspect, height: high };
  const spread = (direction, side, low, top) => {
    if (direction < 0) return [top - side, top];
    if (direction > 0) return [low, low + side];
    return [-side / 2, side / 2];
  };
  const [left, right] = spread(across, sides.width, edges.left, edges.right);
  const [top, bottom] = spread(down, sides.height, edges.top, edges.bottom);
  return { left, right, top, bottom };
}

/** @returns {Frame} */
function withEdges(frame, { left, right, top, bottom }, angle) {
  const shift = turned({ x: (left + right) / 2, y: (top + bottom) / 2 }, -angle);
  return { x: frame.x + shift.x, y: frame.y + shift.y, width: right - left, height: bottom - top };
}

function isWithin(frame, angle, size) {
  const { x, y } = reach(frame, angle);
  const slack = 1e-9;
  return (
    Math.min(frame.width, frame.height) >= Math.min(smallest, size.width, size.height) - slack &&
    frame.x - x >= -slack && frame.x + x <= size.width + slack &&
    frame.y - y >= -slack && frame.y + y <= size.height + slack
  );
}
