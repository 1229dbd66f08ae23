// A textarea as high as its text, in browsers whose style sheets cannot ask for that.

const LONG_TEXT = 5_000; // UTF-16 units; a longer text gets the full height without being laid out

/** Return a function that makes a textarea as high as its text, to call after every change, unless somebody has dragged it. */
export function heightFitter(area) {
  if (globalThis.CSS?.supports("field-sizing", "content") ?? true) return () => {};
  let height = "";
  let width = 0;
  const fit = () => {
    if (area.style.height !== height) return; // it was dragged
    Object.assign(area.style, { flex: "none", height: "0" }); // or it would grow with what is beside it
    const borders = area.offsetHeight - area.clientHeight;
    height = area.value.length > LONG_TEXT ? "100vh" : `${area.scrollHeight + borders}px`;
    Object.assign(area.style, { flex: "", height });
  };
  new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    requestAnimationFrame(fit); // an observed size must not change while it is reported
  }).observe(area);
  return fit;
}
