// A view for each place on the page that a component is mounted at, kept over all replies to it.

const MOUNTED = new WeakMap();

/** Show a component's data in the view at its place, which is made where there is none yet. */
export function mounted(View, component) {
  const root = component.parentElement;
  let view = MOUNTED.get(root);
  if (!view) MOUNTED.set(root, (view = new View(root, component.data)));
  view.receive(component);
  return () => {
    if (root.host?.isConnected) return;
    view.leave();
    MOUNTED.delete(root);
  };
}
