"""The pixels of a picture that a page shows."""

# Draws an image on a canvas; the canvas's context. On a busy machine WebKit draws nothing at first, also after `decode()`:
# the canvas is still transparent then, which no photo is.
CONTEXT = """async (image) => {
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  for (;;) {
    context.drawImage(image, 0, 0);
    if (context.getImageData(0, 0, 1, 1).data[3] > 0) return context;
    await new Promise(requestAnimationFrame);
  }
}"""
