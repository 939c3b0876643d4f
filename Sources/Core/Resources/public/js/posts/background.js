/** What posts do on every page: say that a post which waited has gone out. */
import { hear } from "../outbox/hearing.js";
import { flash } from "../web/flash-message.js";

/** @type {import("../web/log-out.js").Unsent[]} */
export const unsent = ["post", "comment"].map((kind) => ({
  noun: `unsent ${kind}`,
  count: async (account) => (await import("../outbox/store.js")).count(account, kind),
}));

hear("post", ["sent"], ({ result }) => {
  const show = { name: "Show", perform: () => location.assign(`/posts/${result.id}`) };
  flash("Your post was sent.", "good", show);
});
