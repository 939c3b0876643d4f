/**
 * What a person may do with a draft. The server decides; the page doesn't offer what the server would refuse.
 *
 * In a collage that people fill together, everyone may fill the free cells and the cells meant for them, and change
 * their own photos. The owner may also change and remove the photos of others, and swap cells. A finished collage can't
 * be changed. In their own copy of it, a person may also replace the photos of others.
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

  /** Whether the collage can still be changed. One that a person makes alone can also be changed after sharing. */
  get isOpen() {
    return this.#draft.state === "open";
  }

  /** Whether the person makes the collage alone. */
  get isAlone() {
    const { accounts, chat_id } = this.#draft;
    return this.isOwner && accounts.length === 0 && !chat_id;
  }

  /** Returns whether an account is the person's own, or nobody's. */
  isOwn(account) {
    return !account || account.id === this.#viewer;
  }

  /**
   * Returns whether the person may put a photo into a cell: to replace their own, or if it is meant for nobody else.
   */
  mayFill(index) {
    const { photo, account, assigned_to } = this.#draft.cells[index];
    return this.isOpen && (this.isAlone || this.isOwn(photo ? account : assigned_to));
  }

  /** Returns whether the person may move, zoom or remove the photo of a cell. */
  mayChange(index) {
    const { photo, account } = this.#draft.cells[index] ?? {};
    return Boolean(photo) && this.isOpen && (this.isOwner || this.isOwn(account));
  }

  /** Returns whether the person may swap the photos of two cells, one of which may be empty. */
  maySwap(one, other) {
    const hasPhoto = (index) => Boolean(this.#draft.cells[index]?.photo);
    return this.isOwner && this.isOpen && one !== other && (hasPhoto(one) || hasPhoto(other));
  }
}
