// The button that opens the picture of a view. A saved page may come without the code that draws pictures.

/** Have a button show the picture of a view that describe() returns at that moment. */
export function openPictureOnClick(button, root, describe) {
  button.addEventListener("click", async () => {
    const { showPicture } = await import("./dialog.js");
    showPicture(root, describe(), isDark(root.querySelector(".view")));
  });
}

/** Whether the theme around a view is dark: then its letters are light. */
function isDark(view) {
  const [r, g, b] = getComputedStyle(view).color.match(/[\d.]+/g).map(Number); // given as rgb(r, g, b)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 140;
}
