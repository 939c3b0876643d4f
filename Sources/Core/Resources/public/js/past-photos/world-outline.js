/** The map's background without tiles, or when they can't be loaded: the outline of the world, and a grid. */

import { element } from "../web/element.js";

const address = new URL("../../map/world.json", import.meta.url);

/**
 * Adds a grid, so that even an empty map is seen to move, and the outline of the world.
 *
 * @param {object} L Leaflet
 * @param {object} map
 */
export function addPlainGround(L, map) {
  const squares = L.gridLayer();
  squares.createTile = () => element("div", { class: "square" });
  squares.addTo(map);
  // Without the outline, the pins still show where the photos were taken.
  addOutline(L, map).catch((error) => console.warn(error));
}

/** Adds land and borders (Natural Earth), and copies of them beyond the 180th meridian once the map shows it. */
async function addOutline(L, map) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The outline of the world answers ${response.status}.`);
  const { scale, land, borders } = await response.json();
  const drawn = new Set();
  const draw = (turn) => {
    if (drawn.has(turn)) return;
    drawn.add(turn);
    const options = { interactive: false, pane: "tilePane" };
    L.polygon(land.map((line) => points(line, scale, turn)), { ...options, className: "land" }).addTo(map);
    L.polyline(borders.map((line) => points(line, scale, turn)), { ...options, className: "borders" }).addTo(map);
  };
  const look = () => {
    const bounds = map.getBounds();
    if (bounds.getWest() < -180) draw(-360);
    if (bounds.getEast() > 180) draw(360);
  };
  draw(0);
  look();
  map.on("moveend", look);
}

/** Returns the latitudes and longitudes of a line that is stored as a first point and steps. */
function points(line, scale, turn) {
  const found = [];
  for (let [index, x, y] = [0, 0, 0]; index < line.length; index += 2) {
    x += line[index];
    y += line[index + 1];
    found.push([y / scale, x / scale + turn]);
  }
  return found;
}
