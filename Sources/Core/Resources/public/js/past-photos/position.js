/** Where this device is, from the browser. */

/** Milliseconds that finding it may take. */
const patience = 15_000;

/** A position that is this many milliseconds old is still good. */
const oldest = 60_000;

const sentences = {
  denied: "Tintype can’t see your position. Allow location in your browser’s settings, or tap the map.",
  missing: "This browser can’t find your position here. Tap the map, or type coordinates.",
  unknown: "Your position could not be found. Try again in a moment, or tap the map.",
};

/** Why there is no position, in a sentence for a person. */
class PositionError extends Error {}

/**
 * The buttons "Use my position". Events: `found` (`detail` is the position), `failed` (`detail` is a sentence).
 */
export class PositionButtons extends EventTarget {
  #buttons;

  /** @param {Iterable<HTMLElement>} buttons @param {AbortSignal} signal */
  constructor(buttons, signal) {
    super();
    this.#buttons = [...buttons];
    for (const button of this.#buttons) button.addEventListener("click", () => this.find(), { signal });
  }

  /** Asks the browser, which may ask the person. */
  async find() {
    this.#showBusy(true);
    try {
      this.dispatchEvent(new CustomEvent("found", { detail: await findPosition() }));
    } catch (error) {
      if (!(error instanceof PositionError)) throw error;
      this.dispatchEvent(new CustomEvent("failed", { detail: error.message }));
    } finally {
      this.#showBusy(false);
    }
  }

  /** Finds the position if that needs no question. */
  async findIfAllowed() {
    if (await isPositionAllowed()) await this.find();
  }

  #showBusy(isBusy) {
    for (const button of this.#buttons) button.ariaBusy = isBusy ? "true" : null;
  }
}

/** Whether the person has already allowed it, so that asking shows no question. */
async function isPositionAllowed() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false; // Browsers that can't tell ask when the button is pressed.
  }
}

/**
 * Asks the browser for the device's position.
 *
 * @returns {Promise<{latitude: number, longitude: number}>}
 * @throws {PositionError}
 */
async function findPosition() {
  if (!navigator.geolocation) throw new PositionError(sentences.missing);
  const options = { enableHighAccuracy: true, timeout: patience, maximumAge: oldest };
  try {
    const { coords } = await new Promise((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(resolve, reject, options),
    );
    return { latitude: coords.latitude, longitude: coords.longitude };
  } catch ({ code }) {
    throw new PositionError(code === 1 ? sentences.denied : sentences.unknown);
  }
}
