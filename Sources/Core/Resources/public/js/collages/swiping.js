import { rubberBand } from "../web/gesture.js";
import { prefersStillness } from "../web/motion.js";

/** What lets the collage fly off: a share of its side, or else a speed in pixels a millisecond and some pixels. */
const far = 0.3;
const fast = 0.5;
const flick = 24;

/** The share of a finger's sideways movement that the collage follows, and the most degrees that it turns. */
const sideways = 0.5;
const turn = 6;

const spring = { duration: 420, easing: "cubic-bezier(.32, .72, 0, 1)" };
const flight = { duration: 360, easing: "cubic-bezier(.3, .1, .8, .6)" };
const fade = { duration: 120 };

/**
 * The whole collage under a finger: it follows up (in landscape to the left) with a slight turn. Let go too early, it
 * springs back; otherwise it flies off along its path, to be shared.
 */
export class Swiping {
  #square;
  #share;
  #landscape = matchMedia("(orientation: landscape)");
  /** How far the collage has gone along and across the direction of the swipe, and the side that the finger holds. */
  #place = { along: 0, across: 0, hold: 0 };
  /** Whether the collage has flown off. */
  isAway = false;

  /**
   * @param {SVGSVGElement} square
   * @param {HTMLElement | null} words say which way to swipe
   * @param {(speed: {vx: number, vy: number}) => void} share called when the collage was swiped away
   * @param {AbortSignal} signal ends the listening
   */
  constructor(square, words, share, signal) {
    this.#square = square;
    this.#share = share;
    const name = () => {
      const way = this.#landscape.matches ? "left" : "up";
      if (words) words.textContent = `Swipe ${way} to share`;
    };
    this.#landscape.addEventListener("change", name, { signal });
    name();
  }

  /** Returns whether a movement goes along the direction of the swipe rather than across it. */
  isToward(dx, dy) {
    const { along, across } = this.#split(dx, dy);
    return along > Math.abs(across);
  }

  /** Begins a swipe at a point of the window. */
  begin({ x, y }) {
    const { left, top, width, height } = this.#square.getBoundingClientRect();
    // The side that the finger holds moves ahead.
    const hold = this.#landscape.matches ? (y - top) / height - 0.5 : 0.5 - (x - left) / width;
    this.#place = { along: 0, across: 0, hold: Math.max(-1, Math.min(1, hold * 2)) };
    this.#square.style.willChange = "transform";
  }

  move({ dx, dy }) {
    const { along, across } = this.#split(dx, dy);
    this.#place.along += along;
    this.#place.across += across;
    this.#square.style.transform = this.#transform();
  }

  /**
   * Ends the swipe when the finger lets go: the collage flies off or springs back.
   *
   * @param {{vx: number, vy: number}} speed pixels a millisecond
   */
  end(speed) {
    const { along } = this.#place;
    const isFar = along > far * this.#square.clientWidth;
    const isFast = along > flick && this.#split(speed.vx, speed.vy).along > fast;
    if (isFar || isFast) this.#share(speed);
    else this.comeBack();
  }

  /** Lets the collage fly off along its path, or straight ahead if it rests. */
  async flyOff({ vx, vy } = { vx: 0, vy: 0 }) {
    this.isAway = true;
    const { along, across } = this.#split(vx, vy);
    const path = along > fast ? across / along : this.#place.across / this.#square.clientWidth;
    const distance = innerWidth + innerHeight;
    this.#place = { ...this.#place, along: distance, across: path * distance };
    await this.#go(this.#transform());
    if (this.isAway) this.#square.style.visibility = "hidden";
  }

  /** Brings the collage back to its place from wherever it is. */
  async comeBack() {
    const wasAway = this.isAway;
    this.isAway = false;
    this.#square.style.visibility = "";
    this.#place = { along: 0, across: 0, hold: 0 };
    await this.#go("", wasAway);
    if (!this.isAway) this.#square.style.willChange = "";
  }

  /** Moves the square. For people who want less movement, it fades out and in instead. */
  async #go(transform, fades = true) {
    const { style } = this.#square;
    const from = style.transform || "none";
    const isStill = prefersStillness();
    style.transform = isStill ? "" : transform;
    if (isStill && !fades) return;
    const steps = isStill
      ? { opacity: this.isAway ? [1, 0] : [0, 1] }
      : { transform: [from, transform || "none"] };
    const how = isStill ? fade : this.isAway ? flight : spring;
    await this.#square.animate(steps, how).finished.catch(() => {});
  }

  #split(x, y) {
    return this.#landscape.matches ? { along: -x, across: y } : { along: -y, across: x };
  }

  #transform() {
    const { along, across, hold } = this.#place;
    const size = this.#square.clientWidth;
    const ahead = along < 0 ? rubberBand(along, size / 4) : along;
    const aside = across * sideways;
    const angle = prefersStillness() ? 0 : hold * turn * Math.min(1, Math.max(0, ahead / size));
    const [left, top] = this.#landscape.matches ? [-ahead, aside] : [aside, -ahead];
    return `translate(${left}px, ${top}px) rotate(${angle}deg)`;
  }
}
