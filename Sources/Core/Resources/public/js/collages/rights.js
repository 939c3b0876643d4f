/**
 * What a person may do with a draft. The server decides; the page doesn't offer what the server would refuse.
 *
 * In a collage that people fill together, everyone fills the free cells and those that are theirs to fill, and changes
 * their own photos. The owner also changes and removes the photos of others, and swaps cells. A finished one stays as it
 * is. In a copy of it, which is the person's alone, they also replace the photos of others.
 */
export class Rights {
  #draft;
  #viewer;

  /** @param {object} draft @param {string} viewer the id of an account */
  constructor(draft, viewer) {
    this.#draft = draft;
    this.#viewer = viewer;
  }

  get isOwner() {
    return this.#draft.owner.id === this.#viewer;
  }

  /** Whether it can still be changed. A collage of one can also be changed after it has been shared. */
  get isOpen() {
    return this.#draft.state === "open";
  }

  /** Whether the person makes it alone. */
  get #isAlone() {
    const { accounts, chat_id } = this.#draft;
    return this.isOwner && accounts.length === 0 && !chat_id;
  }

  /** Whether a cell holds or waits for something of the person, or of nobody in particular. */
  isOwn(account) {
    return !account || account.id === this.#viewer;
  }

  /** Whether they may put a photo into a cell: in the place of their own, or where nobody else is to put one. */
  mayFill(index) {
    const { photo, account, assigned_to } = this.#draft.cells[index];
    return this.isOpen && (this.#isAlone || this.isOwn(photo ? account : assigned_to));
  }

  /** Whether they may move, zoom or remove the photo of a cell. */
  mayChange(index) {
    const { photo, account } = this.#draft.cells[index] ?? {};
    return Boolean(photo) && this.isOpen && (this.isOwner || this.isOwn(account));
  }

  /** Whether they may let the photos of two cells change places. One of the cells may be empty. */
  maySwap(one, other) {
    const hasPhoto = (index) => Boolean(this.#draft.cells[index]?.photo);
    return this.isOwner && this.isOpen && one !== other && (hasPhoto(one) || hasPhoto(other));
  }
}
