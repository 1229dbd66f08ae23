// A textarea as high as its text, in browsers whose style sheets cannot ask for that.

const LONG_TEXT = 5_000; // UTF-16 units; a longer one takes all the height that it may have, and is not laid out for it

/** Return what makes a textarea as high as its text, to call after every change; once somebody has dragged it, it stays. */
export function keepsHeight(area) {
  if (globalThis.CSS?.supports("field-sizing", "content") ?? true) return () => {};
  let height = "";
  let width = 0;
  const fit = () => {
    if (area.style.height !== height) return; // it was dragged
    Object.assign(area.style, { flex: "none", height: "0" }); // it does not grow with what is beside it
    const borders = area.offsetHeight - area.clientHeight;
    height = area.value.length > LONG_TEXT ? "100vh" : `${area.scrollHeight + borders}px`;
    Object.assign(area.style, { flex: "", height });
  };
  new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    requestAnimationFrame(fit); // a change of what is observed is not made while it is told
  }).observe(area);
  return fit;
}
