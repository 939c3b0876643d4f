import { coordinates } from "./words.js";

const names = ["latitude", "longitude", "from_year", "to_year", "radius_km"];

/** Decimals of a coordinate: 11 cm. */
const decimals = 6;

/**
 * The form of a search: a position, a radius, and two years, the first never after the second. Events: `change` for
 * each change, and `moved` before it when the position has changed.
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

  /** The text of the fields, complete or not. */
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
    // This event is for the wheels and the slider, which show the choices. The form doesn't listen to it.
    const { from_year, to_year, radius_km } = this.#fields;
    for (const field of [from_year, to_year, radius_km]) field.dispatchEvent(new Event("change"));
    this.#say();
  }

  /** @returns {{latitude: number, longitude: number} | null} null while it is empty or invalid */
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

  /** The radius in kilometres. */
  get radius() {
    return Number(this.#fields.radius_km.value);
  }

  /** The radius in the words of the form. */
  get radiusInWords() {
    return this.#fields.radius_km.selectedOptions[0].text;
  }

  /** What can still be made wider, in words: `the years or the radius`. Empty when nothing can. */
  get widenable() {
    const { from_year, to_year, radius_km } = this.#fields;
    const hasYears = from_year.selectedIndex > 0 || !isLast(to_year);
    return [hasYears && "the years", !isLast(radius_km) && "the radius"].filter(Boolean).join(" or ");
  }

  /** Widens the years by twenty at each end, and the radius to about three times its size. */
  widen() {
    const { from_year, to_year, radius_km } = this.#fields;
    from_year.selectedIndex = Math.max(0, from_year.selectedIndex - 20);
    to_year.selectedIndex = Math.min(to_year.length - 1, to_year.selectedIndex + 20);
    radius_km.selectedIndex = Math.min(radius_km.length - 1, radius_km.selectedIndex + 6);
    for (const field of [from_year, to_year, radius_km]) {
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  /** Opens the fields of the position and moves the focus to the first one. */
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

  /** Splits a pasted pair of coordinates, as maps give them: `46.5412, 11.8456`. */
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
