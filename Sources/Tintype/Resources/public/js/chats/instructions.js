import { element } from "../web/element.js";

const name = "tintype-chat-instructions";

/**
 * Says once, in the first conversation somebody opens in this browser, what can be done in it.
 *
 * @param {HTMLElement} list of the messages
 */
export function showInstructions(list) {
  try {
    if (localStorage.getItem(name)) return;
    localStorage.setItem(name, "shown");
  } catch {
    return; // Nothing can be remembered here, and every time would be too often.
  }
  const words = "Double tap a photo to save it to your library. Tap it or slide it left to zoom. Hold a message for more.";
  const done = element("button", { class: "button small", type: "button" }, "Got it");
  const box = element("li", { class: "instructions", "data-instructions": "" }, element("p", {}, words), done);
  done.addEventListener("click", () => box.remove());
  list.prepend(box);
}
