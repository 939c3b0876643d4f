/*
 * The messages of a chat drawn by hand, element after element, to compare with the server's template. `drawing.py`
 * evaluates this expression on the page of a chat. It is a function that returns the function that draws one message,
 * with three dots of the sprite in each message, as in earlier versions, or with those of the style sheet.
 */
(thread, hasDots) => {
  const { account } = document.documentElement.dataset;
  const { name, chat } = thread.dataset;
  const portrait = document.createElement("span");
  portrait.className = "portrait";
  portrait.dataset.tone = "3";
  portrait.setAttribute("aria-hidden", "true");
  portrait.textContent = name.slice(0, 1);

  const make = (kind, attributes, ...children) => {
    const node = document.createElement(kind);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  };

  const sprite = document.querySelector("use").getAttribute("href").replace(/#.*/, "");
  const svg = "http://www.w3.org/2000/svg";
  const symbol = (id) => {
    const picture = document.createElementNS(svg, "svg");
    picture.setAttribute("class", "icon");
    picture.setAttribute("aria-hidden", "true");
    picture.append(document.createElementNS(svg, "use"));
    picture.firstChild.setAttribute("href", `${sprite}#${id}`);
    return picture;
  };

  const quote = ({ in_reply_to_id: id, in_reply_to: quoted }) => {
    if (!quoted) return make("p", { class: "quote" }, "Deleted message");
    const attributes = { class: "quote", href: `/messages/${chat}?max_id=${BigInt(id) + 1n}`, "data-quote": id };
    const author = make("b", {}, quoted.account_id === account ? "You" : name);
    const words = make("span", {}, quoted.view_once ? "View-once photo" : quoted.text || "Photo");
    return make("a", attributes, make("span", {}, make("span", { class: "unseen" }, "Reply to "), author, words));
  };

  const photo = ({ id, photo: { id: file, description, blurhash, meta } }, isOwn) => {
    const path = `/messages/${chat}/photos/${id}`;
    const picture = make("img", {
      src: `/photos/${file}/medium`,
      width: meta.small.width,
      height: meta.small.height,
      alt: description ?? `Photo ${isOwn ? "to" : "from"} ${name}`,
      "data-blurhash": blurhash,
      "data-hero": path,
    });
    return make("a", { class: "bubble photo", href: path }, picture);
  };

  const once = ({ id, opened, expired }, isOwn) => {
    const action = `/messages/${chat}/${id}/open`;
    const button = make("button", { class: "bubble once", form: "look", formaction: action, "data-open": "" });
    if (isOwn || opened || expired) button.setAttribute("disabled", "");
    button.append(symbol("1-circle"), opened ? "Opened" : expired ? "Expired" : "Photo · view once");
    return button;
  };

  const reactions = ({ id, reactions: all }) => {
    const list = make("ul", { class: "reactions", "aria-label": "Reactions" });
    for (const emoji of new Set(all.map((one) => one.emoji))) {
      const people = all.filter((one) => one.emoji === emoji).map((one) => one.account_id);
      const isOwn = people.includes(account);
      const names = [isOwn && "you", people.some((person) => person !== account) && name].filter(Boolean);
      const button = make("button", {
        class: "reaction",
        form: "look",
        formaction: `/messages/${chat}/${id}/react`,
        name: "emoji",
        value: isOwn ? "" : emoji,
        "data-react": emoji,
        "aria-pressed": isOwn,
        "aria-label": `${emoji} from ${names.join(" and ")}`,
      });
      button.append(people.length > 1 ? `${emoji} ${people.length}` : emoji);
      list.append(make("li", {}, button));
    }
    return list;
  };

  return (message) => {
    const { id, created_at: at, number, idempotency_key: key, content } = message;
    const isOwn = message.account_id === account;
    const item = make("li", {
      class: isOwn ? "message out" : "message in",
      "data-id": id,
      "data-at": at,
      "data-number": number,
    });
    if (key) item.dataset.key = key;
    if (!isOwn) item.append(portrait.cloneNode(true));
    const bubble = make("message-bubble", {});
    if (message.in_reply_to_id) bubble.append(quote(message));
    if (message.view_once) bubble.append(once(message, isOwn));
    if (message.photo) bubble.append(photo(message, isOwn));
    if (message.text) {
      const text = make("p", { class: message.emoji_only ? "bubble emoji" : "bubble" });
      text.innerHTML = content;
      bubble.append(text);
    }
    if (message.reactions.length > 0) bubble.append(reactions(message));
    const options = {
      class: "symbol message-options",
      href: `/messages/${chat}/${id}/options`,
      "aria-label": "Options of this message",
      "data-options": "",
    };
    item.append(bubble, make("a", options, ...(hasDots ? [symbol("three-dots")] : [])));
    return item;
  };
}
