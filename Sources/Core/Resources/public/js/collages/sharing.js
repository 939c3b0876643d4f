import { picture as pictureAt, shareMenu } from "../photos/paths.js";
import { fragment } from "../web/api.js";
import { element } from "../web/element.js";

/**
 * The sharing of the collage: it flies off, the server renders its picture into the library, and a sheet opens with the
 * actions for that picture. The collage comes back when the sheet closes.
 */
export class Sharing {
  #sheet;
  #tools;
  #isBusy = false;

  /**
   * @param {HTMLElement} sheet with `[data-made]` for the picture and its menu
   * @param {object} tools `collage`, `drawing`, `note` and `swiping`
   */
  constructor(sheet, tools) {
    this.#sheet = sheet;
    this.#tools = tools;
  }

  /** @param {{vx: number, vy: number}} [speed] at which the collage was swiped away */
  async share(speed) {
    if (this.#isBusy) return;
    const { collage, note, swiping } = this.#tools;
    // A finished collage has its picture already, even if a person has left since.
    if (collage.rights.isOpen && collage.emptyCells.length > 0) return this.#refuse();
    this.#isBusy = true;
    try {
      note.keep("Making the picture…");
      const [photo] = await Promise.all([collage.finish(), swiping.flyOff(speed)]);
      const menu = await fragment(shareMenu(photo.id), "list");
      note.say("Saved to your library.");
      await this.#show(photo, menu);
    } catch (error) {
      note.say(error.message);
    } finally {
      this.#isBusy = false;
      await swiping.comeBack();
    }
  }

  /** Says which cells are still empty, without sending anything. */
  #refuse() {
    const { collage, drawing, note, swiping } = this.#tools;
    drawing.alarm(collage.emptyCells);
    note.say(sentence(collage.emptyCells));
    return swiping.comeBack();
  }

  /** Opens the sheet, and waits until it is closed. */
  async #show({ id }, menu) {
    const sheet = this.#sheet;
    const picture = element("img", { src: pictureAt(id, "medium"), width: 96, height: 96, alt: "Your collage" });
    sheet.querySelector("[data-made]").replaceChildren(picture, menu);
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
}

/** @param {number[]} empty indices of cells */
function sentence(empty) {
  const numbers = empty.map((index) => index + 1);
  if (numbers.length === 1) return `Cell ${numbers[0]} is empty. Fill it first.`;
  const list = `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
  return `Cells ${list} are empty. Fill them first.`;
}
