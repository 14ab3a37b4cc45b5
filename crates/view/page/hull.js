/** The number of corners of the polygon that replaces a disc in a hull. */
const HULL_CORNERS = 16;

/**
 * The convex hull of discs: corners x, y, one after another round it.
 *
 * @param {number[]} centres x, y by turns @param {number} radius of every disc @returns {number[]} O(n log n)
 */
export function hullOfDiscs(centres, radius) {
  const points = [];
  for (let at = 0; at < centres.length; at += 2) {
    for (let corner = 0; corner < HULL_CORNERS; corner += 1) {
      const angle = (2 * Math.PI * corner) / HULL_CORNERS;
      points.push([centres[at] + radius * Math.cos(angle), centres[at + 1] + radius * Math.sin(angle)]);
    }
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list) => {
    const corners = [];
    for (const point of list) {
      while (corners.length > 1 && turn(corners.at(-2), corners.at(-1), point) <= 0) corners.pop();
      corners.push(point);
    }
    corners.pop();
    return corners;
  };
  return [...chain(points), ...chain(points.reverse())].flat();
}

/** Positive if the path from a over b to c turns left. */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Whether a point is inside a convex hull. @param {number[]} hull a result of `hullOfDiscs` */
export function isInside(hull, x, y) {
  for (let at = 0; at < hull.length; at += 2) {
    const next = (at + 2) % hull.length;
    if (turn([hull[at], hull[at + 1]], [hull[next], hull[next + 1]], [x, y]) < 0) return false;
  }
  return true;
}
