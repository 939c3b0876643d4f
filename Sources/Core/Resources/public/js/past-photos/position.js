/** The position of this device, from the browser. */

/** Milliseconds that finding the position may take. */
const patience = 15_000;

/** Milliseconds for which an earlier position can be used. */
const oldest = 60_000;

const sentences = {
  denied: "Tintype can’t see your position. Allow location in your browser’s settings, or tap the map.",
  missing: "This browser can’t find your position here. Tap the map, or type coordinates.",
  unknown: "Your position could not be found. Try again in a moment, or tap the map.",
};

/** The reason why there is no position, as a sentence to show. */
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

  /** Finds the position if the browser needn't ask for permission. */
  async findIfAllowed() {
    if (await isPositionAllowed()) await this.find();
  }

  #showBusy(isBusy) {
    for (const button of this.#buttons) button.ariaBusy = isBusy ? "true" : null;
  }
}

/** Returns whether the person has already allowed the position, so that the browser won't ask. */
async function isPositionAllowed() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false; // A browser that can't say asks when the button is pressed.
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
