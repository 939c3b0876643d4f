/** Returns whether this page is shown by the installed app. */
export function isInstalled() {
  // Apple's browsers for phones and tablets say it by a property.
  return navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
}
