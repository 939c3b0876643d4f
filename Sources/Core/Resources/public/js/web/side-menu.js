import { Enhancement } from "./enhancement.js";
import { FingerSpeed } from "./finger-speed.js";

/** The part of the window, from its left edge, in which a swipe opens the menu. */
const reach = 1 / 3;

/**
 * Pixels from the left edge in which a swipe opens it even over what scrolls sideways, and pixels before a swipe
 * counts.
 */
const edge = 28;
const slack = 8;

/** Pixels a millisecond from which a flick decides, wherever the finger is. */
const flick = 0.3;

/**
 * `<side-menu>` around the menu's popover: a swipe that begins in the left third of the window pulls the menu out and a
 * swipe back closes it, both under the finger. The browser's popover handles its button, a tap outside, Escape and the
 * focus.
 *
 * It uses touch events, since only they can keep the browser from scrolling a carousel at the edge.
 */
class SideMenu extends Enhancement {
  #panel;
  /** @type {{x: number, y: number, from: number, follows: boolean, speed: FingerSpeed} | null} */
  #drag = null;

  enhance(signal) {
    this.#panel = this.querySelector("[popover]");
    const [begin, move] = [(event) => this.#begin(event), (event) => this.#move(event)];
    document.addEventListener("touchstart", begin, { signal, passive: true });
    document.addEventListener("touchmove", move, { signal, passive: false });
    document.addEventListener("touchend", (event) => this.#end(event), { signal });
    document.addEventListener("touchcancel", (event) => this.#end(event), { signal });
  }

  get #isOpen() {
    return this.#panel.matches(":popover-open");
  }

  #begin({ target, touches }) {
    const [{ clientX: x, clientY: y }] = touches;
    // In a wide window the menu is part of the rail.
    const isMenu = getComputedStyle(this.#panel).display !== "contents";
    const mayOpen = x < edge || (x < innerWidth * reach && !movesSideways(target));
    const may = isMenu && touches.length === 1 && (this.#isOpen || mayOpen);
    const cover = document.querySelector("dialog:modal, :popover-open");
    const isCovered = cover && cover !== this.#panel;
    this.#drag = may && !isCovered ? { x, y, from: 0, follows: false, speed: new FingerSpeed() } : null;
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const { clientX, clientY } = event.touches[0];
    const [right, down] = [clientX - drag.x, clientY - drag.y];
    if (!drag.follows) {
      if (Math.hypot(right, down) < slack) return;
      const isTowards = this.#isOpen ? right < 0 : right > 0;
      if (!isTowards || Math.abs(down) > Math.abs(right) || !event.cancelable) {
        this.#drag = null;
        return;
      }
      this.#pickUp(drag);
    }
    event.preventDefault();
    drag.speed.add({ x: clientX, y: clientY, time: event.timeStamp });
    this.#follow(drag.from + right);
  }

  #pickUp(drag) {
    drag.follows = true;
    const wasOpen = this.#isOpen;
    this.#panel.classList.add("dragging");
    this.#panel.style.transition = "none";
    if (!wasOpen) this.#panel.showPopover();
    drag.from = wasOpen ? 0 : -this.#panel.offsetWidth;
  }

  /** @param {number} x the position of the panel's left edge, from minus its width to 0 */
  #follow(x) {
    const width = this.#panel.offsetWidth;
    const place = Math.min(0, Math.max(-width, x));
    this.#panel.style.transform = `translateX(${place}px)`;
    this.#panel.style.setProperty("--reveal", 1 + place / width);
  }

  #end({ timeStamp }) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.follows) return;
    const reveal = Number(this.#panel.style.getPropertyValue("--reveal"));
    const { vx } = drag.speed.at(timeStamp);
    const stays = Math.abs(vx) > flick ? vx > 0 : reveal > 0.5;
    this.#panel.classList.remove("dragging");
    // The style sheet's transition goes on from where the finger let go.
    for (const property of ["transition", "transform", "--reveal"]) {
      this.#panel.style.removeProperty(property);
    }
    if (!stays) this.#panel.hidePopover();
  }
}

/**
 * Returns whether a sideways swipe belongs to the element that it begins on: a text field or slider, something that
 * scrolls sideways, or an element with a `touch-action` without `pan-x`, which a script handles.
 */
function movesSideways(target) {
  if (target.closest("input:not([type=checkbox], [type=radio], [type=file]), textarea, select")) return true;
  for (let part = target; part && part !== document.body; part = part.parentElement) {
    const { touchAction, overflowX } = getComputedStyle(part);
    const isOwn = !["auto", "manipulation"].includes(touchAction) && !touchAction.includes("pan-x");
    const scrolls = ["auto", "scroll"].includes(overflowX) && part.scrollWidth > part.clientWidth;
    if (isOwn || scrolls) return true;
  }
  return false;
}

customElements.define("side-menu", SideMenu);
