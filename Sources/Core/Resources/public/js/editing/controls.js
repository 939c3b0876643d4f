import { element, icon } from "../web/element.js";

/**
 * Returns a share in words.
 *
 * @param {number} share
 */
export const percent = (share) => `${Math.round(share * 100)}%`;

/**
 * Makes a slider with its name and its value in words.
 *
 * @param {string} name
 * @param {{min: number, max: number, step: number}} range
 * @param {(value: number) => string} inWords
 * @param {{input: (value: number) => void, change: () => void}} actions while it moves, and when it is let go
 */
export function slider(name, { min, max, step }, inWords, actions) {
  const input = element("input", { type: "range", min: String(min), max: String(max), step: String(step) });
  const output = element("output");
  const root = element("label", { class: "slider" }, element("span", {}, name), input, output);
  const say = () => {
    output.textContent = inWords(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.oninput = () => {
    actions.input(Number(input.value));
    say();
  };
  input.onchange = actions.change;
  return {
    root,
    /** @param {number} value */
    show(value) {
      input.value = String(value);
      say();
    },
  };
}

/**
 * Makes sliders for a place on the photo, for those who can't drag: screen readers on phones send no arrow keys.
 *
 * @param {string} what is moved: "Text"
 * @param {{input: (place: {x: number} | {y: number}) => void, change: () => void}} actions as of a slider; the place is in
 *   the photo's units
 */
export function placeSliders(what, { input, change }) {
  const range = { min: 0, max: 1, step: 0.01 };
  let photo = { width: 1, height: 1 };
  const across = slider(`${what} across`, range, percent, { input: (x) => input({ x: x * photo.width }), change });
  const down = slider(`${what} down`, range, percent, { input: (y) => input({ y: y * photo.height }), change });
  return {
    sliders: [across.root, down.root],
    /**
     * @param {{x: number, y: number}} place
     * @param {{width: number, height: number}} size of the photo
     */
    show({ x, y }, size) {
      photo = size;
      across.show(x / photo.width);
      down.show(y / photo.height);
    },
  };
}

/**
 * Makes a group of choices, of which one is chosen.
 *
 * @param {string} name of the group
 * @param {{name: string, content?: Node}[]} choices
 * @param {(name: string) => void} choose
 */
export function choiceOf(name, choices, choose) {
  const group = crypto.randomUUID();
  const root = element("fieldset", { class: "segments" }, element("legend", { class: "unseen" }, name));
  for (const { name: value, content = element("span", {}, value) } of choices) {
    const input = element("input", { class: "cover", type: "radio", name: group, value, "aria-label": value });
    root.append(element("label", {}, input, content));
  }
  root.addEventListener("change", ({ target }) => choose(/** @type {HTMLInputElement} */ (target).value));
  return {
    root,
    /** @param {string | undefined} value */
    show(value) {
      for (const input of root.querySelectorAll("input")) input.checked = input.value === value;
    },
  };
}

/**
 * Makes a choice of colours.
 *
 * @param {readonly {name: string, value: string}[]} colours
 * @param {(value: string) => void} choose
 */
export function colourChoice(colours, choose) {
  const choices = colours.map(({ name, value }) => {
    const content = element("span", { class: "swatch" });
    content.style.backgroundColor = value;
    return { name, content };
  });
  const choice = choiceOf("Colour", choices, (name) => choose(colours.find((one) => one.name === name).value));
  choice.root.classList.add("colours");
  return { root: choice.root, show: (value) => choice.show(colours.find((one) => one.value === value)?.name) };
}

/**
 * Makes a button with a symbol.
 *
 * @param {string} symbol
 * @param {string} name
 * @param {() => void} press
 */
export function symbolButton(symbol, name, press) {
  const button = element("button", { type: "button", class: "symbol", "aria-label": name, title: name }, icon(symbol));
  button.onclick = press;
  return button;
}

/**
 * Makes a button with a symbol and a word under it.
 *
 * @param {string} symbol
 * @param {string} word
 * @param {string} name which begins with the word
 * @param {() => void} press
 */
export function captionedButton(symbol, word, name, press) {
  const caption = element("span", {}, word);
  const button = element("button", { type: "button", class: "captioned", "aria-label": name }, icon(symbol), caption);
  button.onclick = press;
  return button;
}

/**
 * Makes a button with a word, and perhaps a symbol before it.
 *
 * @param {string} word
 * @param {() => void} press
 * @param {string} [symbol]
 */
export function wordButton(word, press, symbol) {
  const button = element("button", { type: "button", class: "chip" }, ...(symbol ? [icon(symbol)] : []), word);
  button.onclick = press;
  return button;
}
