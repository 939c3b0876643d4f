/**
 * Returns whether this browser can show pushes here.
 *
 * @returns {Promise<"available" | "blocked" | "install" | "unsupported">} `install` on an iPhone or iPad whose browser
 *   has them only for an app on the Home Screen
 */
export async function availability() {
  const hasAll = "PushManager" in globalThis && "Notification" in globalThis && navigator.serviceWorker;
  // Only Apple's browsers for phones and tablets have this property, and it says whether the app is installed.
  if (!hasAll) return "standalone" in navigator && !navigator.standalone ? "install" : "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return (await hasWorker()) ? "available" : "unsupported";
}

/** Waits until it is known whether the page has a service worker: a private window may have none. */
async function hasWorker() {
  if (await navigator.serviceWorker.getRegistration()) return true;
  const page = document.documentElement;
  if (!page.dataset.sw) {
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => page.dataset.sw && resolve(observer.disconnect()));
      observer.observe(page, { attributeFilter: ["data-sw"] });
    });
  }
  return page.dataset.sw === "on";
}
