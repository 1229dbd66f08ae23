// The dialog that shows a picture of a view, to be copied or saved as a PNG or an SVG.

import { drawPicture, pngOf } from "./picture.js";
import { button, element, radioLabel } from "../shared/view.js";

const TOO_LONG = "There is nothing here that a picture has room for.";
const CANNOT_COPY = "The browser copies images only on a page served by https or from this computer. Save the PNG instead.";
const NOT_ALLOWED = "The browser did not allow it. Save the PNG instead.";
const LOOKS = ["Light", "Dark"];
const WAYS = ["Moving", "All steps"];

/** Show a picture, null for none, in a dialog; it is drawn in the style of `root`. */
export function showPicture(root, picture, isDark) {
  new PictureDialog(root, picture, isDark).open();
}

class PictureDialog {
  constructor(root, picture, isDark) {
    this.root = root;
    this.picture = picture;
    this.theme = { isDark, isMoving: Boolean(picture?.moves) };
    this.drawn = null;
    this.address = null;
    this.node = Object.assign(element("dialog", "view picture-dialog"), { ariaLabel: "Picture" });
    this.preview = element("img");
    this.said = Object.assign(element("p", "said"), { role: "status" });
    this.buttons = [];
  }

  open() {
    const { node, root } = this;
    const header = element("header", "", element("h2", "", "Picture"), button("close", "Close", () => node.close()));
    const frame = Object.assign(element("div", "preview", this.preview), { tabIndex: 0 });
    node.append(header, ...(this.picture ? [this.choicesElement(), frame, this.actionsElement()] : []), this.said);
    node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
    // The page's shortcuts are off here.
    node.addEventListener("keydown", (event) => event.stopPropagation());
    node.addEventListener("close", () => this.leave());
    root.append(node);
    node.showModal();
    if (this.picture) this.draw();
    else this.said.textContent = TOO_LONG;
  }

  choicesElement() {
    return element("div", "choices",
      this.choiceElement("Theme", LOOKS, LOOKS[Number(this.theme.isDark)], (look) => { this.theme.isDark = look === LOOKS[1]; }),
      this.picture.moves ? this.choiceElement("Steps", WAYS, WAYS[0], (way) => { this.theme.isMoving = way === WAYS[0]; }) : null);
  }

  choiceElement(name, values, chosen, choose) {
    const group = element("span", "modes", ...values.map((value) => radioLabel(`picture ${name}`, value, () => {
      choose(value);
      this.draw();
    })));
    group.querySelector(`[value="${chosen}"]`).checked = true;
    return Object.assign(group, { role: "radiogroup", ariaLabel: name });
  }

  actionsElement() {
    if (navigator.clipboard?.write && window.ClipboardItem) this.buttons.push(button("", "Copy image", () => this.copy()));
    this.buttons.push(button("", "PNG", async () => this.save(await pngOf(this.drawn), "png")), button("", "SVG", () => this.save(this.file, "svg")));
    return element("div", "actions", ...this.buttons);
  }

  /** Draw it, and show it as the file will look. */
  draw() {
    this.drawn = drawPicture(this.root, this.picture, this.theme);
    this.file = new Blob([this.drawn.svg], { type: "image/svg+xml" });
    URL.revokeObjectURL(this.address);
    this.address = URL.createObjectURL(this.file);
    Object.assign(this.preview, { src: this.address, alt: this.picture.caption, width: this.drawn.width });
    for (const each of this.buttons) each.disabled = this.theme.isMoving && each.textContent !== "SVG";
    const cannotCopy = !this.buttons.some(({ textContent }) => textContent === "Copy image");
    this.said.textContent = this.theme.isMoving ? "A moving picture is always an SVG. Choose “All steps” for an image." : cannotCopy ? CANNOT_COPY : "";
  }

  async copy() {
    try {
      // Given as a promise: Safari forgets the click that allows it while the PNG is made.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(this.drawn) })]);
      this.said.textContent = "Copied.";
    } catch {
      this.said.textContent = NOT_ALLOWED;
    }
  }

  save(file, ending) {
    const link = element("a");
    const address = URL.createObjectURL(file);
    Object.assign(link, { href: address, download: `${this.picture.name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  leave() {
    URL.revokeObjectURL(this.address);
    this.node.remove();
  }
}
