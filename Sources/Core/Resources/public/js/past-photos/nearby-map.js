import { element } from "../web/element.js";
import { prefersStillness } from "../web/motion.js";
import { pin } from "./pin.js";
import { distance } from "./words.js";
import { addPlainGround } from "./world-outline.js";

/** Leaflet, from the operator's package. Where that isn't installed, the address answers 404. */
const library = new URL("../../vendor/leaflet.js", import.meta.url).href;

/** The zoom beyond which the outline of the world is too coarse. */
const closest = 7;

/**
 * The map: the person's position with the radius around it, and a pin for each photo. Events: `place` (`detail` is a
 * position that was tapped), `pin` (`detail` is the photo's index).
 */
export class NearbyMap extends EventTarget {
  #L;
  #map;
  #place;
  #circle;
  #radius;
  #pins = [];
  #current = -1;

  /**
   * Opens a map in a frame.
   *
   * @throws when Leaflet can't be loaded
   */
  static async open(frame, signal) {
    const loaded = await import(library);
    return new NearbyMap(loaded.map ? loaded : globalThis.L, frame, signal);
  }

  constructor(L, frame, signal) {
    super();
    this.#L = L;
    const moves = !prefersStillness();
    const ground = frame.querySelector("[data-ground]");
    this.#map = L.map(ground, {
      zoomControl: false, attributionControl: false, worldCopyJump: true, zoomSnap: 0.5,
      maxBounds: [[-84, -100_000], [84, 100_000]], maxBoundsViscosity: 1,
      minZoom: Math.max(0, Math.log2(ground.clientWidth / 512)), maxZoom: 18,
      zoomAnimation: moves, fadeAnimation: moves, markerZoomAnimation: moves, inertia: moves,
      tap: false, // The browser's own clicks are enough. Leaflet's come twice in Safari.
    }).setView([30, 10], 1);
    L.control.scale({ imperial: false, position: "bottomleft" }).addTo(this.#map);
    this.#addGround(ground, frame.dataset.tiles);
    this.#map.on("click", ({ latlng }) => this.#set(latlng));
    this.#map.on("zoomend", () => this.#lookClose(ground));
    // Leaflet sets the focus by script, and browsers then show a focus ring even after a tap.
    ground.addEventListener("keyup", () => frame.toggleAttribute("data-keys", true), { signal });
    ground.addEventListener("pointerdown", () => frame.toggleAttribute("data-keys", false), { signal });
    const press = (name, action) =>
      frame.querySelector(`[data-${name}]`).addEventListener("click", action, { signal });
    press("zoom-in", () => this.#map.zoomIn());
    press("zoom-out", () => this.#map.zoomOut());
    press("set-here", () => this.#set(this.#map.getCenter()));
    const sizes = new ResizeObserver(() => this.#map.invalidateSize({ pan: false }));
    sizes.observe(ground);
    signal.addEventListener("abort", () => {
      sizes.disconnect();
      this.#map.remove();
    });
  }

  /**
   * Shows the position and the area of a search. Moves the map there if the radius has changed, or the position isn't
   * visible.
   *
   * @param {{latitude: number, longitude: number} | null} position
   * @param {number} kilometres
   */
  showPosition(position, kilometres) {
    this.#place?.remove();
    this.#circle?.remove();
    if (!position) return;
    const at = [position.latitude, position.longitude];
    const icon = this.#L.divIcon({ className: "place", iconSize: [44, 44] });
    this.#circle = this.#L.circle(at, { radius: kilometres * 1000, interactive: false, className: "reach" });
    this.#place = this.#L.marker(at, { icon, interactive: false, keyboard: false, zIndexOffset: -1000 });
    this.#circle.addTo(this.#map);
    this.#place.addTo(this.#map);
    const isSeen = this.#radius === kilometres && this.#map.getBounds().contains(at);
    this.#radius = kilometres;
    if (!isSeen) this.fit();
  }

  /** Moves the map so that the position is in the middle and the radius fills it. */
  fit() {
    const bounds = this.#circle?.getBounds();
    if (bounds) this.#map.fitBounds(bounds, { padding: [12, 12], maxZoom: 17 });
  }

  /**
   * Sets a pin for each photo.
   *
   * @param {object[]} photos as the API describes them
   */
  showPhotos(photos) {
    for (const one of this.#pins) one.remove();
    this.#current = -1;
    this.#pins = photos.map((photo, index) => this.#pin(photo, index));
  }

  /** Marks the pin of the chosen photo. */
  mark(index) {
    this.#dress(this.#current, false);
    this.#dress(index, true);
    this.#current = index;
  }

  /** Moves the map as little as needed to show a photo's pin. */
  reveal(index) {
    const marker = this.#pins[index];
    // While the map still glides from a drag, what is in sight now may soon not be.
    if (marker) this.#map.stop().panInside(marker.getLatLng(), { padding: [36, 44] });
  }

  #pin(photo, index) {
    const html = element("span", {}, pin());
    const icon = this.#L.divIcon({ className: "photo-pin", html, iconSize: [44, 44], iconAnchor: [22, 40] });
    const marker = this.#L.marker([photo.latitude, photo.longitude], { icon, keyboard: false });
    marker.addTo(this.#map);
    marker.on("click", () => this.dispatchEvent(new CustomEvent("pin", { detail: index })));
    const drawn = marker.getElement();
    drawn.role = "button";
    drawn.tabIndex = -1; // With the keyboard, photos are chosen in the row.
    drawn.ariaLabel = `Show the photo: ${photo.date}, ${distance(photo.distance_m)}`;
    return marker;
  }

  #dress(index, isCurrent) {
    const marker = this.#pins[index];
    marker?.getElement().classList.toggle("current", isCurrent);
    marker?.setZIndexOffset(isCurrent ? 2000 : 0);
  }

  #set(latlng) {
    const { lat, lng } = latlng.wrap();
    this.dispatchEvent(new CustomEvent("place", { detail: { latitude: lat, longitude: lng } }));
  }

  #addGround(ground, tiles) {
    const drawPlain = () => {
      ground.toggleAttribute("data-plain", true);
      addPlainGround(this.#L, this.#map);
    };
    if (!tiles) return drawPlain();
    const layer = this.#L.tileLayer(tiles, { maxZoom: 19 });
    // Servers of tiles want to know which site shows them. The site's name is enough.
    layer.on("tileloadstart", ({ tile }) => (tile.referrerPolicy = "origin"));
    layer.once("tileerror", drawPlain);
    layer.addTo(this.#map);
  }

  #lookClose(ground) {
    ground.toggleAttribute("data-close", this.#map.getZoom() >= closest);
  }
}
