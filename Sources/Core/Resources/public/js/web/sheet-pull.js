import { FingerSpeed } from "./finger-speed.js";

/** Pixels before a pull has a direction, and pixels down after which letting go closes the sheet. */
const slack = 8;
const closing = 110;

/** Pixels a millisecond from which a flick closes, however far it went. */
const flick = 0.35;

/**
 * Lets every sheet (`.sheet`, a dialog or a popover) be closed by pulling it down. What scrolls inside scrolls first.
 *
 * It uses touch events, since only they can keep the browser from scrolling the content of the sheet.
 */
class SheetPull {
  /**
   * @type {{sheet: HTMLElement & Partial<HTMLDialogElement>, x: number, y: number, down: number, follows: boolean,
   *   speed: FingerSpeed} | null}
   */
  #pull = null;

  constructor() {
    document.addEventListener("touchstart", (event) => this.#begin(event), { passive: true });
    document.addEventListener("touchmove", (event) => this.#move(event), { passive: false });
    document.addEventListener("touchend", (event) => this.#end(event, true));
    document.addEventListener("touchcancel", (event) => this.#end(event, false));
  }

  #begin(event) {
    this.#end(event, false);
    const { target, touches } = event;
    const sheet = target.closest?.(".sheet:is([open], :popover-open)");
    if (!sheet || touches.length > 1 || isScrolled(target, sheet)) return;
    const { left, right, top, bottom } = sheet.getBoundingClientRect();
    const [{ clientX: x, clientY: y }] = touches;
    // A touch on the backdrop has the sheet as its target, too.
    if (x < left || x > right || y < top || y > bottom) return;
    this.#pull = { sheet, x, y, down: 0, follows: false, speed: new FingerSpeed() };
  }

  #move(event) {
    const pull = this.#pull;
    if (!pull) return;
    const { clientX, clientY } = event.touches[0];
    const [across, down] = [clientX - pull.x, clientY - pull.y];
    if (!pull.follows) {
      if (Math.hypot(across, down) < slack) return;
      if (down <= Math.abs(across) || !event.cancelable) {
        this.#pull = null;
        return;
      }
      pull.follows = true;
      pull.sheet.style.transition = "none";
    }
    event.preventDefault();
    pull.down = Math.max(0, down);
    pull.speed.add({ x: clientX, y: clientY, time: event.timeStamp });
    pull.sheet.style.transform = `translateY(${pull.down}px)`;
  }

  #end({ timeStamp }, isLetGo) {
    const pull = this.#pull;
    this.#pull = null;
    if (!pull?.follows) return;
    const { sheet, down, speed } = pull;
    const isFar = down > Math.min(closing, sheet.offsetHeight / 2);
    // The style sheet's transition goes on from where the finger let go.
    sheet.style.removeProperty("transition");
    sheet.style.removeProperty("transform");
    if (!isLetGo || (!isFar && speed.at(timeStamp).vy < flick)) return;
    if (sheet.matches("dialog")) sheet.close();
    else sheet.hidePopover();
  }
}

/** Returns whether an element from the touched one up to its sheet is scrolled down, or text is being selected. */
function isScrolled(target, sheet) {
  for (let part = target; part; part = part === sheet ? null : part.parentElement) {
    if (part.scrollTop > 0 || part.matches("input[type=range]")) return true;
  }
  return false;
}

new SheetPull();
document.documentElement.dataset.pull = "on";
