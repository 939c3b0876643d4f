/**
 * What pushes need on every page: with the notifications of this device, what a page shows is closed, and the
 * subscription is kept alive. Without a log-in, both end.
 */
const { account } = document.documentElement.dataset;
const isAllowed = "Notification" in globalThis && Notification.permission === "granted";

if (isAllowed && navigator.serviceWorker) {
  const { leave, start } = await import("./device.js");
  // No push is a reason to report a fault to the person: the next page tries again.
  await (account ? start(account) : leave()).catch((error) => console.warn("Notifications:", error.message));
}
