// Outlines of bitmaps: where they run, what they enclose, and the path they become.

import assert from "node:assert/strict";
import test from "node:test";
import { outlines, pathOf } from "../../assets/picture/trace.js";

const SIZE = 80;
const MIDDLE = SIZE / 2;

/** A bitmap whose pixels are covered as far as a shape, given by its distance from the edge, reaches into them. */
function bitmap(inside) {
  return Uint8Array.from({ length: SIZE * SIZE }, (_, i) => {
    const [x, y] = [(i % SIZE) + 0.5, Math.floor(i / SIZE) + 0.5];
    return Math.round(255 * Math.min(Math.max(inside(x, y) + 0.5, 0), 1));
  });
}

const disc = (radius, x0 = MIDDLE, y0 = MIDDLE) => (x, y) => radius - Math.hypot(x - x0, y - y0);
const areaOf = (polygon) => polygon.reduce((sum, [x, y], i) => {
  const [nextX, nextY] = polygon[(i + 1) % polygon.length];
  return sum + (x * nextY - nextX * y) / 2;
}, 0);

test("a ring has two outlines that run opposite ways, near its edges and with few corners", () => {
  const [outer, inner] = [30, 15];
  const found = outlines(bitmap((x, y) => Math.min(disc(outer)(x, y), -disc(inner)(x, y))), SIZE, SIZE);
  assert.equal(found.length, 2);
  const areas = found.map(areaOf);
  assert.ok(Math.abs(areas[0] - Math.PI * outer ** 2) < 0.005 * Math.PI * outer ** 2, String(areas));
  assert.ok(Math.abs(areas[1] + Math.PI * inner ** 2) < 0.005 * Math.PI * inner ** 2, String(areas));
  const radii = found[0].map(([x, y]) => Math.hypot(x - MIDDLE, y - MIDDLE));
  assert.ok(Math.max(...radii) - Math.min(...radii) < 0.3);
  assert.ok(found[0].length < 60, String(found[0].length));
});

test("shapes apart have outlines of their own, and touching corners lose none", () => {
  const two = bitmap((x, y) => Math.max(disc(8, 20, 20)(x, y), disc(8, 60, 60)(x, y)));
  assert.equal(outlines(two, SIZE, SIZE).length, 2);
  const checks = new Uint8Array(36);
  for (const at of [14, 21]) checks[at] = 255; // two pixels that meet at a corner
  const area = outlines(checks, 6, 6).reduce((sum, polygon) => sum + areaOf(polygon), 0);
  assert.ok(area > 0.9 && area < 2, String(area));
  assert.deepEqual(outlines(new Uint8Array(100), 10, 10), []);
});

test("a path leads from corner to corner, four units to a pixel", () => {
  assert.equal(pathOf([[[1, 1], [3, 1], [3, 4.5], [0.5, 2]]], 1, 2), "M0-4l8 0 0 14-10-10z");
  assert.equal(pathOf([], 0, 0), "");
});
