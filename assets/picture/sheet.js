// The sheet that a picture is taken of: sections of chips with headings, side by side, and a caption. The browser lays it
// out in the page's own style, out of sight.

import { element } from "../shared/view.js";

/**
 * The picture that a view describes: the `name` of the file, `look` with the classes of the view and its switches, sections
 * in a number of `columns`, whether they come one after another, and a caption. `body` is drawn as on the page.
 * @typedef {{name?: string, figures?: string, body: Node}} Section
 * @typedef {{name: string, look?: string, columns?: number, sections: Section[], moves?: boolean, caption: string}} Picture
 */

/** Lay out a picture in a theme below `root`, which has the styles. With `isMoving`, sections lie on top of each other. */
export function layOutSheet(root, picture, { isDark, isMoving }) {
  const sheet = element("div", `view sheet ${picture.look ?? ""}`);
  sheet.classList.toggle("dark", isDark);
  sheet.inert = true;
  sheet.style.setProperty("--columns", picture.columns ?? 1);
  sheet.append(element("div", isMoving ? "sections moving" : "sections", ...picture.sections.map(drawSection)), element("footer", "", picture.caption));
  root.append(sheet);
  replaceGeneratedContent(sheet);
  return sheet;
}

function drawSection({ name, figures, body }) {
  const header = name || figures ? element("header", "", element("b", "", name), element("span", "", figures)) : null;
  return element("section", "", header, body.cloneNode(true));
}

// What a sign keeps of its look as generated content.
const LOOK = [
  "display", "position", "top", "left", "margin", "padding", "border", "borderRadius", "color", "fontFamily", "fontSize",
  "fontWeight", "letterSpacing", "lineHeight", "textAlign", "verticalAlign", "whiteSpace", "width",
];

/** Replace the generated content before and after elements with real elements, which can be measured. */
function replaceGeneratedContent(sheet) {
  const signs = [];
  for (const node of sheet.querySelectorAll("*")) {
    for (const place of ["::before", "::after"]) {
      const style = getComputedStyle(node, place);
      const text = generatedText(style.content, node);
      if (!text) continue;
      const sign = element("span", "sign", text);
      for (const name of LOOK) if (name !== "width" || style.position === "absolute") sign.style[name] = style[name];
      signs.push([node, place === "::before" ? "prepend" : "append", sign]);
    }
  }
  for (const [node, where, sign] of signs) node[where](sign);
  sheet.classList.add("spelled");
}

/** The text of generated content: a string, or the attribute that it is taken from. */
function generatedText(content, node) {
  const attribute = /^attr\(([\w-]+)\)$/.exec(content)?.[1];
  if (attribute) return node.getAttribute(attribute);
  return content.startsWith('"') ? content.slice(1, -1).replace(/\\(.)/g, "$1") : "";
}
