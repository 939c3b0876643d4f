import { element, icon } from "../web/element.js";

/** Pixels from the left edge that belong to the menu and the system, and pixels before a swipe has a direction. */
const edge = 28;
const slack = 8;

/** Pixels to the right from which a swipe replies, and how far a message follows at most. */
const far = 56;
const farthest = 84;

/**
 * A swipe to the right on a message, which replies to it: the message follows the finger, and an arrow shows when the
 * swipe is long enough.
 *
 * It uses touch events, since only they can keep a swipe from the side menu, which listens on the document.
 */
export class ReplySwipe {
  #reply;
  /** @type {{item: HTMLElement, x: number, y: number, follows: boolean, isFar: boolean} | null} */
  #drag = null;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {(item: HTMLElement) => void} reply
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, reply, signal) {
    this.#reply = reply;
    thread.addEventListener("touchstart", (event) => this.#begin(event), { signal, passive: true });
    thread.addEventListener("touchmove", (event) => this.#move(event), { signal, passive: false });
    for (const name of ["touchend", "touchcancel"]) {
      thread.addEventListener(name, ({ type }) => this.#end(type === "touchend"), { signal });
    }
  }

  #begin(event) {
    this.#end(false);
    const item = event.target.closest("li.message[data-id]:not(.event)");
    const [{ clientX: x, clientY: y }] = event.touches;
    if (!item || event.touches.length > 1 || x < edge) return;
    event.stopPropagation();
    this.#drag = { item, x, y, follows: false, isFar: false };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const [right, down] = [event.touches[0].clientX - drag.x, event.touches[0].clientY - drag.y];
    if (!drag.follows) {
      if (Math.hypot(right, down) < slack) return;
      if (right <= 2 * Math.abs(down) || !event.cancelable) {
        this.#drag = null;
        return;
      }
      drag.follows = true;
      drag.item.append(element("span", { class: "reply-sign" }, icon("reply")));
      drag.item.classList.add("swiped");
    }
    event.preventDefault();
    drag.item.style.translate = `${Math.min(farthest, Math.max(0, right))}px`;
    const isFar = right >= far;
    if (isFar && !drag.isFar) navigator.vibrate?.(8);
    drag.isFar = isFar;
    drag.item.toggleAttribute("data-far", isFar);
  }

  #end(isLetGo) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.follows) return;
    const { item, isFar } = drag;
    // The style sheet's transition brings it back from here.
    item.classList.remove("swiped");
    item.removeAttribute("data-far");
    item.style.removeProperty("translate");
    item.querySelector(".reply-sign")?.remove();
    if (isLetGo && isFar) this.#reply(item);
  }
}
