// Marks the title of the page, whatever it shows, when somebody waves.
addEventListener("tintype:wave", () => {
  if (!document.title.startsWith("👋")) document.title = `👋 ${document.title}`;
});
