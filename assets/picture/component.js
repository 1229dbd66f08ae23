// A button that opens the picture of a heat map: a table with a tint for each value, in the theme of the picture.

import { openPictureOnClick } from "./button.js";
import { fileName } from "./words.js";
import { revealView, element } from "../shared/view.js";

const SHOWN = new WeakMap(); // the data behind each button, which may change while the button stays

function channels(colour) { return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)); }

/** The colour at a share from 0 to 1 of the way through a scale, as its red, green and blue. */
function tintAt(colours, share) {
  const at = share * (colours.length - 1);
  const from = channels(colours[Math.floor(at)]);
  const to = channels(colours[Math.ceil(at)]);
  return from.map((value, i) => Math.round(value + (at % 1) * (to[i] - value)));
}

/** How light a colour is, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminance(colour) {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ink that contrasts more with a tint. */
function inkOn(tint) { return (luminance(tint) + 0.05) ** 2 < 1.05 * 0.05 ? "#ffffff" : "#000000"; }

function heatCell({ shown, share, lost }, tints) {
  const cell = element("td", lost ? "lost" : "", shown);
  if (share === null) return cell;
  for (const [theme, colours] of Object.entries(tints)) {
    const tint = tintAt(colours, share);
    cell.style.setProperty(`--${theme}`, `rgb(${tint})`);
    cell.style.setProperty(`--${theme}-ink`, inkOn(tint));
  }
  cell.classList.add("tinted");
  return cell;
}

function heatTable({ columns, rows, tints }) {
  return element("table", "heat", element("tr", "", element("td"), ...columns.map((name) => element("th", "", name))),
    ...rows.map(({ name, cells }) => element("tr", "", element("th", "", name), ...cells.map((cell) => heatCell(cell, tints)))));
}

function heatPicture(data) {
  return { name: fileName(data.name), title: data.title, sections: [{ body: heatTable(data) }], caption: data.caption };
}

export default function render({ data, parentElement }) {
  if (!data) return;
  const view = parentElement.querySelector(".view");
  if (!SHOWN.has(parentElement)) openPictureOnClick(view.querySelector(".picture"), parentElement, () => heatPicture(SHOWN.get(parentElement)));
  SHOWN.set(parentElement, data);
  revealView(view);
}
