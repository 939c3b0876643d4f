/** What Then & Now does on every page: says that a pair which waited has gone out. */
import { hear } from "../outbox/hearing.js";
import { flash } from "../web/flash-message.js";

/** @type {import("../web/log-out.js").Unsent} */
export const unsent = {
  noun: "unsent Then & Now pair",
  count: async (account) => (await import("../outbox/store.js")).count(account, "pair"),
};

hear("pair", ["sent"], ({ result }) => sayWentOut(result));

/**
 * Says that a pair has gone out, as soon as the page is looked at.
 *
 * @param {{id: string}} pair
 */
export async function sayWentOut({ id }) {
  while (document.visibilityState === "hidden") {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
  const { photoPage } = await import("../photos/paths.js");
  const show = { name: "Show", perform: () => location.assign(photoPage(id)) };
  flash("Your Then & Now pair was sent. It is in your library.", "good", show);
}
