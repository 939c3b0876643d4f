import { coordinates } from "./words.js";

const names = ["latitude", "longitude", "from_year", "to_year", "radius_km"];

/** Decimals of a coordinate: 11 cm. */
const decimals = 6;

/**
 * What to search for: a position, two years that never cross, a radius. Events: `change` whenever one of them does,
 * `moved` before that when it is the position.
 */
export class NearbyForm extends EventTarget {
  #form;
  #fields;
  #position;

  /** @param {HTMLFormElement} form @param {AbortSignal} signal */
  constructor(form, signal) {
    super();
    this.#form = form;
    this.#fields = Object.fromEntries(names.map((name) => [name, form.elements[name]]));
    this.#position = form.querySelector("[data-position]");
    form.addEventListener("change", ({ target }) => this.#uncross(target), { signal });
    form.addEventListener("change", ({ target }) => this.#hear(target), { signal });
    form.addEventListener("paste", (event) => this.#paste(event), { signal });
  }

  /** What the fields hold, as text, finished or not. */
  get typed() {
    return Object.fromEntries(names.map((name) => [name, this.#fields[name].value]));
  }

  /** Fills the fields, without an event. A value that isn't among a field's choices is left out. */
  set typed(values) {
    for (const name of names) {
      const [field, before] = [this.#fields[name], this.#fields[name].value];
      if (values[name] !== undefined) field.value = String(values[name]);
      if (field.matches("select") && field.selectedIndex < 0) field.value = before;
    }
    // What draws the choices hears of it; the form doesn't.
    const { from_year, to_year, radius_km } = this.#fields;
    for (const field of [from_year, to_year, radius_km]) field.dispatchEvent(new Event("change"));
    this.#say();
  }

  /** @returns {{latitude: number, longitude: number} | null} null while it is empty or nowhere on earth */
  get position() {
    const [latitude, longitude] = [this.#fields.latitude, this.#fields.longitude].map((field) =>
      field.value.trim() === "" ? NaN : Number(field.value),
    );
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
  }

  set position({ latitude, longitude }) {
    this.#fields.latitude.value = round(latitude);
    this.#fields.longitude.value = round(longitude);
    this.#hear(this.#fields.latitude);
  }

  /** Kilometres. */
  get radius() {
    return Number(this.#fields.radius_km.value);
  }

  /** The radius as the form names it. */
  get radiusInWords() {
    return this.#fields.radius_km.selectedOptions[0].text;
  }

  /** What can still be widened, in words: `the years or the radius`; empty when nothing can. */
  get widenable() {
    const { from_year, to_year, radius_km } = this.#fields;
    const hasYears = from_year.selectedIndex > 0 || !isLast(to_year);
    return [hasYears && "the years", !isLast(radius_km) && "the radius"].filter(Boolean).join(" or ");
  }

  /** Widens years and radius: twenty years at each end, about three times as far. */
  widen() {
    const { from_year, to_year, radius_km } = this.#fields;
    from_year.selectedIndex = Math.max(0, from_year.selectedIndex - 20);
    to_year.selectedIndex = Math.min(to_year.length - 1, to_year.selectedIndex + 20);
    radius_km.selectedIndex = Math.min(radius_km.length - 1, radius_km.selectedIndex + 6);
    for (const field of [from_year, to_year, radius_km]) {
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  /** Opens the fields of the position and goes to the first one. */
  askForPosition() {
    this.#form.querySelector("details").open = true;
    this.#fields.latitude.focus();
  }

  #uncross(target) {
    const { from_year, to_year } = this.#fields;
    if (Number(from_year.value) <= Number(to_year.value)) return;
    const other = target === from_year ? to_year : from_year;
    other.value = target.value;
    other.dispatchEvent(new Event("change"));
  }

  #hear(target) {
    this.#say();
    if (["latitude", "longitude"].includes(target.name)) this.dispatchEvent(new Event("moved"));
    this.dispatchEvent(new Event("change"));
  }

  #say() {
    const { position } = this;
    this.#form.toggleAttribute("data-placed", Boolean(position));
    this.#position.textContent = position ? coordinates(position) : "Not set";
    for (const name of ["latitude", "longitude"]) {
      const { value } = this.#fields[name];
      const isWrong = value !== "" && Math.abs(Number(value)) > Number(this.#fields[name].max);
      this.#fields[name].ariaInvalid = isWrong ? "true" : null;
    }
  }

  /** Takes both coordinates, as maps give them: `46.5412, 11.8456`. */
  #paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    const pair = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
    if (!pair || !event.target.matches("[name=latitude], [name=longitude]")) return;
    event.preventDefault();
    this.position = { latitude: Number(pair[1]), longitude: Number(pair[2]) };
  }
}

function round(degrees) {
  return String(Number(degrees.toFixed(decimals)));
}

function isLast(select) {
  return select.selectedIndex === select.length - 1;
}
