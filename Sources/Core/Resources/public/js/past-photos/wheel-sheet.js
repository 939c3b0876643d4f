import { element } from "../web/element.js";
import { scrollBehavior } from "../web/motion.js";

/** Rows by which Page Up and Page Down move. */
const page = 10;

/** Milliseconds without a movement after which the wheel rests, and within which digits belong together. */
const rest = 120;
const typing = 1_200;

let made = 0;

/** A sheet with a wheel of choices, which is turned by finger, mouse wheel, keys or typed digits. */
export class WheelSheet {
  #dialog;
  #list;
  #index = 0;
  #choose;
  #timer;
  #typed = { digits: "", at: 0 };

  /** @param {string} title @param {string[]} choices */
  constructor(title, choices) {
    const id = `wheel-${++made}`;
    const rows = choices.map((text, index) => {
      const row = element("li", { id: `${id}-${index}`, role: "option", "aria-selected": "false" }, text);
      row.dataset.index = String(index);
      return row;
    });
    this.#list = element("ul", { role: "listbox", tabIndex: 0, "aria-label": title }, ...rows);
    const done = element("button", { class: "button primary", type: "button" }, "Done");
    const heading = element("h2", { id: `${id}-title` }, title);
    const window = element("div", { class: "wheel-window" }, this.#list);
    this.#dialog = element("dialog", { class: "sheet wheel", "aria-labelledby": heading.id });
    this.#dialog.append(heading, window, done);
    document.body.append(this.#dialog);
    done.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("close", () => this.#settle());
    this.#dialog.addEventListener("click", ({ target }) => target === this.#dialog && this.#dialog.close());
    this.#list.addEventListener("scroll", () => this.#follow(), { passive: true });
    this.#list.addEventListener("keydown", (event) => this.#press(event));
    this.#list.addEventListener("click", ({ target }) => this.#tap(target));
  }

  /** @param {number} index what is chosen @param {(index: number) => void} choose gets each new choice */
  open(index, choose) {
    this.#choose = choose;
    this.#dialog.showModal();
    this.#turn(index, "instant");
    this.#list.focus();
  }

  remove() {
    clearTimeout(this.#timer);
    this.#dialog.remove();
  }

  get #rowHeight() {
    return this.#list.querySelector("li").offsetHeight;
  }

  #mark(index) {
    this.#list.children[this.#index].setAttribute("aria-selected", "false");
    this.#index = Math.max(0, Math.min(this.#list.children.length - 1, index));
    const row = this.#list.children[this.#index];
    row.setAttribute("aria-selected", "true");
    this.#list.setAttribute("aria-activedescendant", row.id);
  }

  #turn(index, behavior) {
    this.#mark(index);
    this.#list.scrollTo({ top: this.#index * this.#rowHeight, behavior });
  }

  #follow() {
    if (!this.#dialog.open) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), rest);
    this.#mark(Math.round(this.#list.scrollTop / this.#rowHeight));
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#choose(this.#index);
  }

  #tap(target) {
    const row = target.closest("li");
    if (row) this.#turn(Number(row.dataset.index), scrollBehavior());
    this.#settle();
  }

  #press(event) {
    const last = this.#list.children.length - 1;
    const index = this.#index;
    const aims = {
      ArrowUp: index - 1, ArrowDown: index + 1, PageUp: index - page, PageDown: index + page, Home: 0, End: last,
    };
    if (event.key === "Enter") {
      event.preventDefault(); // Otherwise the key would press the button that gets the focus back.
      this.#dialog.close();
    }
    const aim = /^\d$/.test(event.key) ? this.#find(event) : aims[event.key];
    if (aim === undefined) return;
    event.preventDefault();
    this.#turn(aim, "instant");
    this.#settle();
  }

  /** Finds the first choice that begins with the digits typed so far. */
  #find({ key, timeStamp }) {
    const isLater = timeStamp - this.#typed.at > typing || this.#typed.digits.length === 4;
    const digits = (isLater ? "" : this.#typed.digits) + key;
    const found = [...this.#list.children].findIndex((row) => row.textContent.startsWith(digits));
    this.#typed = { digits, at: timeStamp };
    return found < 0 ? undefined : found;
  }
}
