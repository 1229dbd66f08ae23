// Another lesson or slide begins at its top: Streamlit keeps the place where the last one was left.

let shown = null;

export default function render({ data, parentElement }) {
  if (!data) return;
  if (shown !== null && shown !== data.place) {
    for (let node = parentElement.host ?? parentElement; node; node = node.parentElement) node.scrollTop = 0;
  }
  shown = data.place;
}
