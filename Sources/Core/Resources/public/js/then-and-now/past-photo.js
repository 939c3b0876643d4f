import { recall, remember } from "../web/browser-memory.js";
import { FrameOptions } from "./frame-options.js";
import { FramedPicture } from "./framed-picture.js";
import { Overlay } from "./overlay.js";
import { Verdict } from "./verdict.js";

/**
 * Prepares everything that works with the past photo of a page, once it has loaded: its frame, its overlay over the
 * camera, and the review of a shot picture.
 *
 * @param {HTMLElement} page its `data-member` and `data-id` say what a pair is made of: `photo_id` and a number
 * @param {AbortSignal} signal ends the listening
 * @returns {Promise<{past: FramedPicture, verdict: Verdict}>}
 * @throws {DOMException} when the past photo can't be loaded
 */
export async function preparePast(page, signal) {
  const part = (name) => page.querySelector(`[data-${name}]`);
  const [picture, image, still] = [part("picture"), part("image"), part("still")];
  await picture.decode();
  image.src = picture.currentSrc;
  await image.decode();
  const [width, height] = ["width", "height"].map((name) => Number(picture.getAttribute(name)));
  const options = new FrameOptions(page, { whole: part("whole"), lines: part("lines") }, { width, height }, signal);
  const { member, id } = page.dataset;
  const memory = `then-and-now ${member} ${id}`;
  const past = new FramedPicture(part("past-pane"), picture, "Past photo", signal);
  past.show({ width, height }, recall(memory) ?? undefined);
  past.addEventListener("changed", () => remember(memory, past.view), { signal });
  const overlay = new Overlay(part("overlay"), { modes: part("modes"), amount: part("amount") }, past, signal);
  const now = new FramedPicture(part("now-pane"), still, "Your photo", signal);
  const tools = { now, past, image, overlay, options, reference: { [member]: id }, progress: part("progress") };
  return { past, verdict: new Verdict(still, tools) };
}
