// Columns that scroll together, by the place in the text at their upper edges.

const SETTLED_AFTER_MS = [120, 240, 480, 960]; // a busy browser draws late

export class ScrolledTogether {
  /** panels: a function that returns those that scroll together now. */
  constructor(panels) {
    this.panels = panels;
    this.leader = null; // the panel that the reader used last; the others follow it, and do not lead when they scroll
    this.timer = undefined;
    this.following = null; // the frame in which they follow
  }

  add(panel) {
    for (const input of ["wheel", "pointerdown", "touchstart", "keydown"]) {
      panel.scroller.addEventListener(input, () => { this.leader = panel; }, { passive: true });
    }
    panel.scroller.addEventListener("scroll", () => this.scrolled(panel), { passive: true });
  }

  scrolled(panel) {
    if (panel !== this.leader) return;
    clearTimeout(this.timer);
    this.following ??= requestAnimationFrame(() => {
      this.following = null;
      if (this.leader) this.settle(() => this.follow(panel));
    });
  }

  /** Scroll, and again while what comes into sight is drawn and gets its real height. */
  settle(scroll, [wait, ...rest] = SETTLED_AFTER_MS) {
    scroll();
    clearTimeout(this.timer);
    if (wait) this.timer = setTimeout(() => this.settle(scroll, rest), wait);
  }

  follow(leader) {
    if (!leader.blocks.length) return;
    const { place } = leader;
    for (const panel of this.panels()) if (panel !== leader) panel.scrollTo(panel.yOf(place));
  }

  leave() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.following);
  }
}
