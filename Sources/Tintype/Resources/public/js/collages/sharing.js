import { fragment } from "../web/api.js";
import { copyText } from "../web/clipboard.js";
import { element } from "../web/element.js";
import { flash } from "../web/flash-message.js";

/**
 * Shares the collage: it flies off, the server renders the picture into the library, and the sheet opens with what can
 * be done with every photo there. The collage comes back when the sheet closes.
 */
export class Sharing {
  #sheet;
  #tools;
  #link = "";
  #isBusy = false;

  /**
   * @param {HTMLElement} sheet with `[data-made]` for the picture and its menu, and the button `[data-copy]`
   * @param {object} tools `collage`, `drawing`, `note` and `swiping`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, tools, signal) {
    this.#sheet = sheet;
    this.#tools = tools;
    sheet.querySelector("[data-copy]")?.addEventListener("click", () => this.#copy(), { signal });
  }

  /** @param {{vx: number, vy: number}} [speed] at which the collage was swiped away */
  async share(speed) {
    if (this.#isBusy) return;
    const { collage, note, swiping } = this.#tools;
    if (collage.emptyCells.length > 0) return this.#refuse();
    this.#isBusy = true;
    try {
      note.keep("Making the picture…");
      const [photo] = await Promise.all([collage.finish(), swiping.flyOff(speed)]);
      const menu = await fragment(`/library/${photo.id}/share`, "list");
      note.say("Saved to your library.");
      await this.#show(photo, menu);
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

  /** Opens the sheet. Ends when it is closed. */
  async #show({ id, url }, menu) {
    const sheet = this.#sheet;
    const picture = element("img", { src: `/photos/${id}/medium`, width: 96, height: 96, alt: "Your collage" });
    sheet.querySelector("[data-made]").replaceChildren(picture, menu);
    this.#link = url;
    sheet.showPopover();
    await new Promise((resolve) => {
      const close = ({ newState }) => {
        if (newState !== "closed") return;
        sheet.removeEventListener("toggle", close);
        resolve();
      };
      sheet.addEventListener("toggle", close);
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

/** @param {number[]} empty indices of cells */
function sentence(empty) {
  const numbers = empty.map((index) => index + 1);
  if (numbers.length === 1) return `Cell ${numbers[0]} is empty. Fill it first.`;
  const list = `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
  return `Cells ${list} are empty. Fill them first.`;
}
