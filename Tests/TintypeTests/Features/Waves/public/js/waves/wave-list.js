/** `<wave-list>`: the waves at the person, which shows new ones as they come. */
class WaveList extends HTMLElement {
  connectedCallback() {
    addEventListener("tintype:wave", this);
  }

  disconnectedCallback() {
    removeEventListener("tintype:wave", this);
  }

  /** @param {CustomEvent<{id: string, username: string}>} event */
  handleEvent({ detail }) {
    const row = document.createElement("li");
    row.id = `wave-${detail.id}`;
    row.textContent = detail.username;
    this.querySelector("ul").prepend(row);
  }
}

customElements.define("wave-list", WaveList);
