import { request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { outbox } from "./outbox.js";

/** Milliseconds between two signs that somebody is typing; photos at a time. */
const typingPause = 3_000;
const most = 10;

/** `<chat-composer data-chat>` around the form: text and photos go to the outbox, and the draft stays. */
class ChatComposer extends Enhancement {
  #form;
  #draft;
  #typedAt = 0;
  /** @type {Map<HTMLElement, File>} photos that go with the next message, by their place in the tray */
  #photos = new Map();

  enhance(signal) {
    const { chat } = this.dataset;
    this.#form = this.querySelector("form");
    this.#draft = new Draft(`chat:${chat}`);
    if (!this.#field.value) this.#field.value = this.#draft.read()?.text ?? "";
    this.#grow();
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#field.addEventListener("input", () => this.#type(), { signal });
    this.#field.addEventListener("keydown", (event) => this.#press(event), { signal });
    const choose = ({ target }) => {
      if (target.type !== "file") return;
      this.#add(target.files);
      target.value = "";
    };
    this.addEventListener("change", choose, { signal });
    document.addEventListener("paste", (event) => this.#paste(event), { signal });
  }

  get #field() {
    return this.#form.elements.text;
  }

  get #tray() {
    return this.querySelector("[data-tray]");
  }

  #press(event) {
    // With a real keyboard Enter sends; on a phone it makes a line.
    const sends = matchMedia("(hover: hover) and (pointer: fine)").matches || event.ctrlKey || event.metaKey;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !sends) return;
    event.preventDefault();
    this.#form.requestSubmit();
  }

  #type() {
    this.#grow();
    if (this.#field.value) this.#draft.keep({ text: this.#field.value });
    else this.#draft.clear();
    if (!this.#field.value || Date.now() - this.#typedAt < typingPause) return;
    this.#typedAt = Date.now();
    // Worth nothing later, so a failure is none.
    request("POST", `/api/v1/chats/${this.dataset.chat}/typing`).catch(() => {});
  }

  #grow() {
    this.#field.style.blockSize = "auto";
    if (this.#field.value) this.#field.style.blockSize = `${this.#field.scrollHeight + 2}px`;
  }

  #add(files) {
    for (const file of files) {
      if (this.#photos.size >= most) {
        flash(`${most} photos at a time.`, "error");
        return;
      }
      const remove = element("button", { type: "button", name: "cancel" }, "Remove");
      const picture = element("img", { src: URL.createObjectURL(file), alt: file.name });
      picture.onload = () => URL.revokeObjectURL(picture.src);
      // What the browser can't draw (HEIC) shows its name.
      picture.onerror = () => picture.removeAttribute("src");
      const item = element("li", { class: "upload" }, picture, remove);
      remove.onclick = () => {
        this.#photos.delete(item);
        item.remove();
      };
      this.#photos.set(item, file);
      this.#tray.append(item);
    }
    this.#field.focus();
  }

  #paste(event) {
    const images = [...event.clipboardData.files].filter((file) => file.type.startsWith("image/"));
    if (images.length === 0) return;
    event.preventDefault();
    this.#add(images);
  }

  async #submit(event) {
    event.preventDefault();
    const { chat } = this.dataset;
    const text = this.#field.value.trim();
    const files = [...this.#photos.values()];
    if (!text && files.length === 0) return this.#field.focus();
    const once = this.#form.elements.once?.checked ?? false;
    this.#field.value = "";
    this.#photos.clear();
    this.#tray.replaceChildren();
    this.#grow();
    for (const file of files) await outbox.add({ chat, file, once });
    if (text) await outbox.add({ chat, text });
    // Only now: the outbox has it.
    if (this.#field.value) this.#draft.keep({ text: this.#field.value });
    else this.#draft.clear();
    this.#typedAt = 0;
    this.#field.focus();
  }
}

customElements.define("chat-composer", ChatComposer);
