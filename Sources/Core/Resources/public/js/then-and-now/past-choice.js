import { Enhancement } from "../web/enhancement.js";

/**
 * `<past-choice>` around a `<photo-upload>`: a photo that has been uploaded becomes the past photo at once.
 */
class PastChoice extends Enhancement {
  enhance(signal) {
    const take = (event) => {
      event.preventDefault();
      location.assign(`/then-and-now?photo=${event.detail.media.id}`);
    };
    this.addEventListener("photo-uploaded", take, { signal });
  }
}

customElements.define("past-choice", PastChoice);
