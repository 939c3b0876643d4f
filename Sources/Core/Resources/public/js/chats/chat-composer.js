import { kindOf } from "../photos/upload.js";
import { request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { isSendKey, stayAboveKeyboard } from "../web/keyboard.js";
import { AnswerBar } from "./answer-bar.js";
import { ComposerTray } from "./composer-tray.js";
import { PhotosSheet } from "./photos-sheet.js";
import { write } from "./writing.js";

/** Milliseconds between two reports that the person is typing. */
const typingPause = 3_000;

/** `<chat-composer data-chat>` around the form: gives text and photos to the outbox, and keeps the draft. */
class ChatComposer extends Enhancement {
  #form;
  #draft;
  #typedAt = 0;
  #adding = Promise.resolve();
  /** @type {ComposerTray} */
  #tray;
  /** @type {AnswerBar} */
  #answer;
  #onkept = async () => {}; // follows when the outbox has what was sent

  enhance(signal) {
    const { chat } = this.dataset;
    this.#form = this.querySelector("form");
    this.#draft = new Draft(`chat:${chat}`);
    if (!this.#field.value) this.#field.value = this.#draft.read()?.text ?? "";
    this.#grow();
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#field.addEventListener("input", () => this.#type(), { signal });
    this.#field.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.#tray = new ComposerTray(this.querySelector("[data-tray]"));
    const sheet = new PhotosSheet(
      this.querySelector(".photos-sheet"),
      (photos) => {
        this.#tray.addPhotos(photos);
        this.#field.focus();
      },
      signal,
    );
    const choose = ({ target }) => {
      if (target.type !== "file") return;
      this.#tray.addFiles(target.files, kindOf(target));
      target.value = "";
      sheet.close();
      this.#field.focus();
    };
    this.addEventListener("change", choose, { signal });
    const main = this.closest("main");
    const { name } = main.querySelector("chat-thread").dataset;
    const bar = this.querySelector("[data-answering]");
    this.#answer = new AnswerBar(bar, name, () => this.#field.focus(), signal);
    const answer = ({ detail }) => {
      this.#answer.show(detail);
      this.#field.focus();
    };
    main.addEventListener("message-reply", answer, { signal });
    document.addEventListener("paste", (event) => this.#paste(event), { signal });
    stayAboveKeyboard(main, signal);
    if (new URLSearchParams(location.search).has("shared")) this.#takeArrival();
  }

  async #takeArrival() {
    this.#onkept = await (await import("./arrival.js")).takeArrival(this.#tray, this.#field);
  }

  get #field() {
    return this.#form.elements.text;
  }

  #press(event) {
    if (!isSendKey(event)) return;
    event.preventDefault();
    this.#form.requestSubmit();
  }

  #type() {
    this.#grow();
    if (this.#field.value) this.#draft.keep({ text: this.#field.value });
    else this.#draft.clear();
    if (!this.#field.value || Date.now() - this.#typedAt < typingPause) return;
    this.#typedAt = Date.now();
    // A late report would be worth nothing, so it isn't sent again.
    request("POST", `/api/v1/chats/${this.dataset.chat}/typing`).catch(() => {});
  }

  #grow() {
    this.#field.style.blockSize = "auto";
    if (this.#field.value) this.#field.style.blockSize = `${this.#field.scrollHeight + 2}px`;
  }

  #paste(event) {
    const images = [...event.clipboardData.files].filter((file) => file.type.startsWith("image/"));
    if (images.length === 0) return;
    event.preventDefault();
    this.#tray.addFiles(images);
  }

  #submit(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (!text && this.#tray.isEmpty) return this.#field.focus();
    const once = this.#form.elements.once?.checked ?? false;
    // It is never kept on the device, so it can't wait there.
    if (once && !this.#tray.isEmpty && !navigator.onLine) {
      return flash("Photos to be seen once need a network. Nothing was sent.", "error");
    }
    const photos = this.#tray.take();
    const quote = this.#answer.take();
    this.#field.value = "";
    this.#checkOnce(false);
    this.#grow();
    this.#typedAt = 0;
    this.#field.focus();
    // The next message waits for this one, so that the order is kept.
    this.#adding = this.#adding.then(() => this.#add(text, photos, once, quote));
  }

  /** Adds text and photos to the outbox; the quote goes with the first. Puts back what the outbox couldn't store. */
  async #add(text, photos, once, quote) {
    const { chat } = this.dataset;
    try {
      while (photos.length > 0) {
        await write({ chat, ...photos[0][1], once, ...answered(quote) });
        quote = null;
        photos.shift();
      }
      if (text) await write({ chat, text, ...answered(quote) });
      await this.#onkept();
    } catch {
      // The browser's own reasons (no room, a broken store) would mean nothing to a person.
      flash("Your browser couldn’t store this message, so it wasn’t sent. Free up some space and try again.", "error");
      this.#tray.giveBack(photos);
      if (quote) this.#answer.show(quote);
      if (photos.length > 0) this.#checkOnce(once);
      this.#field.value = [text, this.#field.value].filter(Boolean).join("\n");
      this.#grow();
    }
    // The draft changes only now, when the outbox has the message.
    if (this.#field.value) this.#draft.keep({ text: this.#field.value });
    else this.#draft.clear();
  }

  /** Checks or unchecks "view once". After a view-once photo the next one is an ordinary photo again. */
  #checkOnce(isOnce) {
    if (this.#form.elements.once) this.#form.elements.once.checked = isOnce;
  }
}

/** @param {import("./quote.js").Quote | null} quote of what a message answers */
function answered(quote) {
  if (!quote) return {};
  return quote.isSnap ? { snap: quote.id } : { reply: quote.id };
}

customElements.define("chat-composer", ChatComposer);
