// Outlines of what is drawn in a bitmap: marching squares (Lorensen and Cline, 1987, in two dimensions), then the fewest
// corners that stay near the line (Douglas and Peucker, 1973).

const INSIDE = 128; // of 255: the edge of a letter is where coverage crosses half a pixel
const NEAR = 0.2; // pixels that the outline may leave the edge
const LEAST_CORNERS = 3;
const UNITS = 4; // of a path in a pixel

// For the four corners of a cell as bits 8 4 2 1, clockwise from the upper left: the edges (0 top, 1 right, 2 bottom,
// 3 left) at which the line enters and leaves it, with the inside on its right. Cells 5 and 10 are ambiguous.
const CROSSINGS = [
  [], [[3, 2]], [[2, 1]], [[3, 1]], [[1, 0]], null, [[2, 0]], [[3, 0]],
  [[0, 3]], [[0, 2]], null, [[0, 1]], [[1, 3]], [[1, 2]], [[2, 3]], [],
];
const APART = { 5: [[1, 0], [3, 2]], 10: [[0, 3], [2, 1]] };
const JOINED = { 5: [[3, 0], [1, 2]], 10: [[0, 1], [2, 3]] };

/**
 * The outlines of a bitmap of coverages from 0 to 255, as closed polygons [[x, y], …] in pixels. Nothing may touch its
 * border.
 * @param {ArrayLike<number>} coverage
 * @param {number} width
 * @param {number} height
 */
export function outlines(coverage, width, height) {
  const next = crossings(coverage, width, height);
  const found = [];
  for (let first = 0; first < next.length; first++) {
    if (next[first] < 0) continue;
    const line = [];
    for (let edge = first; next[edge] >= 0;) {
      line.push(crossing(edge, coverage, width));
      const following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    const polygon = simplifiedLine(line);
    if (polygon.length >= LEAST_CORNERS) found.push(polygon);
  }
  return found;
}

/** For each edge between two pixels that a line crosses, the edge that it crosses next; -1 for the others. */
function crossings(coverage, width, height) {
  const next = new Int32Array(2 * width * height).fill(-1);
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x;
      const corners = [coverage[at], coverage[at + 1], coverage[at + width + 1], coverage[at + width]];
      const cell = corners.reduce((bits, value) => 2 * bits + Number(value >= INSIDE), 0);
      const isJoined = corners[0] + corners[1] + corners[2] + corners[3] >= 4 * INSIDE;
      const edges = [2 * at, 2 * (at + 1) + 1, 2 * (at + width), 2 * at + 1];
      for (const [from, to] of CROSSINGS[cell] ?? (isJoined ? JOINED : APART)[cell]) next[edges[from]] = edges[to];
    }
  }
  return next;
}

/** Where between two pixels a line crosses: an even edge leads from a pixel to the right, an odd one down. */
function crossing(edge, coverage, width) {
  const at = edge >> 1;
  const other = at + (edge % 2 ? width : 1);
  const share = (INSIDE - coverage[at]) / (coverage[other] - coverage[at]);
  const [x, y] = [(at % width) + 0.5, Math.floor(at / width) + 0.5];
  return edge % 2 ? [x, y + share] : [x + share, y];
}

/** A closed line with fewer corners. */
function simplifiedLine(line) {
  const distance = ([x, y]) => Math.hypot(x - line[0][0], y - line[0][1]);
  const far = line.reduce((best, point, i) => (distance(point) > distance(line[best]) ? i : best), 0);
  const closed = [...line, line[0]];
  const kept = new Uint8Array(closed.length);
  kept[0] = kept[far] = 1;
  const open = [[0, far], [far, closed.length - 1]];
  while (open.length) {
    const [from, to] = open.pop();
    const middle = farthest(closed, from, to);
    if (middle === null) continue;
    kept[middle] = 1;
    open.push([from, middle], [middle, to]);
  }
  return line.filter((_, i) => kept[i]);
}

/** The point between two that is farthest from the line through them; null if all are near. */
function farthest(points, from, to) {
  const [[x0, y0], [x1, y1]] = [points[from], points[to]];
  const length = Math.hypot(x1 - x0, y1 - y0);
  let found = null;
  let most = NEAR;
  for (let i = from + 1; i < to; i++) {
    const [x, y] = points[i];
    const off = length ? Math.abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length : Math.hypot(x - x0, y - y0);
    if (off > most) [found, most] = [i, off];
  }
  return found;
}

/** Polygons as the path of an SVG, `UNITS` to a pixel, from an origin in pixels. */
export function pathOf(polygons, originX, originY) {
  return polygons.map((polygon) => {
    const corners = polygon.map(([x, y]) => [Math.round((x - originX) * UNITS), Math.round((y - originY) * UNITS)]);
    const steps = corners.slice(1).map(([x, y], i) => coordinatesText(x - corners[i][0], y - corners[i][1]));
    return `M${coordinatesText(...corners[0])}l${joinedSteps(steps)}z`;
  }).join("");
}

function coordinatesText(x, y) { return y < 0 ? `${x}${y}` : `${x} ${y}`; }

function joinedSteps(steps) {
  return steps.reduce((all, step) => (step.startsWith("-") || !all ? all + step : `${all} ${step}`), "");
}

/** The scale of a path whose bitmap has `scale` pixels for one of the picture. */
export function pathScale(scale) { return 1 / (UNITS * scale); }
