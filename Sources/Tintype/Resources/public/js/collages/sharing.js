import { copyText } from "../web/clipboard.js";
import { flash } from "../web/flash-message.js";

/**
 * Shares the collage: it flies off, the server renders the picture, the phone's share sheet opens with the file, or our
 * own where there is none; and the collage comes back when that closes.
 */
export class Sharing {
  #sheet;
  #tools;
  /**
   * The picture as a file, for the button that hands it to another app.
   *
   * @type {File | null}
   */
  #file = null;
  #link = "";
  #isBusy = false;

  /**
   * @param {HTMLElement} sheet our own: links `data-save`, `data-post`, `data-snap`, `data-send`, buttons `data-copy`
   *   and `data-app`
   * @param {object} tools `collage`, `drawing`, `note` and `swiping`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, tools, signal) {
    this.#sheet = sheet;
    this.#tools = tools;
    const listen = (name, action) => {
      sheet.querySelector(name)?.addEventListener("click", action, { signal });
    };
    listen("[data-copy]", () => this.#copy());
    listen("[data-app]", async () => (await this.#offer()) === "shared" && sheet.hidePopover());
  }

  /** @param {{vx: number, vy: number}} [speed] at which the collage was swiped away */
  async share(speed) {
    if (this.#isBusy) return;
    const { collage, note, swiping } = this.#tools;
    if (collage.emptyCells.length > 0) return this.#refuse();
    this.#isBusy = true;
    try {
      note.say("Making the picture…");
      const [photo] = await Promise.all([collage.finish(), swiping.flyOff(speed)]);
      this.#file = await fileOf(photo);
      note.say("");
      await this.#handOver(photo);
    } catch (error) {
      note.say(error.message);
    } finally {
      this.#isBusy = false;
      await swiping.comeBack();
    }
  }

  /** Names the cells that are empty. Nothing is sent. */
  #refuse() {
    const { collage, drawing, note, swiping } = this.#tools;
    drawing.alarm(collage.emptyCells);
    note.say(sentence(collage.emptyCells));
    return swiping.comeBack();
  }

  async #handOver(photo) {
    // The browser may find the swipe too long ago to open the phone's sheet. Ours has a button for that.
    if ((await this.#offer()) === "impossible") await this.#showSheet(photo);
  }

  /**
   * Opens the phone's share sheet.
   *
   * @returns {Promise<"shared" | "closed" | "impossible">}
   */
  async #offer() {
    if (!this.#canOffer) return "impossible";
    try {
      await navigator.share({ files: [this.#file] });
      return "shared";
    } catch (error) {
      return error.name === "AbortError" ? "closed" : "impossible";
    }
  }

  get #canOffer() {
    return Boolean(this.#file && navigator.canShare?.({ files: [this.#file] }));
  }

  async #showSheet({ id, url }) {
    const fill = (name, properties) => Object.assign(this.#sheet.querySelector(name) ?? {}, properties);
    fill("[data-save]", { href: originalOf(id), download: this.#file?.name ?? "collage.jpg" });
    fill("[data-post]", { href: `/posts/new?photo=${id}` });
    fill("[data-snap]", { href: `/snaps/new/${id}` });
    fill("[data-send]", { href: `/collage/send/${id}` });
    fill("[data-app]", { hidden: !this.#canOffer });
    this.#link = url;
    this.#sheet.showPopover();
    await new Promise((resolve) => {
      const close = ({ newState }) => {
        if (newState !== "closed") return;
        this.#sheet.removeEventListener("toggle", close);
        resolve();
      };
      this.#sheet.addEventListener("toggle", close);
    });
  }

  async #copy() {
    try {
      await copyText(this.#link);
      flash("Link copied. Anyone who has it can see the picture.");
    } catch {
      flash(`This browser doesn’t allow copying. The link is ${this.#link}`, "error");
    }
  }
}

/** The picture in full size. */
function originalOf(photo) {
  return `/api/v1/photos/${photo}/original`;
}

/** The picture as a file, or none when it can't be fetched: our own sheet does without. */
async function fileOf({ id }) {
  try {
    const response = await fetch(originalOf(id));
    if (!response.ok) return null;
    const bytes = await response.blob();
    const kind = bytes.type.split("/")[1]?.replace("jpeg", "jpg");
    return new File([bytes], `collage.${kind}`, { type: bytes.type });
  } catch {
    return null;
  }
}

/** @param {number[]} empty indices of cells */
function sentence(empty) {
  const numbers = empty.map((index) => index + 1);
  if (numbers.length === 1) return `Cell ${numbers[0]} is empty. Fill it first.`;
  const list = `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
  return `Cells ${list} are empty. Fill them first.`;
}
