/** The ground of the map where no tiles are configured or they can't be loaded: the world's outline, and squares. */

import { element } from "../web/element.js";

const address = new URL("../../map/world.json", import.meta.url);

/**
 * Adds squares, by which one sees the map move where it is empty, and the outline.
 *
 * @param {object} L Leaflet
 * @param {object} map
 */
export function addPlainGround(L, map) {
  const squares = L.gridLayer();
  squares.createTile = () => element("div", { class: "square" });
  squares.addTo(map);
  // Without the outline, pins on plain ground still say where.
  addOutline(L, map).catch((error) => console.warn(error));
}

/** Adds land and borders (Natural Earth), and copies beyond the 180th meridian as soon as the map shows it. */
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

/** Latitudes and longitudes of a line whose first point is followed by steps. */
function points(line, scale, turn) {
  const found = [];
  for (let [index, x, y] = [0, 0, 0]; index < line.length; index += 2) {
    x += line[index];
    y += line[index + 1];
    found.push([y / scale, x / scale + turn]);
  }
  return found;
}
