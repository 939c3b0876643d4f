/**
 * The resolution that is asked of the camera.
 *
 * @typedef {object} Resolution
 * @property {number} width of the video asked for, in pixels, for a device held on its side
 * @property {number} height
 * @property {number} longestSide that a picture from the camera has at most
 */

/**
 * A resolution that is enough for a screen.
 *
 * @type {Resolution}
 */
const screenful = { width: 1920, height: 1440, longestSide: 2560 };

/** The reasons why there is no camera, as sentences to show. */
const reasons = {
  NotAllowedError: "Allow the camera for this page in your browser’s settings, or choose a picture.",
  NotFoundError: "This device has no camera. Choose a picture instead.",
  NotReadableError: "Another app is using the camera. Close it, or choose a picture.",
};

/** The camera of the device, shown in a `<video>`, front or back. */
export class Camera {
  /** @type {string} `environment`, `user`, or what else the browser calls it */
  facing = "environment";
  #video;
  #resolution;
  /** @type {MediaStream | null} */
  #stream = null;
  #isWanted = false;

  /**
   * @param {HTMLVideoElement} video
   * @param {Resolution} [resolution]
   */
  constructor(video, resolution = screenful) {
    this.#video = video;
    this.#resolution = resolution;
  }

  /**
   * Turns the camera on.
   *
   * @throws {Error} with a message to show, when there is no camera
   */
  async start() {
    this.#isWanted = true;
    if (!navigator.mediaDevices) throw new Error("The camera needs a secure connection (https). Choose a picture instead.");
    const { width, height } = this.#resolution;
    const wish = { facingMode: { ideal: this.facing }, width: { ideal: width }, height: { ideal: height } };
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false });
    } catch (error) {
      throw new Error(reasons[error.name] ?? "The camera isn’t responding. Choose a picture instead.");
    }
    this.#stop();
    // The page may have been left while the browser asked for permission.
    if (!this.#isWanted) return stream.getTracks().forEach((track) => track.stop());
    this.#stream = stream;
    this.facing = stream.getVideoTracks()[0].getSettings().facingMode ?? this.facing;
    this.#video.dataset.facing = this.facing;
    this.#video.srcObject = stream;
    await this.#video.play();
  }

  /** Switches between the front and the back camera. */
  async turn() {
    this.facing = this.facing === "user" ? "environment" : "user";
    this.stop();
    await this.start();
  }

  stop() {
    this.#isWanted = false;
    this.#stop();
  }

  #stop() {
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = null;
    this.#video.srcObject = null;
  }

  /**
   * Takes a picture as the person sees it: the part that the `<video>` shows, mirrored for the front camera.
   *
   * @returns {Promise<File>}
   */
  async shoot() {
    const { x, y, width, height } = this.#frame;
    const scale = Math.min(1, this.#resolution.longestSide / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (this.facing === "user") {
      context.translate(canvas.width, 0);
      context.scale(-1, 1);
    }
    context.drawImage(this.#video, x, y, width, height, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
    return new File([blob], "camera.jpg", { type: "image/jpeg" });
  }

  /** The part of what the camera sees that fills the `<video>` (`object-fit: cover`), in pixels of the camera. */
  get #frame() {
    const { videoWidth, videoHeight, clientWidth, clientHeight } = this.#video;
    const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
    const [width, height] = [clientWidth / scale, clientHeight / scale];
    return { x: (videoWidth - width) / 2, y: (videoHeight - height) / 2, width, height };
  }
}
