import { Enhancement } from "../web/enhancement.js";

/** `<time-zone data-unset>` around the choice of a time zone: chooses that of the browser as long as none was saved. */
class TimeZone extends Enhancement {
  enhance() {
    if (!("unset" in this.dataset)) return;
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const select = this.querySelector("select");
    // Browsers use old names, too, which the list leaves out.
    if (![...select.options].some(({ value }) => value === zone)) select.add(new Option(zone, zone));
    select.value = zone;
  }
}

customElements.define("time-zone", TimeZone);
