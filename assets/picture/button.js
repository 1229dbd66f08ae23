// The button that opens the picture of a view. The code that draws pictures comes with the first press.

/** Have a button show the picture that describe() gives of a view at that moment. */
export function opensPicture(button, root, describe) {
  button.addEventListener("click", async () => {
    const { showPicture } = await import("./dialog.js");
    showPicture(root, describe(), root.querySelector(".view").classList.contains("dark"));
  });
}
