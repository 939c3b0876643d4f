import { element } from "../web/element.js";
import { loadStyle } from "../web/style.js";

/**
 * Work that takes a while.
 *
 * @template Result
 * @callback Work
 * @param {AbortSignal} signal aborted when the person cancels it
 * @param {(done: number) => void} onprogress gets how much is done, from 0 to 1
 * @returns {Promise<Result>}
 */

/**
 * Does work behind a sheet that shows how far it is. After a failure the sheet shows the error and offers to try again.
 *
 * @template Result
 * @param {string} title what is being done: "Loading the photo"
 * @param {Work<Result>} work
 * @returns {Promise<Result | null>} null when the person cancelled it
 */
export async function showProgress(title, work) {
  const over = new AbortController();
  const { signal } = over;
  const bar = element("progress", { max: 1, "aria-label": title });
  const problem = element("p", { class: "error", role: "alert", hidden: true });
  const again = element("button", { class: "button primary", type: "button", hidden: true }, "Try again");
  const cancel = element("button", { class: "button plain", type: "button" }, "Cancel");
  const heading = element("h2", {}, title);
  const dialog = element("dialog", { class: "sheet late", "aria-label": title }, heading, bar, problem, again, cancel);
  cancel.onclick = () => dialog.close();
  const closed = new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  let result = null;
  const run = async () => {
    problem.hidden = again.hidden = true;
    bar.hidden = false;
    try {
      result = await work(signal, (done) => (bar.value = done));
      dialog.close();
    } catch (error) {
      if (signal.aborted) return;
      bar.hidden = true;
      problem.textContent = error.message;
      problem.hidden = false;
      again.hidden = Boolean(error.isFinal);
      (again.hidden ? cancel : again).focus();
    }
  };
  again.onclick = run;
  document.body.append(dialog);
  dialog.showModal();
  run();
  await closed;
  over.abort();
  dialog.remove();
  return result;
}
