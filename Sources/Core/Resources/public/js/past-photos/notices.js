import { element, icon } from "../web/element.js";

const symbols = { error: "exclamation-triangle", note: "info-circle" };

/** The alerts above the form, at most one of each kind. Each says what happened and what to do. */
export class Notices {
  #place;

  /** @param {HTMLElement} place @param {AbortSignal} signal */
  constructor(place, signal) {
    this.#place = place;
    place.addEventListener("click", ({ target }) => this.#dismiss(target), { signal });
  }

  /**
   * Shows an alert. If one of its kind is already shown, changes its text.
   *
   * @param {string} kind such as `network`
   * @param {string} text what happened and what to do
   * @param {{button?: HTMLElement, tone?: "error" | "note"}} options `button` does what the text proposes
   */
  say(kind, text, { button, tone = "error" } = {}) {
    const shown = this.#find(kind);
    if (shown) {
      shown.querySelector("p").textContent = text;
      return;
    }
    const dismiss = element("button", { class: "symbol", type: "button", "aria-label": "Dismiss" });
    dismiss.append(icon("x-lg"));
    const words = element("div", {}, element("p", {}, text), ...(button ? [button] : []));
    const notice = element("div", { class: "notice", "data-kind": kind, "data-tone": tone });
    notice.role = tone === "error" ? "alert" : "status";
    notice.append(icon(symbols[tone]), words, dismiss);
    this.#place.append(notice);
    notice.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} [kind] all, unless given */
  clear(kind) {
    if (kind) this.#find(kind)?.remove();
    else this.#place.replaceChildren();
  }

  #find(kind) {
    return this.#place.querySelector(`:scope > [data-kind="${kind}"]`);
  }

  #dismiss(target) {
    const notice = target.closest("[aria-label=Dismiss]")?.closest(".notice");
    if (!notice) return;
    notice.remove();
    document.querySelector("#nearby-form :is(button, summary)")?.focus({ preventScroll: true });
  }
}
