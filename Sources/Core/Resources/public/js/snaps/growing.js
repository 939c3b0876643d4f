import { prefersStillness } from "../web/motion.js";

const spring = { duration: 280, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * Lets a screen grow out of a row (`normal`), or shrink back into it (`reverse`) and stay there.
 *
 * @param {HTMLElement} screen
 * @param {HTMLElement | null} row without one, or for people who want less movement, nothing moves
 * @param {"normal" | "reverse"} direction
 */
export function grow(screen, row, direction) {
  if (prefersStillness() || !row) return;
  const { left, top, width, height } = row.getBoundingClientRect();
  const x = left + (width - innerWidth) / 2;
  const y = top + (height - innerHeight) / 2;
  const steps = [
    { transform: `translate(${x}px, ${y}px) scale(${height / innerHeight})`, opacity: 0.4 },
    { transform: "none", opacity: 1 },
  ];
  screen.animate(steps, { ...spring, direction, fill: direction === "reverse" ? "forwards" : "none" });
}
